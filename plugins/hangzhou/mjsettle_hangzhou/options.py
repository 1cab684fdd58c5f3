"""The switches of Hangzhou mahjong (sheet section 7) and its presets."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.rules import Option

OPTIONS: Final = (
    Option(
        "score",
        "platform",
        "计分",
        "platform: shape times doublings; mil: fans add up, 2 to their power",
        ("platform", "mil"),
    ),
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000),
    Option(
        "caishen",
        "white",
        "财神",
        "which tile is the 财神: 白板, or a turned tile, whose face 白板 then plays",
        ("white", "flip"),
    ),
    Option("chi", True, "可吃", "chows may be claimed"),
    Option("youcai_bikao", False, "有财必拷响", "a hand that holds a 财神 wins by 爆头 or 杠开 only"),
    Option("four_standing_excl", False, "四白不爆头", "exactly four 财神 before the draw are no 爆头"),
    Option("laozhuang_ron", False, "三老庄点炮", "at 三老庄 discards can be won between the dealer and the others"),
    Option("wild_discard_freeze", False, "打财神限制", "the room's affair: who may claim after a 财神 was discarded"),
    Option("dead_wall", 20, "荒牌", "the room's affair: wall tiles that stay undrawn", least=0, most=136),
    Option("cap_fan", None, "封顶", "most doublings that count; null: none", kind=(int, type(None)), least=0, most=30),
    Option("chengbao", False, "承包", "three chows from one seat make it and the eater liable for each other"),
    Option("draw_raises", False, "流局升庄", "a drawn round raises 老庄 as the dealer's win does"),
    Option("next_dealer", "winner", "下庄", "who deals after another seat than the dealer won", ("winner", "next")),
)

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "hang_platform": {},
    "hang_mil2025": {"score": "mil", "cap_fan": 4, "chengbao": True, "draw_raises": True},
}
