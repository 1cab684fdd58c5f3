"""What a round of Changchun mahjong must not contain, beyond what the core checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle import plausible
from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, KIND_OF, parse_tiles
from mjsettle_changchun.legal import READY
from mjsettle_changchun.payments import UNSEEN

SPECIAL_KONG: Final = "mixed_kong"
_FAMILIES: Final = tuple(
    frozenset(CODES[name] for name in names.split()) for names in ("1m 1p 1s", "9m 9p 9s", "1z 2z 3z 4z", "5z 6z 7z")
)
"""The kinds of 幺九杠 (ones, nines), 旋风杠 and 喜杠 (§1)."""
_WILD: Final = CODES["1s"]
"""一条 stands for any other tile of a special kong (§1)."""


def faults(round: Round, options: Options) -> Sequence[Fault]:
    """Every contradiction of a round."""
    return [
        *_treasure_faults(round),
        *_special_kong_faults(round),
        *plausible.one_ending(round),
        *plausible.known_kongs(round, (*plausible.KONGS, SPECIAL_KONG)),
        *plausible.won_on_kongs(round),
        *plausible.added_kongs_robbed(round),
        *plausible.chows_from_the_left(round),
        *_liable_faults(round),
    ]


def _treasure_faults(round: Round) -> Iterator[Fault]:
    """No wild tiles but the treasure, which somebody ready must have seen (§3)."""
    if round.wild:
        message = f"found {', '.join(round.wild)}; name the treasure in `treasure`, it is wild for ready seats only"
        yield Fault("not_allowed", "wild", message)
    if round.treasure is not None and KIND_OF[CODES[round.treasure]] >= 34:
        yield Fault("not_in_play", "treasure", f"found {round.treasure}; flowers and jokers are not in play")
    if round.treasure is not None and not any(READY in player.flags for player in round.players):
        yield Fault("contradictory", "treasure", "nobody has declared ready, so no treasure was turned")
    for seat, player in enumerate(round.players):
        if UNSEEN in player.flags and READY not in player.flags:
            message = "treasure_unseen without ready: only ready seats see it anyway; leave it out"
            yield Fault("contradictory", f"players[{seat}].flags", message)


def _special_kong_faults(round: Round) -> Iterator[Fault]:
    """Special kongs are of one family, and money for a kong hangs on its tile."""
    for seat, player in enumerate(round.players):
        for at, meld in enumerate(player.melds):
            if meld.kind == SPECIAL_KONG and not _of_one_family(meld.tiles):
                yield _no_family(meld.tiles, f"players[{seat}].melds[{at}]")
    for index, event in enumerate(round.events):
        if event.type == "kong":
            yield from _kong_event_faults(event, f"events[{index}]")


def _kong_event_faults(event: Event, where: str) -> Iterator[Fault]:
    if event.kind == SPECIAL_KONG and event.tiles:
        if len(parse_tiles(event.tiles)) < 3 or not _of_one_family(event.tiles):
            yield _no_family(event.tiles, f"{where}.tiles")
    elif event.kind == SPECIAL_KONG and event.tile in CODES:
        if not _of_one_family(event.tile or ""):
            yield _no_family(event.tile or "", f"{where}.tile")
    elif event.tile is None:
        yield Fault("missing", f"{where}.tile", "missing; what a kong brings hangs on its tile")


def _of_one_family(tiles: str) -> bool:
    kinds = {KIND_OF[code] for code in parse_tiles(tiles)}
    return any(kinds - {_WILD} <= family for family in _FAMILIES)


def _no_family(tiles: str, where: str) -> Fault:
    message = f"found {tiles}; a special kong is three or more ones, nines, winds or dragons, with 1s for any of them"
    return Fault("bad_meld", where, message)


def _liable_faults(round: Round) -> Iterator[Fault]:
    """包庄: the room may say that a discarder pays every share; nobody else is ever liable (§5)."""
    for index, event in enumerate(round.events):
        for at, liable in enumerate(event.liable):
            if event.type != "win" or event.from_ is None or liable.seat != event.from_:
                message = f"found seat {liable.seat}; only the discarder of a win can pay every share"
                yield Fault("bad_seat", f"events[{index}].liable[{at}].seat", message)


CHECKS: Final = (Check("changchun", faults),)
