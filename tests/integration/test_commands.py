"""The queue's commands with a worker process beside them, and what a worker keeps from one drain to the next."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from mjsettle_workers.client import Client
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import answers_on_stream, quick_environment, raw, running_worker, stub_round, wait_until

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))


@pytest.fixture
def environ(settings: Settings) -> dict[str, str]:
    return quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, part_rounds=50)


def cli(environ: dict[str, str], *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([MJSETTLE, *arguments], env=environ, input=given, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done


def test_a_large_batch_comes_back_in_order(environ: dict[str, str], worker_log: Path) -> None:
    lines = [stub_round(f"r{i}", honba=i, rule=["stub", "bad", "other"][i % 3]) for i in range(700)]
    with running_worker(environ, worker_log):
        done = cli(environ, "batch", "-", given=b"\n".join(lines))
        again = cli(environ, "batch", "-", "--judge-only", given=b"\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [f"r{i}" for i in range(700)]
    assert done.stdout == again.stdout


def test_dead_letters_are_listed_shown_and_replayed(environ: dict[str, str], worker_log: Path, client: Client) -> None:
    with running_worker(environ, worker_log):
        cli(environ, "enqueue", "--wait", "-", given=stub_round("a", rule="raise"))
        (listed,) = map(json.loads, cli(environ, "dead").stdout.splitlines())
        assert listed["id"] == "a"
        assert "a plugin raised this" in listed["reason"]
        shown = json.loads(cli(environ, "dead", listed["letter"]).stdout)
        assert json.loads(shown["round"])["id"] == "a"
        replayed = cli(environ, "dead", listed["letter"], "--replay", "1-1")
        assert b"queued again" in replayed.stdout
        assert b"1-1: no such dead letter" in replayed.stdout
        wait_until(lambda: raw(client).xlen(client.keys.dead) == 1, told="the letter that came back")


def test_the_results_stream_and_the_queues_state_are_shown(
    environ: dict[str, str], worker_log: Path, client: Client
) -> None:
    with running_worker(environ, worker_log):
        cli(environ, "enqueue", "--wait", "-", given=gzip.compress(b"\n".join(stub_round(f"r{i}") for i in range(5))))
        cli(environ, "enqueue", "--wait", "-", given=stub_round("r0"))
        printed = cli(environ, "results").stdout.splitlines()
        assert len(printed) == 5
        wait_until(lambda: json.loads(cli(environ, "queue").stdout)["counters"].get("drain_done", 0) >= 6)
        state = json.loads(cli(environ, "queue").stdout)
    assert (state["waiting"], state["pending"], state["workers"], state["dead"]) == (0, 0, 1, 0)
    assert state["counters"]["settled"] == 5
    assert state["counters"]["repeated"] == 1
    assert len(answers_on_stream(client)) == 6


def test_rounds_in_order_through_the_command_line(environ: dict[str, str], worker_log: Path, client: Client) -> None:
    ids = [f"r{i}" for i in range(60)]
    with running_worker(environ, worker_log), running_worker(environ, worker_log):
        cli(environ, "enqueue", "-", "--in-order", "room", given=b"\n".join(map(stub_round, ids[:20])))
        for ident in ids[20:]:
            client.submit([stub_round(ident)], in_order="room")
        wait_until(lambda: len(client.results(ids)) == 60)
    assert [answer["id"] for answer in answers_on_stream(client)] == ids


def test_the_cache_outlives_the_work_horse_that_filled_it(
    environ: dict[str, str], worker_log: Path, client: Client
) -> None:
    def counter(name: str) -> int:
        return int(raw(client).hget(client.keys.counters, name) or 0)

    with running_worker(environ, worker_log):
        client.submit([stub_round(f"first/{i}", honba=i) for i in range(30)])
        wait_until(lambda: counter("drain_judged") == 30)
        client.submit([stub_round(f"second/{i}", honba=i) for i in range(30)])
        wait_until(lambda: counter("drain_cache_hits") == 30)
    assert counter("drain_judged") == 30
    assert json.loads(client.results(["second/7"])["second/7"])["deltas"] == [21, -7, -7, -7]


def test_without_a_server_the_commands_say_what_to_do(tmp_path: Path) -> None:
    environ = quick_environment(f"unix://{tmp_path}/none.sock")
    done = subprocess.run([MJSETTLE, "result", "a"], env=environ, capture_output=True, timeout=60)
    assert done.returncode == 1
    assert b"mjsettle worker --embedded" in done.stderr
    assert b"Traceback" not in done.stderr
