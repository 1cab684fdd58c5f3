"""The fans of the 2023 rulebook: they add up, and a coefficient multiplies them (sheet section 8)."""

from __future__ import annotations

from collections.abc import Callable

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, DRAGONS, ORPHANS, TERMINALS, WINDS, Col, popcount
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_guangdong.fans import shared


def concealed_hand(open_melds: Col) -> Col:
    """No open meld; a concealed kong is allowed."""
    return open_melds == 0


def last_tile_win(last_tile: Col) -> Col:
    """The last wall tile, or the discard after it."""
    return last_tile


def all_orphan_kinds(held1: Col, form_thirteen_orphans: Col) -> Col:
    """Terminals and honours only, in pungs or pairs."""
    return ((held1 & ~ORPHANS) == 0) & (form_thirteen_orphans == 0)


def small_dragons(all_pungs: Col, pair: Col) -> Col:
    """Two pungs of dragons and a pair of the third."""
    return (popcount(all_pungs & DRAGONS) == 2) & ((DRAGONS >> pair & 1) == 1)


def big_dragons(all_pungs: Col) -> Col:
    """Three pungs of dragons."""
    return (all_pungs & DRAGONS) == DRAGONS


def small_winds(all_pungs: Col, pair: Col) -> Col:
    """Three pungs of winds and a pair of the fourth."""
    return (popcount(all_pungs & WINDS) == 3) & ((WINDS >> pair & 1) == 1)


def big_winds(all_pungs: Col) -> Col:
    """Four pungs of winds."""
    return (all_pungs & WINDS) == WINDS


def heavenly(first_turn: Col, dealer: Col) -> Col:
    """The dealer wins on the dealt hand."""
    return (first_turn == 1) & (dealer == 1)


def earthly(first_turn: Col, dealer: Col) -> Col:
    """Another seat wins in its first turn."""
    return (first_turn == 1) & (dealer == 0)


def nine_gates(melds: Col, has1: Col, has2: Col, has3: Col) -> Col:
    """Concealed, one suit, 1112345678999 and any tile of it."""
    found = melds < 0
    for suit in (CHARACTERS, DOTS, BAMBOO):
        ends = suit & TERMINALS
        found = found | (((has1 & suit) == suit) & ((has1 & ~suit) == 0) & ((has3 & ends) == ends))
    return found & (melds == 0) & (has2 != 0)


def rulebook_fans(options: Options) -> list[Fan]:
    """The fans of the rulebook; by four ghosts alone only the circumstances count beside them."""

    def shaped(id: str, name: str, value: int, when: Callable[..., Col], english: str) -> Fan:
        return Fan(id, name, value, when, english, cite="§8 MIL 2023")

    found = [
        shaped("self_draw", "自摸", 1, shared.by_draw, "self-draw"),
        shaped("concealed_hand", "门清", 1, concealed_hand, "concealed hand"),
        shaped("all_pungs", "碰碰和", 4, shared.all_pungs, "all pungs"),
        shaped("half_flush", "混一色", 4, shared.half_flush, "half flush"),
        shaped("robbed_kong", "抢杠", 4, shared.by_robbing, "robbing a kong"),
        shaped("last_tile", "海底", 4, last_tile_win, "last tile"),
        shaped("kong_draw", "杠上花", 5, shared.on_kong_draw, "win on a kong's replacement"),
        shaped("seven_pairs", "七对", 6, shared.seven_pairs, "seven pairs"),
        shaped("full_flush", "清一色", 8, shared.full_flush, "full flush"),
        shaped("terminals_and_honours", "幺九", 12, all_orphan_kinds, "terminals and honours"),
        shaped("small_dragons", "小三元", 12, small_dragons, "small three dragons"),
        shaped("small_winds", "小四喜", 12, small_winds, "small four winds"),
        shaped("heavenly", "天和", 12, heavenly, "heavenly hand"),
        shaped("earthly", "地和", 12, earthly, "earthly hand"),
        shaped("nine_gates", "九莲宝灯", 16, nine_gates, "nine gates"),
        shaped("big_dragons", "大三元", 16, big_dragons, "big three dragons"),
        shaped("big_winds", "大四喜", 16, big_winds, "big four winds"),
        shaped("thirteen_orphans", "十三幺", 16, shared.thirteen_orphans, "thirteen orphans"),
    ]
    if options.four_ghost:
        beside = ("robbed_kong", "last_tile", "kong_draw", "heavenly", "earthly")
        others = tuple(fan.id for fan in found if fan.id not in beside)
        found.append(
            Fan("four_ghosts", "四鬼和", 12, four_ghosts_win, "four wild tiles", excludes=others, cite="§8 MIL 2023")
        )
    return found


def four_ghosts_win(form_four_ghosts: Col) -> Col:
    """Won by four wild tiles, whatever the shape."""
    return form_four_ghosts == 1


def coefficient(wilds: Col, ghosts_discarded: Col) -> Col:
    """2 for a hand without a wild tile; 2^N when N wild tiles were discarded (基本分 coefficient, §8)."""
    return (ghosts_discarded > 0) * (1 << ghosts_discarded) + (ghosts_discarded == 0) * (1 + (wilds == 0) * 1)
