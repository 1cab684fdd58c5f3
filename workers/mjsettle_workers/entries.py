"""Rounds as they come off the stream: read once, brought into canonical form, and checked for what the queue needs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from mjsettle_workers.keys import DAY_S

UNITS_SINCE_S = 1_000_000_000
"""The year 2001: a number that is a later time in other units than seconds was meant in those."""
ID_PATTERN = re.compile(r"[A-Za-z0-9._:/-]{1,128}")

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(order="deterministic").encode

Fault = dict[str, str]
"""One element of a refused result's ``errors``: ``code``, ``field``, ``message``."""


class Sent:
    """One round as sent, and what the queue knows of it."""

    __slots__ = ("body", "day", "edition", "faults", "id", "raw", "rest", "rule")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.id: str | None = None
        """The idempotency key; None if it cannot be read."""
        self.body = b""
        """The round as canonical JSON (keys sorted, no white space): what is judged, stored and compared."""
        self.rest = b""
        """The canonical round without id and ended_at: all that its answer can depend on, and the cache's key."""
        self.day = 0
        """The shard of the result store, as days since 1970."""
        self.rule = ""
        self.edition: str | None = None
        self.faults: list[Fault] = []
        """What the queue itself finds wrong, beside what the judge will find."""


@dataclass(slots=True, eq=False)
class Entry:
    """One entry of a stream: a live round, or a part of a large batch."""

    entry: str
    rounds: list[Sent]
    stream: int = 1
    """1 the rounds, 2 the parts: the number of the key in the scripts."""
    to: str = ""
    room: str = ""
    seq: int = 0
    batch: str = ""
    part: str = ""
    at: str = ""
    """The part's positions in its batch, comma-separated."""
    unrecorded: bool = False
    """Whether the batch is only judged: nothing stored, nothing on the results stream."""
    parked: bool = False
    overdue: bool = False
    """Whether an ordered room's round has waited long enough for its predecessor."""
    suspect: bool = False
    """Whether a solo attempt is noted under its body."""
    reason: str = ""
    """Why the judge failed at it."""
    answers: list[bytes] = field(default_factory=list)
    fixed: set[int] = field(default_factory=set)
    """Rounds whose answer is only given, not stored: conflicts, rounds too old, rounds without an id."""
    lacking: set[int] = field(default_factory=set)
    """Rounds refused only for a rule set or edition that workers lack: answered from the store where it knows the id,
    but not stored, so that they are judged again once workers have it."""

    @property
    def digest(self) -> str:
        """Tells its bodies from any others: the same for copies of one round."""
        whole = hashlib.blake2b(digest_size=12)
        for sent in self.rounds:
            whole.update(sent.body or sent.raw)
        return whole.hexdigest()

    @property
    def born_ms(self) -> int:
        """When the entry was appended, by the server's clock."""
        return int(self.entry.partition("-")[0])


def fault(code: str, where: str, message: str) -> Fault:
    """One element of ``errors``."""
    return {"code": code, "field": where, "message": message}


def read_round(raw: bytes, now_s: int, *, bytes_max: int, ahead_s: int) -> Sent:
    """Read one round's JSON. Never raises: what cannot be read has no id, and its fault says why."""
    sent = Sent(raw)
    sent.day = now_s // DAY_S
    if len(raw) > bytes_max:
        sent.faults.append(fault("too_long", "", f"found {len(raw)} bytes, expected at most {bytes_max}"))
        return sent
    try:
        value = _decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        sent.faults.append(fault("unreadable", "", f"expected one JSON object: {error}"))
        return sent
    if not isinstance(value, dict):
        sent.faults.append(fault("unreadable", "", f"found {type(value).__name__}, expected one JSON object"))
        return sent
    _fill(sent, value, now_s, ahead_s)
    return sent


def _fill(sent: Sent, value: dict[str, Any], now_s: int, ahead_s: int) -> None:
    ident = value.pop("id", None)
    ended_at = value.pop("ended_at", None)
    try:
        sent.rest = _encode(value)
    except RecursionError:
        sent.faults.append(fault("unreadable", "", "expected JSON nested less deeply"))
        return
    head = {"id": ident} if ended_at is None else {"ended_at": ended_at, "id": ident}
    sent.body = _encode(head)[:-1] + (b"," + sent.rest[1:] if value else b"}")
    rule, edition = value.get("rule"), value.get("edition")
    sent.rule = rule if isinstance(rule, str) else ""
    sent.edition = edition if isinstance(edition, str) else None
    if isinstance(ident, str) and ID_PATTERN.fullmatch(ident):
        sent.id = ident
    elif ident is None:
        sent.faults.append(fault("missing", "id", "found nothing, expected the round's id"))
    else:
        told = f"found {str(ident)[:140]!r}, expected 1 to 128 of A-Z a-z 0-9 . _ : / -"
        sent.faults.append(fault("bad_id", "id", told))
    if ended_at is None:
        sent.faults.append(
            fault("missing", "ended_at", "found nothing, expected whole UTC seconds, to be remembered by")
        )
    elif type(ended_at) is not int or ended_at < 0:
        sent.faults.append(fault("wrong_type", "ended_at", f"found {ended_at!r}, expected whole UTC seconds"))
    elif ended_at > now_s + ahead_s:
        sent.faults.append(fault("too_new", "ended_at", _too_new(ended_at, now_s + ahead_s)))
    else:
        sent.day = ended_at // DAY_S


def _too_new(ended_at: int, latest_s: int) -> str:
    told = f"found {ended_at}, expected whole UTC seconds, at most {latest_s}"
    for unit, per_second in (("milliseconds", 1_000), ("microseconds", 1_000_000), ("nanoseconds", 1_000_000_000)):
        if UNITS_SINCE_S <= ended_at // per_second <= latest_s:
            return f"{told}; it looks like {unit}: divide by {per_second}"
    return told


def read_entry(
    entry: bytes, fields: Mapping[bytes, bytes], stream: int, now_s: int, *, bytes_max: int, ahead_s: int
) -> Entry:
    """An entry of the rounds (``stream`` 1) or the parts (2); fields as the server gives them."""
    if stream == 1:
        sent = read_round(fields.get(b"round", b""), now_s, bytes_max=bytes_max, ahead_s=ahead_s)
        found = Entry(entry.decode(), [sent])
        if b"to" in fields:
            found.to = _name(fields[b"to"])
        if fields.get(b"seq", b"").isdigit():
            found.room, found.seq = _name(fields.get(b"room", b"")), int(fields[b"seq"])
        return found
    lines = fields.get(b"rounds", b"").split(b"\n")
    return Entry(
        entry.decode(),
        [read_round(line, now_s, bytes_max=bytes_max, ahead_s=ahead_s) for line in lines],
        stream=2,
        batch=fields.get(b"batch", b"").decode(),
        part=fields.get(b"part", b"").decode(),
        at=fields.get(b"at", b"").decode(),
        unrecorded=b"unrecorded" in fields,
    )


def _name(raw: bytes) -> str:
    """The name of a room or its stream; one that is not of an id's characters is as good as none."""
    text = raw.decode("ascii", "replace")
    return text if ID_PATTERN.fullmatch(text) else ""


def first_difference(stored: bytes, sent: bytes) -> str:
    """Path of the first field, in sorted order, in which two canonical rounds differ, such as ``players[2].hand``."""
    return _difference(_decode(stored), _decode(sent), "")


def _difference(a: Any, b: Any, path: str) -> str:
    if isinstance(a, dict) and isinstance(b, dict):
        for name in sorted({*a, *b}):
            where = f"{path}.{name}" if path else name
            if name not in a or name not in b:
                return where
            if found := _difference(a[name], b[name], where):
                return found
        return ""
    if isinstance(a, list) and isinstance(b, list):
        for i in range(max(len(a), len(b))):
            where = f"{path}[{i}]"
            if i >= len(a) or i >= len(b):
                return where
            if found := _difference(a[i], b[i], where):
                return found
        return ""
    # 1, 1.0 and true are different JSON texts, hence different bodies.
    return path if _encode(a) != _encode(b) else ""
