"""What a Hangzhou round must keep to beyond the core's demands (sheet sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import one_ending, one_liable, won_at_once
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, FIRST_FLOWER, KIND_OF, parse_tiles
from mjsettle_hangzhou.fans import fans_of
from mjsettle_hangzhou.wilds import WHITE, wild_kinds

KONGS: Final = ("kong", "added_kong", "concealed_kong")


def faults(round: Round, options: Options) -> Sequence[Fault]:
    """Everything that contradicts itself or that the switches do not let in."""
    found = [*_wild_faults(round, options)]
    if found:
        return found
    return [
        *one_ending(round),
        *won_at_once(round),
        *one_liable(round, [fan.id for fan in fans_of(options)]),
        *_meld_faults(round, options),
        *_event_faults(round, options),
        *_copy_faults(round, options),
    ]


def _wild_faults(round: Round, options: Options) -> Iterator[Fault]:
    wild = wild_kinds(round, options)
    if options.caishen == "white" and wild - {WHITE}:
        message = f"found {' '.join(round.wild)}; 白板 (5z) is the 财神, set the option caishen to turn one"
        yield Fault("not_allowed", "wild", message)
    elif len(wild) > 1 or any(kind >= FIRST_FLOWER for kind in wild):
        yield Fault("not_allowed", "wild", f"found {' '.join(round.wild)}, expected one suited tile or honour")
    elif not wild:
        yield Fault("missing", "wild", "missing; with a turned 财神 (caishen flip) the round names it")


def _meld_faults(round: Round, options: Options) -> Iterator[Fault]:
    wild = wild_kinds(round, options)
    for seat, player in enumerate(round.players):
        for at, meld in enumerate(player.melds):
            where = f"players[{seat}].melds[{at}]"
            if wild.intersection(KIND_OF[code] for code in parse_tiles(meld.tiles)):
                yield Fault("not_allowed", where, f"found {meld.tiles}; the 财神 is not melded")
            if meld.kind != "chow":
                continue
            if not options.chi:
                yield Fault("not_allowed", where, "found a chow; set the option chi to allow them")
            elif meld.from_ not in (None, (seat - 1) % len(round.players)):
                message = f"found seat {meld.from_}, expected the seat before, which alone feeds chows"
                yield Fault("bad_seat", f"{where}.from", message)


def _event_faults(round: Round, options: Options) -> Iterator[Fault]:
    wild = wild_kinds(round, options)
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        kind = None if event.tile is None else KIND_OF[CODES[event.tile]]
        if event.type == "win" and event.from_ is not None:
            yield from _discard_win_faults(round, options, event, where)
        elif event.type == "kong":
            if event.kind not in KONGS:
                yield Fault(
                    "unknown_kind", f"{where}.kind", f"found {event.kind!r}, expected one of {', '.join(KONGS)}"
                )
            if kind in wild:
                yield Fault("not_allowed", f"{where}.tile", f"found {event.tile}; the 财神 is not konged")
        elif event.type in ("wild_discard", "discard"):
            if event.seat is None:
                yield Fault("missing", f"{where}.seat", f"missing; a {event.type} event needs seat")
            if event.type == "wild_discard" and kind is not None and kind not in wild:
                yield Fault("contradictory", f"{where}.tile", f"found {event.tile}, which is no 财神 in this round")


def _discard_win_faults(round: Round, options: Options, event: Event, where: str) -> Iterator[Fault]:
    if not options.laozhuang_ron:
        message = "wins are self-drawn; the option laozhuang_ron allows discards at 三老庄"
        yield Fault("not_allowed", f"{where}.from", message)
    elif round.streak < 2 or round.dealer not in (event.seat, event.from_):
        message = "discards are won at 三老庄 (streak 2 or more) only, and only between the dealer and another seat"
        yield Fault("not_allowed", f"{where}.from", message)
    elif KIND_OF[CODES[event.tile or "5z"]] in wild_kinds(round, options):
        yield Fault("not_allowed", f"{where}.tile", "a discarded 财神 cannot be won")


def _copy_faults(round: Round, options: Options) -> Iterator[Fault]:
    """The discarded 财神 and those still held are four at most."""
    wild = wild_kinds(round, options)
    held = sum(KIND_OF[code] in wild for player in round.players for code in parse_tiles(player.hand or ""))
    drawn = [event for event in round.events if event.type == "win" and event.from_ is None]
    held += sum(event.tile is not None and KIND_OF[CODES[event.tile]] in wild for event in drawn)
    gone = sum(event.type == "wild_discard" for event in round.events)
    if held + gone > 4:
        yield Fault("fifth_copy", "events", f"found {gone} 财神 discarded and {held} held; there are four")


CHECKS: Final = (Check("hangzhou", faults),)
