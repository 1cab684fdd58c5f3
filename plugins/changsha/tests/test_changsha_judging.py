"""Fans on random hands: alone and in a batch, and against every way to lay the tiles out."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from mjsettle.judge import judge
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_wins

SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"menqing": True, "que_yi_men": True, "rob_supplement_small": False, "quanqiu_zimo": False},
)
GENERALS = [kind for kind in range(27) if kind % 9 + 1 in (2, 5, 8)]


@cache
def engine() -> Engine:
    return load()


def generals(rng: Random, tiles: int) -> list[int]:
    """Any tiles of 2, 5 and 8."""
    return rng.sample([kind for kind in GENERALS for _ in range(4)], tiles)


@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_alone_and_in_a_batch_agree(options: dict[str, Any]) -> None:
    sample = conformance("changsha", options, engine=engine(), hands=500, wilds_max=0, shapes=[generals])
    assert sample.won > 150
    fans = {fan.id for fan in engine().rule_set("changsha", options).fans}
    assert fans - {"triple_luxury_pairs", "double_luxury_pairs", "heavenly", "robbed_kong"} <= sample.fans


@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_the_best_reading_is_the_best_of_all(options: dict[str, Any]) -> None:
    ruleset = engine().rule_set("changsha", options)
    won = 0
    for dealt in random_wins(engine(), ruleset, 300, 3, wilds_max=0, shapes=[generals]):
        found = judge(ruleset, dealt.hand)
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, dealt.hand, shapeless=("all_generals",)), dealt.wire
        won += rank is not None
    assert won > 100
