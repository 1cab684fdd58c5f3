"""Rounds whose worker died: each is claimed alone right before it is tried alone.

Taking a round over counts as no delivery (JUSTID); only the claim right before the solo attempt does. So a round's
count grows only when its own attempt is cut short, and only the round that ends its worker reaches the limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import redis

from mjsettle_workers.connection import server_ms
from mjsettle_workers.entries import Entry, read_entry
from mjsettle_workers.fanout import split
from mjsettle_workers.keys import GROUP
from mjsettle_workers.settling import Desk, bury, forgive, settle_entries

TAKEN_MAX = 1_000
"""Entries taken over in one sweep, which looks at ten times as many pending ones."""


class Left(NamedTuple):
    """A pending entry of this worker that no process is working on."""

    stream: int
    entry: str
    deliveries: int


def stream_key(desk: Desk, stream: int) -> str:
    """Name of stream 1 (rounds) or 2 (parts)."""
    return desk.keys.rounds if stream == 1 else desk.keys.parts


def take_over(desk: Desk, stream: int) -> int:
    """Move entries that other workers left idle to this one, without counting it as a delivery; returns how many."""
    ids = desk.connection.xautoclaim(
        stream_key(desk, stream), GROUP, desk.consumer, desk.settings.claim_idle_ms, count=TAKEN_MAX, justid=True
    )
    desk.counts["taken_over"] += len(ids)
    return len(ids)


def leftovers(desk: Desk, stream: int) -> list[Left]:
    """What is pending on this worker between two reads: a former drain's that was killed, and what was taken over."""
    found = cast(
        "list[dict[str, Any]]",
        desk.connection.xpending_range(
            stream_key(desk, stream), GROUP, "-", "+", 2 * TAKEN_MAX, consumername=desk.consumer
        ),
    )
    left = [Left(stream, row["message_id"].decode(), int(row["times_delivered"])) for row in found]
    if not left:
        return []
    parked = cast("list[bytes | None]", desk.connection.hmget(desk.keys.parked, [one.entry for one in left]))
    # The least suspicious first: a round that ends its worker must not hold up its neighbours.
    return sorted((one for one, tag in zip(left, parked, strict=True) if tag is None), key=lambda one: one.deliveries)


def try_alone(desk: Desk, one: Left) -> list[Entry]:
    """Settle one left entry alone, or bury it at its limit; returns it if it has to wait for its turn."""
    key = stream_key(desk, one.stream)
    buried = one.deliveries >= desk.settings.deliveries_max
    if buried:
        rows = cast("list[tuple[bytes, dict[bytes, bytes]]]", desk.connection.xrange(key, one.entry, one.entry))
    else:
        rows = cast(
            "list[tuple[bytes, dict[bytes, bytes]]]",
            desk.connection.xclaim(key, GROUP, desk.consumer, 0, [one.entry]),
        )
    if not rows or rows[0][1] is None:
        desk.connection.xack(key, GROUP, one.entry)  # the entry itself is gone: nothing is left to settle
        return []
    entry = parse(desk, rows[0], one.stream, server_ms(desk.connection))
    if len(entry.rounds) > 1:
        split(desk, entry)
        return []
    if buried:
        bury(desk, entry, "the worker was ended each time it judged this round", one.deliveries)
        return []
    try:
        outcome = settle_entries(desk, [entry], look_up=True)
        for failed in outcome.failed:
            bury(desk, failed, failed.reason, one.deliveries + 1)
    except redis.RedisError:
        forgive(desk, entry, key, one.deliveries + 1)
        raise
    for waiting in outcome.waiting:
        forgive(desk, waiting, key, one.deliveries + 1)
    desk.counts["alone"] += 1
    return outcome.waiting


def parse(desk: Desk, row: tuple[bytes, dict[bytes, bytes]], stream: int, now_ms: int) -> Entry:
    """A row of XREADGROUP or XCLAIM as an entry."""
    settings = desk.settings
    found = read_entry(
        row[0], row[1], stream, now_ms // 1_000, bytes_max=settings.round_bytes_max, ahead_s=settings.ahead_s
    )
    found.overdue = now_ms - found.born_ms > settings.order_wait_s * 1_000
    return found


def recover(desk: Desk, until: float, stopped: Callable[[], bool]) -> tuple[list[Entry], list[Left]]:
    """Take over what others left and try it alone until the monotonic time ``until``.

    Returns the entries that wait for their turn, and those left that were cut short while tried alone before: suspects,
    to be tried when nothing else is held.
    """
    held: list[Entry] = []
    suspects: list[Left] = []
    for stream in (1, 2):
        take_over(desk, stream)
        for one in leftovers(desk, stream):
            if one.deliveries > 1:
                suspects.append(one)
            elif stopped() or time.monotonic() > until:
                break
            else:
                held += try_alone(desk, one)
    return held, suspects
