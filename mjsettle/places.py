"""Where the winning tile may sit in a reading: rows become one row per place (columns `place` and `won`)."""

from __future__ import annotations

from typing import Any

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


def expand(columns: dict[str, Ints], win_tile: Ints) -> tuple[Ints, Ints, Ints]:
    """The batch form for natural winning tiles.

    columns: chows, pungs and pair per row; win_tile: kind per row.
    Answers, sorted as the rows are: row number, place and kind per expanded row.
    """
    rank = win_tile % 9
    suited = win_tile < 27
    chows = columns["chows"]
    base = 3 * (7 * (win_tile // 9) + rank)
    tests: list[tuple[Place, Any]] = [(Place.PAIR, columns["pair"] == win_tile)]
    for place, back in ((Place.LOW, 0), (Place.MIDDLE, 1), (Place.HIGH, 2)):
        fits = suited & (rank >= back) & (rank - back <= 6)
        shift = np.where(fits, base - 3 * back, 0)
        tests.append((place, fits & ((chows >> shift & 7) != 0)))
    tests.append((Place.PUNG, (columns["pungs"] >> win_tile & 1) != 0))
    table = np.stack([test for _, test in tests], axis=1)
    nowhere: Any = ~table.any(axis=1)
    table = np.concatenate([table, nowhere[:, None]], axis=1)
    row_number, which = np.nonzero(table)
    places = np.array([int(place) for place, _ in tests] + [int(Place.WHOLE)])[which]
    return row_number, places, win_tile[row_number]
