"""Hangzhou mahjong (财神, 爆头, 财飘; MIL 2025) for mjsettle. Sections (§) are those of the rules in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Col, Column, smaller
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option, Options
from mjsettle.rules import Check, Fact, Payments, Rule
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard
from mjsettle_hangzhou.chains import FACTS
from mjsettle_hangzhou.checks import CHECKS
from mjsettle_hangzhou.fans import columns_of, fans_of
from mjsettle_hangzhou.options import OPTIONS, PRESETS
from mjsettle_hangzhou.payments import PAYMENTS
from mjsettle_hangzhou.wilds import always_wild, substitutes

NAME: Final = "hangzhou"

RULE: Final = Rule(
    NAME,
    "杭州麻将",
    "Hangzhou mahjong",
    editions=("2026.1",),
    sources=(
        "answers of the official platform's fan calculator",
        "EdGrass/hangzhou-mahjong-bot win and scoring tests",
        "YouCaiBiKao tests",
        "MIL 杭州麻将(推广) 2025 rulebook",
    ),
    presets=PRESETS,
    default_preset="hang_platform",
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "wild_discard", "discard"),
    hows=("kong_draw", "kong_on_kong", "last_tile", "first_turn"),
    wild=always_wild,
    substitutes=substitutes,
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
    return WildPolicy()


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return FACTS


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return columns_of(options)


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return fans_of(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    """The factors multiply (§4), or the fans add up (§6); 有财必拷响 says which hands with a 财神 may win (§3)."""
    most = options.cap_fan

    def doublings(form_seven_pairs: Col, luxury: Col, chain: Col, raw_four_wilds: Col, raw_head_shot: Col) -> Col:
        """How often the platform's factors double; between readings that the cap makes equal it decides."""
        return form_seven_pairs * 1 + luxury + chain + raw_four_wilds * 1 + raw_head_shot * 1

    def product(form_seven_pairs: Col, luxury: Col, chain: Col, raw_four_wilds: Col, raw_head_shot: Col) -> Col:
        """The product of the factors within the cap."""
        return 1 << smaller(doublings(form_seven_pairs, luxury, chain, raw_four_wilds, raw_head_shot), int(most))

    def uncapped(sum_of_fans: Col) -> Col:
        """The sum of the fans; between readings that the cap makes equal it decides."""
        return sum_of_fans

    def added(sum_of_fans: Col) -> Col:
        """The fans within the cap."""
        return smaller(sum_of_fans, int(most))

    def head_shot_or_kong(wilds: Col, head_shot: Col, kong_draw: Col) -> Col:
        """With a 财神 in the hand, 爆头 or 杠开."""
        return (wilds == 0) | (head_shot == 1) | (kong_draw == 1)

    valid = head_shot_or_kong if options.youcai_bikao else None
    if options.score == "mil":
        return Scoring("sum" if most is None else added, valid=valid, prefer=uncapped)
    return Scoring("product" if most is None else product, valid=valid, prefer=doublings)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
