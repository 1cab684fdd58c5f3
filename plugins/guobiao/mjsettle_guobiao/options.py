"""The switches of Guobiao mahjong (sheet section 7) and its presets."""

from typing import Final

from mjsettle.rules import Option

_1998: Final = "1998 rules"

OPTIONS: Final = (
    Option(
        "min_fan", 8, "起和番", "least fans to win, flowers not counted", least=0, most=1000, source=f"{_1998} p.25-28"
    ),
    Option("base", 8, "底分", "what every payer pays beside the fans", least=0, most=1_000_000, source=f"{_1998} p.32"),
    Option(
        "discarder_fan_factor",
        1,
        "点和番倍数",
        "how often the discarder pays the fans; 3 in clubs where it pays for all",
        least=1,
        most=100,
        source="club variant",
    ),
    Option("double_concealed_kong", 6, "双暗杠", "value of 双暗杠: 6 (1998) or 8 (WMO 2006, EMA)", (6, 8)),
    Option(
        "melded_plus_concealed_kong",
        5,
        "明暗杠",
        "value of 明暗杠: 5, 6 (EMA), or 0 for no such fan (1998: 明杠 and 暗杠 instead)",
        (5, 6, 0),
    ),
    Option(
        "knitted_body_tile_wait",
        True,
        "组合龙本体听牌",
        "a tile that also fits the nine tiles of 组合龙 may count as the wait of the set or pair",
    ),
    Option(
        "count_held_fours_as_wait",
        True,
        "持四张算听",
        "a tile of which the winner holds all four copies still counts as a wait",
    ),
    Option("seven_pairs_four_of_kind", True, "七对含四张", "four of a kind may be two of seven pairs"),
    Option("flowers_enabled", True, "花牌", "flowers are in play and count"),
    Option(
        "kong_through_flower",
        False,
        "杠后补花开花",
        "杠上开花 also counts when a flower was replaced between the kong and the win",
    ),
    Option(
        "false_win_penalty",
        None,
        "错和罚分",
        "what a false win pays to each seat; null: 10 for 错和, 20 for 诈和",
        kind=(int, type(None)),
        least=0,
        most=1_000_000,
        source=f"{_1998}",
    ),
    Option(
        "false_win_mode",
        "dead_hand",
        "错和处理",
        "dead_hand: the hand goes on and the offender cannot win; hand_over: it ends",
        ("dead_hand", "hand_over"),
    ),
    Option("multiple_winners", False, "一炮多响", "every claim on a discard wins, not only the nearest (not MCR)"),
    Option("wilds", True, "百搭", "wild tiles are allowed; a wild tile is the tile that it stands for in everything"),
)

PRESETS: Final = {
    "online": {},
    "book1998": {"melded_plus_concealed_kong": 0},
    "wmo2006": {"double_concealed_kong": 8},
    "ema": {"double_concealed_kong": 8, "melded_plus_concealed_kong": 6},
}
