"""Fans of the sets: chows, pungs, kongs and the pair (sheet section 6)."""

from __future__ import annotations

from typing import Final

from mjsettle.columns import DRAGONS, ORPHANS, TERMINALS, WINDS, Col, chow_starts, larger, popcount, ranks
from mjsettle_guobiao import chows, pungs
from mjsettle_guobiao.kinds import EVEN

FIRST_WIND: Final = 27
FIVES: Final = ranks(5)
CHOWS_WITHOUT_FIVE: Final = chow_starts(1, 2, 6, 7)
CHOWS_OF_SIMPLES: Final = chow_starts(2, 3, 4, 5, 6)


# ---- columns -----------------------------------------------------------------------------------------------------


def wind_pungs(all_pungs: Col) -> Col:
    """How many pungs and kongs of winds."""
    return popcount(all_pungs & WINDS)


def dragon_pungs(all_pungs: Col) -> Col:
    """How many pungs and kongs of dragons."""
    return popcount(all_pungs & DRAGONS)


def own_winds(seat_wind: Col, round_wind: Col) -> Col:
    """Mask of the winds of the seat and of the round."""
    return (1 << FIRST_WIND << seat_wind) | (1 << FIRST_WIND << round_wind)


def chow_ends(chow_fans: Col, pair: Col) -> Col:
    """The field of 一色双龙会 or 三色双龙会 where the pair fits its chows, 0 else."""
    fits = (chow_fans >> chows.PAIR_AT) == pair
    return (chow_fans & (chows.PURE_ENDS | chows.MIXED_ENDS)) * fits


# ---- pungs -------------------------------------------------------------------------------------------------------


def big_four_winds(wind_pungs: Col) -> Col:
    """Pungs or kongs of all four winds."""
    return wind_pungs == 4


def big_three_dragons(dragon_pungs: Col) -> Col:
    """Pungs or kongs of all three dragons."""
    return dragon_pungs == 3


def little_four_winds(wind_pungs: Col, pair: Col) -> Col:
    """Three pungs of winds and a pair of the fourth. Its winds give no 幺九刻, but 圈风刻 and 门风刻."""
    return (wind_pungs == 3) & (WINDS >> pair & 1 == 1)


def little_three_dragons(dragon_pungs: Col, pair: Col) -> Col:
    """Two pungs of dragons and a pair of the third."""
    return (dragon_pungs == 2) & (DRAGONS >> pair & 1 == 1)


def big_three_winds(wind_pungs: Col) -> Col:
    """Three pungs of winds. They give no 幺九刻, but 圈风刻 and 门风刻."""
    return wind_pungs >= 3


def two_dragon_pungs(dragon_pungs: Col) -> Col:
    """Two pungs of dragons."""
    return dragon_pungs >= 2


def dragon_pung(dragon_pungs: Col) -> Col:
    """A pung of a dragon. It gives no 幺九刻."""
    return dragon_pungs


def prevalent_wind(all_pungs: Col, round_wind: Col) -> Col:
    """A pung of the round's wind. It gives no 幺九刻."""
    return all_pungs >> (FIRST_WIND + round_wind) & 1 == 1


def seat_wind_pung(all_pungs: Col, seat_wind: Col) -> Col:
    """A pung of the seat's wind. It gives no 幺九刻."""
    return all_pungs >> (FIRST_WIND + seat_wind) & 1 == 1


def pung_of_terminals_or_honours(all_pungs: Col, wind_pungs: Col, own_winds: Col, raw_nine_gates: Col) -> Col:
    """A pung of a terminal or honour that counts for no other fan; once for each. Dragons, three winds and own winds
    count for theirs, and one pung belongs to 九莲宝灯."""
    numbers = popcount(all_pungs & TERMINALS)
    winds = popcount(all_pungs & WINDS & ~own_winds) * (wind_pungs < 3)
    return larger(numbers - raw_nine_gates, 0) + winds


def all_pungs_hand(all_pungs: Col) -> Col:
    """Four pungs or kongs and a pair."""
    return popcount(all_pungs) == 4


def all_even_pungs(raw_all_pungs: Col, held1: Col) -> Col:
    """Four pungs and a pair of 2, 4, 6 and 8."""
    return raw_all_pungs & (held1 & ~EVEN == 0)


def four_pure_shifted_pungs(pung_fans: Col) -> Col:
    """Four pungs of one suit with consecutive numbers."""
    return pung_fans & pungs.FOUR_SHIFTED != 0


def pure_shifted_pungs(pung_fans: Col) -> Col:
    """Three pungs of one suit with consecutive numbers; read as pungs or as chows (一色三同顺), never as both."""
    return pung_fans & pungs.SHIFTED != 0


def triple_pung(pung_fans: Col) -> Col:
    """Pungs of one number in three suits."""
    return pung_fans & pungs.TRIPLE != 0


def mixed_shifted_pungs(pung_fans: Col) -> Col:
    """Pungs of three suits with consecutive numbers."""
    return pung_fans & pungs.MIXED_SHIFTED != 0


def double_pung(pung_fans: Col) -> Col:
    """Pungs of one number in two suits; once for each number."""
    return pung_fans >> pungs.DOUBLE_AT & 3


def four_concealed_pungs(concealed_pung_count: Col) -> Col:
    """Four concealed pungs or kongs."""
    return concealed_pung_count == 4


def three_concealed_pungs(concealed_pung_count: Col) -> Col:
    """Three concealed pungs or kongs."""
    return concealed_pung_count == 3


def two_concealed_pungs(concealed_pung_count: Col) -> Col:
    """Two concealed pungs or kongs."""
    return concealed_pung_count == 2


# ---- kongs -------------------------------------------------------------------------------------------------------


def four_kongs(kong_count: Col) -> Col:
    """Four kongs, open or concealed."""
    return kong_count == 4


def three_kongs(kong_count: Col) -> Col:
    """Three kongs, open or concealed."""
    return kong_count == 3


def two_concealed_kongs(concealed_kongs: Col) -> Col:
    """Two concealed kongs."""
    return popcount(concealed_kongs) == 2


def melded_plus_concealed_kong(open_kongs: Col, concealed_kongs: Col) -> Col:
    """A melded and a concealed kong."""
    return (popcount(open_kongs) == 1) & (popcount(concealed_kongs) == 1)


def two_melded_kongs(open_kongs: Col) -> Col:
    """Two melded kongs."""
    return popcount(open_kongs) == 2


def concealed_kong(concealed_kongs: Col) -> Col:
    """A concealed kong."""
    return concealed_kongs != 0


def melded_kong(open_kongs: Col) -> Col:
    """A melded kong."""
    return open_kongs != 0


# ---- chows -------------------------------------------------------------------------------------------------------


def pure_terminal_chows(chow_ends: Col) -> Col:
    """123 and 789 twice, with a pair of 5, in one suit."""
    return chow_ends & chows.PURE_ENDS != 0


def three_suit_terminal_chows(chow_ends: Col) -> Col:
    """123 and 789 in two suits, with a pair of 5 in the third."""
    return chow_ends & chows.MIXED_ENDS != 0


def quadruple_chow(chow_fans: Col) -> Col:
    """Four equal chows."""
    return chow_fans & chows.QUADRUPLE != 0


def four_pure_shifted_chows(chow_fans: Col) -> Col:
    """Four chows of one suit, each one number, or each two numbers, above the one before."""
    return chow_fans & chows.FOUR_SHIFTED != 0


def pure_triple_chow(chow_fans: Col) -> Col:
    """Three equal chows."""
    return chow_fans & chows.TRIPLE != 0


def pure_straight(chow_fans: Col) -> Col:
    """123, 456 and 789 of one suit. A fourth chow may add one two-chow fan."""
    return chow_fans & chows.STRAIGHT != 0


def pure_shifted_chows(chow_fans: Col) -> Col:
    """Three chows of one suit, each one number, or each two numbers, above the one before."""
    return chow_fans & chows.SHIFTED != 0


def mixed_straight(chow_fans: Col) -> Col:
    """123, 456 and 789 in three suits."""
    return chow_fans & chows.MIXED_STRAIGHT != 0


def mixed_triple_chow(chow_fans: Col) -> Col:
    """The same chow in three suits. A fourth chow may add one two-chow fan."""
    return chow_fans & chows.MIXED_TRIPLE != 0


def mixed_shifted_chows(chow_fans: Col) -> Col:
    """Three chows in three suits, each one number above the one before."""
    return chow_fans & chows.MIXED_SHIFTED != 0


def pure_double_chow(chow_fans: Col) -> Col:
    """Two equal chows; as often as the combination principle allows."""
    return chow_fans >> chows.DOUBLE_AT & 3


def mixed_double_chow(chow_fans: Col) -> Col:
    """The same chow in two suits; as often as the combination principle allows."""
    return chow_fans >> chows.MIXED_DOUBLE_AT & 3


def short_straight(chow_fans: Col) -> Col:
    """Two chows of one suit that follow each other; as often as the combination principle allows."""
    return chow_fans >> chows.SHORT_AT & 3


def two_terminal_chows(chow_fans: Col) -> Col:
    """123 and 789 of one suit; as often as the combination principle allows."""
    return chow_fans >> chows.TERMINAL_AT & 3


# ---- every set ---------------------------------------------------------------------------------------------------


def all_fives(form_standard: Col, all_chows: Col, all_pungs: Col, pair: Col) -> Col:
    """A 5 in every set and in the pair."""
    sets = (all_chows & CHOWS_WITHOUT_FIVE == 0) & (all_pungs & ~FIVES == 0)
    return form_standard & sets & (FIVES >> pair & 1 == 1)


def outside_hand(form_standard: Col, all_chows: Col, all_pungs: Col, pair: Col) -> Col:
    """A terminal or honour in every set and in the pair."""
    sets = (all_chows & CHOWS_OF_SIMPLES == 0) & (all_pungs & ~ORPHANS == 0)
    return form_standard & sets & (ORPHANS >> pair & 1 == 1)


def all_chows_hand(form_standard: Col, form_knitted_straight: Col, all_pungs: Col, pair: Col) -> Col:
    """Four chows and a pair of numbers; beside a knitted straight one chow and such a pair."""
    return (form_standard | form_knitted_straight) & (all_pungs == 0) & (pair < FIRST_WIND)
