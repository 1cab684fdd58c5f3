"""The table of faan of Hong Kong mahjong under its switches (§3). They add up, then the cap cuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_hongkong import fans as when

SEVEN_FLOWERS: Final = Fan("seven_flowers", "花糊", 3, when.by_event, "seven flowers", cite="§3 e")
EIGHT_FLOWERS: Final = Fan("eight_flowers", "大花糊", 8, when.by_event, "eight flowers", cite="§3 e")


def hand_fans(options: Options) -> list[Fan]:
    """Groups a and b: shapes and honours, none of which counts beside a limit hand."""
    kankan: Callable[..., Any] = when.all_pungs_concealed if options.kankan_discard else when.all_pungs_self_drawn
    found = [
        Fan("all_chows", "平糊", 1, when.all_chows, "all chows", cite="§3 a"),
        Fan("all_pungs", "對對糊", 3, when.all_pungs, "all pungs", cite="§3 a"),
        Fan("concealed_pungs", "坎坎糊", 8, kankan, "four concealed pungs", excludes=("all_pungs",), cite="§3 a"),
        Fan("half_flush", "混一色", 3, when.half_flush, "half flush", cite="§3 a"),
        Fan("full_flush", "清一色", options.pure_flush_faan, when.full_flush, "full flush", cite="§3 a"),
        Fan("mixed_terminals", "花幺", 1, when.mixed_terminals, "terminals and honours", cite="§3 a"),
        Fan("dragon_pung", "三元牌", 1, when.dragon_pungs, "pung of dragons", cite="§3 b"),
        Fan("seat_wind", "門風", 1, when.seat_wind_pung, "seat wind", cite="§3 b"),
        Fan("round_wind", "圈風", 1, when.round_wind_pung, "round wind", cite="§3 b"),
        Fan("little_three_dragons", "小三元", 3, when.little_three_dragons, "little three dragons", cite="§3 b"),
        Fan("big_three_dragons", "大三元", 5, when.big_three_dragons, "big three dragons", cite="§3 b"),
        Fan("little_four_winds", "小四喜", 3, when.little_four_winds, "little four winds", cite="§3 b"),
    ]
    if options.seven_pairs_faan is not None:
        pairs = Fan("seven_pairs", "七對子", options.seven_pairs_faan, when.is_seven_pairs, "seven pairs", cite="§2")
        found.insert(0, pairs)
    return found


def limit_fans(options: Options, beneath: list[Fan]) -> list[Fan]:
    """Group c, the dearest first: each suppresses those after it and all of the groups a and b (`beneath`)."""
    earthly = when.earthly_by_discard if options.earthly == "discard" else when.earthly_by_draw
    gates = when.nine_gates_nine_sided if options.nine_gates_nine_sided else when.nine_gates
    table: list[tuple[str, str, int, Callable[..., Any], str]] = [
        ("thirteen_orphans", "十三么", 13, when.is_thirteen_orphans, "thirteen orphans"),
        ("eighteen_arhats", "十八羅漢", 13, when.four_kongs, "eighteen arhats (four kongs)"),
        ("big_four_winds", "大四喜", 13, when.big_four_winds, "big four winds"),
        ("heavenly_hand", "天糊", 13, when.heavenly, "heavenly hand"),
        ("earthly_hand", "地糊", 13, earthly, "earthly hand"),
        ("human_hand", "人糊", 13, when.human, "human hand"),
        ("all_honours", "字一色", 10, when.all_honours, "all honours"),
        ("pure_terminals", "清幺九", 10, when.pure_terminals, "all terminals"),
        ("nine_gates", "九子連環", 10, gates, "nine gates"),
    ]
    if not options.human_win:
        table = [row for row in table if row[0] != "human_hand"]
    ordinary = tuple(fan.id for fan in beneath)
    found = []
    for at, (id, name, value, condition, english) in enumerate(table):
        lower = tuple(row[0] for row in table[at + 1 :])
        found.append(Fan(id, name, value, condition, english, excludes=(*lower, *ordinary), cite="§3 c"))
    return found


def circumstance_fans(options: Options) -> list[Fan]:
    """Group d."""
    drawn = when.by_self_draw if options.concealed_self_draw == "both" else when.by_self_draw_open
    chain, replacement = when.second_kong_replacement, ("kong_replacement",)
    return [
        Fan("self_draw", "自摸", 1, drawn, "self-draw", cite="§3 d"),
        Fan("concealed_hand", "門前清", 1, concealed_hand(options), "concealed hand", cite="§3 d"),
        Fan("robbed_kong", "搶槓", 1, when.robbed_kong, "robbing a kong", cite="§3 d"),
        Fan("last_draw", "海底撈月", 1, when.last_draw, "last tile of the wall", cite="§3 d"),
        Fan("last_discard", "河底撈魚", 1, when.last_discard, "last discard", cite="§3 d"),
        Fan("kong_replacement", "槓上開花", 1, when.kong_replacement, "kong replacement", cite="§3 d"),
        Fan("kong_on_kong", "連槓開花", 8, chain, "kong on kong", excludes=replacement, cite="§3 d"),
    ]


def concealed_hand(options: Options) -> Any:
    """The condition of 門前清 under these switches."""

    def unbroken(melds: Any, open_melds: Any, flowers: Any) -> Any:
        """No chow, pung or kong claimed; by the switches a concealed kong or bonus tiles may break it as well."""
        exposed = open_melds if options.concealed_kong_keeps_concealed else melds
        bare = (flowers == 0) | options.concealed_hand_with_flowers
        return (exposed == 0) & bare

    return unbroken


def bonus_tile_fans(options: Options) -> list[Fan]:
    """Group e; nothing where flowers are not in play."""
    if not options.flowers:
        return []
    series = options.table_of_flowers_faan
    granted = [SEVEN_FLOWERS, EIGHT_FLOWERS] if options.flower_win else []
    return [
        Fan("no_flowers", "無花", 1, when.no_flowers, "no flowers", cite="§3 e"),
        Fan("own_flower", "正花", 1, when.own_flowers, "own flower", cite="§3 e"),
        Fan("flower_series", "一台花", series, when.flower_series, "series of flowers", cite="§3 e"),
        *granted,
    ]


def all_fans(options: Options) -> list[Fan]:
    """The whole table under these switches."""
    shapes = hand_fans(options)
    return [*limit_fans(options, shapes), *shapes, *circumstance_fans(options), *bonus_tile_fans(options)]
