"""Every way to read the tiles of one suit as sets and at most one pair, wilds included.

A suit is nine counts (honours: seven), written as one base-5 number, its *key*: rank r weighs 5 ** (r - 1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from mjsettle.wildcards import WildPolicy

SUIT_RANKS: Final = (9, 9, 9, 7)
NO_RANK: Final = 15
"""`SuitReading.pair` of a reading without a pair."""


class SuitReading(NamedTuple):
    """One reading of a suit. Chows are 7 starts x 3 bits, pungs and twins 9-bit masks, has1..has4 the masks of the
    ranks that stand there at least once, twice, three and four times, wilds as what they stand for."""

    chows: int
    pungs: int
    twins: int
    pair: int
    has1: int
    has2: int
    has3: int
    has4: int


def digits_of(key: int, ranks: int) -> list[int]:
    """The counts by rank that a suit key stands for."""
    counts = []
    for _ in range(ranks):
        key, count = divmod(key, 5)
        counts.append(count)
    return counts


@lru_cache(maxsize=16_384)
def suit_readings(
    key: int, wilds: int, with_pair: bool, honours: bool, policy: WildPolicy, faces: int
) -> tuple[SuitReading, ...]:
    """All readings of a suit with exactly `wilds` wild tiles in it, sorted; empty when there is none.

    faces: 9-bit mask of the ranks that a wild may stand for.
    """
    search = _Search(digits_of(key, 7 if honours else 9), honours, policy, faces)
    search.run(wilds, with_pair)
    natural = search.natural
    limit = 99 if policy.fifth_copy == "allowed" else 4
    found = []
    for chows, pungs, twins, pair in sorted(search.found):
        counts = composition(chows, pungs, twins, pair)
        if all(count <= limit or count <= held for count, held in zip(counts, natural, strict=False)):
            found.append(SuitReading(chows, pungs, twins, pair, *planes(counts)))
    return tuple(found)


def composition(chows: int, pungs: int, twins: int, pair: int) -> list[int]:
    """The nine counts that a suit's sets and pair are made of."""
    counts = [0] * 9
    for start in range(7):
        for rank in range(start, start + 3):
            counts[rank] += chows >> 3 * start & 7
    for rank in range(9):
        counts[rank] += 3 * ((pungs >> rank & 1) + (twins >> rank & 1))
    if pair != NO_RANK:
        counts[pair] += 2
    return counts


def planes(counts: list[int]) -> tuple[int, int, int, int]:
    """Four masks: the places whose count is at least 1, 2, 3 and 4."""
    masks = [0, 0, 0, 0]
    for place, count in enumerate(counts):
        for level in range(min(count, 4)):
            masks[level] |= 1 << place
    return masks[0], masks[1], masks[2], masks[3]


class _Search:
    """Depth-first search that always consumes the lowest natural tile left.

    That tile lies in a pung, a chow or the pair; the places that no natural tile fills take wilds. When no natural
    tile is left, the remaining wilds form sets (and the pair) of their own, in non-descending order so that each
    combination is built once.
    """

    def __init__(self, counts: list[int], honours: bool, policy: WildPolicy, faces: int) -> None:
        self.counts = counts
        self.natural = tuple(counts)
        self.ranks = len(counts)
        self.starts = 0 if honours else 7
        self.policy = policy
        self.faces = faces
        self.limit = 3 if policy.wilds_per_set_max is None else min(3, policy.wilds_per_set_max)
        self.found: set[tuple[int, int, int, int]] = set()
        self.seen: set[tuple[int, ...]] = set()

    def run(self, wilds: int, with_pair: bool) -> None:
        if (sum(self.counts) + wilds) % 3 == (2 if with_pair else 0):
            self._next(wilds, with_pair, 0, 0, 0, NO_RANK)

    def _next(self, wilds: int, need_pair: bool, chows: int, pungs: int, twins: int, pair: int) -> None:
        state = (*self.counts, wilds, chows, pungs, twins, pair)
        if state in self.seen:
            return
        self.seen.add(state)
        rank = next((r for r, count in enumerate(self.counts) if count), None)
        if rank is None:
            self._wild_sets(wilds, need_pair, chows, pungs, twins, pair, 0)
            return
        held = self.counts[rank]
        if need_pair:
            for natural in (1, 2):
                if natural <= held and self._wilds_fit(2 - natural, wilds, 1 << rank, 3):
                    self.counts[rank] -= natural
                    self._next(wilds - 2 + natural, False, chows, pungs, twins, rank)
                    self.counts[rank] += natural
        if not twins >> rank & 1:
            for natural in (1, 2, 3):
                if natural <= held and self._wilds_fit(3 - natural, wilds, 1 << rank, self.limit):
                    self.counts[rank] -= natural
                    self._next(wilds - 3 + natural, need_pair, chows, *_add_pung(pungs, twins, rank), pair)
                    self.counts[rank] += natural
        for start in range(max(0, rank - 2), min(rank, self.starts - 1) + 1):
            self._chow(start, rank, wilds, need_pair, chows, pungs, twins, pair)

    def _chow(
        self, start: int, rank: int, wilds: int, need_pair: bool, chows: int, pungs: int, twins: int, pair: int
    ) -> None:
        """Chow `start` with the natural tile `rank` in it; each later place takes a natural tile or a wild."""
        later = [place for place in range(rank + 1, start + 3) if self.counts[place]]
        for choice in range(1 << len(later)):
            taken = [rank] + [place for at, place in enumerate(later) if choice >> at & 1]
            wild_places = 0
            for place in range(start, start + 3):
                if place not in taken:
                    wild_places |= 1 << place
            if not self._wilds_fit(3 - len(taken), wilds, wild_places, self.limit):
                continue
            for place in taken:
                self.counts[place] -= 1
            self._next(wilds - 3 + len(taken), need_pair, chows + (1 << 3 * start), pungs, twins, pair)
            for place in taken:
                self.counts[place] += 1

    def _wilds_fit(self, needed: int, wilds: int, places: int, limit: int) -> bool:
        if needed == 0:
            return True
        return needed <= wilds and needed <= limit and places & ~self.faces == 0

    def _wild_sets(
        self, wilds: int, need_pair: bool, chows: int, pungs: int, twins: int, pair: int, first: int
    ) -> None:
        """Use the wilds up in sets of wilds only; `first` is the lowest set still allowed (chows, then pungs)."""
        if need_pair:
            if wilds >= 2 and self.policy.pair_of_wilds:
                for rank in range(self.ranks):
                    if self.faces >> rank & 1:
                        self._wild_sets(wilds - 2, False, chows, pungs, twins, rank, 0)
            return
        if wilds == 0:
            self.found.add((chows, pungs, twins, pair))
            return
        if wilds < 3 or not self.policy.set_of_wilds or self.limit < 3:
            return
        for place in range(first, self.starts + self.ranks):
            if place < self.starts:
                if self.faces >> place & 7 == 7:
                    self._wild_sets(wilds - 3, False, chows + (1 << 3 * place), pungs, twins, pair, place)
                continue
            rank = place - self.starts
            if self.faces >> rank & 1 and not twins >> rank & 1:
                self._wild_sets(wilds - 3, False, chows, *_add_pung(pungs, twins, rank), pair, place)


def _add_pung(pungs: int, twins: int, rank: int) -> tuple[int, int]:
    bit = 1 << rank
    return (pungs, twins | bit) if pungs & bit else (pungs | bit, twins)
