"""What a hand must have to win, and which tiles make it win (sheet section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import mjsettle
from mjsettle.columns import DRAGONS, ORPHANS
from mjsettle.errors import HandError, NotationError
from mjsettle.ledger import Win
from mjsettle.rounds import Round
from mjsettle.tiles import CODES, KIND_OF, parse_tiles

FORMS: Final = ("standard", "seven_pairs")
READY: Final = "ready"


def legal(suits_held: Any, held1: Any, pung_count: Any, special_kongs: Any, pair: Any, form_seven_pairs: Any) -> Any:
    """Three suits; a terminal or an honour; a pung, a kong, a pair of dragons or seven pairs."""
    block = (pung_count > 0) | (special_kongs > 0) | ((DRAGONS >> pair & 1) == 1) | (form_seven_pairs == 1)
    return (suits_held == 3) & ((held1 & ORPHANS) != 0) & block


def special_kongs(round: Round, win: Win) -> int:
    """How many special kongs (幺九杠, 旋风杠, 喜杠) the winner has laid down."""
    return sum(meld.kind == "mixed_kong" for meld in round.players[win.seat].melds)


@lru_cache(maxsize=4096)
def legal_waits(hand: str, melds: tuple[tuple[str, str], ...]) -> int:
    """Mask of the kinds with which a hand of 3n+1 tiles wins by all of section 2, not by its shape alone."""
    laid = [KIND_OF[code] for _, tiles in melds for code in parse_tiles(tiles)]
    # Any set will do where the readings ask how many are laid down.
    sets = tuple("111z" if kind == "mixed_kong" else tiles for kind, tiles in melds)
    pungs = sum(kind != "chow" for kind, _ in melds)
    held = [KIND_OF[code] for code in parse_tiles(hand)]
    found = 0
    for name in mjsettle.waits(hand, sets, forms=FORMS):
        kinds = {*held, *laid, CODES[name]}
        if len({kind // 9 for kind in kinds if kind < 27}) < 3 or not any(ORPHANS >> kind & 1 for kind in kinds):
            continue
        if pungs or any(_block(reading, len(melds)) for reading in mjsettle.readings(hand + name, sets, forms=FORMS)):
            found |= 1 << CODES[name]
    return found


def _block(reading: Any, melds: int) -> bool:
    """Whether a reading has what may stand for a pung beside the melds."""
    if reading.form == "seven_pairs":
        return True
    concealed: Sequence[str] = reading.sets[: len(reading.sets) - melds]
    if any(len(tiles) == 4 and len(set(tiles[:3])) == 1 for tiles in concealed):
        return True
    return reading.pair is not None and bool(DRAGONS >> CODES[reading.pair[1:]] & 1)


def waits_of(round: Round, win: Win) -> int:
    """Mask of the kinds that the winner waited for; none where its hand is not told, or not as a hand can be."""
    player = round.players[win.seat]
    if player.hand is None:
        return 0
    try:
        return legal_waits(player.hand, tuple((meld.kind, meld.tiles) for meld in player.melds))
    except (HandError, NotationError):
        return 0  # the checks answer with the fault


def treasure_win(round: Round, win: Win) -> int:
    """How the treasure (宝牌) made the win: 2 the winner waited for it (冲宝), 1 it stands for a wait (摸宝), 0 not.

    It is known to seats that have declared ready only, and its tile is drawn.
    """
    if round.treasure is None or win.source is not None or READY not in round.players[win.seat].flags:
        return 0
    kind = KIND_OF[CODES[round.treasure]]
    if KIND_OF[win.tile] != kind:
        return 0
    return 2 if waits_of(round, win) >> kind & 1 else 1
