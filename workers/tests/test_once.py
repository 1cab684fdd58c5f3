"""One effect for each id: duplicates, conflicts, rounds too old, entries delivered more than once."""

from __future__ import annotations

import json
import time
from collections import Counter

import pytest
import redis

from mjsettle_workers.client import Client
from mjsettle_workers.drain import Drain
from mjsettle_workers.entries import Entry
from mjsettle_workers.keys import DAY_S, GROUP
from mjsettle_workers.settling import Desk, bury, settle_entries
from mjsettle_workers.testing import answers_on_stream, drain_once, stub_round


def read_all(desk: Desk) -> list[Entry]:
    return Drain(desk, lambda: False).read(1, 100, 0)


def pending(desk: Desk) -> int:
    return int(desk.connection.xpending(desk.keys.rounds, GROUP)["pending"])


def test_a_settled_round_leaves_the_queue_and_is_found_by_id(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a", honba=4)])
    drain_once(desk)
    assert json.loads(client.results(["a"])["a"])["deltas"] == [12, -4, -4, -4]
    assert [answer["id"] for answer in answers_on_stream(client)] == ["a"]
    assert (client.connection.xlen(client.keys.rounds), pending(desk)) == (0, 0)


def test_the_same_round_again_gets_the_stored_answer_and_no_second_effect(client: Client, desk: Desk) -> None:
    body = json.loads(stub_round("a", honba=4))
    client.submit([json.dumps(body, indent=2)])
    drain_once(desk)
    client.submit([json.dumps(dict(reversed(body.items())))] * 3)
    drain_once(desk)
    answers = answers_on_stream(client)
    assert [answer.pop("again") for answer in answers] == [False, True, True, True]
    assert all(answer == answers[0] for answer in answers)


def test_twins_in_one_batch_have_one_effect(client: Client, desk: Desk) -> None:
    twin = stub_round("a")
    client.submit([twin, twin, stub_round("b"), twin])
    drain_once(desk)
    assert Counter((answer["id"], answer["again"]) for answer in answers_on_stream(client)) == {
        ("a", False): 1,
        ("a", True): 2,
        ("b", False): 1,
    }


@pytest.mark.parametrize("together", [True, False])
def test_another_body_under_the_same_id_is_a_conflict_that_names_the_field(
    client: Client, desk: Desk, together: bool
) -> None:
    first = stub_round("a", honba=1, players=[{}, {"hand": "1m"}])
    other = stub_round("a", honba=1, players=[{}, {"hand": "2m"}])
    for sent in [[first, other]] if together else [[first], [other]]:
        client.submit(sent)
        drain_once(desk)
    settled, conflict = answers_on_stream(client)
    assert settled["status"] == "settled"
    assert conflict["status"] == "conflict"
    assert conflict["errors"][0]["code"] == "exists_with_different"
    assert conflict["errors"][0]["field"] == "players[1].hand"
    assert json.loads(client.results(["a"])["a"])["status"] == "settled"


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("bad", "refused before, with another round, and nothing was paid: send the corrected round under a new id"),
        ("raise", "among the dead letters, and an operator may settle that yet"),
        ("stub", "settled with another round, whose stored result stands"),
    ],
)
def test_a_conflict_says_what_the_other_round_came_to(
    client: Client, desk: Desk, rule: str, told: str, together: bool
) -> None:
    first, corrected = stub_round("a", rule=rule), stub_round("a", honba=7)
    for sent in [[first, corrected]] if together and rule != "raise" else [[first], [corrected]]:
        client.submit(sent)
        drain_once(desk)
    _, conflict = answers_on_stream(client)
    assert conflict["status"] == "conflict"
    assert told in conflict["errors"][0]["message"]
    client.submit([stub_round("b", honba=7)])
    drain_once(desk)
    assert answers_on_stream(client)[-1]["status"] == "settled"


def test_the_same_id_with_another_day_is_a_conflict_too(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a")])
    drain_once(desk)
    client.submit([stub_round("a", ago_s=2 * DAY_S), stub_round("a", ago_s=400 * DAY_S)])
    drain_once(desk)
    assert [(a["status"], a.get("errors", [{}])[0].get("field")) for a in answers_on_stream(client)] == [
        ("settled", None),
        ("conflict", "ended_at"),
        ("conflict", "ended_at"),
    ]


def test_a_round_too_old_to_be_remembered_is_refused(client: Client, desk: Desk) -> None:
    client.submit([stub_round("old", ago_s=9 * DAY_S), stub_round("new"), stub_round("week", ago_s=7 * DAY_S - 60)])
    drain_once(desk)
    answers = {answer["id"]: answer for answer in answers_on_stream(client)}
    assert answers["old"]["errors"][0]["code"] == "too_old"
    assert (answers["new"]["status"], answers["week"]["status"]) == ("settled", "settled")
    assert "old" not in client.results(["old"])


def test_nothing_that_was_paid_becomes_payable_again(client: Client, desk: Desk) -> None:
    """However the days pass, a round is either remembered or too old."""
    paid = stub_round("a", ago_s=3 * DAY_S)
    client.submit([paid])
    drain_once(desk)
    now = int(time.time())
    for hour in range(24 * 9):
        desk.store.forget(now + 3_600 * hour)
        if hour % 24 == 5:
            client.submit([paid])
            drain_once(desk, 0.1)
    answers = answers_on_stream(client)
    assert [a["status"] for a in answers if not a["again"]].count("settled") == 1
    assert answers[-1]["errors"][0]["code"] == "too_old"
    assert client.results(["a"]) == {}


def test_a_clock_that_jumps_ahead_forgets_one_day_an_hour_at_most(desk: Desk) -> None:
    now = int(time.time())
    floor = desk.store.floor_day()
    assert desk.store.forget(now + 90 * DAY_S) == floor + 1
    assert desk.store.forget(now + 90 * DAY_S + 60) == floor + 1
    assert desk.store.forget(now) == floor + 1  # and what is forgotten stays refused when the clock comes back


def test_an_entry_delivered_twice_is_applied_once(client: Client, desk: Desk) -> None:
    client.submit([stub_round(f"r{i}") for i in range(5)])
    entries = read_all(desk)
    assert settle_entries(desk, entries).done == 5
    again = settle_entries(desk, entries)
    assert again.done == 0
    assert len(answers_on_stream(client)) == 5


def test_an_entry_that_another_worker_finished_is_left_alone(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a"), stub_round("b")])
    entries = read_all(desk)
    desk.connection.xack(desk.keys.rounds, GROUP, entries[0].entry)
    assert settle_entries(desk, entries).done == 1
    assert [answer["id"] for answer in answers_on_stream(client)] == ["b"]


def test_rounds_without_what_the_queue_needs_are_refused_once(client: Client, desk: Desk) -> None:
    client.submit([b'{"id":"a","rule":"bad"}', b'{"id":"a","rule":"bad"}', b'{"id":"a b"}', b"nonsense"])
    drain_once(desk)
    answers = answers_on_stream(client)
    assert [(a["id"], a["status"], a["again"]) for a in answers] == [
        ("a", "refused", False),
        ("a", "refused", True),
        (None, "refused", False),
        (None, "refused", False),
    ]
    # Every fault at once: the judge's and the queue's.
    assert [error["field"] for error in answers[0]["errors"]] == ["rule", "ended_at"]
    assert all(answer["entry"] for answer in answers[2:])


def test_a_key_of_another_kind_stops_the_step_before_it_begins(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a")])
    entries = read_all(desk)
    desk.connection.set(desk.keys.results, "not a stream")
    with pytest.raises(redis.ResponseError, match="expected a stream"):
        settle_entries(desk, entries)
    assert pending(desk) == 1
    desk.connection.delete(desk.keys.results)
    assert settle_entries(desk, entries).done == 1


def test_a_room_that_asks_gets_its_answers_on_a_stream_of_its_own(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a")])
    client.room = "room-1"
    client.submit([stub_round("b")])
    drain_once(desk)
    assert [answer["id"] for answer in answers_on_stream(client)] == ["b"]
    client.room = None
    assert sorted(answer["id"] for answer in answers_on_stream(client)) == ["a", "b"]
    assert desk.connection.ttl(desk.keys.reply("room-1")) > 0


def test_a_dead_letter_is_stored_also_where_its_rule_set_was_lacking_before(client: Client, desk: Desk) -> None:
    """A round that waited for its turn meanwhile, and was then judged by a judge that failed at it."""
    client.submit([stub_round("a")])
    (entry,) = read_all(desk)
    entry.lacking = {0}
    assert bury(desk, entry, "failed", 1)
    assert b"judge_failed" in client.results(["a"])["a"]
