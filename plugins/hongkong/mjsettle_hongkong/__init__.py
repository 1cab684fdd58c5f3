"""Hong Kong old style mahjong (港式舊章) for mjsettle. Sections (§) are those of the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mjsettle.columns import Column, smaller
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, Fact, Payments, Rule, tile_set
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard, thirteen_orphans
from mjsettle_hongkong import fans as pages
from mjsettle_hongkong.checks import CHECKS
from mjsettle_hongkong.options import OPTIONS, PRESETS
from mjsettle_hongkong.payments import BONUSES, PAYMENTS
from mjsettle_hongkong.table import all_fans

NAME: Final = "hongkong"


def _tiles(options: Options, seats: int) -> tuple[int, ...]:
    return tile_set(flowers=8 if options.flowers else 0, jokers=8 if options.wilds else 0)


RULE: Final = Rule(
    NAME,
    "香港麻將",
    "Hong Kong mahjong, old style",
    editions=("2026.1",),
    sources=(
        "Chinese and Cantonese Wikipedia: 香港麻將 / 廣東麻將 tables",
        "wikidot Hong Kong mahjong guide",
        "HKMA/GGHK competition rulebook 2023",
        "Alan Kwan, Hong Kong Old Style",
        "English Wikipedia: Hong Kong mahjong scoring rules",
        "yawnoc/mahjong-scorer (payments); HSKPeter/hk-mahjong-hand-calculation; Mummyz calculator corpus (faan)",
    ),
    presets=PRESETS,
    default_preset="street",
    tiles=_tiles,
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "flower_win", "false_win"),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    # §2: seven pairs win only where a switch gives them faan.
    optional = [pairs()] if options.seven_pairs_faan is not None else []
    return [standard(), thirteen_orphans(), *optional]


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    return WildPolicy()


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    return (Fact("from_dealer", from_dealer),)


def from_dealer(round: Round, win: Win) -> int:
    """1 when the winning tile is the dealer's discard."""
    return int(win.source == round.dealer and "rob_kong" not in win.how)


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    found = [Column("nine_gates_shape", pages.nine_gates)]
    if options.flowers:
        series = int(options.table_of_flowers_faan)

        def series_faan(flowers: Any) -> Any:
            """Faan of one complete series of flowers, by the switch."""
            return flowers * 0 + series

        found += [Column("series_faan", series_faan), Column("bonus_tile_faan", pages.bonus_tile_faan)]
    return found


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    return all_fans(options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    """Faan add up and are cut by the cap; the minimum is asked of the uncut sum, bonus tiles as a switch says (§2)."""
    cap, least = options.cap, int(options.min_faan)

    def capped(sum_of_fans: Any) -> Any:
        """The sum of the faan, cut by the cap."""
        return sum_of_fans if cap is None else smaller(sum_of_fans, cap)

    def with_bonus_tiles(sum_of_fans: Any) -> Any:
        return sum_of_fans >= least

    def without_bonus_tiles(sum_of_fans: Any, bonus_tile_faan: Any) -> Any:
        return sum_of_fans - bonus_tile_faan >= least

    def greatest_sum(sum_of_fans: Any) -> Any:
        return sum_of_fans

    enough = with_bonus_tiles if options.bonus_counts_toward_minimum or not options.flowers else without_bonus_tiles
    return Scoring(capped, qualifies=enough, prefer=greatest_sum)


@hookimpl
def payments(rule: str, options: Options) -> Payments:
    return PAYMENTS


@hookimpl
def bonuses(rule: str, options: Options) -> Sequence[Bonus]:
    return BONUSES


@hookimpl
def checks(rule: str, options: Options) -> Sequence[Check]:
    return CHECKS
