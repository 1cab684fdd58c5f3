"""Taiwanese sixteen-tile mahjong (台灣十六張) for mjsettle. Sections (§) are those of the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mjsettle.columns import Column
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, Fact, Payments, Rule, tile_set
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard
from mjsettle_taiwan import fans as pages
from mjsettle_taiwan.checks import CHECKS
from mjsettle_taiwan.options import OPTIONS, PRESETS
from mjsettle_taiwan.payments import BONUSES, PAYMENTS
from mjsettle_taiwan.table import all_fans

NAME: Final = "taiwan"
FLAGS: Final = ("heavenly_ready", "earthly_ready", "ready")

RULE: Final = Rule(
    NAME,
    "台灣麻將",
    "Taiwanese sixteen-tile mahjong",
    editions=("2026.1",),
    sources=(
        "台灣麻將協會 tai table, revised 2009-12-26 (atawmj.org.tw)",
        "Wikibooks: catalogue of Taiwanese tai",
        "神來也 and Star31 presets",
        "taiwan-mahjong-no-1/taiwan-mahjong scoring fixtures",
        "xelnagamiao/open_mahjong_unity test_taiwan_rules.py",
    ),
    presets=PRESETS,
    default_preset="association",
    hand_size=lambda options: 16,
    tiles=lambda options, seats: tile_set(flowers=8, jokers=8 if options.wilds else 0),
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "flower_win", "false_win"),
    flags=FLAGS,
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    # §2: eight pairs alone are sixteen tiles; the seventeenth makes one of them a triplet.
    ligu = pairs("ligu", "嚦咕嚦咕", "seven pairs and a triplet", count=7, triplet=True)
    return [standard(), ligu] if options.ligu_enabled or options.eight_pairs_half is not None else [standard()]


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    return WildPolicy()


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return tuple(_flag(name) for name in FLAGS)


def _flag(name: str) -> Fact:
    def raised(round: Round, win: Win) -> int:
        return int(name in round.players[win.seat].flags)

    raised.__doc__ = f"1 when the winner has the flag {name}."
    return Fact(f"flag_{name}", raised)


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return [Column(fn.__name__, fn) for fn in pages.COLUMNS]


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return all_fans(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    """Tai add up; the cap is the payments' affair (§5), the minimum is asked of the hand's tai (§1)."""
    least = int(options.min_tai)

    def enough(total: Any) -> Any:
        return total >= least

    return Scoring("sum", qualifies=enough)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def bonuses(rule: str, options: Options) -> Sequence[Bonus]:
    return BONUSES


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
