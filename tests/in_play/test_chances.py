"""Chances of draws, counted out over every order in which a small urn can be drawn."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from mjsettle.chances import Step, chance_of_one, chance_of_two


def test_one_useful_tile_by_counting() -> None:
    for unseen, useful, draws in [(7, 2, 3), (6, 6, 1), (5, 0, 4), (8, 3, 8), (4, 1, 9)]:
        orders = list(permutations(range(unseen), min(draws, unseen)))
        hits = sum(any(tile < useful for tile in order) for order in orders)
        assert chance_of_one(unseen, useful, draws) == pytest.approx(hits / len(orders))


@pytest.mark.parametrize("seed", range(25))
def test_two_useful_tiles_by_counting(seed: int) -> None:
    """Kinds with copies; some are useful first, and each of those has its own kinds that are useful then."""
    random = Random(seed)
    copies = [random.randrange(1, 3) for _ in range(4)]
    urn = [kind for kind, count in enumerate(copies) for _ in range(count)]
    first = {kind for kind in range(4) if random.random() < 0.6}
    then = {kind: {other for other in range(4) if random.random() < 0.5} for kind in first}
    draws = random.randrange(1, 6)
    hits = orders = 0
    for order in permutations(range(len(urn)), min(draws, len(urn))):
        drawn = [urn[at] for at in order]
        orders += 1
        at = next((at for at, kind in enumerate(drawn) if kind in first), None)
        hits += at is not None and any(kind in then[drawn[at]] for kind in drawn[at + 1 :])
    left = Counter(urn)
    steps = []
    for kind in first:
        after = left - Counter([kind])
        useful = [other for other in then[kind] for _ in range(after[other])]
        steps.append(Step(left[kind], len(useful), sum(other in first for other in useful)))
    found = chance_of_two(len(urn), sum(left[kind] for kind in first), steps, draws)
    assert found == pytest.approx(hits / orders)
