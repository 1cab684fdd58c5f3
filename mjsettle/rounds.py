"""Rounds as rooms post them: the wire's fields as typed structures."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from mjsettle.errors import Fault

Seat = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Points = Annotated[int, Meta(ge=-(2**53), le=2**53)]
TileText = Annotated[str, Meta(min_length=2, max_length=2)]
HandText = Annotated[str, Meta(max_length=64)]
HandTextLong = Annotated[str, Meta(max_length=200)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
RoundId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.:/\-]{1,128}\Z")]

ROUND_BYTES_MAX: Final = 65_536
"""The longest line that is read as a round."""


class Wire(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Base of what is read from the wire; unknown fields are refused."""


class Meld(Wire):
    """An exposed set or a concealed kong; `from_` is the seat it was claimed from."""

    kind: Word
    tiles: HandText
    from_: Seat | None = msgspec.field(default=None, name="from")


class Liable(Wire):
    """A seat that the room has decided to be liable (包) for a fan; `fan` may be empty for the whole win."""

    seat: Seat
    fan: str = ""


class Player(Wire):
    """One seat at the end of the round. `hand` is None where it is not known."""

    hand: HandText | None = None
    melds: Annotated[list[Meld], Meta(max_length=6)] = []
    flowers: HandText = ""
    balance: Points | None = None
    void: str | None = None
    flags: Annotated[list[Word], Meta(max_length=32)] = []
    discards: Annotated[list[TileText], Meta(max_length=80)] | HandTextLong | None = None
    norths: Annotated[int, Meta(ge=0, le=4)] = 0
    extra: dict[str, Any] = {}


class Event(Wire):
    """Something that happened, in order. Which fields an event type uses is the rule set's word.

    A `hand_delta` tells how the concealed tiles of `seat` changed: tiles that it adds and tiles that it removes (see
    mjsettle.hand_deltas).
    """

    type: Word
    seat: Seat | None = None
    tile: TileText | None = None
    from_: Seat | None = msgspec.field(default=None, name="from")
    how: Annotated[list[Word], Meta(max_length=16)] = []
    liable: Annotated[list[Liable], Meta(max_length=16)] = []
    kind: Word | None = None
    style: Word | None = None
    delayed: bool = False
    kinds: Annotated[list[Word], Meta(max_length=32)] = []
    seats: Annotated[list[Seat], Meta(max_length=4)] = []
    tiles: HandText = ""
    count: Count | None = None
    extra: dict[str, Any] = {}
    add: HandText = ""
    remove: HandText = ""


class Round(Wire):
    """An end-of-round record. `extra` (here, in players and in events) holds facts that one rule set alone asks for;
    a rule set refuses keys of it that it does not know."""

    id: RoundId
    rule: Word
    players: Annotated[list[Player], Meta(min_length=2, max_length=4)]
    edition: Word | None = None
    ended_at: Annotated[int, Meta(ge=0, le=2**40)] | None = None
    options: dict[str, Any] = {}
    dealer: Seat = 0
    round_wind: TileText = "1z"
    streak: Count = 0
    honba: Count = 0
    deposits: Count = 0
    wild: Annotated[list[TileText], Meta(max_length=8)] = []
    dora: Annotated[list[TileText], Meta(max_length=10)] = []
    ura_dora: Annotated[list[TileText], Meta(max_length=10)] = []
    events: Annotated[list[Event], Meta(max_length=256)] = []
    birds: Annotated[list[TileText], Meta(max_length=64)] = []
    indicator: Annotated[list[TileText], Meta(max_length=8)] | TileText | None = None
    pi: Annotated[list[TileText], Meta(max_length=8)] = []
    treasure: TileText | None = None
    names: bool = False
    extra: dict[str, Any] = {}

    def faults(self) -> list[Fault]:
        """Everything that is wrong with this round before any rule set is asked; see mjsettle.checks."""
        from mjsettle.checks import round_faults

        return round_faults(self)


_round_decoder: Final = msgspec.json.Decoder(Round)
_any_decoder: Final = msgspec.json.Decoder()


class Unreadable(Exception):  # noqa: N818 - an answer, not an accident
    """A line that is no round.

    `id` is the round's id where it could be read; `faults` lists every structural fault; `sound` is the part of the
    round without them, where there is enough of it to look for others (never to be settled).
    """

    def __init__(self, id: str | None, faults: list[Fault], sound: Round | None = None) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        self.id = id
        self.faults = faults
        self.sound = sound

    def concerns(self, fault: Fault) -> bool:
        """Whether a fault of the sound part may come from what is missing of it: it lies in the same object."""
        spoiled = [known.field for known in self.faults if known.code != "unknown_field"]
        objects = [path.rpartition(".")[0] or path for path in spoiled]
        return any(fault.field == path or fault.field.startswith((f"{path}.", f"{path}[")) for path in objects)


def decode_round(line: bytes) -> Round:
    """Read one JSON line; Unreadable lists every structural fault at once."""
    try:
        if len(line) <= ROUND_BYTES_MAX:
            return _round_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    if len(line) > ROUND_BYTES_MAX:
        message = f"found {len(line)} bytes, expected at most {ROUND_BYTES_MAX}; a round lists only what is settled"
        raise Unreadable(None, [Fault("too_long", "", message)])
    try:
        found = _any_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(None, [Fault("unreadable", "", f"not a JSON object: {error}")]) from None
    return round_of(found)


def round_of(found: Any) -> Round:
    """Read a round from a decoded JSON object; Unreadable lists every structural fault at once."""
    try:
        return msgspec.convert(found, Round)
    except (msgspec.ValidationError, RecursionError):
        pass
    if not isinstance(found, dict):
        message = f"found {_kind_of(found)}, expected a JSON object with id, rule and players"
        raise Unreadable(None, [Fault("unreadable", "", message)])
    faults: list[Fault] = []
    kept = _walk(found, Round, "", faults)
    id = found.get("id")
    try:
        sound = msgspec.convert({"id": "-", **kept}, Round)
    except (msgspec.ValidationError, RecursionError):
        sound = None
    faults = faults or [Fault("unreadable", "", "cannot be read as a round")]
    raise Unreadable(id if _converts(id, RoundId) else None, faults, sound)


def _walk(found: dict[str, Any], wanted: type[Struct], path: str, faults: list[Fault]) -> dict[str, Any]:
    """Collect the structural faults of a JSON object against a structure, field by field; answers its sound fields."""
    kept: dict[str, Any] = {}
    known = {field.encode_name: field for field in msgspec.structs.fields(wanted)}
    for name in found:
        if name not in known:
            message = f"unknown field; expected one of {', '.join(known)}"
            faults.append(Fault("unknown_field", _join(path, str(name)[:64]), message))
    for name, field in known.items():
        where = _join(path, name)
        if name not in found:
            if field.required:
                faults.append(Fault("missing", where, "missing; it is required"))
            continue
        item = _CHILDREN.get((wanted, name))
        if item is not None and isinstance(found[name], list):
            kept[name] = _walk_list(found[name], item, field.type, where, faults)
        elif _leaf(found[name], field.type, where, faults):
            kept[name] = found[name]
    return kept


def _walk_list(found: list[Any], item: type[Struct], wanted: Any, where: str, faults: list[Fault]) -> list[Any]:
    """The sound children up to the first of which nothing can be kept: later ones would get a wrong number."""
    before = len(faults)
    kept: list[Any] = []
    whole = True
    for at, child in enumerate(found[:256]):
        if not isinstance(child, dict):
            faults.append(Fault("wrong_type", f"{where}[{at}]", f"found {_kind_of(child)}, expected an object"))
            whole = False
            continue
        sound = _walk(child, item, f"{where}[{at}]", faults)
        whole = whole and _converts(sound, item)
        if whole:
            kept.append(sound)
    if len(faults) == before:
        _leaf(found, wanted, where, faults)
    return kept


def _converts(found: Any, wanted: Any) -> bool:
    try:
        msgspec.convert(found, wanted)
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


def _leaf(found: Any, wanted: Any, where: str, faults: list[Fault]) -> bool:
    try:
        msgspec.convert(found, wanted)
    except (msgspec.ValidationError, RecursionError) as error:
        expected = _ID_EXPECTED if where == "id" else str(error)
        faults.append(Fault("wrong_type", where, f"found {_brief(found)}: {expected}"))
        return False
    return True


_ID_EXPECTED: Final = "Expected 1 to 128 of the characters A-Z a-z 0-9 . _ : / -"


_CHILDREN: Final[dict[tuple[type[Struct], str], type[Struct]]] = {
    (Round, "players"): Player,
    (Round, "events"): Event,
    (Player, "melds"): Meld,
    (Event, "liable"): Liable,
}


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _kind_of(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}.get(
        type(value), "a number"
    )
