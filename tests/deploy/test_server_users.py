"""The server's settings and users as shipped, on a real server: each user can do its work and nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue, Worker

from mjsettle_workers import scripts
from mjsettle_workers.client import Client
from mjsettle_workers.connection import server_faults
from mjsettle_workers.embedded import find_server
from mjsettle_workers.fanout import Batches
from mjsettle_workers.testing import (
    quick_environment,
    quick_settings,
    running_worker,
    stub_round,
    version_of,
    wait_until,
)
from tests.integration.shipped import REDIS, USERS, shipped_server, users_for

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))
PAGE = (Path(__file__).parents[2] / "deploy/RUNBOOK.md").read_text()
ONCE = Retry(NoBackoff(), 0)


def connected(socket: Path, user: str) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(socket), username=user, password=f"{user}-secret", protocol=2)


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A server as deploy/compose.yaml starts it: the shipped file, users from the environment."""
    users = users_for(version_of(find_server()))
    assert users.count("\nuser ") == len(USERS)
    assert "secret" not in users  # digests only
    with shipped_server(tmp_path_factory.mktemp("acl")) as server:
        yield server.socket


def url(socket: Path, user: str) -> str:
    return f"unix://{user}:{user}-secret@{socket}?db=0"


def denials(socket: Path) -> list[Any]:
    with closing(connected(socket, "admin")) as admin:
        found = admin.acl_log()
        admin.acl_log_reset()
    return [(entry["username"], entry["reason"], entry["object"]) for entry in found]


def test_the_shipped_settings_are_fit_for_settlements(socket: Path) -> None:
    with closing(connected(socket, "admin")) as admin:
        assert server_faults(admin) == ([], [])
        assert admin.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
        assert admin.info()["aof_enabled"] == 1


def test_nobody_without_a_name_can_do_anything(socket: Path) -> None:
    stranger = redis.Redis(unix_socket_path=str(socket), protocol=2, retry=ONCE)
    with closing(stranger), pytest.raises(redis.RedisError, match=r"(?i)authentication required"):
        stranger.ping()
    guesser = redis.Redis(unix_socket_path=str(socket), username="worker", password="guessed", retry=ONCE)
    with closing(guesser), pytest.raises(redis.AuthenticationError):
        guesser.ping()


def test_a_file_that_lets_nobody_in_is_not_written() -> None:
    environ = {name: value for name, value in os.environ.items() if not name.endswith("_PASSWORD")}
    command = ["sh", str(REDIS / "make-acl.sh")]
    ran = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "found no *_PASSWORD" in ran.stderr


def test_every_role_works_with_its_own_rights(socket: Path, tmp_path: Path) -> None:
    denials(socket)
    environ = quick_environment(url(socket, "worker"))
    prepared = subprocess.run([MJSETTLE, "prepare"], env=environ, capture_output=True, text=True, timeout=60)
    assert prepared.returncode == 0, prepared.stderr
    log = tmp_path / "worker.log"
    with (
        closing(connected(socket, "room")) as room_connection,
        closing(connected(socket, "ledger")) as ledger,
        closing(connected(socket, "worker")) as worker,
        running_worker(environ, log, [MJSETTLE, "worker"]),
    ):
        room = Client(quick_settings(url(socket, "room")), room="room-1", connection=room_connection)
        anyone: Any = ledger
        room.submit([stub_round(f"r/{i}") for i in range(30)], in_order="room-1")
        answers = dict(room.settle([stub_round("r/own"), stub_round("r/raise", rule="raise"), b"{"], timeout_s=20))
        assert len(answers) == 3
        wait_until(lambda: len(list(room.follow("0-0", block_ms=1))) == 30)
        anyone.xgroup_create("mjsettle:results", "bank", id="0")
        [[_, rows]] = anyone.xreadgroup("bank", "one", {"mjsettle:results": ">"}, count=100)
        assert anyone.xack("mjsettle:results", "bank", *(entry for entry, _ in rows)) == len(rows) >= 30
        batches = Batches(worker, quick_settings(url(socket, "worker")))
        name = batches.start([stub_round(f"b/{i}") for i in range(20)])
        assert list(batches.wait(name, 20))[-1].finished
        for command in (["metrics", "--once"], ["health"], ["health", "--here"]):
            who = quick_environment(url(socket, "metrics"))
            ran = subprocess.run([MJSETTLE, *command], env=who, capture_output=True, text=True, timeout=60)
            assert ran.returncode == 0, (command, ran.stdout, ran.stderr)
            assert command[0] == "health" or "mjsettle_up 1.0" in ran.stdout
        with closing(connected(socket, "desk")) as desk:
            reader = Client(quick_settings(url(socket, "desk")), connection=desk)
            assert set(reader.results(["r/0", "r/own"])) == {"r/0", "r/own"}
            assert len(list(reader.follow("0-0", block_ms=1))) >= 30
    assert denials(socket) == [], log.read_text()


def test_the_commands_of_the_page_work_as_the_users_it_names(socket: Path, tmp_path: Path) -> None:
    (tmp_path / "rounds.jsonl").write_bytes(stub_round("page/1"))
    arguments = {
        "enqueue": ["--wait", "rounds.jsonl"],
        "batch": ["rounds.jsonl"],
        "result": ["page/1"],
        "metrics": ["--once"],
        "replay": ["1-1"],
    }
    rows = re.findall(r"^\| (`worker`.*?|`enqueue`|`result`.*?|`queue`.*?) \| `(\w+)` \|$", PAGE, re.MULTILINE)
    named = [(command, user) for commands, user in rows for command in re.findall(r"`(?:--)?(\w+)`", commands)]
    assert len(named) == 13
    with running_worker(quick_environment(url(socket, "worker")), tmp_path / "worker.log", [MJSETTLE, "worker"]):
        for command, user in sorted(named, key=lambda pair: pair[0] != "enqueue"):
            if command in ("worker", "desk"):  # which go on until they are stopped; both are tried above
                continue
            line = ["dead", "--replay"] if command == "replay" else [command]
            ran = subprocess.run(
                [MJSETTLE, *line, *arguments.get(command, [])],
                cwd=tmp_path,
                env=quick_environment(url(socket, user)),
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert (ran.returncode, "refuses" in ran.stderr) == (0, False), (command, user, ran.stderr)


@pytest.mark.parametrize(
    ("user", "command"),
    [
        ("room", "LPUSH rq:queue:mjsettle evil"),
        ("room", "HSET rq:job:evil data x"),
        ("room", "HGETALL mjsettle:seen:20000"),
        ("room", "XRANGE mjsettle:rounds - +"),
        ("room", "XREAD STREAMS mjsettle:rounds 0"),
        ("room", "XTRIM mjsettle:rounds MAXLEN 0"),
        ("room", "XACK mjsettle:rounds settle 1-1"),
        ("room", "DEL mjsettle:results"),
        ("room", "DEL mjsettle:rounds"),
        ("room", "XADD mjsettle:results:other * id x"),
        ("room", "XREAD STREAMS mjsettle:results 0"),
        ("room", "EVAL return(1) 0"),
        ("room", "KEYS *"),
        ("room", "FLUSHALL"),
        ("room", "CONFIG GET *"),
        ("room", "ACL LIST"),
        ("ledger", "XADD mjsettle:results * id x"),
        ("ledger", "XTRIM mjsettle:results MAXLEN 0"),
        ("ledger", "DEL mjsettle:results"),
        ("ledger", "XRANGE mjsettle:rounds - +"),
        ("metrics", "XADD mjsettle:rounds * round x"),
        ("metrics", "DEL mjsettle:rounds"),
        ("metrics", "HSET mjsettle:counters settled 0"),
        ("desk", "XADD mjsettle:rounds * round x"),
        ("desk", "HDEL mjsettle:seen:20000 r/0"),
        ("worker", "CONFIG SET maxmemory-policy allkeys-lru"),
        ("worker", "FLUSHALL"),
        ("worker", "KEYS *"),
        ("worker", "CLIENT KILL TYPE normal"),
        ("worker", "MODULE LIST"),
        ("worker", "SCRIPT FLUSH"),
        ("worker", "SET elsewhere 1"),
        ("worker", "SHUTDOWN"),
        ("worker", "ACL SETUSER worker allkeys"),
        ("worker", "REPLICAOF evil 6379"),
        ("replica", "XRANGE mjsettle:rounds - +"),
        ("replica", "SLAVEOF evil 6379"),
        ("sentinel", "HGETALL mjsettle:seen:20000"),
        ("sentinel", "CONFIG SET maxmemory-policy allkeys-lru"),
        ("sentinel", "ACL LIST"),
    ],
)
def test_no_role_can_do_more(socket: Path, user: str, command: str) -> None:
    with closing(connected(socket, user)) as connection:
        any_connection: Any = connection
        with pytest.raises(redis.exceptions.NoPermissionError):
            any_connection.execute_command(*command.split())
    denials(socket)


def test_a_room_can_load_no_script_that_reaches_further(socket: Path) -> None:
    """A script of a room's own runs with the room's rights."""
    with closing(connected(socket, "room")) as room:
        anyone: Any = room
        digest = anyone.script_load("return redis.call('LPUSH', 'rq:queue:mjsettle', 'evil')")
        with pytest.raises(redis.RedisError, match=r"(?i)permission|can't run"):
            anyone.evalsha(digest, 0)
        assert anyone.script_load(scripts.source("submit"))
    denials(socket)


def test_the_exporter_of_rq_needs_no_more_than_to_read(socket: Path) -> None:
    """What rq-exporter asks, through the same calls."""
    denials(socket)
    with closing(connected(socket, "metrics")) as metrics:
        assert [queue.name for queue in Queue.all(metrics)] == ["mjsettle"]
        queue = Queue("mjsettle", connection=metrics)
        assert queue.count >= 0
        assert queue.started_job_registry.get_job_count(cleanup=False) >= 0
        assert [worker.queue_names() for worker in Worker.all(metrics)] in ([], [["mjsettle"]])
    assert denials(socket) == []


def test_no_message_tells_a_password(socket: Path, tmp_path: Path) -> None:
    told = tmp_path / "worker.log"
    with running_worker(quick_environment(url(socket, "worker"), log_level="debug"), told, [MJSETTLE, "worker"]):
        wait_until(lambda: "settling rounds of" in told.read_text())
    assert "secret" not in told.read_text()
    lost = quick_environment("redis://worker:hidden-secret@127.0.0.1:1/0", socket_timeout_s=0.2, block_ms=50)
    for command in (["health"], ["enqueue", "-"], ["prepare"]):
        ran = subprocess.run([MJSETTLE, *command], env=lost, input=b"{}", capture_output=True, timeout=60)
        assert ran.returncode != 0
        assert b"secret" not in ran.stdout + ran.stderr
