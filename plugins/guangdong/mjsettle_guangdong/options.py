"""The switches of Guangdong mahjong (sheet section 10) and its presets."""

from typing import Final

from mjsettle.rules import Option
from mjsettle_guangdong.wilds import GHOSTS

_LIST: Final = "100-room option list"
_GUOGEER: Final = "guogeer guangdong.go"
_CHAOSHAN: Final = "guogeer chaoshan.go"
_MIL: Final = "MIL 2023"

_TABLE: Final = (
    Option(
        "score",
        "room",
        "计分",
        "room: one win value and doublings; pattern: the pattern table; mil: fans times coefficient",
        ("room", "pattern", "mil"),
    ),
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000, source=_LIST),
    Option(
        "tiles",
        "full",
        "牌张",
        "full: 136; no_honours: 108 (不带字); no_characters: 100 (不带万); two: 64 for two players (万 and honours)",
        ("full", "no_honours", "no_characters", "two"),
    ),
    Option(
        "ghost",
        "none",
        "鬼牌",
        "how wild tiles are chosen: 白, 中, 翻1张, 翻双鬼, 四花, 八花; which are wild is the round's `wild`",
        GHOSTS,
    ),
    Option("ghost_discard", True, "鬼牌可打", "wild tiles may be discarded"),
)

_WINNING: Final = (
    Option("chihu", False, "吃胡", "wins on a discard are allowed"),
    Option("qidui", True, "七对", "seven pairs win"),
    Option("shisanyao", True, "十三幺", "thirteen orphans win"),
    Option(
        "four_ghost", False, "四鬼胡", "four wild tiles win without a shape, self-drawn (mil: on a robbed kong too)"
    ),
    Option("four_ghost_first_only", False, "四鬼首轮", "四鬼胡 only before the owner's first discard", source=_GUOGEER),
    Option("multi_ron", "all", "一炮多响", "nearest: only the first in turn order wins (截和)", ("all", "nearest")),
    Option("min_fan", 2, "起和番", "least fans to win (score mil)", least=0, most=100, source=_MIL),
    Option("min_points", 4, "起和分", "least basic points to win (score mil)", least=0, most=1000, source=_MIL),
)

_SCORING: Final = (
    Option("wugui", False, "无鬼加倍", "a winning hand without a wild tile doubles (score room, pattern)"),
    Option("qidui_jiafan", False, "七对加番", "seven pairs double (score room)"),
    Option("haohua", False, "豪华七对", "a natural four of a kind in seven pairs doubles once more (score room)"),
    Option("shuang_haohua", True, "双豪华七对", "with haohua, a second and third four of a kind double further"),
    Option("gangkai_double", True, "杠上开花加倍", "a win on a kong's replacement doubles (score room, pattern)"),
    Option("haidi_double", True, "海底捞月加倍", "a self-draw of the last wall tile doubles (score room, pattern)"),
    Option("four_ghost_double", False, "四鬼加倍", "holding four wild tiles doubles (score room, pattern)"),
    Option(
        "patterns",
        "jiping",
        "番型表",
        "pattern table: jiping 鸡平胡, chaoshan 潮汕, rooms the 100-room list (score pattern)",
        ("jiping", "chaoshan", "rooms"),
    ),
    Option("jiejiegao", False, "节节高", "a winning dealer gets 2 per earlier win in a row from each payer"),
    Option("dealer_double", False, "庄家加倍", "the dealer pays and receives the share twice", source="lianhua"),
)

_HORSES: Final = (
    Option("horses", 0, "马数", "how many horses are turned after a win", (0, 1, 2, 4, 6, 8, 10, 20)),
    Option("horse_value", 2, "每马分", "points per hit and payer", least=0, most=1000),
    Option(
        "horse_map",
        "default",
        "马牌归属",
        "whose the dragons are: default 中 next, 发 opposite, 白 previous; guogeer 中 dealer, 发 next, 白 opposite",
        ("default", "guogeer"),
    ),
    Option("ma_gen_difen", False, "马跟底分", "a hit is worth the share instead of its own value"),
    Option("ma_gen_gang", False, "马跟杠", "a hit brings the winner's kong points as well"),
    Option("one_horse_all", False, "一马全中", "the first horse alone counts: its rank in hits, an honour ten"),
    Option("horses_jiejiegao", False, "买马节节高", "two more horses per earlier win in a row of the dealer"),
    Option(
        "short_wall",
        "rest",
        "牌墙不足",
        "fewer horses than due: rest counts those left, repeat the last again (鸡胡 server), reshuffle demands all",
        ("rest", "repeat", "reshuffle"),
    ),
    Option(
        "maima",
        False,
        "买马/罚马",
        "seats buy horses (players[].extra.bought) that mirror the win or loss of the seat they belong to",
        source=_CHAOSHAN,
    ),
)

_KONGS: Final = (
    Option("zhigang", 3, "直杠", "points of a direct kong, from its feeder", (1, 3)),
    Option("delayed_kong", True, "过手补杠", "a kong added later than the draw of its fourth tile pays", source=_MIL),
    Option("liuju_gang", False, "流局算杠", "kongs pay in a drawn round too"),
    Option("qianggang_quanbao", True, "抢杠全包", "a robbed seat pays every share, horses included"),
    Option("gangbao", True, "杠爆全包", "the feeder of a direct kong pays every share of the win on its replacement"),
    Option(
        "gangbao_link",
        "last",
        "杠爆认定",
        "which kong of a chain decides: first (guogeer), last (MIL)",
        ("first", "last"),
    ),
    Option("gangbao_scope", "win", "杠爆范围", "win: the win and its horses; all: its kongs too", ("win", "all")),
)

_ROUND: Final = (
    Option("genzhuang", False, "跟庄", "the dealer pays 1 to each when all three follow its first discard"),
    Option("draw_dealer", "same", "流局庄家", "who deals after a drawn round", ("same", "next")),
)

OPTIONS: Final = (*_TABLE, *_WINNING, *_SCORING, *_HORSES, *_KONGS, *_ROUND)

PRESETS: Final = {
    "gd_tdh_room": {},
    "gd_pattern": {"score": "pattern", "haidi_double": False},
    "gd_mil2023": {
        "score": "mil",
        "ghost": "hua4",
        "chihu": True,
        "four_ghost": True,
        "horses": 4,
        "horse_value": 1,
        "multi_ron": "nearest",
        "delayed_kong": False,
    },
}
