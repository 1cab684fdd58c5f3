"""Rounds on their way out: as bytes, by id, and what may come of sending them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from mjsettle.errors import MjsettleError
from mjsettle_workers.entries import ID_PATTERN, fault

Round = bytes | str | Mapping[str, Any]
"""A round as JSON or as a mapping."""

_encode = msgspec.json.encode


class _Id(msgspec.Struct):
    id: str | None = None
    entry: str | None = None


_read_id = msgspec.json.Decoder(_Id).decode


class TooLong(NamedTuple):
    """A round that the queue does not take."""

    place: int
    """Its number among the rounds that were sent, from 1."""
    id: str | None
    size: int
    """Its length in bytes."""


class QueueFullError(MjsettleError, RuntimeError):
    """The queue took fewer rounds than were sent; ``entries`` are those it took, in order."""

    def __init__(self, entries: Sequence[str], sent: int) -> None:
        super().__init__(f"the queue took {len(entries)} of {sent} rounds and is full; send the others later")
        self.entries = list(entries)


class RoundsTooLongError(MjsettleError, ValueError):
    """Rounds that are too long for the queue, ``rounds``; all others were sent, as ``entries``, in order."""

    def __init__(self, rounds: Sequence[TooLong], bytes_max: int, entries: Sequence[str]) -> None:
        self.rounds = list(rounds)
        self.entries = list(entries)
        named = [f"round {one.place} ({one.id or 'no id'}) has {one.size} bytes" for one in rounds[:3]]
        more = ", …" if len(rounds) > 3 else ""
        super().__init__(
            f"{', '.join(named)}{more}, expected at most {bytes_max}; "
            f"not sent: {len(rounds)} of {len(rounds) + len(entries)} rounds; the others were sent"
        )


class NoAnswerError(MjsettleError, RuntimeError):
    """Rounds that were not answered in time; ``ids`` names them. They may still be settled: send them again."""

    def __init__(self, ids: Iterable[str], sent: int, why: str = "") -> None:
        self.ids = sorted(ids)
        super().__init__(
            f"{len(self.ids)} of {sent} rounds without an answer, such as {', '.join(self.ids[:3])}; "
            f"{why or 'are workers running?'} Sending them again is safe"
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


def entry_of(answer: bytes) -> str:
    """The entry that an answer without an id names."""
    return _read_id(answer).entry or ""


def too_long_answer(line: bytes, place: int, bytes_max: int) -> bytes:
    """The refusal of a round that the queue does not take; one without an id is named by its place, from 1."""
    ident = id_of(line)
    named: dict[str, Any] = {"id": ident} if ident is not None else {"id": None, "line": place}
    told = fault("too_long", "", f"found {len(line)} bytes, expected at most {bytes_max}; the round was not sent")
    return _encode({**named, "status": "refused", "errors": [told]})
