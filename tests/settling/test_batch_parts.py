"""The parts that batches are judged with: stacking and weighing fans, cutting batches, placing winning tiles."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from mjsettle.batch import chunks
from mjsettle.columns import NO_PAIR, any_of
from mjsettle.compiler import stack, weigh
from mjsettle.keys import suit_keys
from mjsettle.places import expand, kinds_filled, places_of, stands_for
from mjsettle.reading_batch import SuitBook
from mjsettle.readings import Row, View, standard_rows
from mjsettle.ready import planes_of
from mjsettle.suits import planes
from mjsettle.testing.deal import near_win
from mjsettle.wildcards import FREE


def test_columns_are_stacked_as_bytes_while_they_fit() -> None:
    table = stack(3, [np.array([True, False, True]), np.array([0, 127, -128]), 5])
    assert table.dtype == np.int8
    assert table.tolist() == [[1, 0, 1], [0, 127, -128], [5, 5, 5]]


@pytest.mark.parametrize("wide", [np.array([0, 300, 1]), 128])
def test_wider_values_are_kept_whole(wide: object) -> None:
    table = stack(3, [np.array([True, False, True]), wide])
    assert table[1].tolist() == np.broadcast_to(np.asarray(wide), (3,)).tolist()
    assert weigh(np.array([2, 1000]), table).tolist() == (np.array([2, 0, 2]) + 1000 * table[1]).tolist()


def test_weights_beyond_four_bytes_are_exact() -> None:
    table = stack(2, [np.array([127, 1]), np.array([1, 0])])
    assert weigh(np.array([1 << 40, 3]), table).tolist() == [127 * (1 << 40) + 3, 1 << 40]


def test_any_of_columns_and_numbers() -> None:
    assert any_of(0, False, 0) == 0
    assert any_of(0, 2) == 1
    assert any_of(np.array([True, False, False]), np.array([0, 4, 0]), 0).tolist() == [True, True, False]


@pytest.mark.parametrize("wilds", [[], [0], [0] * 50_000, [8] * 40, [0] * 3_000 + [6] * 20 + [0] * 3_000, [30]])
def test_chunks_cover_a_batch_once(wilds: list[int]) -> None:
    found = list(chunks(np.array(wilds, np.int64)))
    assert [at for chunk in found for at in range(chunk.start, chunk.stop)] == list(range(len(wilds)))
    # Hands without wilds go by the ten thousand, hands with many wilds by the few.
    assert all(chunk.stop - chunk.start <= 25_000 for chunk in found)
    assert all(chunk.stop - chunk.start <= 30 for chunk in found if min(wilds[chunk]) >= 6)


def test_masks_of_kinds_held_so_often() -> None:
    random = Random(3)
    counts = np.array([[random.choice((0, 0, 1, 2, 3, 4)) for _ in range(34)] for _ in range(200)], np.uint8)
    assert list(zip(*(mask.tolist() for mask in planes_of(counts)), strict=True)) == [
        planes(hand) for hand in counts.tolist()
    ]


def test_places_of_winning_tiles_as_row_by_row() -> None:
    random = Random(4)
    rows: list[tuple[Row, int, tuple[int, int, int, int]]] = []
    for _ in range(300):
        wilds = random.randrange(4)
        counts = near_win(random, 4, wilds)
        view = View(tuple(counts), suit_keys(counts), wilds, 0)
        held = [kind for kind in range(34) if counts[kind]]
        rows += [(row, random.choice(held), planes(counts)) for row in standard_rows(view, 0)[:5]]
    assert len(rows) > 500
    column = {name: np.array([getattr(row, name) for row, _, _ in rows], np.int64) for name in Row._fields}
    won = np.array([kind for _, kind, _ in rows], np.int64)
    first, again, places = expand(column["chows"], column["pungs"], column["pair"], won)
    found = [[place] for place in first.tolist()]
    for at, place in zip(again.tolist(), places.tolist(), strict=True):
        found[at].append(place)
    assert found == [[int(place) for place in places_of(row, kind)] for row, kind, _ in rows]
    has = [column[f"has{level}"] for level in range(1, 5)]
    natural = list(np.array([own for _, _, own in rows], np.int64).T)
    row_of, kinds = kinds_filled(has, natural, np.full(len(rows), NO_PAIR))
    by_row: list[list[int]] = [[] for _ in rows]
    for at, kind in zip(row_of.tolist(), kinds.tolist(), strict=True):
        by_row[at].append(kind)
    assert by_row == [stands_for(row, NO_PAIR, 1, own) for row, _, own in rows]


def test_a_book_forgets_when_it_has_grown() -> None:
    book = SuitBook(FREE, (1 << 34) - 1, rows_max=10)
    keys = np.array([1 + 5 + 25, 3, 3 * 5, 3 * 25], np.int64)
    for _ in range(20):
        book.spans(0, keys, 0, None)
        book.spans(0, keys, 3, False)
    assert book._used > 10
    book.make_room()
    assert book._used == 0
    assert (book.spans(0, keys, 0, None) & 0xF == 1).all()
