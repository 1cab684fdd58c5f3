"""What must hold for any round of Hong Kong mahjong, on seeded random ones."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from mjsettle.judge import judge
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_rounds, random_wins
from mjsettle.testing.symmetries import melds_shuffled, rotated, suits_swapped, with_joker

LOOSE: dict[str, Any] = {"min_faan": 0, "wilds": True, "base_unit": 4, "cap": None}
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    LOOSE,
    {**LOOSE, "seven_pairs_faan": 4, "nine_gates_nine_sided": True, "kankan_discard": False, "human_win": True},
    {**LOOSE, "flowers": False, "concealed_self_draw": "merged", "earthly": "self_draw", "payment": "half"},
    {"preset": "hkma", "multi_win": "all", "concealed_kong_keeps_concealed": True},
    {"preset": "simplified", "concealed_hand_with_flowers": False, "bonus_counts_toward_minimum": True},
)


@cache
def engine() -> Engine:
    return load()


@cache
def settled_rounds(variant: int, wilds_max: int | None = None) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Random rounds of a variant that could be settled, with their results."""
    ruleset = engine().rule_set("hongkong", VARIANTS[variant])
    most = (2 if ruleset.options.wilds else 0) if wilds_max is None else wilds_max
    rounds = list(random_rounds(ruleset, 700, seed=variant, wilds_max=most))
    answered = zip(rounds, engine().settle(rounds), strict=True)
    return [(round, result) for round, result in answered if result["status"] == "settled"]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_alone_and_in_a_batch(variant: int) -> None:
    sample = conformance("hongkong", VARIANTS[variant], engine=engine(), hands=120, seed=variant)
    assert sample.won > 50
    assert len(sample.fans) > 15


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_nothing_is_minted_or_lost(variant: int) -> None:
    found = settled_rounds(variant)
    assert len(found) > 40
    for _, result in found:
        assert sum(result["deltas"]) == result["table"] == 0
        gained = [0, 0, 0, 0]
        for transfer in result["transfers"]:
            gained[transfer["from"]] -= transfer["points"]
            gained[transfer["to"]] += transfer["points"]
        assert gained == result["deltas"]


@pytest.mark.parametrize("by", [1, 2, 3])
def test_seats_may_be_renamed(by: int) -> None:
    found = settled_rounds(1)
    moved = engine().settle([rotated(round, by) for round, _ in found])
    for (_, result), other in zip(found, moved, strict=True):
        assert other["deltas"] == [result["deltas"][(seat - by) % 4] for seat in range(4)]


@pytest.mark.parametrize("suits", ["psm", "pms", "smp"])
def test_suits_may_be_renamed(suits: str) -> None:
    found = settled_rounds(1)
    swapped = engine().settle([suits_swapped(round, suits) for round, _ in found])
    for (_, result), other in zip(found, swapped, strict=True):
        assert other["deltas"] == result["deltas"]


def test_the_order_of_melds_and_tiles_does_not_matter() -> None:
    rng = Random(5)
    found = settled_rounds(2)
    shuffled = engine().settle([melds_shuffled(round, rng) for round, _ in found])
    for (_, result), other in zip(found, shuffled, strict=True):
        assert other["wins"][0]["total"] == result["wins"][0]["total"]
        assert other["deltas"] == result["deltas"]


def test_a_joker_in_place_of_a_tile_never_lowers_the_faan() -> None:
    rng = Random(6)
    changed = [(with_joker(round, rng), result) for round, result in settled_rounds(1, 1)]
    pairs = [(round, result) for round, result in changed if round is not None]
    assert len(pairs) > 100
    for other, (_, result) in zip(engine().settle([round for round, _ in pairs]), pairs, strict=True):
        assert other["wins"][0]["total"] >= result["wins"][0]["total"]


@pytest.mark.parametrize("variant", [1, 2])
def test_the_best_reading_is_the_best_of_all_substitutions(variant: int) -> None:
    ruleset = engine().rule_set("hongkong", VARIANTS[variant])
    tried = 0
    for dealt in random_wins(engine(), ruleset, 300, seed=40 + variant, wilds_max=2):
        if not 0 < dealt.hand.view.wilds <= 2 or tried == 60:
            continue
        tried += 1
        found = judge(ruleset, dealt.hand)
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, dealt.hand), dealt.wire
    assert tried == 60
