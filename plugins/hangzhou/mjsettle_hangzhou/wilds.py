"""财神: which tile is wild, and what 白板 plays when another tile is (sheet section 1)."""

from __future__ import annotations

from typing import Final

from mjsettle.ledger import Win
from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.substitutes import NONE, Substitutes
from mjsettle.tiles import CODES, JOKER, KIND_OF

WHITE: Final = CODES["5z"]


def wild_kinds(round: Round) -> frozenset[int]:
    """The kind of the 财神; empty where the round names none."""
    return frozenset(KIND_OF[CODES[name]] for name in round.wild)


def substitutes(round: Round, win: Win, options: Options) -> Substitutes:
    """With a turned 财神, 白板 plays its face, and the 财神 itself is no tile of its kind any more."""
    wild = next(iter(wild_kinds(round)), WHITE)
    if options.caishen != "flip" or wild == WHITE:
        return NONE
    copies = {code: JOKER for code in CODES.values() if KIND_OF[code] == wild}
    return Substitutes({**copies, WHITE: wild}, wild=frozenset())
