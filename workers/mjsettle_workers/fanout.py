"""Large batches: cut by rule set and size into parts, fanned out over all workers, joined by a counter.

A part is one entry of the parts stream. The same atomic step that applies its rounds files the part's answers and
counts it as done, so a part is counted once however often it was delivered. A part that was cut short is cut into
single rounds, so that only the round at fault is held up.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import msgspec
import redis

from mjsettle.errors import MjsettleError
from mjsettle_workers import scripts
from mjsettle_workers.entries import Entry
from mjsettle_workers.keys import GROUP, Keys
from mjsettle_workers.settings import Settings

if TYPE_CHECKING:
    from mjsettle_workers.settling import Desk


PARTS_AT_ONCE = 50
"""Parts sent in one go."""


class _Rule(msgspec.Struct):
    rule: object = None


_read_rule = msgspec.json.Decoder(_Rule).decode


class BatchError(MjsettleError, RuntimeError):
    """A batch that is unknown, or did not finish in time."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is, in parts; a part that is cut into rounds raises ``total``."""

    done: int
    total: int
    rounds: int

    @property
    def finished(self) -> bool:
        """Whether every answer is there."""
        return self.done >= self.total


def _rule_of(line: bytes) -> str:
    try:
        return str(_read_rule(line).rule)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


def cut(lines: Sequence[bytes], size: int) -> Iterator[list[int]]:
    """Positions of the lines of each part: one rule set, at most ``size`` rounds."""
    by_rule: dict[str, list[int]] = {}
    for i, line in enumerate(lines):
        by_rule.setdefault(_rule_of(line), []).append(i)
    for positions in by_rule.values():
        for first in range(0, len(positions), size):
            yield positions[first : first + size]


def _fields(batch: str, part: str, at: Sequence[int | str], rounds: Sequence[bytes], unrecorded: bool) -> list[bytes]:
    fields = [
        b"batch",
        batch.encode(),
        b"part",
        part.encode(),
        b"at",
        ",".join(map(str, at)).encode(),
        b"rounds",
        b"\n".join(rounds),
    ]
    return [*fields, b"unrecorded", b"1"] if unrecorded else fields


class Batches:
    """Sends large batches and collects their answers."""

    def __init__(self, connection: redis.Redis, settings: Settings) -> None:
        self.connection = connection
        self.settings = settings
        self.keys = Keys(settings.prefix)

    def start(self, lines: Sequence[bytes], *, unrecorded: bool = False) -> str:
        """Send rounds, one JSON text each without line feeds; returns the batch's name.

        With ``unrecorded`` they are only judged: nothing is stored or paid, and old rounds may be replayed.
        """
        batch = secrets.token_hex(8)
        parts = list(cut(lines, self.settings.part_rounds))
        key = self.keys.batch(batch)
        # The total is written first: a part may be done before the last one is sent.
        with self.connection.pipeline() as pipe:
            pipe.hset(key, mapping={"rounds": len(lines), "total": len(parts), "done": 0})
            pipe.expire(key, self.settings.reply_keep_s)
            for number, at in enumerate(parts):
                rounds = [lines[i] for i in at]
                fields = _fields(batch, str(number), at, rounds, unrecorded)
                pipe.execute_command("XADD", self.keys.parts, "*", *fields)  # type: ignore[no-untyped-call]
                if number % PARTS_AT_ONCE == PARTS_AT_ONCE - 1:
                    pipe.execute()
                    self._await_room()
            pipe.execute()
        return batch

    def _await_room(self) -> None:
        """Wait while as many rounds stand in parts as may wait one by one."""
        while self.connection.xlen(self.keys.parts) * self.settings.part_rounds > self.settings.rounds_max:
            time.sleep(0.05)

    def progress(self, batch: str) -> Progress:
        """How far the batch is. Raises BatchError if there is none of that name, or its answers have expired."""
        found = cast("list[bytes | None]", self.connection.hmget(self.keys.batch(batch), ["done", "total", "rounds"]))
        if found[1] is None:
            raise BatchError(f"found no batch {batch!r}; answers are kept for {self.settings.reply_keep_s} s")
        done, total, rounds = (int(value or 0) for value in found)
        return Progress(done, total, rounds)

    def answers(self, batch: str) -> list[bytes]:
        """Answers of a finished batch, in the order in which its rounds were given."""
        told = self.progress(batch)
        if not told.finished:
            raise BatchError(f"batch {batch!r} has finished {told.done} of {told.total} parts")
        answers: list[bytes] = [b""] * told.rounds
        for _, value in self.connection.hscan_iter(self.keys.batch(batch), match="out:*", count=100):
            at, *lines = value.split(b"\n")
            for position, line in zip(at.split(b","), lines, strict=True):
                answers[int(position)] = line
        return answers

    def wait(self, batch: str, timeout_s: float) -> Iterator[Progress]:
        """Progress until the batch is finished. Raises BatchError after ``timeout_s`` without any."""
        last, since = -1, time.monotonic()
        while True:
            told = self.progress(batch)
            yield told
            if told.finished:
                return
            if told.done != last:
                last, since = told.done, time.monotonic()
            elif time.monotonic() - since > timeout_s:
                raise BatchError(f"batch {batch!r} stands at {told.done} of {told.total} parts; are workers running?")
            time.sleep(0.02)


def split(desk: Desk, entry: Entry) -> int:
    """Cut a part into single rounds, in one step with giving it up; returns the number of new parts."""
    script = desk.connection.register_script(scripts.source("split"))
    at = entry.at.split(",")
    parts = [
        _fields(entry.batch, f"{entry.part}.{i}", [at[i]], [sent.raw], entry.unrecorded)
        for i, sent in enumerate(entry.rounds)
    ]
    keys = [desk.keys.parts, desk.keys.batch(entry.batch)]
    desk.counts["split"] += 1
    values = [value for part in parts for value in part]
    return int(script(keys=keys, args=[GROUP, entry.entry, entry.part, len(parts[0]), *values]))
