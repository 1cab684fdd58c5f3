"""Rounds as rooms post them: the wire's fields as typed structures."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from mjsettle.errors import Fault
from mjsettle.misfits import brief, misfits

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


_ID: Final = "1 to 128 of A-Z a-z 0-9 . _ : / -, made by the room; the same id is settled once"
_PLAYERS: Final = "the seats in turn order: seat 0, seat 1, and so on; as many as play"
_EDITION: Final = "pins one of the rule set's editions; without it the newest that is installed"
_ENDED_AT: Final = "when the round ended, whole UTC seconds; required on the queue"
_OPTIONS: Final = "switches of the rule set that differ from its defaults, `preset` first; an unknown one is refused"
_WILD: Final = "the kinds that are wild in this round, not their indicator; 1x always is, 5m covers 0m"
_EVENTS: Final = "what happened, in order; only what is listed is settled"
_BIRDS: Final = "tiles turned for birds or horses (扎鸟, 买马, 奖马), in order; without them they bring no money"
_EXTRA: Final = "facts that one rule set alone asks for; it refuses keys that it does not know"
_HAND: Final = "concealed tiles at the end, without the winning tile; null where they are not known"
_MELDS: Final = "exposed sets and concealed kongs; kong money comes with the `kong` event, not from here"
_MELD_KIND: Final = "chow, pung, kong (from a discard), added_kong, concealed_kong, mixed_kong"
_MELD_FROM: Final = "the seat it was claimed from; of an added_kong, its pung; none for a concealed_kong"
_BALANCE: Final = "points that the seat has, where payments are limited to them"
_FLAGS: Final = "what the seat has declared; the words are the rule set's"
_DISCARDS: Final = "own discards in order, where a rule needs them; a list or one text"
_EVENT_FROM: Final = "the discarder or the robbed seat; left out on a self-draw"
_HOW: Final = "circumstances of a win; see the words of `how`"
_LIABLE: Final = "seats that pay for others (包), where the room has decided it"
_EVENT_KIND: Final = "which kong, draw or false win; the kinds of a kong are those of its meld"


class Wire(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Base of what is read from the wire; unknown fields are refused."""


class Meld(Wire):
    """An exposed set or a concealed kong."""

    kind: Annotated[Word, Meta(description=_MELD_KIND, examples=["pung"])]
    tiles: Annotated[HandText, Meta(description="its tiles, three or four", examples=["222s"])]
    from_: Annotated[Seat | None, Meta(description=_MELD_FROM, examples=[3])] = msgspec.field(default=None, name="from")


class Liable(Wire):
    """A seat that the room has decided to be liable (包)."""

    seat: Annotated[Seat, Meta(description="who pays for the others", examples=[1])]
    fan: Annotated[
        str, Meta(description="the fan it is liable for, by id; empty: the whole win", examples=["daisangen"])
    ] = ""


class Player(Wire):
    """One seat at the end of the round; `{}` where nothing of it is needed."""

    hand: Annotated[HandText | None, Meta(description=_HAND, examples=["12345m567p1s5z"])] = None
    melds: Annotated[list[Meld], Meta(max_length=6, description=_MELDS)] = []
    flowers: Annotated[HandText, Meta(description="flowers set aside, by the number on them", examples=["15f"])] = ""
    balance: Annotated[Points | None, Meta(description=_BALANCE, examples=[2000])] = None
    void: Annotated[str | None, Meta(description="the declared missing suit (定缺): m, p or s", examples=["s"])] = None
    flags: Annotated[list[Word], Meta(max_length=32, description=_FLAGS, examples=[["riichi"]])] = []
    discards: Annotated[
        Annotated[list[TileText], Meta(max_length=80)] | HandTextLong | None,
        Meta(description=_DISCARDS, examples=[["1z", "9m"], "1z9m"]),
    ] = None
    norths: Annotated[int, Meta(ge=0, le=4, description="norths set aside (riichi, three players)", examples=[1])] = 0
    extra: Annotated[dict[str, Any], Meta(description=_EXTRA, examples=[{"piao": 1}])] = {}


class Event(Wire):
    """Something that happened, in order. Which fields an event type uses is the rule set's word."""

    type: Annotated[Word, Meta(description="what happened; see the event types", examples=["win"])]
    seat: Annotated[
        Seat | None, Meta(description="whose event it is: the winner, who makes the kong", examples=[2])
    ] = None
    tile: Annotated[TileText | None, Meta(description="the winning tile, the tile of the kong", examples=["6m"])] = None
    from_: Annotated[Seat | None, Meta(description=_EVENT_FROM, examples=[1])] = msgspec.field(
        default=None, name="from"
    )
    how: Annotated[list[Word], Meta(max_length=16, description=_HOW, examples=[["kong_draw"]])] = []
    liable: Annotated[list[Liable], Meta(max_length=16, description=_LIABLE, examples=[[{"seat": 1}]])] = []
    kind: Annotated[Word | None, Meta(description=_EVENT_KIND, examples=["concealed_kong"])] = None
    style: Annotated[Word | None, Meta(description="how a kong was made (补张)", examples=["supplement"])] = None
    delayed: Annotated[
        bool, Meta(description="a kong made later than the draw of its fourth tile", examples=[True])
    ] = False
    kinds: Annotated[
        list[Word], Meta(max_length=32, description="opening hands that are shown (起手胡)", examples=[["四喜"]])
    ] = []
    seats: Annotated[
        list[Seat], Meta(max_length=4, description="several seats, for rule sets that ask for them", examples=[[1, 3]])
    ] = []
    tiles: Annotated[HandText, Meta(description="several tiles: of a deal, of a mixed kong", examples=["1234z"])] = ""
    count: Annotated[Count | None, Meta(description="a number, for rule sets that ask for one", examples=[2])] = None
    extra: Annotated[dict[str, Any], Meta(description=_EXTRA, examples=[{"konger_ready": True}])] = {}
    add: Annotated[HandText, Meta(description="hand_delta: tiles that came to the hand", examples=["3m"])] = ""
    remove: Annotated[HandText, Meta(description="hand_delta: tiles that left it, after `add`", examples=["5p"])] = ""


class Round(Wire):
    """An end-of-round record."""

    id: Annotated[RoundId, Meta(description=_ID, examples=["room-42/17"])]
    rule: Annotated[Word, Meta(description="the rule set's name", examples=["guangdong"])]
    players: Annotated[list[Player], Meta(min_length=2, max_length=4, description=_PLAYERS)]
    edition: Annotated[Word | None, Meta(description=_EDITION, examples=["2026.1"])] = None
    ended_at: Annotated[
        Annotated[int, Meta(ge=0, le=2**40)] | None, Meta(description=_ENDED_AT, examples=[1764480000])
    ] = None
    options: Annotated[dict[str, Any], Meta(description=_OPTIONS, examples=[{"horses": 2}])] = {}
    dealer: Annotated[Seat, Meta(description="seat of the dealer", examples=[0])] = 0
    round_wind: Annotated[
        TileText, Meta(description="1z to 4z; a seat's wind follows from `dealer`", examples=["2z"])
    ] = "1z"
    streak: Annotated[Count, Meta(description="times the deal was repeated before this round (连庄)", examples=[1])] = 0
    honba: Annotated[Count, Meta(description="honba counters (本场)", examples=[1])] = 0
    deposits: Annotated[
        Count, Meta(description="riichi sticks on the table (供托), a number of sticks", examples=[1])
    ] = 0
    wild: Annotated[list[TileText], Meta(max_length=8, description=_WILD, examples=[["5z"]])] = []
    dora: Annotated[list[TileText], Meta(max_length=10, description="dora indicators", examples=[["4p"]])] = []
    ura_dora: Annotated[list[TileText], Meta(max_length=10, description="ura dora indicators", examples=[["1z"]])] = []
    events: Annotated[list[Event], Meta(max_length=256, description=_EVENTS)] = []
    birds: Annotated[list[TileText], Meta(max_length=64, description=_BIRDS, examples=[["3m", "7p"]])] = []
    indicator: Annotated[
        Annotated[list[TileText], Meta(max_length=8)] | TileText | None,
        Meta(description="the tile turned to find the wild one", examples=["4z"]),
    ] = None
    pi: Annotated[list[TileText], Meta(max_length=8, description="the 皮 tiles (武汉)", examples=[["4z"]])] = []
    treasure: Annotated[TileText | None, Meta(description="the 宝牌 (长春)", examples=["5m"])] = None
    names: Annotated[
        bool, Meta(description="the result names each fan in every language that it has", examples=[True])
    ] = False
    extra: Annotated[dict[str, Any], Meta(description=_EXTRA, examples=[{"house": 1}])] = {}

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
    misfit = False
    for path, message in misfits(found, wanted):
        misfit = True
        told = f"found {brief(found)}, {_ID_EXPECTED}" if where == "id" else message
        faults.append(Fault("wrong_type", where + path, told))
    return not misfit


_ID_EXPECTED: Final = "expected 1 to 128 of the characters A-Z a-z 0-9 . _ : / -"


_CHILDREN: Final[dict[tuple[type[Struct], str], type[Struct]]] = {
    (Round, "players"): Player,
    (Round, "events"): Event,
    (Player, "melds"): Meld,
    (Event, "liable"): Liable,
}


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _kind_of(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}.get(
        type(value), "a number"
    )
