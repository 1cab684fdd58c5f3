"""Real processes that are killed, hang, or are told to stop."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

import pytest

from mjsettle_workers.client import Client
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import (
    WorkerProcess,
    answers_on_stream,
    pending_count,
    quick_environment,
    raw,
    running_worker,
    stub_round,
    wait_until,
)

MOVING_AGAIN_S = 15.0
"""Within so long of the last kill, with the quick settings, everything is answered."""


@pytest.fixture
def environ(settings: Settings) -> dict[str, str]:
    return quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)


def answered(client: Client, ids: list[str]) -> bool:
    return len(client.results(ids)) == len(ids)


@pytest.mark.parametrize("poison", ["kill", "hang"])
def test_a_poison_round_takes_nobody_with_it(
    client: Client, environ: dict[str, str], worker_log: Path, poison: str
) -> None:
    ids = [f"r{i}" for i in range(40)]
    bad = stub_round("poison", rule=poison)
    client.submit([*(stub_round(ident) for ident in ids[:20]), bad, *(stub_round(ident) for ident in ids[20:])])
    with running_worker(environ, worker_log):
        wait_until(lambda: answered(client, ids), MOVING_AGAIN_S, "the innocent rounds")
        wait_until(lambda: answered(client, ["poison"]), 4 * MOVING_AGAIN_S, "the poison round's answer")
        client.submit([bad, stub_round("after")])  # sent again, it is answered from the store and ends nobody
        wait_until(lambda: answered(client, ["after"]), MOVING_AGAIN_S)
    letters = raw(client).xrange(client.keys.dead)
    assert [(fields[b"id"], fields[b"round"]) for _, fields in letters] == [(b"poison", bad)]
    answers = answers_on_stream(client)
    assert sorted(a["id"] for a in answers if not a["again"]) == sorted([*ids, "after", "poison"])
    assert {a["status"] for a in answers if a["id"] in ids} == {"settled"}
    assert pending_count(client) == 0


def test_a_round_that_hangs_is_told_from_one_that_ends_its_worker(
    client: Client, settings: Settings, worker_log: Path
) -> None:
    """In the dead letter and in the log, whose lines stay JSON."""
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, log_format="json")
    rounds = [stub_round(f"poison/{rule}", rule=rule) for rule in ("hang", "kill")]
    client.submit(rounds)
    with running_worker(environ, worker_log):
        wait_until(lambda: answered(client, ["poison/hang", "poison/kill"]), 4 * MOVING_AGAIN_S)
    letters = {fields[b"id"]: fields[b"reason"].decode() for _, fields in raw(client).xrange(client.keys.dead)}
    assert letters[b"poison/hang"].endswith("it took longer than 1 s (MJSETTLE_JUDGE_LIMIT_S) and was ended")
    assert "in _hang" in letters[b"poison/hang"]
    assert letters[b"poison/kill"] == "the worker was ended each time it judged this round alone"
    told = [json.loads(line) for line in worker_log.read_text().splitlines()[1:]]  # the first says what it settles
    assert any("in _hang" in line["message"] for line in told)


@pytest.mark.parametrize("victim", ["worker", "horse"])
def test_killed_processes_lose_nothing_and_pay_nothing_twice(
    client: Client, environ: dict[str, str], worker_log: Path, victim: str
) -> None:
    ids = [f"r{i}" for i in range(4_000)]
    workers = [WorkerProcess(environ, worker_log).start() for _ in range(2)]
    try:
        wait_until(lambda: all(worker.horses() for worker in workers), 10, "both workers at work")
        for first in range(0, len(ids), 500):
            client.submit(stub_round(ident) for ident in ids[first : first + 500])
            hit = workers[first // 500 % 2]
            if victim == "worker":
                hit.kill()
                hit.start()
            else:
                hit.kill_horses()
            time.sleep(0.05)
        wait_until(lambda: answered(client, ids), MOVING_AGAIN_S, "every answer")
    finally:
        for worker in workers:
            worker.stop()
    answers = answers_on_stream(client)
    assert sorted(a["id"] for a in answers) == sorted(ids)
    assert not any(a["again"] for a in answers)
    assert raw(client).xlen(client.keys.dead) == 0
    assert pending_count(client) == 0


def test_told_to_stop_a_worker_finishes_its_batch_within_a_moment(
    client: Client, settings: Settings, worker_log: Path
) -> None:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, budget_s=30)
    with running_worker(environ, worker_log) as worker:
        client.submit([stub_round("a")])
        wait_until(lambda: answered(client, ["a"]))
        began = time.monotonic()
        assert worker.stop() == 0
        assert time.monotonic() - began < 5  # far less than the drain's budget
    assert pending_count(client) == 0
    assert raw(client).zcard(client.keys.workers) == 0


TOLD_IN_A_FINALIZER = """
import os, signal
from mjsettle_workers import cli, working

class Dropped:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)

def run_worker(*args, run=working.run_worker, **kwargs):
    Dropped()
    return run(*args, **kwargs)

working.run_worker = run_worker
cli.worker([])
"""


def test_told_to_stop_while_it_starts_it_leaves_even_where_python_drops_the_exit(
    environ: dict[str, str], worker_log: Path
) -> None:
    worker = WorkerProcess(environ, worker_log, [sys.executable, "-c", TOLD_IN_A_FINALIZER]).start()
    try:
        assert worker.process is not None
        assert worker.process.wait(15) == 0
    finally:
        worker.kill()
    assert "Exception ignored" in worker_log.read_text()


def test_told_twice_it_stops_at_once_and_loses_nothing(client: Client, settings: Settings, worker_log: Path) -> None:
    slow = quick_environment(
        settings.redis_url, prefix=settings.prefix, queue=settings.queue, judge_limit_s=60, claim_idle_ms=61_000
    )
    with running_worker(slow, worker_log) as worker:
        client.submit([stub_round("hanging", rule="hang"), stub_round("a")])
        wait_until(lambda: pending_count(client) == 2)
        assert worker.process is not None
        worker.process.send_signal(signal.SIGTERM)
        time.sleep(1.2)
        assert worker.process.poll() is None  # it waits for its batch
        horses = worker.horses()
        worker.process.send_signal(signal.SIGTERM)
        worker.process.wait(5)
        assert horses
        assert not any(Path(f"/proc/{pid}").exists() for pid in horses)
    assert pending_count(client) == 2
    quick = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    with running_worker(quick, worker_log):
        wait_until(lambda: answered(client, ["a", "hanging"]), 30, "both after the restart")


def test_a_worker_starts_again_after_a_lost_lock_and_a_lost_queue(
    client: Client, environ: dict[str, str], worker_log: Path, settings: Settings
) -> None:
    # A worker killed while it held RQ's registry lock, and drain jobs lost or left behind as bare ids.
    queue = f"rq:queue:{settings.queue}"
    raw(client).set(f"rq:clean_registries:{queue}", 1, ex=899)
    raw(client).rpush(queue, "no-such-job", "nor-this")
    with running_worker(environ, worker_log):
        client.submit([stub_round("a")])
        wait_until(lambda: answered(client, ["a"]), MOVING_AGAIN_S)
        raw(client).delete(queue, f"rq:intermediate:{queue}")
        time.sleep(1)
        raw(client).delete(queue)
        client.submit([stub_round("b")])
        wait_until(lambda: answered(client, ["b"]), MOVING_AGAIN_S)
