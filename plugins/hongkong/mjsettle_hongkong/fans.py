"""The faan of Hong Kong mahjong, in the groups of the rule sheet (section 3). They add up, then the cap cuts."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, DRAGONS, HONOURS, ORPHANS, SIMPLES, TERMINALS, WINDS, popcount
from mjsettle.fans import Fan
from mjsettle.options import Options

# ---- a: shape ----------------------------------------------------------------------------------------------------


def all_chows(form_standard: Any, chow_count: Any) -> Any:
    """Four chows, with any pair and any wait, open or concealed."""
    return form_standard & (chow_count == 4)


def all_pungs(form_standard: Any, pung_count: Any) -> Any:
    """Four pungs or kongs."""
    return form_standard & (pung_count == 4)


def all_pungs_concealed(form_standard: Any, pung_count: Any, open_melds: Any) -> Any:
    """Four pungs, none of them open; the last one may be completed by a discard."""
    return form_standard & (pung_count == 4) & (open_melds == 0)


def all_pungs_self_drawn(form_standard: Any, pung_count: Any, open_melds: Any, self_draw: Any) -> Any:
    """Four pungs, none of them open, won by self-draw."""
    return form_standard & (pung_count == 4) & (open_melds == 0) & (self_draw == 1)


def half_flush(suits_held: Any, honours_held: Any) -> Any:
    """One suit with honours."""
    return (suits_held == 1) & (honours_held > 0)


def full_flush(suits_held: Any, honours_held: Any) -> Any:
    """One suit and no honours."""
    return (suits_held == 1) & (honours_held == 0)


def mixed_terminals(form_standard: Any, held1: Any) -> Any:
    """Terminals and honours only, in pungs; 對對糊 adds."""
    return form_standard & ((held1 & ~ORPHANS) == 0)


def is_seven_pairs(form_seven_pairs: Any) -> Any:
    """Seven pairs."""
    return form_seven_pairs


# ---- b: honours --------------------------------------------------------------------------------------------------


def dragon_pungs(all_pungs: Any) -> Any:
    """Once for each pung of dragons."""
    return popcount(all_pungs & DRAGONS)


def seat_wind_pung(all_pungs: Any, seat_wind: Any) -> Any:
    """A pung of the own seat's wind."""
    return all_pungs >> (27 + seat_wind) & 1


def round_wind_pung(all_pungs: Any, round_wind: Any) -> Any:
    """A pung of the round's wind; the own seat's wind may be the same."""
    return all_pungs >> (27 + round_wind) & 1


def little_three_dragons(all_pungs: Any, pair: Any) -> Any:
    """Two pungs of dragons and a pair of the third; each pung adds its own faan."""
    return (popcount(all_pungs & DRAGONS) == 2) & (DRAGONS >> pair & 1)


def big_three_dragons(all_pungs: Any) -> Any:
    """Three pungs of dragons; each adds its own faan."""
    return (all_pungs & DRAGONS) == DRAGONS


def little_four_winds(all_pungs: Any, pair: Any) -> Any:
    """Three pungs of winds and a pair of the fourth."""
    return (popcount(all_pungs & WINDS) == 3) & (WINDS >> pair & 1)


# ---- c: limit hands ----------------------------------------------------------------------------------------------


def is_thirteen_orphans(form_thirteen_orphans: Any) -> Any:
    """One of each terminal and honour, and a second copy of one of them."""
    return form_thirteen_orphans


def four_kongs(kong_count: Any) -> Any:
    """Four kongs."""
    return kong_count == 4


def big_four_winds(all_pungs: Any) -> Any:
    """Four pungs of winds."""
    return (all_pungs & WINDS) == WINDS


def heavenly(dealer: Any, first_turn: Any, self_draw: Any, melds: Any) -> Any:
    """The dealer wins with the fourteen tiles dealt."""
    return (dealer == 1) & (first_turn == 1) & (self_draw == 1) & (melds == 0)


def earthly_by_discard(dealer: Any, first_turn: Any, from_dealer: Any) -> Any:
    """A non-dealer wins the dealer's first discard."""
    return (dealer == 0) & (first_turn == 1) & (from_dealer == 1)


def earthly_by_draw(dealer: Any, first_turn: Any, self_draw: Any) -> Any:
    """A non-dealer wins by its own first draw."""
    return (dealer == 0) & (first_turn == 1) & (self_draw == 1)


def human(dealer: Any, first_turn: Any) -> Any:
    """A non-dealer wins in the first go-around before any call, otherwise than by 地糊."""
    return (dealer == 0) & (first_turn == 1)


def all_honours(held1: Any) -> Any:
    """Honours only."""
    return (held1 & ~HONOURS) == 0


def pure_terminals(form_standard: Any, held1: Any) -> Any:
    """Four pungs and the pair of terminals only."""
    return form_standard & ((held1 & ~TERMINALS) == 0)


def nine_gates(melds: Any, has1: Any, has3: Any) -> Any:
    """Concealed, one suit: 1112345678999 and any tile of it."""
    found = melds < 0
    for suit in (CHARACTERS, DOTS, BAMBOO):
        ends = suit & TERMINALS
        found = found | ((has1 == suit) & ((has3 & ends) == ends))
    return found & (melds == 0)


def nine_gates_nine_sided(nine_gates_shape: Any, has2: Any, has4: Any, won: Any) -> Any:
    """Nine gates completed on the tile beyond 1112345678999, so that all nine tiles were waited for."""
    beyond = has4 | (has2 & SIMPLES)
    return nine_gates_shape & (beyond >> won & 1)


# ---- d: circumstances --------------------------------------------------------------------------------------------


def by_self_draw(self_draw: Any) -> Any:
    """Won by self-draw."""
    return self_draw


def by_self_draw_open(self_draw: Any, raw_concealed_hand: Any) -> Any:
    """Won by self-draw; a concealed hand has the one faan for both already."""
    return (self_draw == 1) & (raw_concealed_hand == 0)


def robbed_kong(rob_kong: Any) -> Any:
    """Won on the tile of an added kong."""
    return rob_kong


def last_draw(last_tile: Any, self_draw: Any) -> Any:
    """Self-draw of the last tile of the wall."""
    return last_tile & self_draw


def last_discard(last_tile: Any, self_draw: Any, rob_kong: Any) -> Any:
    """Won on the last discard."""
    return (last_tile == 1) & (self_draw == 0) & (rob_kong == 0)


def kong_replacement(kong_draw: Any) -> Any:
    """Won on the replacement tile of a kong; 自摸 adds."""
    return kong_draw


def second_kong_replacement(kong_on_kong: Any) -> Any:
    """Won on the replacement of a kong made with a kong's replacement; 自摸 adds."""
    return kong_on_kong


# ---- e: bonus tiles ----------------------------------------------------------------------------------------------


def no_flowers(flowers: Any) -> Any:
    """No bonus tile."""
    return flowers == 0


def own_flowers(flowers: Any, seat_wind: Any) -> Any:
    """Once for each of the own seat's flowers (east 1 .. north 4) whose series is not complete."""
    seasons = (flowers >> seat_wind & 1) * ((flowers & 0x0F) != 0x0F)
    plants = (flowers >> 4 >> seat_wind & 1) * ((flowers & 0xF0) != 0xF0)
    return seasons + plants


def flower_series(flowers: Any) -> Any:
    """Once for each complete series of four flowers; the own flower in it does not add."""
    return ((flowers & 0x0F) == 0x0F) * 1 + ((flowers & 0xF0) == 0xF0) * 1


def bonus_tile_faan(fan_no_flowers: Any, fan_own_flower: Any, fan_flower_series: Any, series_faan: Any) -> Any:
    """Faan that come from bonus tiles alone."""
    return fan_no_flowers + fan_own_flower + fan_flower_series * series_faan


def by_event(flowers: Any) -> Any:
    """Granted by a `flower_win` event; no hand is judged for it."""
    return flowers * 0


SEVEN_FLOWERS: Final = Fan("seven_flowers", "花糊", 3, by_event, "seven flowers", cite="§3 e")
EIGHT_FLOWERS: Final = Fan("eight_flowers", "大花糊", 8, by_event, "eight flowers", cite="§3 e")


def hand_fans(options: Options) -> list[Fan]:
    """Groups a and b: shapes and honours, none of which counts beside a limit hand."""
    kankan = all_pungs_concealed if options.kankan_discard else all_pungs_self_drawn
    found = [
        Fan("all_chows", "平糊", 1, all_chows, "all chows", cite="§3 a"),
        Fan("all_pungs", "對對糊", 3, all_pungs, "all pungs", cite="§3 a"),
        Fan("concealed_pungs", "坎坎糊", 8, kankan, "four concealed pungs", excludes=("all_pungs",), cite="§3 a"),
        Fan("half_flush", "混一色", 3, half_flush, "half flush", cite="§3 a"),
        Fan("full_flush", "清一色", options.pure_flush_faan, full_flush, "full flush", cite="§3 a"),
        Fan("mixed_terminals", "花幺", 1, mixed_terminals, "terminals and honours", cite="§3 a"),
        Fan("dragon_pung", "三元牌", 1, dragon_pungs, "pung of dragons", cite="§3 b"),
        Fan("seat_wind", "門風", 1, seat_wind_pung, "seat wind", cite="§3 b"),
        Fan("round_wind", "圈風", 1, round_wind_pung, "round wind", cite="§3 b"),
        Fan("little_three_dragons", "小三元", 3, little_three_dragons, "little three dragons", cite="§3 b"),
        Fan("big_three_dragons", "大三元", 5, big_three_dragons, "big three dragons", cite="§3 b"),
        Fan("little_four_winds", "小四喜", 3, little_four_winds, "little four winds", cite="§3 b"),
    ]
    if options.seven_pairs_faan is not None:
        pairs = Fan("seven_pairs", "七對子", options.seven_pairs_faan, is_seven_pairs, "seven pairs", cite="§2")
        found.insert(0, pairs)
    return found


def limit_fans(options: Options, beneath: list[Fan]) -> list[Fan]:
    """Group c, the dearest first: each suppresses those after it and all of the groups a and b (`beneath`)."""
    earthly = earthly_by_discard if options.earthly == "discard" else earthly_by_draw
    gates = nine_gates_nine_sided if options.nine_gates_nine_sided else nine_gates
    table = [
        ("thirteen_orphans", "十三么", 13, is_thirteen_orphans, "thirteen orphans"),
        ("eighteen_arhats", "十八羅漢", 13, four_kongs, "eighteen arhats (four kongs)"),
        ("big_four_winds", "大四喜", 13, big_four_winds, "big four winds"),
        ("heavenly_hand", "天糊", 13, heavenly, "heavenly hand"),
        ("earthly_hand", "地糊", 13, earthly, "earthly hand"),
        ("human_hand", "人糊", 13, human, "human hand"),
        ("all_honours", "字一色", 10, all_honours, "all honours"),
        ("pure_terminals", "清幺九", 10, pure_terminals, "all terminals"),
        ("nine_gates", "九子連環", 10, gates, "nine gates"),
    ]
    if not options.human_win:
        table = [row for row in table if row[0] != "human_hand"]
    ordinary = tuple(fan.id for fan in beneath)
    found = []
    for at, (id, name, value, when, english) in enumerate(table):
        lower = tuple(row[0] for row in table[at + 1 :])
        found.append(Fan(id, name, value, when, english, excludes=(*lower, *ordinary), cite="§3 c"))
    return found


def circumstance_fans(options: Options) -> list[Fan]:
    """Group d."""
    drawn = by_self_draw if options.concealed_self_draw == "both" else by_self_draw_open
    chain, replacement = second_kong_replacement, ("kong_replacement",)
    return [
        Fan("self_draw", "自摸", 1, drawn, "self-draw", cite="§3 d"),
        Fan("concealed_hand", "門前清", 1, concealed_hand(options), "concealed hand", cite="§3 d"),
        Fan("robbed_kong", "搶槓", 1, robbed_kong, "robbing a kong", cite="§3 d"),
        Fan("last_draw", "海底撈月", 1, last_draw, "last tile of the wall", cite="§3 d"),
        Fan("last_discard", "河底撈魚", 1, last_discard, "last discard", cite="§3 d"),
        Fan("kong_replacement", "槓上開花", 1, kong_replacement, "kong replacement", cite="§3 d"),
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
    return [
        Fan("no_flowers", "無花", 1, no_flowers, "no flowers", cite="§3 e"),
        Fan("own_flower", "正花", 1, own_flowers, "own flower", cite="§3 e"),
        Fan("flower_series", "一台花", series, flower_series, "series of flowers", cite="§3 e"),
    ]


def all_fans(options: Options) -> list[Fan]:
    """The whole table under these switches."""
    shapes = hand_fans(options)
    return [*limit_fans(options, shapes), *shapes, *circumstance_fans(options), *bonus_tile_fans(options)]
