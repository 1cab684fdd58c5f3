"""Hands told by their changes: `hand_delta` events, folded into the hand that they lead to.

A room may send a seat's hand as it was at some time and then what came and went,
``{"type": "hand_delta", "seat": 2, "add": "3m", "remove": "5p"}``, instead of the hand at the end. The round is folded
before anything else is asked: rule sets see the hand at the end and no such event, so nothing can depend on how it was
told. Hence the numbers of events in a result count the events without them, while faults name the event as sent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import msgspec

from mjsettle.errors import Fault, NotationError
from mjsettle.rounds import Event, Round
from mjsettle.tiles import format_tiles, parse_tiles

HAND_DELTA: Final = "hand_delta"
_EVENT: Final = re.compile(r"\Aevents\[(\d+)\]")
_OF_TILES: Final = ("tile_count", "fifth_copy", "hand_unknown")
_FIELDS: Final = ("type", "seat", "add", "remove")
_DEFAULTS: Final = Event(HAND_DELTA)


class Folded(NamedTuple):
    """A round without `hand_delta` events.

    numbers: for each event left its number among those that were sent. faults: what is wrong with the changes, in the
    numbering of the round as sent. spoiled: the seats whose hand is not known for it.
    """

    round: Round
    numbers: tuple[int, ...]
    faults: tuple[Fault, ...]
    spoiled: frozenset[int]

    def as_sent(self, faults: Sequence[Fault]) -> list[Fault]:
        """Faults of the folded round, with the events numbered as they were sent.

        Left out is what the tiles of a hand whose changes are at fault would be blamed for.
        """
        hands = {f"players[{seat}].hand" for seat in self.spoiled}
        return [
            replace(fault, field=self._as_sent(fault.field))
            for fault in faults
            if fault.field not in hands or fault.code not in _OF_TILES
        ]

    def _as_sent(self, field: str) -> str:
        found = _EVENT.match(field)
        if found is None or int(found[1]) >= len(self.numbers):
            return field
        return f"events[{self.numbers[int(found[1])]}]{field[found.end() :]}"


def has_deltas(round: Round) -> bool:
    """Whether a round tells any hand by its changes."""
    return any(event.type == HAND_DELTA for event in round.events)


def fold(round: Round) -> Folded:
    """Apply the changes of every hand, in the order of the events. Nothing is raised; every fault is listed."""
    faults: list[Fault] = []
    hands: dict[int, list[int] | None] = {}
    spoiled: set[int] = set()
    kept: list[int] = []
    for number, event in enumerate(round.events):
        if event.type != HAND_DELTA:
            kept.append(number)
            continue
        before = len(faults)
        _stray_fields(event, number, faults)
        seat = _seat(round, event, number, faults)
        if seat is None:
            continue
        if seat not in hands:
            hands[seat] = _hand_of(round, seat, faults)
        _apply(hands[seat], event, number, faults)
        if len(faults) > before:
            spoiled.add(seat)
    players = list(round.players)
    for seat, codes in hands.items():
        if codes is not None:
            players[seat] = msgspec.structs.replace(players[seat], hand=format_tiles(codes))
    events = [round.events[number] for number in kept]
    folded = msgspec.structs.replace(round, players=players, events=events)
    return Folded(folded, tuple(kept), tuple(faults), frozenset(spoiled))


def _stray_fields(event: Event, number: int, faults: list[Fault]) -> None:
    for field in msgspec.structs.fields(Event):
        name = field.encode_name
        if name not in _FIELDS and getattr(event, field.name) != getattr(_DEFAULTS, field.name):
            message = f"a {HAND_DELTA} has seat, add and remove only; leave out {name}"
            faults.append(Fault("unknown_field", f"events[{number}].{name}", message))
    if not event.add and not event.remove:
        message = f"missing; a {HAND_DELTA} names the tiles it adds, those it removes, or both"
        faults.append(Fault("missing", f"events[{number}].add", message))


def _seat(round: Round, event: Event, number: int, faults: list[Fault]) -> int | None:
    where = f"events[{number}].seat"
    if event.seat is None:
        faults.append(Fault("missing", where, f"missing; a {HAND_DELTA} event needs seat"))
    elif event.seat >= len(round.players):
        faults.append(Fault("bad_seat", where, f"found seat {event.seat}, expected 0..{len(round.players) - 1}"))
    else:
        return event.seat
    return None


def _hand_of(round: Round, seat: int, faults: list[Fault]) -> list[int] | None:
    """The hand that the first change starts from; None where it is missing or cannot be read."""
    hand = round.players[seat].hand
    if hand is None:
        message = f"missing; a {HAND_DELTA} changes the hand that the player has here"
        faults.append(Fault("hand_unknown", f"players[{seat}].hand", message))
        return None
    try:
        return parse_tiles(hand)
    except NotationError:
        return None  # found where hands are read


def _apply(hand: list[int] | None, event: Event, number: int, faults: list[Fault]) -> None:
    """Add the event's tiles, then take away those that it removes: a tile drawn may be discarded at once."""
    added = _tiles(event.add, f"events[{number}].add", faults)
    removed = _tiles(event.remove, f"events[{number}].remove", faults)
    if hand is None:
        return
    hand += added
    missing = []
    for code in removed:
        if code in hand:
            hand.remove(code)
        else:
            missing.append(code)
    if missing:
        held = format_tiles(hand) or "nothing else"
        message = f"{format_tiles(missing)} is not held; the hand has {held} at this point, tiles added here included"
        faults.append(Fault("not_held", f"events[{number}].remove", message))


def _tiles(text: str, where: str, faults: list[Fault]) -> list[int]:
    try:
        return parse_tiles(text)
    except NotationError as error:
        faults.append(Fault("bad_tile", where, str(error)))
        return []


def folded_wire(round: dict[str, object]) -> dict[str, object]:
    """A wire round as people want to see it: with the hands at the end in place of their changes.

    A round that cannot be read is answered as it is.
    """
    try:
        record = msgspec.convert(round, Round)
    except msgspec.ValidationError:
        return round
    if not has_deltas(record):
        return round
    found: dict[str, object] = msgspec.to_builtins(fold(record).round)
    return found


__all__ = ["HAND_DELTA", "Folded", "fold", "folded_wire", "has_deltas"]
