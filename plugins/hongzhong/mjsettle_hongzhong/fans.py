"""The price of a win in rooms (sheet section 3) and the fan table of the 2024 rulebook (section 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, Col, Column, chow_field
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle.tiles import CODES

RED: Final = 1 << CODES["7z"]
_STRAIGHTS: Final = tuple(sum(1 << chow_field(suit, rank) for rank in (1, 4, 7)) for suit in range(3))


def no_zhong(wilds: Col, meld1: Col) -> Col:
    """No 红中 in the whole winning hand."""
    return (wilds == 0) & ((meld1 & RED) == 0)


def holds_four_zhong(wilds: Col) -> Col:
    """Four 红中 or more are held."""
    return wilds >= 4


def four_zhong_drawn(holds_four_zhong: Col, self_draw: Col, in_time: Col) -> Col:
    """Four 红中 in the hand, self-drawn; before the owner's first discard where the switch says so (§2)."""
    return holds_four_zhong & (self_draw == 1) & (in_time == 1)


def by_draw(self_draw: Col) -> Col:
    """Won by self-draw."""
    return self_draw


def by_robbing(self_draw: Col, rob_kong: Col) -> Col:
    """Won on the tile of an added kong."""
    return (self_draw == 0) & (rob_kong == 1)


def by_discard(self_draw: Col, rob_kong: Col) -> Col:
    """Won on a discard."""
    return (self_draw == 0) & (rob_kong == 0)


def room_fans(options: Options) -> list[Fan]:
    """What a share is made of: all wins of a kind cost the same, whatever the hand."""
    found = [
        Fan("self_draw", "自摸", options.zimo_base, by_draw, "self-draw", cite="§3"),
        Fan("robbed_kong", "抢杠胡", options.rob_base, by_robbing, "robbing a kong", cite="§3"),
        Fan("discard_win", "点炮", options.dianpao_base, by_discard, "win on a discard", cite="§3"),
    ]
    if options.no_zhong_share:
        found.append(Fan("no_zhong", "无红中", options.no_zhong_share, no_zhong, "no 红中", cite="§3"))
    return found


def any_win(form: Col) -> Col:
    """Any win that has no other fan."""
    return form >= 0


def all_pungs(form_standard: Col, chow_count: Col) -> Col:
    """Four pungs or kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def pure_straight(form_standard: Col, chows: Col) -> Col:
    """123, 456 and 789 of one suit among the sets of the reading."""
    found = form_standard < 0
    for straight in _STRAIGHTS:
        found = found | (((chows | chows >> 1 | chows >> 2) & straight) == straight)
    return found & (form_standard == 1)


def on_kong_draw(kong_draw: Col) -> Col:
    """Won on the replacement tile of an own kong."""
    return kong_draw


def seven_pairs(form_seven_pairs: Col) -> Col:
    """Seven pairs."""
    return form_seven_pairs == 1


def full_flush(form_standard: Col, form_seven_pairs: Col, held1: Col) -> Col:
    """One suit alone, in sets or in pairs."""
    found = form_standard < 0
    for suit in (CHARACTERS, DOTS, BAMBOO):
        found = found | ((held1 & ~suit) == 0)
    return found & ((form_standard == 1) | (form_seven_pairs == 1))


def dragon_pairs(form_seven_pairs: Col, has4: Col, won: Col) -> Col:
    """Seven pairs with four of a kind, the tile just won being its fourth copy."""
    return (form_seven_pairs == 1) & ((has4 >> won & 1) == 1)


def rulebook_fans(options: Options) -> list[Fan]:
    """The fans of the 2024 rulebook; a fan that another implies is not counted beside it."""

    def mil(
        id: str, name: str, value: int, when: Callable[..., Col], english: str, excludes: tuple[str, ...] = ()
    ) -> Fan:
        return Fan(id, name, value, when, english, excludes=(*excludes, "plain"), cite="§5 MIL 2024")

    found = [
        mil("no_zhong", "无红中", 1, no_zhong, "no 红中"),
        mil("all_pungs", "大对子", 1, all_pungs, "all pungs"),
        mil("pure_straight", "一条龙", 1, pure_straight, "pure straight"),
        mil("kong_draw", "杠上花", 1, on_kong_draw, "win on a kong's replacement"),
        mil("seven_pairs", "七对", 2, seven_pairs, "seven pairs"),
        mil("full_flush", "清一色", 2, full_flush, "full flush"),
        mil("dragon_pairs", "龙七对", 3, dragon_pairs, "dragon seven pairs", ("seven_pairs",)),
    ]
    plain = replace(mil("plain", "平和", 0, any_win, "plain hand"), excludes=(), listed_at_zero=True)
    return [*found, plain]


def as_suited(has1: Col, wild_held1: Col) -> Col:
    """A wild 红中 stands for another tile, never for itself: it is the only honour of the set (§1)."""
    return ((has1 & RED) == 0) | ((wild_held1 & RED) == 0)


COLUMNS: Final = (Column("holds_four_zhong", holds_four_zhong),)
PAGES: Final = {"room": room_fans, "mil": rulebook_fans}
