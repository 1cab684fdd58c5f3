"""What must hold for any round of Fuzhou mahjong, on seeded random ones."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from mjsettle.judge import judge
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_rounds, random_wins
from mjsettle.testing.symmetries import melds_shuffled, rotated, suits_swapped
from mjsettle.tiles import CODES, format_tiles, parse_tiles

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"preset": "fz_A"},
    {"preset": "fz_C"},
    {"eight_pairs": True, "honours_as_flowers": False, "gold_discard": True, "golden_dragon": True},
    {"preset": "fz_A", "hand_size": 13, "golden_dragon": False, "one_flower": False, "heavenly_ready": 25},
    {"preset": "fz_C", "golden_dragon": True, "streak_counts": "dealer", "base": 3},
)


def three_golds(rng: Random, tiles: int) -> list[int]:
    """Few kinds, so that the gold is often held three times, in any shape."""
    return rng.sample([kind for kind in rng.sample(range(27), 9) for _ in range(3)], tiles)


@cache
def engine() -> Engine:
    return load()


def gold_rounds(variant: int, count: int, seed: int, wilds_max: int = 3) -> list[dict[str, Any]]:
    """Random rounds with one suited gold, of which three are in play."""
    ruleset = engine().rule_set("fuzhou", VARIANTS[variant])
    rounds = random_rounds(ruleset, count, seed, wilds_max=wilds_max, shapes=[three_golds])
    return [round for round in rounds if [name for name in round["wild"] if name[1] in "mps"] == round["wild"]]


@cache
def settled_rounds(variant: int, wilds_max: int = 3) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Random rounds of a variant that could be settled, with their results."""
    rounds = gold_rounds(variant, 700, variant, wilds_max)
    answered = zip(rounds, engine().settle(rounds), strict=True)
    return [(round, result) for round, result in answered if result["status"] == "settled"]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_alone_and_in_a_batch(variant: int) -> None:
    sample = conformance(
        "fuzhou", VARIANTS[variant], engine=engine(), hands=120, seed=variant, wilds_max=3, shapes=[three_golds]
    )
    assert sample.won > 40
    assert sample.rows > sample.won


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_nothing_is_minted_or_lost(variant: int) -> None:
    found = settled_rounds(variant)
    assert len(found) > 50
    for _, result in found:
        assert sum(result["deltas"]) == result["table"] == 0
        seat = result["wins"][0]["seat"]
        shares = {-delta for payer, delta in enumerate(result["deltas"]) if payer != seat}
        assert len(shares) == 1  # all three losers pay the same


@pytest.mark.parametrize(("variant", "table"), [(0, "B"), (1, "A"), (2, "C"), (3, "B")])
def test_payments_follow_the_formula(variant: int, table: str) -> None:
    """§4, written down a second time."""
    for round, result in settled_rounds(variant):
        (win,), event = result["wins"], round["events"][-1]
        player = round["players"][win["seat"]]
        golds = sum(code in map(CODES.get, round["wild"]) for code in parse_tiles(player["hand"] + win["tile"]))
        kongs = sum({"kong": 1, "added_kong": 1, "concealed_kong": 2}.get(meld["kind"], 0) for meld in player["melds"])
        core = len(parse_tiles(player["flowers"])) + golds + kongs + round["streak"] + (table == "C")
        instant = "rob_gold" in event["how"]
        drawn = "from" not in event and not (instant and table != "C")
        if drawn or (table == "C" and win["total"]):
            core *= 2
        assert win["points"] == 3 * (core + win["total"])
        if table == "C":
            assert win["total"] == sum(fan["value"] for fan in win["fans"])
        else:
            assert win["total"] == max([fan["value"] for fan in win["fans"]], default=0)


def complete(tiles: list[int], sets: int) -> bool:
    """Whether natural tiles are so many sets and a pair, by trying: the slow twin."""
    counts = {kind: tiles.count(kind) for kind in set(tiles)}

    def laid_out(left: dict[int, int], more: int) -> bool:
        if not more:
            return True
        low = min(kind for kind, count in left.items() if count)
        if left[low] >= 3 and laid_out({**left, low: left[low] - 3}, more - 1):
            return True
        run = (low, low + 1, low + 2)
        if low >= 27 or low % 9 > 6 or not all(left.get(kind) for kind in run):
            return False
        return laid_out({**left, **{kind: left[kind] - 1 for kind in run}}, more - 1)

    return any(laid_out({**counts, kind: count - 2}, sets) for kind, count in counts.items() if count >= 2)


@pytest.mark.parametrize("variant", [1, 3, 5])
def test_gold_types_by_their_definition(variant: int) -> None:
    """金龙: complete without the golds; 金雀: else complete with two golds as the pair and the third anywhere."""
    ruleset = engine().rule_set("fuzhou", VARIANTS[variant])
    seen = dict.fromkeys(("golden_dragon", "golden_pair", "neither"), 0)
    for dealt in random_wins(engine(), ruleset, 500, seed=70 + variant, wilds_max=3):
        hand = dealt.hand
        found = judge(ruleset, hand)
        golds = hand.view.wilds
        if found is None or golds < 2 or found.form != "standard" or "rob_gold" in hand.situation.how:
            continue
        sets = (int(ruleset.hand_size) - 1) // 3 - len(hand.melds)
        natural = [kind for kind, count in enumerate(hand.view.counts) for _ in range(count)]
        dragon = golds == 3 and complete(natural, sets - 1)
        # A kind of its own for the pair of golds: nothing else can use it.
        pair = any(complete([*natural, *extra, 40, 40], sets) for extra in combinations(range(34), golds - 2))
        expected = "golden_dragon" if dragon else "golden_pair" if pair else "neither"
        times = {id: found.times(id) for id in ("golden_dragon", "golden_pair")}
        if variant == 5:
            assert times["golden_dragon"] == (expected == "golden_dragon")
            assert times["golden_pair"] == (expected == "golden_pair")
        elif expected != "neither":  # the highest alone is listed
            value = next(fan.value for fan in ruleset.fans if fan.id == expected)
            assert isinstance(value, int)
            assert found.total >= value
        else:
            assert not any(times.values())
        seen[expected] += 1
    assert seen["golden_pair"] > 5
    assert seen["neither"] > 5


@pytest.mark.parametrize("by", [1, 2, 3])
def test_seats_may_be_renamed(by: int) -> None:
    found = settled_rounds(1)
    moved = engine().settle([rotated(round, by) for round, _ in found])
    for (_, result), other in zip(found, moved, strict=True):
        assert other["deltas"] == [result["deltas"][(seat - by) % 4] for seat in range(4)]


@pytest.mark.parametrize("suits", ["psm", "smp"])
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
        assert other["deltas"] == result["deltas"]


@pytest.mark.parametrize("variant", [0, 2])
def test_a_gold_in_place_of_a_tile_never_lowers_the_points(variant: int) -> None:
    """But in table B from two golds to three where the others are complete: 金龙 goes before 金雀 and brings less."""
    rng = Random(6)
    pairs = []
    for round, result in settled_rounds(variant, 2):
        player = round["players"][result["wins"][0]["seat"]]
        golds = [CODES[name] for name in round["wild"]]
        codes = parse_tiles(player["hand"])
        natural = [at for at, code in enumerate(codes) if code not in golds]
        if not golds or not natural:
            continue
        codes[rng.choice(natural)] = golds[0]
        players = [{**player, "hand": format_tiles(codes)} if other is player else other for other in round["players"]]
        pairs.append(({**round, "players": players}, result))
    settled = 0
    for other, (_, result) in zip(engine().settle([round for round, _ in pairs]), pairs, strict=True):
        if other["status"] == "settled":
            held = other["wins"][0]["fans"], result["wins"][0]["fans"]
            if [[fan["name"] for fan in fans] for fans in held] == [["三金倒"], ["金雀"]]:
                continue
            assert other["wins"][0]["points"] >= result["wins"][0]["points"]
            settled += 1
        else:  # a fourth gold
            assert {error["code"] for error in other["errors"]} == {"fifth_copy"}
    assert settled > 30


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_the_best_reading_is_the_best_of_all_substitutions(variant: int) -> None:
    ruleset = engine().rule_set("fuzhou", VARIANTS[variant])
    tried = won = 0
    for dealt in random_wins(engine(), ruleset, 300, seed=30 + variant, wilds_max=2):
        if tried == 40 or not 0 < dealt.hand.view.wilds <= 2:
            continue
        tried += 1
        found = judge(ruleset, dealt.hand)
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, dealt.hand, shapeless=("three_golds",)), dealt.wire
        won += found is not None
    assert tried == 40
    assert won > 15
