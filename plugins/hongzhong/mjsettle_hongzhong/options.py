"""The switches of 红中麻将 and 湖南转转 (sheet section 7) and their presets."""

from typing import Final

from mjsettle.rules import Option

_GUOGEER: Final = "guogeer hongzhong.go"
_INFO88: Final = "网狐 info88.html"
_MEIZHOU: Final = "网狐 91.html"
_MIL: Final = "MIL 2024"

_TABLE: Final = (
    Option("score", "room", "计分", "room: one price for every win; mil: the fan table, 2^fans", ("room", "mil")),
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000),
    Option(
        "tiles", "suits", "牌张", "suits: 108 and the 红中; full: all 136 (梅州)", ("suits", "full"), source=_MEIZHOU
    ),
    Option("zhong", 4, "红中数", "how many 红中 are in play; they are wild", (0, 4, 8)),
    Option("zhong_claims", False, "红中可碰杠", "红中 may be melded and konged, without points", source=_INFO88),
    Option("zhong_discard", True, "红中可打", "红中 may be discarded"),
)

_WINNING: Final = (
    Option("qidui", True, "七对", "seven pairs win"),
    Option("four_zhong", True, "四红中", "four 红中 in the hand win without a shape, self-drawn"),
    Option("four_zhong_first", False, "四红中首轮", "四红中 only before the owner's first discard", source=_GUOGEER),
    Option(
        "dianpao",
        "none",
        "点炮",
        "wins on a discard: none, all, or no_zhong: only by a hand without 红中",
        ("none", "all", "no_zhong"),
    ),
    Option("rob_kong", True, "可抢杠", "added kongs may be robbed"),
    Option("pass_win", True, "过手胡", "the room's affair: a declined discard win bars others until the next own draw"),
)

_SHARES: Final = (
    Option("zimo_base", 2, "自摸分", "a share of a self-draw (score room)", least=1, most=1000),
    Option("rob_base", 2, "抢杠分", "a share of a robbed kong (score room)", least=1, most=1000, source=_GUOGEER),
    Option("dianpao_base", 1, "点炮分", "what a discarder pays (score room)", least=1, most=1000),
    Option("rob_pays_all", True, "抢杠全包", "a robbed seat pays every share, birds included"),
    Option("no_zhong_share", 0, "无红中加分", "added to every share of a win without 红中 (score room)", (0, 1)),
    Option("zhuangxian", False, "庄闲", "1 more for a share that the dealer wins or would pay"),
    Option(
        "zhuangxian_scope",
        "full",
        "庄闲范围",
        "full: every such share; narrow: only when the dealer draws the win itself or its tile is won",
        ("full", "narrow"),
        source=_GUOGEER,
    ),
    Option("cap", 4, "封顶番", "most fans that are paid (score mil)", least=0, most=30, source=_MIL),
)

_BIRDS: Final = (
    Option(
        "bird_count", 6, "鸟数", "how many birds are turned after a win, as far as the wall goes", (0, 1, 2, 3, 4, 6)
    ),
    Option("bird_value", 2, "鸟值", "points per hit and payer", (1, 2)),
    Option(
        "bird_map",
        "value",
        "中鸟",
        "value: 1, 5, 9 and 红中 hit for everybody; seat: the birds of the winner's seat, and 红中",
        ("value", "seat"),
    ),
    Option(
        "one_bird_all", False, "一鸟全中", "the first bird alone counts: its rank in hits of 1 point", source=_INFO88
    ),
    Option("no_zhong_birds", 0, "无红中奖码", "birds more for a win without 红中", (0, 1, 2)),
)

_KONGS: Final = (
    Option("zhigang", 3, "直杠", "points of a direct kong, from its feeder", (1, 2, 3)),
    Option("delayed_kong", True, "过手补杠", "a kong added later than the draw of its fourth tile pays", source=_MIL),
    Option("gang_on_draw", False, "流局算杠", "kongs pay in a drawn round too", source=_INFO88),
)

OPTIONS: Final = (*_TABLE, *_WINNING, *_SHARES, *_BIRDS, *_KONGS)

PRESETS: Final = {
    "hong_room": {},
    "hong_mil2024": {
        "score": "mil",
        "four_zhong": False,
        "rob_kong": False,
        "bird_count": 2,
        "bird_value": 1,
        "delayed_kong": False,
    },
    "zhuanzhuan": {"zhong": 0, "four_zhong": False, "dianpao": "all"},
}
