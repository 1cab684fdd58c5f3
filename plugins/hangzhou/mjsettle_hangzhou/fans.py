"""The fans of Hangzhou mahjong: the platform's factors and the 2025 rulebook's table (sheet sections 3, 4 and 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mjsettle.columns import EVERY_KIND, Col, Column
from mjsettle.fans import Fan
from mjsettle.options import Options

_DISCARDS: Final = ("", "财飘", "双财飘", "三财飘", "连飘×4")
_KONGS_MOST: Final = 4
_CHAIN_MOST: Final = 8

# ---- columns -------------------------------------------------------------------------------------------------------


def wilds_before(wilds: Col, win_wild: Col) -> Col:
    """How many 财神 were held before the winning tile."""
    return wilds - win_wild


def any_tile_wins(formal_waits: Col, wilds_before: Col) -> Col:
    """可爆头: with a 财神 in it, the hand before the winning tile would win with any tile drawn."""
    return (formal_waits == EVERY_KIND) & (wilds_before > 0)


def chain(chain_kongs: Col, chain_discards: Col) -> Col:
    """How many kongs and discarded 财神 led to the win."""
    return chain_kongs + chain_discards


def luxury(form_seven_pairs: Col, natural_quads: Col) -> Col:
    """In seven pairs, how many kinds are held four times without a 财神."""
    return form_seven_pairs * natural_quads


def columns_of(options: Options) -> tuple[Column, ...]:
    """The columns, and whether the win is 爆头 under the switch for four standing ones."""

    def head_shot(any_tile_wins: Col, self_draw: Col, wilds_before: Col) -> Col:
        """爆头: a self-draw while any tile would win."""
        found = any_tile_wins & (self_draw == 1)
        return found & (wilds_before != 4) if options.four_standing_excl else found

    found = (wilds_before, any_tile_wins, chain, luxury, head_shot)
    return tuple(Column(fn.__name__, fn) for fn in found)


# ---- conditions ----------------------------------------------------------------------------------------------------


def plain(form_standard: Col) -> Col:
    """Four sets and a pair."""
    return form_standard


def seven_pairs(form_seven_pairs: Col, luxury: Col) -> Col:
    """Seven pairs without four natural tiles of a kind."""
    return (form_seven_pairs == 1) & (luxury == 0)


def luxury_pairs(luxury: Col) -> Col:
    """Seven pairs with four natural tiles of a kind; a 财神 makes none."""
    return luxury > 0


def by_head_shot(head_shot: Col) -> Col:
    """Self-drawn when any tile would have won: without one 财神 the hand was four sets or six pairs."""
    return head_shot


def four_wilds(wilds: Col, chain_discards: Col) -> Col:
    """All four 财神: in the final hand or discarded in the chain."""
    return wilds + chain_discards == 4


def no_wild(wilds: Col) -> Col:
    """No 财神 in the hand."""
    return wilds == 0


def each_kong(chain_kongs: Col) -> Col:
    """Once for each kong whose replacement led to the win."""
    return chain_kongs


def each_discard(chain_discards: Col, head_shot: Col) -> Col:
    """Once for each 财神 discarded in the chain; the win is 爆头."""
    return chain_discards * head_shot


def first_ten_winds(ten_winds: Col) -> Col:
    """The first ten discards are winds, with no chow or pung claimed; one more with 白 among them."""
    return ten_winds > 0


def _quads(count: int) -> Callable[..., Col]:
    def condition(luxury: Col) -> Col:
        return luxury == count

    condition.__doc__ = f"Seven pairs with {count} natural four of a kind."
    return condition


def _only_kongs(length: int) -> Callable[..., Col]:
    def condition(chain_kongs: Col, chain_discards: Col) -> Col:
        return (chain_kongs == length) & (chain_discards == 0)

    condition.__doc__ = f"Won on the replacement of the last of {length} kongs in a row."
    return condition


def _only_discards(length: int) -> Callable[..., Col]:
    def condition(chain_kongs: Col, chain_discards: Col) -> Col:
        return (chain_kongs == 0) & (chain_discards == length)

    condition.__doc__ = f"Won after {length} 财神 discarded while any tile would have won."
    return condition


def _mixed(length: int) -> Callable[..., Col]:
    def condition(chain_kongs: Col, chain_discards: Col) -> Col:
        return (chain_kongs > 0) & (chain_discards > 0) & (chain_kongs + chain_discards == length)

    condition.__doc__ = f"Won after {length} kongs and discarded 财神 in a row."
    return condition


# ---- tables --------------------------------------------------------------------------------------------------------


def platform_fans() -> list[Fan]:
    """The factors: shape, the chain by its length, 4个白板, 爆头; they multiply."""
    found = [
        Fan("plain", "平胡", 1, plain, "plain win", cite="§4 shape"),
        Fan("seven_pairs", "七对", 2, seven_pairs, "seven pairs", cite="§4 shape"),
    ]
    found += [
        Fan(f"luxury_pairs_{n}", f"豪华七对×{n}", 2 << n, _quads(n), f"luxury seven pairs, {n}", cite="§4 shape")
        for n in (1, 2, 3)
    ]
    for n in range(1, _KONGS_MOST + 1):
        id, name = ("kong_draw", "杠开") if n == 1 else (f"kong_chain_{n}", f"连杠×{n}")
        found.append(Fan(id, name, 1 << n, _only_kongs(n), f"win on a kong's replacement, {n}", cite="§4 chain"))
    for n in range(1, len(_DISCARDS)):
        english = f"win after discarding the wild, {n}"
        found.append(Fan(f"wild_discard_{n}", _DISCARDS[n], 1 << n, _only_discards(n), english, cite="§4 chain"))
    for n in range(2, _CHAIN_MOST + 1):
        english = f"kongs and discarded wilds, {n}"
        found.append(Fan(f"mixed_chain_{n}", f"杠飘链×{n}", 1 << n, _mixed(n), english, cite="§4 chain"))
    found.append(Fan("four_wilds", "4个白板", 2, four_wilds, "all four wilds", cite="§4"))
    found.append(Fan("head_shot", "爆头", 2, by_head_shot, "any tile would have won", cite="§3"))
    return found


def rulebook_fans() -> list[Fan]:
    """The table of the 2025 rulebook; the fans add up."""

    def worth(ten_winds: Col) -> Col:
        """3, or 4 with 白 among the ten."""
        return ten_winds

    return [
        Fan("plain", "平和", 0, plain, "plain win", cite="§6"),
        Fan("head_shot", "爆头", 1, by_head_shot, "any tile would have won", cite="§6"),
        Fan("kong_draw", "杠开", 1, each_kong, "win on a kong's replacement", cite="§6"),
        Fan("wild_discard", "财飘", 1, each_discard, "win after discarding the wild", cite="§6"),
        Fan("seven_pairs", "七对", 2, seven_pairs, "seven pairs", cite="§6"),
        Fan("luxury_pairs", "豪华七对", 4, luxury_pairs, "luxury seven pairs", cite="§6"),
        Fan("no_wild", "无财神", 1, no_wild, "no wild", cite="§6"),
        Fan("ten_winds", "十风", worth, first_ten_winds, "ten winds discarded first", cite="§6"),
    ]


def fans_of(options: Options) -> list[Fan]:
    """The fans under these switches."""
    return rulebook_fans() if options.score == "mil" else platform_fans()
