"""财神: which tile is wild, and what 白板 plays when another tile is (sheet section 1)."""

from __future__ import annotations

from typing import Final

from mjsettle.ledger import Win
from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.substitutes import NONE, Substitutes
from mjsettle.tiles import CODES, JOKER, KIND_OF

WHITE: Final = CODES["5z"]


def always_wild(options: Options) -> tuple[str, ...]:
    """白板 is the 财神 of every round, unless one is turned."""
    return ("5z",) if options.caishen == "white" else ()


def wild_kinds(round: Round, options: Options) -> frozenset[int]:
    """The kind of the 财神; empty where one is turned and the round does not name it, which is refused."""
    return frozenset(KIND_OF[CODES[name]] for name in (*round.wild, *always_wild(options)))


def substitutes(round: Round, win: Win, options: Options) -> Substitutes:
    """With a turned 财神, 白板 plays its face, and the 财神 itself is no tile of its kind any more."""
    wild = next(iter(wild_kinds(round, options)), WHITE)
    if options.caishen != "flip" or wild == WHITE:
        return NONE
    copies = {code: JOKER for code in CODES.values() if KIND_OF[code] == wild}
    return Substitutes({**copies, WHITE: wild}, wild=frozenset())
