"""The result store: judged entries go in by one atomic step, answers come out by id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

import msgspec
import redis

from mjsettle_workers import scripts
from mjsettle_workers.connection import server_seconds
from mjsettle_workers.entries import Entry
from mjsettle_workers.keys import DAY_S, GROUP, Keys
from mjsettle_workers.settings import Settings

_pack = msgspec.msgpack.Encoder().encode

FORGET_EVERY_S = 3_600
"""Least time between two days forgotten."""


class Problem(NamedTuple):
    """Why an entry was left as it was."""

    entry: int
    """Index of the entry."""
    round: int
    """Index of the round in it; -1 for the whole entry."""
    what: str
    """``gone`` (not pending any more), ``wait`` (not its turn), ``old`` or ``differs``."""
    stored: bytes
    """For ``differs``, what is stored: body, newline, answer."""


class DeadLetter(NamedTuple):
    """What goes to the dead letters with an entry."""

    reason: str
    deliveries: int


class Store:
    """Applies answers and finds them again."""

    def __init__(self, connection: redis.Redis, keys: Keys, settings: Settings) -> None:
        self.connection = connection
        self.keys = keys
        self.settings = settings
        self._apply = connection.register_script(scripts.source("apply"))
        self._forget = connection.register_script(scripts.source("forget"))
        self._revive = connection.register_script(scripts.source("revive"))

    def apply(
        self, entries: Sequence[Entry], statuses: Sequence[Sequence[str]], dead: DeadLetter | None = None
    ) -> list[Problem]:
        """Apply judged entries (``entry.answers`` and their statuses); returns those that were left as they were.

        With ``dead`` the entries, of one round each, go to the dead letters too, with the bytes as they were sent.
        """
        job = [
            self.keys.prefix,
            GROUP,
            self.settings.reply_keep_s,
            [self._packed(entry, status, dead) for entry, status in zip(entries, statuses, strict=True)],
            self.settings.keep_days,
        ]
        keys = self.keys
        names = [
            keys.rounds,
            keys.parts,
            keys.results,
            keys.dead,
            keys.shards,
            keys.floor,
            keys.counters,
            keys.parked,
            keys.condemned,
            keys.suspects,
        ]
        args = [_pack(job), *(entry.rounds[0].raw for entry in entries if dead)]
        found = cast("list[tuple[int, int, bytes, bytes]]", self._apply(keys=names, args=args))
        return [Problem(i - 1, j - 1, what.decode(), stored) for i, j, what, stored in found]

    def _packed(self, entry: Entry, statuses: Sequence[str], dead: DeadLetter | None) -> list[Any]:
        rounds: list[list[Any]] = []
        for i, (sent, answer, status) in enumerate(zip(entry.rounds, entry.answers, statuses, strict=True)):
            # As text: the scripts' msgpack has no bytes. Both are JSON that was decoded before, hence UTF-8.
            packed_round: list[Any] = [sent.id or "", sent.day, answer.decode(), status]
            if sent.id is not None and not entry.unrecorded and i not in entry.fixed:
                packed_round += [f"{sent.body.decode()}\n{packed_round[2]}", len(sent.body)]
                if i in entry.lacking:
                    packed_round.append(True)
            rounds.append(packed_round)
        extra: dict[str, Any] = {}
        if entry.to:
            extra["to"] = entry.to
        if entry.room:
            extra |= {"room": entry.room, "seq": entry.seq}
        if entry.batch:
            extra |= {"batch": entry.batch, "part": entry.part, "at": entry.at}
        if entry.suspect:
            extra["suspect"] = entry.digest
        for flag in ("unrecorded", "parked", "overdue"):
            if getattr(entry, flag):
                extra[flag] = True
        if dead:
            extra |= {"dead": dead.reason, "deliveries": dead.deliveries}
        packed: list[Any] = [entry.stream, entry.entry, rounds]
        return [*packed, extra] if extra else packed

    def days(self) -> list[int]:
        """The days that the store holds, newest first."""
        return [int(day) for day in cast("list[bytes]", self.connection.zrange(self.keys.shards, 0, -1))][::-1]

    def results(self, ids: Iterable[str]) -> dict[str, bytes]:
        """The stored answers of those ids that have one."""
        left = list(dict.fromkeys(ids))
        found: dict[str, bytes] = {}
        for day in self.days():
            if not left:
                break
            values = cast("list[bytes | None]", self.connection.hmget(self.keys.shard(day), left))
            for ident, value in zip(left, values, strict=True):
                if value is not None:
                    found[ident] = value.partition(b"\n")[2]
            left = [ident for ident in left if ident not in found]
        return found

    def settlement(self, ident: str) -> tuple[bytes, bytes] | None:
        """The round that is stored under an id, as canonical JSON, and its answer; None where there is none."""
        for day in self.days():
            value = cast("bytes | None", self.connection.hget(self.keys.shard(day), ident))
            if value is not None:
                body, _, answer = value.partition(b"\n")
                return body, answer
        return None

    def floor_day(self) -> int:
        """The first day that is remembered; 0 before the first worker started."""
        return int(cast("bytes | None", self.connection.get(self.keys.floor)) or 0)

    def forget(self, now_s: int | None = None) -> int:
        """Let go of the oldest day if its lifetime is over; returns the first day that is remembered.

        ``now_s`` is the server's clock unless given.
        """
        now = server_seconds(self.connection) if now_s is None else now_s
        keep = now // DAY_S - self.settings.keep_days
        keys = [self.keys.shards, self.keys.floor, f"{self.keys.floor}:moved"]
        return int(self._forget(keys=keys, args=[keep, self.keys.prefix, now, FORGET_EVERY_S]))

    def condemned(self) -> set[str]:
        """Ids of the rounds among the dead letters."""
        return {ident.decode() for ident in cast("set[bytes]", self.connection.smembers(self.keys.condemned))}

    def suspects(self) -> set[str]:
        """Digests of the rounds that are tried alone only."""
        return {digest.decode() for digest in cast("list[bytes]", self.connection.hkeys(self.keys.suspects))}

    def revive(self, letter: str) -> str | None:
        """Queue a dead letter again and drop the refusal stored for it; its new entry id, None if there is none."""
        keys = [self.keys.dead, self.keys.rounds, self.keys.shards, self.keys.condemned]
        found = cast("bytes | None", self._revive(keys=keys, args=[letter, self.keys.prefix]))
        return found.decode() if found else None
