"""Small and big wins (sheet section 2): each big win is a fan, the small one is listed with 0."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mjsettle.columns import SUITED, Col, Column, popcount, ranks
from mjsettle.fans import Fan
from mjsettle.options import Options

GENERALS: Final = ranks(2, 5, 8)
"""The mask of 2, 5 and 8 (将)."""


def only_generals(natural1: Col) -> Col:
    """Every tile of hand and melds is a 2, 5 or 8; no shape is asked for."""
    return (natural1 & (SUITED & ~GENERALS)) == 0


def pair_of_generals(form_standard: Col, pair: Col) -> Col:
    """Four sets and a pair of 2, 5 or 8."""
    return (form_standard == 1) & ((GENERALS >> pair & 1) == 1)


def all_pungs(form_standard: Col, chow_count: Col) -> Col:
    """Four pungs or kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def all_generals(only_generals: Col) -> Col:
    """All tiles are 2, 5 or 8, in whatever shape."""
    return only_generals


def full_flush(natural1: Col) -> Col:
    """One suit, in sets, in pairs or all 2, 5 and 8."""
    suit = 0x1FF
    one = (natural1 & ~suit) == 0
    return one | ((natural1 & ~(suit << 9)) == 0) | ((natural1 & ~(suit << 18)) == 0)


def melded_hand(hand_tiles: Col) -> Col:
    """Four melds and one tile waiting, on a discard or a self-draw."""
    return hand_tiles == 2


def melded_hand_on_discard(hand_tiles: Col, self_draw: Col) -> Col:
    """Four melds and one tile waiting for a discard."""
    return (hand_tiles == 2) & (self_draw == 0)


def plain_pairs(form_seven_pairs: Col, concealed4: Col) -> Col:
    """Seven pairs without four of a kind."""
    return (form_seven_pairs == 1) & (concealed4 == 0)


def luxury_pairs(form_seven_pairs: Col, concealed4: Col) -> Col:
    """Seven pairs with one four of a kind."""
    return (form_seven_pairs == 1) & (popcount(concealed4) == 1)


def double_luxury_pairs(form_seven_pairs: Col, concealed4: Col) -> Col:
    """Seven pairs with two fours of a kind."""
    return (form_seven_pairs == 1) & (popcount(concealed4) == 2)


def triple_luxury_pairs(form_seven_pairs: Col, concealed4: Col) -> Col:
    """Seven pairs with three fours of a kind."""
    return (form_seven_pairs == 1) & (popcount(concealed4) == 3)


def heavenly(first_turn: Col, dealer: Col) -> Col:
    """The dealer wins on the dealt hand."""
    return (first_turn == 1) & (dealer == 1)


def earthly(first_turn: Col, dealer: Col) -> Col:
    """Another seat wins in its first go-around."""
    return (first_turn == 1) & (dealer == 0)


def last_tile_win(last_tile: Col) -> Col:
    """The last wall tile, drawn or discarded."""
    return last_tile


def on_kong_tiles(kong_draw: Col, after_supplement: Col, winning_tiles: Col) -> Col:
    """Each turned tile that wins after an own 开杠; the one tile of a 补张 does not count."""
    return kong_draw * (after_supplement == 0) * winning_tiles


def on_kong_discards(kong_discard: Col, after_supplement: Col, winning_tiles: Col) -> Col:
    """Each tile turned after another seat's 开杠 that wins."""
    return kong_discard * (after_supplement == 0) * winning_tiles


def robbed_kong(rob_kong: Col, after_supplement: Col) -> Col:
    """Robbing an added kong; a robbed 补张 is a small win."""
    return rob_kong * (after_supplement == 0)


def robbed_any_kong(rob_kong: Col) -> Col:
    """Robbing an added kong, a 补张 too."""
    return rob_kong


def concealed_hand(open_melds: Col) -> Col:
    """Nothing was claimed; a concealed kong is allowed."""
    return open_melds == 0


def suit_missing(natural1: Col) -> Col:
    """One suit or two are missing."""
    suit = 0x1FF
    some = ((natural1 & suit) == 0) | ((natural1 & (suit << 9)) == 0)
    return some | ((natural1 & (suit << 18)) == 0)


BIG: Final = (
    Fan("all_pungs", "碰碰胡", 1, all_pungs, "all pungs"),
    Fan("all_generals", "将将胡", 1, all_generals, "all 2, 5 and 8"),
    Fan("full_flush", "清一色", 1, full_flush, "full flush"),
    Fan("melded_hand", "全求人", 1, melded_hand, "melded hand"),
    Fan("seven_pairs", "七小对", 1, plain_pairs, "seven pairs"),
    Fan("luxury_pairs", "豪华七小对", 2, luxury_pairs, "luxury seven pairs"),
    Fan("double_luxury_pairs", "双豪华七小对", 3, double_luxury_pairs, "double luxury seven pairs"),
    Fan("triple_luxury_pairs", "三豪华七小对", 4, triple_luxury_pairs, "triple luxury seven pairs"),
    Fan("heavenly", "天胡", 1, heavenly, "heavenly hand"),
    Fan("earthly", "地胡", 1, earthly, "earthly hand"),
    Fan("last_tile", "海底", 1, last_tile_win, "last tile"),
    Fan("kong_draw", "杠上开花", 1, on_kong_tiles, "win on a kong's tiles"),
    Fan("kong_discard", "杠上炮", 1, on_kong_discards, "win on another seat's kong tiles"),
    Fan("robbed_kong", "抢杠胡", 1, robbed_kong, "robbing a kong"),
)
_SMALL: Final = Fan("small_win", "小胡", 0, pair_of_generals, "small win", listed_at_zero=True, cite="§2")
COLUMNS: Final = (Column("only_generals", only_generals), Column("pair_of_generals", pair_of_generals))


def fan_table(options: Options) -> list[Fan]:
    """The big wins under these switches, none of which leaves the small one beside it."""
    found = list(BIG)
    if not options.quanqiu_zimo:
        found = [replace(fan, when=melded_hand_on_discard) if fan.id == "melded_hand" else fan for fan in found]
    if not options.rob_supplement_small:
        found = [replace(fan, when=robbed_any_kong) if fan.id == "robbed_kong" else fan for fan in found]
    if options.menqing:
        found.append(Fan("concealed_hand", "门清", 1, concealed_hand, "concealed hand"))
    if options.que_yi_men:
        found.append(Fan("suit_missing", "缺一门", 1, suit_missing, "a suit missing"))
    return [*(replace(fan, excludes=("small_win",), cite="§2") for fan in found), _SMALL]


def legal(total: Col, pair_of_generals: Col) -> Col:
    """A big win, or a pair of 2, 5 or 8."""
    return (total > 0) | pair_of_generals
