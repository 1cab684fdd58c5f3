"""Where the winning tile may sit in a reading: rows become one row per place (columns `place` and `won`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from mjsettle.columns import Place, chow_field
from mjsettle.readings import Ints, Row


def stands_for(row: Row, win_tile: int, win_wild: int, concealed: tuple[int, int, int, int]) -> list[int]:
    """The kinds that the winning tile may stand for: its own, or for a wild tile each kind that a wild fills."""
    if not win_wild:
        return [win_tile]
    c1, c2, c3, c4 = concealed
    filled = (row.has1 & ~c1) | (row.has2 & ~c2) | (row.has3 & ~c3) | (row.has4 & ~c4)
    # A wild that is a fifth copy shows in none of the four planes.
    filled = filled or row.has4
    return [kind for kind in range(34) if filled >> kind & 1] or [win_tile]


def places_of(row: Row, won: int) -> list[Place]:
    """The places in a reading that hold this kind; WHOLE where it has no sets."""
    found = []
    if row.pair == won:
        found.append(Place.PAIR)
    if won < 27 and row.chows:
        suit, rank = divmod(won, 9)
        for place, start in ((Place.LOW, rank), (Place.MIDDLE, rank - 1), (Place.HIGH, rank - 2)):
            if 0 <= start <= 6 and row.chows >> chow_field(suit, start + 1) & 7:
                found.append(place)
    if row.pungs >> won & 1:
        found.append(Place.PUNG)
    return found or [Place.WHOLE]


_WINDOW: Final = 34
"""Kinds by which tables of winning tiles are looked up: 34 kinds, and the kind of a tile that has none."""


def _chow_masks(place: int) -> Ints:
    """By kind, the chow field of the chow that holds it as its lowest, middle or highest tile; 0 where none is."""
    masks = np.zeros(_WINDOW + 1, np.int64)
    for kind in range(27):
        suit, rank = divmod(kind, 9)
        if 0 <= rank - place <= 6:
            masks[kind] = 7 << chow_field(suit, rank - place + 1)
    return masks


_CHOWS: Final = tuple(_chow_masks(place) for place in range(3))
_PUNGS: Final = np.array([*(1 << kind for kind in range(_WINDOW)), 0], np.int64)
_ORDER: Final = (Place.PAIR, Place.LOW, Place.MIDDLE, Place.HIGH, Place.PUNG)
# By the five answers as bits: the first place that a tile has, and how many it has.
_FIRST: Final = np.array([next((int(p) for at, p in enumerate(_ORDER) if c >> at & 1), 0) for c in range(32)], np.int64)
_MANY: Final = np.array([code.bit_count() > 1 for code in range(32)], np.bool_)


def expand(chows: Ints, pungs: Ints, pair: Ints, won: Ints) -> tuple[Ints, Ints, Ints]:
    """The batch form of `places_of` for N rows.

    Answers with the first place of every row, then with the other places of the rows that have several: numbers of
    those rows and their places, row by row.
    """
    low, middle, high = (chows & masks.take(won) for masks in _CHOWS)
    code = (pair == won).view(np.uint8)
    for at, held in enumerate((low, middle, high, pungs & _PUNGS.take(won)), start=1):
        code = code | (held != 0).view(np.uint8) << np.uint8(at)
    several = np.flatnonzero(_MANY.take(code))
    bits = np.bitwise_and(code[several], code[several] - np.uint8(1))  # without the first place
    row, which = np.nonzero(bits[:, None] >> np.arange(5, dtype=np.uint8) & 1)
    return _FIRST.take(code), several[row], np.array(_ORDER, np.int64)[which]


def kinds_filled(has: Sequence[Ints], concealed: Sequence[Ints], win_tile: Ints) -> tuple[Ints, Ints]:
    """The batch form of `stands_for` for winning tiles that are wild: row numbers, ascending, and kinds."""
    filled = has[0] & ~concealed[0]
    for copies, held in zip(has[1:], concealed[1:], strict=True):
        filled |= copies & ~held
    filled = np.where(filled == 0, has[3], filled)
    filled = np.where(filled == 0, np.int64(1) << win_tile, filled)
    row, kind = np.nonzero(filled[:, None] >> np.arange(_WINDOW + 1) & 1)
    return row, kind
