"""The switches of Guangdong mahjong (sheet section 10) and its presets."""

from typing import Final

from mjsettle.rules import Option

_LIST = "100-room option list"

OPTIONS: Final = (
    Option("score", "room", "计分", "room: one win value and doublings; pattern: the pattern table; mil: fans times coefficient", ("room", "pattern", "mil")),
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000, source=_LIST),
    Option("ghost", "none", "鬼牌", "how the wild tiles are chosen; which tiles are wild is the round's `wild`", ("none", "bai", "hongzhong", "fan1", "fan2", "hua4", "hua8")),
    Option("tiles", "full", "牌张", "full: 136; no_honours: 108 (不带字); no_characters: 100 (不带万); two: 64 for two players", ("full", "no_honours", "no_characters", "two")),
    Option("chihu", False, "吃胡", "wins on a discard are allowed"),
    Option("qidui", True, "七对", "seven pairs win"),
    Option("qidui_jiafan", False, "七对加番", "seven pairs double"),
    Option("haohua", False, "豪华七对", "each natural quad in seven pairs doubles once more"),
    Option("shisanyao", True, "十三幺", "thirteen orphans win"),
    Option("four_ghost", False, "四鬼胡", "four wild tiles win without a shape, self-drawn"),
    Option("four_ghost_double", False, "四鬼加倍", "holding four wild tiles doubles"),
    Option("four_ghost_first_only", False, "四鬼首轮", "only before the owner's first discard"),
    Option("wugui", False, "无鬼加倍", "a winning hand without a wild tile doubles"),
    Option("gangkai_double", True, "杠上开花加倍", "a win on a kong's replacement tile doubles"),
    Option("haidi_double", True, "海底捞月加倍", "a self-draw of the last wall tile doubles"),
    Option("horses", 0, "马数", "how many horses are turned after a win", (0, 1, 2, 4, 6, 8, 10, 20)),
    Option("horse_map", "default", "马牌归属", "which seat a dragon belongs to: default 中 next, 发 opposite, 白 previous; guogeer 中 dealer, 发 next, 白 opposite", ("default", "guogeer")),
    Option("horse_value", 2, "每马分", "points per hit and payer", least=0, most=1000),
    Option("ma_gen_difen", False, "马跟底分", "a hit is worth the share instead"),
    Option("ma_gen_gang", False, "马跟杠", "a hit also brings the winner's kong points once more"),
    Option("one_horse_all", False, "一马全中", "one horse hits as often as its rank says, an honour ten times"),
    Option("jiejiegao", False, "节节高", "a winning dealer gets 2 per earlier consecutive win from each payer"),
    Option("horses_jiejiegao", False, "买马节节高", "two more horses per earlier consecutive win"),
    Option("dealer_double", False, "庄家加倍", "the dealer pays and receives the share twice"),
    Option("qianggang_quanbao", True, "抢杠全包", "a robbed seat pays every share, horses included"),
    Option("gangbao", True, "杠爆全包", "the feeder of a direct kong pays every share of the win on its replacement"),
    Option("gangbao_link", "last", "杠爆认定", "which kong of a chain decides", ("first", "last")),
    Option("gangbao_scope", "win", "杠爆范围", "win: the win and its horses; all: the winner's kongs too", ("win", "all")),
    Option("zhigang", 3, "直杠", "points of a direct kong, from its feeder", (1, 3)),
    Option("delayed_kong", True, "过手补杠", "a kong added later than the draw of its fourth tile pays"),
    Option("liuju_gang", False, "流局算杠", "kongs pay in a drawn round too"),
    Option("genzhuang", False, "跟庄", "the dealer pays 1 to each when all follow its first discard"),
    Option("multi_ron", "all", "一炮多响", "all: every winner of a discard; nearest: the first in turn order (截和)", ("all", "nearest")),
    Option("draw_dealer", "same", "流局庄家", "who deals after a drawn round", ("same", "next")),
    Option("chaoshan", False, "潮汕番型", "pattern table of Chaoshan: double and triple luxury pairs, eighteen arhats"),
    Option("min_fan", 2, "起和番", "least fans to win (mil)", least=0, most=100),
    Option("min_points", 4, "起和分", "least basic points to win (mil)", least=0, most=1000),
)

PRESETS: Final = {
    "gd_tdh_room": {},
    "gd_pattern": {"score": "pattern"},
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
