"""小胡 and the big wins (大胡) of Wuhan mahjong (sheet section 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mjsettle.columns import HONOURS, Col, Column, popcount, ranks, where
from mjsettle.fans import Fan
from mjsettle.options import Options

GENERALS: Final = ranks(2, 5, 8)


def full_flush(form_standard: Col, suits_held: Col, honours_held: Col) -> Col:
    """One suit and no honours."""
    return (form_standard == 1) & (suits_held == 1) & (honours_held == 0)


def all_pungs(form_standard: Col, chow_count: Col) -> Col:
    """Four pungs or kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def all_honours(held1: Col) -> Col:
    """Honours only, in any shape."""
    return (held1 & ~HONOURS) == 0


def all_generals(held1: Col) -> Col:
    """Tiles of rank 2, 5 and 8 only, in any shape."""
    return (held1 & ~GENERALS) == 0


def all_claimed(form_standard: Col, open_melds: Col, self_draw: Col) -> Col:
    """Four claimed melds, the pair completed by another seat's tile."""
    return (form_standard == 1) & (open_melds == 4) & (self_draw == 0)


def all_claimed_or_drawn(form_standard: Col, open_melds: Col) -> Col:
    """Four claimed melds, the pair completed by any tile."""
    return (form_standard == 1) & (open_melds == 4)


def on_kong_draw(kong_draw: Col) -> Col:
    """Won on the replacement tile of an own kong, special kongs included."""
    return kong_draw


def last_tile_draw(last_tile: Col, self_draw: Col) -> Col:
    """Self-draw of one of the last wall tiles."""
    return last_tile & self_draw


def by_robbing(rob_kong: Col) -> Col:
    """Won on the tile of an added kong."""
    return rob_kong


def small(big_count: Col) -> Col:
    """A win without any big one."""
    return big_count == 0


def hard(substituted: Col) -> Col:
    """No wild tile stands for another kind than its own; doubles, but is no big win."""
    return substituted == 0


# ---- columns -------------------------------------------------------------------------------------------------------


def free_pair(raw_full_flush: Col, raw_all_pungs: Col, raw_all_honours: Col, raw_all_generals: Col) -> Col:
    """1 where the hand is big by its tiles, so that any pair will do."""
    return (raw_full_flush | raw_all_pungs | raw_all_honours | raw_all_generals) * 1


def big_count(
    raw_full_flush: Col,
    raw_all_pungs: Col,
    raw_all_honours: Col,
    raw_all_generals: Col,
    raw_all_claimed: Col,
    raw_kong_draw: Col,
    raw_last_tile: Col,
    raw_robbed_kong: Col,
) -> Col:
    """How many big wins the reading has."""
    by_tiles = raw_full_flush * 1 + raw_all_pungs * 1 + raw_all_honours * 1 + raw_all_generals * 1
    return by_tiles + raw_all_claimed * 1 + raw_kong_draw * 1 + raw_last_tile * 1 + raw_robbed_kong * 1


def substituted(
    form_standard: Col,
    form_any_generals: Col,
    wilds: Col,
    wilds_needed: Col,
    wild_held1: Col,
    wild_held2: Col,
    wild_held3: Col,
    wild_held4: Col,
) -> Col:
    """How many wild tiles stand for another kind than their own; without a shape, those that do not fit as they are."""
    fitting = where(form_any_generals == 1, GENERALS, HONOURS)
    fit = popcount(wild_held1 & fitting) + popcount(wild_held2 & fitting)
    fit = fit + popcount(wild_held3 & fitting) + popcount(wild_held4 & fitting)
    return where(form_standard == 1, wilds_needed, wilds - fit)


COLUMNS: Final = tuple(Column(fn.__name__, fn) for fn in (free_pair, big_count, substituted))


# ---- wins without a shape ------------------------------------------------------------------------------------------


def may_be_honours(natural1: Col) -> Col:
    """Every natural tile of the whole hand is an honour."""
    return (natural1 & ~HONOURS) == 0


def may_be_generals(natural1: Col) -> Col:
    """Every natural tile of the whole hand is a 2, 5 or 8."""
    return (natural1 & ~GENERALS) == 0


# ---- the table -----------------------------------------------------------------------------------------------------


def _big(id: str, name: str, when: Callable[..., Col], english: str) -> Fan:
    return Fan(id, name, 1, when, english, cite="§3 大胡")


def fans_of(options: Options) -> tuple[Fan, ...]:
    """小胡, or how many big wins there are; 硬胡 is worth nothing here and doubles the amounts."""
    claimed = all_claimed_or_drawn if options.quanqiuren_zimo else all_claimed
    return (
        Fan("small_win", "小胡", 1, small, "small win", cite="§3"),
        _big("full_flush", "清一色", full_flush, "full flush"),
        _big("all_pungs", "碰碰胡", all_pungs, "all pungs"),
        _big("all_honours", "风一色", all_honours, "all honours"),
        _big("all_generals", "将一色", all_generals, "all 2, 5 and 8"),
        _big("all_claimed", "全求人", claimed, "all claimed"),
        _big("kong_draw", "杠上开花", on_kong_draw, "win on a kong's replacement"),
        _big("last_tile", "海底捞月", last_tile_draw, "last tile"),
        _big("robbed_kong", "抢杠胡", by_robbing, "robbing a kong"),
        Fan("hard_win", "硬胡", 0, hard, "hard win, without a substituting wild", cite="§3"),
    )
