"""What a round of Hong Kong mahjong must not contain, beyond what the core checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import (
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
from mjsettle.tiles import CODES, FIRST_FLOWER, JOKER
from mjsettle_hongkong.payments import flowers_of
from mjsettle_hongkong.table import EIGHT_FLOWERS, SEVEN_FLOWERS, all_fans

_FLOWER_KINDS: Final = (SEVEN_FLOWERS.id, EIGHT_FLOWERS.id)


def faults(round: Round, options: Options) -> Sequence[Fault]:
    """Every contradiction and everything that the switches do not let in."""
    return [
        *one_ending(round),
        *known_kongs(round),
        *won_on_kongs(round),
        *won_at_once(round, by_anyone=True),
        *added_kongs_robbed(round),
        *chows_from_the_left(round),
        *flowers_once(round, options.flowers),
        *wilds_allowed(round, options.wilds),
        *_liable_faults(round, options),
        *_event_faults(round, options),
        *_option_faults(options),
    ]


def _liable_faults(round: Round, options: Options) -> Iterator[Fault]:
    if any(event.liable for event in round.events):
        yield from one_liable(round, [name for fan in all_fans(options) for name in (fan.id, fan.name)])


def _event_faults(round: Round, options: Options) -> Iterator[Fault]:
    for index, event in enumerate(round.events):
        if event.type not in ("flower_win", "false_win"):
            continue
        where = f"events[{index}]"
        if event.seat is None:
            yield Fault("missing", f"{where}.seat", f"missing; a {event.type} event needs seat")
        elif event.type == "flower_win":
            yield from _flower_win_faults(round, options, event, where)


def _flower_win_faults(round: Round, options: Options, event: Event, where: str) -> Iterator[Fault]:
    if not options.flower_win or not options.flowers:
        yield Fault("not_allowed", where, "wins by flowers are off; set the options flowers and flower_win")
    if event.from_ is not None:
        yield Fault("contradictory", f"{where}.from", "a win by flowers is settled as a self-draw; leave out `from`")
    if event.kind not in (None, *_FLOWER_KINDS):
        message = f"found {event.kind!r}, expected {' or '.join(_FLOWER_KINDS)}"
        yield Fault("unknown_kind", f"{where}.kind", message)
        return
    if event.tile is not None and not FIRST_FLOWER <= CODES.get(event.tile, 0) < JOKER:
        yield Fault("bad_tile", f"{where}.tile", f"found {event.tile}, expected the last flower, 1f..8f")
    flowers = round.players[event.seat or 0].flowers
    found = flowers_of(flowers, Event("flower_win", event.seat, event.tile))
    least = 7 if event.kind is None else flowers_of("", event)
    # The flowers may be left out where the kind tells how many they are.
    if (flowers or event.kind is None) and (found < least or (event.kind is not None and found != least)):
        message = f"seat {event.seat} has {found} flowers, expected {least if event.kind else '7 or 8'}"
        yield Fault("contradictory", f"players[{event.seat}].flowers", message)


def _option_faults(options: Options) -> Iterator[Fault]:
    if options.curve == "simplified" and options.min_faan < 3:
        message = f"found {options.min_faan}; the simplified table begins at 3 faan"
        yield Fault("bad_option", "options.min_faan", message)


CHECKS: Final = (Check("hongkong", faults),)
