"""长沙麻将 for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Column
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option, Options
from mjsettle.rules import Bonus, Check, Fact, Payments, Rule
from mjsettle.winforms import WinForm, pairs, shapeless, standard
from mjsettle_changsha.checks import CHECKS, TILES
from mjsettle_changsha.fans import COLUMNS, fan_table, legal, only_generals
from mjsettle_changsha.kongs import after_supplement, winning_tiles
from mjsettle_changsha.options import OPTIONS, PRESETS
from mjsettle_changsha.payments import BONUSES, PAYMENTS

NAME: Final = "changsha"

RULE: Final = Rule(
    NAME,
    "长沙麻将",
    "Changsha mahjong",
    editions=("2026.1",),
    sources=(
        "长沙麻将经典双鸟规则书 2026-07-09",
        "xelnagamiao/open_mahjong_unity, tests",
        "guogeer/gofishing-game hunan.go",
        "a Java 宁乡/长沙 scorer; a rule catalogue",
    ),
    presets=PRESETS,
    default_preset="classic_two_birds",
    tiles=lambda options, seats: TILES,
    events=("win", "kong", "opening", "exhaustive_draw"),
    hows=("kong_draw", "kong_discard", "rob_kong", "last_tile", "first_turn"),
    extra=("dice",),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    return standard(), pairs(), shapeless("all_generals", "将将胡", "all 2, 5 and 8", only_generals)


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return COLUMNS


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return Fact("winning_tiles", winning_tiles), Fact("after_supplement", after_supplement)


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return fan_table(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    # Every payer owes more for more big wins, capped or not, so the reading with the most is the best for all.
    return Scoring("sum", valid=legal)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def bonuses(rule: str, options: Options) -> Sequence[Bonus]:
    return BONUSES


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
