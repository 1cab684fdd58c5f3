"""The multipliers (倍数) of a JavaScript scorer: its fans multiply, and the composites have names of their own (§9).

Where two patterns have a joint name they count under that alone (清碰 is 碰碰胡 in one suit); others stand side by side
(双龙七对 and 清一色). The roots of seven pairs and of 十八罗汉 are inside their names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from mjsettle.columns import Column
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_sichuan.fans import (
    all_simples,
    by_robbing,
    concealed_draw,
    concealed_hand,
    drawn,
    drawn_later,
    earthly_win,
    heavenly_win,
    kongs_only,
    on_kong_discard,
    on_kong_draw,
    on_last_tile,
    outside_hand,
    quads,
    two_five_eight,
)

ARHATS: Final = 4
"""Kongs of 十八罗汉; melds of 金钩钓."""


def columns(options: Options) -> tuple[Column, ...]:
    """What the patterns of this table are told by; 0 where a switch has the pattern count for nothing."""

    def outside(form_standard: Any, all_chows: Any, all_pungs: Any, pair: Any) -> Any:
        """Every set and the pair hold a 1 or a 9."""
        return outside_hand(form_standard, all_chows, all_pungs, pair) & options.yaojiu

    def jiang(held1: Any, form_seven_pairs: Any, chow_count: Any) -> Any:
        """2, 5 and 8 only, as all pungs or seven pairs."""
        return two_five_eight(held1, form_seven_pairs, chow_count) & options.jiang

    def hooked(form_standard: Any, chow_count: Any, melds: Any) -> Any:
        """Four pungs or kongs laid down and a wait on the pair."""
        return (form_standard == 1) & (chow_count == 0) & (melds == ARHATS) & (options.jingou == 2)

    return Column("outside", outside), Column("jiang", jiang), Column("hooked", hooked)


def plain_win(form_standard: Any, chow_count: Any, suits_held: Any, outside: Any, held1: Any) -> Any:
    """Sets and a pair that are no pattern of this table."""
    return (form_standard == 1) & (chow_count > 0) & (suits_held > 1) & (outside == 0) & (all_simples(held1) == 0)


def pungs(form_standard: Any, chow_count: Any, hooked: Any, kong_count: Any, suits_held: Any, jiang: Any) -> Any:
    """Four pungs or kongs and a pair in two suits, where no other name says so."""
    plain = (hooked == 0) & (kong_count < ARHATS) & (jiang == 0)
    return (form_standard == 1) & (chow_count == 0) & (suits_held > 1) & plain


def flush_pungs(form_standard: Any, chow_count: Any, hooked: Any, kong_count: Any, suits_held: Any) -> Any:
    """Four pungs or kongs and a pair of one suit, where no other name says so."""
    return (form_standard == 1) & (chow_count == 0) & (suits_held == 1) & (hooked == 0) & (kong_count < ARHATS)


def golden_hook(hooked: Any, kong_count: Any, suits_held: Any) -> Any:
    """Four pungs or kongs laid down, not all of them kongs, and a wait on the pair, in two suits."""
    return (hooked == 1) & (kong_count < ARHATS) & (suits_held > 1)


def flush_hook(hooked: Any, kong_count: Any, suits_held: Any) -> Any:
    """Four pungs or kongs laid down, not all of them kongs, and a wait on the pair, of one suit."""
    return (hooked == 1) & (kong_count < ARHATS) & (suits_held == 1)


def arhats(kong_count: Any, suits_held: Any) -> Any:
    """Four kongs and a pair in two suits."""
    return (kong_count == ARHATS) & (suits_held > 1)


def flush_arhats(kong_count: Any, suits_held: Any) -> Any:
    """Four kongs and a pair of one suit."""
    return (kong_count == ARHATS) & (suits_held == 1)


def jiang_pungs(form_standard: Any, jiang: Any) -> Any:
    """Four pungs or kongs and a pair of 2, 5 and 8 only."""
    return (form_standard == 1) & (jiang == 1)


def jiang_pairs(form_seven_pairs: Any, jiang: Any) -> Any:
    """Seven pairs of 2, 5 and 8 only, four equal tiles among them or not."""
    return (form_seven_pairs == 1) & (jiang == 1)


def outside_of_two_suits(outside: Any, suits_held: Any) -> Any:
    """Every set and the pair hold a 1 or a 9, in two suits."""
    return (outside == 1) & (suits_held > 1)


def flush_outside(outside: Any, suits_held: Any) -> Any:
    """Every set and the pair hold a 1 or a 9, of one suit."""
    return (outside == 1) & (suits_held == 1)


def simples(held1: Any, jiang: Any) -> Any:
    """No 1 and no 9 anywhere; not all 2, 5 and 8 in pungs or pairs."""
    return all_simples(held1) & (jiang == 0)


def _pairs(roots: int, flush: bool) -> Callable[..., Any]:
    def in_one_suit(form_seven_pairs: Any, natural_quads: Any, suits_held: Any) -> Any:
        return (form_seven_pairs == 1) & (natural_quads == roots) & (suits_held == 1)

    def in_two_suits(form_seven_pairs: Any, natural_quads: Any, suits_held: Any, jiang: Any) -> Any:
        return (form_seven_pairs == 1) & (natural_quads == roots) & (suits_held > 1) & (jiang == 0)

    found = in_one_suit if flush else in_two_suits
    held = ("no four equal tiles", "four equal tiles once")[roots]
    found.__doc__ = f"Seven pairs {'of one suit' if flush else 'in two suits'} with {held}."
    return found


def _many_roots(roots: int) -> Callable[..., Any]:
    def found(form_seven_pairs: Any, natural_quads: Any, jiang: Any) -> Any:
        return (form_seven_pairs == 1) & (natural_quads == roots) & (jiang == 0)

    found.__doc__ = f"Seven pairs with four equal tiles {('twice', 'three times')[roots - 2]}, in any suits."
    return found


def full_flush(
    form_standard: Any, chow_count: Any, outside: Any, form_seven_pairs: Any, natural_quads: Any, suits_held: Any
) -> Any:
    """One suit, where no name of a pattern in one suit says so."""
    in_sets = (form_standard == 1) & (chow_count > 0) & (outside == 0)
    return (suits_held == 1) & (in_sets | ((form_seven_pairs == 1) & (natural_quads > 1)))


def roots(form_standard: Any, natural_quads: Any, kong_count: Any) -> Any:
    """Once for each four equal tiles in sets, konged or not; none of seven pairs and of four kongs."""
    return quads(natural_quads) * ((form_standard == 1) & (kong_count < ARHATS))


def kong_roots(kong_count: Any) -> Any:
    """Once for each kong, but not for four, which have a name."""
    return kongs_only(kong_count) * (kong_count < ARHATS)


def last_draw(last_tile: Any, self_draw: Any) -> Any:
    """Won by self-draw on the last wall tile."""
    return on_last_tile(last_tile) & self_draw


def last_discard(last_tile: Any, self_draw: Any) -> Any:
    """Won on the discard after the last wall tile."""
    return on_last_tile(last_tile) & (self_draw == 0)


def fan_table(options: Options) -> list[Fan]:
    """The fans of this table that count under these switches; their values multiply."""
    on = options
    dragon = 2 if on.longqidui == 4 else 1
    zimo = drawn if on.tianhu_zimo else drawn_later
    concealed = concealed_draw if on.menqing_zimo_only else concealed_hand
    table = (
        (True, Fan("plain_win", "平胡", 1, plain_win, "plain win")),
        (on.pengpeng, Fan("all_pungs", "碰碰胡", 2, pungs, "all pungs")),
        (True, Fan("flush_pungs", "清碰", 8 if on.pengpeng else 4, flush_pungs, "all pungs of one suit")),
        (True, Fan("golden_hook", "金钩钓", 4, golden_hook, "golden hook")),
        (True, Fan("flush_hook", "清金钩钓", 16, flush_hook, "golden hook of one suit")),
        (True, Fan("eighteen_arhats", "十八罗汉", 64, arhats, "four kongs")),
        (True, Fan("flush_arhats", "清十八罗汉", 256, flush_arhats, "four kongs of one suit")),
        (on.jiang, Fan("jiang_pungs", "将对", 8, jiang_pungs, "pungs of twos, fives, eights")),
        (on.jiang, Fan("jiang_pairs", "将七对", 16, jiang_pairs, "pairs of twos, fives, eights")),
        (True, Fan("full_flush", "清一色", 4, full_flush, "full flush")),
        (True, Fan("seven_pairs", "七对", 4, _pairs(0, flush=False), "seven pairs")),
        (True, Fan("flush_pairs", "清七对", 16, _pairs(0, flush=True), "seven pairs of one suit")),
        (True, Fan("dragon_pairs", "龙七对", 8 * dragon, _pairs(1, flush=False), "dragon seven pairs")),
        (True, Fan("flush_dragon", "清龙七对", 32 * dragon, _pairs(1, flush=True), "dragon seven pairs of one suit")),
        (True, Fan("double_dragon", "双龙七对", 16 * dragon, _many_roots(2), "double dragon seven pairs")),
        (True, Fan("triple_dragon", "三龙七对", 32 * dragon, _many_roots(3), "triple dragon seven pairs")),
        (on.yaojiu, Fan("outside_hand", "幺九", 4, outside_of_two_suits, "terminals everywhere")),
        (on.yaojiu, Fan("flush_outside", "清幺九", 16, flush_outside, "terminals everywhere, one suit")),
        (True, Fan("all_simples", "断幺九", 2, simples, "all simples")),
        (on.men_zhong, Fan("concealed_hand", "门清", 2, concealed, "concealed hand")),
        (on.gen == "fan", Fan("root", "根", 2, kong_roots if on.only_kong else roots, "root")),
        (on.zimo == "jiafan", Fan("self_draw", "自摸", 2, zimo, "self-draw")),
        (True, Fan("kong_draw", "杠上开花", 2, on_kong_draw, "win on a kong's replacement")),
        (True, Fan("kong_discard", "杠上炮", 2, on_kong_discard, "win on the discard after a kong")),
        (True, Fan("robbed_kong", "抢杠胡", 2, by_robbing, "robbing a kong")),
        (on.haidi, Fan("last_tile", "海底捞月", 2, last_draw, "last tile")),
        (on.haidi, Fan("last_discard", "海底炮", 2, last_discard, "last discard")),
        (on.tianhu > 0, Fan("heavenly_win", "天胡", 2**on.tianhu, heavenly_win, "heavenly win")),
        (on.dihu > 0, Fan("earthly_win", "地胡", 2**on.dihu, earthly_win, "earthly win")),
    )
    return [replace(fan, cite="§9") for counts, fan in table if counts]
