"""The yakuman (§2). They stand alone: beside them no ordinary yaku and no dora count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mjsettle.columns import (
    BAMBOO,
    CHARACTERS,
    DOTS,
    DRAGONS,
    HONOURS,
    SIMPLES,
    TERMINALS,
    WINDS,
    Col,
    Place,
    bits,
    popcount,
)
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle.tiles import CODES
from mjsettle_riichi.yaku import renhou

HAN: Final = 13
"""What a yakuman's fan counts."""

GREEN: Final = bits(*(CODES[name] for name in ("2s", "3s", "4s", "6s", "8s", "6z")))


def kokushi(form_thirteen_orphans: Col, pair: Col, won: Col) -> Col:
    """Thirteen orphans, waiting on one kind."""
    return (form_thirteen_orphans == 1) & (pair != won)


def kokushi_juusanmen(form_thirteen_orphans: Col, pair: Col, won: Col) -> Col:
    """Thirteen orphans, waiting on all thirteen."""
    return (form_thirteen_orphans == 1) & (pair == won)


def suuankou(own_pungs: Col, place: Col) -> Col:
    """Four concealed pungs or kongs, won on one of them by self-draw."""
    return (own_pungs == 4) & (place != int(Place.PAIR))


def suuankou_tanki(own_pungs: Col, place: Col) -> Col:
    """Four concealed pungs or kongs, won on the pair."""
    return (own_pungs == 4) & (place == int(Place.PAIR))


def daisangen(all_pungs: Col) -> Col:
    """Three pungs of dragons."""
    return (all_pungs & DRAGONS) == DRAGONS


def wind_pungs(all_pungs: Col) -> Col:
    """How many pungs of winds."""
    return popcount(all_pungs & WINDS)


def shousuushii(wind_pungs: Col, pair: Col) -> Col:
    """Three pungs of winds and a pair of the fourth."""
    return (wind_pungs == 3) & ((WINDS >> pair & 1) == 1)


def daisuushii(wind_pungs: Col) -> Col:
    """Four pungs of winds."""
    return wind_pungs == 4


def tsuuiisou(kinds1: Col) -> Col:
    """Honours only."""
    return (kinds1 & ~HONOURS) == 0


def tsuuiisou_in_sets(kinds1: Col, form_seven_pairs: Col) -> Col:
    """Honours only, not as seven pairs."""
    return ((kinds1 & ~HONOURS) == 0) & (form_seven_pairs == 0)


def chinroutou(kinds1: Col) -> Col:
    """Terminals only."""
    return (kinds1 & ~TERMINALS) == 0


def ryuuiisou(kinds1: Col) -> Col:
    """2, 3, 4, 6, 8 of bamboo and green dragons only."""
    return (kinds1 & ~GREEN) == 0


def ryuuiisou_with_hatsu(kinds1: Col) -> Col:
    """2, 3, 4, 6, 8 of bamboo and green dragons only, the dragons among them."""
    return ((kinds1 & ~GREEN) == 0) & ((kinds1 >> 32 & 1) == 1)


def nine_gates(kinds1: Col, kinds3: Col, melds: Col) -> Col:
    """Concealed, no kong, 1112345678999 of a suit and one tile more."""
    found = melds < 0
    for suit in (CHARACTERS, DOTS, BAMBOO):
        ends = suit & TERMINALS
        found = found | ((kinds1 == suit) & ((kinds3 & ends) == ends))
    return found & (melds == 0)


def nine_waits(kinds2: Col, kinds4: Col, last_kind: Col) -> Col:
    """In nine gates: the winning tile is the one that is more, so that all nine won."""
    return ((kinds4 | (kinds2 & SIMPLES)) >> last_kind & 1) == 1


def chuuren(nine_gates: Col, nine_waits: Col) -> Col:
    """Nine gates, waiting on less than nine kinds."""
    return nine_gates & (nine_waits == 0)


def junsei_chuuren(nine_gates: Col, nine_waits: Col) -> Col:
    """Nine gates, waiting on all nine kinds."""
    return nine_gates & nine_waits


def suukantsu(kong_count: Col) -> Col:
    """Four kongs."""
    return kong_count == 4


def tenhou(first_turn: Col, self_draw: Col, dealer: Col) -> Col:
    """The dealer wins on the dealt hand."""
    return (first_turn == 1) & (self_draw == 1) & (dealer == 1)


def chiihou(first_turn: Col, self_draw: Col, dealer: Col) -> Col:
    """Another seat wins on its first draw, with no call before."""
    return (first_turn == 1) & (self_draw == 1) & (dealer == 0)


def _twice(when: Callable[..., Col]) -> Callable[..., Col]:
    """The same condition, counted twice."""

    def counted_twice(*columns: Col) -> Col:
        return when(*columns) * 2

    counted_twice.__wrapped__ = when  # type: ignore[attr-defined]  # inspect.signature looks through
    counted_twice.__doc__ = when.__doc__
    return counted_twice


def yakuman(options: Options) -> list[Fan]:
    """The yakuman under these switches, those first that may count double: where only one counts, it is the first."""

    def limit(id: str, name: str, chinese: str, when: Callable[..., Col], english: str, double: bool = False) -> Fan:
        counted = _twice(when) if double and options.double_yakuman else when
        return Fan(id, name, HAN, counted, english, name, cite="§2 役満", chinese=chinese)

    found = [
        limit(
            "kokushi_juusanmen", "国士無双十三面", "国士无双十三面", kokushi_juusanmen, "13-wait thirteen orphans", True
        ),
        limit(
            "suuankou_tanki", "四暗刻単騎", "四暗刻单骑", suuankou_tanki, "single-wait four concealed triplets", True
        ),
        limit("junsei_chuuren", "純正九蓮宝燈", "纯正九莲宝灯", junsei_chuuren, "true nine gates", True),
        limit("daisuushii", "大四喜", "大四喜", daisuushii, "big four winds", True),
        limit("kokushi", "国士無双", "国士无双", kokushi, "thirteen orphans"),
        limit("suuankou", "四暗刻", "四暗刻", suuankou, "four concealed triplets"),
        limit("daisangen", "大三元", "大三元", daisangen, "big three dragons"),
        limit("shousuushii", "小四喜", "小四喜", shousuushii, "little four winds"),
        limit(
            "tsuuiisou",
            "字一色",
            "字一色",
            tsuuiisou if options.seven_pair_honours else tsuuiisou_in_sets,
            "all honours",
        ),
        limit("chinroutou", "清老頭", "清老头", chinroutou, "all terminals"),
        limit(
            "ryuuiisou",
            "緑一色",
            "绿一色",
            ryuuiisou_with_hatsu if options.green_needs_hatsu else ryuuiisou,
            "all green",
        ),
        limit("chuuren", "九蓮宝燈", "九莲宝灯", chuuren, "nine gates"),
        limit("suukantsu", "四槓子", "四杠子", suukantsu, "four quads"),
        limit("tenhou", "天和", "天和", tenhou, "blessing of heaven"),
        limit("chiihou", "地和", "地和", chiihou, "blessing of earth"),
    ]
    if options.renhou == "yakuman":
        found.append(limit("renhou", "人和", "人和", renhou, "blessing of man"))
    if not options.yakuman_stacking:
        ids = [fan.id for fan in found]
        found = [replace(fan, excludes=tuple(ids[at + 1 :])) for at, fan in enumerate(found)]
    return found
