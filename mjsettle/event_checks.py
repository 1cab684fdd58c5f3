"""What can be wrong with the events of a round, and the wins among them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mjsettle.ledger import Win
from mjsettle.rewind import Melds, kongs_after, rewound, robbed_back
from mjsettle.tiles import CODES, KIND_OF, NAMES

if TYPE_CHECKING:
    from mjsettle.round_parts import ReadRound
    from mjsettle.rounds import Event, Round

_NEEDS_SOURCE: Final = ("rob_kong", "kong_discard")
_NEEDS_DRAW: Final = ("kong_draw", "flower_draw", "kong_on_kong")
_NO_WORDS: Final[frozenset[str]] = frozenset()


def read_event(read: ReadRound, index: int, event: Event) -> None:
    """Note what is wrong with an event, and the win that it tells of."""
    seats = len(read.round.players)
    if event.seat is not None and event.seat >= seats:
        read.fault("bad_seat", f"events[{index}].seat", f"found seat {event.seat}, expected 0..{seats - 1}")
    if event.seats or event.liable:
        _named_seats(read, index, event, seats)
    if event.from_ is not None:
        read.source_fault(event.from_, event.seat, f"events[{index}].from")
    if event.add or event.remove:
        name = "add" if event.add else "remove"
        message = f"only a hand_delta has {name}; leave it out of a {event.type}"
        read.fault("unknown_field", f"events[{index}].{name}", message)
    if event.tiles:
        read.some_tiles(event.tiles, f"events[{index}].tiles")
    code = None
    if event.tile is not None:
        code = CODES.get(event.tile)
        if code is None:
            read.one_tile(event.tile, f"events[{index}].tile")
    if event.type == "win":
        _read_win(read, index, event, code)
    elif event.type == "kong":
        _kong_faults(read, index, event)


def _named_seats(read: ReadRound, index: int, event: Event, seats: int) -> None:
    for at, seat in enumerate(event.seats):
        if seat >= seats:
            read.fault("bad_seat", f"events[{index}].seats[{at}]", f"found seat {seat}, expected 0..{seats - 1}")
    for at, liable in enumerate(event.liable):
        if liable.seat >= seats:
            where = f"events[{index}].liable[{at}].seat"
            read.fault("bad_seat", where, f"found seat {liable.seat}, expected 0..{seats - 1}")


def _kong_faults(read: ReadRound, index: int, event: Event) -> None:
    where = f"events[{index}]"
    if event.seat is None:
        read.fault("missing", f"{where}.seat", "missing; a kong event needs seat")
    if event.kind is None:
        read.fault("missing", f"{where}.kind", "missing; a kong event needs kind")
    if event.kind == "kong" and event.from_ is None:
        read.fault("missing", f"{where}.from", "missing; a kong claimed from a discard names its feeder")
    if event.kind == "concealed_kong" and event.from_ is not None:
        read.fault("contradictory", f"{where}.from", "a concealed kong is claimed from nobody; leave out `from`")


def _read_win(read: ReadRound, index: int, event: Event, code: int | None) -> None:
    seat = event.seat
    if seat is None:
        read.fault("missing", f"events[{index}].seat", "missing; a win event needs seat")
    if event.tile is None:
        read.fault("missing", f"events[{index}].tile", "missing; a win event needs tile")
    how = _NO_WORDS
    if event.how:
        how = frozenset(event.how)
        _how_faults(read, event, how, f"events[{index}].how")
    if seat is not None and code is not None and seat < len(read.round.players):
        read.wins.append(Win(seat, code, event.from_, how, index, event))


def _how_faults(read: ReadRound, event: Event, how: frozenset[str], where: str) -> None:
    if len(how) != len(event.how):
        read.fault("contradictory", where, "a word is listed twice; list each once")
    if event.from_ is None:
        for word in _NEEDS_SOURCE:
            if word in how:
                read.fault("contradictory", where, f"{word} is a win on another seat's tile; name it in `from`")
        if "kong_on_kong" in how and "kong_draw" not in how:
            message = "kong_on_kong says more of a kong_draw; add kong_draw or leave it out"
            read.fault("contradictory", where, message)
    else:
        for word in _NEEDS_DRAW:
            if word in how:
                read.fault("contradictory", where, f"{word} is a self-draw; leave out `from` or {word}")
    if "rob_kong" in how and "kong_discard" in how:
        read.fault("contradictory", where, "a tile is either robbed from a kong or discarded after one")


def robbed_kongs(round: Round) -> frozenset[int]:
    """The added kongs whose tile a later win robs; the last such kong before the win."""
    robbed = set()
    for index, event in enumerate(round.events):
        if event.type != "win" or not event.how or "rob_kong" not in event.how or event.tile not in CODES:
            continue
        for back in range(index - 1, -1, -1):
            kong = round.events[back]
            if (
                kong.type == "kong"
                and kong.seat == event.from_
                and (kong.tile is None or CODES.get(kong.tile, -1) in _same_kind(event.tile))
            ):
                robbed.add(back)
                break
    return frozenset(robbed)


def leave_pungs(read: ReadRound) -> None:
    """Robbed kongs stay the pungs that they were, whatever the melds at the end of the round list."""
    for win in read.wins:
        if "rob_kong" in win.how and win.source is not None and win.source < len(read.melds):
            read.melds[win.source] = robbed_back(read.melds[win.source], win.tile)


def hands_before(read: ReadRound) -> dict[int | None, tuple[tuple[int, ...], Melds]]:
    """The hands of the wins after which their winner went on and made kongs."""
    found: dict[int | None, tuple[tuple[int, ...], Melds]] = {}
    events = read.round.events
    for win in read.wins:
        if win.index is None or win.index + 1 == len(events) or read.hands[win.seat] is None:
            continue
        kongs = kongs_after(events, read.robbed, win.index, win.seat)
        hand = read.hands[win.seat]
        if kongs and hand is not None:
            found[win.index] = rewound(hand.codes, read.melds[win.seat], kongs)
    return found


@lru_cache(maxsize=64)
def _same_kind(tile: str) -> frozenset[int]:
    kind = KIND_OF[CODES[tile]]
    return frozenset(code for code in range(len(NAMES)) if KIND_OF[code] == kind)
