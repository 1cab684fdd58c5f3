"""One hand alone and the same hand in a batch; every column on integers and on arrays."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import mjsettle_guobiao
from mjsettle.settle import load
from mjsettle.testing.conformance import conformance
from mjsettle_guobiao.knitted import BODIES

ENGINE = load([mjsettle_guobiao])


def kinds_of(body: int) -> list[int]:
    return [kind for kind in range(27) if body >> kind & 1]


def a_straight(random: Random, tiles: int) -> list[int]:
    first = random.randrange(27)
    rest = [first] * 3 if first % 9 > 6 or random.random() < 0.4 else [first, first + 1, first + 2]
    return kinds_of(random.choice(BODIES)) + rest + [random.randrange(34)] * 2


def unlinked(random: Random, tiles: int) -> list[int]:
    honours = random.choice((5, 6, 7))
    return random.sample(kinds_of(random.choice(BODIES)), 14 - honours) + random.sample(range(27, 34), honours)


@pytest.mark.parametrize("wilds_max", [0, 2, 4])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {
            "knitted_body_tile_wait": False,
            "count_held_fours_as_wait": False,
            "seven_pairs_four_of_kind": False,
            "melded_plus_concealed_kong": 0,
            "flowers_enabled": False,
        },
    ],
    ids=["defaults", "others"],
)
def test_alone_and_together(options: dict[str, Any], wilds_max: int) -> None:
    shapes = (a_straight, unlinked)
    sample = conformance("guobiao", options, engine=ENGINE, hands=400, seed=11, wilds_max=wilds_max, shapes=shapes)
    assert sample.won > 250
    assert len(sample.fans) > 45
