"""The switches of Wuhan mahjong (sheet sections 1 to 7) and its presets."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.rules import Option

LIABILITIES: Final = ("rob_kong", "all_claimed", "full_flush")


def _whole(key: str, default: int, title: str, doc: str, most: int = 1_000_000) -> Option:
    return Option(key, default, title, doc, least=0, most=most)


def _limit(key: str, default: int | None, title: str, doc: str) -> Option:
    return Option(key, default, title, doc, kind=(int, type(None)), least=1, most=1_000_000_000)


OPTIONS: Final = (
    Option("base", 1, "底分", "every amount is multiplied by it, after the cap", least=1, most=1_000_000),
    Option("koukou", True, "口口翻", "each opening doubles; off: the first alone (开口翻)"),
    Option(
        "scoring",
        "product",
        "计分",
        "product: winner's factors times payer's; flat: the base and 硬胡 alone (晃晃)",
        ("product", "flat"),
    ),
    _whole("small_base", 1, "小胡底", "base of a small win"),
    _whole("big_base", 10, "大胡底", "base of each big win"),
    Option(
        "pi_count",
        "indicator_and_previous",
        "皮子",
        "which tiles are 皮: the turned one and the one before it, or the turned one alone (四皮四赖)",
        ("indicator_and_previous", "indicator"),
    ),
    Option("flipped_out", False, "翻牌不入局", "the turned copy is out of play: three of it are left (七皮四赖)"),
    _whole("qihu", 16, "起胡", "least of base x winner's product x smallest payer's product", 1_000_000_000),
    Option("qihu_above", False, "过起胡", "the product must be above 起胡, not only reach it"),
    _limit("cap", 300, "封顶", "most that one payer pays; null: none"),
    _limit(
        "joint_cap",
        None,
        "金顶",
        "cap when all three amounts reach 封顶; null: 500 in 口口翻, 400 in 开口翻, or 封顶 where that is more",
    ),
    Option("must_open", True, "开口", "a winner needs a chow, a pung or an exposed kong"),
    Option("pair_258", True, "258将", "small wins, 全求人 and wins by circumstance need a pair of 2, 5 or 8"),
    Option("quanqiuren_zimo", False, "全求人自摸", "全求人 may be won by self-draw too"),
    Option(
        "direct_kong_opens", True, "直杠算开口", "a kong claimed from a discard is an opening besides its own factor"
    ),
    Option("added_kong_opens", True, "补杠保留开口", "the pung of an added kong stays an opening"),
    _whole("last_tiles", 4, "海底牌数", "the room's affair: how many last wall tiles are 海底 (`last_tile`)", 136),
    Option(
        "liability",
        list(LIABILITIES),
        "承包",
        "who pays for all: the robbed seat, the discarder of 全求人 who is not ready, the feeder of 清一色",
        members=LIABILITIES,
    ),
    Option("liability_opening", 3, "包牌口数", "which opening of the winner makes its feeder liable", (2, 3)),
    Option(
        "liability_win",
        "full_flush",
        "包牌牌型",
        "which wins that feeder pays for: 清一色 or any",
        ("full_flush", "any"),
    ),
    Option("piao", False, "漂", "winner's and payer's stakes (players[].extra.piao) are added to an amount"),
)

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "koukoufan": {},
    "kaikoufan": {"koukou": False},
    "hongzhong_laizigang": {"small_base": 5, "qihu": 160, "liability_win": "any"},
    "huanghuang": {"scoring": "flat", "big_base": 3, "qihu": 0, "cap": None, "piao": True},
}
