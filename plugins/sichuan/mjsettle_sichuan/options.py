"""The switches of Sichuan mahjong (sheet section 9) and its presets."""

from collections.abc import Mapping
from typing import Any, Final

from mjsettle.rules import Option

_ROOM = "room-card platforms (§9)"
_GUOGEER = "guogeer/gofishing-game sichuan.go"
_BABYKYLIN = "babykylin_scmj"

OPTIONS: Final = (
    Option(
        "flow",
        "xuezhan",
        "玩法",
        "xuezhan: a winner leaves (血战到底); xueliu: a winner stays in (血流成河)",
        ("xuezhan", "xueliu"),
    ),
    Option(
        "table",
        "sum",
        "番表",
        "sum: fans add up and double the base; product: the multipliers (倍数) of a JavaScript scorer",
        ("sum", "product"),
        source="§9",
    ),
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000, source=_ROOM),
    Option(
        "cap",
        4,
        "封顶番",
        "the most fans that double; null for no cap",
        kind=(int, type(None)),
        least=0,
        most=20,
        source=_ROOM,
    ),
    Option(
        "zimo",
        "jiadi",
        "自摸",
        "jiadi: each payer adds one base (自摸加底); jiafan: one fan more (自摸加番); none",
        ("jiadi", "jiafan", "none"),
        source=_ROOM,
    ),
    Option("jiadi_inside_cap", False, "加底封顶", "the added base is clamped by the cap too", source=_GUOGEER),
    Option(
        "dian_gang_hua",
        "zimo",
        "点杠花",
        "a win on the replacement of a direct kong: zimo: all pay (当自摸); dianpao: its feeder pays alone (当点炮)",
        ("zimo", "dianpao"),
        source=_ROOM,
    ),
    Option(
        "gen",
        "fan",
        "根",
        "a root: fan: one fan; base: one base after the cap (根加底); off: nothing",
        ("fan", "base", "off"),
        source=_ROOM,
    ),
    Option(
        "only_kong", False, "只算杠", "only kongs are roots, not four equal tiles that were not konged", source=_ROOM
    ),
    Option("pengpeng", True, "对对胡", "all pungs count a fan", source=_ROOM),
    Option("jingou", 2, "金钩钓", "fans of a golden hook together with 对对胡", (1, 2), source=_ROOM),
    Option("longqidui", 3, "龙七对", "fans of seven pairs with a root", (3, 4), source=_ROOM),
    Option("yaojiu", True, "幺九", "带幺九 counts", source=_ROOM),
    Option("jiang", True, "将对", "将 counts", source=_ROOM),
    Option("men_zhong", False, "门清中张", "门清 and 中张 count", source=_ROOM),
    Option("menqing_zimo_only", False, "门清仅自摸", "门清 counts on self-draws only", source=_ROOM),
    Option("zhongzhang_with_jiang", False, "将计中张", "中张 counts beside 将 too", source="a Kotlin scorer's tests"),
    Option("haidi", True, "海底", "海底 counts", source=_ROOM),
    Option("tianhu", 3, "天胡番", "fans of 天胡; 0 switches it off", least=0, most=20, source=_ROOM),
    Option("dihu", 2, "地胡番", "fans of 地胡; 0 switches it off", least=0, most=20, source=_ROOM),
    Option("tianhu_zimo", True, "天胡计自摸", "天胡 takes the self-draw bonus too", source="§3"),
    Option("ka_er_tiao", False, "卡二条", "one fan more for 2条 won between 1条 and 3条", source=_ROOM),
    Option("jia_xin_wu", False, "夹心五", "one fan more for 5万 won between 4万 and 6万", source=_ROOM),
    Option(
        "call_transfer",
        "transfer",
        "呼叫转移",
        "kong money after 杠上炮: transfer: to the winner; refund: back to its payers (SBR); none: it stays",
        ("transfer", "refund", "none"),
        source=_ROOM,
    ),
    Option(
        "call_transfer_kongs",
        "last",
        "转移范围",
        "last: the money of the last kong; all: of every kong of that seat",
        ("last", "all"),
        source="§6",
    ),
    Option(
        "call_transfer_ready_only",
        False,
        "有叫才转移",
        "only if the konger was ready; the win event then says so in `extra.konger_ready`",
        source=_BABYKYLIN,
    ),
    Option(
        "delayed_kong", False, "过手杠", "a kong added later than the draw of its fourth tile pays too", source="§6"
    ),
    Option(
        "multi_ron",
        "all",
        "一炮多响",
        "all: every winner of a tile; nearest: the first in turn order (截胡)",
        ("all", "nearest"),
        source=_ROOM,
    ),
    Option(
        "huazhu",
        "cap",
        "查花猪",
        "what a pig pays each: cap: 2^cap, 16 without a cap; or 16 or 64; times the base",
        ("cap", 16, 64),
        source=_ROOM,
    ),
    Option(
        "huazhu_pays",
        "all",
        "花猪赔付",
        "all: every seat that has not won and is no pig; ready: only those that are ready (仅听牌者)",
        ("all", "ready"),
        source=_ROOM,
    ),
    Option(
        "chajiao",
        "max",
        "查叫",
        "which wait a seat that is not ready pays for: max: the dearest (最大); min: the cheapest (最小); off",
        ("max", "min", "off"),
        source=_ROOM,
    ),
    Option(
        "tuishui",
        True,
        "退税",
        "pigs and seats that are not ready hand kong money back",
        source="§8; off on some servers",
    ),
    Option(
        "fifth_copy",
        "concealed",
        "听绝张",
        "when a wait is none: its four copies are concealed in the hand; or melds: in the hand and own melds",
        ("concealed", "melds"),
        source="a JS scorer",
    ),
    Option(
        "balance_limit",
        False,
        "赢不超本金",
        "a payer pays a winner at most what the winner has, or had at the start",
        source="§7; coin rooms",
    ),
    Option("suits", "mps", "牌张", "suits in play; two of them for 两门牌", ("mps", "ps", "ms", "mp"), source=_ROOM),
    # Play, not settlement: named so that a room may send its whole list of switches.
    Option(
        "dingque", True, "定缺", "a forbidden suit is declared; when off, `void` of a player is refused", source=_ROOM
    ),
    Option(
        "huansanzhang",
        "off",
        "换三张",
        "exchange of three tiles before play; changes no payment",
        ("off", "same_suit", "any"),
        source=_ROOM,
    ),
    Option(
        "pass_win",
        True,
        "过手胡",
        "a declined win bars cheaper ones until the next draw; the room sees to it",
        source="§2",
    ),
    Option(
        "last_four_must_win",
        False,
        "后四张必胡",
        "ready seats must win in the last four tiles; the room sees to it",
        source="§2",
    ),
)

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "sc_room": {},
    "sc_xueliu": {"flow": "xueliu"},
    "sbr": {"cap": 3, "yaojiu": False, "jiang": False, "tianhu": 0, "dihu": 0, "call_transfer": "refund"},
    "kt": {
        "cap": None,
        "men_zhong": True,
        "zhongzhang_with_jiang": True,
        "zimo": "jiafan",
        "jiang": False,
        "tianhu": 4,
        "dihu": 4,
    },
    "wanghu82": {"cap": None, "longqidui": 4, "tianhu": 5, "dihu": 5, "zimo": "none"},
    "sc_mult": {
        "table": "product",
        "cap": None,
        "zimo": "jiafan",
        "tianhu": 5,
        "tianhu_zimo": False,
        "dihu": 5,
        "fifth_copy": "melds",
    },
}
