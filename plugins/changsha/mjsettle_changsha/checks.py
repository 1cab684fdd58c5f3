"""What a round must keep to beyond the core's demands (sheet sections 1, 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mjsettle import plausible
from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check, tile_set
from mjsettle.tiles import CODES, FIRST_HONOUR, KIND_OF, parse_tiles
from mjsettle_changsha.kongs import STYLES, SUPPLEMENT, joins, last_kong, turned_for
from mjsettle_changsha.opening import BY_NAME, Opening, counts_of, paying

TILES: Final = tile_set(honours="")
KONGS: Final = ("kong", "added_kong", "concealed_kong")


def table_faults(round: Round, options: Options) -> Sequence[Fault]:
    """No wild tiles; chows from the seat before."""
    found = [
        Fault("not_allowed", f"wild[{at}]", f"found {name}; this rule set has no wild tiles")
        for at, name in enumerate(round.wild)
    ]
    if not _last_tile_is_bird(round):
        found += plausible.birds_left(round, TILES)
    found += [
        Fault("unknown_field", where, "only an opening event has dice") for where, extra in _extras(round) if extra
    ]
    seats = len(round.players)
    for seat, player in enumerate(round.players):
        for at, meld in enumerate(player.melds):
            before = (seat - 1) % seats
            if meld.kind == "chow" and meld.from_ not in (None, before):
                message = f"found a chow from seat {meld.from_}; chows are claimed from the seat before, {before}"
                found.append(Fault("not_allowed", f"players[{seat}].melds[{at}].from", message))
    return found


def _last_tile_is_bird(round: Round) -> bool:
    """Whether the birds that are told are the winning tile of a 海底, once or twice (§6)."""
    last = {event.tile for event in round.events if event.type == "win" and "last_tile" in event.how}
    return set(round.birds) <= last


def _extras(round: Round) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where nothing may be added."""
    yield "extra", round.extra
    yield from ((f"players[{seat}].extra", player.extra) for seat, player in enumerate(round.players))
    others = ((index, event) for index, event in enumerate(round.events) if event.type != "opening")
    yield from ((f"events[{index}].extra", event.extra) for index, event in others)


def event_faults(round: Round, options: Options) -> Sequence[Fault]:
    """Which kongs there are, what is won on their tiles, and what follows what."""
    found = [*plausible.won_at_once(round), *_order_faults(round.events)]
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        if event.type == "kong":
            found += _kong_faults(event, where)
        elif event.type == "win":
            found += _win_faults(round, index, event, options, where)
        elif event.type == "opening":
            found += _opening_faults(round, index, event, options, where)
    return found


def _order_faults(events: Sequence[Event]) -> Iterator[Fault]:
    """Nothing follows a win but further wins on its tile or on tiles turned with it; nor does a draw."""
    ended: Event | None = None
    last: Event | None = None
    for index, event in enumerate(events):
        if ended is not None:
            further = event.type == "win" and last is not None and last.type == "win"
            if not further or last is None or not (_same_tile(ended, event) or joins(last, event)):
                message = f"{event.type} after the {ended.type} that ended the round; leave one out"
                yield Fault("contradictory", f"events[{index}]", message)
        if event.type in ("win", "exhaustive_draw"):
            ended = ended or event
        last = event
    wins = [
        (event.seat, event.from_, event.tile) for event in events if event.type == "win" and event.from_ is not None
    ]
    if len(set(wins)) < len(wins) and not any("kong_discard" in event.how for event in events):
        yield Fault("contradictory", "events", "a seat wins the same tile twice; leave one out")


def _same_tile(first: Event, event: Event) -> bool:
    return first.type == "win" and event.from_ is not None and (event.from_, event.tile) == (first.from_, first.tile)


def _kong_faults(event: Event, where: str) -> Iterator[Fault]:
    if event.kind not in KONGS:
        yield Fault("unknown_kind", f"{where}.kind", f"found {event.kind!r}, expected one of {', '.join(KONGS)}")
    if event.style is not None and event.style not in STYLES:
        message = f"found {event.style!r}, expected {' or '.join(STYLES)} (a 开杠, the default)"
        yield Fault("unknown_style", f"{where}.style", message)


def _win_faults(round: Round, index: int, event: Event, options: Options, where: str) -> Iterator[Fault]:
    if event.liable:
        yield Fault("not_allowed", f"{where}.liable", "nobody is liable for another's win here; leave out `liable`")
    if event.seat is None or event.tile is None:
        return
    giver = event.seat if event.from_ is None else event.from_
    robbed = "rob_kong" in event.how
    kong = last_kong(round, index, giver, CODES[event.tile], robbed)
    if robbed and kong is not None and kong.kind != "added_kong":
        yield Fault("not_allowed", f"{where}.how", f"found a win on the tile of a {kong.kind}; added kongs are robbed")
    tiles = len(turned_for(round, index, event.seat))
    most = 1 if kong is not None and kong.style == SUPPLEMENT else options.kong_tiles
    if tiles > most:
        what = "a 补张 turns one tile" if most == 1 else f"a 开杠 turns {most} tiles (option kong_tiles)"
        yield Fault("contradictory", where, f"seat {event.seat} wins on {tiles} turned tiles; {what}")


def _opening_faults(round: Round, index: int, event: Event, options: Options, where: str) -> Iterator[Fault]:
    if event.seat is None:
        yield Fault("missing", f"{where}.seat", "missing; an opening event names its seat")
    if not event.kinds and not event.tiles:
        yield Fault(
            "missing", f"{where}.kinds", "missing; an opening event names the kinds it shows, or the first tiles"
        )
    allowed = paying(options)
    claimed = [BY_NAME[name] for name in event.kinds if name in BY_NAME]
    for at, name in enumerate(event.kinds):
        if BY_NAME.get(name) not in allowed:
            listed = ", ".join(f"{kind.id} {kind.name}" for kind in allowed) or "none"
            message = f"found {name!r}; the opening hands under these options are {listed}"
            yield Fault("unknown_kind", f"{where}.kinds[{at}]", message)
    yield from _dice_faults(event, where)
    yield from _shown_faults(event, claimed, where)
    if not any(kind.later for kind in claimed):
        before = round.events[:index]
        if any(other.type in ("win", "kong") for other in before):
            message = "an opening hand is shown before the dealer's first discard; put it before kongs and wins"
            yield Fault("contradictory", where, message)
        if any(other.type == "opening" and other.seat == event.seat for other in before):
            message = f"seat {event.seat} has shown its first tiles already; list all kinds in one event"
            yield Fault("contradictory", f"{where}.seat", message)


def _dice_faults(event: Event, where: str) -> Iterator[Fault]:
    dice = event.extra.get("dice", [])
    if not isinstance(dice, list) or len(dice) > 2 or not all(type(n) is int and 1 <= n <= 6 for n in dice):
        yield Fault("bad_dice", f"{where}.extra.dice", f"found {dice!r}, expected the two dice, such as [1, 6]")


def _shown_faults(event: Event, claimed: Sequence[Opening], where: str) -> Iterator[Fault]:
    """Where the first tiles are listed, they show what is claimed."""
    if not event.tiles:
        return
    codes = parse_tiles(event.tiles)
    if len(codes) not in (13, 14) or any(KIND_OF[code] >= FIRST_HONOUR for code in codes):
        yield Fault(
            "bad_tile", f"{where}.tiles", f"found {event.tiles}, expected the 13 or 14 suited tiles of the deal"
        )
        return
    counts = counts_of(codes)
    for kind in claimed:
        if kind.test is not None and not kind.test(counts):
            yield Fault("contradictory", f"{where}.kinds", f"{event.tiles} does not show {kind.id} {kind.name}")


CHECKS: Final = (Check("table", table_faults), Check("events", event_faults))
