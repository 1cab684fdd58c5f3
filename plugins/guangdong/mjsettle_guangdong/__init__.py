"""Guangdong mahjong (推倒胡, 鸡平胡, MIL 2023) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Col, Column
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, shapeless, standard, thirteen_orphans
from mjsettle_guangdong.checks import CHECKS, discarded
from mjsettle_guangdong.fans import COLUMNS, PAGES
from mjsettle_guangdong.options import OPTIONS, PRESETS
from mjsettle_guangdong.payments import BONUSES, END_OF_ROUND, PAYMENTS
from mjsettle_guangdong.tiles import tiles_of
from mjsettle_guangdong.wilds import always_wild, wild_kinds

NAME: Final = "guangdong"


RULE: Final = Rule(
    NAME,
    "广东麻将",
    "Guangdong mahjong",
    editions=("2026.1",),
    sources=(
        "MIL 广东麻将(推广) 2023 rulebook",
        "guogeer/gofishing-game guangdong.go, chaoshan.go",
        "lianhuaguangdongmahjong tests and legacy rules",
        "网狐 rule page 99.html",
        "a Java 推倒胡 server; a 100-room option list",
    ),
    presets=PRESETS,
    default_preset="gd_tdh_room",
    seats=(4, 3, 2),
    tiles=tiles_of,
    wild=always_wild,
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "follow_dealer"),
    extra=("bought",),
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
    if options.shisanyao:
        found.append(thirteen_orphans())
    if options.four_ghost:
        when = four_ghosts_drawn_or_robbed if options.score == "mil" else four_ghosts_drawn
        found.append(shapeless("four_ghosts", "四鬼胡", "four wild tiles", when))
    return found


def four_ghosts_drawn(self_draw: Col, holds_four_ghosts: Col, in_time: Col) -> Col:
    """Four wild tiles held, self-drawn; before the owner's first discard where the switch says so (§3)."""
    return (self_draw == 1) & holds_four_ghosts & (in_time == 1)


def four_ghosts_drawn_or_robbed(self_draw: Col, rob_kong: Col, holds_four_ghosts: Col, in_time: Col) -> Col:
    """The same, but a robbed kong may bring the win too (§8: 四鬼和 combines with 抢杠)."""
    return ((self_draw == 1) | (rob_kong == 1)) & holds_four_ghosts & (in_time == 1)


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    # §8: a fifth copy among the concealed tiles is impossible, copies in own melds do not forbid it.
    return WildPolicy(fifth_copy="concealed" if options.score == "mil" else "allowed")


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return COLUMNS


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    def in_time(round: Round, win: Win) -> int:
        """0 when four ghosts win before the first own discard only and the winner has discarded, else 1."""
        return int(not options.four_ghost_first_only or not discarded(round.players[win.seat]))

    def ghosts_discarded(round: Round, win: Win) -> int:
        """How many wild tiles the winner has discarded."""
        wild = wild_kinds(round, options)
        return sum(kind in wild for kind in discarded(round.players[win.seat]))

    return Fact("in_time", in_time), Fact("ghosts_discarded", ghosts_discarded)


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return PAGES[options.score](options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    if options.score != "mil":
        return Scoring("product")

    def basic_points(total: Col, coefficient: Col) -> Col:
        """基本分: the fans times the coefficient (§8)."""
        return total * coefficient

    def enough(total: Col, coefficient: Col) -> Col:
        """起和: enough fans, and enough basic points (§8)."""
        return (total >= options.min_fan) & (total * coefficient >= options.min_points)

    return Scoring("sum", qualifies=enough, score=basic_points)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def bonuses(rule: str, options: Options) -> Sequence[Bonus]:
    return BONUSES


@hookimpl
def end_of_round(rule: str, options: Options) -> Sequence[EndOfRound]:
    return END_OF_ROUND


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
