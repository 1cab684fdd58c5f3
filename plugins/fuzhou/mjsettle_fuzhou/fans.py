"""The specials (番型) of Fuzhou mahjong in the three tables (sheet sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, HONOURS, Col, Column, popcount
from mjsettle.fans import Fan
from mjsettle.options import Options

# ---- columns -------------------------------------------------------------------------------------------------------


def drawn_gold(self_draw: Col, rob_gold: Col) -> Col:
    """1 on a self-draw proper: not on the turned gold (抢金)."""
    return self_draw & (rob_gold == 0)


def suits_in(mask: Col) -> Col:
    """How many suits a mask of kinds has tiles of, honours counted as one more."""
    suits = ((mask & CHARACTERS) != 0) * 1 + ((mask & DOTS) != 0) * 1 + ((mask & BAMBOO) != 0) * 1
    return suits + ((mask & HONOURS) != 0) * 1


def one_suit(natural1: Col) -> Col:
    """1 where the natural tiles are of one suit, golds left aside."""
    return (suits_in(natural1) == 1) & ((natural1 & HONOURS) == 0)


def one_suit_with_golds(natural1: Col, wild_held1: Col) -> Col:
    """1 where natural tiles and golds are of one suit."""
    held = natural1 | wild_held1
    return (suits_in(held) == 1) & ((held & HONOURS) == 0)


def all_golds(
    has1: Col, has2: Col, has3: Col, concealed1: Col, concealed2: Col, concealed3: Col, pungs: Col, form_standard: Col
) -> Col:
    """Mask of the pungs that golds alone make: no natural tile of their kind is held."""
    golds = has1 & ~concealed1 & has2 & ~concealed2 & has3 & ~concealed3
    return pungs & golds * form_standard


def pair_golds(
    has1: Col,
    has2: Col,
    has3: Col,
    has4: Col,
    concealed1: Col,
    concealed2: Col,
    concealed3: Col,
    concealed4: Col,
    pair: Col,
) -> Col:
    """How many golds stand for the kind of the pair; two of them can be the pair."""
    found = ((has1 & ~concealed1) >> pair & 1) + ((has2 & ~concealed2) >> pair & 1)
    return found + ((has3 & ~concealed3) >> pair & 1) + ((has4 & ~concealed4) >> pair & 1)


def kong_points(open_kongs: Col, concealed_kongs: Col) -> Col:
    """1 for each exposed kong, 2 for each concealed one."""
    return popcount(open_kongs) + 2 * popcount(concealed_kongs)


COLUMNS: Final = tuple(
    Column(fn.__name__, fn) for fn in (drawn_gold, one_suit, one_suit_with_golds, all_golds, pair_golds, kong_points)
)

# ---- conditions ----------------------------------------------------------------------------------------------------


def full_flush_with_golds(form_three_golds: Col, one_suit_with_golds: Col) -> Col:
    """One suit, the golds held among it."""
    return one_suit_with_golds & (form_three_golds == 0)


def full_flush_but_golds(form_three_golds: Col, one_suit: Col) -> Col:
    """One suit; golds do not matter."""
    return one_suit & (form_three_golds == 0)


def half_flush(form_three_golds: Col, one_suit: Col, one_suit_with_golds: Col) -> Col:
    """Natural tiles of one suit, and a gold of another."""
    return one_suit & (one_suit_with_golds == 0) & (form_three_golds == 0)


def golden_dragon(all_golds: Col) -> Col:
    """Three golds are a set of their own: the other tiles are complete without them."""
    return all_golds != 0


def golden_pair(form_standard: Col, pair_golds: Col) -> Col:
    """Two golds are the pair."""
    return (form_standard == 1) & (pair_golds >= 2)


def golden_pair_but_dragon(form_standard: Col, pair_golds: Col, dragon_shape: Col) -> Col:
    """Two golds are the pair; with three, the other tiles are not complete without them (金龙 goes before)."""
    return (form_standard == 1) & (pair_golds >= 2) & (dragon_shape == 0)


def three_golds(wilds: Col, drawn_gold: Col) -> Col:
    """Three golds held on a self-draw, in whatever shape."""
    return (wilds >= 3) & (drawn_gold == 1)


def three_golds_but_dragon(wilds: Col, drawn_gold: Col, dragon_shape: Col) -> Col:
    """Three golds held on a self-draw, in whatever shape but 金龙."""
    return (wilds >= 3) & (drawn_gold == 1) & (dragon_shape == 0)


def three_golds_or_dragon(wilds: Col, drawn_gold: Col, dragon_shape: Col) -> Col:
    """Three golds held on a self-draw, in whatever shape, or beside a hand that is complete without them (金龙)."""
    return ((wilds >= 3) & (drawn_gold == 1)) | (dragon_shape == 1)


def heavenly_hand(dealer: Col, first_turn: Col, drawn_gold: Col) -> Col:
    """The dealer wins with the first seventeen tiles."""
    return (dealer == 1) & (first_turn == 1) & (drawn_gold == 1)


def robbed_gold(rob_gold: Col) -> Col:
    """Won on the gold at the moment it is turned up."""
    return rob_gold


def no_flowers_no_kongs(flower_total: Col, kong_points: Col) -> Col:
    """No flower and no kong; golds are neither."""
    return (flower_total == 0) & (kong_points == 0)


def one_flower(flower_total: Col, kong_points: Col) -> Col:
    """A single flower and no kong."""
    return (flower_total == 1) & (kong_points == 0)


def always(hand_tiles: Col) -> Col:
    """Any win."""
    return hand_tiles > 0


def declared_ready(flag_heavenly_ready: Col) -> Col:
    """Ready on the starting hand, declared before the first discard (flag heavenly_ready)."""
    return flag_heavenly_ready


# ---- the tables ----------------------------------------------------------------------------------------------------

Row = tuple[str, str, int, Callable[..., Col], str]

_GOLD_VALUES: Final[Mapping[str, tuple[int, int, int]]] = {"A": (120, 60, 40), "B": (10, 30, 10), "C": (30, 50, 30)}
"""金龙 (in B and C what it is worth where it is switched on), 金雀 and 三金倒."""

# Of equal specials the first listed counts: 清一色 and 混一色 override the golds.
_COLOURS: Final[Mapping[str, tuple[Row, ...]]] = {
    "A": (
        ("full_flush", "清一色", 240, full_flush_with_golds, "full flush"),
        ("half_flush", "混一色", 120, half_flush, "full flush but for golds"),
    ),
    "B": (),
    "C": (("full_flush", "清一色", 100, full_flush_but_golds, "full flush"),),
}
_OTHERS: Final[Mapping[str, tuple[Row, ...]]] = {
    "A": (
        ("heavenly_hand", "天胡", 30, heavenly_hand, "heavenly hand"),
        ("robbed_gold", "抢金", 30, robbed_gold, "robbing the gold"),
        ("no_flowers_no_kongs", "无花无杠", 30, no_flowers_no_kongs, "no flowers and no kongs"),
        ("one_flower", "一张花", 15, one_flower, "one flower"),
        ("ordinary", "平胡", 1, always, "ordinary win"),
    ),
    "B": (
        ("heavenly_hand", "天胡", 40, heavenly_hand, "heavenly hand"),
        ("robbed_gold", "抢金", 20, robbed_gold, "robbing the gold"),
    ),
    "C": (
        ("robbed_gold", "抢金", 30, robbed_gold, "robbing the gold"),
        ("no_flowers_no_kongs", "平胡", 15, no_flowers_no_kongs, "no flowers and no kongs"),
    ),
}


def _golds(options: Options) -> tuple[Row, ...]:
    """金龙, 金雀 and 三金倒, of which a hand is one, in this order of precedence (§3).

    A hand that is complete without its three golds can always be read with two of them as the pair, so which it is is
    asked of the hand and not of the reading. Where 金龙 is off it counts as 三金倒; table C does not know it.
    """
    dragon, pair, three = _GOLD_VALUES[options.table]
    if options.golden_dragon:
        return (
            ("golden_dragon", "金龙", dragon, golden_dragon, "golden dragon"),
            ("golden_pair", "金雀", pair, golden_pair_but_dragon, "golden sparrow"),
            ("three_golds", "三金倒", three, three_golds_but_dragon, "three golds"),
        )
    known = options.table != "C"
    return (
        ("golden_pair", "金雀", pair, golden_pair_but_dragon if known else golden_pair, "golden sparrow"),
        ("three_golds", "三金倒", three, three_golds_or_dragon if known else three_golds, "three golds"),
    )


def fans_of(options: Options) -> list[Fan]:
    """The specials of the table under these switches."""
    found = []
    if options.heavenly_ready:
        value = int(options.heavenly_ready)
        found.append(Fan("heavenly_ready", "天听", value, declared_ready, "ready on the dealt hand", cite="§3"))
    for id, name, value, when, english in (*_COLOURS[options.table], *_golds(options), *_OTHERS[options.table]):
        excludes = ("three_golds",) if id == "golden_pair" else ()
        if id != "one_flower" or options.one_flower:
            found.append(Fan(id, name, value, when, english, excludes=excludes, cite=f"§4 {options.table}"))
    return found
