"""红中麻将 and 湖南转转 for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Col, Column, smaller
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Check, EndOfRound, Fact, Payments, Rule
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, shapeless, standard
from mjsettle_hongzhong.checks import CHECKS, has_discarded
from mjsettle_hongzhong.fans import COLUMNS, PAGES, as_suited, four_zhong_drawn
from mjsettle_hongzhong.options import OPTIONS, PRESETS
from mjsettle_hongzhong.payments import END_OF_ROUND, PAYMENTS
from mjsettle_hongzhong.tiles import tiles_of

NAME: Final = "hongzhong"


RULE: Final = Rule(
    NAME,
    "红中麻将",
    "Hongzhong mahjong",
    editions=("2026.1",),
    sources=(
        "MIL 红中麻将(推广) 2024 rulebook",
        "网狐 rule pages info88.html and 91.html",
        "guogeer/gofishing-game hongzhong.go, zhuanzhuan.go, hunan.go",
        "a Go 红中 server; Mayou 转转 rules",
    ),
    presets=PRESETS,
    default_preset="hong_room",
    seats=(4, 3, 2),
    tiles=tiles_of,
    wild=lambda options: ("7z",) if options.zhong else (),
    hows=("kong_draw", "kong_discard", "rob_kong", "last_tile", "first_turn", "kong_on_kong"),
    meld_kinds=("pung", "kong", "added_kong", "concealed_kong"),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    found = [standard()]
    if options.qidui:
        found.append(pairs())
    if options.four_zhong and options.zhong:
        found.append(shapeless("four_zhong", "四红中", "four 红中", four_zhong_drawn))
    return found


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    # §5: under the rulebook a wild is no fifth copy of a concealed kind; copies in own melds do not forbid it.
    return WildPolicy(fifth_copy="concealed" if options.score == "mil" else "allowed")


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return COLUMNS


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    def in_time(round: Round, win: Win) -> int:
        """0 when four 红中 win before the first own discard only and the winner has discarded, else 1."""
        return int(not options.four_zhong_first or not has_discarded(round.players[win.seat]))

    return (Fact("in_time", in_time),)


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return PAGES[options.score](options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    if options.score == "room":
        return Scoring("sum", valid=as_suited)

    def doubled(total: Col) -> Col:
        """A share: 2^fans, the fans capped (§5)."""
        return 1 << smaller(total, options.cap)

    return Scoring("sum", valid=as_suited, score=doubled)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def end_of_round(rule: str, options: Options) -> Sequence[EndOfRound]:
    return END_OF_ROUND


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
