"""Guobiao mahjong (国标麻将, MCR) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Col, Column
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option, Options
from mjsettle.rules import Bonus, Check, Payments, Rule, tile_set
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard, thirteen_orphans
from mjsettle_guobiao.checks import CHECKS
from mjsettle_guobiao.chows import COUNT_AT
from mjsettle_guobiao.fans import COLUMNS, fans_under
from mjsettle_guobiao.knitted import honours_and_knitted, knitted_straight
from mjsettle_guobiao.options import OPTIONS, PRESETS
from mjsettle_guobiao.payments import BONUSES, PAYMENTS
from mjsettle_guobiao.situation import wait_column
from mjsettle_guobiao.waits import reading_waits_column

NAME: Final = "guobiao"
_JOKERS_MAX: Final = 8


def _tiles(options: Options, seats: int) -> tuple[int, ...]:
    flowers = 8 if options.flowers_enabled else 0
    return tile_set("mps", flowers=flowers, jokers=_JOKERS_MAX if options.wilds else 0)


RULE: Final = Rule(
    NAME,
    "国标麻将",
    "Chinese official mahjong (MCR)",
    editions=("2026.1",),
    sources=(
        "《中国麻将竞赛规则(试行)》, 1998",
        "国标麻将规则释义, as PyMahjongGB and the GB-Mahjong tests read it",
        "WMO 2006 and EMA rules, for options",
    ),
    presets=PRESETS,
    default_preset="online",
    seats=(4,),
    tiles=_tiles,
    events=("win", "kong", "exhaustive_draw", "false_win"),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    return (
        standard(),
        knitted_straight(),
        honours_and_knitted(),
        pairs(four_as_two=options.seven_pairs_four_of_kind),
        thirteen_orphans(),
    )


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    # A wild is the tile that it stands for, and there are four of each.
    return WildPolicy(fifth_copy="melds")


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return (*COLUMNS, reading_waits_column(options.seven_pairs_four_of_kind), wait_column(options))


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return fans_under(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    def enough(total: Col, flower_count: Col) -> Col:
        """The fans without the flowers reach the minimum (§2)."""
        return total - flower_count >= options.min_fan

    def enough_without_flowers(total: Col) -> Col:
        """The fans reach the minimum (§2)."""
        return total >= options.min_fan

    def wait_order(wait: Col, chow_fans: Col) -> Col:
        """边张 before 坎张 before 单钓将 (§5), then more chows."""
        return wait * 8 + (chow_fans >> COUNT_AT & 7)

    return Scoring("sum", qualifies=enough if options.flowers_enabled else enough_without_flowers, prefer=wait_order)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def bonuses(rule: str, options: Options) -> Sequence[Bonus]:
    return BONUSES


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
