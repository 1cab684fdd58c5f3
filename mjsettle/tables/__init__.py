"""The shipped look-up tables, memory-mapped read-only so that all processes of a machine share one copy.

Variant ``free`` lets a kind have a fifth tile (through a wild), ``four`` does not. `build` makes the files and says
what each holds; suits come first in those that go by key, then honours from index 5**9.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Variant = Literal["free", "four"]
_FOLDER: Final = Path(__file__).parent
_SUIT_KEYS: Final = 5**9


class LeastWilds(NamedTuple):
    """The bytes m + 64 * c by key: sets alone take m wilds, sets with the pair m + 3 * c - 4."""

    suits: NDArray[np.uint8]
    honours: NDArray[np.uint8]
    by_suit: tuple[memoryview, memoryview, memoryview, memoryview]
    """The same bytes for one hand at a time: indexing these is faster than indexing an array."""


class ShantenTables(NamedTuple):
    """Classes by key, their merges, and the missing tiles by number of sets and merged classes."""

    suits: NDArray[np.uint8]
    honours: NDArray[np.uint8]
    number_merge: NDArray[np.uint16]
    honour_merge: NDArray[np.uint16]
    missing: NDArray[np.uint8]


def _load(name: str) -> NDArray[Any]:
    # A plain array over the mapping: the memmap subclass would slow every look-up down.
    table: NDArray[Any] = np.load(_FOLDER / f"{name}.npy", mmap_mode="r").view(np.ndarray)
    return table


@cache
def least_wilds(variant: Variant) -> LeastWilds:
    """The least-wilds table of a variant; mapped at the first call."""
    table = _load(f"least_wilds_{variant}")
    suits, honours = table[:_SUIT_KEYS], table[_SUIT_KEYS:]
    suit_view = suits.data
    return LeastWilds(suits, honours, (suit_view, suit_view, suit_view, honours.data))


@cache
def shanten_tables(variant: Variant) -> ShantenTables:
    """The shanten tables of a variant; mapped at the first call."""
    classes = _load(f"shanten_class_{variant}")
    return ShantenTables(
        classes[:_SUIT_KEYS],
        classes[_SUIT_KEYS:],
        _load(f"shanten_numbers_{variant}"),
        _load(f"shanten_honours_{variant}"),
        _load(f"shanten_missing_{variant}"),
    )
