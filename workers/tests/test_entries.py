from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjsettle_workers.entries import Sent, first_difference, read_entry, read_round

NOW = 1_800_000_000

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
bodies = st.dictionaries(st.sampled_from(["rule", "dealer", "players", "wild", "x"]), json_values, max_size=4)


def read(raw: bytes) -> Sent:
    return read_round(raw, NOW, bytes_max=2_000, ahead_s=60)


@given(bodies, st.data())
def test_key_order_and_white_space_do_not_matter(body: dict[str, object], data: st.DataObject) -> None:
    whole = {"id": "a", "ended_at": NOW, **body}
    shuffled = dict(data.draw(st.permutations(list(whole.items()))))
    a = read(json.dumps(whole).encode())
    b = read(json.dumps(shuffled, indent=3, ensure_ascii=False).encode())
    assert a.body == b.body
    assert json.loads(a.body) == whole
    assert json.loads(a.rest) == body
    assert b"\n" not in a.body


@given(bodies, bodies)
def test_rounds_are_the_same_exactly_if_no_field_differs(a: dict[str, object], b: dict[str, object]) -> None:
    one, other = (read(json.dumps({"id": "a", "ended_at": NOW, **body}).encode()) for body in (a, b))
    assert (one.body == other.body) == (first_difference(one.body, other.body) == "")


def test_the_first_differing_field_is_named() -> None:
    a = {"id": "a", "players": [{}, {"hand": "1m"}], "wild": ["1z"]}
    assert first_difference(json.dumps(a).encode(), json.dumps(a | {"wild": ["1z", "2z"]}).encode()) == "wild[1]"
    b = {"id": "a", "players": [{}, {"hand": "2m"}], "wild": ["2z"]}
    assert first_difference(json.dumps(a).encode(), json.dumps(b).encode()) == "players[1].hand"
    assert first_difference(b'{"a": 1}', b'{"a": 1.0}') == "a"
    assert first_difference(b'{"a": 1}', b'{"a": true}') == "a"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "unreadable"),
        (b"[]", "unreadable"),
        (b"{", "unreadable"),
        (b'{"id":"a","x":"\xff"}', "unreadable"),
        (b"[" * 1_900, "unreadable"),
        (b'{"id":"a","x":"' + b"x" * 3_000 + b'"}', "too_long"),
    ],
)
def test_what_cannot_be_read_has_no_id_and_says_why(raw: bytes, code: str) -> None:
    sent = read(raw)
    assert sent.id is None
    assert [fault["code"] for fault in sent.faults] == [code]


@pytest.mark.parametrize("ident", ["", "a b", "a\n", "x" * 129, 7, None, "é"])
def test_an_id_out_of_bounds_is_no_id(ident: object) -> None:
    sent = read(json.dumps({"id": ident, "ended_at": NOW}).encode())
    assert sent.id is None
    assert [fault["field"] for fault in sent.faults] == ["id"]


@pytest.mark.parametrize(
    ("ended_at", "code"),
    [(None, "missing"), ("now", "wrong_type"), (1.5, "wrong_type"), (True, "wrong_type"), (-1, "wrong_type")],
)
def test_the_queue_needs_to_know_when_a_round_ended(ended_at: object, code: str) -> None:
    sent = read(json.dumps({"id": "a", "ended_at": ended_at}).encode())
    assert sent.id == "a"
    assert [(fault["code"], fault["field"]) for fault in sent.faults] == [(code, "ended_at")]
    assert sent.day == NOW // 86_400


def test_a_round_may_not_end_far_in_the_future() -> None:
    assert read(b'{"id":"a","ended_at":%d}' % (NOW + 60)).faults == []
    assert read(b'{"id":"a","ended_at":%d}' % (NOW + 61)).faults[0]["code"] == "too_new"


@pytest.mark.parametrize(
    ("per_second", "advice"),
    [
        (1_000, "it looks like milliseconds: divide by 1000"),
        (1_000_000, "it looks like microseconds: divide by 1000000"),
        (1_000_000_000, "it looks like nanoseconds: divide by 1000000000"),
    ],
)
def test_an_end_in_other_units_than_seconds_is_recognised(per_second: int, advice: str) -> None:
    (fault,) = read(b'{"id":"a","ended_at":%d}' % (NOW * per_second + 7)).faults
    assert (fault["code"], fault["message"].partition("; ")[2]) == ("too_new", advice)
    (other,) = read(b'{"id":"a","ended_at":%d}' % (NOW * per_second * 40)).faults
    assert "looks like" not in other["message"]


def test_strange_names_on_an_entry_are_as_good_as_none() -> None:
    fields = {b"round": b"{}", b"to": b"\xff", b"room": b"a b", b"seq": b"x"}
    entry = read_entry(b"5-1", fields, 1, NOW, bytes_max=100, ahead_s=0)
    assert (entry.to, entry.room, entry.seq, entry.born_ms) == ("", "", 0, 5)
