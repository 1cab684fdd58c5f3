"""The tables of chows and pungs against slow twins that take the counting principles literally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise

import numpy as np

from mjsettle_guobiao import chows, pungs
from mjsettle_guobiao.chows import chow_fans
from mjsettle_guobiao.pungs import pung_fans

Chow = tuple[str, int]  # suit and lowest number
Fans = dict[str, int]
CHOWS: list[Chow] = [(suit, number) for suit in "mps" for number in range(1, 8)]
WORTH = {
    "一色四同顺": 48,
    "一色四步高": 32,
    "一色三同顺": 24,
    "清龙": 16,
    "一色三步高": 16,
    "花龙": 8,
    "三色三同顺": 8,
    "三色三步高": 6,
    "一般高": 1,
    "喜相逢": 1,
    "连六": 1,
    "老少副": 1,
}
BITS = {
    "一色四同顺": chows.QUADRUPLE,
    "一色四步高": chows.FOUR_SHIFTED,
    "一色三同顺": chows.TRIPLE,
    "清龙": chows.STRAIGHT,
    "一色三步高": chows.SHIFTED,
    "花龙": chows.MIXED_STRAIGHT,
    "三色三同顺": chows.MIXED_TRIPLE,
    "三色三步高": chows.MIXED_SHIFTED,
}
COUNTS = {
    "一般高": chows.DOUBLE_AT,
    "喜相逢": chows.MIXED_DOUBLE_AT,
    "连六": chows.SHORT_AT,
    "老少副": chows.TERMINAL_AT,
}


def of_two(one: Chow, other: Chow) -> str | None:
    if one[0] != other[0]:
        return "喜相逢" if one[1] == other[1] else None
    if one == other:
        return "一般高"
    numbers = {one[1], other[1]}
    return "老少副" if numbers == {1, 7} else "连六" if numbers in ({1, 4}, {2, 5}, {3, 6}, {4, 7}) else None


def of_three(held: tuple[Chow, ...]) -> str | None:
    suits, numbers = {suit for suit, _ in held}, sorted(number for _, number in held)
    low = numbers[0]
    if len(suits) == 2:
        return None
    pure = len(suits) == 1
    if numbers == [low] * 3:
        return "一色三同顺" if pure else "三色三同顺"
    if numbers == [1, 4, 7]:
        return "清龙" if pure else "花龙"
    if numbers == [low, low + 1, low + 2]:
        return "一色三步高" if pure else "三色三步高"
    return "一色三步高" if pure and numbers == [low, low + 2, low + 4] else None


def of_four(held: tuple[Chow, ...]) -> str | None:
    numbers = sorted(number for _, number in held)
    if len({suit for suit, _ in held}) > 1:
        return None
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    return "一色四同顺" if steps == {0} else "一色四步高" if steps in ({1}, {2}) else None


def ways(held: tuple[Chow, ...]) -> Iterator[Fans]:
    """Every way to combine the chows: the sets of a fan are joined, and a fan never joins sets that are."""
    everything = range(len(held))
    if len(held) == 4 and (fan := of_four(held)):
        yield {fan: 1}
    for three in combinations(everything, 3):
        if fan := of_three(tuple(held[at] for at in three)):
            yield {fan: 1}
            for fourth in set(everything) - set(three):
                for at in three:
                    if small := of_two(held[fourth], held[at]):
                        yield dict(Counter([fan, small]))
    edges = [(a, b, fan) for a, b in combinations(everything, 2) if (fan := of_two(held[a], held[b]))]
    for count in range(min(len(edges), 3) + 1):
        for chosen in combinations(edges, count):
            group = list(everything)
            for a, b, _ in chosen:
                if group[a] == group[b]:
                    break
                group = [group[a] if mark == group[b] else mark for mark in group]
            else:
                yield dict(Counter(fan for _, _, fan in chosen))


def field(held: tuple[Chow, ...]) -> int:
    return sum(1 << 3 * CHOWS.index(chow) for chow in held)


def told(entry: int) -> Fans:
    found = {name: 1 for name, bit in BITS.items() if entry & bit}
    return found | {name: entry >> at & 3 for name, at in COUNTS.items() if entry >> at & 3}


def worth(fans: Fans) -> int:
    return sum(WORTH[name] * times for name, times in fans.items())


def test_every_multiset_of_chows_counts_its_best_combination() -> None:
    multisets = [held for n in range(5) for held in combinations_with_replacement(CHOWS, n)]
    assert len(multisets) == 12_650
    entries = chow_fans(np.array([field(held) for held in multisets], np.int64)).tolist()
    for held, entry in zip(multisets, entries, strict=True):
        possible = list(ways(held))
        assert told(entry) in possible, held
        assert worth(told(entry)) == max(map(worth, possible)), held
        assert entry >> chows.COUNT_AT & 7 == len(held)
        assert chow_fans(field(held)) == entry


def test_terminal_chows_ask_for_their_pair() -> None:
    both = {}
    for held in combinations_with_replacement(CHOWS, 4):
        entry = chow_fans(field(held))
        if entry & (chows.PURE_ENDS | chows.MIXED_ENDS):
            both[held] = (bool(entry & chows.PURE_ENDS), entry >> chows.PAIR_AT)
    pure = {((s, 1), (s, 1), (s, 7), (s, 7)): (True, 9 * at + 4) for at, s in enumerate("mps")}
    mixed = {
        tuple(sorted([(a, 1), (a, 7), (b, 1), (b, 7)])): (False, 9 * "mps".index(({*"mps"} - {a, b}).pop()) + 4)
        for a, b in ("mp", "ms", "ps")
    }
    assert {tuple(sorted(held)): value for held, value in both.items()} == pure | mixed


def test_every_set_of_numbered_pungs() -> None:
    sets = [held for n in range(5) for held in combinations(range(27), n)]
    entries = pung_fans(np.array([sum(1 << kind for kind in held) for held in sets], np.int64)).tolist()
    for held, entry in zip(sets, entries, strict=True):
        tiles = {(kind // 9, kind % 9) for kind in held}
        runs = [
            suits
            for low in range(7)
            for suits in {(a, b, c) for a in range(3) for b in range(3) for c in range(3)}
            if all((suit, low + step) in tiles for step, suit in enumerate(suits))
        ]
        long = any(all((suit, low + step) in tiles for step in range(4)) for suit in range(3) for low in range(6))
        numbers = Counter(number for _, number in tiles)
        assert bool(entry & pungs.SHIFTED) == any(len(set(suits)) == 1 for suits in runs)
        assert bool(entry & pungs.MIXED_SHIFTED) == any(len(set(suits)) == 3 for suits in runs)
        assert bool(entry & pungs.FOUR_SHIFTED) == long
        assert bool(entry & pungs.TRIPLE) == (3 in numbers.values())
        assert entry >> pungs.DOUBLE_AT == sum(count == 2 for count in numbers.values())
