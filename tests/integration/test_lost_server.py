"""Workers and commands at a server that is away, that is still loading its file, or that does not let them in."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from mjsettle_workers.client import Client
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import (
    WorkerProcess,
    open_client,
    quick_environment,
    quick_settings,
    raw,
    running_server,
    running_worker,
    stub_round,
    wait_until,
)
from tests.integration.shipped import shipped_server

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))
AWAY_S = 4.0
"""So long that an RQ worker ends, and another begins."""
LISTENING_S = 3.0
"""Within so long whoever listens to the server's channels is back."""
SLOW = {"key-load-delay": "1500", "loading-process-events-interval-bytes": "1024"}
"""Settings of a server that takes 1.5 ms to load a key, and answers that it is loading meanwhile."""
KEYS = 4_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """One of this test's own, to be killed."""
    with running_server(tmp_path / "server") as running:
        yield running


@pytest.fixture
def settings(server: EmbeddedServer) -> Settings:
    return quick_settings(server.url)


@pytest.fixture
def client(settings: Settings) -> Iterator[Client]:
    with open_client(settings) as opened:
        yield opened


def mjsettle(environ: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MJSETTLE, *arguments], env=environ, capture_output=True, text=True, timeout=60)


# --- away ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("away_s", [0.0, 0.7, 1.5, 4.0])
def test_told_to_stop_while_the_server_is_away_a_worker_leaves(
    server: EmbeddedServer, client: Client, worker_log: Path, away_s: float
) -> None:
    """At once, while RQ tries to reach the server, and between two workers of one process."""
    environ = quick_environment(server.url, socket_timeout_s=0.5)
    workers = [WorkerProcess(environ, worker_log, [MJSETTLE, "worker"]).start() for _ in range(2)]
    try:
        client.submit([stub_round("a")])
        wait_until(lambda: client.results(["a"]) and raw(client).zcard(client.keys.workers) == 2)
        server.kill()
        time.sleep(away_s)
        assert [worker.stop(10) for worker in workers] == [0, 0]
    finally:
        for worker in workers:
            worker.kill()
    assert "Traceback" not in worker_log.read_text()


def test_a_server_that_comes_back_costs_a_line_a_worker_and_no_traceback(
    server: EmbeddedServer, client: Client, worker_log: Path
) -> None:
    environ = quick_environment(server.url, log_format="json")
    with running_worker(environ, worker_log, [MJSETTLE, "worker"]) as worker:
        for ident in ("first", "second"):
            client.submit([stub_round(ident)])
            wait_until(partial(client.results, [ident]), told="an answer after the restart")
            server.kill()
            time.sleep(AWAY_S)
            server.start()
        client.submit([stub_round("last")])
        wait_until(lambda: client.results(["last"]))
        time.sleep(LISTENING_S)
        assert worker.process is not None
        assert worker.process.poll() is None
        assert len(raw(client).pubsub_channels("rq:pubsub:*")) == 1  # none is left of a worker that has ended
    first, *lines = worker_log.read_text().splitlines()
    assert first.startswith("settling rounds of")
    told = [json.loads(line) for line in lines]
    assert [line for line in told if "exc_info" in line] == []


# --- loading ------------------------------------------------------------------------------------------------------


def writes_its_file_anew(client: Client) -> bool:
    info = raw(client).info("persistence")
    return bool(info["aof_rewrite_in_progress"] or info["aof_rewrite_scheduled"])


@contextmanager
def loading(server: EmbeddedServer, client: Client) -> Iterator[None]:
    """The server is restarted, and is loading its file when the block begins."""
    raw(client).mset({f"filler/{number}": "x" * 200 for number in range(KEYS)})
    raw(client).bgrewriteaof()
    wait_until(lambda: not writes_its_file_anew(client))
    server.stop()
    server.config |= SLOW
    starting = threading.Thread(target=server.start)
    starting.start()
    try:
        wait_until(lambda: "loading its file" in mjsettle(quick_environment(server.url), "health").stdout)
        yield
    finally:
        starting.join()


def test_a_worker_waits_for_a_server_that_is_loading(server: EmbeddedServer, client: Client, worker_log: Path) -> None:
    environ = quick_environment(server.url)
    with running_worker(environ, worker_log, [MJSETTLE, "worker"]) as worker:
        client.submit([stub_round("before")])
        wait_until(lambda: client.results(["before"]))
        with (
            loading(server, client),
            running_worker(environ, worker_log.with_name("second.log"), [MJSETTLE, "worker"]) as second,
        ):
            prepared = mjsettle(environ, "prepare")
        assert (prepared.returncode, "Traceback" in prepared.stderr) == (0, False), prepared.stderr
        client.submit([stub_round("after")])
        wait_until(lambda: client.results(["after"]), told="the worker to go on")
        assert worker.process is not None
        assert worker.process.poll() is None
    assert second.process is not None
    assert second.process.returncode == 0  # told to stop, and until then it waited
    assert "appendonly" not in worker_log.read_text()


# --- who is not let in --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "refused"),
    [
        ("", "default"),
        ("worker:guessed@", "worker"),
        ("nobody:nothing@", "nobody"),
        ("room:room-secret@", "room"),
    ],
)
@pytest.mark.parametrize("command", ["worker", "prepare"])
def test_who_is_not_let_in_is_told_in_a_line(tmp_path: Path, user: str, refused: str, command: str) -> None:
    with shipped_server(tmp_path) as server:
        ran = mjsettle(quick_environment(f"unix://{user}{server.socket}?db=0"), command)
    lines = [line for line in ran.stderr.splitlines() if not line.startswith("settling rounds of")]
    assert (ran.returncode, len(lines)) == (2, 1), ran.stderr
    assert f"refuses user {refused}: " in lines[0]
    assert lines[0].endswith("; see MJSETTLE_REDIS_URL")
    assert ".;" not in lines[0]


def test_a_command_beyond_the_users_rights_is_told_in_a_line(tmp_path: Path) -> None:
    with shipped_server(tmp_path) as server:
        environ = quick_environment(f"unix://metrics:metrics-secret@{server.socket}?db=0")
        for command in (["dead"], ["dead", "--replay", "1-1"], ["results"], ["prepare"]):
            ran = mjsettle(environ, *command)
            assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
            assert "refuses user metrics: " in ran.stderr
