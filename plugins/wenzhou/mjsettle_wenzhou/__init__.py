"""Wenzhou mahjong (温州麻将) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Column
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, Fact, Payments, Rule, tile_set
from mjsettle.substitutes import Substitutes
from mjsettle.tiles import CODES, JOKER
from mjsettle.winforms import WinForm, pairs, shapeless, standard
from mjsettle_wenzhou.fans import COLUMNS, fan_table, three_gods_held
from mjsettle_wenzhou.gods import CHECKS, god_chows, god_mask, god_of
from mjsettle_wenzhou.payments import BONUSES, PAYMENTS

NAME: Final = "wenzhou"
WHITE: Final = CODES["5z"]


def substitutes(round: Round, win: Win, options: Options) -> Substitutes:
    """The god stands for any tile, in melds for itself; the white dragon for the god's own face (§1)."""
    god = god_of(round)
    if god is None:
        return Substitutes()
    white = {} if god == WHITE else {WHITE: god}
    return Substitutes({god: JOKER, **white}, melded=white, wild=frozenset())


RULE: Final = Rule(
    NAME,
    "温州麻将",
    "Wenzhou mahjong",
    editions=("2026.1",),
    sources=("MIL 温州麻将 2024 rulebook", "hangzhouanbang/qipai_wenzhoumajiang"),
    presets={"wz_mil2024": {}},
    default_preset="wz_mil2024",
    seats=(4,),
    hand_size=lambda options: 16,
    tiles=lambda options, seats: tile_set(),
    events=("win", "kong", "exhaustive_draw", "abortive_draw"),
    hows=("kong_draw", "rob_kong", "first_turn", "last_tile"),
    extra=("gods",),
    substitutes=substitutes,
)

OPTIONS: Final = (
    Option("base", 1, "底分", "every amount is multiplied by it", least=1, most=1_000_000),
    Option("god_settlement", True, "财神结算", "after a win each seat is paid for its gods, where all hands are known"),
    Option("god_money_double", False, "财神钱", "three gods held by the winner are paid twice", source="a Java server"),
    Option(
        "special_double",
        False,
        "特殊双翻",
        "单吊, 碰碰胡, 清一色, 混一色, 杠开, 双财归位 and 天/地胡 count 4",
        source="a Java server",
    ),
    Option("tongpei", False, "通赔", "the seat named in the win's `liable` pays for all", source="a Java server"),
    Option("santan", False, "三摊", "who fed three melds of the winner pays for all", source="a Java server"),
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
        pairs("eight_pairs", "八对", "eight pairs and a single tile", count=8, single=True),
        shapeless("three_gods", "三财神", "three gods in any hand", three_gods_held),
    )


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return Fact("god_mask", god_mask), Fact("god_chows", god_chows)


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return COLUMNS


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return fan_table(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    return Scoring("highest")


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def bonuses(rule: str, options: Options) -> Sequence[Bonus]:
    return BONUSES


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
