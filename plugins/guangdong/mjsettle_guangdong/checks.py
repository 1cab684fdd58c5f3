"""What a Guangdong round must keep to beyond the core's demands (sheet sections 2, 3 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import added_kongs_robbed, birds_left, drawn_after_kongs, won_at_once
from mjsettle.rounds import Event, Player, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, KIND_OF, kinds_of, parse_tiles
from mjsettle_guangdong.horses import horse_count, turns_horses
from mjsettle_guangdong.tiles import tiles_of
from mjsettle_guangdong.wilds import wild_faults, wild_kinds

KONGS: Final = ("kong", "added_kong", "concealed_kong")


def discarded(player: Player) -> list[int]:
    """The kinds that a seat has discarded, in order; empty where the round does not tell."""
    listed = player.discards or []
    codes = parse_tiles(listed) if isinstance(listed, str) else [CODES[name] for name in listed]
    return [KIND_OF[code] for code in codes]


def player_faults(round: Round, options: Options) -> Sequence[Fault]:
    """No chows; wild tiles are not melded, and with the switch off not discarded."""
    wild = wild_kinds(round, options)
    found: list[Fault] = []
    for seat, player in enumerate(round.players):
        where = f"players[{seat}]"
        if player.melds:
            found += _meld_faults(player, wild, where)
        if player.discards:
            found += _discard_faults(player, wild, options, where)
        if player.extra:
            found += _bought_faults(player.extra, options, f"{where}.extra.bought")
    return found


def _meld_faults(player: Player, wild: frozenset[int], where: str) -> Iterator[Fault]:
    for at, meld in enumerate(player.melds):
        if meld.kind == "chow":
            yield Fault("not_allowed", f"{where}.melds[{at}]", "found a chow; this rule set has none")
        elif not wild.isdisjoint(kinds_of(meld.tiles)):
            yield Fault("not_allowed", f"{where}.melds[{at}]", f"found {meld.tiles}; wild tiles are not melded")


def _discard_faults(player: Player, wild: frozenset[int], options: Options, where: str) -> Iterator[Fault]:
    if not options.ghost_discard and wild.intersection(discarded(player)):
        message = "found a wild tile; discarding one is off, set the option ghost_discard to allow it"
        yield Fault("not_allowed", f"{where}.discards", message)


def _bought_faults(extra: dict[str, Any], options: Options, where: str) -> Iterator[Fault]:
    bought = extra.get("bought", [])
    if not isinstance(bought, list) or not all(isinstance(name, str) and name in CODES for name in bought):
        yield Fault("bad_tile", where, f"found {bought!r}, expected a list of tiles such as ['3m', '7z']")
    elif bought and not options.maima:
        yield Fault("not_allowed", where, "found bought horses; set the option maima to play with them")


def event_faults(round: Round, options: Options) -> Sequence[Fault]:
    """Which tiles may be konged, robbed and won, and that the round ends with its first win."""
    wild = wild_kinds(round, options)
    found: list[Fault] = [*added_kongs_robbed(round), *drawn_after_kongs(round)]
    if options.score == "mil":  # elsewhere a win in the first turn brings nothing
        found += won_at_once(round)
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        if event.type == "kong":
            found += _kong_faults(event, wild, where)
        elif event.type == "win":
            found += _win_faults(event, wild, options, where)
            found += _liable_faults(event, where)
    return [*found, *_ending_faults(round.events), *_follow_faults(round.events), *_horse_faults(round, options)]


def _kong_faults(event: Event, wild: frozenset[int], where: str) -> Iterator[Fault]:
    if event.kind not in KONGS:
        yield Fault("unknown_kind", f"{where}.kind", f"found {event.kind!r}, expected one of {', '.join(KONGS)}")
    if event.tile is not None and KIND_OF[CODES[event.tile]] in wild:
        yield Fault("not_allowed", f"{where}.tile", f"found {event.tile}; wild tiles are not konged")


def _win_faults(event: Event, wild: frozenset[int], options: Options, where: str) -> Iterator[Fault]:
    if event.from_ is None or event.tile is None:
        return
    if KIND_OF[CODES[event.tile]] in wild:
        yield Fault("not_allowed", f"{where}.tile", "a discarded wild tile cannot be won")
    elif "rob_kong" not in event.how and not options.chihu:
        yield Fault("not_allowed", f"{where}.from", "wins on a discard are off; set the option chihu to allow them")


def _liable_faults(event: Event, where: str) -> Iterator[Fault]:
    seats = {liable.seat for liable in event.liable}
    if len(seats) > 1:
        yield Fault("contradictory", f"{where}.liable", "found several seats; one seat pays every share")
    if event.seat in seats:
        yield Fault("bad_seat", f"{where}.liable", f"found seat {event.seat}, the winner; expected another seat")


def _ending_faults(events: Sequence[Event]) -> Iterator[Fault]:
    """Nothing follows a win but further wins on the same discard, each by another seat; nor does a draw."""
    ended: Event | None = None
    winners: set[int | None] = set()
    for index, event in enumerate(events):
        if ended is not None and not (
            event.type == ended.type == "win"
            and event.from_ is not None
            and (event.from_, event.tile) == (ended.from_, ended.tile)
            and event.seat not in winners
        ):
            message = f"found {event.type} by {event.seat} after the round had ended with a {ended.type}; leave one out"
            yield Fault("contradictory", f"events[{index}]", message)
        if event.type in ("win", "exhaustive_draw", "abortive_draw"):
            ended = ended or event
            winners.add(event.seat)


def _follow_faults(events: Sequence[Event]) -> Iterator[Fault]:
    """All three follow the dealer's first discard once (§6)."""
    for index in [at for at, event in enumerate(events) if event.type == "follow_dealer"][1:]:
        message = "found a second follow_dealer; the dealer's first discard is followed once"
        yield Fault("contradictory", f"events[{index}]", message)


def _horse_faults(round: Round, options: Options) -> Iterator[Fault]:
    if options.short_wall == "rest":  # the others turn tiles that have been seen before
        yield from birds_left(round, tiles_of(options, len(round.players)))
    if options.short_wall != "reshuffle":
        return
    due = max((_horses_due(round, event, options) for event in round.events if event.type == "win"), default=0)
    if len(round.birds) < due:
        message = f"found {len(round.birds)} horses, expected {due}: the wall is reshuffled when it is short"
        yield Fault("horses_missing", "birds", message)


def _horses_due(round: Round, event: Event, options: Options) -> int:
    if not turns_horses(options, event.from_ is None):
        return 0
    count = horse_count(options, round.streak if event.seat == round.dealer else 0)
    return min(count, 1) if options.one_horse_all else count


def table_faults(round: Round, options: Options) -> Sequence[Fault]:
    """The set of 万 and honours is for two players (§1)."""
    seats = len(round.players)
    if options.tiles != "two" or seats == 2:
        return ()
    return (Fault("contradictory", "options.tiles", f"found two, the 64 tiles of two players, with {seats} players"),)


CHECKS: Final = (
    Check("table", table_faults),
    Check("wild", wild_faults),
    Check("players", player_faults),
    Check("events", event_faults),
)
