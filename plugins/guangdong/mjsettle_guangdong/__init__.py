"""Guangdong mahjong (推倒胡, 鸡平胡, MIL 2023) for mjsettle. Sections (§) are those of the rule sheet in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mjsettle.columns import Col, Column
from mjsettle.errors import Fault
from mjsettle.fans import Fan, Scoring
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Win
from mjsettle.options import Option, Options
from mjsettle.rounds import Round
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule, tile_set
from mjsettle.tiles import CODES, KIND_OF, parse_tiles
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, shapeless, standard, thirteen_orphans

from mjsettle_guangdong import fans as pages
from mjsettle_guangdong.options import OPTIONS, PRESETS
from mjsettle_guangdong.payments import BONUSES, END_OF_ROUND, PAYMENTS

NAME: Final = "guangdong"


def _tiles(options: Options, seats: int) -> tuple[int, ...]:
    flowers = {"hua4": 4, "hua8": 8}.get(options.ghost, 0)
    if options.tiles == "no_honours":
        return tile_set("mps", honours="", flowers=flowers)
    if options.tiles == "no_characters":
        return tile_set("ps", flowers=flowers)
    if options.tiles == "two":
        return tile_set("m", flowers=flowers)
    return tile_set("mps", flowers=flowers)


RULE: Final = Rule(
    NAME,
    "广东麻将",
    "Guangdong mahjong",
    editions=("2026.1",),
    sources=(
        "MIL 广东麻将(推广) 2023 rulebook",
        "guogeer/gofishing-game guangdong.go, chaoshan.go",
        "lianhuaguangdongmahjong tests and legacy rules",
        "网狐 rule page 99.html",
        "a Java 推倒胡 server; a 100-room option list",
    ),
    presets=PRESETS,
    default_preset="gd_tdh_room",
    seats=(4, 3, 2),
    tiles=_tiles,
    events=("win", "kong", "exhaustive_draw", "abortive_draw", "follow_dealer"),
)


@hookimpl
def rule_sets() -> Sequence[Rule]:
    return (RULE,)


@hookimpl
def options(rule: str) -> Sequence[Option]:
    return OPTIONS


@hookimpl
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:
    found = [standard()]
    if options.qidui:
        found.append(pairs())
    if options.shisanyao:
        found.append(thirteen_orphans())
    if options.four_ghost:
        found.append(shapeless("four_ghosts", "四鬼胡", "four wild tiles", four_ghosts_won))
    return found


def four_ghosts_won(self_draw: Col, holds_four_ghosts: Col, in_time: Col) -> Col:
    """Four wild tiles held, self-drawn; before the owner's first discard where the switch says so (§3)."""
    return (self_draw == 1) & holds_four_ghosts & (in_time == 1)


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy:
    # §8: a fifth copy among the concealed tiles is impossible, copies in own melds do not forbid it.
    return WildPolicy(fifth_copy="concealed" if options.score == "mil" else "allowed")


@hookimpl
def columns(rule: str, options: Options) -> Sequence[Column]:
    return pages.COLUMNS


@hookimpl
def facts(rule: str, options: Options) -> Sequence[Fact]:
    def in_time(round: Round, win: Win) -> int:
        """1 unless four ghosts win before the first own discard only and the winner has discarded."""
        return int(not options.four_ghost_first_only or not round.players[win.seat].discards)

    return Fact("in_time", in_time), Fact("ghosts_discarded", ghosts_discarded)


def ghosts_discarded(round: Round, win: Win) -> int:
    """How many wild tiles the winner has discarded."""
    discards = round.players[win.seat].discards or []
    codes = parse_tiles(discards) if isinstance(discards, str) else [CODES[name] for name in discards]
    wild = {KIND_OF[CODES[name]] for name in round.wild}
    return sum(KIND_OF[code] in wild for code in codes)


@hookimpl
def fans(rule: str, options: Options) -> Sequence[Fan]:
    tables = {"room": pages.room_fans, "pattern": pages.pattern_fans, "mil": pages.rulebook_fans}
    return tables[options.score](options)


@hookimpl
def scoring(rule: str, options: Options) -> Scoring:
    if options.score == "pattern":
        return Scoring("highest")
    if options.score == "room":
        return Scoring("product")

    def basic_points(total: Any, coefficient: Any) -> Any:
        return total * coefficient

    def enough(total: Any, coefficient: Any) -> Any:
        return (total >= options.min_fan) & (total * coefficient >= options.min_points)

    return Scoring("sum", qualifies=enough, score=basic_points)


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
    return (Check("claims", claim_faults),)


def claim_faults(round: Round, options: Options) -> Sequence[Fault]:
    """No chows; wild tiles are neither claimed nor konged nor won; discards are won only where 吃胡 is on (§2, §3)."""
    found = []
    wild = {KIND_OF[CODES[name]] for name in round.wild}
    for seat, player in enumerate(round.players):
        for at, meld in enumerate(player.melds):
            where = f"players[{seat}].melds[{at}]"
            if meld.kind == "chow":
                found.append(Fault("not_allowed", where, "found a chow; this rule set has none"))
            elif any(KIND_OF[code] in wild for code in parse_tiles(meld.tiles)):
                found.append(Fault("not_allowed", where, f"found {meld.tiles}; wild tiles are not melded"))
    for index, event in enumerate(round.events):
        if event.type != "win" or event.from_ is None or event.tile is None:
            continue
        if KIND_OF[CODES[event.tile]] in wild:
            found.append(Fault("not_allowed", f"events[{index}].tile", "a discarded wild tile cannot be won"))
        elif "rob_kong" not in event.how and not options.chihu:
            message = "wins on a discard are off; set the option chihu to allow them"
            found.append(Fault("not_allowed", f"events[{index}].from", message))
    return found
