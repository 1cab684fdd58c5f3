"""Judging recorded rounds twice, in this process, in several, or on the workers of a queue."""

from __future__ import annotations

import gc
import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from mjsettle.isolation import Isolated
from mjsettle.replay.compare import Change, Tally, tallied
from mjsettle.replay.sources import Recorded, Rounds
from mjsettle.rounds import Round, Unreadable, decode_round
from mjsettle.settle import Engine, load

CHUNK: Final = 2_000
"""Rounds that are judged in one go."""
AHEAD: Final = 2
"""Chunks that wait for each process, so that none is idle and memory stays bounded."""


class Chunk(NamedTuple):
    """Some rounds in a row: the number of the first line, the lines, and their recorded results where there are any."""

    first: int
    lines: list[bytes]
    recorded: list[bytes | None] | None


class Part(NamedTuple):
    """What a chunk came to: its tally, and every difference in short."""

    tally: Tally
    differences: list[dict[str, Any]]


class Fanout(Protocol):
    """Somewhere else to judge rounds: given JSON lines, answers come as JSON lines in the same order."""

    def start(self, lines: Sequence[bytes]) -> Any:
        """Send rounds; answers with what `answers` wants."""

    def answers(self, started: Any) -> list[bytes]:
        """Wait for the answers to rounds that were sent."""

    def close(self) -> None:
        """Let go of the connection."""


def replay(
    rounds: Rounds,
    change: Change,
    recorded: Recorded | None = None,
    *,
    engine: Engine | None = None,
    processes: int = 1,
    fanout: Fanout | None = None,
    each: Callable[[Part], None] = lambda part: None,
) -> Tally:
    """Judge rounds as they are (or take their recorded results) and with the change; answers the tally.

    processes: how many to judge in; 1 is this one, with `engine`. fanout: judge there instead. each: told of every
    part, in the order of the rounds.
    """
    total = Tally()
    chunks = (
        Chunk(first, lines, recorded.of(lines) if recorded is not None else None)
        for first, lines in rounds.chunks(CHUNK)
    )
    for part in _parts(chunks, change, engine, processes, fanout):
        total.add(part.tally)
        each(part)
    return total


def _parts(
    chunks: Iterator[Chunk], change: Change, engine: Engine | None, processes: int, fanout: Fanout | None
) -> Iterator[Part]:
    if fanout is not None:
        yield from _on_queue(chunks, change, fanout)
    elif processes == 1:
        judge = engine or _load()
        for chunk in chunks:
            yield judged(chunk, change, judge)
    else:
        yield from _in_processes(chunks, change, processes)


class _Read(NamedTuple):
    """The rounds of a chunk that are to be judged, by line number, and what was found of the others."""

    rounds: list[tuple[int, Round]]
    tally: Tally


class _Fan(Struct):
    name: str
    value: int
    times: int


class _Win(Struct):
    seat: int
    fans: list[_Fan] = []


class _Error(Struct):
    code: str
    field: str


class _Result(Struct):
    """What is asked of recorded results, however old they are."""

    status: str
    deltas: list[int] | None = None
    table: int = 0
    wins: list[_Win] = []
    errors: list[_Error] = []


_read_result: Final = msgspec.json.Decoder(_Result).decode


def _is_result(line: bytes | None) -> bool:
    try:
        found = _read_result(line or b"")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return found.status != "settled" or found.deltas is not None


def _read(chunk: Chunk, change: Change) -> _Read:
    tally = Tally()
    rounds = []
    for number, line in enumerate(chunk.lines, chunk.first):
        try:
            round = decode_round(line)
        except Unreadable:
            tally.unreadable += 1
            continue
        if not change.concerns(round):
            tally.left_alone += 1
        elif chunk.recorded is not None and not _is_result(chunk.recorded[number - chunk.first]):
            tally.unanswered += 1
        else:
            rounds.append((number, round))
    return _Read(rounds, tally)


def _recorded(chunk: Chunk, read: _Read) -> list[dict[str, Any]]:
    assert chunk.recorded is not None
    lines = [chunk.recorded[number - chunk.first] for number, _ in read.rounds]
    return [msgspec.json.decode(line) for line in lines if line is not None]


def judged(chunk: Chunk, change: Change, engine: Engine) -> Part:
    """Judge a chunk with an engine."""
    read = _read(chunk, change)
    rounds = [round for _, round in read.rounds]
    isolated = Isolated(engine)
    before = isolated.settle(rounds) if chunk.recorded is None else _recorded(chunk, read)
    after = isolated.settle([change.of(round) for round in rounds])
    return _part(chunk, read, before, after)


def _part(chunk: Chunk, read: _Read, before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> Part:
    compared = (
        (number, round, was, is_now) for (number, round), was, is_now in zip(read.rounds, before, after, strict=True)
    )
    tally, differences = tallied(compared, chunk.lines, chunk.first)
    tally.add(read.tally)
    return Part(tally, differences)


def _load() -> Engine:
    """An engine whose objects the cycle collector leaves alone: it would walk over them for every few rounds read."""
    engine = load()
    gc.freeze()
    return engine


_engine: Engine | None = None


def _start_process() -> None:
    global _engine
    _engine = _load()


def _in_process(chunk: Chunk, change: Change) -> bytes:
    assert _engine is not None
    return msgspec.msgpack.encode(judged(chunk, change, _engine))


_read_part: Final = msgspec.msgpack.Decoder(Part)


def _in_processes(chunks: Iterator[Chunk], change: Change, processes: int) -> Iterator[Part]:
    # Not forked: the caller may have threads, such as one that draws a progress bar.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_start_process) as pool:
        waiting: deque[Future[bytes]] = deque()
        for chunk in chunks:
            waiting.append(pool.submit(_in_process, chunk, change))
            if len(waiting) > AHEAD * processes:
                yield _read_part.decode(waiting.popleft().result())
        while waiting:
            yield _read_part.decode(waiting.popleft().result())


def _decoded(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in lines]


def _on_queue(chunks: Iterator[Chunk], change: Change, fanout: Fanout) -> Iterator[Part]:
    waiting: deque[tuple[Chunk, _Read, Any, Any]] = deque()

    def finished() -> Part:
        chunk, read, before, after = waiting.popleft()
        if not read.rounds:
            return Part(read.tally, [])
        was = _recorded(chunk, read) if before is None else _decoded(fanout.answers(before))
        return _part(chunk, read, was, _decoded(fanout.answers(after)))

    for chunk in chunks:
        read = _read(chunk, change)
        lines = [chunk.lines[number - chunk.first] for number, _ in read.rounds]
        before = fanout.start(lines) if chunk.recorded is None and lines else None
        changed = [msgspec.json.encode(change.of(round)) for _, round in read.rounds]
        waiting.append((chunk, read, before, fanout.start(changed) if changed else None))
        if len(waiting) > AHEAD:
            yield finished()
    while waiting:
        yield finished()
