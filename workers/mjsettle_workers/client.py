"""A room's side of the queue: send rounds, resend until answered, read answers."""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import redis

from mjsettle_workers import scripts
from mjsettle_workers.connection import connect
from mjsettle_workers.keys import Keys
from mjsettle_workers.outgoing import QueueFullError, Round, RoundsTooLongError, TooLong, as_line, id_of
from mjsettle_workers.resending import CHUNK, Resending, Terms
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.store import Store

log = logging.getLogger(__name__)

KEPT_WAIT_MS = 2_500
"""How long to wait for the server's file to be synced, which it is every second where it is not at once."""
KEPT_AT_ONCE = 20_000
"""Answers looked at in one go."""
UNSYNCED_S = 2.0
"""Age after which what was written is synced, where the server cannot say so (Redis 7.0 and 7.1)."""

Answered = tuple[str, str | None, bytes, bool]
"""An answer of a stream: its entry, the round's id, the answer as JSON, whether it was given before."""


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
        settled: resend it until its answer has come. Raises QueueFullError, which tells how many were taken, and, when
        all others are sent, RoundsTooLongError, which names those that the queue does not take.
        """
        entries: list[str] = []
        chunk: list[bytes] = []
        too_long: list[TooLong] = []
        bytes_max = self.settings.round_bytes_max
        deadline = time.monotonic() + timeout_s
        sent = 0
        for value in rounds:
            line = as_line(value)
            sent += 1
            if len(line) > bytes_max:
                too_long.append(TooLong(sent, id_of(line), len(line)))
                continue
            chunk.append(line)
            if len(chunk) == CHUNK:
                self._push(chunk, in_order, deadline, entries, sent)
        self._push(chunk, in_order, deadline, entries, sent)
        if too_long:
            raise RoundsTooLongError(too_long, bytes_max, entries)
        return entries

    def _push(self, chunk: list[bytes], in_order: str | None, deadline: float, entries: list[str], sent: int) -> None:
        pause_s = 0.005
        while chunk:
            taken = self.offer(chunk, in_order)
            entries += taken
            del chunk[: len(taken)]
            if not chunk:
                return
            if time.monotonic() >= deadline:
                raise QueueFullError(entries, sent)
            time.sleep(pause_s)
            pause_s = min(0.25, pause_s * 2) if not taken else 0.005

    def offer(self, lines: Sequence[bytes], in_order: str | None = None) -> list[str]:
        """Append as many of a few rounds as the queue has room for; returns their entry ids."""
        keys = [self.keys.rounds] + ([self.keys.order(in_order)] if in_order else [])
        limits = [self.settings.rounds_max, self.settings.round_bytes_max]
        taken = cast("list[bytes]", self._submit(keys=keys, args=[*limits, self.room or "", in_order or "", *lines]))
        return [entry.decode() for entry in taken]

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

    def follow(self, after: str = "0-0", *, block_ms: int = 250, count: int = 1_000) -> Iterator[Answered]:
        """Answers behind ``after``, until none comes for ``block_ms``.

        A common stream carries every room's answers; each answer comes at least once, hence read by id.
        """
        while found := self.read(after, block_ms=block_ms, count=count):
            after = found[-1][0]
            yield from found

    def read(self, after: str, *, block_ms: int | None, count: int = 1_000) -> list[Answered]:
        """The next answers behind ``after``, waiting ``block_ms`` for the first; None: not at all."""
        found = cast(
            "list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]",
            self.connection.xread({self._stream(): after}, count=count, block=block_ms),
        )
        return [
            (entry.decode(), fields[b"id"].decode() or None, fields[b"result"], b"again" in fields)
            for entry, fields in (found[0][1] if found else ())
        ]

    def lacking(self, entries: Sequence[str]) -> Counter[tuple[str, str]]:
        """How many of the rounds sent as ``entries`` wait for workers with a rule set and edition ("": any).

        Nothing where this user may not know: a room's rights do not reach so far.
        """
        found: Counter[tuple[str, str]] = Counter()
        with contextlib.suppress(redis.exceptions.NoPermissionError):
            for first in range(0, len(entries), KEPT_AT_ONCE):
                tags = self.connection.hmget(self.keys.parked, list(entries[first : first + KEPT_AT_ONCE]))
                for tag in cast("list[bytes | None]", tags):
                    if tag is not None:
                        rule, _, edition = tag.decode().partition("@")
                        found[rule, edition] += 1
        return found

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
        self,
        rounds: Iterable[Round],
        *,
        timeout_s: float = 60.0,
        resend_s: float = 5.0,
        in_order: str | None = None,
        tell: Callable[[str], object] = log.info,
    ) -> Iterator[tuple[int, bytes]]:
        """Send rounds and yield (position, answer) as answers come, until each has one, whatever the server does.

        What is not answered is sent again after ``resend_s`` without any answer, then after pauses that double. A
        server that is lost or refuses is waited for. A round that is too long for the queue is answered as refused and
        not sent. ``tell`` gets a line where something other than the workers' work is waited for.

        Answers come on a stream of this call's own, each at once; it ends when all of them outlast a crash of the
        server (see ``is_kept``), which takes up to a second more, and so does each 20,000 of them. Raises NoAnswerError
        if no further round is answered for ``timeout_s``, and redis.ConnectionError if there is no server at first.
        """
        room = f"client-{secrets.token_hex(8)}"
        # A client for this call: while it lasts, the caller may go on to use this one.
        client = Client(self.settings, room=room, connection=self.connection)
        try:
            terms = Terms(timeout_s, resend_s, in_order, tell)
            yield from Resending(client, [as_line(value) for value in rounds], terms).answers()
        finally:
            with contextlib.suppress(redis.RedisError):  # a server that is gone lets it expire
                self.connection.delete(self.keys.reply(room))
