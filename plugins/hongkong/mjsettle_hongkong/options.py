"""The switches of Hong Kong mahjong and its presets."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.rules import Option


def _switch(key: str, default: bool, title: str, doc: str) -> Option:
    return Option(key, default, title, doc)


def _choice(key: str, default: Any, title: str, choices: tuple[Any, ...], doc: str) -> Option:
    return Option(key, default, title, doc, choices)


OPTIONS: Final = (
    Option("min_faan", 3, "起糊", "least faan to win; bonus tiles help only where a switch says so", least=0, most=13),
    Option("cap", 10, "爆棚", "most faan that count; null for no cap", kind=(int, type(None)), least=1, most=100),
    _choice(
        "curve",
        "half",
        "半辣上/辣辣上",
        ("half", "full", "faan_laak", "simplified"),
        "points by faan: half 半辣上 (two faan double), full 辣辣上 (each faan doubles), faan_laak 番辣 (steps), "
        "simplified (1, 2, 4, 8; needs min_faan 3)",
    ),
    _choice(
        "payment",
        "full",
        "全銃/半銃",
        ("full", "half"),
        "a discard is paid by its discarder, or half of it by the others",
    ),
    Option("base_unit", 1, "底", "every amount is multiplied by it", least=1, most=1_000_000),
    _switch("flowers", True, "花", "the eight flowers are in play"),
    _switch("bonus_counts_toward_minimum", False, "花番起糊", "faan of bonus tiles help to reach the minimum"),
    _choice("seven_pairs_faan", None, "七對子", (None, 3, 4, 5), "faan of seven pairs; null: no winning shape"),
    _choice(
        "multi_win",
        "head_bump",
        "截糊/一炮多響",
        ("head_bump", "all"),
        "who wins a discard: the nearest, or all in full",
    ),
    _choice("draw_dealer", "keep", "流局莊家", ("keep", "pass"), "the dealer after a drawn round"),
    Option("pure_flush_faan", 7, "清一色番數", "faan of a full flush", least=6, most=10),
    _switch("kankan_discard", True, "坎坎糊出銃", "four concealed pungs may be won on a discard"),
    _switch(
        "concealed_kong_keeps_concealed", False, "暗槓門前清", "a concealed kong leaves the hand concealed (門前清)"
    ),
    _choice(
        "concealed_self_draw",
        "both",
        "門清自摸",
        ("both", "merged"),
        "a concealed hand won by self-draw: both faan, or one faan for the two together",
    ),
    _switch("concealed_hand_with_flowers", True, "有花門前清", "門前清 counts beside bonus tiles too"),
    _switch("nine_gates_nine_sided", False, "九子連環九面聽", "nine gates only when all nine tiles were waited for"),
    _choice(
        "earthly",
        "discard",
        "地糊",
        ("discard", "self_draw"),
        "地糊: a non-dealer wins the dealer's first discard, or by its own first draw",
    ),
    _switch("human_win", False, "人糊", "人糊: another win of a non-dealer in the first go-around, 13 faan"),
    Option("table_of_flowers_faan", 2, "一台花番數", "faan of a complete series of flowers", least=1, most=10),
    _switch(
        "rob_kong_as_self_draw", False, "搶槓作自摸", "a robbed kong is settled as a self-draw that its maker pays"
    ),
    _switch("kong_feeder_pays", True, "槓上開花包", "the feeder of the kong pays all of a win on its replacement"),
    _switch("pao", True, "包自摸", "the feeder of the decisive meld pays all of a self-draw"),
    _choice("pao_melds", 4, "十二章/九章", (4, 3), "melds of one suit that make the feeder of the last one liable"),
    _switch("pao_discard", False, "包出銃", "under half payment the feeder also pays all of a discard win"),
    _switch(
        "melds_in_order", False, "牌組依序", "melds are listed in the order they were made, which tells the last one"
    ),
    Option("false_win_multiplier", 1, "詐糊", "shares that a false win pays to each seat", least=0, most=100),
    _choice("false_win_dealer", "keep", "詐糊莊家", ("keep", "pass"), "the dealer after a round ended by a false win"),
    _switch("flower_win", True, "花糊/大花糊", "seven and eight flowers win at once"),
    _switch("dealer_doubling", False, "莊家加倍", "what the dealer pays and receives is doubled"),
    _choice("dead_wall", 0, "王牌", (0, 14), "tiles left undrawn; the room's affair, settling does not depend on it"),
    _switch("wilds", False, "百搭", "wild tiles may be named in the round, and jokers are in play"),
)

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "street": {},
    "hkma": {"base_unit": 4, "rob_kong_as_self_draw": True},
    "simplified": {"curve": "simplified", "payment": "half", "base_unit": 4, "dealer_doubling": True},
}
