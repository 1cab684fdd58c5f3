"""The switches of Fuzhou mahjong (sheet section 5) and its presets, one for each score table."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.rules import Option

OPTIONS: Final = (
    Option(
        "table",
        "B",
        "计分表",
        "A: the classic server's; B: 新修订; C: the English page's",
        ("A", "B", "C"),
    ),
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000),
    Option(
        "honours_as_flowers", True, "字牌为花", "all 28 honours are flowers (36 花); off: 8 flowers, honours are held"
    ),
    Option("short_flowers", False, "二十花", "winds and 中 are the only flowers: 128 tiles without 发, 白, 1f-8f"),
    Option("hand_size", 16, "手牌张数", "concealed tiles without the drawn one: five sets, or four", (16, 13)),
    Option("eight_pairs", False, "八对", "eight pairs and a single tile win (hands of 16)"),
    Option("golden_dragon", False, "金龙", "three golds beside a complete hand count on their own; off: as 三金倒"),
    Option("one_flower", True, "一张花", "table A counts a single flower without a kong"),
    Option("heavenly_ready", 0, "天听", "special for the flag heavenly_ready; 0: off", least=0, most=1_000_000),
    Option("gold_discard", False, "闲金", "golds may be discarded; their discarder wins by self-draw only"),
    Option(
        "multi_ron", "nearest", "截胡", "nearest: one winner, 金雀 first; all: every winner (多响)", ("nearest", "all")
    ),
    Option("dead_wall", 18, "留牌", "the room's affair: wall tiles that stay undrawn without kongs", least=0, most=144),
    Option(
        "streak_counts",
        "any",
        "连庄计分",
        "whose win the dealer's streak adds to: any, or the dealer's alone",
        ("any", "dealer"),
    ),
    Option("draw_streak", False, "流局连庄", "a drawn round adds to the dealer's streak"),
)

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "fz_A": {"table": "A", "golden_dragon": True, "gold_discard": True},
    "fz_B": {},
    "fz_C": {"table": "C", "gold_discard": True, "draw_streak": True},
}
