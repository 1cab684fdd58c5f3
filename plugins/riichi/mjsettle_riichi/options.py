"""Switches of riichi mahjong and its presets. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.options import Option

ABORTIVE_DRAWS: Final = ("nine_terminals", "four_winds", "four_riichi", "four_kongs", "triple_ron")
LIABLE_YAKUMAN: Final = ("daisangen", "daisuushii", "suukantsu")

OPTIONS: Final = (
    Option("open_tanyao", True, "食断 (クイタン)", "tanyao counts in an open hand", source="§2"),
    Option(
        "red_fives", 3, "赤宝牌枚数", "red fives: none, 0p 0s, one per suit, or two of dots", (0, 2, 3, 4), source="§1"
    ),
    Option("ura", True, "里宝牌", "ura dora count for riichi winners", source="§8"),
    Option("kan_dora", True, "杠宝牌", "dora indicators after the first count", source="§8"),
    Option("kan_ura", True, "杠里宝牌", "ura dora indicators after the first count", source="§8"),
    Option("ippatsu", True, "一发", "ippatsu counts", source="§8"),
    Option("kiriage_mangan", False, "切上满贯", "4 han 30 fu and 3 han 60 fu are mangan", source="§5"),
    Option("double_wind_pair_fu", 4, "连风雀头符", "fu of a pair that is seat and round wind", (2, 4), source="§3"),
    Option(
        "rinshan_tsumo_fu", True, "岭上自摸符", "the 2 fu of a self-draw count on a replacement tile too", source="§3"
    ),
    Option("kazoe_yakuman", True, "累计役满", "13 han are a yakuman, else sanbaiman", source="§5"),
    Option("yakuman_stacking", True, "役满复合", "yakuman add up, else the greatest alone counts", source="§2"),
    Option(
        "double_yakuman", True, "双倍役满", "四暗刻単騎, 国士無双十三面, 純正九蓮宝燈, 大四喜 count twice", source="§2"
    ),
    Option("renhou", "off", "人和", "ron before the own first draw", ("off", "mangan", "yakuman", 4, 5), source="§2"),
    Option("seven_pair_honours", True, "字一色七对", "tsuuiisou also as seven pairs", source="§2"),
    Option("green_needs_hatsu", False, "绿一色须发", "ryuuiisou needs green dragons", source="§2"),
    Option(
        "atozuke",
        True,
        "后付",
        "false: an open hand needs a yaku on every tile that it waits for, luck aside",
        source="§8",
    ),
    Option("chankan_on_concealed_kokushi", True, "国士抢暗杠", "kokushi may rob a concealed kong", source="§2 槍槓"),
    Option(
        "pao",
        ["daisangen", "daisuushii"],
        "包牌",
        "yakuman whose last set makes its feeder liable",
        kind=(list,),
        members=LIABLE_YAKUMAN,
        source="§5 包",
    ),
    Option(
        "pao_scope",
        "yakuman",
        "包牌范围",
        "of several yakuman the liable ones, or all",
        ("yakuman", "all"),
        source="§5 包",
    ),
    Option("rinshan_pao", False, "大明杠责任", "the feeder of a claimed kong pays for its replacement", source="§5 包"),
    Option("multi_ron", "double", "一炮多响", "who wins of several", ("head_bump", "double", "all"), source="§7"),
    Option(
        "triple_ron", "pay", "三家和", "under double: three winners are paid, or nobody", ("pay", "abort"), source="§7"
    ),
    Option(
        "honba_multi_ron",
        "first",
        "多响本场",
        "who gets the honba: the nearest winner or each",
        ("first", "each"),
        source="§7",
    ),
    Option("nagashi_mangan", True, "流局满贯", "nagashi mangan is paid; off: its events bring nothing", source="§6"),
    Option("nagashi_as_win", False, "流满和了", "nagashi mangan collects honba and sticks as a win does", source="§6"),
    Option(
        "dead_wait",
        "concealed",
        "空听",
        "which waits make no tenpai: those on tiles of which the concealed hand holds "
        "all four, the hand with its melds, or none",
        ("concealed", "melds", "tenpai"),
        source="§6 荒牌平局",
    ),
    Option(
        "abortive_draws",
        list(ABORTIVE_DRAWS),
        "途中流局",
        "the abortive draws that are played",
        kind=(list,),
        members=ABORTIVE_DRAWS,
        source="§6",
    ),
    Option(
        "renchan", "tenpai", "连庄", "when the dealer repeats after a draw", ("win", "tenpai", "always"), source="§6"
    ),
    Option(
        "chombo", "mangan_payment", "错和", "what a false win costs", ("mangan_payment", "uma_penalty"), source="§6"
    ),
    Option(
        "riichi_needs_next_draw",
        True,
        "立直余牌 (四枚以上)",
        "the room's affair: riichi is declared with four tiles left in the wall at least",
        source="§2 立直",
    ),
    Option(
        "riichi_needs_points",
        True,
        "立直持点 (千点以上)",
        "the room's affair: riichi is declared with the 1,000 points of its stick",
        source="§2 立直",
    ),
    Option("bankruptcy", True, "击飞 (飛び)", "`next` says `over` when a balance falls below zero", source="§8"),
    Option(
        "leftover",
        "first",
        "供托余额",
        "sticks left at `game_end`: to the first place, or stay",
        ("first", "stay"),
        source="§5",
    ),
    Option("tsumo_loss", True, "自摸损 (ツモ損)", "three players: nobody pays the missing seat's share of a self-draw"),
    Option("wild", False, "癞子", "wild tiles (`wild` of the round, jokers) are allowed"),
)

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "default": {},
    "tenhou": {"double_yakuman": False, "triple_ron": "abort"},
    "ema": {
        "red_fives": 0,
        "renhou": "mangan",
        "double_yakuman": False,
        "yakuman_stacking": False,
        "abortive_draws": [],
        "multi_ron": "all",
        "nagashi_as_win": True,
    },
    "league": {"multi_ron": "head_bump", "kiriage_mangan": True, "double_yakuman": False, "abortive_draws": []},
    "sanma": {
        "red_fives": 2,
        "double_yakuman": False,
        "abortive_draws": ["nine_terminals", "four_kongs"],
    },
}
