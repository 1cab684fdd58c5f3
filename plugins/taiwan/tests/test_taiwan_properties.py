"""What must hold for any round of Taiwanese mahjong, on seeded random ones."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from mjsettle.judge import judge
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_rounds, random_wins
from mjsettle.testing.symmetries import melds_shuffled, rotated, suits_swapped, with_joker

# A joker widens the wait, which may cost 獨聽 and the strict 平胡; without them it never lowers a hand.
NO_WAITS: dict[str, Any] = {"wilds": True, "pinghu": "loose", "tai_values": {"single_wait": 0}}
HOUSE: dict[str, int] = {"無花": 1, "無字": 1, "無字無花": 2, "見花見字": 1, "槓牌": 1, "四槓": 8, "聽牌": 1, "斷么": 1}
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    NO_WAITS,
    {"wilds": True, "tai_values": HOUSE, "cap": 16},
    {"little_dragons_add_pungs": True, "little_winds_add_wind_pungs": True, "all_honors_add_all_pungs": True},
    {"preset": "funclub", "ready_excludes_concealed": False, "opening_win_excludes_concealed": False},
    {"preset": "star31", "ligu_enabled": False, "eight_pairs_half": 6, "flower_win_mode": "bonus"},
)


def ligu(rng: Random, tiles: int) -> list[int]:
    """Seven pairs and a triplet."""
    return [kind for kind in rng.choices(range(34), k=7) for _ in range(2)] + [rng.randrange(34)] * 3


@cache
def engine() -> Engine:
    return load()


@cache
def settled_rounds(variant: int, wilds_max: int | None = None) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Random rounds of a variant that could be settled, with their results."""
    ruleset = engine().rule_set("taiwan", VARIANTS[variant])
    most = (2 if ruleset.options.wilds else 0) if wilds_max is None else wilds_max
    rounds = list(random_rounds(ruleset, 700, seed=variant, wilds_max=most, shapes=[ligu]))
    answered = zip(rounds, engine().settle(rounds), strict=True)
    return [(round, result) for round, result in answered if result["status"] == "settled"]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_alone_and_in_a_batch(variant: int) -> None:
    sample = conformance("taiwan", VARIANTS[variant], engine=engine(), hands=120, seed=variant, shapes=[ligu])
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


def test_payments_follow_the_formula() -> None:
    """§5, written down a second time: base + per_tai x (hand tai within the cap + dealer part)."""
    for variant, cap in ((0, 10**6), (2, 16)):
        for round, result in settled_rounds(variant):
            win, event = result["wins"][0], round["events"][0]
            payers = [event["from"]] if "from" in event else [seat for seat in range(4) if seat != event["seat"]]
            expected = [0, 0, 0, 0]
            for payer in payers:
                dealt = round["dealer"] in (payer, event["seat"])
                points = 30 + 10 * (min(win["total"], cap) + (2 * round["streak"] + 1 if dealt else 0))
                expected[payer] -= points
                expected[event["seat"]] += points
            assert result["deltas"] == expected
            assert win["total"] == sum(fan["value"] * fan["times"] for fan in win["fans"])


@pytest.mark.parametrize("by", [1, 2, 3])
def test_seats_may_be_renamed(by: int) -> None:
    found = settled_rounds(2)
    moved = engine().settle([rotated(round, by) for round, _ in found])
    for (_, result), other in zip(found, moved, strict=True):
        assert other["deltas"] == [result["deltas"][(seat - by) % 4] for seat in range(4)]


@pytest.mark.parametrize("suits", ["psm", "pms", "smp"])
def test_suits_may_be_renamed(suits: str) -> None:
    found = settled_rounds(2)
    swapped = engine().settle([suits_swapped(round, suits) for round, _ in found])
    for (_, result), other in zip(found, swapped, strict=True):
        assert other["deltas"] == result["deltas"]


def test_the_order_of_melds_and_tiles_does_not_matter() -> None:
    rng = Random(5)
    found = settled_rounds(0)
    shuffled = engine().settle([melds_shuffled(round, rng) for round, _ in found])
    for (_, result), other in zip(found, shuffled, strict=True):
        assert other["deltas"] == result["deltas"]


def test_a_joker_in_place_of_a_tile_never_lowers_the_tai() -> None:
    rng = Random(6)
    changed = [(with_joker(round, rng), result) for round, result in settled_rounds(1, 1)]
    pairs = [(round, result) for round, result in changed if round is not None]
    assert len(pairs) > 100
    for other, (_, result) in zip(engine().settle([round for round, _ in pairs]), pairs, strict=True):
        assert other["wins"][0]["total"] >= result["wins"][0]["total"]


@pytest.mark.parametrize("variant", [1, 2])
def test_the_best_reading_is_the_best_of_all_substitutions(variant: int) -> None:
    ruleset = engine().rule_set("taiwan", VARIANTS[variant])
    tried = 0
    for dealt in random_wins(engine(), ruleset, 300, seed=40 + variant, wilds_max=2, shapes=[ligu]):
        if not 0 < dealt.hand.view.wilds <= 2 or tried == 60:
            continue
        tried += 1
        found = judge(ruleset, dealt.hand)
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, dealt.hand), dealt.wire
    assert tried == 60
