"""Whether the tiles of a round can be: their numbers, their copies, and whether they are in play at all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from mjsettle.errors import NotationError
from mjsettle.hands import meld_columns, parse_meld
from mjsettle.handtext import suit_tiles
from mjsettle.tiles import KIND_OF, NAMES, RED_FIVES, parse_tiles

if TYPE_CHECKING:
    from mjsettle.checks import ReadRound
    from mjsettle.ledger import Win
    from mjsettle.ruleset import RuleSet

_FIVES: Final = frozenset(KIND_OF[code] for code in RED_FIVES)


def tile_faults(read: ReadRound, ruleset: RuleSet) -> None:
    """Wrong tile counts, tiles that are not in play, and more copies than there are."""
    known = [seat for seat, hand in enumerate(read.hands) if hand is not None or read.melds[seat]]
    if len(known) > 1 or not all(_plainly_possible(read, ruleset, seat) for seat in known):
        _count_copies(read, ruleset.copies, known)
    for win in read.wins:
        _winner_faults(read, ruleset, win)


def _plainly_possible(read: ReadRound, ruleset: RuleSet, seat: int) -> bool:
    """Whether masks tell that a seat's tiles are in play and no kind is there five times; False: count to know."""
    hand = read.hands[seat]
    if not ruleset.four_of_each or hand is None or hand.keys is None or read.substitutes is not None:
        return False
    m, p, s, z = (suit_tiles(suit, key) for suit, key in enumerate(hand.keys))
    m1, m2, m3, m4 = meld_columns(read.melds[seat]).planes
    one = m.one | p.one | s.one | z.one
    if (one | m1) & ~ruleset.faces:
        return False
    if not one & m1:
        return True
    two, three, four = m.two | p.two | s.two | z.two, m.three | p.three | s.three | z.three, m.four | p.four | s.four
    return not (one & m4 | two & m3 | three & m2 | (four | z.four) & m1)


def _count_copies(read: ReadRound, copies: tuple[int, ...], known: Sequence[int]) -> None:
    all_held = [0] * 43
    before = len(read.faults)
    for seat in known:
        held = [0] * 43
        for kinds in _laid(read, seat):
            for code in kinds:
                held[code] += 1
        hand = read.hands[seat]
        for code in hand.codes if hand else ():
            held[KIND_OF[code]] += 1
        _copy_faults(read, held, copies, f"players[{seat}].hand" if hand else f"players[{seat}].melds")
        all_held = [total + own for total, own in zip(all_held, held, strict=True)]
    if len(read.faults) > before:
        return
    for code in range(43):
        if all_held[code] > copies[code]:
            message = f"all seats together hold {all_held[code]} of {NAMES[code]}; there are {copies[code]}"
            read.fault("fifth_copy", "players", message)


def _laid(read: ReadRound, seat: int) -> list[tuple[int, ...]]:
    """The kinds of the tiles that lie in a seat's melds, whatever they count as."""
    if read.substitutes is None:
        return [parse_meld(*meld) for meld in read.melds[seat]]
    laid = []
    for meld in read.round.players[seat].melds:
        with suppress(NotationError):  # it has its fault already
            laid.append(tuple(KIND_OF[code] for code in parse_tiles(meld.tiles)))
    return laid


def _winner_faults(read: ReadRound, ruleset: RuleSet, win: Win) -> None:
    hand, melds, copies = read.hands[win.seat], read.melds[win.seat], ruleset.copies
    if hand is None:
        read.fault("hand_unknown", f"players[{win.seat}].hand", "missing; the hand of a winner must be known")
        return
    expected = ruleset.hand_size - 3 * len(melds)
    if len(hand.codes) != expected and len(melds) == len(read.round.players[win.seat].melds):
        read.fault(
            "tile_count",
            f"players[{win.seat}].hand",
            f"found {len(hand.codes)} tiles beside {len(melds)} melds, expected {expected} (without the winning tile)",
        )
    kind = KIND_OF[win.tile]
    held = hand.codes.count(kind) if kind not in _FIVES else sum(KIND_OF[code] == kind for code in hand.codes)
    for kinds in _laid(read, win.seat):
        held += kinds.count(kind)
    if not copies[kind]:
        read.fault("not_in_play", f"events[{win.index}].tile", f"{NAMES[win.tile]} is not in this tile set")
    elif held >= copies[kind]:
        message = f"the winning tile {NAMES[win.tile]} would be copy {held + 1}; there are {copies[kind]}"
        read.fault("fifth_copy", f"events[{win.index}].tile", message)


def _copy_faults(read: ReadRound, held: list[int], copies: tuple[int, ...], where: str) -> None:
    for code, count in enumerate(held):
        if count > copies[code]:
            if copies[code]:
                read.fault("fifth_copy", where, f"found {count} of {NAMES[code]}; there are {copies[code]}")
            else:
                read.fault("not_in_play", where, f"{NAMES[code]} is not in this rule set's tiles under these options")
