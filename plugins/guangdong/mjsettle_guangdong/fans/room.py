"""The room's way: one value for the win and doublings, V x 2^k (sheet section 4)."""

from __future__ import annotations

from collections.abc import Callable

from mjsettle.columns import Col, smaller
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_guangdong.fans import shared


def by_discard(self_draw: Col, rob_kong: Col) -> Col:
    """Won on a discard."""
    return (self_draw == 0) & (rob_kong == 0)


def no_ghost(wilds: Col) -> Col:
    """No wild tile in the whole winning hand."""
    return wilds == 0


def luxury_once(form_seven_pairs: Col, natural_quads: Col) -> Col:
    """Seven pairs with four of a kind, made without a wild."""
    return form_seven_pairs * smaller(natural_quads, 1)


def luxury_each(form_seven_pairs: Col, natural_quads: Col) -> Col:
    """Seven pairs, once for each four of a kind made without a wild."""
    return form_seven_pairs * natural_quads


def last_tile_draw(last_tile: Col, self_draw: Col) -> Col:
    """Self-draw of the last wall tile."""
    return last_tile * self_draw


def four_ghosts(holds_four_ghosts: Col) -> Col:
    """Four equal wild tiles, or four wild flowers, are in the winning hand."""
    return holds_four_ghosts


def room_fans(options: Options) -> list[Fan]:
    """The value of the win, and every doubling that is switched on."""
    found = [
        Fan("self_draw", "自摸", 2, shared.by_draw, "self-draw", cite="§4 V"),
        Fan("robbed_kong", "抢杠胡", 2, shared.by_robbing, "robbing a kong", cite="§4 V"),
        Fan("discard_win", "吃胡", 1, by_discard, "win on a discard", cite="§4 V"),
    ]
    if options.qidui_jiafan:
        found.append(doubling("seven_pairs", "七对加番", shared.seven_pairs, "seven pairs"))
    if options.haohua:
        luxury = luxury_each if options.shuang_haohua else luxury_once
        found.append(doubling("luxury_pairs", "豪华七对", luxury, "luxury seven pairs"))
    return found + common_doublings(options, options.four_ghost_double)


def common_doublings(options: Options, four_ghost_double: bool) -> list[Fan]:
    """The doublings that the pattern table knows too."""
    doublings = (
        (options.wugui, doubling("no_ghost", "无鬼加倍", no_ghost, "no wild tile")),
        (options.gangkai_double, doubling("kong_draw", "杠上开花", shared.on_kong_draw, "win on a kong's replacement")),
        (options.haidi_double, doubling("last_tile", "海底捞月", last_tile_draw, "last tile")),
        (four_ghost_double, doubling("four_ghosts", "四鬼加倍", four_ghosts, "four wild tiles")),
    )
    return [fan for on, fan in doublings if on]


def doubling(id: str, name: str, when: Callable[..., Col], english: str) -> Fan:
    """A fan that doubles each time it counts."""
    return Fan(id, name, 2, when, english, cite="§4 k")
