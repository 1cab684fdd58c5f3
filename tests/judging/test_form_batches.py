"""Win forms that read many hands at once read each as they read it alone, rows in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from mjsettle.columns import EVERY_KIND, NO_PAIR, ORPHANS
from mjsettle.compiler import parameters
from mjsettle.keys import suit_keys
from mjsettle.reading_batch import SuitBook
from mjsettle.readings import ROW_COLUMNS, Row, View
from mjsettle.suits import planes
from mjsettle.tiles import KINDS
from mjsettle.wildcards import FREE, WildPolicy
from mjsettle.winforms import FormHands, WinForm, pairs, thirteen_orphans

ORPHAN_KINDS = [kind for kind in range(KINDS) if ORPHANS >> kind & 1]


def paired(random: Random) -> list[int]:
    pool = random.sample(range(KINDS), random.choice((5, 7, 12)))
    while True:
        tiles = [random.choice(pool) for _ in range(7)] * 2
        if max(map(tiles.count, tiles)) <= 4:
            return tiles


def orphans(random: Random) -> list[int]:
    return [*ORPHAN_KINDS, random.choice(ORPHAN_KINDS)]


def views(random: Random, hands: Sequence[list[int]], policy: WildPolicy, faces: int) -> list[View]:
    """The hands with up to six tiles turned into wilds, some with a tile that does not fit."""
    found = []
    for tiles in hands:
        random.shuffle(tiles)
        wilds = random.choice((0, 0, 1, 2, 2, 3, 4, 4, 5, 6))
        counts = [0] * KINDS
        for kind in tiles[wilds:]:
            counts[kind] += 1
        if random.random() < 0.1:
            counts[tiles[-1]] -= 1
            counts[random.choice([kind for kind in range(KINDS) if counts[kind] < 4])] += 1
        found.append(View(tuple(counts), suit_keys(counts), wilds, 0, policy, faces))
    return found


def read_at_once(form: WinForm, hands: Sequence[View]) -> list[list[Row]]:
    levels = np.array([planes(list(view.counts)) for view in hands], np.int64).T
    nothing = np.zeros(len(hands), np.int64)
    columns = {f"concealed{level}": mask for level, mask in enumerate(levels, start=1)}
    columns |= {f"meld{level}": nothing for level in range(1, 5)}
    columns["wilds"] = np.array([view.wilds for view in hands], np.int64)
    columns |= {"melds": nothing, "hand_tiles": np.array([view.tiles for view in hands], np.int64)}
    assert form.may is not None
    assert form.batch is not None
    hits = np.flatnonzero(form.may(*[columns[name] for name in parameters(form.may)]))
    keys = np.array([view.keys for view in hands], np.int64)
    sizes = [
        [sum(view.counts[start:stop]) % 3 for view in hands] for start, stop in ((0, 9), (9, 18), (18, 27), (27, 34))
    ]
    remainders = np.array(sizes, np.int64).T @ np.array([27, 9, 3, 1])
    book = SuitBook(hands[0].policy, hands[0].faces)
    picked = {name: column[hits] for name, column in columns.items()}
    of, rows, left = form.batch(FormHands(picked, keys[hits], remainders[hits], book))
    assert not len(left)
    default = dict.fromkeys(ROW_COLUMNS, 0)
    found: list[list[Row]] = [[] for _ in hands]
    for at, hand in enumerate(hits[of].tolist()):
        found[hand].append(Row(**default | {name: int(column[at]) for name, column in rows.items()}))
    return found


@pytest.mark.parametrize("policy", [FREE, WildPolicy(fifth_copy="concealed"), WildPolicy(fifth_copy="melds")], ids=str)
@pytest.mark.parametrize("faces", [EVERY_KIND, EVERY_KIND & ~0b111, ORPHANS | 0xFF], ids=hex)
@pytest.mark.parametrize("form", [pairs(), pairs(four_as_two=False), thirteen_orphans()], ids=lambda form: form.id)
def test_batches_read_as_single_hands(form: WinForm, faces: int, policy: WildPolicy) -> None:
    random = Random(faces)
    make = orphans if form.id == "thirteen_orphans" else paired
    hands = views(random, [make(random) for _ in range(150)], policy, faces)
    alone = [list(form.read(view, 0)) for view in hands]
    assert sum(map(len, alone)) > 50
    assert read_at_once(form, hands) == alone
    assert all(row.pair == NO_PAIR or form.id == "thirteen_orphans" for rows in alone for row in rows)
