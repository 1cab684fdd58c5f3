"""Which fans a hand's numbered pungs count: a table over all sets of at most four of them."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

import numpy as np

from mjsettle.columns import SUITED, Col
from mjsettle_guobiao.perfect_hash import HashedTable, Ints

FOUR_SHIFTED: Final = 1 << 0
SHIFTED: Final = 1 << 1
TRIPLE: Final = 1 << 2
MIXED_SHIFTED: Final = 1 << 3
DOUBLE_AT: Final = 4  # two bits: how many numbers are held in exactly two suits


@lru_cache(maxsize=1)
def pung_table() -> HashedTable:
    """The table, by the mask of the numbered pungs."""
    kinds = np.array([(*held, *[27] * (4 - n)) for n in range(5) for held in combinations(range(27), n)], np.int64)
    masks: Ints = np.where(kinds < 27, np.int64(1) << kinds, 0).sum(axis=1)
    m, p, s = masks & 0x1FF, masks >> 9 & 0x1FF, masks >> 18
    entry = np.zeros(len(masks), np.int64)
    for suit in (m, p, s):
        run = suit & suit >> 1 & suit >> 2
        entry |= np.where(run != 0, SHIFTED, 0) | np.where(run & suit >> 3 != 0, FOUR_SHIFTED, 0)
    for low, middle, high in permutations((m, p, s)):
        entry |= np.where(low & middle >> 1 & high >> 2 != 0, MIXED_SHIFTED, 0)
    three = m & p & s
    two = (m & p | m & s | p & s) & ~three
    entry |= np.where(three != 0, TRIPLE, 0) | np.bitwise_count(two).astype(np.int64) << DOUBLE_AT
    return HashedTable(masks, entry)


def pung_fans(all_pungs: Col) -> Col:
    """What the hand's numbered pungs count, as a field of bits (see `mjsettle_guobiao.pungs`)."""
    return pung_table()[all_pungs & SUITED]
