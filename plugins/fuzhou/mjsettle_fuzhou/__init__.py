"""Fuzhou mahjong (金, 三金倒, 金雀, 金龙) for mjsettle. Sections (§) are those of the rules in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Col, Column
from mjsettle.fans import Fan, Scoring
from mjsettle.forms import wins
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Check, Fact, Payments, Rule
from mjsettle.tiles import counts_of, parse_tiles
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, shapeless, standard
from mjsettle_fuzhou import tiles
from mjsettle_fuzhou.checks import CHECKS, ROB_GOLD
from mjsettle_fuzhou.fans import COLUMNS, fans_of, three_golds
from mjsettle_fuzhou.options import OPTIONS, PRESETS
from mjsettle_fuzhou.payments import PAYMENTS
from mjsettle_fuzhou.points import core, per_payer

NAME: Final = "fuzhou"

RULE: Final = Rule(
    NAME,
    "福州麻将",
    "Fuzhou mahjong",
    editions=("2026.1",),
    sources=(
        "a Godot implementation's rules and tests (新修订)",
        "a lua server's type table",
        "an English Fuzhou rules page with worked examples",
    ),
    presets=PRESETS,
    default_preset="fz_B",
    hand_size=lambda options: int(options.hand_size),
    tiles=tiles.tiles_of,
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "wild_discard"),
    flags=("heavenly_ready",),
    hows=(
        "kong_draw",
        "kong_on_kong",
        "kong_discard",
        "flower_draw",
        "rob_kong",
        "last_tile",
        "first_turn",
        "last_of_kind",
        ROB_GOLD,
    ),
    set_aside=tiles.honour_flowers,
    claims=(ROB_GOLD,),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    found = [standard(), shapeless("three_golds", "三金倒", "three golds in any shape", three_golds)]
    if options.eight_pairs:
        found.append(pairs("eight_pairs", "八对", "eight pairs and a single tile", count=8, single=True))
    return found


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    return WildPolicy()


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return (
        Fact("flower_total", flower_total),
        Fact("rob_gold", rob_gold),
        Fact("dragon_shape", dragon_shape),
        Fact("flag_heavenly_ready", flag_heavenly_ready),
    )


def flower_total(round: Round, win: Win) -> int:
    """How many flowers the winner has set aside, honours among them."""
    return tiles.flower_total(round, win.seat)


def rob_gold(round: Round, win: Win) -> int:
    """1 when the win takes the gold at the moment it is turned up (抢金)."""
    return int(ROB_GOLD in win.how)


def dragon_shape(round: Round, win: Win) -> int:
    """1 when three golds are held and the other tiles are sets and a pair without them."""
    player, gold = round.players[win.seat], tiles.gold_kinds(round)
    counts = counts_of([*parse_tiles(player.hand or ""), win.tile])
    golds = sum(counts[kind] for kind in gold)
    if golds < tiles.GOLDS_IN_PLAY:
        return 0
    natural = [0 if kind in gold else count for kind, count in enumerate(counts)]
    return int(wins(natural, golds - tiles.GOLDS_IN_PLAY, forms=("standard",)))


def flag_heavenly_ready(round: Round, win: Win) -> int:
    """1 when the winner has the flag heavenly_ready (天听)."""
    return int("heavenly_ready" in round.players[win.seat].flags)


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return COLUMNS


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return fans_of(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    """The specials of table C add up, of A and B the highest counts; a reading is worth what a payer owes (§4)."""

    def owed(
        flower_total: Col,
        wilds: Col,
        kong_points: Col,
        streak: Col,
        dealer: Col,
        self_draw: Col,
        drawn_gold: Col,
        total: Col,
    ) -> Col:
        """What each payer owes."""
        counted = streak if options.streak_counts == "any" else streak * dealer
        drawn = self_draw if options.table == "C" else drawn_gold
        return per_payer(options, core(options, flower_total, wilds, kong_points, counted), drawn, total)

    def shaped(form_three_golds: Col) -> Col:
        """A hand with a shape is shown in it."""
        return form_three_golds == 0

    return Scoring("sum" if options.table == "C" else "highest", score=owed, prefer=shaped)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
