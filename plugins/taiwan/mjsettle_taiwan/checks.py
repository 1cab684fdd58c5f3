"""What a round of Taiwanese mahjong must not contain, beyond what the core checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import (
    ENDINGS,
    added_kongs_robbed,
    chows_from_the_left,
    flowers_once,
    known_kongs,
    one_ending,
    one_liable,
    wilds_allowed,
    won_at_once,
    won_on_kongs,
)
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, FIRST_FLOWER, JOKER, parse_tiles
from mjsettle_taiwan.payments import EIGHT, SEVEN, flower_kind
from mjsettle_taiwan.table import ID_BY_NAME

EARLY_READY: Final = ("heavenly_ready", "earthly_ready")


def faults(round: Round, options: Options) -> Sequence[Fault]:
    """Every contradiction and everything that the switches do not let in."""
    endings = [type for type in ENDINGS if type != "flower_win" or options.flower_win_mode == "win"]
    return [
        *one_ending(round, endings),
        *known_kongs(round),
        *won_on_kongs(round),
        *won_at_once(round, by_anyone=True),
        *added_kongs_robbed(round),
        *chows_from_the_left(round),
        *flowers_once(round, True),
        *wilds_allowed(round, options.wilds),
        *one_liable(round, list(ID_BY_NAME)),
        *_liability_faults(round, options),
        *_ready_faults(round),
        *_event_faults(round),
        *(_one_flower_win(round) if "flower_win" not in endings else ()),
    ]


def _liability_faults(round: Round, options: Options) -> Iterator[Fault]:
    for index, event in enumerate(round.events):
        where = f"events[{index}].liable"
        if event.liable and not options.liability:
            yield Fault("not_allowed", where, "liability is off; set the option liability to allow it")
        elif event.liable and (event.from_ is not None or event.type != "win"):
            yield Fault("contradictory", where, "a liable seat pays for a self-draw only; leave out liable or `from`")


def _ready_faults(round: Round) -> Iterator[Fault]:
    won_at_once = {event.seat for event in round.events if "first_turn" in event.how}
    for seat, player in enumerate(round.players):
        for flag in EARLY_READY:
            if flag not in player.flags:
                continue
            where = f"players[{seat}].flags"
            if any(meld.kind != "concealed_kong" for meld in player.melds):
                yield Fault("contradictory", where, f"{flag}, yet the seat has claimed tiles; drop one of the two")
            if seat == round.dealer and seat in won_at_once:
                message = f"{flag} follows the dealer's first discard, first_turn comes before it; drop one of the two"
                yield Fault("contradictory", where, message)


def _event_faults(round: Round) -> Iterator[Fault]:
    for index, event in enumerate(round.events):
        if event.type not in ("flower_win", "false_win"):
            continue
        where = f"events[{index}]"
        if event.seat is None:
            yield Fault("missing", f"{where}.seat", f"missing; a {event.type} event needs seat")
        elif event.type == "flower_win":
            yield from _flower_win_faults(round, event, where)


def _one_flower_win(round: Round) -> Iterator[Fault]:
    """There are eight flowers: one win by them, even where play goes on after it."""
    told = [index for index, event in enumerate(round.events) if event.type == "flower_win"]
    for index in told[1:]:
        yield Fault("contradictory", f"events[{index}]", "a second flower_win; there are eight flowers, leave one out")


def _flower_win_faults(round: Round, event: Event, where: str) -> Iterator[Fault]:
    kind = flower_kind(event)
    if kind not in (EIGHT, SEVEN):
        yield Fault("unknown_kind", f"{where}.kind", f"found {kind!r}, expected {EIGHT} or {SEVEN}")
        return
    if (kind == SEVEN) != (event.from_ is not None):
        message = f"{SEVEN} is paid by the holder of the eighth flower, named in `from`; {EIGHT} has no `from`"
        yield Fault("contradictory", f"{where}.from", message)
    if event.tile is not None and not FIRST_FLOWER <= CODES.get(event.tile, 0) < JOKER:
        yield Fault("bad_tile", f"{where}.tile", f"found {event.tile}, expected the last flower, 1f..8f")
    if kind == SEVEN:
        yield from _robbed_flower_faults(round, event, where)
    own = set(parse_tiles(round.players[event.seat or 0].flowers))
    drawn = {CODES[event.tile]} if event.tile in CODES else set()
    found, least = (own - drawn, 7) if kind == SEVEN else (own | drawn, 8)
    # The flowers may be left out: the event tells how many they are.
    if own and len(found) != least:
        message = f"seat {event.seat} has {len(found)} flowers for {kind}, expected {least}"
        yield Fault("contradictory", f"players[{event.seat}].flowers", message)


def _robbed_flower_faults(round: Round, event: Event, where: str) -> Iterator[Fault]:
    """七搶一 is paid by whoever exposed the eighth flower."""
    for seat, player in enumerate(round.players):
        if seat not in (event.seat, event.from_) and player.flowers:
            message = f"seat {seat} has set aside {player.flowers}, yet the eighth flower is robbed from {event.from_}"
            yield Fault("contradictory", f"{where}.from", message)


CHECKS: Final = (Check("taiwan", faults),)
