"""Opening hands (起手胡): what a seat may show of its first tiles (sheet section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mjsettle.options import Options
from mjsettle.tiles import CODES, KIND_OF

Counts = Sequence[int]
"""27 counts, nine of each suit."""

_NOT_258: Final = tuple(kind for kind in range(27) if kind % 9 + 1 not in (2, 5, 8))


def four_joys(counts: Counts) -> bool:
    """Four equal tiles."""
    return max(counts) == 4


def no_258(counts: Counts) -> bool:
    """No 2, 5 or 8."""
    return sum(counts) == sum(counts[kind] for kind in _NOT_258)


def suit_missing(counts: Counts) -> bool:
    """One suit or two are missing."""
    return any(not any(suit) for suit in _suits(counts))


def two_triplets(counts: Counts) -> bool:
    """Two triplets; four of a kind hold one."""
    return sum(count >= 3 for count in counts) >= 2


def three_alike(counts: Counts) -> bool:
    """The same number paired in all three suits."""
    return any(all(suit[rank] >= 2 for suit in _suits(counts)) for rank in range(9))


def step_by_step(counts: Counts) -> bool:
    """Three consecutive pairs of one suit."""
    return any(all(suit[rank + step] >= 2 for step in range(3)) for suit in _suits(counts) for rank in range(7))


def golden_pair(counts: Counts) -> bool:
    """A pair of 2筒 and a pair of 2条."""
    return counts[CODES["2p"]] >= 2 and counts[CODES["2s"]] >= 2


def one_flower(counts: Counts) -> bool:
    """One tile alone of a suit, and it is the 5."""
    return any(sum(suit) == 1 == suit[4] for suit in _suits(counts))


def _suits(counts: Counts) -> tuple[Counts, Counts, Counts]:
    return counts[:9], counts[9:18], counts[18:27]


@dataclass(frozen=True, slots=True)
class Opening:
    """A kind of opening hand. test: what the first tiles must show; None where the room alone decides.

    later: it is claimed in the course of the round instead. others: further names that rooms use.
    """

    id: str
    name: str
    test: Callable[[Counts], bool] | None
    later: bool = False
    others: tuple[str, ...] = ()


DEFAULT: Final = (
    Opening("four_joys", "四喜", four_joys, others=("大四喜",)),
    Opening("no_258", "板板胡", no_258),
    Opening("suit_missing", "缺一色", suit_missing),
    Opening("two_triplets", "六六顺", two_triplets),
    Opening("three_alike", "三同", three_alike),
)
EXTENDED: Final = (
    Opening("step_by_step", "节节高", step_by_step, others=("步步高",)),
    Opening("golden_pair", "金童玉女", golden_pair),
    Opening("one_flower", "一枝花", one_flower),
    Opening("later_four_joys", "中途四喜", None, later=True),
    Opening("later_two_triplets", "中途六六顺", None, later=True),
)
# The catalogue words these differently from room to room, so the room decides when they are met.
HOUSE: Final = (
    Opening("one_red_dot", "一点红", None),
    Opening("three_plum_blossoms", "梅花三弄", None),
    Opening("last_eight_rounds", "后八轮", None, later=True),
)
KINDS: Final = (*DEFAULT, *EXTENDED, *HOUSE)
BY_NAME: Final = {name: kind for kind in KINDS for name in (kind.id, kind.name, *kind.others)}


def paying(options: Options) -> tuple[Opening, ...]:
    """The kinds that pay under these switches."""
    extended = EXTENDED if options.opening_ext else ()
    return tuple(kind for kind in KINDS if kind.id in options.openings or kind in extended)


def counts_of(codes: Sequence[int]) -> list[int]:
    """The 27 counts of suited tiles."""
    counts = [0] * 27
    for code in codes:
        counts[KIND_OF[code]] += 1
    return counts


def shown_by(codes: Sequence[int], options: Options) -> list[Opening]:
    """The paying kinds that 13 or 14 first tiles show."""
    counts = counts_of(codes)
    return [kind for kind in paying(options) if kind.test is not None and kind.test(counts)]
