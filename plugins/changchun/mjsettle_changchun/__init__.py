"""Changchun mahjong (长春麻将) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, Fact, Payments, Rule
from mjsettle.substitutes import Substitutes
from mjsettle.tiles import JOKER
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard
from mjsettle_changchun.checks import CHECKS, SPECIAL_KONG
from mjsettle_changchun.fans import FANS
from mjsettle_changchun.legal import READY, legal, special_kongs, treasure_win, waits_of
from mjsettle_changchun.payments import BONUSES, PAYMENTS, UNSEEN

NAME: Final = "changchun"


def substitutes(round: Round, win: Win, options: Options) -> Substitutes:
    """摸宝: the treasure that a ready seat draws stands for a tile that it waits for; nobody else's is wild (§3)."""
    return Substitutes(drawn={win.tile: JOKER}) if treasure_win(round, win) == 1 else Substitutes()


RULE: Final = Rule(
    NAME,
    "长春麻将",
    "Changchun mahjong",
    editions=("2026.1",),
    sources=("MIL 长春麻将 2024 rulebook",),
    presets={"cc_mil2024": {}},
    default_preset="cc_mil2024",
    seats=(4,),
    events=("win", "kong", "exhaustive_draw", "abortive_draw"),
    flags=(READY, UNSEEN),
    hows=("kong_draw", "rob_kong", "last_tile"),
    meld_kinds=("chow", "pung", "kong", "added_kong", "concealed_kong", SPECIAL_KONG),
    substitutes=substitutes,
)

OPTIONS: Final = (
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000),
    Option("cap", 6, "封顶番", "the most fans that double, for each payer", least=0, most=20, source="§4"),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    return standard(), pairs()


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    # What has no fourth copy outside the hand is no wait, and the treasure stands for waits only.
    return WildPolicy(fifth_copy="concealed")


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return (
        Fact("special_kongs", special_kongs),
        Fact("wait_kinds", waits_of),
        Fact("treasure_win", treasure_win),
    )


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return FANS


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    # More fans are dearer for every payer, capped or not.
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
