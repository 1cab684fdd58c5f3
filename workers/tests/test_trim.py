"""Trimming a long results stream while the server is killed: no group loses what it has not read."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from mjsettle_workers import upkeep
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import quick_settings, raw, running_server, wait_until

FILL = "for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], '*', 'id', 'r/' .. i, 'result', string.rep('x', 100)) end"
GROUPS = ("bank", "audit")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server of this test alone, to be killed; smallest nodes, so that a trim takes hundreds of steps."""
    with running_server(tmp_path / "server", {"stream-node-max-entries": "1"}) as running:
        yield running


@pytest.fixture
def settings(server: EmbeddedServer) -> Settings:
    return quick_settings(server.url)


def ids(desk: Desk) -> list[bytes]:
    return [entry for entry, _ in raw(desk).xrange(desk.keys.results)]


def read_and_acknowledge(desk: Desk, group: str, count: int, acknowledged: int) -> None:
    """Read the next entries, then acknowledge so many of those that were read, the first ones."""
    key, connection = desk.keys.results, raw(desk)
    connection.xreadgroup(group, "one", {key: ">"}, count=count)
    read = connection.xpending_range(key, group, "-", "+", acknowledged)
    connection.xack(key, group, *(row["message_id"] for row in read))


def first_unread(desk: Desk, group: str, entries: list[bytes]) -> bytes | None:
    """The first of the entries that the group has not acknowledged, as the server tells it."""
    key = desk.keys.results
    if pending := raw(desk).xpending(key, group)["min"]:
        return bytes(pending)
    (last,) = (row["last-delivered-id"] for row in raw(desk).xinfo_groups(key) if row["name"] == group.encode())
    return next((entry for entry in entries if in_order(entry) > in_order(last)), None)


def in_order(entry: bytes) -> tuple[int, ...]:
    return tuple(map(int, entry.split(b"-")))


def test_a_trim_that_the_server_does_not_outlive_is_resumed(desk: Desk, server: EmbeddedServer) -> None:
    key, connection = desk.keys.results, raw(desk)
    connection.eval(FILL, 1, key, 100_000)
    entries = ids(desk)
    for group in GROUPS:
        connection.xgroup_create(key, group, id=entries[89_989])
    read_and_acknowledge(desk, "bank", 10_010, 10_010)
    read_and_acknowledge(desk, "audit", 20, 10)  # ten are pending, behind them nothing is read
    ended: list[BaseException] = []

    def trim() -> None:
        try:
            upkeep.trim_results(desk)
        except redis.RedisError as error:
            ended.append(error)

    trimming = threading.Thread(target=trim)
    with redis.Redis.from_url(server.url) as watching:
        trimming.start()
        wait_until(lambda: watching.xlen(key) < 99_000, told="the trim to be under way")
        server.kill()
    trimming.join(20)
    assert ended  # it was cut short
    server.start()
    left = ids(desk)
    assert 10_000 < len(left) < 99_000
    assert left == entries[-len(left) :]
    upkeep.trim_results(desk)
    kept = ids(desk)
    assert kept == entries[-len(kept) :]
    assert len(kept) == 10_000  # nothing that was read is left
    assert connection.xpending(key, "audit")["min"] == entries[90_000]


@pytest.mark.parametrize("seed", range(4))
def test_no_crash_takes_back_what_was_read_and_leaves_it_trimmed(desk: Desk, server: EmbeddedServer, seed: int) -> None:
    """The machine loses the end of the file, anywhere between the reading and the trimming of what was read."""
    rng = random.Random(seed)
    key, connection = desk.keys.results, raw(desk)
    connection.eval(FILL, 1, key, 500)
    entries = ids(desk)
    for group in GROUPS:
        connection.xgroup_create(key, group, id="0")
    file = max(server.folder.glob("appendonlydir/*.incr.aof"))
    synced = file.stat().st_size
    for _ in range(10):
        for group in GROUPS:
            count = rng.randrange(1, 40)
            read_and_acknowledge(desk, group, count, rng.randrange(1, count + 1))
        upkeep.trim_results(desk)
    assert len(ids(desk)) < 500
    for cut in sorted((rng.randrange(synced, file.stat().st_size) for _ in range(5)), reverse=True):
        server.kill()
        os.truncate(file, min(cut, file.stat().st_size))
        server.start()
        left = ids(desk)
        assert left == entries[-len(left) :]
        for group in GROUPS:
            unread = first_unread(desk, group, entries)
            assert unread is None or unread in left
