"""Facts of a round that contradict each other at any table. Rule sets put those that they want into their checks.

Each function answers with the faults that it finds; none knows a rule set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from mjsettle.errors import Fault
from mjsettle.handtext import read_written
from mjsettle.rounds import Event, Player, Round
from mjsettle.tiles import (
    CODES,
    FIRST_FLOWER,
    JOKER,
    KIND_OF,
    NAMES,
    overdrawn,
    packed_counts,
    packed_room,
    parse_tiles,
)

ENDINGS: Final = ("win", "flower_win", "exhaustive_draw", "abortive_draw")
"""Event types that end a round where one win ends it."""

KONGS: Final = ("kong", "added_kong", "concealed_kong")
"""The kinds of kong events that the wire names for every rule set."""


def one_ending(round: Round, endings: Sequence[str] = ENDINGS, claims: Sequence[str] = ()) -> Iterator[Fault]:
    """Nothing happens after a round has ended, but further winners of the tile; false wins may come at any time.

    claims: as in Rule.
    """
    over: Event | None = None
    winners: set[int | None] = set()
    for index, event in enumerate(round.events):
        if event.type == "false_win":
            continue
        if over is None:
            over = event if event.type in endings else None
        elif not _same_tile(over, event, claims):
            message = f"{event.type} after the {over.type} that ended the round; leave it out or put it before"
            yield Fault("contradictory", f"events[{index}]", message)
            continue
        if event.type == "win":
            if event.seat in winners:
                yield Fault("contradictory", f"events[{index}].seat", f"seat {event.seat} wins the same tile twice")
            winners.add(event.seat)


def _same_tile(first: Event, event: Event, claims: Sequence[str]) -> bool:
    both = first.type == event.type == "win" and (event.from_, event.tile) == (first.from_, first.tile)
    return both and (event.from_ is not None or any(word in event.how and word in first.how for word in claims))


def won_on_kongs(round: Round) -> Iterator[Fault]:
    """Wins on a kong's replacement or on a robbed tile: what `drawn_after_kongs` and `robbed_not_held` find."""
    yield from drawn_after_kongs(round)
    yield from robbed_not_held(round)


def drawn_after_kongs(round: Round) -> Iterator[Fault]:
    """A win on a kong's replacement needs a kong of the winner, among melds or events; two for `kong_on_kong`."""
    for index, event in _wins(round):
        player, where = round.players[event.seat or 0], f"events[{index}].how"
        told = sum(kong.type == "kong" and kong.seat == event.seat for kong in round.events[:index])
        kongs = max(told, sum(meld.kind.endswith("kong") for meld in player.melds))
        for word, least in (("kong_draw", 1), ("kong_on_kong", 2)):
            if word in event.how and kongs < least:
                message = f"{word} with {kongs} kongs among the winner's melds and events; it takes {least} or more"
                yield Fault("contradictory", where, message)


def robbed_not_held(round: Round, shown: bool = False) -> Iterator[Fault]:
    """The winner holds none of a robbed kong: all four of its tiles lie with the robbed seat.

    shown: only where a kong event or the robbed seat's melds show the kong, not where the word alone tells of it.
    """
    for index, event in _wins(round):
        if "rob_kong" in event.how and event.tile in CODES:
            kind = KIND_OF[CODES[event.tile]]
            if shown and not _shows_kong(round, index, event.from_, kind):
                continue
            if kind < FIRST_FLOWER and kind in _kinds_of(round.players[event.seat or 0]):
                where = f"events[{index}].how"
                message = f"the kong of {NAMES[kind]} has all four, yet the winner holds one; drop rob_kong or the tile"
                yield Fault("contradictory", where, message)


def _shows_kong(round: Round, before: int, seat: int | None, kind: int) -> bool:
    """Whether a seat has konged a kind before this event, or shows three of it or more among its melds."""
    konged = any(
        kong.type == "kong" and kong.seat == seat and kong.tile in CODES and KIND_OF[CODES[kong.tile]] == kind
        for kong in round.events[:before]
    )
    melds = round.players[seat].melds if seat is not None else ()
    return konged or any({KIND_OF[code] for code in parse_tiles(meld.tiles)} == {kind} for meld in melds)


def _kinds_of(player: Player) -> set[int]:
    texts = [player.hand or "", *(meld.tiles for meld in player.melds)]
    return {KIND_OF[code] for text in texts for code in parse_tiles(text)}


def added_kongs_robbed(round: Round) -> Iterator[Fault]:
    """A kong of the winning tile by the robbed seat is an added one; a round need not list it."""
    for index, event in _wins(round):
        if "rob_kong" not in event.how or event.tile not in CODES:
            continue
        kind = KIND_OF[CODES[event.tile]]
        for kong in reversed(round.events[:index]):
            of_it = kong.tile in CODES and KIND_OF[CODES[kong.tile]] == kind
            if kong.type == "kong" and kong.seat == event.from_ and of_it:
                if kong.kind != "added_kong":
                    message = f"found a win on the tile of a {kong.kind}; only added kongs are robbed"
                    yield Fault("not_allowed", f"events[{index}].how", message)
                break


def won_at_once(round: Round, by_anyone: bool = False) -> Iterator[Fault]:
    """`first_turn`: nothing has been claimed, the wall is not at its end, nobody has discarded to the dealer.

    A first draw comes before the seat's first discard.

    by_anyone: a claim by any seat, not only by the winner, ends the first turns.
    """
    for index, event in _wins(round):
        where = f"events[{index}].how"
        if "first_turn" not in event.how:
            continue
        if any(meld.kind != "concealed_kong" for meld in round.players[event.seat or 0].melds):
            yield Fault("contradictory", where, "first_turn, yet the winner has claimed a tile; drop one of the two")
        elif by_anyone and (claimed := _claimers(round, index)):
            message = f"first_turn, yet seat {min(claimed)} has claimed a tile; drop one of the two"
            yield Fault("contradictory", where, message)
        if event.seat == round.dealer and event.from_ is not None:
            yield Fault(
                "contradictory", where, "first_turn of the dealer is the dealt hand; leave out `from` or the word"
            )
        if event.from_ is None and round.players[event.seat or 0].discards:
            yield Fault("contradictory", where, "first_turn, yet the winner has discarded before; drop one of the two")
        if "last_tile" in event.how:
            yield Fault("contradictory", where, "first_turn and last_tile exclude each other")


def _claimers(round: Round, index: int) -> set[int]:
    """The seats that show claimed tiles, or have made a kong of them before this event."""
    shown = {
        seat for seat, player in enumerate(round.players) if any(meld.kind != "concealed_kong" for meld in player.melds)
    }
    konged = (kong for kong in round.events[:index] if kong.type == "kong" and kong.kind in ("kong", "added_kong"))
    return shown | {kong.seat for kong in konged if kong.seat is not None}


def known_kongs(round: Round, kinds: Sequence[str] = KONGS) -> Iterator[Fault]:
    """Kong events are of a kind that the rule set plays, and of tiles of which there are four."""
    for index, event in enumerate(round.events):
        if event.type != "kong":
            continue
        if event.kind is not None and event.kind not in kinds:
            message = f"found {event.kind!r}, expected one of {', '.join(kinds)}"
            yield Fault("unknown_kind", f"events[{index}].kind", message)
        if event.tile is not None and FIRST_FLOWER <= CODES.get(event.tile, 0) <= JOKER:
            message = f"found {event.tile}; flowers and jokers are not konged"
            yield Fault("not_in_play", f"events[{index}].tile", message)


def chows_from_the_left(round: Round) -> Iterator[Fault]:
    """A chow is claimed from the seat before one's own."""
    for seat, player in enumerate(round.players):
        left = (seat - 1) % len(round.players)
        for at, meld in enumerate(player.melds):
            if meld.kind == "chow" and meld.from_ not in (None, left):
                message = (
                    f"found a chow claimed from seat {meld.from_}, expected seat {left}, which plays before {seat}"
                )
                yield Fault("not_allowed", f"players[{seat}].melds[{at}].from", message)


def flowers_once(round: Round, in_play: bool) -> Iterator[Fault]:
    """Each flower lies before one seat at most, and before none where flowers are not in play."""
    seen: dict[int, int] = {}
    for seat, player in enumerate(round.players):
        codes = parse_tiles(player.flowers) if player.flowers else []
        if codes and not in_play:
            yield Fault("not_in_play", f"players[{seat}].flowers", "flowers are not in play under these options")
            continue
        for code in codes:
            if seen.setdefault(code, seat) != seat:
                message = f"{NAMES[code]} also lies before seat {seen[code]}; there is one of each flower"
                yield Fault("fifth_copy", f"players[{seat}].flowers", message)


def wilds_allowed(round: Round, allowed: bool) -> Iterator[Fault]:
    """Wild tiles are named only where a switch lets them in; flowers set aside cannot be wild."""
    if round.wild and not allowed:
        yield Fault("not_allowed", "wild", "this rule set plays without wild tiles; set the option wilds to allow them")
    for at, name in enumerate(round.wild):
        if FIRST_FLOWER <= CODES.get(name, 0) < JOKER:
            yield Fault("not_allowed", f"wild[{at}]", f"found {name}; flowers are set aside here and cannot be wild")


def birds_left(round: Round, copies: tuple[int, ...]) -> Iterator[Fault]:
    """Birds are tiles of the set that hands, melds, kongs and winning tiles leave. copies: see `rules.tile_set`."""
    if not round.birds:
        return
    shown = _shown(round)
    if not overdrawn(_room_of(copies), shown + packed_counts(CODES[name] for name in round.birds)):
        return
    for at, name in enumerate(round.birds):
        kind = KIND_OF[CODES[name]]
        shown += 1 << 8 * kind
        seen = shown >> 8 * kind & 255
        if not copies[kind]:
            message = f"found {name}, which is not among the tiles under these options"
            yield Fault("not_in_play", f"birds[{at}]", message)
        elif seen > copies[kind]:
            message = f"found {name}, copy {seen} of what the round shows; there are {copies[kind]}"
            yield Fault("fifth_copy", f"birds[{at}]", message)


_room_of: Final = lru_cache(maxsize=64)(packed_room)


def _shown(round: Round) -> int:
    """What hands, melds, kongs and winning tiles show, as packed counts."""
    melded = [sum([read_written(meld.tiles).held for meld in player.melds]) for player in round.players]
    shown = sum(melded) + sum([read_written(player.hand).held for player in round.players if player.hand])
    won: set[tuple[int | None, str | None]] = set()
    for event in round.events:
        code = CODES.get(event.tile or "")
        if code is None:
            continue
        at = 8 * KIND_OF[code]
        if event.type == "kong" and event.kind in KONGS and event.seat is not None:
            more = max(0, 4 - (melded[event.seat] >> at & 255)) << at
            shown += more
            melded[event.seat] += more
        elif event.type == "win" and "rob_kong" not in event.how and (event.from_, event.tile) not in won:
            shown += 1 << at
            if event.from_ is not None:
                won.add((event.from_, event.tile))
    return shown


def one_liable(round: Round, fans: Sequence[str]) -> Iterator[Fault]:
    """The room names one liable seat for a win, not its winner, and for a fan that exists ("" for the whole win)."""
    for index, event in enumerate(round.events):
        where = f"events[{index}].liable"
        if len({liable.seat for liable in event.liable}) > 1:
            yield Fault("contradictory", where, "several seats are named; one seat pays for a win here")
        for at, liable in enumerate(event.liable):
            if liable.seat == event.seat:
                yield Fault("bad_seat", f"{where}[{at}].seat", f"found seat {liable.seat}, the winner itself")
            if liable.fan and liable.fan not in fans:
                yield Fault(
                    "unknown_fan", f"{where}[{at}].fan", f"found {liable.fan!r}, which is no fan of this rule set"
                )


def nobody_liable(round: Round, hint: str) -> Iterator[Fault]:
    """The room names liable seats only where the rule set has liability; hint: what tells who pays instead."""
    for index, event in enumerate(round.events):
        if event.liable:
            yield Fault("not_allowed", f"events[{index}].liable", f"nobody is liable under these options; {hint}")


def _wins(round: Round) -> Iterator[tuple[int, Event]]:
    """The wins that say how they came about, with their numbers."""
    events = enumerate(round.events)
    return ((at, event) for at, event in events if event.how and event.type == "win" and event.seat is not None)
