from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
import pytest
import redis

from mjsettle_workers.client import Client
from mjsettle_workers.drain import Drain
from mjsettle_workers.outgoing import NoAnswerError, QueueFullError, RoundsTooLongError
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk, settle_entries
from mjsettle_workers.testing import (
    drain_once,
    open_client,
    open_test_desk,
    quick_settings,
    raw,
    stub_round,
    wait_until,
)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return quick_settings(settings.redis_url, prefix=settings.prefix, queue=settings.queue, rounds_max=10)


def test_a_full_queue_refuses_and_drops_nothing(client: Client) -> None:
    with pytest.raises(QueueFullError) as full:
        client.submit([stub_round(f"r{i}") for i in range(15)], timeout_s=0)
    assert len(full.value.entries) == 10
    rows = raw(client).xrange(client.keys.rounds)
    assert [row[0].decode() for row in rows] == full.value.entries
    with pytest.raises(QueueFullError):
        client.submit([stub_round("more")], timeout_s=0)


def test_a_sender_waits_while_the_queue_is_full(client: Client, settings: Settings) -> None:
    def drain_later() -> None:
        with open_test_desk(settings) as desk:
            time.sleep(0.1)
            drain_once(desk, 1.0)

    helper = threading.Thread(target=drain_later)
    helper.start()
    assert len(client.submit([stub_round(f"r{i}") for i in range(95)], timeout_s=10)) == 95
    helper.join()
    assert len(client.results(f"r{i}" for i in range(95))) == 95


LONG = stub_round("long", pad="x" * 70_000)


def test_the_script_takes_nothing_of_a_call_with_a_round_beyond_the_bound(client: Client) -> None:
    with pytest.raises(redis.ResponseError, match=r"TOOLONG round 2 has \d+ bytes, expected at most 65536"):
        client.offer([stub_round("a"), LONG, stub_round("c")])
    assert raw(client).xlen(client.keys.rounds) == 0


def test_a_round_beyond_the_bound_is_named_and_the_others_are_sent(client: Client) -> None:
    with pytest.raises(
        RoundsTooLongError, match=r"round 2 \(long\) has \d+ bytes, expected at most 65536; not sent: 1 of 4"
    ) as told:
        client.submit([stub_round("a"), LONG, stub_round("c"), stub_round("d")])
    assert [one.place for one in told.value.rounds] == [2]
    rows = raw(client).xrange(client.keys.rounds)
    assert [row[0].decode() for row in rows] == told.value.entries
    assert [msgspec.json.decode(row[1][b"round"])["id"] for row in rows] == ["a", "c", "d"]


def test_a_caller_that_waits_gets_a_refusal_for_a_round_beyond_the_bound(client: Client, settings: Settings) -> None:
    unreadable = b'{"id": "' + b"x" * 70_000
    with draining(settings, 1.5):
        answers = dict(client.settle([stub_round("a"), LONG, unreadable, stub_round("d")], timeout_s=10))
    found = [msgspec.json.decode(answers[i]) for i in range(4)]
    assert [(one["id"], one["status"]) for one in found] == [
        ("a", "settled"),
        ("long", "refused"),
        (None, "refused"),
        ("d", "settled"),
    ]
    assert [found[i]["errors"][0]["code"] for i in (1, 2)] == ["too_long", "too_long"]
    assert found[2]["line"] == 3
    assert f"found {len(LONG)} bytes, expected at most 65536" in found[1]["errors"][0]["message"]


@contextmanager
def draining(settings: Settings, seconds: float) -> Iterator[None]:
    """A worker's drain beside the block."""

    def work() -> None:
        with open_test_desk(settings) as desk:
            drain_once(desk, seconds)

    helper = threading.Thread(target=work)
    helper.start()
    try:
        yield
    finally:
        helper.join()


def test_a_caller_that_waits_is_told_which_rounds_have_no_answer(client: Client) -> None:
    with pytest.raises(NoAnswerError, match=r"2 of 2 rounds without an answer.*workers running") as silent:
        list(client.settle([stub_round("a"), b"unreadable"], timeout_s=0.2))
    assert silent.value.ids == ["a", "round 2"]


def test_what_is_not_answered_is_sent_again(client: Client, settings: Settings, desk: Desk) -> None:
    lost = threading.Event()

    def lose_then_settle() -> None:
        with open_client(settings) as other:
            while not other.connection.xlen(other.keys.rounds):
                time.sleep(0.01)
            other.connection.xtrim(other.keys.rounds, maxlen=0, approximate=False)  # as a crash may
            lost.set()
            drain_once(desk, 1.5)

    helper = threading.Thread(target=lose_then_settle)
    helper.start()
    answers = dict(client.settle([stub_round("a"), b"unreadable"], timeout_s=10, resend_s=0.3))
    helper.join()
    assert lost.is_set()
    assert sorted(answers) == [0, 1]
    assert b'"settled"' in answers[0]
    assert b'"unreadable"' in answers[1]


def test_a_caller_may_take_longer_over_an_answer_than_the_queue_may(client: Client, settings: Settings) -> None:
    with draining(settings, 4.0):
        answers = []
        for position, _ in client.settle([b"x" * 70_000, stub_round("a"), stub_round("b")], timeout_s=1.0):
            answers.append(position)
            time.sleep(1.2)
    assert answers == [0, 1, 2]


def test_making_sure_may_take_longer_than_an_answer_may(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(_: Client, entries: Sequence[str]) -> bool:
        time.sleep(0.6 if entries else 0)
        return True

    monkeypatch.setattr(Client, "is_kept", slowly)
    with draining(settings, 1.0):
        assert len(list(client.settle([stub_round("a")], timeout_s=0.5))) == 1


def test_calls_of_one_client_do_not_meet(client: Client, settings: Settings) -> None:
    with draining(settings, 5.0):
        first = client.settle([stub_round("a1"), stub_round("a2")], timeout_s=4.0)
        second = client.settle([stub_round("b1"), stub_round("b2")], timeout_s=4.0)
        found = [*zip(first, second, strict=True)]
    named = [[msgspec.json.decode(answer)["id"] for _, answer in pair] for pair in found]
    assert named == [["a1", "b1"], ["a2", "b2"]]


def test_a_client_keeps_its_own_stream_while_rounds_are_settled(settings: Settings) -> None:
    with open_client(settings, room="own") as client, draining(settings, 2.0):
        for _ in client.settle([stub_round("a")], timeout_s=4.0):
            client.submit([stub_round("mine")])
        wait_until(lambda: client.read("0-0", block_ms=50))
        assert [ident for _, ident, _, _ in client.read("0-0", block_ms=50)] == ["mine"]


def test_answers_are_made_sure_of_before_their_stream_drops_them(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjsettle_workers.resending.UNSURE_MAX", 4)
    asked: list[int] = []
    is_kept = Client.is_kept

    def then_drop(room: Client, entries: Sequence[str]) -> bool:
        asked.append(len(entries))
        kept = is_kept(room, entries)
        room.connection.xtrim(room._stream(), minid=entries[-1], approximate=False)
        return kept

    monkeypatch.setattr(Client, "is_kept", then_drop)
    told: list[str] = []
    with draining(settings, 12.0):
        rounds = [stub_round(f"r{i}") for i in range(12)]  # the queue takes ten at a time
        assert len(list(client.settle(rounds, timeout_s=4.0, tell=told.append))) == 12
    assert len(asked) > 1
    assert told == []


def test_pauses_between_sends_grow(client: Client) -> None:
    """Without a worker, rounds are not sent again and again at the same pace."""
    with pytest.raises(NoAnswerError):
        list(client.settle([stub_round("a")], timeout_s=4.0, resend_s=0.4))
    # At 0, 0.4, 1.2 and 2.8 seconds; at a steady pace it would be ten times.
    assert 2 <= raw(client).xlen(client.keys.rounds) <= 4


def test_only_what_is_not_answered_is_sent_again(client: Client, desk: Desk) -> None:
    answers = client.settle([stub_round(ident) for ident in "abcd"], timeout_s=1.0, resend_s=0.2)

    def settle_half() -> None:
        wait_until(lambda: raw(client).xlen(client.keys.rounds) == 4)
        settle_entries(desk, Drain(desk, lambda: False).read(1, 2, 0))

    helper = threading.Thread(target=settle_half)
    helper.start()
    assert sorted([next(answers)[0], next(answers)[0]]) == [0, 1]
    helper.join()
    with pytest.raises(NoAnswerError) as silent:
        next(answers)
    assert silent.value.ids == ["c", "d"]
    sent = [msgspec.json.decode(fields[b"round"])["id"] for _, fields in raw(client).xrange(client.keys.rounds)]
    assert len(sent) > 2
    assert set(sent) == {"c", "d"}


def test_a_caller_is_told_which_rule_set_is_waited_for(client: Client, desk: Desk) -> None:
    told: list[str] = []
    answers = client.settle([stub_round("a"), stub_round("b")], timeout_s=3.0, tell=told.append)

    def park() -> None:
        wait_until(lambda: raw(client).xlen(client.keys.rounds) == 2)
        drain = Drain(desk, lambda: False)
        first, second = drain.read(1, 2, 0)
        second.rounds[0].edition = "2030.1"
        drain.park([first, second])

    helper = threading.Thread(target=park)
    helper.start()
    with pytest.raises(NoAnswerError):
        list(answers)
    helper.join()
    waits = [line.partition(";")[0] for line in told]
    assert waits == [
        "1 round waits for workers with the rule set stub",
        "1 round waits for workers with the rule set stub 2030.1",
    ]
