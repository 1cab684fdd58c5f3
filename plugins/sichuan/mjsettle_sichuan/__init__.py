"""Sichuan mahjong (血战到底, 血流成河) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Column
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule, tile_set
from mjsettle.tiles import SUITS
from mjsettle.winforms import WinForm, pairs, standard
from mjsettle_sichuan import product
from mjsettle_sichuan.fans import fan_table, legal
from mjsettle_sichuan.faults import CHECKS
from mjsettle_sichuan.options import OPTIONS, PRESETS
from mjsettle_sichuan.payments import BONUSES, PAYMENTS
from mjsettle_sichuan.reckoning import END_OF_ROUND
from mjsettle_sichuan.table import feeder

NAME: Final = "sichuan"


def _tiles(options: Options, seats: int) -> tuple[int, ...]:
    return tile_set(options.suits, honours="")


RULE: Final = Rule(
    NAME,
    "四川麻将",
    "Sichuan mahjong",
    editions=("2026.1",),
    sources=(
        "MIL 四川麻将(SBR) 2025 rulebook",
        "babykylin_scmj gamemgr_xzdd.js, gamemgr_xlch.js",
        "guogeer/gofishing-game sichuan.go",
        "网狐 rule page 82.html",
        "M2_CLIENT scmj rule text",
        "a Kotlin scorer's tests",
        "a JavaScript scorer's tests",
        "xelnagamiao/open_mahjong_unity",
    ),
    presets=PRESETS,
    default_preset="sc_room",
    seats=(4, 3, 2),
    tiles=_tiles,
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "discard", "give_up"),
    hows=("kong_draw", "kong_discard", "rob_kong", "last_tile", "first_turn", "kong_on_kong"),
    extra=("konger_ready",),
    meld_kinds=("pung", "kong", "added_kong", "concealed_kong"),
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
def facts(rule: str, options: Options) -> Sequence[Fact]:
    def paid_by_feeder(round: Round, win: Win) -> int:
        """1 when the feeder of a direct kong pays for the win on its replacement alone (点杠花当点炮)."""
        return int(options.dian_gang_hua == "dianpao" and feeder(round, win) is not None)

    return Fact("void_tiles", void_tiles), Fact("paid_by_feeder", paid_by_feeder)


def void_tiles(round: Round, win: Win) -> int:
    """Mask of the winner's missing suit (定缺); 0 where none is named."""
    void = round.players[win.seat].void
    return 0 if void is None else 0x1FF << 9 * SUITS.index(void)


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return product.fan_table(options) if options.table == "product" else fan_table(options)


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return product.columns(options) if options.table == "product" else ()


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    # The greatest reading is the dearest for every payer: caps and added bases do not turn the order.
    return Scoring("product" if options.table == "product" else "sum", valid=legal)


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
