"""How many wild tiles a hand needs: look-ups on suit keys, for one hand (plain integers) and for batches (arrays).

A concealed hand of 3n+2 tiles, wilds included, wins in the standard form iff its need is at most the wilds it holds:
any three wilds more make one more set. Variant ``free`` lets wilds stand for a fifth tile of a kind; under ``four`` no
kind goes beyond four among the concealed tiles. Exact for at most 17 tiles and at most four natural tiles of a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.keys import SUIT_OF, WEIGHTS, Keys, product
from mjsettle.tables import Variant, least_wilds
from mjsettle.tiles import FIRST_HONOUR, KINDS

TILES_MAX: Final = 17
SPECIAL_TILES: Final = 14
ORPHANS: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
# No hand holds so many wilds: the need of a hand that they cannot complete.
NEVER: Final = 99

_FREE_SUIT, _, _, _FREE_HONOURS = least_wilds("free").by_suit
_WEIGHT: Final = np.array(WEIGHTS, np.intp)
# The two other kinds of each chow that a kind can be in.
_CHOW_MATES: Final = tuple(
    tuple(
        (kind + first, kind + second)
        for first, second in ((-2, -1), (-1, 1), (1, 2))
        if kind < FIRST_HONOUR and kind % 9 + first >= 0 and kind % 9 + second < 9
    )
    for kind in range(KINDS)
)
# Columns: every kind, and the orphans.
KINDS_AND_ORPHANS: Final = np.zeros((34, 2), np.float32)
KINDS_AND_ORPHANS[:, 0] = 1
KINDS_AND_ORPHANS[list(ORPHANS), 1] = 1


def need(keys: Keys) -> int:
    """Least wilds that complete one hand in the standard form; a fifth tile of a kind is possible."""
    characters, dots, bamboo, honours = keys
    a, b, c, d = _FREE_SUIT[characters], _FREE_SUIT[dots], _FREE_SUIT[bamboo], _FREE_HONOURS[honours]
    return ((a + b + c + d) & 63) + 3 * (min(a, b, c, d) >> 6) - 4


def whole_need(keys: Keys) -> int:
    """Least wilds that make all the tiles sets, without a pair; a fifth tile of a kind is possible."""
    characters, dots, bamboo, honours = keys
    return (_FREE_SUIT[characters] + _FREE_SUIT[dots] + _FREE_SUIT[bamboo] + _FREE_HONOURS[honours]) & 63


def need_four(keys: Keys) -> int:
    """As need, but no kind may go beyond four tiles; more than 17 where no number of wilds does."""
    suit, _, _, honour = least_wilds("four").by_suit
    characters, dots, bamboo, honours = keys
    a, b, c, d = suit[characters], suit[dots], suit[bamboo], honour[honours]
    return ((a + b + c + d) & 63) + 3 * (min(a, b, c, d) >> 6) - 4


def need_batch(keys: NDArray[np.integer[Any]], variant: Variant = "free") -> NDArray[np.uint8]:
    """Least wilds for each row of keys, shape (N, 4); more than 17 where no number of wilds does."""
    table = least_wilds(variant)
    sums = table.suits.take(keys[:, 0])
    dots, bamboo = table.suits.take(keys[:, 1]), table.suits.take(keys[:, 2])
    honours = table.honours.take(keys[:, 3])
    lowest = np.minimum(np.minimum(sums, dots), np.minimum(bamboo, honours))
    sums += dots
    sums += bamboo
    sums += honours
    return merge_needs(sums, lowest)


def whole_need_batch(keys: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """As whole_need for each row of keys, shape (N, 4)."""
    table = least_wilds("free")
    sums = table.honours.take(keys[:, 3])
    for suit in range(3):
        sums += table.suits.take(keys[:, suit])
    return sums & np.uint8(63)


def merge_needs(sums: NDArray[np.uint8], lowest: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The need from the sum (modulo 256) and the minimum of four table bytes; overwrites both."""
    sums &= 63
    lowest >>= 6
    lowest *= 3
    sums += lowest
    sums -= 4
    return sums


def seven_pairs_need(counts: Sequence[int], four_as_two_pairs: bool = True) -> int:
    """Least wilds that make 14 tiles with these natural ones seven pairs, a fifth tile of a kind being possible."""
    if four_as_two_pairs:
        return sum(copies & 1 for copies in counts)
    return NEVER if max(counts) > 2 else counts.count(1)


def seven_pairs_need_batch(counts: NDArray[np.uint8], four_as_two_pairs: bool = True) -> NDArray[np.uint8]:
    """As seven_pairs_need for counts of shape (N, 34)."""
    if four_as_two_pairs:
        return _row_sums(counts & np.uint8(1))
    needs = _row_sums(counts == 1)
    needs[counts.max(axis=1, initial=0) > 2] = NEVER
    return needs


def orphans_need(counts: Sequence[int]) -> int:
    """Least wilds that make 14 tiles with these natural ones thirteen orphans; more than 14 where none do."""
    held = [counts[kind] for kind in ORPHANS]
    if sum(held) != sum(counts):
        return NEVER
    kinds = 13 - held.count(0)
    spare = sum(held) - kinds
    return 14 - kinds - spare if spare <= 1 else NEVER


def orphans_need_batch(counts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As orphans_need for counts of shape (N, 34)."""
    kinds = product(counts > 0, KINDS_AND_ORPHANS)
    spare = _row_sums(counts) - kinds[:, 1]
    useful = (kinds[:, 0] == kinds[:, 1]) & (spare <= 1)
    needs: NDArray[np.uint8] = np.where(useful, 14 - kinds[:, 1] - spare, NEVER).astype(np.uint8)
    return needs


def _row_sums(flags: NDArray[np.uint8] | NDArray[np.bool_]) -> NDArray[np.uint8]:
    return product(flags, KINDS_AND_ORPHANS)[:, 0].astype(np.uint8)


def fifth_need(keys: Keys, counts: Sequence[int], kind: int) -> int:
    """The need of a hand that holds four of a kind and gets a fifth natural tile of it.

    Some set or the pair holds the fifth tile: take it away, made of natural tiles as far as there are any (a wild in
    its place would only free a tile that then takes the wild's), and the rest has a key.
    """
    suit, weight = SUIT_OF[kind], WEIGHTS[kind]
    best = min(need(_without(keys, suit, 2 * weight)), whole_need(_without(keys, suit, weight)))
    for others in _CHOW_MATES[kind]:
        held = [other for other in others if counts[other]]
        rest = need(_without(keys, suit, sum(WEIGHTS[other] for other in held)))
        best = min(best, rest + 2 - len(held))
    return best


def fifth_need_batch(keys: NDArray[np.intp], counts: NDArray[np.uint8], kinds: NDArray[np.intp]) -> NDArray[np.uint8]:
    """As fifth_need, for keys of shape (N, 4), counts of shape (N, 34) and a kind for each row."""
    rows = np.arange(len(kinds))
    suits, weights = kinds // 9, _WEIGHT[kinds]

    def without(taken: NDArray[np.intp]) -> NDArray[np.intp]:
        rest = keys.copy()
        rest[rows, suits] -= taken
        return rest

    best = np.minimum(need_batch(without(2 * weights)), whole_need_batch(without(weights)))
    rank = np.where(kinds < FIRST_HONOUR, kinds % 9, -9)
    for first, second in ((-2, -1), (-1, 1), (1, 2)):
        inside = (rank + first >= 0) & (rank + second < 9)
        mates = [np.where(inside, kinds + step, kinds) for step in (first, second)]
        held = [(counts[rows, mate] > 0) & inside for mate in mates]
        taken = _WEIGHT[mates[0]] * held[0] + _WEIGHT[mates[1]] * held[1]
        cost = 2 - held[0].astype(np.uint8) - held[1]
        best = np.where(inside, np.minimum(best, need_batch(without(taken)) + cost), best)
    return best


def _without(keys: Keys, suit: int, taken: int) -> Keys:
    rest = [*keys]
    rest[suit] -= taken
    return rest[0], rest[1], rest[2], rest[3]
