"""Rounds whose worker died: tried a few at a time, then each suspect alone, claimed right before its attempt.

Mostly the worker was killed and no round is to blame, so a few are tried together first; each of them is noted, and if
the attempt is cut short, what is noted is tried alone from then on. Neither taking a round over (JUSTID) nor trying it
together counts as a delivery; only the claim right before a solo attempt does. Attempts are noted under the round's
body, since a room may have sent it more than once: only the round that ends its worker is counted out, and none of its
copies ends another worker in a batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, cast

import redis

from mjsettle_workers.entries import Entry, read_entry
from mjsettle_workers.fanout import split
from mjsettle_workers.keys import DAY_S, GROUP
from mjsettle_workers.settling import Desk, bury, settle_entries

TOGETHER = 16
"""Rounds without suspicion that are tried in one go."""
TAKEN_MAX = 1_000
"""Entries taken over in one sweep, which looks at ten times as many pending ones."""

FORGIVE_S = 5.0
"""How long an attempt that the server cut short is tried to be taken back, while the server is away."""

Row = tuple[bytes, dict[bytes, bytes]]


@dataclass(slots=True, eq=False)
class Left:
    """A pending entry of this worker that no process is working on."""

    entry: Entry
    deliveries: int
    attempts: int
    """Solo attempts at the same body that were cut short, by whomever; -1: never noted."""

    @property
    def is_suspect(self) -> bool:
        """Whether an attempt at it, beyond its first batch, was cut short."""
        return self.attempts >= 0 or self.deliveries > 1

    @property
    def suspicion(self) -> int:
        """How many solo attempts were cut short."""
        return max(self.attempts, self.deliveries - 1)


def stream_key(desk: Desk, stream: int) -> str:
    """Name of stream 1 (rounds) or 2 (parts)."""
    return desk.keys.rounds if stream == 1 else desk.keys.parts


def parse(desk: Desk, row: Row, stream: int, now_ms: int) -> Entry:
    """A row of XREADGROUP, XCLAIM or XRANGE as an entry."""
    settings = desk.settings
    bounds = {"bytes_max": settings.round_bytes_max, "ahead_s": settings.ahead_s}
    found = read_entry(row[0], row[1], stream, now_ms // 1_000, **bounds)
    found.overdue = now_ms - found.born_ms > settings.order_wait_s * 1_000
    return found


def take_over(desk: Desk, stream: int) -> int:
    """Move entries that other workers left idle to this one, without counting it as a delivery; returns how many."""
    ids = desk.connection.xautoclaim(
        stream_key(desk, stream), GROUP, desk.consumer, desk.settings.claim_idle_ms, count=TAKEN_MAX, justid=True
    )
    desk.counts["taken_over"] += len(ids)
    return len(ids)


def leftovers(desk: Desk, stream: int, now_ms: int) -> list[Left]:
    """What is pending on this worker between two reads: a former drain's that was killed, and what was taken over.

    The least suspicious come first: a round that ends its worker must not hold up its neighbours.
    """
    key = stream_key(desk, stream)
    pending = cast(Any, desk.connection).xpending_range(key, GROUP, "-", "+", 2 * TAKEN_MAX, consumername=desk.consumer)
    if not pending:
        return []
    parked = cast(Any, desk.connection).hmget(desk.keys.parked, [row["message_id"] for row in pending])
    pending = [row for row, tag in zip(pending, parked, strict=True) if tag is None]
    left: list[Left] = []
    for first in range(0, len(pending), 100):
        chunk = pending[first : first + 100]
        with desk.connection.pipeline(transaction=False) as pipe:
            for row in chunk:
                pipe.xrange(key, row["message_id"], row["message_id"])
            bodies: list[list[Row]] = pipe.execute()
        for row, found in zip(chunk, bodies, strict=True):
            if found:
                left.append(Left(parse(desk, found[0], stream, now_ms), row["times_delivered"], -1))
            else:  # the entry itself is gone: nothing is left to settle
                desk.connection.xack(key, GROUP, row["message_id"])
    return _by_suspicion(desk, left)


def _by_suspicion(desk: Desk, left: list[Left]) -> list[Left]:
    if not left:
        return []
    counts = cast(Any, desk.connection).hmget(desk.keys.suspects, [one.entry.digest for one in left])
    for one, count in zip(left, counts, strict=True):
        one.attempts = -1 if count is None else int(count)
    return sorted(left, key=lambda one: (one.suspicion, one.entry.entry))


def answer_known(desk: Desk, left: list[Left]) -> list[Left]:
    """Answer from the store, without the judge, what it knows; returns the others."""
    known = desk.store.results({sent.id for one in left for sent in one.entry.rounds if sent.id})
    safe: list[Left] = []
    others: list[Left] = []
    for one in left:
        (safe if all(sent.id in known for sent in one.entry.rounds) else others).append(one)
    for first in range(0, len(safe), desk.settings.batch_max):
        chunk = safe[first : first + desk.settings.batch_max]
        settle_entries(desk, [one.entry for one in chunk], look_up=True)
    return others


def try_alone(desk: Desk, one: Left) -> list[Entry]:
    """Settle one left entry alone, or bury it at its limit; returns it if it has to wait for its turn."""
    entry, words = one.entry, desk.judge.words
    if len(entry.rounds) > 1:
        split(desk, entry)
        return []
    if one.suspicion >= desk.settings.deliveries_max - 1:
        ended = "the worker was ended each time it judged this round alone"
        bury(desk, entry, (words.reason(entry.digest) if words else "") or ended, one.deliveries)
        return []
    try:
        if not _note_attempt(desk, one):
            return []  # another worker has finished it meanwhile
        with words.about(entry.digest) if words else nullcontext():
            outcome = settle_entries(desk, [entry], look_up=True)
        for failed in outcome.failed:
            bury(desk, failed, failed.reason, one.deliveries + 1)
    except redis.RedisError:
        _forgive(desk, entry, one.deliveries)
        raise
    if outcome.waiting:
        _forgive(desk, entry, one.deliveries)
    desk.counts["alone"] += 1
    return outcome.waiting


def _note_attempt(desk: Desk, one: Left) -> bool:
    """Claim the entry, which counts as a delivery, and note the attempt under its body; both or neither.

    Both counts are set, not raised: a connection that breaks makes the client send this again, and the round would be
    blamed twice for one attempt.
    """
    entry = one.entry
    with desk.connection.pipeline() as pipe:
        key = stream_key(desk, entry.stream)
        pipe.xclaim(key, GROUP, desk.consumer, 0, [entry.entry], retrycount=one.deliveries + 1)
        pipe.hset(desk.keys.suspects, entry.digest, str(max(one.attempts, 0) + 1))
        pipe.expire(desk.keys.suspects, desk.settings.keep_days * DAY_S)
        claimed = pipe.execute()[0]
    entry.suspect = True  # applying it clears the note
    if not claimed:
        desk.connection.hdel(desk.keys.suspects, entry.digest)
    return bool(claimed)


def _forgive(desk: Desk, entry: Entry, deliveries: int) -> None:
    """Set back the counts of a round that is not to blame for its attempt's end, waiting for a server that is away."""
    until = time.monotonic() + FORGIVE_S
    while True:
        try:
            with desk.connection.pipeline() as pipe:
                key = stream_key(desk, entry.stream)
                pipe.xclaim(key, GROUP, desk.consumer, 0, [entry.entry], retrycount=deliveries, justid=True)
                pipe.hdel(desk.keys.suspects, entry.digest)
                pipe.execute()
            return
        except redis.RedisError:
            if time.monotonic() > until:
                desk.counts["unforgiven"] += 1
                return
            time.sleep(0.1)


def recover(desk: Desk, until: float, stopped: Callable[[], bool], now_ms: int) -> tuple[list[Entry], list[Left]]:
    """Take over what others left and try it alone until the monotonic time ``until``.

    Returns the entries that wait for their turn, and the suspects: to be tried when nothing else is held.
    """
    held: list[Entry] = []
    suspects: list[Left] = []
    for stream in (1, 2):
        take_over(desk, stream)
        left = answer_known(desk, leftovers(desk, stream, now_ms))
        suspects += [one for one in left if one.is_suspect]
        fresh = [one.entry for one in left if not one.is_suspect]
        for first in range(0, len(fresh), TOGETHER):
            if stopped() or time.monotonic() > until:
                break
            held += try_together(desk, fresh[first : first + TOGETHER])
    return held, suspects


def try_together(desk: Desk, entries: list[Entry]) -> list[Entry]:
    """Settle a few left entries, noting each first; returns those that have to wait for their turn."""
    for part in [entry for entry in entries if len(entry.rounds) > 1]:
        split(desk, part)
    entries = [entry for entry in entries if len(entry.rounds) == 1]
    if not entries:
        return []
    with desk.connection.pipeline() as pipe:
        for entry in entries:
            pipe.hsetnx(desk.keys.suspects, entry.digest, 0)
            entry.suspect = True  # applying it clears the note
        pipe.expire(desk.keys.suspects, desk.settings.keep_days * DAY_S)
        pipe.execute()
    outcome = settle_entries(desk, entries, look_up=True)
    for failed in outcome.failed:
        bury(desk, failed, failed.reason, 1)
    desk.counts["together"] += len(entries)
    return outcome.waiting


def try_suspects(desk: Desk, suspects: list[Left], until: float, stopped: Callable[[], bool]) -> None:
    """Try suspects alone, the least suspicious first: if one ends this process, the next drain goes on behind it."""
    for one in sorted(suspects, key=lambda one: one.suspicion):
        if stopped() or time.monotonic() > until:
            return
        try_alone(desk, one)
