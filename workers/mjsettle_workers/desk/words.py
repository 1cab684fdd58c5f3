"""The words of the desk's pages: English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mjsettle.words import EVENTS, HOW, KONGS, LANGUAGES, REASONS, WHY

__all__ = ["LANGUAGES", "Words"]

_TEXT: Final[dict[str, tuple[str, str]]] = {
    "desk": ("Settlement desk", "结算查询台"),
    "look_up": ("Look up a settlement", "查询结算"),
    "try": ("Judge a hand", "判一手牌"),
    "waits": ("Waits", "听牌"),
    "discards": ("Discards", "打哪张"),
    "id": ("Settlement id", "结算编号"),
    "find": ("Find", "查询"),
    "recent": ("Some settlements", "近期结算"),
    "none_recent": ("None are recorded yet.", "尚无记录。"),
    "read_from": ("Read from", "数据来源"),
    "no_source": (
        "No result store and no file is open, so settlements cannot be looked up; hands can be judged.",
        "未连接结算库，也未打开文件，无法查询结算；可以判牌。",
    ),
    "source_down": ("The result store cannot be reached", "无法连接结算库"),
    "not_found": ("No settlement under this id", "没有这个编号的结算"),
    "not_found_help": (
        "Check the id for typing errors. Settlements are kept for the time that the workers are set to keep them.",
        "请检查编号是否有误。结算只在设定的保留期内可查。",
    ),
    "no_page": ("There is no such page", "没有这个页面"),
    "failed": ("This page could not be made", "页面出错"),
    "failed_help": ("The desk's log says why. Nothing was changed.", "原因见查询台日志。没有任何数据被改动。"),
    "back": ("Back to the start", "返回首页"),
    "settled": ("settled", "已结算"),
    "refused": ("refused", "未结算"),
    "conflict": ("conflict", "冲突"),
    "refused_help": ("The round was not settled. Every fault that was found:", "本局未结算，发现的问题："),
    "judged_now": (
        "No result is recorded for this round; it was judged now, by the installed rules.",
        "没有本局的结算记录；以下由当前安装的规则现判。",
    ),
    "other_rules": (
        "The installed rules differ from those that judged this round. Citations, other readings and waits are told "
        "by the installed rules.",
        "当前安装的规则与当时判牌的规则不同；出处、其他拆法和听牌按当前规则给出。",
    ),
    "seat": ("Seat {}", "{}号位"),
    "table": ("table", "桌面"),
    "dealer": ("dealer", "庄"),
    "winner": ("winner", "胡"),
    "unknown_hand": ("hand not sent", "未上传手牌"),
    "from_seat": ("from seat {}", "来自{}号位"),
    "flowers": ("Flowers", "花牌"),
    "points": ("points", "分"),
    "rule": ("Rule set", "规则"),
    "edition": ("Edition", "版本"),
    "fingerprint": ("Fingerprint", "规则指纹"),
    "switches": ("Switches", "玩法选项"),
    "switch_note": ("those that the round named are marked", "本局指定的选项有标记"),
    "wild": ("Wild tiles", "百搭"),
    "birds": ("Birds", "鸟牌/马牌"),
    "wins_on": ("wins on", "胡"),
    "self_drawn": ("self-drawn", "自摸"),
    "read_as": ("Read as", "牌型"),
    "wild_as": ("Wild tiles stand for", "百搭代替"),
    "fans": ("Fans", "番种"),
    "fan": ("fan", "番种"),
    "value": ("value", "番值"),
    "times": ("times", "次数"),
    "cite": ("source", "出处"),
    "no_fans": ("no fan is listed", "无番种"),
    "total": ("Total", "合计"),
    "fu": ("Fu", "符"),
    "yakuman": ("Yakuman", "役满"),
    "brings": ("Brings the winner", "赢得"),
    "readings": ("Other readings, and why they lost", "其他拆法，以及为何不取"),
    "only_reading": ("The hand can be read in this way only.", "这手牌只有这一种拆法。"),
    "more_readings": ("and more, worth no more than these", "还有更多，都不比以上的好"),
    "better": ("What other winning tiles would have paid", "胡其他牌各值多少"),
    "lost_illegal": ("no legal win under these rules", "按规则不能胡"),
    "lost_below_minimum": ("below the minimum to win", "不够起胡番"),
    "lost_score": ("worth less", "分数较低"),
    "lost_total": ("worth as much, smaller total", "分数相同，番数较低"),
    "lost_preference": ("worth as much; the rules prefer the other", "分数相同，规则另有优先"),
    "lost_order": ("worth the same", "分数相同"),
    "steps": ("Step by step", "逐步结算"),
    "end": ("At the end of the round", "终局"),
    "pays": ("pays", "付"),
    "to": ("to", "给"),
    "nothing_moves": ("no points move", "不收付"),
    "undoes": ("returns or passes on an earlier payment", "退还或转付此前的收付"),
    "stands": ("standings", "累计"),
    "sum": ("Sum", "合计"),
    "preset": ("Preset", "预设"),
    "default": ("default", "默认"),
    "hand": ("Hand", "手牌"),
    "hand_help_try": (
        "concealed tiles without the winning tile, such as 123m456p11z",
        "暗手牌，不含胡的那张，如 123m456p11z",
    ),
    "hand_help_waits": ("concealed tiles, one short of a win", "暗手牌，差一张胡"),
    "hand_help_discards": ("concealed tiles with the one just drawn", "暗手牌，含刚摸的一张"),
    "melds": ("Melds", "副露"),
    "melds_help": (
        "123p 222s 2222s added:3333m concealed:5555z, and @1 for who fed it",
        "123p 222s 2222s added:3333m concealed:5555z；@1 表示由1号位打出",
    ),
    "win_tile": ("Winning tile", "胡的牌"),
    "by": ("Won", "胡法"),
    "by_draw": ("self-drawn", "自摸"),
    "by_seat": ("from seat {}", "{}号位点炮"),
    "wild_help": ("kinds, such as 5z 7z", "种类，如 5z 7z"),
    "seat_field": ("Seat", "座位"),
    "dealer_field": ("Dealer", "庄家"),
    "how": ("How it was won", "和牌方式"),
    "flags": ("Flags", "标记"),
    "more": ("More facts", "更多条件"),
    "round_wind": ("Round wind", "圈风"),
    "birds_help": ("in order, such as 3m 7p", "按翻开顺序，如 3m 7p"),
    "seen": ("Seen tiles", "已见的牌"),
    "seen_help": ("discards and others' melds", "弃牌和他家副露"),
    "judge": ("Judge", "判牌"),
    "paste": ("Enter a hand to see what it brings.", "输入手牌查看结果。"),
    "faults_elsewhere": ("What else is wrong", "其他问题"),
    "tile": ("tile", "牌"),
    "live": ("live", "余"),
    "on_draw": ("self-drawn", "自摸"),
    "on_discard": ("on a discard", "点炮"),
    "not_ready": ("No tile completes this hand under these rules.", "按规则，这手牌未听牌。"),
    "refuses": ("refused", "不能胡"),
    "discard": ("discard", "打"),
    "shanten": ("shanten", "向听"),
    "ready": ("ready", "听牌"),
    "complete": ("complete", "已胡"),
    "accepts": ("accepts (live copies)", "进张（余数）"),
    "ready_chance": ("ready within {} draws", "{}摸内听牌"),
    "expected": ("points to expect", "期望得分"),
    "hint": ("Hint", "提示"),
    "fewest_wilds": ("spends fewest wild tiles", "用百搭最少"),
    "pays_most": ("pays most", "得分最多"),
    "spent": ("{} wild spent", "用{}张百搭"),
    "source": ("Sources", "依据"),
    "permalink": ("The address of this page holds the hand; share it.", "本页网址包含这手牌，可直接分享。"),
}


class Words:
    """The words of one language, by attribute: ``words.total``; by call with something to fill in."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._at = LANGUAGES.index(lang)

    def __getattr__(self, key: str) -> str:
        try:
            return _TEXT[key][self._at]
        except KeyError:
            raise AttributeError(key) from None

    def fill(self, key: str, *values: object) -> str:
        return _TEXT[key][self._at].format(*values)

    def seat_of(self, seat: object) -> str:
        """A payer or receiver."""
        return self.fill("seat", seat) if isinstance(seat, int) else _TEXT["table"][self._at]

    def of(self, table: Mapping[str, tuple[str, str]], key: object) -> str:
        found = table.get(str(key))
        return found[self._at].strip() if found else str(key).replace("_", " ")

    def why(self, key: object) -> str:
        """Why a payment was made."""
        return self.of({**WHY, **REASONS}, key)

    def how_word(self, key: object) -> str:
        """A word of how a tile was won."""
        return self.of(HOW, key)

    def kong(self, key: object) -> str:
        return self.of(KONGS, key)

    def event(self, key: object) -> str:
        return self.of(EVENTS, key)

    def lost(self, key: str) -> str:
        """Why a reading was not taken."""
        return _TEXT[f"lost_{key}"][self._at] if key else ""

    def name(self, fan: Mapping[str, object]) -> str:
        """A fan's name in this language, where it has one."""
        names = fan.get("names")
        return str(names.get(self.lang, fan["name"])) if isinstance(names, dict) else str(fan["name"])
