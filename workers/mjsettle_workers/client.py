"""A room's side of the queue: send rounds, resend until answered, read answers."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec
import redis

from mjsettle.errors import MjsettleError
from mjsettle_workers import scripts
from mjsettle_workers.connection import connect
from mjsettle_workers.entries import ID_PATTERN
from mjsettle_workers.keys import Keys
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.store import Store

Round = bytes | str | Mapping[str, Any]
"""A round as JSON or as a mapping."""

_encode = msgspec.json.encode
CHUNK = 500
"""Rounds sent in one call."""
KEPT_WAIT_MS = 2_500
"""How long to wait for the server's file to be synced, which it is every second where it is not at once."""
KEPT_AT_ONCE = 20_000
"""Answers looked at in one go."""
UNSYNCED_S = 2.0
"""Age after which what was written is synced, where the server cannot say so (Redis 7.0 and 7.1)."""


class _Id(msgspec.Struct):
    id: str | None = None
    entry: str | None = None


_read_id = msgspec.json.Decoder(_Id).decode


class QueueFullError(MjsettleError, RuntimeError):
    """The queue took fewer rounds than were sent; ``entries`` are those it took, in order."""

    def __init__(self, entries: Sequence[str], sent: int) -> None:
        super().__init__(f"the queue took {len(entries)} of {sent} rounds and is full; send the others later")
        self.entries = list(entries)


class NoAnswerError(MjsettleError, RuntimeError):
    """Rounds that were not answered in time; ``ids`` names them. They may still be settled: send them again."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = sorted(ids)
        super().__init__(
            f"{len(self.ids)} rounds without an answer, such as {', '.join(self.ids[:3])}; are workers running? "
            "Sending them again is safe"
        )


def as_line(value: Round) -> bytes:
    """A round as JSON bytes."""
    if isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else _encode(value)


def id_of(line: bytes) -> str | None:
    """The round's id, or None if it has none that can be read."""
    try:
        line.decode()  # the decoder does not look at the text of fields that it skips
        found = _read_id(line).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if found is not None and ID_PATTERN.fullmatch(found) else None


class Client:
    """Sends rounds and reads answers. Not shared between threads.

    ``room`` names a results stream of the client's own; without it answers are read by id or from the common stream.
    """

    def __init__(
        self, settings: Settings | None = None, *, room: str | None = None, connection: redis.Redis | None = None
    ) -> None:
        self.settings = settings or load_settings()
        self.connection = connection or connect(self.settings)
        self.keys = Keys(self.settings.prefix)
        self.room = room
        self.store = Store(self.connection, self.keys, self.settings)
        self._submit = self.connection.register_script(scripts.source("submit"))

    def submit(self, rounds: Iterable[Round], *, in_order: str | None = None, timeout_s: float = 30.0) -> list[str]:
        """Append rounds to the queue, waiting up to ``timeout_s`` while it is full; returns their entry ids.

        ``in_order`` names a room whose rounds are to be applied in the order sent. An appended round is accepted, not
        settled: resend it until its answer has come. Raises QueueFullError, which tells how many were taken.
        """
        entries: list[str] = []
        chunk: list[bytes] = []
        deadline = time.monotonic() + timeout_s
        sent = 0
        for value in rounds:
            chunk.append(as_line(value))
            sent += 1
            if len(chunk) == CHUNK:
                self._push(chunk, in_order, deadline, entries, sent)
        self._push(chunk, in_order, deadline, entries, sent)
        return entries

    def _push(self, chunk: list[bytes], in_order: str | None, deadline: float, entries: list[str], sent: int) -> None:
        pause_s = 0.005
        while chunk:
            keys = [self.keys.rounds] + ([self.keys.order(in_order)] if in_order else [])
            limits = [self.settings.rounds_max, self.settings.round_bytes_max]
            taken = cast(
                "list[bytes]", self._submit(keys=keys, args=[*limits, self.room or "", in_order or "", *chunk])
            )
            entries += [entry.decode() for entry in taken]
            del chunk[: len(taken)]
            if not chunk:
                return
            if time.monotonic() >= deadline:
                raise QueueFullError(entries, sent)
            time.sleep(pause_s)
            pause_s = min(0.25, pause_s * 2) if not taken else 0.005

    def results(self, ids: Iterable[str]) -> dict[str, bytes]:
        """The stored answers of those ids that have one, as JSON."""
        return self.store.results(ids)

    def last_result(self) -> str:
        """Where the results stream ends now: a place to start ``follow`` from."""
        try:
            found = self.connection.xinfo_stream(self._stream())
        except redis.ResponseError:
            return "0-0"
        return cast(bytes, found["last-generated-id"]).decode()

    def _stream(self) -> str:
        return self.keys.reply(self.room) if self.room else self.keys.results

    def follow(
        self, after: str = "0-0", *, block_ms: int = 250, count: int = 1_000
    ) -> Iterator[tuple[str, str | None, bytes, bool]]:
        """Answers behind ``after`` as (entry, id, JSON, whether given before), until none comes for ``block_ms``.

        A common stream carries every room's answers; each answer comes at least once, hence read by id.
        """
        while True:
            found = cast(
                "list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]",
                self.connection.xread({self._stream(): after}, count=count, block=block_ms),
            )
            if not found:
                return
            for entry, fields in found[0][1]:
                after = entry.decode()
                ident = fields[b"id"].decode() or None
                yield after, ident, fields[b"result"], b"again" in fields

    def is_kept(self, entries: Sequence[str]) -> bool:
        """Whether answers read from this room's own stream outlast a crash of the server; ``entries`` are theirs.

        An answer is read before the server's file is synced, or even written where the disk is full; a crash may take
        it back, and then the ledger may never have met it. False: one of them is lost, or cannot be said to be kept
        yet. Send those rounds again: that is safe. Waits for the file, a second by default.
        """
        if self.room is None:
            raise ValueError("found a client without a room, expected one with a results stream of its own")
        return all(
            self._are_kept(entries[first : first + KEPT_AT_ONCE]) for first in range(0, len(entries), KEPT_AT_ONCE)
        )

    def _are_kept(self, entries: Sequence[str]) -> bool:
        wait_ms = int(min(KEPT_WAIT_MS, self.settings.socket_timeout_s * 500))
        *stand, synced = self._look_at(entries, wait_ms)
        if isinstance(synced, redis.ResponseError) and not isinstance(synced, redis.exceptions.NoPermissionError):
            time.sleep(UNSYNCED_S)  # a server that does not know WAITAOF, or has no append-only file
            stand, synced = self._look_at(entries, 0)[:-1], [1]
        for reply in (*stand, synced):
            if isinstance(reply, redis.exceptions.NoPermissionError):
                raise reply
        return not any(isinstance(reply, Exception) or not reply for reply in stand) and synced[0] > 0

    def _look_at(self, entries: Sequence[str], wait_ms: int) -> list[Any]:
        """Replies to a write, to a look at each entry, and to the wait until that is synced; errors as values.

        One connection, hence one run of the server; the wait is for what the connection itself has written.
        """
        stream = self._stream()
        with self.connection.pipeline(transaction=False) as pipe:
            pipe.expire(stream, self.settings.reply_keep_s)
            for entry in entries:
                pipe.xrange(stream, entry, entry)
            pipe.execute_command("WAITAOF", 1, 0, wait_ms)  # type: ignore[no-untyped-call]
            return pipe.execute(raise_on_error=False)

    def settle(
        self, rounds: Iterable[Round], *, timeout_s: float = 60.0, resend_s: float = 5.0
    ) -> Iterator[tuple[int, bytes]]:
        """Send rounds and yield (position, answer) as answers come, resending what is not answered for ``resend_s``.

        Answers come on a stream of this call's own, each at once; it ends when all of them outlast a crash of the
        server (see ``is_kept``), which takes up to a second more. Raises NoAnswerError if none comes for ``timeout_s``.
        """
        caller = self.room
        self.room = f"client-{secrets.token_hex(8)}"
        try:
            yield from self._settle([as_line(value) for value in rounds], timeout_s, resend_s)
        finally:
            self.connection.delete(self.keys.reply(self.room))
            self.room = caller

    def _settle(self, lines: list[bytes], timeout_s: float, resend_s: float) -> Iterator[tuple[int, bytes]]:
        waiting = _Waiting(lines)
        waiting.sent(self.submit(lines), range(len(lines)))
        after = "0-0"
        heard = resent = time.monotonic()
        lost = False
        told: set[int] = set()
        unsure: dict[str, int] = {}  # the entry of an answer -> the round's position
        while waiting.positions or unsure:
            for entry, ident, result, _ in self.follow(after, block_ms=100) if waiting.positions else ():
                after, heard = entry, time.monotonic()
                position = waiting.take(ident, result)
                if position is not None:
                    unsure[entry] = position
                    if position not in told:
                        told.add(position)
                        yield position, result
                if not waiting.positions:
                    break
            if not waiting.positions:
                if self.is_kept(list(unsure)):
                    return
                waiting.again(unsure.values())
                unsure.clear()
                lost = True
            now = time.monotonic()
            if now - heard > timeout_s:
                raise NoAnswerError(waiting.names())
            if lost or now - max(heard, resent) > resend_s:
                lost, resent = False, now
                left = sorted(waiting.positions)
                waiting.sent(self.submit(lines[i] for i in left), left)


class _Waiting:
    """Rounds without an answer, found again by id, or by entry where the id cannot be read."""

    def __init__(self, lines: list[bytes]) -> None:
        self.positions = set(range(len(lines)))
        self._ids = [id_of(line) for line in lines]
        self._by_id: dict[str, list[int]] = {}
        self._by_entry: dict[str, int] = {}
        for i, ident in enumerate(self._ids):
            if ident is not None:
                self._by_id.setdefault(ident, []).append(i)

    def sent(self, entries: Sequence[str], positions: Iterable[int]) -> None:
        """Note under which entries the rounds at ``positions`` were sent."""
        for entry, i in zip(entries, positions, strict=True):
            if self._ids[i] is None:
                self._by_entry[entry] = i

    def take(self, ident: str | None, result: bytes) -> int | None:
        """Position of the round that the answer belongs to; None for an answer nobody waits for any more."""
        if ident is None:
            position = self._by_entry.get(_read_id(result).entry or "")
        else:
            same = self._by_id.get(ident)
            position = same.pop(0) if same else None
        if position not in self.positions:
            return None
        self.positions.discard(position)
        return position

    def again(self, positions: Iterable[int]) -> None:
        """Wait once more for rounds whose answer was lost."""
        for i in positions:
            self.positions.add(i)
            if (ident := self._ids[i]) is not None:
                self._by_id[ident].append(i)

    def names(self) -> list[str]:
        """The ids, or places, of the rounds without an answer."""
        return [self._ids[i] or f"round {i + 1}" for i in self.positions]
