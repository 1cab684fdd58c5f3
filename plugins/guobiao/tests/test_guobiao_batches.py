"""The knitted forms read many hands at once as they read each alone, wilds and forbidden faces included."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from mjsettle.columns import EVERY_KIND, HONOURS
from mjsettle.compiler import parameters
from mjsettle.keys import suit_keys
from mjsettle.reading_batch import SuitBook
from mjsettle.readings import ROW_COLUMNS, Row, View
from mjsettle.suits import planes
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import FormHands, WinForm
from mjsettle_guobiao.knitted import BODIES, honours_and_knitted, knitted_missing, knitted_shapes, knitted_straight

HONOUR_KINDS = range(27, 34)


def unlinked(random: Random) -> list[int]:
    knitted = random.choice(BODIES)
    body = [kind for kind in range(27) if knitted >> kind & 1]
    honours = random.choice((5, 6, 7))
    return random.sample(body, 14 - honours) + random.sample(HONOUR_KINDS, honours)


def straight(random: Random) -> list[int]:
    body = random.choice(BODIES)
    first = random.randrange(34)
    chow = first < 27 and first % 9 < 7 and random.random() < 0.5
    rest = [first, first + 1, first + 2] if chow else [first] * 3
    return [kind for kind in range(27) if body >> kind & 1] + rest + [random.randrange(34)] * 2


def hands_of(make: Callable[[Random], list[int]], random: Random, faces: int) -> list[View]:
    found: list[View] = []
    while len(found) < 120:
        tiles = make(random)
        if max(map(tiles.count, tiles)) > 4:
            continue
        random.shuffle(tiles)
        wilds = random.choice((0, 0, 1, 2, 3, 4))
        counts = [tiles[wilds:].count(kind) for kind in range(34)]
        found.append(View(tuple(counts), suit_keys(counts), wilds, 0, WildPolicy(fifth_copy="melds"), faces))
    return found


@pytest.mark.parametrize("faces", [EVERY_KIND, EVERY_KIND & ~0b111000111, HONOURS | 0x1FF], ids=hex)
@pytest.mark.parametrize(
    ("form", "make"), [(honours_and_knitted(), unlinked), (knitted_straight(), straight)], ids=["unlinked", "straight"]
)
def test_batches_read_as_single_hands(form: WinForm, make: Callable[[Random], list[int]], faces: int) -> None:
    hands = hands_of(make, Random(faces), faces)
    levels = np.array([planes(list(view.counts)) for view in hands], np.int64).T
    nothing = np.zeros(len(hands), np.int64)
    columns = {f"concealed{level}": mask for level, mask in enumerate(levels, start=1)}
    columns |= {f"meld{level}": nothing for level in range(1, 5)}
    columns |= {"melds": nothing, "wilds": np.array([view.wilds for view in hands], np.int64)}
    columns["hand_tiles"] = np.array([view.tiles for view in hands], np.int64)
    columns["knitted_missing"] = knitted_missing(levels[0])
    columns["knitted_shapes"] = knitted_shapes(levels[0])
    assert form.may is not None
    assert form.batch is not None
    hits = np.flatnonzero(form.may(*[columns[name] for name in parameters(form.may)]))
    keys = np.array([view.keys for view in hands], np.int64)
    suits = np.arange(34) // 9
    remainders = sum(
        weight * (np.array([view.counts for view in hands])[:, suits == suit].sum(axis=1) % 3)
        for suit, weight in enumerate((27, 9, 3, 1))
    )
    picked = {name: column[hits] for name, column in columns.items()}
    book = SuitBook(hands[0].policy, faces)
    of, rows, left = form.batch(FormHands(picked, keys[hits], np.asarray(remainders)[hits], book))
    assert not len(left)
    found: list[list[Row]] = [[] for _ in hands]
    for at, hand in enumerate(hits[of].tolist()):
        row = dict.fromkeys(ROW_COLUMNS, 0) | {name: int(column[at]) for name, column in rows.items()}
        found[hand].append(Row(**row))
    alone = [list(form.read(view, 0)) for view in hands]
    assert sum(map(len, alone)) > 50
    assert found == alone
