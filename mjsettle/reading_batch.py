"""The readings of many hands at once, as columns: what `mjsettle.readings` does for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjsettle.readings import Ints, Way, distributions
from mjsettle.suits import NO_RANK, SUIT_RANKS, SuitReading, digits_of, suit_readings
from mjsettle.wildcards import WildPolicy

_SUIT_FIELDS: Final = frozenset(SuitReading._fields)
_WIDEST_TABLE: Final = 5
"""Suits with fewer wilds than this get a dense table from key to readings, others a dictionary."""
_SPAN_BITS: Final = 24
_PAIR_BIT: Final = 20
_COUNT: Final = (1 << _PAIR_BIT) - 1
_NO_PAIR_HERE: Final = 64


class SuitBook:
    """The suit readings seen so far, as flat arrays for batches.

    `spans(suit, keys, wilds, with_pair)` answers with one number per key: where the key's readings begin in the flat
    arrays, whether they hold a pair, and how many they are (see `span_parts`). The book forgets everything when it
    grows past `rows_max`, so that a long-lived worker stays small; nothing but time is lost.
    """

    def __init__(self, policy: WildPolicy, faces: int, rows_max: int = 1_000_000) -> None:
        self.policy = policy
        self.faces = faces
        self.rows_max = rows_max
        self._reset()

    def _reset(self) -> None:
        # Slot 0 stands for keys not asked for yet, so that untouched pages stay zero and unshared memory stays small.
        self._dense: dict[tuple[bool, int], npt.NDArray[np.int32]] = {}
        self._sparse: dict[tuple[bool, int, int, int], int] = {}
        self._used = 0
        self._slots = 1
        self._flat = np.zeros((len(SuitReading._fields), 1024), np.int64)
        self._pairs = np.zeros(1024, np.int64)
        self._span = np.zeros(1024, np.int64)

    def make_room(self) -> None:
        """Forget everything if the book has outgrown its bound; spans handed out before are void then."""
        if self._used > self.rows_max:
            self._reset()

    def spans(self, suit: int, keys: Ints, wilds: int, with_pair: bool | None) -> Ints:
        """The span of every key for exactly `wilds` wilds in `suit` (0 m, 1 p, 2 s, 3 z).

        with_pair None: as the number of tiles tells, which it always does; only the wilds' faces need to be all.
        """
        honours = suit == 3
        faces = self.faces >> 9 * suit & 0x1FF
        if wilds >= _WIDEST_TABLE or (wilds and faces != (0x7F if honours else 0x1FF)):
            unique, inverse = np.unique(keys, return_inverse=True)
            found = [self._sparse_slot(suit, int(key), wilds, bool(with_pair), faces) for key in unique]
            return self._span[np.array(found, np.int64)[inverse]]
        # With or without the pair is told by the tile count modulo 3, which the key and the wilds fix.
        table = self._dense.get((honours, wilds))
        if table is None:
            table = self._dense[honours, wilds] = np.zeros(5 ** SUIT_RANKS[suit], np.int32)
        got = table.take(keys)
        if not got.all():
            for key in np.unique(keys[got == 0]).tolist():
                paired = sum(digits_of(key, SUIT_RANKS[suit]), wilds) % 3 == 2
                table[key] = self._add(suit_readings(key, wilds, paired, honours, self.policy, faces))
            got = table.take(keys)
        return self._span.take(got)

    def _sparse_slot(self, suit: int, key: int, wilds: int, with_pair: bool, faces: int) -> int:
        name = (suit == 3, wilds, key, faces)
        slot = self._sparse.get(name)
        if slot is None:
            slot = self._add(suit_readings(key, wilds, with_pair, suit == 3, self.policy, faces))
            self._sparse[name] = slot
        return slot

    def _add(self, found: tuple[SuitReading, ...]) -> int:
        slot, self._slots = self._slots, self._slots + 1
        if slot == len(self._span):
            self._span = np.concatenate([self._span, np.zeros_like(self._span)])
        end = self._used + len(found)
        while end > self._flat.shape[1]:
            self._flat = np.concatenate([self._flat, np.zeros_like(self._flat)], axis=1)
            self._pairs = np.concatenate([self._pairs, np.zeros_like(self._pairs)])
        if found:
            self._flat[:, self._used : end] = np.array(found, np.int64).T
            self._pairs[self._used : end] = [_NO_PAIR_HERE if row.pair == NO_RANK else row.pair for row in found]
            paired = found[0].pair != NO_RANK
            self._span[slot] = self._used << _SPAN_BITS | paired << _PAIR_BIT | len(found)
        self._used = end
        return slot

    def field(self, name: str) -> Ints:
        """A flat array of one field of SuitReading; `pair` is 64 or more where there is none."""
        flat: Ints = self._pairs if name == "pair" else self._flat[SuitReading._fields.index(name)]
        return flat


def span_parts(span: Ints) -> tuple[Ints, Ints]:
    """Where readings begin, and how many they are."""
    return span >> _SPAN_BITS, span & _COUNT


def standard_batch(
    keys: Ints, remainders: Ints, wilds: Ints, book: SuitBook, wanted: frozenset[str]
) -> tuple[Ints, dict[str, Ints]]:
    """All readings of many hands as sets and one pair.

    keys: (N, 4) suit keys; remainders: (N,) the four tile counts modulo 3 as 27 * m + 9 * p + 3 * s + z;
    wilds: (N,). Answers the hand number of each row and the wanted reading columns; the rows of a hand come in the
    order of `standard_rows`. A policy that
    counts copies in melds is not looked after here: such hands are read one by one.
    """
    book.make_room()
    if not wilds.any():
        return _natural_batch(keys, book, None, wanted)
    natural = np.flatnonzero(wilds == 0)
    hands: list[Ints] = []
    columns: list[dict[str, Ints]] = []
    if len(natural):
        rows_of, found = _natural_batch(keys[natural], book, natural, wanted)
        hands.append(rows_of)
        columns.append(found)
    wild = np.flatnonzero(wilds)
    for numbers, (pair_suit, *spread) in _groups(remainders[wild], wilds[wild]):
        hand_numbers = wild[numbers]
        spans = [book.spans(suit, keys[hand_numbers, suit], spread[suit], suit == pair_suit) for suit in range(4)]
        firsts, counts = map(list, zip(*map(span_parts, spans), strict=True))
        ways = counts[0] * counts[1] * counts[2] * counts[3]
        if not ways.all():
            keep = np.flatnonzero(ways)
            hand_numbers, ways = hand_numbers[keep], ways[keep]
            firsts = [first[keep] for first in firsts]
            counts = [count[keep] for count in counts]
        if len(hand_numbers):
            at, rows_of = _expand(firsts, counts, ways, hand_numbers)
            hands.append(rows_of)
            columns.append(_gather(book, at, wanted))
    return _joined(hands, columns, wanted)


def _natural_batch(
    keys: Ints, book: SuitBook, numbers: Ints | None, wanted: frozenset[str]
) -> tuple[Ints, dict[str, Ints]]:
    """The readings of hands without wilds, which need no grouping: first the first reading of every hand.

    numbers: the hands' numbers; None for 0, 1, 2 …
    """
    m, p, s, z = (book.spans(suit, keys[:, suit], 0, None) for suit in range(4))
    counts = [span & _COUNT for span in (m, p, s, z)]
    ways = counts[0] * counts[1] * counts[2] * counts[3]
    # Bits 20 to 22 count the suits with a pair; the numbers of readings do not reach them.
    paired = (m + p + s + z) >> _PAIR_BIT & 7 == 1
    if not paired.all():
        ways *= paired
    at = [span >> _SPAN_BITS for span in (m, p, s, z)]
    if (ways == 1).all():
        return np.arange(len(keys)) if numbers is None else numbers, _gather(book, at, wanted, natural=True)
    hands = np.arange(len(keys))
    if not ways.all():
        hands = np.flatnonzero(ways)
        at = [first[hands] for first in at]
    several = np.flatnonzero(ways > 1)
    if len(several):
        firsts = [span[several] >> _SPAN_BITS for span in (m, p, s, z)]
        own, of = _expand(firsts, [count[several] for count in counts], ways[several], several)
        later = np.flatnonzero(np.concatenate([[False], of[1:] == of[:-1]]))
        hands = np.concatenate([hands, of[later]])
        at = [np.concatenate([first, those[later]]) for first, those in zip(at, own, strict=True)]
    return hands if numbers is None else numbers[hands], _gather(book, at, wanted, natural=True)


def _groups(remainders: Ints, wilds: Ints) -> Iterator[tuple[Ints, Way]]:
    """The hands by the way their wilds are spread: (hand numbers, (pair suit, wilds in m, p, s, z))."""
    by_case = remainders + 81 * wilds
    order = np.argsort(by_case, kind="stable")
    ranked = by_case[order]
    cuts = np.flatnonzero(ranked[1:] != ranked[:-1]) + 1
    merged: dict[Way, list[Ints]] = {}
    for numbers in np.split(order, cuts) if len(order) else ():
        held, rest = divmod(int(by_case[numbers[0]]), 81)
        m, p, s, z = rest // 27, rest // 9 % 3, rest // 3 % 3, rest % 3
        for way in distributions((m, p, s, z), held):
            merged.setdefault(way, []).append(numbers)
    for way, parts in merged.items():
        yield (parts[0] if len(parts) == 1 else np.concatenate(parts)), way


def _expand(firsts: list[Ints], counts: list[Ints], ways: Ints, hand_numbers: Ints) -> tuple[list[Ints], Ints]:
    """The cross product of the suits' readings, hand by hand: flat-array positions per suit, hand number per row."""
    if int(ways.max()) == 1:
        return firsts, hand_numbers
    rows_of = np.repeat(np.arange(len(ways)), ways)
    rest = np.arange(len(rows_of)) - np.repeat(np.cumsum(ways) - ways, ways)
    at = []
    for first, count in zip(reversed(firsts), reversed(counts), strict=True):
        if int(count.max()) == 1:
            at.append(first.take(rows_of))
            continue
        per_row = count.take(rows_of)
        rest, own = np.divmod(rest, per_row)
        at.append(first.take(rows_of) + own)
    return at[::-1], hand_numbers[rows_of]


def _gather(book: SuitBook, at: list[Ints], wanted: frozenset[str], natural: bool = False) -> dict[str, Ints]:
    columns: dict[str, Ints] = {}
    for name in wanted & _SUIT_FIELDS:
        if natural and name == "twins":  # they take a fifth copy
            columns[name] = np.zeros(len(at[0]), np.int64)
            continue
        take = book.field(name).take
        m, p, s = take(at[0]), take(at[1]), take(at[2])
        if name == "pair":
            # One suit alone has a pair.
            p += 9
            s += 18
            m = np.minimum(np.minimum(m, p), np.minimum(s, take(at[3]) + 27))
        elif name == "chows":
            p <<= 21
            s <<= 42
            m |= p
            m |= s
        else:
            z = take(at[3])
            p <<= 9
            s <<= 18
            z <<= 27
            m |= p
            s |= z
            m |= s
        columns[name] = m
    return columns


def _joined(hands: list[Ints], columns: list[dict[str, Ints]], wanted: frozenset[str]) -> tuple[Ints, dict[str, Ints]]:
    if not hands:
        return np.zeros(0, np.int64), {name: np.zeros(0, np.int64) for name in wanted}
    joined: dict[str, Any] = {name: np.concatenate([part[name] for part in columns]) for name in columns[0]}
    return np.concatenate(hands), joined
