"""The god (财神): which tile it is, who holds how many, and what cannot be (sheet section 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import chow_field
from mjsettle.errors import Fault
from mjsettle.ledger import Win
from mjsettle.options import Options
from mjsettle.plausible import (
    added_kongs_robbed,
    chows_from_the_left,
    known_kongs,
    nobody_liable,
    one_ending,
    one_liable,
    won_at_once,
    won_on_kongs,
)
from mjsettle.rounds import Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, FIRST_HONOUR, KIND_OF, parse_tiles
from mjsettle_wenzhou.fans import fan_table

IN_PLAY: Final = 3
"""Copies of the god in play: the fourth lies turned up."""


def god_of(round: Round) -> int | None:
    """The kind of the god; None in a round without one."""
    return KIND_OF[CODES[round.wild[0]]] if round.wild else None


def god_mask(round: Round, win: Win) -> int:
    """Mask of the god's own kind."""
    god = god_of(round)
    return 0 if god is None or god >= 34 else 1 << god


def god_chows(round: Round, win: Win) -> int:
    """Chow fields of the chows that hold the god's own kind."""
    god = god_of(round)
    if god is None or god >= FIRST_HONOUR:
        return 0
    suit, rank = divmod(god, 9)
    return sum(7 << chow_field(suit, start + 1) for start in range(rank - 2, rank + 1) if 0 <= start <= 6)


def gods_held(round: Round, seat: int, win: Win) -> int | None:
    """How many gods a seat holds when this win is made; None where its hand is not known."""
    god, player = god_of(round), round.players[seat]
    if player.hand is None:
        told = player.extra.get("gods")
        return told if isinstance(told, int) else None
    laid = "".join(meld.tiles for meld in player.melds)
    held = sum(KIND_OF[code] == god for code in parse_tiles(player.hand + laid))
    return held + (seat == win.seat and KIND_OF[win.tile] == god)


def god_faults(round: Round, options: Options) -> Sequence[Fault]:
    """One god; three of it in play; it is not claimed, konged, or won from a discard, but a chow may hold it."""
    found = []
    god = god_of(round)
    if len(round.wild) > 1:
        found.append(Fault("too_many", "wild", f"found {', '.join(round.wild)}; there is one god"))
    if god is not None and god >= 34:
        found.append(Fault("not_in_play", "wild[0]", f"found {round.wild[0]}; flowers and jokers are not in play"))
    in_hands = 0
    for seat, player in enumerate(round.players):
        told = player.extra.get("gods")
        if told is not None and (type(told) is not int or not 0 <= told <= IN_PLAY or player.hand is not None):
            message = f"found {told!r}, expected 0..3, and only where the hand is not told"
            found.append(Fault("wrong_value", f"players[{seat}].extra.gods", message))
        in_hands += sum(KIND_OF[code] == god for code in parse_tiles(player.hand or ""))
        for at, meld in enumerate(player.melds):
            gods = sum(KIND_OF[code] == god for code in parse_tiles(meld.tiles))
            in_hands += gods
            if gods and meld.kind != "chow":
                message = f"found {meld.tiles}; a discarded god is not claimed, and three are no kong"
                found.append(Fault("not_allowed", f"players[{seat}].melds[{at}]", message))
    for index, event in enumerate(round.events):
        if event.type == "kong" and event.tile in CODES and KIND_OF[CODES[event.tile or ""]] == god:
            message = f"found a kong of {event.tile}, the god; three of it are in play"
            found.append(Fault("not_allowed", f"events[{index}].tile", message))
        if event.type != "win" or event.tile is None or KIND_OF[CODES[event.tile]] != god:
            continue
        in_hands += 1
        if event.from_ is not None:
            found.append(Fault("not_allowed", f"events[{index}].tile", "a discarded god cannot be won"))
    if in_hands > IN_PLAY:
        message = f"found {in_hands} gods; three are in play, the fourth lies turned up"
        found.append(Fault("fifth_copy", "players", message))
    return found


def course_faults(round: Round, options: Options) -> Sequence[Fault]:
    """A round ends once; kongs, first turns, chows and named liable seats are as they can be."""
    if options.tongpei:
        liable = one_liable(round, [name for fan in fan_table(options) for name in (fan.id, fan.name)])
    else:
        liable = nobody_liable(round, "set the option tongpei to let a named seat pay for all")
    return [
        *one_ending(round),
        *known_kongs(round),
        *won_on_kongs(round),
        *added_kongs_robbed(round),
        *won_at_once(round),
        *chows_from_the_left(round),
        *liable,
    ]


CHECKS: Final = (Check("gods", god_faults), Check("course", course_faults))
