"""What a riichi hand takes from the round: declarations, dora, norths set aside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from mjsettle.ledger import Win
from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.rules import Fact
from mjsettle.tiles import CODES, KIND_OF, NAMES, RED_FIVES, parse_tiles

NORTH: Final = CODES["4z"]


def _next_kind(kind: int, three_players: bool) -> int:
    """The kind that an indicator of this kind indicates (§2 ドラ)."""
    if kind < 27:
        if three_players and kind in (0, 8):
            return 8 - kind  # only 1m and 9m are in play
        return kind // 9 * 9 + (kind % 9 + 1) % 9
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


INDICATED: Final = tuple(
    {name: _next_kind(KIND_OF[code], three) for code, name in enumerate(NAMES) if KIND_OF[code] < 34}
    for three in (False, True)
)
"""The dora of each indicator, for four and for three players; a red five indicates 6."""


@lru_cache(maxsize=65_536)
def _codes(text: str) -> tuple[int, ...]:
    return tuple(parse_tiles(text))


@lru_cache(maxsize=65_536)
def _kinds(text: str) -> tuple[int, ...]:
    return tuple(KIND_OF[code] for code in parse_tiles(text))


def dora_tiles(round: Round, win: Win, indicators: Sequence[str]) -> int:
    """How many tiles of a winner the indicators make dora, each as often as it is indicated.

    Tiles count as what is printed on them, wild ones too; norths set aside count as norths.
    """
    if not indicators:
        return 0
    player = round.players[win.seat]
    held = _kinds(player.hand or "")
    table = INDICATED[len(round.players) == 3]
    found = 0
    for name in indicators:
        kind = table.get(name, -1)
        found += held.count(kind) + (KIND_OF[win.tile] == kind)
        if kind == NORTH:
            found += player.norths
        for meld in player.melds:
            found += _kinds(meld.tiles).count(kind)
    return found


def red_tiles(round: Round, win: Win) -> int:
    """How many red fives a winner has."""
    player = round.players[win.seat]
    found = int(win.tile in RED_FIVES)
    for text in (player.hand or "", *(meld.tiles for meld in player.melds)):
        if "0" in text:
            found += sum(code in RED_FIVES for code in _codes(text))
    return found


def facts(options: Options) -> Sequence[Fact]:
    """The hand columns of the rule set that the round tells, under its switches."""

    def riichi_level(round: Round, win: Win) -> int:
        """1 after riichi, 2 after double riichi, else 0."""
        flags = round.players[win.seat].flags
        return 2 if "double_riichi" in flags else int("riichi" in flags)

    def in_one_turn(round: Round, win: Win) -> int:
        """1 when the winner's ippatsu stands."""
        return int(options.ippatsu and "ippatsu" in round.players[win.seat].flags)

    def dora(round: Round, win: Win) -> int:
        """How many han the dora indicators bring."""
        return dora_tiles(round, win, round.dora if options.kan_dora else round.dora[:1])

    def ura_dora(round: Round, win: Win) -> int:
        """How many han the indicators below bring a riichi winner."""
        if not options.ura or not riichi_level(round, win):
            return 0
        return dora_tiles(round, win, round.ura_dora if options.kan_ura else round.ura_dora[:1])

    def norths(round: Round, win: Win) -> int:
        """How many norths the winner has set aside (three players)."""
        return round.players[win.seat].norths

    def three_players(round: Round, win: Win) -> int:
        """1 when three players play."""
        return int(len(round.players) == 3)

    listed = (riichi_level, in_one_turn, dora, ura_dora, norths, three_players)
    return *(Fact(fn.__name__, fn) for fn in listed), Fact("red_fives", red_tiles)
