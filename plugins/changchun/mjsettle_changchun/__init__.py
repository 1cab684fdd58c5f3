"""Changchun mahjong (长春麻将) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import ORPHANS
from mjsettle.errors import Fault
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, Fact, Payments, Rule
from mjsettle.substitutes import Substitutes
from mjsettle.tiles import CODES, JOKER, KIND_OF, parse_tiles
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard
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
    meld_kinds=("chow", "pung", "kong", "added_kong", "concealed_kong", "mixed_kong"),
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
    return (Check("treasure", round_faults),)


def round_faults(round: Round, options: Options) -> Sequence[Fault]:
    """No wild tiles but the treasure, which somebody ready must have seen; special kongs of terminals or honours."""
    found = []
    if round.wild:
        message = f"found {', '.join(round.wild)}; name the treasure in `treasure`, it is wild for ready seats only"
        found.append(Fault("not_allowed", "wild", message))
    if round.treasure is not None and KIND_OF[CODES[round.treasure]] >= 34:
        found.append(Fault("not_in_play", "treasure", f"found {round.treasure}; flowers and jokers are not in play"))
    if round.treasure is not None and not any(READY in player.flags for player in round.players):
        found.append(Fault("contradictory", "treasure", "nobody has declared ready, so no treasure was turned"))
    for seat, player in enumerate(round.players):
        if UNSEEN in player.flags and READY not in player.flags:
            message = "treasure_unseen without ready: only ready seats see it anyway; leave it out"
            found.append(Fault("contradictory", f"players[{seat}].flags", message))
        for at, meld in enumerate(player.melds):
            kinds = {KIND_OF[code] for code in parse_tiles(meld.tiles)} if meld.kind == "mixed_kong" else set()
            if any(not ORPHANS >> kind & 1 for kind in kinds):
                message = f"found {meld.tiles}; a special kong is of ones, nines, winds or dragons"
                found.append(Fault("bad_meld", f"players[{seat}].melds[{at}]", message))
    for index, event in enumerate(round.events):
        if event.type == "kong" and event.kind == "mixed_kong" and not (event.tile or event.tiles):
            found.append(Fault("missing", f"events[{index}].tiles", "missing; name the tiles of a special kong"))
    return found
