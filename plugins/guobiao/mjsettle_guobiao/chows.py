"""Which chow fans a hand's chows count: a table over all multisets of at most four chows.

The counting principles decide once for each multiset (1998 rules, p.28-30): a four-chow fan leaves nothing else; a
three-chow fan leaves the fourth chow one two-chow fan with any of the three; else each two-chow fan joins chows that
are not joined yet, directly or through others (套算一次), so that four chows have three of them at most. All two-chow
fans are worth 1; between them 一般高, 喜相逢, 连六, 老少副 are preferred in this order.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Final

import numpy as np

from mjsettle.columns import Col
from mjsettle.tiles import CODES
from mjsettle_guobiao.perfect_hash import HashedTable, Ints

# Fields of a table entry: one bit for each greater fan, two bits for the times of each two-chow fan.
QUADRUPLE: Final = 1 << 0
FOUR_SHIFTED: Final = 1 << 1
TRIPLE: Final = 1 << 2
STRAIGHT: Final = 1 << 3
SHIFTED: Final = 1 << 4
MIXED_STRAIGHT: Final = 1 << 5
MIXED_TRIPLE: Final = 1 << 6
MIXED_SHIFTED: Final = 1 << 7
DOUBLE_AT: Final = 8
MIXED_DOUBLE_AT: Final = 10
SHORT_AT: Final = 12
TERMINAL_AT: Final = 14
COUNT_AT: Final = 16
PURE_ENDS: Final = 1 << 19  # 123 123 789 789 of one suit, whatever the pair
MIXED_ENDS: Final = 1 << 20  # 123 789 of two suits, whatever the pair
PAIR_AT: Final = 21  # the pair that these two ask for, 6 bits

NONE: Final = 21  # stands for a chow that is not there
_FIVES: Final = (CODES["5m"], CODES["5p"], CODES["5s"])
_POINTS: Final = {TRIPLE: 24, STRAIGHT: 16, SHIFTED: 16, MIXED_STRAIGHT: 8, MIXED_TRIPLE: 8, MIXED_SHIFTED: 6}
# Two-chow fans in the order of preference; in the matrix of pairs they are numbered from 1.
_PAIR_FIELDS: Final = (DOUBLE_AT, MIXED_DOUBLE_AT, SHORT_AT, TERMINAL_AT)


def pair_fan(a: int, b: int) -> int:
    """The number of the two-chow fan of two chows (0-20, 7 a suit), 0 when there is none."""
    (suit_a, rank_a), (suit_b, rank_b) = divmod(a, 7), divmod(b, 7)
    if suit_a != suit_b:
        return 2 if rank_a == rank_b else 0
    return {0: 1, 3: 3, 6: 4}.get(abs(rank_a - rank_b), 0)


def three_fan(a: int, b: int, c: int) -> int:
    """The field of the three-chow fan of three chows, 0 when there is none."""
    suits = {chow // 7 for chow in (a, b, c)}
    low, middle, high = sorted(chow % 7 for chow in (a, b, c))
    steps = (middle - low, high - middle)
    if len(suits) == 1:
        return {(0, 0): TRIPLE, (3, 3): STRAIGHT, (1, 1): SHIFTED, (2, 2): SHIFTED}.get(steps, 0)
    if len(suits) == 3:
        return {(0, 0): MIXED_TRIPLE, (3, 3): MIXED_STRAIGHT, (1, 1): MIXED_SHIFTED}.get(steps, 0)
    return 0


@lru_cache(maxsize=1)
def chow_table() -> HashedTable:
    """The table, by chow field (see `mjsettle.columns.chow_field`)."""
    sets = np.array(list(combinations_with_replacement(range(NONE + 1), 4)), np.int64)
    real = sets < NONE
    keys = np.where(real, np.int64(1) << np.where(real, 3 * sets, 0), 0).sum(axis=1)
    pairs = np.zeros((NONE + 1, NONE + 1), np.int64)
    for a, b in combinations_with_replacement(range(NONE), 2):
        pairs[a, b] = pairs[b, a] = pair_fan(a, b)
    entry = _joined(sets, pairs)
    three = _three_and_one(sets, pairs)
    entry = np.where(three != 0, three, entry)
    four = _four(sets)
    entry = np.where(four != 0, four, entry)
    return HashedTable(keys, entry | real.sum(axis=1) << COUNT_AT | _ends(sets))


def chow_fans(all_chows: Col) -> Col:
    """What the hand's chows count, as a field of bits (see `mjsettle_guobiao.chows`)."""
    return chow_table()[all_chows]


def _joined(sets: Ints, pairs: Ints) -> Ints:
    """Two-chow fans that never close a circle, the preferred ones first (Kruskal's spanning forest)."""
    entry = np.zeros(len(sets), np.int64)
    group = np.tile(np.arange(4), (len(sets), 1))
    for number, field in enumerate(_PAIR_FIELDS, start=1):
        for i, j in combinations(range(4), 2):
            joins = (pairs[sets[:, i], sets[:, j]] == number) & (group[:, i] != group[:, j])
            entry += joins.astype(np.int64) << field
            merged = (group == group[:, [j]]) & joins[:, None]
            group = np.where(merged, group[:, [i]], group)
    return entry


def _three_and_one(sets: Ints, pairs: Ints) -> Ints:
    """The best three-chow fan with one two-chow fan of the fourth chow; 0 where there is no three-chow fan."""
    threes = np.zeros((NONE + 1,) * 3, np.int64)
    for chows in combinations_with_replacement(range(NONE), 3):
        threes[chows] = three_fan(*chows)
    points = np.zeros(256, np.int64)
    for field, value in _POINTS.items():
        points[field] = value
    best: Ints = np.zeros(len(sets), np.int64)
    best_worth: Ints = np.zeros(len(sets), np.int64)
    for fourth in range(4):
        a, b, c = (sets[:, i] for i in range(4) if i != fourth)
        fan = threes[a, b, c]
        with_one = np.stack([pairs[sets[:, fourth], other] for other in (a, b, c)])
        number = np.where(with_one == 0, 9, with_one).min(axis=0)
        extra = np.zeros(len(sets), np.int64)
        for wanted, field in enumerate(_PAIR_FIELDS, start=1):
            extra |= (number == wanted).astype(np.int64) << field
        worth = np.where(fan != 0, points[fan] + (extra != 0), 0)
        better = worth > best_worth
        best, best_worth = np.where(better, fan | extra, best), np.where(better, worth, best_worth)
    return best


def _four(sets: Ints) -> Ints:
    one_suit = (sets[:, 3] < NONE) & (sets[:, 0] // 7 == sets[:, 3] // 7)
    steps = np.diff(sets, axis=1)
    even = one_suit & (steps == steps[:, [0]]).all(axis=1)
    step = steps[:, 0]
    return np.where(even & (step == 0), QUADRUPLE, np.where(even & ((step == 1) | (step == 2)), FOUR_SHIFTED, 0))


def _ends(sets: Ints) -> Ints:
    """The chows of 一色双龙会 and 三色双龙会, and the kind of the pair that completes them."""
    entry = np.zeros(len(sets), np.int64)
    for suit in range(3):
        low, high = 7 * suit, 7 * suit + 6
        entry[(sets == (low, low, high, high)).all(axis=1)] = PURE_ENDS | _FIVES[suit] << PAIR_AT
    for one, other in combinations(range(3), 2):
        wanted = (7 * one, 7 * one + 6, 7 * other, 7 * other + 6)
        entry[(sets == wanted).all(axis=1)] = MIXED_ENDS | _FIVES[3 - one - other] << PAIR_AT
    return entry
