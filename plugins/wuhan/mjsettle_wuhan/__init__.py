"""Wuhan mahjong (口口翻, 开口翻, 红中赖子杠, 晃晃) for mjsettle. Sections (§) are those of the rules in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Col, Column, smaller
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option, Options
from mjsettle.rules import Check, EndOfRound, Fact, Payments, Rule
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, shapeless, standard
from mjsettle_wuhan import fans as page
from mjsettle_wuhan.checks import CHECKS
from mjsettle_wuhan.options import OPTIONS, PRESETS
from mjsettle_wuhan.payments import END_OF_ROUND, PAYMENTS
from mjsettle_wuhan.points import columns_of, enough, facts_of, least_amount, limit_of

NAME: Final = "wuhan"

RULE: Final = Rule(
    NAME,
    "武汉麻将",
    "Wuhan mahjong",
    editions=("2026.1",),
    sources=(
        "parmesanC/PettingZooMahjongRLEnv 武汉麻将 rules, settler and capping tests",
        "a Go implementation's tests",
        "guogeer/gofishing-game 红中赖子杠",
    ),
    presets=PRESETS,
    default_preset="koukoufan",
    hows=("kong_draw", "kong_on_kong", "kong_discard", "rob_kong", "last_tile", "first_turn", "last_of_kind"),
    extra=("piao",),
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
        shapeless("any_honours", "风一色", "honours in any shape", page.may_be_honours),
        shapeless("any_generals", "将一色", "2, 5 and 8 in any shape", page.may_be_generals),
    )


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    return WildPolicy()


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return facts_of(options)


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return (*page.COLUMNS, *columns_of(options))


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return page.fans_of(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    """The reading that brings most from these payers; how many wilds may stand for others hangs on its class (§1)."""

    def legal(
        barred: Col,
        concealed1: Col,
        open_melds: Col,
        form_standard: Col,
        pair: Col,
        free_pair: Col,
        big_count: Col,
        substituted: Col,
    ) -> Col:
        """Opened, without 皮 and 红中, a pair of 2, 5 or 8 for what is not big by its tiles, few enough wilds."""
        pair_fits = (form_standard == 0) | (free_pair == 1) | (page.GENERALS >> pair & 1 == 1)
        opened = (open_melds > 0) | (not options.must_open)
        few_wilds = substituted <= 1 + (big_count > 0)
        return opened & ((concealed1 & barred) == 0) & (pair_fits | (not options.pair_258)) & few_wilds

    def qualifies(plain1: Col, plain2: Col, plain3: Col) -> Col:
        """起胡 (§5)."""
        return enough(options, least_amount((plain1, plain2, plain3)))

    def brings(amount1: Col, amount2: Col, amount3: Col) -> Col:
        """What all three pay, within the cap (§5)."""
        limit = limit_of(options, least_amount((amount1, amount2, amount3)))
        return smaller(amount1, limit) + smaller(amount2, limit) + smaller(amount3, limit)

    return Scoring("sum", valid=legal, qualifies=qualifies, score=brings)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def end_of_round(rule: str, options: Options) -> Sequence[EndOfRound]:
    return END_OF_ROUND


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
