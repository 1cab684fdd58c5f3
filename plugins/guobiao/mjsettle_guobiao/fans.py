"""The 81 fans of the 1998 rules and the 明暗杠 of later ones: values, names and what is not counted beside them (不计).

`不计` names the fans that a fan forbids altogether. What it forbids for its own sets only is left to the functions:
幺九刻 of pungs that count for another fan, and two-chow fans inside a three- or four-chow fan.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, Final

from mjsettle.columns import Col, Column, any_of
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_guobiao import kinds, sets, situation, waits
from mjsettle_guobiao.chows import chow_fans
from mjsettle_guobiao.knitted import knitted_missing, knitted_shapes
from mjsettle_guobiao.pungs import pung_fans

Row = tuple[int, str, str, Callable[..., Col], str]

_SERIES: Final = "双暗杠 明暗杠 双明杠 暗杠 明杠"

TABLE: Final[tuple[Row, ...]] = (
    (88, "大四喜", "Big Four Winds", sets.big_four_winds, "三风刻 碰碰和 圈风刻 门风刻 幺九刻 全带幺"),
    (88, "大三元", "Big Three Dragons", sets.big_three_dragons, "双箭刻 箭刻"),
    (88, "绿一色", "All Green", kinds.all_green, "混一色"),
    (88, "九莲宝灯", "Nine Gates", kinds.nine_gates, "清一色 门前清 不求人 无字"),
    (88, "四杠", "Four Kongs", sets.four_kongs, f"三杠 {_SERIES} 碰碰和 单钓将"),
    (88, "连七对", "Seven Shifted Pairs", kinds.seven_shifted_pairs, "七对 清一色 门前清 不求人 单钓将 无字"),
    (88, "十三幺", "Thirteen Orphans", kinds.thirteen_orphans, "混幺九 五门齐 门前清 不求人 单钓将"),
    (64, "清幺九", "All Terminals", kinds.all_terminals, "混幺九 碰碰和 全带幺 双同刻 幺九刻 无字"),
    (64, "小四喜", "Little Four Winds", sets.little_four_winds, "三风刻"),
    (64, "小三元", "Little Three Dragons", sets.little_three_dragons, "双箭刻 箭刻"),
    (64, "字一色", "All Honours", kinds.all_honours, "碰碰和 混幺九 全带幺 幺九刻"),
    (64, "四暗刻", "Four Concealed Pungs", sets.four_concealed_pungs, "三暗刻 双暗刻 碰碰和 门前清 不求人"),
    (64, "一色双龙会", "Pure Terminal Chows", sets.pure_terminal_chows, "七对 清一色 平和 一般高 老少副 无字"),
    (48, "一色四同顺", "Quadruple Chow", sets.quadruple_chow, "一色三同顺 一般高 四归一"),
    (48, "一色四节高", "Four Pure Shifted Pungs", sets.four_pure_shifted_pungs, "一色三节高 碰碰和"),
    (32, "一色四步高", "Four Pure Shifted Chows", sets.four_pure_shifted_chows, "一色三步高 连六 老少副"),
    (32, "三杠", "Three Kongs", sets.three_kongs, _SERIES),
    (32, "混幺九", "All Terminals and Honours", kinds.all_terminals_and_honours, "碰碰和 全带幺 幺九刻"),
    (24, "七对", "Seven Pairs", kinds.seven_pairs, "门前清 不求人 单钓将"),
    (
        24,
        "七星不靠",
        "Greater Honours and Knitted Tiles",
        kinds.greater_honours_and_knitted_tiles,
        "全不靠 五门齐 门前清 不求人 单钓将",
    ),
    (24, "全双刻", "All Even Pungs", sets.all_even_pungs, "碰碰和 断幺 无字"),
    (24, "清一色", "Full Flush", kinds.full_flush, "无字"),
    (24, "一色三同顺", "Pure Triple Chow", sets.pure_triple_chow, "一般高 一色三节高"),
    (24, "一色三节高", "Pure Shifted Pungs", sets.pure_shifted_pungs, ""),
    (24, "全大", "Upper Tiles", kinds.upper_tiles, "大于五 无字"),
    (24, "全中", "Middle Tiles", kinds.middle_tiles, "断幺 无字"),
    (24, "全小", "Lower Tiles", kinds.lower_tiles, "小于五 无字"),
    (16, "清龙", "Pure Straight", sets.pure_straight, "连六 老少副"),
    (16, "三色双龙会", "Three-Suit Terminal Chows", sets.three_suit_terminal_chows, "喜相逢 老少副 平和 无字"),
    (16, "一色三步高", "Pure Shifted Chows", sets.pure_shifted_chows, ""),
    (16, "全带五", "All Fives", sets.all_fives, "断幺 无字"),
    (16, "三同刻", "Triple Pung", sets.triple_pung, "双同刻"),
    (16, "三暗刻", "Three Concealed Pungs", sets.three_concealed_pungs, "双暗刻"),
    (
        12,
        "全不靠",
        "Lesser Honours and Knitted Tiles",
        kinds.lesser_honours_and_knitted_tiles,
        "五门齐 门前清 不求人 单钓将",
    ),
    (12, "组合龙", "Knitted Straight", kinds.knitted_straight, ""),
    (12, "大于五", "Upper Four", kinds.upper_four, "无字"),
    (12, "小于五", "Lower Four", kinds.lower_four, "无字"),
    (12, "三风刻", "Big Three Winds", sets.big_three_winds, ""),
    (8, "花龙", "Mixed Straight", sets.mixed_straight, ""),
    (8, "推不倒", "Reversible Tiles", kinds.reversible_tiles, "缺一门"),
    (8, "三色三同顺", "Mixed Triple Chow", sets.mixed_triple_chow, "喜相逢"),
    (8, "三色三节高", "Mixed Shifted Pungs", sets.mixed_shifted_pungs, ""),
    (8, "妙手回春", "Last Tile Draw", situation.last_tile_draw, "自摸"),
    (8, "海底捞月", "Last Tile Claim", situation.last_tile_claim, ""),
    (8, "杠上开花", "Out with Replacement Tile", situation.out_with_replacement_tile, "自摸"),
    (8, "抢杠和", "Robbing the Kong", situation.robbing_the_kong, "和绝张"),
    (6, "碰碰和", "All Pungs", sets.all_pungs_hand, ""),
    (6, "混一色", "Half Flush", kinds.half_flush, ""),
    (6, "三色三步高", "Mixed Shifted Chows", sets.mixed_shifted_chows, ""),
    (6, "五门齐", "All Types", kinds.all_types, ""),
    (6, "全求人", "Melded Hand", situation.melded_hand, "单钓将"),
    (6, "双暗杠", "Two Concealed Kongs", sets.two_concealed_kongs, "暗杠 双暗刻"),
    (6, "双箭刻", "Two Dragon Pungs", sets.two_dragon_pungs, "箭刻"),
    (5, "明暗杠", "Melded + Concealed Kong", sets.melded_plus_concealed_kong, "明杠 暗杠"),
    (4, "全带幺", "Outside Hand", sets.outside_hand, ""),
    (4, "不求人", "Fully Concealed Hand", situation.fully_concealed_hand, "自摸 门前清"),
    (4, "双明杠", "Two Melded Kongs", sets.two_melded_kongs, "明杠"),
    (4, "和绝张", "Last Tile", situation.last_tile, ""),
    (2, "箭刻", "Dragon Pung", sets.dragon_pung, ""),
    (2, "圈风刻", "Prevalent Wind", sets.prevalent_wind, ""),
    (2, "门风刻", "Seat Wind", sets.seat_wind_pung, ""),
    (2, "门前清", "Concealed Hand", situation.concealed_hand, ""),
    (2, "平和", "All Chows", sets.all_chows_hand, "无字"),
    (2, "四归一", "Tile Hog", kinds.tile_hog, ""),
    (2, "双同刻", "Double Pung", sets.double_pung, ""),
    (2, "双暗刻", "Two Concealed Pungs", sets.two_concealed_pungs, ""),
    (2, "暗杠", "Concealed Kong", sets.concealed_kong, ""),
    (2, "断幺", "All Simples", kinds.all_simples, "无字"),
    (1, "一般高", "Pure Double Chow", sets.pure_double_chow, ""),
    (1, "喜相逢", "Mixed Double Chow", sets.mixed_double_chow, ""),
    (1, "连六", "Short Straight", sets.short_straight, ""),
    (1, "老少副", "Two Terminal Chows", sets.two_terminal_chows, ""),
    (1, "幺九刻", "Pung of Terminals or Honours", sets.pung_of_terminals_or_honours, ""),
    (1, "明杠", "Melded Kong", sets.melded_kong, ""),
    (1, "缺一门", "One Voided Suit", kinds.one_voided_suit, ""),
    (1, "无字", "No Honours", kinds.no_honours, ""),
    (1, "边张", "Edge Wait", situation.edge_wait, ""),
    (1, "坎张", "Closed Wait", situation.closed_wait, ""),
    (1, "单钓将", "Single Wait", situation.single_wait, ""),
    (1, "自摸", "Self-Drawn", situation.self_drawn, ""),
)
"""Value, Chinese name, English name, function, 不计; 无番和 and 花牌 are added by `fans_under`."""

CHICKEN: Final = "无番和"
FLOWER: Final = "花牌"
_NOT_OF_1998: Final = "明暗杠"
COLUMNS: Final = tuple(
    Column(fn.__name__, fn)
    for fn in (
        chow_fans,
        pung_fans,
        knitted_missing,
        knitted_shapes,
        kinds.no_honours_held,
        sets.wind_pungs,
        sets.dragon_pungs,
        sets.own_winds,
        sets.chow_ends,
        waits.wait_label,
    )
)


def fan_id(english: str) -> str:
    """The id of a fan: its English name in snake_case."""
    return re.sub(r"[^a-z]+", "_", english.lower().replace("+", "plus"))


def fans_under(options: Options) -> list[Fan]:
    """The fans under these switches, from the most valuable down."""
    values = {"双暗杠": options.double_concealed_kong, "明暗杠": options.melded_plus_concealed_kong}
    rows = [(values.get(name, value), name, *rest) for value, name, *rest in TABLE if values.get(name, value)]
    ids = {name: fan_id(english) for _, name, english, *_ in rows}
    found = []
    for value, name, english, fn, excludes in rows:
        if name == "杠上开花" and options.kong_through_flower:
            fn = situation.out_through_flower
        forbidden = tuple(ids[other] for other in excludes.split() if other in ids)
        found.append(Fan(ids[name], name, value, fn, english, excludes=forbidden, cite=_cite(name)))
    chicken = Fan("chicken_hand", CHICKEN, 8, _no_fan(list(ids.values())), "Chicken Hand", cite=_cite(CHICKEN))
    found.insert(next(at for at, fan in enumerate(found) if fan.name == "妙手回春"), chicken)
    if options.flowers_enabled:
        found.append(Fan("flower_tile", FLOWER, 1, situation.flower_tile, "Flower Tile", cite=_cite(FLOWER)))
    return found


def _no_fan(others: list[str]) -> Callable[..., Col]:
    """无番和. A fan that is not counted is so because of one that is, so the raw fans tell."""

    def chicken_hand(*raw: Any) -> Col:
        """A hand with no other fan at all, flowers apart."""
        return any_of(*raw) == 0

    parameters = [Parameter(f"raw_{other}", Parameter.POSITIONAL_OR_KEYWORD) for other in others]
    chicken_hand.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return chicken_hand


_NUMBERS: Final = {
    name: number
    for number, name in enumerate(
        [
            *[row[1] for row in TABLE[:42]],
            CHICKEN,
            *[row[1] for row in TABLE[42:] if row[1] != _NOT_OF_1998],
            FLOWER,
        ],
        start=1,
    )
}


def _cite(name: str) -> str:
    if name == _NOT_OF_1998:
        return "sheet §6; EMA rules, not among the 81 of 1998"
    return f"sheet §6; 1998 rules p.23-30, no. {_NUMBERS[name]} of 81"
