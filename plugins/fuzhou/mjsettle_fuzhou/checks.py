"""What a Fuzhou round must keep to beyond the core's demands (sheet sections 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import nobody_liable, one_ending, won_at_once
from mjsettle.rounds import Event, Player, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, FIRST_FLOWER, KIND_OF, NAMES, parse_tiles
from mjsettle_fuzhou.tiles import GOLDS_IN_PLAY, gold_kinds, gold_of

ROB_GOLD: Final = "rob_gold"
KONGS: Final = ("kong", "added_kong", "concealed_kong")


def faults(round: Round, options: Options) -> Sequence[Fault]:
    """Everything that contradicts itself or that the switches do not let in."""
    found = [*_gold_faults(round, options)]
    if found:
        return found
    return [
        *one_ending(round, claims=(ROB_GOLD,)),
        *won_at_once(round),
        *nobody_liable(round, "all three pay the same"),
        *_flower_faults(round, options),
        *_meld_faults(round),
        *_event_faults(round, options),
        *_copy_faults(round),
        *_discard_faults(round, options),
        *_flag_faults(round, options),
    ]


def _gold_faults(round: Round, options: Options) -> Iterator[Fault]:
    """One kind of gold, which is no flower; a turned tile is the gold."""
    turned = round.indicator[:1] if isinstance(round.indicator, list) else [round.indicator] if round.indicator else []
    for where, names in (("wild", list(round.wild)), ("indicator", turned)):
        for name in names:
            try:
                gold_of(name, options)
            except ValueError as error:
                yield Fault("not_allowed", where, str(error))
    if len(gold_kinds(round)) > 1:
        yield Fault("not_allowed", "wild", f"found {' '.join(round.wild)}, expected one kind of gold")
    elif turned and round.wild and {KIND_OF[CODES[turned[0]]]} != gold_kinds(round):
        yield Fault("contradictory", "wild", f"found {round.wild[0]}, but {turned[0]} was turned, which is the gold")


def _flower_faults(round: Round, options: Options) -> Iterator[Fault]:
    """1f-8f are there once, and not at all where winds and 中 are the only flowers."""
    seen: dict[int, int] = {}
    for seat, player in enumerate(round.players):
        where = f"players[{seat}].flowers"
        for code in parse_tiles(player.flowers or ""):
            if code < FIRST_FLOWER:
                continue
            if options.short_flowers:
                yield Fault("not_in_play", where, f"found {NAMES[code]}; winds and 中 are the only flowers here")
            elif seen.setdefault(code, seat) != seat:
                message = f"{NAMES[code]} also lies before seat {seen[code]}; there is one of each flower"
                yield Fault("fifth_copy", where, message)


def _meld_faults(round: Round) -> Iterator[Fault]:
    gold = gold_kinds(round)
    for seat, player in enumerate(round.players):
        for at, meld in enumerate(player.melds):
            if gold.intersection(KIND_OF[code] for code in parse_tiles(meld.tiles)):
                yield Fault("not_allowed", f"players[{seat}].melds[{at}]", f"found {meld.tiles}; golds are not melded")


def _event_faults(round: Round, options: Options) -> Iterator[Fault]:
    gold = gold_kinds(round)
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        if event.type == "kong":
            if event.kind not in KONGS:
                yield Fault(
                    "unknown_kind", f"{where}.kind", f"found {event.kind!r}, expected one of {', '.join(KONGS)}"
                )
            if event.tile is not None and KIND_OF[CODES[event.tile]] in gold:
                yield Fault("not_allowed", f"{where}.tile", f"found {event.tile}; golds are not konged")
        elif event.type == "wild_discard" and event.seat is None:
            yield Fault("missing", f"{where}.seat", "missing; a wild_discard event needs seat")
        elif event.type == "win":
            yield from _win_faults(round, event, gold, where)
            if event.from_ is not None and KIND_OF[CODES[event.tile or ""]] in gold and not options.gold_discard:
                message = f"found {event.tile}; golds are not discarded, set the option gold_discard to allow it"
                yield Fault("not_allowed", f"{where}.tile", message)


def _win_faults(round: Round, event: Event, gold: frozenset[int], where: str) -> Iterator[Fault]:
    if ROB_GOLD not in event.how:
        return
    if event.from_ is not None:
        yield Fault(
            "contradictory", f"{where}.from", f"{ROB_GOLD} takes the turned gold, which nobody fed; leave it out"
        )
    if KIND_OF[CODES[event.tile or ""]] not in gold:
        message = f"{ROB_GOLD} is won on the gold; found {event.tile}, which is not named in `wild`"
        yield Fault("contradictory", f"{where}.tile", message)
    if len(event.how) > 1:
        yield Fault(
            "contradictory", f"{where}.how", f"{ROB_GOLD} comes before the first draw; leave out the other words"
        )
    if round.players[event.seat or 0].melds:
        message = f"{ROB_GOLD} comes before anything can be melded, yet the winner has melds; drop one of the two"
        yield Fault("contradictory", f"{where}.how", message)


def _copy_faults(round: Round) -> Iterator[Fault]:
    """Three golds are in play, the turned one is not; only 抢金 takes it."""
    gold = gold_kinds(round)
    held = sum(KIND_OF[code] in gold for player in round.players for code in parse_tiles(player.hand or ""))
    wins = [event for event in round.events if event.type == "win"]
    won = wins[:1] if wins and ROB_GOLD not in wins[0].how else []
    held += sum(event.tile is not None and KIND_OF[CODES[event.tile]] in gold for event in won)
    held += sum(event.type == "wild_discard" for event in round.events)
    if held > GOLDS_IN_PLAY:
        yield Fault("fifth_copy", "players", f"found {held} golds; the turned one is out, {GOLDS_IN_PLAY} are in play")


def _discard_faults(round: Round, options: Options) -> Iterator[Fault]:
    """Golds are not discarded; where they are (闲金), their discarder wins by self-draw only."""
    gold = gold_kinds(round)
    for seat, player in enumerate(round.players):
        by_event = any(event.type == "wild_discard" and event.seat == seat for event in round.events)
        if not by_event and not gold.intersection(_discarded(player)):
            continue
        where = "events" if by_event else f"players[{seat}].discards"
        if not options.gold_discard:
            message = f"seat {seat} has discarded a gold; set the option gold_discard to allow it"
            yield Fault("not_allowed", where, message)
        for index, event in enumerate(round.events):
            if event.type == "win" and event.seat == seat and event.from_ is not None and options.gold_discard:
                message = f"seat {seat} has discarded a gold and may win by self-draw only"
                yield Fault("not_allowed", f"events[{index}].from", message)


def _discarded(player: Player) -> list[int]:
    listed = player.discards or []
    codes = parse_tiles(listed) if isinstance(listed, str) else [CODES[name] for name in listed]
    return [KIND_OF[code] for code in codes]


def _flag_faults(round: Round, options: Options) -> Iterator[Fault]:
    for seat, player in enumerate(round.players):
        if player.flags and not options.heavenly_ready:
            message = "天听 is off; set the option heavenly_ready to its value to play with it"
            yield Fault("not_allowed", f"players[{seat}].flags", message)
        elif player.flags and any(meld.kind != "concealed_kong" for meld in player.melds):
            message = "heavenly_ready locks the starting hand, yet the seat has claimed a tile; drop one of the two"
            yield Fault("contradictory", f"players[{seat}].flags", message)


CHECKS: Final = (Check("fuzhou", faults),)
