from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import redis

from mjsettle_workers.cache import AnswerCache, SharedAnswers
from mjsettle_workers.client import Client
from mjsettle_workers.entries import Sent, read_round
from mjsettle_workers.judge import Engine, Judge, JudgeError, load_engine
from mjsettle_workers.settings import Settings, SettingsError
from mjsettle_workers.stub_judges import DoNothing, Faulty
from mjsettle_workers.testing import raw, stub_round

NOW = 4_000_000_000


def rounds(*raws: bytes) -> list[Sent]:
    return [read_round(raw, NOW, bytes_max=10_000, ahead_s=0) for raw in raws]


def judge_with(answer: Callable[[bytes], bytes], **changes: int) -> Judge:
    engine: Engine = type("Engine", (), {"settle_json": lambda _, lines: answer(lines)})()
    return Judge(engine, Settings(**changes))  # type: ignore[arg-type]


class CountingStamp(DoNothing):
    """Whose answers name the edition of its rules."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        self.asked = 0

    def stamp(self) -> str:
        return self.edition

    def settle_json(self, lines: bytes) -> bytes:
        self.asked += len(lines.splitlines())
        return super().settle_json(lines).replace(b'"status"', b'"edition":"%s","status"' % self.edition.encode())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda lines: b"", "gave 1 answers, expected 2"),
        (lambda lines: b"{}\n{}\n{}\n", "gave 3 answers"),
        (lambda lines: b"no json\nno json\n", "cannot be read"),
        (lambda lines: b'{"id":"b"}\n{"id":"a"}\n', "names 'b'"),
        (lambda lines: b'{"id":"a","deltas":[1,0],"table":0}\n{"id":"b"}\n', "sum to a number other than 0"),
        (
            lambda lines: b'{"id":"a","deltas":[90071992547409920,-90071992547409920]}\n{"id":"b"}\n',
            "cannot be read: Expected",
        ),
        (lambda lines: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_a_judge_is_not_believed_without_a_look(answer: Callable[[bytes], bytes], told: str) -> None:
    with pytest.raises(JudgeError, match=told):
        judge_with(answer).answer(rounds(stub_round("a"), stub_round("b")))


def test_answers_come_in_the_order_of_the_rounds_however_many_are_cached() -> None:
    judge = Judge(DoNothing(), Settings())
    judge.answer(rounds(stub_round("x", honba=2), stub_round("y", honba=4)))
    sent = rounds(*(stub_round(f"r{i}", honba=i) for i in range(6)), b"unreadable")
    answers = [json.loads(answer) for answer, _ in judge.answer(sent)]
    assert [answer["id"] for answer in answers] == [*(f"r{i}" for i in range(6)), None]
    assert [answer["deltas"][0] for answer in answers[:6]] == [0, 3, 6, 9, 12, 15]
    assert judge.cache.hits == 2


def test_the_cache_is_keyed_by_everything_that_is_judged() -> None:
    judge = Judge(Faulty(), Settings())
    base: dict[str, Any] = {"dealer": 1, "options": {"horses": 2}, "edition": "1", "rule": "stub", "wild": ["1z"]}
    judge.answer(rounds(stub_round("a", **base)))
    changes: tuple[dict[str, Any], ...] = (
        {"dealer": 2},
        {"options": {"horses": 3}},
        {"edition": "2"},
        {"wild": ["2z"]},
        {"rule": "bad"},
    )
    for change in changes:
        judge.answer(rounds(stub_round("b", **{**base, **change})))
    assert judge.cache.hits == 0
    judge.answer(rounds(stub_round("c", **dict(reversed(base.items())))))
    assert judge.cache.hits == 1


@pytest.mark.parametrize("cached", [0, 20_000])
def test_answers_are_the_same_with_and_without_a_cache(cached: int) -> None:
    judge = Judge(Faulty(), Settings(cache_rounds=cached))
    given = [stub_round(f"r{i}", honba=i % 7, rule="bad" if i % 3 else "stub") for i in range(100)]
    plain = [json.loads(line) for line in Faulty().settle_json(b"\n".join(given)).splitlines()]
    for _ in range(2):
        assert [json.loads(answer) for answer, _ in judge.answer(rounds(*given))] == plain
    assert (judge.cache.hits > 0) == bool(cached)


def test_what_the_judge_raised_at_is_not_cached() -> None:
    judge = Judge(Faulty(), Settings())
    for _ in range(2):
        with pytest.raises(JudgeError):
            judge.answer(rounds(stub_round("a", rule="raise")))
    assert len(judge.cache) == 0


def test_a_child_of_another_edition_cannot_hand_its_answers_to_this_one() -> None:
    old, new = Judge(CountingStamp("2025"), Settings()), Judge(CountingStamp("2026"), Settings())
    old.answer(rounds(stub_round("a")))
    assert new.cache.absorb(old.cache.export_fresh()) == 0
    assert b'"edition":"2026"' in new.answer(rounds(stub_round("b")))[0][0]


@pytest.mark.parametrize("damage", ["cut", "flip", "swap"])
def test_a_damaged_blob_never_changes_an_answer(damage: str) -> None:
    source = Judge(DoNothing(), Settings())
    source.answer(rounds(*(stub_round(f"r{i}", honba=i) for i in range(20))))
    blob = bytearray(source.cache.export_fresh())
    for place in range(0, len(blob), 7):
        broken = bytearray(blob)
        match damage:
            case "cut":
                del broken[place:]
            case "flip":
                broken[place] ^= 0x15
            case "swap":
                broken[place], broken[place - 1] = broken[place - 1], broken[place]
        judge = Judge(DoNothing(), Settings())
        judge.cache.absorb(bytes(broken))
        answers = judge.answer(rounds(*(stub_round(f"s{i}", honba=i) for i in range(20))))
        assert [json.loads(answer)["deltas"][0] for answer, _ in answers] == [3 * i for i in range(20)]


def test_the_cache_is_bounded_and_keeps_what_is_used() -> None:
    cache = AnswerCache(100)
    cache.put(b"hot", (b"", "settled"))
    for i in range(10_000):
        cache.put(b"%d" % i, (b"", "settled"))
        assert cache.get(b"hot") is not None
    assert len(cache) <= 100


def test_a_judge_that_hangs_is_ended_though_it_catches_everything() -> None:
    program = (
        "from mjsettle_workers.judge import *; from mjsettle_workers.stub_judges import Faulty\n"
        'with time_limit(0.3): Faulty().settle_json(b\'{"rule":"hang"}\')\n'
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30)
    assert done.returncode == 1
    assert b"_hang" in done.stderr  # the traceback tells an operator where


def test_a_judge_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(SettingsError, match="no_such_module:x"):
        load_engine("no_such_module:x")


class TestSharedTier:
    @pytest.fixture
    def shared(self, client: Client) -> SharedAnswers:
        return SharedAnswers(client.connection, client.keys.shared, "2026", 0.0, 60)

    def test_a_second_worker_need_not_judge_what_the_first_did(self, shared: SharedAnswers) -> None:
        engine = CountingStamp("2026")
        for asked in (20, 20):
            judge = Judge(engine, Settings())
            judge.shared = shared
            answers = judge.answer(rounds(*(stub_round(f"r{i}", honba=i) for i in range(20)), b"unreadable"))
            assert [json.loads(answer)["deltas"][0] for answer, _ in answers[:20]] == [3 * i for i in range(20)]
            assert engine.asked == asked

    def test_only_what_is_costly_is_shared(self, shared: SharedAnswers, client: Client) -> None:
        shared.costly_s = 60.0
        judge = Judge(DoNothing(), Settings())
        judge.shared = shared
        judge.answer(rounds(stub_round("a")))
        assert raw(client).keys(f"{shared.prefix}:*") == []

    def test_a_poisoned_entry_is_not_used(self, shared: SharedAnswers, client: Client) -> None:
        given = [stub_round(f"r{i}", honba=i) for i in range(12)]
        judge = Judge(DoNothing(), Settings())
        judge.shared = shared
        judge.answer(rounds(*given))
        names = sorted(raw(client).keys(f"{shared.prefix}:*"))
        values = raw(client).mget(names)
        assert len(names) == 12
        for i, name in enumerate(names):  # swapped, cut, flipped, made up
            damage = (values[i - 1], values[i][:-3], bytes(values[i][:20]) + b"x" + values[i][21:], b"settled ,}")
            raw(client).set(name, damage[i % 4])
        other = Judge(DoNothing(), Settings())
        other.shared = shared
        answers = other.answer(rounds(*given))
        assert [json.loads(answer)["deltas"][0] for answer, _ in answers] == [3 * i for i in range(12)]
        assert shared.rejected == 12

    def test_another_edition_finds_nothing(self, shared: SharedAnswers) -> None:
        old = Judge(CountingStamp("2025"), Settings())
        old.shared = SharedAnswers(shared.connection, shared.prefix, "2025", 0.0, 60)
        old.answer(rounds(stub_round("a")))
        new = Judge(CountingStamp("2026"), Settings())
        new.shared = shared
        assert b'"edition":"2026"' in new.answer(rounds(stub_round("a")))[0][0]

    def test_without_a_server_the_judge_judges(self, shared: SharedAnswers, monkeypatch: pytest.MonkeyPatch) -> None:
        class Down:
            def mget(self, keys: object) -> None:
                raise redis.ConnectionError("down")

            def pipeline(self, **_: object) -> None:
                raise redis.ConnectionError("down")

        monkeypatch.setattr(shared, "connection", Down())
        judge = Judge(DoNothing(), Settings())
        judge.shared = shared
        assert json.loads(judge.answer(rounds(stub_round("a", honba=2)))[0][0])["deltas"][0] == 6


def test_what_one_worker_lacks_no_other_is_told_to_lack(client: Client) -> None:
    """Two workers whose rules have the same stamp: one of them has an older edition besides."""

    def lacking(lines: bytes) -> bytes:
        return b'{"id":"a","status":"refused","errors":[{"code":"unknown_edition","field":"edition","message":""}]}\n'

    old, new = judge_with(lacking), judge_with(DoNothing().settle_json)
    for judge in (old, new):
        judge.shared = SharedAnswers(client.connection, client.keys.shared, "stamp", 0.0, 60)
    sent = rounds(stub_round("a"))
    assert [status for _, status in old.answer(sent)] == ["refused"]
    assert [status for _, status in new.answer(sent)] == ["settled"]
