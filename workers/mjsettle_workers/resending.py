"""One call of ``Client.settle``: rounds sent, sent again until answered, and made sure of, whatever the server does."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import redis

from mjsettle_workers.connection import is_refusal
from mjsettle_workers.outgoing import NoAnswerError, entry_of, id_of, too_long_answer
from mjsettle_workers.unreachable import is_denial, told

if TYPE_CHECKING:
    from mjsettle_workers.client import Client

log = logging.getLogger(__name__)

CHUNK = 500
"""Rounds sent in one call."""
LISTEN_MS = 100
RESEND_MAX_S = 60.0
"""Longest pause between two times that the same rounds are sent."""
AWAY_S, AWAY_MAX_S = 0.1, 2.0
"""First and longest pause before a server that is lost or refuses is asked again."""
SILENCE_S = 2.0
"""Time without an answer after which the caller is told what the rounds wait for."""
UNSURE_MAX = 20_000
"""Answers read before they are made sure of: well below the stream's bound, for what it has dropped is not kept."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a call of ``Client.settle`` sends, and when it gives up."""

    timeout_s: float
    resend_s: float
    in_order: str | None = None
    tell: Callable[[str], object] = log.info
    """Gets a line on what the call waits for, whenever that is not just the workers' work."""


class Resending:
    """Rounds of one call until each is answered for good.

    Rounds are sent a chunk at a time and answers are read in between: what was answered is never sent again, and the
    stream of answers is not left to grow beyond its bound.
    """

    def __init__(self, client: Client, lines: list[bytes], terms: Terms) -> None:
        self.client = client
        self.lines = lines
        self.terms = terms
        self.bytes_max = client.settings.round_bytes_max
        self.waiting = Waiting(lines, self.bytes_max)
        self.due = deque(sorted(self.waiting.positions))
        """Positions to be sent next."""
        self.is_full = False
        self.is_away = False
        """Whether the server was lost, or refused, when it was asked last."""
        self.after = "0-0"
        self.heard = self.sent = time.monotonic()
        self.pause_s = terms.resend_s
        self.answered: set[int] = set()
        self.unsure: dict[str, int] = {}
        """The entry of an answer that a crash may still take back -> the round's position."""
        self.was_reached = False
        self.is_silent = False
        """Whether the caller was told what this silence is for."""
        self.doubt = ""
        """Said instead of nothing once the server did not keep what it had answered."""
        self.why = ""
        """What keeps answers away, where it is not for want of workers."""

    def answers(self) -> Iterator[tuple[int, bytes]]:
        """Yield (position, answer) as answers come. Raises NoAnswerError, and redis errors of a first contact."""
        for i, line in enumerate(self.lines):
            if len(line) > self.bytes_max:
                yield i, too_long_answer(line, i + 1, self.bytes_max)
        self.heard = time.monotonic()
        away_s = AWAY_S
        while self.waiting.positions or self.unsure:
            try:
                self._send()
                yield from self._listen()
                self._make_sure()
                self.is_away, away_s = False, AWAY_S
            except redis.RedisError as error:
                self._outlast(error)
                time.sleep(away_s)
                away_s = min(2 * away_s, AWAY_MAX_S)
            self._look_at_the_clock()

    def _send(self) -> None:
        chunk: list[int] = []
        while self.due and len(chunk) < CHUNK:
            i = self.due.popleft()
            if i in self.waiting.positions:
                chunk.append(i)
        taken: list[str] = []
        try:
            if chunk:
                taken = self.client.offer([self.lines[i] for i in chunk], self.terms.in_order)
                self.was_reached = True
        finally:
            self.due.extendleft(reversed(chunk[len(taken) :]))
        self.waiting.sent(taken, chunk[: len(taken)])
        self.is_full = len(taken) < len(chunk)
        self.why = "the queue is full." if self.is_full else self.doubt
        if taken:
            self.sent = time.monotonic()

    def _listen(self) -> Iterator[tuple[int, bytes]]:
        if not self.waiting.positions:
            return
        found = self.client.read(self.after, block_ms=None if self.due and not self.is_full else LISTEN_MS)
        for entry, ident, result, _ in found:
            self.after = entry
            position = self.waiting.take(ident, result)
            if position is None:
                continue
            self.unsure[entry] = position
            if position not in self.answered:
                self.answered.add(position)
                yield position, result
                # After the yield: what the caller does with an answer is no silence of the workers.
                self.heard, self.pause_s, self.is_silent = time.monotonic(), self.terms.resend_s, False

    def _make_sure(self) -> None:
        if not self.unsure or (self.waiting.positions and len(self.unsure) < UNSURE_MAX):
            return
        if self.client.is_kept(list(self.unsure)):
            self.heard = time.monotonic()
        else:
            self.doubt = "the server cannot say that it keeps what it answered."
            self.waiting.again(self.unsure.values())
            self.due.extend(sorted(self.unsure.values()))
        self.unsure.clear()

    def _outlast(self, error: redis.RedisError) -> None:
        """Note a server that is lost or refuses to write; raise what waiting does not mend."""
        is_lost = isinstance(error, redis.ConnectionError | redis.TimeoutError)
        refuses = isinstance(error, redis.ResponseError) and is_refusal(error)
        if is_denial(error) or not (refuses or (is_lost and self.was_reached)):
            raise error
        self.why = f"{told(error, self.client.settings)}."
        if not self.is_away:
            self.is_away = True
            self.terms.tell(f"{self.why} Trying again")

    def _look_at_the_clock(self) -> None:
        """Give up, or send again what stays unanswered, or say what it waits for."""
        now, left = time.monotonic(), self.waiting.positions
        if (lost := left or set(self.unsure.values())) and now - self.heard > self.terms.timeout_s:
            raise NoAnswerError(self.waiting.names(lost), len(self.lines), self.why)
        if now - self.heard > SILENCE_S and not self.is_silent and not self.why:
            self.is_silent = True
            self._tell_what_workers_lack()
        if left and not self.due and now - max(self.heard, self.sent) > self.pause_s:
            self.terms.tell(f"{len(left)} of {len(self.lines)} rounds have no answer yet; sending them again")
            self.due.extend(sorted(left))
            self.pause_s = max(self.terms.resend_s, min(2 * self.pause_s, RESEND_MAX_S))

    def _tell_what_workers_lack(self) -> None:
        try:
            lacking = self.client.lacking(self.waiting.entries())
        except redis.RedisError:
            return  # the next send meets it too
        for (rule, edition), count in sorted(lacking.items()):
            named = f"{rule} {edition}".strip()
            rounds = "1 round waits" if count == 1 else f"{count} rounds wait"
            self.terms.tell(
                f"{rounds} for workers with the rule set {named}; without one the answer is a refusal, "
                "after MJSETTLE_EDITION_WAIT_S (10 s by default)"
            )


class Waiting:
    """Rounds without an answer, found again by id, or by entry where the id cannot be read."""

    def __init__(self, lines: Sequence[bytes], bytes_max: int) -> None:
        self.positions = {i for i, line in enumerate(lines) if len(line) <= bytes_max}
        self._ids = [id_of(line) for line in lines]
        self._by_id: dict[str, list[int]] = {}
        self._by_entry: dict[str, int] = {}
        self._entries: dict[int, str] = {}
        for i in sorted(self.positions):
            if (ident := self._ids[i]) is not None:
                self._by_id.setdefault(ident, []).append(i)

    def sent(self, entries: Sequence[str], positions: Iterable[int]) -> None:
        """Note under which entries the rounds at ``positions`` were sent."""
        for entry, i in zip(entries, positions, strict=True):
            self._entries[i] = entry
            if self._ids[i] is None:
                self._by_entry[entry] = i

    def entries(self) -> list[str]:
        """The entries under which what is not answered was sent last."""
        return [self._entries[i] for i in self.positions if i in self._entries]

    def take(self, ident: str | None, result: bytes) -> int | None:
        """Position of the round that the answer belongs to; None for an answer nobody waits for any more."""
        if ident is None:
            position = self._by_entry.get(entry_of(result))
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

    def names(self, positions: Iterable[int]) -> list[str]:
        """The ids, or places, of rounds."""
        return [self._ids[i] or f"round {i + 1}" for i in positions]
