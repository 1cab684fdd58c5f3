"""A server with the shipped settings and users is stopped cleanly and started again: it knows what it settled."""

from __future__ import annotations

import re
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
    version_of,
    wait_until,
)
from tests.integration.shipped import shipped_server, users_for

PAGE = (Path(__file__).parents[2] / "deploy" / "RUNBOOK.md").read_text()

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


def settle(socket: Path, log: Path) -> dict[bytes, Any]:
    """Settle rounds; returns what the server holds then."""
    with (
        running_worker(quick_environment(url(socket, "worker")), log),
        open_client(quick_settings(url(socket, "room")), room="room-1") as room,
    ):
        answers = dict(room.settle([stub_round(f"r/{i}") for i in range(ROUNDS)], timeout_s=30))
        assert len(answers) == ROUNDS
    return everything(socket)


def users_made_before(folder: Path, server: str) -> Path:
    """A file of users that gives `default` no rights, as the page warns of."""
    [line] = re.findall(r"`(user default off [^`]+)`", " ".join(PAGE.split()))
    users = users_for(version_of(server))
    path = folder / "before.acl"
    path.write_text(re.sub(r"^user default .*$", line, users, flags=re.MULTILINE))
    assert path.read_text() != users
    return path


both_servers = pytest.mark.parametrize("binary", [of_the_suite, of_this_machine], ids=lambda which: which.__name__)


@both_servers
def test_a_clean_restart_forgets_nothing(binary: Callable[[], str], tmp_path: Path) -> None:
    server = binary()
    with shipped_server(tmp_path, binary=server) as running:
        before = settle(running.socket, tmp_path / "worker.log")
    with shipped_server(tmp_path, binary=server) as running:
        after = everything(running.socket)
        with open_client(quick_settings(url(running.socket, "desk"))) as desk:
            assert len(desk.results([f"r/{i}" for i in range(ROUNDS)])) == ROUNDS
    assert "NOPERM" not in (tmp_path / "log").read_text()
    assert after == before


@both_servers
def test_users_made_before_are_replaced_while_the_server_runs(binary: Callable[[], str], tmp_path: Path) -> None:
    server = binary()
    users = users_made_before(tmp_path, server)
    with shipped_server(tmp_path, binary=server, aclfile=users) as running:
        before = settle(running.socket, tmp_path / "worker.log")
        users.write_text(users_for(version_of(server)))
        with closing(redis.Redis.from_url(url(running.socket, "admin"), protocol=2)) as admin:
            anyone: Any = admin
            for command in ("ACL LOAD", "BGREWRITEAOF"):
                assert f"`redis-cli {command}`" in PAGE
                assert anyone.execute_command(*command.split())
            wait_until(lambda: anyone.info("persistence")["aof_rewrite_in_progress"] == 0)
    with shipped_server(tmp_path, binary=server, aclfile=users) as running:
        assert everything(running.socket) == before


@both_servers
def test_what_users_made_before_hid_comes_back_with_new_ones(binary: Callable[[], str], tmp_path: Path) -> None:
    server = binary()
    users = users_made_before(tmp_path, server)
    with shipped_server(tmp_path, binary=server, aclfile=users) as running:
        before = settle(running.socket, tmp_path / "worker.log")
    with shipped_server(tmp_path, binary=server, aclfile=users) as running:
        is_hidden = everything(running.socket) != before
    assert is_hidden == version_of(server).startswith("7.0.")
    with shipped_server(tmp_path, binary=server) as running:
        assert everything(running.socket) == before
