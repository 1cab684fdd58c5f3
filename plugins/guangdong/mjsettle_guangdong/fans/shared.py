"""Conditions that more than one fan page names."""

from __future__ import annotations

from mjsettle.columns import Col, popcount


def holds_four_ghosts(wilds: Col, wild_held1: Col, wild_held2: Col, wild_held3: Col, wild_held4: Col) -> Col:
    """Four equal wild tiles are held, or four wild flowers."""
    with_kind = popcount(wild_held1) + popcount(wild_held2) + popcount(wild_held3) + popcount(wild_held4)
    return (wild_held4 != 0) | (wilds - with_kind >= 4)


def all_pungs(form_standard: Col, chow_count: Col) -> Col:
    """Four pungs or kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def full_flush(suits_held: Col, honours_held: Col) -> Col:
    """One suit and no honours."""
    return (suits_held == 1) & (honours_held == 0)


def half_flush(suits_held: Col, honours_held: Col) -> Col:
    """One suit with honours."""
    return (suits_held == 1) & (honours_held > 0)


def seven_pairs(form_seven_pairs: Col) -> Col:
    """Seven pairs."""
    return form_seven_pairs == 1


def thirteen_orphans(form_thirteen_orphans: Col) -> Col:
    """Thirteen orphans."""
    return form_thirteen_orphans == 1


def by_draw(self_draw: Col) -> Col:
    """Won by self-draw."""
    return self_draw


def by_robbing(self_draw: Col, rob_kong: Col) -> Col:
    """Won on the tile of an added kong."""
    return (self_draw == 0) & (rob_kong == 1)


def on_kong_draw(kong_draw: Col) -> Col:
    """Won on the replacement tile of an own kong."""
    return kong_draw
