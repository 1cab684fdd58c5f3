"""Whether the tiles of a round can be: their numbers, their copies, their kongs, and whether they are in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from mjsettle.errors import NotationError
from mjsettle.tiles import CODES, FIRST_FLOWER, JOKER, KIND_OF, NAMES, overdrawn, parse_tiles

if TYPE_CHECKING:
    from mjsettle.ledger import Win
    from mjsettle.round_parts import ReadRound
    from mjsettle.rounds import Event
    from mjsettle.ruleset import RuleSet

_KONGS: Final = ("kong", "added_kong", "concealed_kong")
"""The kinds of kong events that tell of four equal tiles; rule sets have others (a wild tile laid down alone)."""


def tile_faults(read: ReadRound, ruleset: RuleSet) -> None:
    """Wrong tile counts, tiles that are not in play, more copies than there are, and kongs that cannot be."""
    known = [seat for seat, hand in enumerate(read.hands) if hand is not None or read.melds[seat]]
    before = len(read.faults)
    _count_copies(read, ruleset, known)
    for seat, flowers in enumerate(read.flowers):
        if flowers:
            _flower_faults(read, ruleset.copies, seat, flowers)
    for win in read.wins:
        _winner_faults(read, ruleset, win)
    for event in read.round.events:
        if event.type == "kong":
            told = any(fault.code == "fifth_copy" for fault in read.faults[before:])
            _kong_faults(read, ruleset, None if told else known)
            break


def _count_copies(read: ReadRound, ruleset: RuleSet, known: Sequence[int]) -> None:
    copies, room = ruleset.copies, ruleset.room
    before, all_held = len(read.faults), 0
    for seat in known:
        held = read.held[seat]
        all_held += held
        if overdrawn(room, held):
            _copy_faults(read, held, copies, f"players[{seat}].hand" if read.hands[seat] else f"players[{seat}].melds")
    if len(read.faults) > before:
        return
    if overdrawn(room, all_held):
        for code, count in enumerate(_unpacked(all_held)):
            if count > copies[code]:
                message = f"all seats together hold {count} of {NAMES[code]}; there are {copies[code]}"
                read.fault("fifth_copy", "players", message)
    won = _won_tile(read)
    if won is None or not copies[won] or all_held >> 8 * won & 255 != copies[won]:
        return
    if all(_held(read, seat, won) < copies[won] for seat in {win.seat for win in read.wins}):
        message = f"the winning tile {NAMES[won]} would be copy {copies[won] + 1} of all that the seats hold"
        read.fault("fifth_copy", f"events[{read.wins[0].index}].tile", f"{message}; there are {copies[won]}")


def _unpacked(held: int) -> bytes:
    return held.to_bytes(JOKER + 1, "little")


def _won_tile(read: ReadRound) -> int | None:
    """The kind of the one tile that the round's wins are on, where it lies in nobody's hand or melds; None otherwise.

    The tile of a robbed kong may be listed among its owner's melds. Wins on several tiles are not looked at.
    """
    if not read.wins or any("rob_kong" in win.how for win in read.wins):
        return None
    tiles = {(win.source, KIND_OF[win.tile]) for win in read.wins}
    first = read.wins[0]
    return KIND_OF[first.tile] if len(tiles) == 1 and (len(read.wins) == 1 or first.source is not None) else None


def _held(read: ReadRound, seat: int, kind: int) -> int:
    """How many copies of a kind a seat's hand and melds show."""
    return read.held[seat] >> 8 * kind & 255


def _winner_faults(read: ReadRound, ruleset: RuleSet, win: Win) -> None:
    hand, melds, copies = read.hands[win.seat], read.melds[win.seat], ruleset.copies
    if hand is None:
        read.fault("hand_unknown", f"players[{win.seat}].hand", "missing; the hand of a winner must be known")
        return
    expected = ruleset.hand_size - 3 * len(melds)
    unreadable = not hand.codes and (read.round.players[win.seat].hand or "").strip()
    if len(hand.codes) != expected and not unreadable and len(melds) == len(read.round.players[win.seat].melds):
        found = f"{len(hand.codes)} tiles beside {_melds(len(melds))}"
        message = f"found {found}, expected {expected} (without the winning tile)"
        read.fault("tile_count", f"players[{win.seat}].hand", message)
    kind = KIND_OF[win.tile]
    held = _held(read, win.seat, kind)
    if not copies[kind]:
        read.fault("not_in_play", f"events[{win.index}].tile", f"{NAMES[win.tile]} is not in this tile set")
    elif held >= copies[kind]:
        message = f"the winning tile {NAMES[win.tile]} would be copy {held + 1}; there are {copies[kind]}"
        read.fault("fifth_copy", f"events[{win.index}].tile", message)


def _melds(count: int) -> str:
    return "1 meld" if count == 1 else f"{count} melds"


def _copy_faults(read: ReadRound, held: int, copies: tuple[int, ...], where: str) -> None:
    for code, count in enumerate(_unpacked(held)):
        if count > copies[code]:
            if copies[code]:
                read.fault("fifth_copy", where, f"found {count} of {NAMES[code]}; there are {copies[code]}")
            else:
                read.fault("not_in_play", where, f"{NAMES[code]} is not in this rule set's tiles under these options")


def _flower_faults(read: ReadRound, copies: tuple[int, ...], seat: int, flowers: int) -> None:
    for code in range(FIRST_FLOWER, JOKER):
        if flowers >> (code - FIRST_FLOWER) & 1 and not copies[code]:
            where = f"players[{seat}].flowers"
            read.fault("not_in_play", where, f"{NAMES[code]} is not in this rule set's tiles under these options")


def _kong_faults(read: ReadRound, ruleset: RuleSet, known: Sequence[int] | None) -> None:
    """Kongs of one kind twice, more of them than a hand has sets, and copies of their tiles that others show.

    A kong event need not have its meld, and a robbed kong is none. known: the seats whose tiles are compared; None
    where tiles have faults of their own already.
    """
    copies, most = ruleset.copies, ruleset.hand_size // 3
    by_seat: Counter[int] = Counter()
    by_kind: Counter[int] = Counter()
    for index, event in enumerate(read.round.events):
        if event.type != "kong" or event.kind not in _KONGS or index in read.robbed:
            continue
        if event.seat is None or event.seat >= len(read.round.players):  # it has its fault already
            continue
        by_seat[event.seat] += 1
        if by_seat[event.seat] == most + 1:
            message = f"found {most + 1} kongs of seat {event.seat}; a hand has {most} sets, leave out what is none"
            read.fault("contradictory", f"events[{index}].seat", message)
        if event.tile not in CODES or copies[kind := KIND_OF[CODES[event.tile]]] < 4:
            continue
        _meld_contradiction(read, event, index, kind)
        by_kind[kind] += 1
        if 4 * by_kind[kind] > copies[kind]:
            message = f"{NAMES[kind]} is konged again; there are {copies[kind]}, leave out the kong that is none"
            read.fault("contradictory", f"events[{index}].tile", message)
        elif known is not None:
            _kong_copies(read, event, index, kind, copies[kind], known)


def _meld_contradiction(read: ReadRound, event: Event, index: int, kind: int) -> None:
    """Whether the seat's own meld of these tiles tells another feeder, or a claim where the event tells none."""
    for meld in read.round.players[event.seat or 0].melds:
        with suppress(NotationError):
            kinds = {KIND_OF[code] for code in parse_tiles(meld.tiles)}
            if kinds != {kind} or meld.kind not in _KONGS:
                continue
            if "concealed_kong" in (meld.kind, event.kind) and meld.kind != event.kind:
                message = f"found a {event.kind}, but the seat's meld of {NAMES[kind]} is a {meld.kind}"
                read.fault("contradictory", f"events[{index}].kind", message)
            elif (
                event.kind == meld.kind == "kong"
                and None not in (event.from_, meld.from_)
                and event.from_ != meld.from_
            ):
                message = f"found seat {event.from_}, but the seat's meld of {NAMES[kind]} is from seat {meld.from_}"
                read.fault("contradictory", f"events[{index}].from", message)


def _kong_copies(read: ReadRound, event: Event, index: int, kind: int, copies: int, known: Sequence[int]) -> None:
    """Whether other hands, other melds or a winning tile show a copy of what lies in a kong."""
    shown = sum(_held(read, seat, kind) for seat in known if seat != event.seat)
    shown += any(KIND_OF[win.tile] == kind for win in read.wins)
    if shown + 4 > copies:
        message = f"the kong has four of {NAMES[kind]}, others or a win show {shown} more; there are {copies}"
        read.fault("fifth_copy", f"events[{index}].tile", message)
