"""The switches of Taiwanese mahjong and its presets (§2 to §7)."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.rules import Option
from mjsettle_taiwan.table import ID_BY_NAME

TAI_MOST: Final = 1000


def tai_values_complaint(value: dict[str, Any]) -> str | None:
    """What is wrong with a `tai_values` table, None when nothing."""
    seen: dict[str, str] = {}
    for key, tai in value.items():
        id = ID_BY_NAME.get(key)
        if id is None:
            return f"found the fan {key!r}, expected ids or Chinese names of fans: {', '.join(ID_BY_NAME)}"
        if id in seen:
            return f"found both {seen[id]!r} and {key!r}, which are one fan; name it once"
        if type(tai) is not int or not 0 <= tai <= TAI_MOST:
            return f"found {tai!r} for {key!r}, expected whole tai from 0 (off) to {TAI_MOST}"
        seen[id] = key
    return None


def _switch(key: str, default: bool, title: str, doc: str) -> Option:
    return Option(key, default, title, doc)


def _choice(key: str, default: Any, title: str, choices: tuple[Any, ...], doc: str) -> Option:
    return Option(key, default, title, doc, choices)


OPTIONS: Final = (
    Option("base", 30, "底", "points that every payer pays for a win", least=0, most=1_000_000),
    Option("per_tai", 10, "台", "points per tai", least=0, most=1_000_000),
    Option("cap", None, "台數上限", "most tai of the hand that are paid; null: none", kind=(int, type(None)), least=1),
    Option("min_tai", 0, "起胡台", "least tai of the hand to win", least=0, most=TAI_MOST),
    _choice("pinghu", "strict", "平胡", ("strict", "loose"), "loose: any pair, flowers and a unique wait allowed"),
    _switch("ligu_enabled", True, "嚦咕嚦咕", "seven pairs and a triplet win"),
    _choice(
        "eight_pairs_half", None, "八對半", (None, 6, 8), "the same shape under this name and value; the dearer counts"
    ),
    _switch("little_dragons_add_pungs", False, "小三元加三元牌", "小三元 adds its dragon pungs"),
    _switch("little_winds_add_wind_pungs", False, "小四喜加風刻", "小四喜 adds its wind pungs"),
    _switch("all_honors_add_all_pungs", False, "字一色加碰碰胡", "字一色 adds 碰碰胡"),
    _switch("ready_excludes_concealed", True, "聽牌不計門清", "天聽 and 地聽 absorb 門清"),
    _switch("opening_win_excludes_concealed", True, "天地人胡不計門清", "天胡, 地胡 and 人胡 absorb 門清 and 自摸"),
    _switch("no_dealer_tai", False, "天胡不計莊家", "天胡 is paid without the dealer part"),
    _choice(
        "flower_win_mode",
        "win",
        "花胡",
        ("win", "bonus"),
        "eight flowers, and seven that rob the eighth: win ends the round, bonus is paid at once and play goes on",
    ),
    _choice(
        "streak_formula",
        "2N+1",
        "連莊拉莊",
        ("2N+1", "N+1", "1"),
        "tai of the dealer part after N repeats: 莊家 with 連莊 and 拉莊, with 連莊 only, or 莊家 alone",
    ),
    _switch("draw_keeps_dealer", True, "流局連莊", "the dealer repeats after a drawn round"),
    _choice(
        "multi_win",
        "double",
        "一炮多響",
        ("double", "head_bump", "all"),
        "double: two winners, a third as `triple` says; head_bump 攔胡: the nearest; all: every winner",
    ),
    _choice("triple", "all", "三家胡", ("all", "void"), "three winners of a tile: all are paid, or the round is drawn"),
    _switch("liability", False, "包牌", "the feeder of the decisive meld pays the three shares of a self-draw"),
    _switch(
        "melds_in_order", False, "牌組依序", "melds are listed in the order they were made, which tells the last one"
    ),
    Option("false_win_tai", 0, "詐胡", "tai beside base and dealer part that a false win pays each seat", least=0),
    _switch("passed_win_lock", True, "過水", "the room's affair: a passed win is locked until the next own draw"),
    _switch("wilds", False, "百搭", "wild tiles may be named in the round, and jokers are in play"),
    Option(
        "tai_values",
        {},
        "台數表",
        "tai by fan id or Chinese name, in place of the table's; 0 switches a fan off",
        test=tai_values_complaint,
    ),
)

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "association": {},
    "star31": {"tai_values": {"all_honours": 8}},
    "funclub": {"tai_values": {"flower_kong": 1, "heavenly_ready": 16, "earthly_ready": 8}},
}
