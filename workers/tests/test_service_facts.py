"""Faults that other services had when the same thing happened twice, as tests of ours.

Each row of ``data/service_facts.jsonl`` is a published report; the ones that speak of settling are replayed here in the
terms of this queue, the others are skipped with the reason.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rq.job import Job, JobStatus
from rq.registry import StartedJobRegistry

from mjsettle_workers import tokens
from mjsettle_workers.client import Client
from mjsettle_workers.drain import Drain
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk, settle_entries
from mjsettle_workers.testing import answers_on_stream, drain_once, open_client, open_test_desk, raw, stub_round

FACTS = {
    fact["id"]: fact
    for fact in map(json.loads, (Path(__file__).parent / "data" / "service_facts.jsonl").read_text().splitlines())
}
CHECKS: dict[str, Callable[..., None]] = {}
NOT_OURS = {
    "SRV-006": "a click that plays two tiles is play, which the room decides before the round ends",
    "SRV-010": "opening balances are the points bank's; the ledger books each id once, see the storms",
}


def fact(ident: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def note(check: Callable[..., None]) -> Callable[..., None]:
        CHECKS[ident] = check
        return check

    return note


@pytest.fixture
def other_desk(settings: Settings) -> Iterator[Desk]:
    with open_test_desk(settings, "other") as opened:
        yield opened


@pytest.mark.parametrize("ident", sorted(FACTS))
def test_fault_of_another_service(ident: str, client: Client, desk: Desk, other_desk: Desk, settings: Settings) -> None:
    if ident in NOT_OURS:
        pytest.skip(NOT_OURS[ident])
    CHECKS[ident](FACTS[ident]["expect"], client, desk, other_desk, settings)


def booked(client: Client, ident: str) -> int:
    """How often a ledger that believes every first answer would book the id."""
    answers = answers_on_stream(client)
    return sum(a["id"] == ident and a["status"] == "settled" and not a["again"] for a in answers)


@fact("SRV-002")
def two_triggers_end_the_same_game(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    """The time-out and the player's message both post the round, at once, and two workers settle it at once."""

    def post() -> None:
        with open_client(settings) as own:
            own.submit([stub_round("game")])

    posts = [threading.Thread(target=post) for _ in range(2)]
    for one in posts:
        one.start()
    for one in posts:
        one.join()
    batches = [(worker, Drain(worker, lambda: False).read(1, 1, 0)) for worker in (desk, other_desk)]
    assert [len(entries) for _, entries in batches] == [1, 1]
    works = [threading.Thread(target=settle_entries, args=batch) for batch in batches]
    for one in works:
        one.start()
    for one in works:
        one.join()
    assert booked(client, "game") == expect["rated"]


@fact("SRV-004")
def the_next_round_is_called_for_twice(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    """The id carries the round's number: the second post of round 3 is no round 4."""
    for ident in ("table/1", "table/2", "table/3", "table/3"):
        client.submit([stub_round(ident)])
        drain_once(desk, 0.05)
    answers = answers_on_stream(client)
    assert sum(not a["again"] for a in answers) + 1 == expect["round_after"]
    assert answers[-1]["again"]
    assert expect["second"] == "no-op"


@fact("SRV-005")
def the_last_score_is_lost_when_the_game_ends_on_another_path(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    """There is one path to the ledger, whichever process applies the last round."""
    rounds = [stub_round(f"game/{i}", honba=i) for i in range(8)]
    client.submit(rounds)
    entries = Drain(desk, lambda: False).read(1, 7, 0)
    last = Drain(other_desk, lambda: False).read(1, 7, 0)
    settle_entries(other_desk, last)
    settle_entries(desk, entries)
    total = sum(a["deltas"][0] for a in answers_on_stream(client))
    assert total == 3 * sum(range(8))
    assert "includes last round" in expect["final"]


@fact("SRV-008")
def the_same_key_comes_with_other_content(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    client.submit([stub_round("G:7", honba=1)])
    drain_once(desk, 0.05)
    client.submit([stub_round("G:7", honba=2)])
    drain_once(desk, 0.05)
    first, second = answers_on_stream(client)
    assert first["status"] == expect["first"]
    assert second["status"] in expect["second"]
    assert "deltas" not in second
    assert booked(client, "G:7") == 1


@fact("SRV-011")
def two_workers_take_the_same_job(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    """Two drains hold the same entry, since the second thought the first dead."""
    client.submit([stub_round("J")])
    entries = Drain(desk, lambda: False).read(1, 1, 0)
    raw(desk).xclaim(desk.keys.rounds, "settle", "other", 0, [entries[0].entry])
    results = [settle_entries(worker, entries).done for worker in (other_desk, desk)]
    assert sum(results) == booked(client, "J") == expect["booked"]


@fact("SRV-013")
def a_finished_job_is_marked_abandoned(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    """RQ declares a drain failed that has done its work: the rounds stay settled, and drains are queued again."""
    client.submit([stub_round("J")])
    tokens.top_up(desk)
    queue = tokens.drain_queue(desk.connection, settings)
    (job,) = queue.jobs
    job.set_status(JobStatus.STARTED)
    raw(desk).zadd(StartedJobRegistry(queue=queue).key, {f"{job.id}:lost": 1})
    drain_once(desk, 0.05)
    StartedJobRegistry(queue=queue).cleanup()
    assert Job.fetch(job.id, desk.connection, queue.serializer).get_status() == JobStatus.FAILED
    drain_once(desk, 0.05)
    assert json.loads(client.results(["J"])["J"])["status"] == "settled"
    assert expect["status"] == "finished"
    assert booked(client, "J") == expect["booked"]
    assert len(queue) >= 1


@fact("SRV-015")
def the_same_job_id_is_queued_twice(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    client.submit([stub_round("G:7"), stub_round("G:7")])
    drain_once(desk, 0.05)
    drain_once(other_desk, 0.05)
    assert booked(client, "G:7") == expect["executions"]


@fact("SRV-016")
def a_requeue_adds_a_second_copy(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    """An operator replays a dead letter twice: one entry is queued."""
    client.submit([stub_round("F", rule="raise")])
    drain_once(desk, 0.05)
    letter = raw(desk).xrange(desk.keys.dead)[0][0].decode()
    queued = [client.store.revive(letter) for _ in range(2)]
    assert sum(entry is not None for entry in queued) == expect["queue_entries"]
    assert raw(desk).xlen(desk.keys.rounds) == expect["queue_entries"]


@fact("SRV-022")
def several_rows_are_recorded_for_one_round(
    expect: dict[str, Any], client: Client, desk: Desk, other_desk: Desk, settings: Settings
) -> None:
    """A round with several steps is one round with several events: one id, one row."""
    steps = [{"type": "kong", "seat": 0}, {"type": "kong", "seat": 1}, {"type": "exhaustive_draw"}]
    assert len(steps) == expect["steps"]
    for _ in steps:  # each panel of the display posts the whole round
        client.submit([stub_round("draw", events=steps)])
        drain_once(desk, 0.05)
    rows = [day for day in desk.store.days() if raw(desk).hexists(desk.keys.shard(day), "draw")]
    assert len(rows) == booked(client, "draw") == expect["rounds_recorded"]


def test_every_fact_is_replayed_or_skipped_with_a_reason() -> None:
    assert CHECKS.keys() | NOT_OURS.keys() == FACTS.keys()
