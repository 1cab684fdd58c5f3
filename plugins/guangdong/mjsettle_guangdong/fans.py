"""Fans of Guangdong mahjong: the room's doublings, the pattern table, and the fans of the 2023 rulebook."""

from __future__ import annotations

from typing import Any

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, Column, DRAGONS, HONOURS, ORPHANS, TERMINALS, WINDS, popcount
from mjsettle.fans import Fan
from mjsettle.options import Options



def four_ghosts(wilds: Any, wild_held1: Any, wild_held2: Any, wild_held3: Any, wild_held4: Any) -> Any:
    """Four equal wild tiles are held, or four wild flowers."""
    with_kind = popcount(wild_held1) + popcount(wild_held2) + popcount(wild_held3) + popcount(wild_held4)
    return (wild_held4 != 0) | (wilds - with_kind >= 4)


def all_pungs(form_standard: Any, chow_count: Any) -> Any:
    """Four pungs or kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def one_suit(suits_held: Any, honours_held: Any) -> Any:
    """One suit and no honours."""
    return (suits_held == 1) & (honours_held == 0)


def half_flush(suits_held: Any, honours_held: Any) -> Any:
    """One suit with honours."""
    return (suits_held == 1) & (honours_held > 0)




# ---- the room: one value and doublings (sheet section 4) ---------------------------------------------------------


def by_draw(self_draw: Any) -> Any:
    """Won by self-draw."""
    return self_draw


def by_robbing(self_draw: Any, rob_kong: Any) -> Any:
    """Won on the tile of an added kong."""
    return (self_draw == 0) & (rob_kong == 1)


def by_discard(self_draw: Any, rob_kong: Any) -> Any:
    """Won on a discard."""
    return (self_draw == 0) & (rob_kong == 0)


def no_ghost(wilds: Any) -> Any:
    """No wild tile in the whole winning hand."""
    return wilds == 0


def is_seven_pairs(form_seven_pairs: Any) -> Any:
    """Seven pairs."""
    return form_seven_pairs == 1


def natural_quads_in_pairs(form_seven_pairs: Any, natural_quads: Any) -> Any:
    """Seven pairs, once for each four of a kind made without a wild."""
    return form_seven_pairs * natural_quads


def is_orphans(form_thirteen_orphans: Any) -> Any:
    """Thirteen orphans."""
    return form_thirteen_orphans == 1


def on_kong_draw(kong_draw: Any) -> Any:
    """Won on the replacement tile of an own kong."""
    return kong_draw


def last_tile_draw(last_tile: Any, self_draw: Any) -> Any:
    """Self-draw of the last wall tile."""
    return last_tile * self_draw


def room_fans(options: Options) -> list[Fan]:
    """Value times doublings: V x 2^k (sheet section 4)."""
    found = [
        Fan("self_draw", "自摸", 2, by_draw, "self-draw", cite="§4 V"),
        Fan("robbed_kong", "抢杠胡", 2, by_robbing, "robbing a kong", cite="§4 V"),
        Fan("discard_win", "吃胡", 1, by_discard, "win on a discard", cite="§4 V"),
    ]
    doublings = (
        (options.wugui, Fan("no_ghost", "无鬼加倍", 2, no_ghost, "no wild tile", cite="§4 k")),
        (options.qidui_jiafan, Fan("seven_pairs", "七对加番", 2, is_seven_pairs, "seven pairs", cite="§4 k")),
        (options.haohua, Fan("luxury_pairs", "豪华七对", 2, natural_quads_in_pairs, "luxury seven pairs", cite="§4 k")),
        (options.gangkai_double, Fan("kong_draw", "杠上开花", 2, on_kong_draw, "win on a kong's replacement", cite="§4 k")),
        (options.haidi_double, Fan("last_tile", "海底捞月", 2, last_tile_draw, "last tile", cite="§4 k")),
        (options.four_ghost_double, Fan("four_ghosts", "四鬼加倍", 2, four_ghosts, "four wild tiles", cite="§4 k")),
    )
    return found + [fan for on, fan in doublings if on]


# ---- the pattern table: the highest counts (sheet section 7) -----------------------------------------------------


def any_win(form: Any) -> Any:
    """Any legal win."""
    return form >= 0


def all_chows(form_standard: Any, pung_count: Any) -> Any:
    """Four chows and a pair."""
    return (form_standard == 1) & (pung_count == 0)


def half_flush_pungs(form_standard: Any, chow_count: Any, suits_held: Any, honours_held: Any) -> Any:
    """All pungs in one suit with honours."""
    return (form_standard == 1) & (chow_count == 0) & (suits_held == 1) & (honours_held > 0)


def pure_pungs(form_standard: Any, chow_count: Any, suits_held: Any, honours_held: Any) -> Any:
    """All pungs in one suit."""
    return (form_standard == 1) & (chow_count == 0) & (suits_held == 1) & (honours_held == 0)


def mixed_terminals(form_thirteen_orphans: Any, held1: Any) -> Any:
    """Terminals and honours only, both present, in pungs or pairs."""
    only = (held1 & ~ORPHANS) == 0
    return only & ((held1 & TERMINALS) != 0) & ((held1 & HONOURS) != 0) & (form_thirteen_orphans == 0)


def pure_terminals(held1: Any) -> Any:
    """Terminals only."""
    return (held1 & ~TERMINALS) == 0


def all_honours(held1: Any) -> Any:
    """Honours only."""
    return (held1 & ~HONOURS) == 0


def luxury(form_seven_pairs: Any, natural_quads: Any) -> Any:
    """Seven pairs with four of a kind, made without a wild."""
    return (form_seven_pairs == 1) & (natural_quads >= 1)


def double_luxury(form_seven_pairs: Any, natural_quads: Any) -> Any:
    """Seven pairs with four of a kind twice, made without a wild."""
    return (form_seven_pairs == 1) & (natural_quads == 2)


def triple_luxury(form_seven_pairs: Any, natural_quads: Any) -> Any:
    """Seven pairs with four of a kind three times, made without a wild."""
    return (form_seven_pairs == 1) & (natural_quads == 3)


def eighteen_arhats(kong_count: Any) -> Any:
    """Four kongs."""
    return kong_count == 4


def pattern_fans(options: Options) -> list[Fan]:
    """The table of patterns, of which the highest counts."""
    found = [
        Fan("all_chows", "平胡", 1, all_chows, "all chows", cite="§7"),
        Fan("chicken", "鸡胡", 1, any_win, "chicken hand", cite="§7"),
        Fan("all_pungs", "碰碰胡", 2, all_pungs, "all pungs", cite="§7"),
        Fan("half_flush", "混一色", 2, half_flush, "half flush", cite="§7"),
        Fan("seven_pairs", "七对", 3, is_seven_pairs, "seven pairs", cite="§7"),
        Fan("half_flush_pungs", "混碰", 3, half_flush_pungs, "all pungs in a half flush", cite="§7"),
        Fan("mixed_terminals", "混幺九", 4, mixed_terminals, "terminals and honours", cite="§7"),
        Fan("full_flush", "清一色", 4, one_suit, "full flush", cite="§7"),
        Fan("luxury_pairs", "豪华七对", 5, luxury, "luxury seven pairs", cite="§7"),
        Fan("pure_pungs", "清碰", 5, pure_pungs, "all pungs in a full flush", cite="§7"),
        Fan("pure_terminals", "清幺九", 6, pure_terminals, "all terminals", cite="§7"),
        Fan("all_honours", "字一色", 6, all_honours, "all honours", cite="§7"),
    ]
    if options.chaoshan:
        found += [
            Fan("double_luxury_pairs", "双豪华七对", 10, double_luxury, "double luxury seven pairs", cite="§7 潮汕"),
            Fan("thirteen_orphans", "十三幺", 13, is_orphans, "thirteen orphans", cite="§7 潮汕"),
            Fan("triple_luxury_pairs", "三豪华七对", 15, triple_luxury, "triple luxury seven pairs", cite="§7 潮汕"),
            Fan("eighteen_arhats", "十八罗汉", 18, eighteen_arhats, "four kongs", cite="§7 潮汕"),
        ]
    else:
        found.append(Fan("thirteen_orphans", "十三幺", 10, is_orphans, "thirteen orphans", cite="§7"))
    return found


# ---- the 2023 rulebook: fans add up (sheet section 8) ------------------------------------------------------------


def concealed_hand(open_melds: Any) -> Any:
    """No open meld; a concealed kong is allowed."""
    return open_melds == 0


def last_tile_win(last_tile: Any) -> Any:
    """The last wall tile, or the discard after it."""
    return last_tile


def all_orphan_kinds(held1: Any, form_thirteen_orphans: Any) -> Any:
    """Terminals and honours only, in pungs or pairs."""
    return ((held1 & ~ORPHANS) == 0) & (form_thirteen_orphans == 0)


def small_dragons(all_pungs: Any, pair: Any) -> Any:
    """Two pungs of dragons and a pair of the third."""
    return (popcount(all_pungs & DRAGONS) == 2) & ((DRAGONS >> pair & 1) == 1)


def big_dragons(all_pungs: Any) -> Any:
    """Three pungs of dragons."""
    return (all_pungs & DRAGONS) == DRAGONS


def small_winds(all_pungs: Any, pair: Any) -> Any:
    """Three pungs of winds and a pair of the fourth."""
    return (popcount(all_pungs & WINDS) == 3) & ((WINDS >> pair & 1) == 1)


def big_winds(all_pungs: Any) -> Any:
    """Four pungs of winds."""
    return (all_pungs & WINDS) == WINDS


def heavenly(first_turn: Any, dealer: Any) -> Any:
    """The dealer wins on the dealt hand."""
    return (first_turn == 1) & (dealer == 1)


def earthly(first_turn: Any, dealer: Any) -> Any:
    """Another seat wins in its first turn."""
    return (first_turn == 1) & (dealer == 0)


def nine_gates(melds: Any, has1: Any, has2: Any, has3: Any) -> Any:
    """Concealed, one suit, 1112345678999 and any tile of it."""
    found = melds < 0
    for suit in (CHARACTERS, DOTS, BAMBOO):
        ends = suit & TERMINALS
        found = found | (((has1 & suit) == suit) & ((has1 & ~suit) == 0) & ((has3 & ends) == ends))
    return found & (melds == 0) & (has2 != 0)


def rulebook_fans(options: Options) -> list[Fan]:
    """The fans of the rulebook; by four ghosts alone only the circumstances count beside them."""

    def shaped(id: str, name: str, value: int, when: Any, english: str) -> Fan:
        return Fan(id, name, value, when, english, cite="§8 MIL 2023")

    found = [
        shaped("self_draw", "自摸", 1, by_draw, "self-draw"),
        shaped("concealed_hand", "门清", 1, concealed_hand, "concealed hand"),
        shaped("all_pungs", "碰碰和", 4, all_pungs, "all pungs"),
        shaped("half_flush", "混一色", 4, half_flush, "half flush"),
        shaped("robbed_kong", "抢杠", 4, by_robbing, "robbing a kong"),
        shaped("last_tile", "海底", 4, last_tile_win, "last tile"),
        shaped("kong_draw", "杠上花", 5, on_kong_draw, "win on a kong's replacement"),
        shaped("seven_pairs", "七对", 6, is_seven_pairs, "seven pairs"),
        shaped("full_flush", "清一色", 8, one_suit, "full flush"),
        shaped("terminals_and_honours", "幺九", 12, all_orphan_kinds, "terminals and honours"),
        shaped("small_dragons", "小三元", 12, small_dragons, "small three dragons"),
        shaped("small_winds", "小四喜", 12, small_winds, "small four winds"),
        shaped("heavenly", "天和", 12, heavenly, "heavenly hand"),
        shaped("earthly", "地和", 12, earthly, "earthly hand"),
        shaped("nine_gates", "九莲宝灯", 16, nine_gates, "nine gates"),
        shaped("big_dragons", "大三元", 16, big_dragons, "big three dragons"),
        shaped("big_winds", "大四喜", 16, big_winds, "big four winds"),
        shaped("thirteen_orphans", "十三幺", 16, is_orphans, "thirteen orphans"),
    ]
    if options.four_ghost:
        beside = ("robbed_kong", "last_tile", "kong_draw", "heavenly", "earthly")
        others = tuple(fan.id for fan in found if fan.id not in beside)
        found.append(
            Fan("four_ghosts", "四鬼和", 12, is_four_ghosts, "four wild tiles", excludes=others, cite="§8 MIL 2023")
        )
    return found


def is_four_ghosts(form_four_ghosts: Any) -> Any:
    """Won by four wild tiles, whatever the shape."""
    return form_four_ghosts == 1


def coefficient(wilds: Any, ghosts_discarded: Any) -> Any:
    """2 for a hand without a wild tile; 2^N when N wild tiles were discarded (基本分 coefficient, §8)."""
    return (ghosts_discarded > 0) * (1 << ghosts_discarded) + (ghosts_discarded == 0) * (1 + (wilds == 0) * 1)


COLUMNS = (Column("coefficient", coefficient), Column("holds_four_ghosts", four_ghosts))
