"""What Guobiao mahjong demands of a round beyond the core's checks (sheet sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import (
    KONGS,
    added_kongs_robbed,
    chows_from_the_left,
    flowers_once,
    known_kongs,
    nobody_liable,
    one_ending,
)
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, KIND_OF, parse_tiles
from mjsettle_guobiao.payments import FALSE_WINS


def _kinds(text: str) -> list[int]:
    return [KIND_OF[code] for code in parse_tiles(text)]


def _concealed(round: Round, seat: int) -> list[int]:
    """The tiles that only this seat sees: its hand and its concealed kongs."""
    player = round.players[seat]
    hidden = [kind for meld in player.melds if meld.kind == "concealed_kong" for kind in _kinds(meld.tiles)]
    return hidden + _kinds(player.hand or "")


def _melded(round: Round, seat: int) -> list[int]:
    return [kind for meld in round.players[seat].melds for kind in _kinds(meld.tiles)]


def win_faults(round: Round, options: Options) -> Sequence[Fault]:
    """Words about a win that cannot be true, and what comes after the hand has ended."""
    found = [
        *one_ending(round),
        *known_kongs(round),
        *added_kongs_robbed(round),
        *nobody_liable(round, "the discarder or all three pay"),
    ]
    for index, event in enumerate(round.events):
        if event.type != "win" or event.seat is None or event.tile is None:
            continue
        found += [Fault("contradictory", f"events[{index}].how", text) for text in _contradictions(round, event)]
    return found


def _contradictions(round: Round, event: Event) -> Iterator[str]:
    seat, tile = event.seat, event.tile
    assert seat is not None
    assert tile is not None
    kind = KIND_OF[CODES[tile]]
    if "rob_kong" in event.how and kind in (*_concealed(round, seat), *_melded(round, seat)):
        yield f"rob_kong: the winner has a {tile}, but the other three copies lie in the robbed pung; leave out one"
    if "last_of_kind" in event.how:
        for other in range(len(round.players)):
            if kind in _concealed(round, other):
                yield f"last_of_kind: seat {other} has a concealed {tile}, so three do not lie open; leave it out"
    if "kong_draw" in event.how and not any(meld.kind in KONGS for meld in round.players[seat].melds):
        yield "kong_draw: found no kong among the winner's melds; add it or leave out kong_draw"


def false_win_faults(round: Round, options: Options) -> Sequence[Fault]:
    """False wins that do not say whose and what, and wins that a false win forbids."""
    found = []
    dead: set[int] = set()
    over = False
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        if event.type == "false_win":
            if event.seat is None:
                found.append(Fault("missing", f"{where}.seat", "missing; a false_win event needs seat"))
            else:
                dead.add(event.seat)
            if event.kind not in FALSE_WINS:
                text = f"found {event.kind!r}, expected one of {', '.join(FALSE_WINS)}"
                found.append(Fault("missing" if event.kind is None else "unknown_kind", f"{where}.kind", text))
            over = over or options.false_win_mode == "hand_over"
        elif event.type == "win" and over:
            text = "found a win after a false win; with false_win_mode hand_over the hand ends there"
            found.append(Fault("contradictory", where, text))
        elif event.type == "win" and event.seat in dead:
            text = f"found a win of seat {event.seat} after its false win; a dead hand cannot win"
            found.append(Fault("contradictory", f"{where}.seat", text))
    return found


def tile_faults(round: Round, options: Options) -> Sequence[Fault]:
    """Flowers twice, flowers and wild tiles where the switches leave them out, and chows from the wrong seat."""
    found = [*flowers_once(round, options.flowers_enabled), *chows_from_the_left(round)]
    if round.wild and not options.wilds:
        found.append(Fault("not_allowed", "wild", "found wild tiles; option wilds is off"))
    return found


CHECKS: Final = (Check("wins", win_faults), Check("false_wins", false_win_faults), Check("tiles", tile_faults))
