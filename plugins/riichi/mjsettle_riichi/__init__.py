"""Riichi mahjong (リーチ麻雀, 日本麻将) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Column
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option, Options
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule, tile_set
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard, thirteen_orphans
from mjsettle_riichi import columns as page
from mjsettle_riichi import facts as told
from mjsettle_riichi import scoring as han
from mjsettle_riichi.checks import CHECKS
from mjsettle_riichi.draws import BONUSES, END_OF_ROUND
from mjsettle_riichi.options import OPTIONS, PRESETS
from mjsettle_riichi.payments import PAYMENTS

NAME: Final = "riichi"


def _tiles(options: Options, seats: int) -> tuple[int, ...]:
    return tile_set(jokers=4 if options.wild else 0, without="2345678m" if seats == 3 else "")


RULE: Final = Rule(
    NAME,
    "日本麻将",
    "Riichi mahjong",
    editions=("2026.1",),
    sources=(
        "Tenhou rules (tenhou.net/man), four and three players",
        "EMA Riichi Rules for Japanese Mahjong, 2016",
        "majiang-core 1.x (kobalab), default rules and test data",
        "mahjong 2.1.0 (MahjongRepository)",
        "RiichiEnv 0.4 (smly), three players",
    ),
    presets=PRESETS,
    default_preset="default",
    seats=(4, 3),
    tiles=_tiles,
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "nagashi", "false_win", "game_end"),
    flags=("riichi", "double_riichi", "ippatsu", "furiten"),
    hows=("kong_draw", "kong_discard", "rob_kong", "last_tile", "first_turn", "rob_north"),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    return standard(), pairs(four_as_two=False), thirteen_orphans()


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy | None:
    # There are four tiles of a kind; a wild stands for no fifth, melds counted.
    return WildPolicy(fifth_copy="melds") if options.wild else None


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return [*page.columns(options), *han.columns(options)]


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return told.facts(options)


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return han.fans(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    return han.scoring(options)


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
