"""The pattern table (鸡平胡 style): the highest pattern counts, then doublings (sheet section 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mjsettle.columns import HONOURS, ORPHANS, TERMINALS, Col
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_guangdong.fans import shared
from mjsettle_guangdong.fans.room import common_doublings


def any_win(form: Col) -> Col:
    """Any legal win."""
    return form >= 0


def all_chows(form_standard: Col, pung_count: Col) -> Col:
    """Four chows and a pair."""
    return (form_standard == 1) & (pung_count == 0)


def half_flush_pungs(form_standard: Col, chow_count: Col, suits_held: Col, honours_held: Col) -> Col:
    """All pungs in one suit with honours."""
    return (form_standard == 1) & (chow_count == 0) & (suits_held == 1) & (honours_held > 0)


def pure_pungs(form_standard: Col, chow_count: Col, suits_held: Col, honours_held: Col) -> Col:
    """All pungs in one suit."""
    return (form_standard == 1) & (chow_count == 0) & (suits_held == 1) & (honours_held == 0)


def mixed_terminals(form_thirteen_orphans: Col, held1: Col) -> Col:
    """Terminals and honours only, both present, in pungs or pairs."""
    only = (held1 & ~ORPHANS) == 0
    return only & ((held1 & TERMINALS) != 0) & ((held1 & HONOURS) != 0) & (form_thirteen_orphans == 0)


def terminals_and_honours(held1: Col) -> Col:
    """Terminals and honours only."""
    return (held1 & ~ORPHANS) == 0


def pure_terminals(held1: Col) -> Col:
    """Terminals only."""
    return (held1 & ~TERMINALS) == 0


def all_honours(held1: Col) -> Col:
    """Honours only."""
    return (held1 & ~HONOURS) == 0


def luxury(form_seven_pairs: Col, natural_quads: Col) -> Col:
    """Seven pairs with four of a kind, made without a wild."""
    return (form_seven_pairs == 1) & (natural_quads >= 1)


def double_luxury(form_seven_pairs: Col, natural_quads: Col) -> Col:
    """Seven pairs with four of a kind twice, made without a wild."""
    return (form_seven_pairs == 1) & (natural_quads == 2)


def triple_luxury(form_seven_pairs: Col, natural_quads: Col) -> Col:
    """Seven pairs with four of a kind three times, made without a wild."""
    return (form_seven_pairs == 1) & (natural_quads == 3)


def eighteen_arhats(kong_count: Col) -> Col:
    """Four kongs."""
    return kong_count == 4


def pattern_fans(options: Options) -> list[Fan]:
    """The table of patterns, each of which shuts out the weaker ones, and the doublings."""
    rooms = options.patterns == "rooms"
    found = ranked(room_list() if rooms else patterns(options.patterns == "chaoshan"))
    if options.chihu:
        found.append(Fan("self_draw", "自摸", 2, shared.by_draw, "self-draw, doubled beside discard wins", cite="§7"))
    # 四鬼 x2 is an entry of the 100-room list itself.
    return found + common_doublings(options, rooms or options.four_ghost_double)


def patterns(chaoshan: bool) -> list[Fan]:
    """The 鸡平胡 table and its 潮汕 variant, the weakest first."""
    found = [
        pattern("chicken", "鸡胡", 1, any_win, "chicken hand"),
        pattern("all_chows", "平胡", 1, all_chows, "all chows"),
        pattern("half_flush", "混一色", 2, shared.half_flush, "half flush"),
        pattern("all_pungs", "碰碰胡", 2, shared.all_pungs, "all pungs"),
        pattern("seven_pairs", "七对", 3, shared.seven_pairs, "seven pairs"),
        pattern("half_flush_pungs", "混碰", 3, half_flush_pungs, "all pungs in a half flush"),
        pattern("full_flush", "清一色", 4, shared.full_flush, "full flush"),
        pattern("mixed_terminals", "混幺九", 4, mixed_terminals, "terminals and honours"),
        pattern("luxury_pairs", "豪华七对", 5, luxury, "luxury seven pairs"),
        pattern("pure_pungs", "清碰", 5, pure_pungs, "all pungs in a full flush"),
        pattern("pure_terminals", "清幺九", 6, pure_terminals, "all terminals"),
        pattern("all_honours", "字一色", 6, all_honours, "all honours"),
    ]
    if not chaoshan:
        return [*found, pattern("thirteen_orphans", "十三幺", 10, shared.thirteen_orphans, "thirteen orphans")]
    return [
        *found,
        pattern("double_luxury_pairs", "双豪华七对", 10, double_luxury, "double luxury seven pairs"),
        pattern("thirteen_orphans", "十三幺", 13, shared.thirteen_orphans, "thirteen orphans"),
        pattern("triple_luxury_pairs", "三豪华七对", 15, triple_luxury, "triple luxury seven pairs"),
        pattern("eighteen_arhats", "十八罗汉", 18, eighteen_arhats, "four kongs"),
    ]


def room_list() -> list[Fan]:
    """The table of the 100-room option list, the weakest first."""
    return [
        pattern("chicken", "鸡胡", 1, any_win, "chicken hand"),
        pattern("half_flush", "混一色", 2, shared.half_flush, "half flush"),
        pattern("all_pungs", "碰碰胡", 2, shared.all_pungs, "all pungs"),
        pattern("seven_pairs", "七对", 4, shared.seven_pairs, "seven pairs"),
        pattern("full_flush", "清一色", 4, shared.full_flush, "full flush"),
        pattern("terminals_and_honours", "幺九", 6, terminals_and_honours, "terminals and honours"),
        pattern("all_honours", "全风", 8, all_honours, "all honours"),
    ]


def pattern(id: str, name: str, value: int, when: Callable[..., Col], english: str) -> Fan:
    return Fan(id, name, value, when, english, cite="§7")


def ranked(table: Sequence[Fan]) -> list[Fan]:
    """The same fans, each excluding all that come before it: values are not added."""
    return [replace(fan, excludes=tuple(weaker.id for weaker in table[:rank])) for rank, fan in enumerate(table)]
