"""A server with the shipped settings and users is stopped cleanly and started again: it knows what it settled."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from mjsettle_workers.embedded import find_server
from mjsettle_workers.testing import (
    open_client,
    quick_environment,
    quick_settings,
    running_worker,
    stub_round,
    wait_until,
)
from tests.integration.shipped import shipped_server

ROUNDS = 40


def of_the_suite() -> str:
    return find_server()


def of_this_machine() -> str:
    """Redis 7.0 reads its file as the user `default`, which the server that the suite brings does not."""
    path = shutil.which("redis-server")
    if path is None:
        pytest.skip("no redis-server on PATH")
    return path


def url(socket: Path, user: str) -> str:
    return f"unix://{user}:{user}-secret@{socket}?db=0"


def groups(server: Any, key: bytes) -> list[Any]:
    """Without the names of consumers that hold nothing, which a server does not always write down."""
    return [(group["name"], group["pending"], group["last-delivered-id"]) for group in server.xinfo_groups(key)]


def everything(socket: Path) -> dict[bytes, Any]:
    """What each key of the queue holds, once the server has loaded its file."""
    read: dict[bytes, Callable[[Any, bytes], Any]] = {
        b"hash": lambda server, key: server.hgetall(key),
        b"stream": lambda server, key: (server.xrange(key), groups(server, key)),
        b"string": lambda server, key: server.get(key),
        b"zset": lambda server, key: server.zrange(key, 0, -1, withscores=True),
    }
    with closing(redis.Redis.from_url(url(socket, "admin"), protocol=2, retry=Retry(NoBackoff(), 0))) as admin:
        anyone: Any = admin

        def has_loaded() -> bool:
            try:
                return not anyone.info("persistence")["loading"]
            except redis.RedisError:
                return False

        wait_until(has_loaded, told="the server to load its file")
        return {key: read[anyone.type(key)](anyone, key) for key in anyone.keys("mjsettle:*")}


@pytest.mark.parametrize("binary", [of_the_suite, of_this_machine], ids=lambda which: which.__name__)
def test_a_clean_restart_forgets_nothing(binary: Any, tmp_path: Path) -> None:
    server = binary()
    with shipped_server(tmp_path, binary=server) as running:
        with (
            running_worker(quick_environment(url(running.socket, "worker")), tmp_path / "worker.log"),
            open_client(quick_settings(url(running.socket, "room")), room="room-1") as room,
        ):
            answers = dict(room.settle([stub_round(f"r/{i}") for i in range(ROUNDS)], timeout_s=30))
            assert len(answers) == ROUNDS
        before = everything(running.socket)
    with shipped_server(tmp_path, binary=server) as running:
        after = everything(running.socket)
        with open_client(quick_settings(url(running.socket, "desk"))) as desk:
            assert len(desk.results([f"r/{i}" for i in range(ROUNDS)])) == ROUNDS
    assert "NOPERM" not in (tmp_path / "log").read_text()
    assert after == before
