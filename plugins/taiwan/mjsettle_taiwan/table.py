"""The tai table of Taiwanese mahjong under its switches (§3), and what each fan absorbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_taiwan import fans as when

Condition = Callable[..., Any]

_TABLE: Final[tuple[tuple[str, str, int, Condition, str], ...]] = (
    ("concealed", "門清", 1, when.concealed, "concealed hand"),
    ("self_draw", "自摸", 1, when.by_self_draw, "self-draw"),
    ("concealed_self_draw", "門清自摸", 3, when.concealed_self_draw, "concealed self-draw"),
    ("round_wind", "圈風刻", 1, when.round_wind_pung, "round wind"),
    ("seat_wind", "門風刻", 1, when.seat_wind_pung, "seat wind"),
    ("dragon_pung", "三元牌", 1, when.dragon_pungs, "pung of dragons"),
    ("own_flower", "正花", 1, when.own_flowers, "own flower"),
    ("flower_kong", "花槓", 2, when.flower_series, "series of flowers"),
    ("single_wait", "獨聽", 1, when.single_wait, "single wait"),
    ("robbed_kong", "搶槓", 1, when.robbed_kong, "robbing a kong"),
    ("kong_replacement", "槓上開花", 1, when.kong_replacement, "kong replacement"),
    ("last_draw", "海底撈月", 1, when.last_draw, "last tile of the wall"),
    ("last_discard", "河底撈魚", 1, when.last_discard, "last discard"),
    ("half_begging", "半求人", 1, when.half_begging, "five open melds, self-draw"),
    ("full_begging", "全求人", 2, when.full_begging, "five open melds, discard"),
    ("all_chows", "平胡", 2, when.all_chows, "all chows"),
    ("three_concealed_pungs", "三暗刻", 2, when.three_concealed_pungs, "three concealed pungs"),
    ("four_concealed_pungs", "四暗刻", 5, when.four_concealed_pungs, "four concealed pungs"),
    ("five_concealed_pungs", "五暗刻", 8, when.five_concealed_pungs, "five concealed pungs"),
    ("all_pungs", "碰碰胡", 4, when.all_pungs, "all pungs"),
    ("half_flush", "混一色", 4, when.half_flush, "half flush"),
    ("full_flush", "清一色", 8, when.full_flush, "full flush"),
    ("all_honours", "字一色", 16, when.all_honours, "all honours"),
    ("little_three_dragons", "小三元", 4, when.little_three_dragons, "little three dragons"),
    ("big_three_dragons", "大三元", 8, when.big_three_dragons, "big three dragons"),
    ("little_four_winds", "小四喜", 8, when.little_four_winds, "little four winds"),
    ("big_four_winds", "大四喜", 16, when.big_four_winds, "big four winds"),
    ("ligu", "嚦咕嚦咕", 8, when.seven_pairs_and_pung, "seven pairs and a triplet"),
    ("heavenly_hand", "天胡", 24, when.heavenly, "heavenly hand"),
    ("earthly_hand", "地胡", 16, when.earthly, "earthly hand"),
    ("human_hand", "人胡", 8, when.human, "human hand"),
    ("heavenly_ready", "天聽", 8, when.heavenly_ready, "heavenly ready"),
    ("earthly_ready", "地聽", 4, when.earthly_ready, "earthly ready"),
    ("eight_immortals", "八仙過海", 8, when.all_flowers, "eight immortals (all eight flowers)"),
    ("seven_rob_one", "七搶一", 8, when.by_event, "seven flowers rob the eighth"),
)
_OFF_BY_DEFAULT: Final[tuple[tuple[str, str, int, Condition, str], ...]] = (
    ("no_flowers", "無花", 0, when.no_flowers, "no flowers"),
    ("no_honours", "無字", 0, when.no_honours, "no honours"),
    ("no_honours_no_flowers", "無字無花", 0, when.no_honours_no_flowers, "neither honours nor flowers"),
    ("flowers_and_honours", "見花見字", 0, when.every_flower_and_honour, "each flower and honour pung"),
    ("kong", "槓牌", 0, when.each_kong, "kong"),
    ("four_kongs", "四槓", 0, when.four_kongs, "four kongs"),
    ("ready", "聽牌", 0, when.declared_ready, "declared ready"),
    ("all_simples", "斷么", 0, when.all_simples, "all simples"),
)
EIGHT_PAIRS_HALF: Final = Fan(
    "eight_pairs_half", "八對半", 6, when.seven_pairs_and_pung, "eight pairs and a half", cite="§2"
)

ID_BY_NAME: Final[Mapping[str, str]] = {
    **{row[0]: row[0] for row in (*_TABLE, *_OFF_BY_DEFAULT)},
    **{row[1]: row[0] for row in (*_TABLE, *_OFF_BY_DEFAULT)},
}
"""The fan id by id or Chinese name, as `tai_values` may name it."""


def _absorbed(options: Options) -> dict[str, tuple[str, ...]]:
    """What does not count beside a fan, by its id."""
    winning = ("concealed", "self_draw", "concealed_self_draw")
    winds = ("round_wind", "seat_wind")
    opening = winning if options.opening_win_excludes_concealed else ()
    ready = ("concealed", "concealed_self_draw") if options.ready_excludes_concealed else ()
    return {
        "concealed_self_draw": ("self_draw",),
        "ligu": ("concealed",),
        "eight_pairs_half": ("concealed",),
        "heavenly_hand": (*opening, "single_wait", "kong_replacement"),
        "earthly_hand": opening,
        "human_hand": opening[:1],
        "heavenly_ready": ("earthly_ready", "ready", *ready),
        "earthly_ready": ("ready", *ready),
        "all_honours": () if options.all_honors_add_all_pungs else ("all_pungs",),
        "little_three_dragons": () if options.little_dragons_add_pungs else ("dragon_pung",),
        "big_three_dragons": ("dragon_pung",),
        "little_four_winds": () if options.little_winds_add_wind_pungs else winds,
        "big_four_winds": winds,
        "eight_immortals": ("own_flower", "flower_kong"),
        "flowers_and_honours": ("own_flower", "dragon_pung", *winds),
        "no_honours_no_flowers": ("no_flowers", "no_honours"),
        "four_kongs": ("kong",),
    }


def _values(options: Options) -> dict[str, int]:
    """Tai by fan id: the table's, or those of `tai_values`."""
    found = {row[0]: row[2] for row in (*_TABLE, *_OFF_BY_DEFAULT)}
    found.update({ID_BY_NAME[key]: tai for key, tai in options.tai_values.items()})
    return found


def all_fans(options: Options) -> list[Fan]:
    """The fans that count under these switches; a fan worth 0 tai is none."""
    values = _values(options)
    found = [
        Fan(id, name, values[id], condition, english, cite="§3")
        for id, name, _, condition, english in (*_TABLE, *_OFF_BY_DEFAULT)
        if values[id]
    ]
    found = [_as_switched(fan, options) for fan in found]
    absorbed, ids = _absorbed(options), {fan.id for fan in found}
    return [replace(fan, excludes=tuple(other for other in absorbed.get(fan.id, ()) if other in ids)) for fan in found]


def _as_switched(fan: Fan, options: Options) -> Fan:
    """The fan as the switches about it alone have it."""
    half = options.eight_pairs_half
    if fan.id == "ligu" and half is not None and (not options.ligu_enabled or half > fan.value):
        return replace(EIGHT_PAIRS_HALF, value=half)
    if fan.id == "all_chows" and options.pinghu == "loose":
        return replace(fan, when=when.all_chows_loose)
    if fan.id == "eight_immortals" and options.flower_win_mode == "bonus":
        # Paid when the flowers are complete, so not a second time with the hand.
        return replace(fan, when=when.by_event)
    return fan


def flower_fans(options: Options) -> dict[str, Fan]:
    """八仙過海 and 七搶一 by id, with their values under these switches."""
    values = _values(options)
    rows = [row for row in _TABLE if row[0] in ("eight_immortals", "seven_rob_one")]
    return {id: Fan(id, name, values[id], when.by_event, english, cite="§3") for id, name, _, _, english in rows}
