"""The switches of 长沙麻将 (sheet section 8) and its presets."""

from typing import Final

from mjsettle.rules import Option
from mjsettle_changsha.opening import DEFAULT, KINDS

_BOOK: Final = "经典双鸟规则书 2026"
_UNITY: Final = "open_mahjong_unity"

_POINTS: Final = (
    Option("no_dealer", False, "不区分庄闲", "one price for everybody: `small` and `big`", source=_BOOK),
    Option("small", 2, "小胡分", "a small win (with no_dealer)", least=1, most=1_000_000, source=_BOOK),
    Option("big", 8, "大胡分", "each big win (with no_dealer)", least=1, most=1_000_000, source=_BOOK),
    Option(
        "big_max",
        None,
        "封顶",
        "most big wins that one win is paid for; null: no limit",
        kind=(int, type(None)),
        least=1,
        most=1000,
    ),
)

_WINNING: Final = (
    Option("quanqiu_zimo", True, "全求人自摸", "全求人 counts on a self-draw too"),
    Option("rob_supplement_small", True, "抢补张小胡", "robbing a 补张 is a small win; off: 抢杠胡, a big one"),
    Option("menqing", False, "门清", "a hand without claimed tiles is a big win"),
    Option("que_yi_men", False, "缺一门", "a hand that lacks a suit is a big win"),
    Option("multi_ron", "all", "一炮多响", "nearest: only the first in turn order wins (截和)", ("all", "nearest")),
    Option("kong_tiles", 2, "开杠张数", "how many tiles are turned after a 开杠", (2, 3, 4)),
)

_BIRDS: Final = (
    Option("bird_count", 2, "鸟数", "how many birds are turned after a win; 0 takes those of 起手胡 too", (0, 1, 2, 4)),
    Option("bird_origin", "dealer", "鸟位起点", "the seat that birds are counted from", ("dealer", "winner")),
    Option(
        "haidi_bird",
        "twice",
        "海底鸟",
        "without birds the winning tile of a 海底 is one: counted twice (book), once (server), or not at all",
        ("twice", "once", "none"),
        source=f"{_BOOK}; {_UNITY}",
    ),
)

_OPENING: Final = (
    Option(
        "openings",
        [kind.id for kind in DEFAULT],
        "起手胡",
        "the opening hands that pay",
        kind=(list,),
        members=tuple(kind.id for kind in KINDS),
    ),
    Option("opening_ext", False, "起手胡扩展", "节节高, 金童玉女, 一枝花, 中途四喜 and 中途六六顺 pay too"),
    Option("opening_each_type", False, "起手胡分别算", "every kind that a seat shows is paid; off: one payment"),
)

OPTIONS: Final = (*_POINTS, *_WINNING, *_BIRDS, *_OPENING)

PRESETS: Final = {"classic_two_birds": {}, "no_dealer": {"no_dealer": True}}
