"""The waits that a reading's winning tile was one of: what the 边张, 坎张 and 单钓将 fans ask for.

A wild tile is the tile that it stands for, here too: the thirteen tiles before the win are taken as the reading has
them. Their waits lie where the winning tile and the pair lie, because a suit whose tiles are whole sets takes no tile
alone; two look-ups tell them all. A hand in sets may wait for seven pairs besides. No hand waits for sets and for a
knitted straight at once: each of the eight or nine knitted tiles would need a set of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from mjsettle.columns import Col, Column, Place, lookup, popcount, where
from mjsettle.keys import WEIGHTS
from mjsettle.suits import suit_readings
from mjsettle.tables import least_wilds
from mjsettle.wildcards import FREE
from mjsettle_guobiao.knitted import BODY_OF

# Entry of a suit's wait table: the ranks that complete it, whether it is whole sets and the pair, whether it is known.
RANKS: Final = 0x1FF
PAIRED: Final = 1 << 9
_KNOWN: Final = 1 << 10
_SUIT_SIZE: Final = 5**9
_HONOURS_AT: Final = _SUIT_SIZE  # honours' entries follow the suits' in one table

_SUIT_SHIFT: Final = np.array([kind // 9 * 9 for kind in range(35)], np.int64)
_WEIGHT: Final = np.array([*WEIGHTS, 0], np.int64)
_TABLE_AT: Final = np.array([_HONOURS_AT if 27 <= kind < 34 else 0 for kind in range(35)], np.int64)
_KEY_OF: Final = np.array([sum(5**r for r in range(9) if ranks >> r & 1) for ranks in range(512)], np.int64)
_BIT: Final = np.array([1 << kind for kind in range(35)], np.int64)
_BODY: Final = np.array(BODY_OF, np.int64)


def _labels() -> np.ndarray[Any, Any]:
    labels = np.zeros((6, 35), np.int64)
    labels[Place.PAIR, :34] = 1
    labels[Place.MIDDLE, :27] = 2
    labels[Place.HIGH, [2, 11, 20]] = 3
    labels[Place.LOW, [6, 15, 24]] = 3
    return labels.ravel()


SINGLE, CLOSED, EDGE = 1, 2, 3
_LABELS: Final = _labels()


class _SuitWaits:
    """What completes one suit, by table index; entries are found when they are first asked for."""

    def __init__(self) -> None:
        self.table = np.zeros(_SUIT_SIZE + 5**7, np.int16)
        suits, honours = least_wilds("free").suits, least_wilds("free").honours
        self._least = suits, honours

    def at(self, index: Col) -> Col:
        """The entry of each index: a key's, or an honours key's plus the size of the suits' table."""
        if not isinstance(index, np.ndarray):
            found = int(self.table[index])
            if not found:
                self._find(np.array([index], np.int64))
                found = int(self.table[index])
            return found
        entries = self.table[index]
        if not entries.all():
            self._find(np.unique(index[entries == 0]))
            entries = self.table[index]
        return entries.astype(np.int64)

    def _find(self, indices: np.ndarray[Any, Any]) -> None:
        honours = indices >= _HONOURS_AT
        for least, base, ranks, chosen in (
            (self._least[0], 0, 9, indices[~honours]),
            (self._least[1], _HONOURS_AT, 7, indices[honours]),
        ):
            if len(chosen):
                self.table[chosen] = self._entries(least, chosen - base, ranks)

    def _entries(self, least: np.ndarray[Any, Any], keys: np.ndarray[Any, Any], ranks: int) -> np.ndarray[Any, Any]:
        entries = np.where(_paired(least[keys]), PAIRED, 0) | _KNOWN
        for rank in range(ranks):
            full = keys // 5**rank % 5 == 4
            grown = least[np.where(full, 0, keys + 5**rank)]
            completes = ~full & (_whole(grown) | _paired(grown))
            entries |= completes.astype(np.int64) << rank
            for at in np.flatnonzero(full).tolist():
                entries[at] |= int(_fifth_completes(int(keys[at]), rank, ranks)) << rank
        return entries


def _whole(least: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    whole: np.ndarray[Any, Any] = (least & 63) == 0
    return whole


def _paired(least: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    # As in mjsettle.needs.need: sets and the pair cost three times the upper bits, less four, more than sets alone.
    paired: np.ndarray[Any, Any] = (least & 63) + 3 * (least >> 6) == 4
    return paired


def _fifth_completes(key: int, rank: int, ranks: int) -> bool:
    """Whether a fifth copy completes a suit: some set or the pair that holds it leaves the rest complete."""
    counts = [key // 5**r % 5 for r in range(ranks)]
    counts[rank] += 1
    takes = [(rank, rank), (rank, rank, rank)]
    if ranks == 9:
        takes += [(low, low + 1, low + 2) for low in range(max(0, rank - 2), min(rank, 6) + 1)]
    for taken in takes:
        left = list(counts)
        for place in taken:
            left[place] -= 1
        if min(left) < 0:
            continue
        rest = sum(count * 5**r for r, count in enumerate(left))
        for with_pair in (False,) if len(taken) == 2 else (False, True):
            if suit_readings(rest, 0, with_pair, ranks == 7, FREE, 0x1FF):
                return True
    return False


@lru_cache(maxsize=1)
def _suit_waits() -> _SuitWaits:
    return _SuitWaits()


def wait_label(place: Col, won: Col) -> Col:
    """The wait fan that the winning tile's place allows: 1 单钓将, 2 坎张, 3 边张, 0 none."""
    return lookup(_LABELS, place * 35 + won)


def reading_waits_column(four_as_two: bool) -> Column:
    """The column `reading_waits`; four_as_two: four of a kind may be two of seven pairs."""

    def reading_waits(
        wait_label: Col, won: Col, pair: Col, shape: Col, melds: Col, has1: Col, has2: Col, has3: Col, has4: Col
    ) -> Col:
        """Mask of the kinds that complete the thirteen tiles of this reading, fifth copies counted; 0 where the place
        of the winning tile allows no wait fan."""
        columns = (won, pair, shape, melds, has1, has2, has3, has4)
        if not isinstance(wait_label, np.ndarray):
            return _waits(four_as_two, *columns) if wait_label else 0
        # Most readings have no such place, and need no look-ups.
        asked = np.flatnonzero(wait_label)
        found = np.zeros(len(wait_label), np.int64)
        picked = [column[asked] if isinstance(column, np.ndarray) else column for column in columns]
        found[asked] = _waits(four_as_two, *picked)
        return found

    return Column("reading_waits", reading_waits)


def _waits(
    four_as_two: bool, won: Col, pair: Col, shape: Col, melds: Col, has1: Col, has2: Col, has3: Col, has4: Col
) -> Col:
    body = lookup(_BODY, shape)
    shift, pair_shift = lookup(_SUIT_SHIFT, won), lookup(_SUIT_SHIFT, pair)

    def key(shift: Col) -> Col:
        copies = [lookup(_KEY_OF, mask >> shift & RANKS) for mask in (has1, has2, has3, has4)]
        return copies[0] + copies[1] + copies[2] + copies[3] - lookup(_KEY_OF, body >> shift & RANKS)

    own = _suit_waits().at(key(shift) - lookup(_WEIGHT, won) + lookup(_TABLE_AT, won))
    other = _suit_waits().at(key(pair_shift) + lookup(_TABLE_AT, pair))
    # With the pair in the winning tile's suit, that suit alone waits; else the pair's suit waits as well if the
    # winning tile's is complete without it.
    elsewhere = where((shift != pair_shift) & (own & PAIRED != 0), other & RANKS, 0)
    odd = (has1 & ~has2 | has3 & ~has4) ^ lookup(_BIT, won)
    pairs = (melds == 0) & (popcount(odd) == 1)
    if not four_as_two:
        pairs = pairs & (has3 & ~(lookup(_BIT, won) & ~has4) == 0)
    return (own & RANKS) << shift | elsewhere << pair_shift | where(pairs, odd, 0)
