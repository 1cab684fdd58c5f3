"""One look at the queue, read in a few commands: what metrics and health checks are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import redis

from mjsettle_workers.client import Client
from mjsettle_workers.connection import server_ms
from mjsettle_workers.keys import GROUP
from mjsettle_workers.tokens import ALIVE_S


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream that workers read."""

    received: int = 0
    """Entries ever appended."""
    length: int = 0
    pending: int = 0
    """Entries read by a worker and not finished, parked ones included."""
    oldest_ms: int = 0
    """Age of the oldest entry that is not finished, milliseconds; 0 if there is none."""

    @property
    def lag(self) -> int:
        """Entries that no worker has read yet; finished ones are deleted, so this is exact."""
        return max(0, self.length - self.pending)


@dataclass(frozen=True, slots=True)
class State:
    """The queue at one moment."""

    rounds: Stream
    parts: Stream
    parked: int
    dead: int
    results: int
    unread: Mapping[str, int]
    """Results that a reader group has not acknowledged, by group."""
    workers: int
    """Workers seen in the last half minute."""
    floor_day: int
    stored_days: int
    counters: Mapping[str, int]
    """Exact counters kept by the apply script, and ``drain_*`` of the drains."""
    tallies: Mapping[str, int] = field(default_factory=dict)
    """The hash of ``Keys.metrics``; see ``tally``."""
    server: Mapping[str, Any] = field(default_factory=dict)
    """What the server says of itself (INFO)."""


def _counted(hash_: dict[bytes, bytes]) -> dict[str, int]:
    return {name.decode(): int(value) for name, value in sorted(hash_.items())}


def _stream(connection: redis.Redis, key: str, now_ms: int) -> Stream:
    try:
        info: dict[str, Any] = connection.xinfo_stream(key)
    except redis.ResponseError:  # nobody has sent anything yet
        return Stream()
    groups = connection.xinfo_groups(key)
    pending = sum(group["pending"] for group in groups if group["name"] == GROUP.encode())
    first = info.get("first-entry")
    born_ms = int(cast(bytes, first[0]).split(b"-")[0]) if first else now_ms
    received = int(info.get("entries-added", info["length"]))
    return Stream(received, int(info["length"]), pending, max(0, now_ms - born_ms))


def _unread(connection: redis.Redis, key: str) -> dict[str, int]:
    try:
        groups = connection.xinfo_groups(key)
    except redis.ResponseError:
        return {}
    return {group["name"].decode(): group["pending"] + int(group.get("lag") or 0) for group in groups}


def read_state(client: Client, *, tallies: bool = False) -> State:
    """Look at the queue. Raises redis errors as they come."""
    connection, keys = client.connection, client.keys
    now_ms = server_ms(connection)
    return State(
        rounds=_stream(connection, keys.rounds, now_ms),
        parts=_stream(connection, keys.parts, now_ms),
        parked=connection.hlen(keys.parked),
        dead=connection.xlen(keys.dead),
        results=connection.xlen(keys.results),
        unread=_unread(connection, keys.results),
        workers=connection.zcount(keys.workers, now_ms // 1_000 - ALIVE_S, "+inf"),
        floor_day=client.store.floor_day(),
        stored_days=connection.zcard(keys.shards),
        counters=_counted(cast("dict[bytes, bytes]", connection.hgetall(keys.counters))),
        tallies=_counted(cast("dict[bytes, bytes]", connection.hgetall(keys.metrics))) if tallies else {},
        server=connection.info(),
    )
