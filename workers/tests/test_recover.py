"""What becomes of rounds whose worker died, and of rounds that end their worker."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import redis

from mjsettle_workers.client import Client
from mjsettle_workers.connection import server_ms
from mjsettle_workers.drain import Drain
from mjsettle_workers.keys import GROUP
from mjsettle_workers.recover import Left, leftovers, recover, take_over, try_alone
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.store import Store
from mjsettle_workers.testing import answers_on_stream, drain_once, open_test_desk, raw, stub_round


@pytest.fixture
def dead_desk(settings: Settings) -> Iterator[Desk]:
    """A worker that reads rounds and is never heard of again."""
    with open_test_desk(settings, "dead") as opened:
        yield opened


def read_and_die(dead: Desk, count: int = 100) -> None:
    Drain(dead, lambda: False).read(1, count, 0)


def deliveries(desk: Desk) -> list[int]:
    rows = raw(desk).xpending_range(desk.keys.rounds, GROUP, "-", "+", 1_000)
    return [row["times_delivered"] for row in rows]


def left(desk: Desk) -> list[Left]:
    return leftovers(desk, 1, server_ms(desk.connection))


def letters(desk: Desk) -> list[dict[bytes, bytes]]:
    return [fields for _, fields in raw(desk).xrange(desk.keys.dead)]


def test_rounds_of_a_dead_worker_are_taken_over_when_they_lay_idle(client: Client, desk: Desk, dead_desk: Desk) -> None:
    client.submit([stub_round(f"r{i}") for i in range(20)])
    read_and_die(dead_desk)
    assert take_over(desk, 1) == 0
    time.sleep(desk.settings.claim_idle_ms / 1_000)
    assert take_over(desk, 1) == 20
    assert deliveries(desk) == [1] * 20  # taking over is no delivery
    drain_once(desk)
    assert len(client.results(f"r{i}" for i in range(20))) == 20
    assert letters(desk) == []


def test_rounds_of_this_workers_killed_horse_are_tried_at_once(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a"), stub_round("b")])
    read_and_die(desk)
    drain_once(desk)
    assert sorted(client.results(["a", "b"])) == ["a", "b"]


def test_only_the_round_at_its_limit_is_buried_with_its_bytes(client: Client, desk: Desk) -> None:
    poison = stub_round("poison", rule="kill")
    client.submit([stub_round("a"), poison, stub_round("b")])
    read_and_die(desk)
    entry = next(one.entry.entry for one in left(desk) if one.entry.rounds[0].id == "poison")
    # What its solo attempts would leave behind, had each ended the process.
    for _ in range(desk.settings.deliveries_max - 1):
        desk.connection.xclaim(desk.keys.rounds, GROUP, desk.consumer, 0, [entry])
    drain_once(desk, 0.3)
    answers = {answer["id"]: answer for answer in answers_on_stream(client)}
    assert {ident: answer["status"] for ident, answer in answers.items()} == {
        "a": "settled",
        "b": "settled",
        "poison": "refused",
    }
    assert answers["poison"]["errors"][0]["code"] == "judge_failed"
    assert [(letter[b"id"], letter[b"round"]) for letter in letters(desk)] == [(b"poison", poison)]
    assert deliveries(desk) == []


def test_a_judge_that_raises_costs_only_the_round_at_fault(client: Client, desk: Desk) -> None:
    rules = ["stub", "raise", "stub", "short", "forge", "bad"]
    client.submit([stub_round(f"{rule}{i}", rule=rule) for i, rule in enumerate(rules)])
    drain_once(desk)
    status = {answer["id"]: answer["status"] for answer in answers_on_stream(client)}
    assert status == {
        "stub0": "settled",
        "raise1": "refused",
        "stub2": "settled",
        "short3": "refused",
        "forge4": "refused",
        "bad5": "refused",
    }
    assert [letter[b"id"] for letter in letters(desk)] == [b"raise1", b"short3", b"forge4"]
    assert b"a plugin raised this" in letters(desk)[0][b"reason"]


def test_a_dead_letter_can_be_replayed_once_its_cause_is_repaired(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a", rule="raise")])
    drain_once(desk)
    client.submit([stub_round("a", rule="raise")])  # meanwhile the room sends it again: answered from the store
    drain_once(desk)
    assert len(letters(desk)) == 1
    desk.judge.engine = type("Repaired", (), {"settle_json": lambda _, lines: lines.replace(b"raise", b"stub")})()
    letter = raw(desk).xrange(desk.keys.dead)[0][0].decode()
    assert client.store.revive(letter)
    assert client.store.revive(letter) is None
    drain_once(desk)
    assert b"judge_failed" not in client.results(["a"])["a"]
    assert letters(desk) == []


def test_a_refusing_server_does_not_count_against_the_round(
    client: Client, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.submit([stub_round("a")])
    read_and_die(desk)

    def out_of_memory(*_: object) -> None:
        raise redis.OutOfMemoryError("OOM command not allowed when used memory > 'maxmemory'.")

    for _ in range(2 * desk.settings.deliveries_max):
        (one,) = left(desk)
        with monkeypatch.context() as patch:
            patch.setattr(Store, "apply", out_of_memory)
            with pytest.raises(redis.OutOfMemoryError):
                try_alone(desk, one)
    assert deliveries(desk) == [1]
    drain_once(desk)
    assert answers_on_stream(client)[0]["status"] == "settled"


def test_suspects_are_tried_last(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a"), stub_round("b"), stub_round("c")])
    read_and_die(desk)
    for one in left(desk)[:2]:
        desk.connection.xclaim(desk.keys.rounds, GROUP, desk.consumer, 0, [one.entry.entry])
    held, suspects = recover(desk, time.monotonic() + 1, lambda: False, server_ms(desk.connection))
    assert (held, len(suspects)) == ([], 2)
    assert list(client.results(["a", "b", "c"])) == ["c"]
    drain_once(desk)
    assert len(client.results(["a", "b", "c"])) == 3
    assert desk.connection.hlen(desk.keys.suspects) == 0


def test_a_pending_entry_that_was_deleted_is_let_go(client: Client, desk: Desk) -> None:
    client.submit([stub_round("a")])
    read_and_die(desk)
    desk.connection.xtrim(desk.keys.rounds, maxlen=0, approximate=False)
    drain_once(desk)
    assert deliveries(desk) == []


def test_a_copy_of_a_suspect_ends_no_batch(client: Client, desk: Desk) -> None:
    """A room resends the round that ended its worker: no copy is judged in a batch, and all get one answer."""
    poison = stub_round("poison", rule="kill")  # judged, it would end this test
    client.submit([poison])
    read_and_die(desk)
    desk.connection.hset(desk.keys.suspects, left(desk)[0].entry.digest, desk.settings.deliveries_max - 1)
    client.submit([poison, stub_round("a"), poison])
    drain_once(desk)
    drain_once(desk)
    answers = answers_on_stream(client)
    assert sorted((a["id"], a["again"]) for a in answers) == [
        ("a", False),
        ("poison", False),
        ("poison", True),
        ("poison", True),
    ]
    assert len(letters(desk)) == 1
    assert deliveries(desk) == []
