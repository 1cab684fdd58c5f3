"""Fans of the whole hand's tiles: suits, numbers, honours (sheet section 6)."""

from __future__ import annotations

from typing import Final

import numpy as np

from mjsettle.columns import DRAGONS, HONOURS, ORPHANS, TERMINALS, WINDS, Col, bits, lookup, popcount, ranks
from mjsettle.tiles import parse_tiles

GREEN: Final = bits(*parse_tiles("23468s6z"))
REVERSIBLE: Final = bits(*parse_tiles("1234589p245689s5z"))
EVEN: Final = ranks(2, 4, 6, 8)
UPPER: Final = ranks(7, 8, 9)
MIDDLE: Final = ranks(4, 5, 6)
LOWER: Final = ranks(1, 2, 3)
UPPER_FOUR: Final = ranks(6, 7, 8, 9)
LOWER_FOUR: Final = ranks(1, 2, 3, 4)
_SUIT_SHIFT: Final = np.array([kind // 9 * 9 for kind in range(35)], np.int64)


def no_honours_held(held1: Col) -> Col:
    """Whether the whole hand has no honour."""
    return (held1 & HONOURS) == 0


def all_green(held1: Col) -> Col:
    """Every tile is one of 23468 of bamboo and the green dragon, which need not be there."""
    return (held1 & ~GREEN) == 0


def nine_gates(melds: Col, won: Col, has1: Col, has2: Col, has3: Col, has4: Col) -> Col:
    """Concealed, one suit, and 1112345678999 before the win, so that every tile of the suit wins. One of its pungs of
    1 or 9 does not count as 幺九刻."""
    shift = lookup(_SUIT_SHIFT, won)
    # Nine numbers and both terminals three times leave one tile: the winning one.
    more = (has2 >> shift & 0x0FE) | (has4 >> shift & 0x1FF)
    full = (has1 >> shift & 0x1FF) == 0x1FF
    return full & (has3 >> shift & 0x101 == 0x101) & (more << shift >> won == 1) & (melds == 0)


def seven_shifted_pairs(form_seven_pairs: Col, has1: Col, has3: Col) -> Col:
    """Seven pairs of one suit with consecutive numbers."""
    lowest = has1 & -has1
    return form_seven_pairs & (has3 == 0) & (has1 == lowest * 0x7F) & (lowest & LOWER != 0)


def thirteen_orphans(form_thirteen_orphans: Col) -> Col:
    """One of each terminal and honour, and a second of any of them."""
    return form_thirteen_orphans == 1


def all_terminals(held1: Col) -> Col:
    """Only 1s and 9s; as seven pairs too."""
    return (held1 & ~TERMINALS) == 0


def all_honours(held1: Col) -> Col:
    """Only honours; as seven pairs too."""
    return (held1 & ~HONOURS) == 0


def all_terminals_and_honours(held1: Col) -> Col:
    """Only terminals and honours, both present; as seven pairs too."""
    return (held1 & ~ORPHANS == 0) & (held1 & TERMINALS != 0) & (held1 & HONOURS != 0)


def seven_pairs(form_seven_pairs: Col) -> Col:
    """Seven concealed pairs; four of a kind are two of them (option seven_pairs_four_of_kind)."""
    return form_seven_pairs == 1


def greater_honours_and_knitted_tiles(form_honours_and_knitted: Col, has1: Col) -> Col:
    """All seven honours and seven different numbers of one knitted set."""
    return form_honours_and_knitted & (has1 & HONOURS == HONOURS)


def lesser_honours_and_knitted_tiles(form_honours_and_knitted: Col) -> Col:
    """Fourteen different tiles: honours, and numbers of one knitted set."""
    return form_honours_and_knitted == 1


def knitted_straight(form_knitted_straight: Col, form_honours_and_knitted: Col, has1: Col) -> Col:
    """The nine tiles 147, 258, 369 of three suits, with a set and a pair or with five honours."""
    return form_knitted_straight | form_honours_and_knitted & (popcount(has1 & HONOURS) == 5)


def full_flush(suits_held: Col, no_honours_held: Col) -> Col:
    """One suit and no honours."""
    return (suits_held == 1) & no_honours_held


def half_flush(suits_held: Col, no_honours_held: Col) -> Col:
    """One suit with honours."""
    return (suits_held == 1) & (no_honours_held == 0)


def upper_tiles(held1: Col) -> Col:
    """Only 7, 8 and 9."""
    return (held1 & ~UPPER) == 0


def middle_tiles(held1: Col) -> Col:
    """Only 4, 5 and 6."""
    return (held1 & ~MIDDLE) == 0


def lower_tiles(held1: Col) -> Col:
    """Only 1, 2 and 3."""
    return (held1 & ~LOWER) == 0


def upper_four(held1: Col) -> Col:
    """Only 6, 7, 8 and 9."""
    return (held1 & ~UPPER_FOUR) == 0


def lower_four(held1: Col) -> Col:
    """Only 1, 2, 3 and 4."""
    return (held1 & ~LOWER_FOUR) == 0


def reversible_tiles(held1: Col) -> Col:
    """Only 1234589 of dots, 245689 of bamboo and the white dragon."""
    return (held1 & ~REVERSIBLE) == 0


def all_types(suits_held: Col, held1: Col) -> Col:
    """Tiles of all three suits, winds and dragons; in any form."""
    return (suits_held == 3) & (held1 & WINDS != 0) & (held1 & DRAGONS != 0)


def tile_hog(held4: Col, kongs: Col) -> Col:
    """All four copies of a tile, not as a kong; once for each such tile."""
    return popcount(held4 & ~kongs)


def all_simples(held1: Col) -> Col:
    """No terminals and no honours."""
    return (held1 & ORPHANS) == 0


def one_voided_suit(suits_held: Col) -> Col:
    """Tiles of exactly two suits, with or without honours."""
    return suits_held == 2


def no_honours(no_honours_held: Col) -> Col:
    """No honour."""
    return no_honours_held
