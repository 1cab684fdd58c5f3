"""What must not change a settlement, and what it must always keep to, on random rounds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjsettle.settle import Engine, load
from mjsettle.testing import random_rounds
from mjsettle.testing.symmetries import melds_shuffled, rotated, suits_swapped
from mjsettle_changsha.opening import DEFAULT

SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"bird_origin": "winner", "bird_count": 4, "opening_each_type": True},
    {"preset": "no_dealer", "big_max": 2, "haidi_bird": "once"},
    {"menqing": True, "que_yi_men": True, "rob_supplement_small": False},
)


@cache
def engine() -> Engine:
    return load()


def rounds(options: Mapping[str, Any], count: int, seed: int) -> list[dict[str, Any]]:
    """Random rounds with opening hands and kongs before the win."""
    ruleset = engine().rule_set("changsha", options)
    rng = Random(seed)
    found = []
    for round in random_rounds(ruleset, count, seed, wilds_max=0):
        kongs = [
            {
                "type": "kong",
                "seat": rng.randrange(4),
                "kind": "added_kong",
                "style": rng.choice(("open", "supplement")),
            }
            for _ in range(rng.randint(0, 2))
        ]
        shown = [
            {
                "type": "opening",
                "seat": seat,
                "kinds": [kind.id for kind in rng.sample(DEFAULT, rng.randint(1, 3))],
                "extra": {"dice": [rng.randint(1, 6), rng.randint(1, 6)]},
            }
            for seat in range(4)
            if rng.random() < 0.2
        ]
        found.append({**round, "events": [*shown, *kongs, *round["events"]]})
    return found


def settle(round: Mapping[str, Any]) -> dict[str, Any]:
    (result,) = engine().settle([round])
    return result


@given(st.sampled_from(SWITCHES), st.integers(0, 10**6))
def test_seats_suits_and_meld_order(options: dict[str, Any], seed: int) -> None:
    (round,) = rounds(options, 1, seed)
    result, rng = settle(round), Random(seed)
    if result["status"] == "refused":
        assert settle(rotated(round, 1))["status"] == "refused"
        return
    assert sum(result["deltas"]) == 0
    turn = rng.randint(1, 3)
    turned = settle(rotated(round, turn))
    assert turned["deltas"] == [result["deltas"][(seat - turn) % 4] for seat in range(4)]
    assert settle(melds_shuffled(round, rng))["deltas"] == result["deltas"]
    suits = "".join(rng.sample("mps", 3))
    assert settle(suits_swapped(round, suits))["deltas"] == result["deltas"]


@given(st.sampled_from(SWITCHES), st.integers(0, 10**6), st.integers(1, 9), st.sampled_from("mps"))
def test_one_more_bird_never_makes_a_payment_smaller(options: dict[str, Any], seed: int, rank: int, suit: str) -> None:
    (round,) = rounds(options, 1, seed)
    round["birds"] = round["birds"][:1]
    before, after = settle(round), settle({**round, "birds": [*round["birds"], f"{rank}{suit}"]})
    if before["status"] == "refused" or not round["birds"]:
        return
    if after["status"] == "refused":
        assert {error["code"] for error in after["errors"]} == {"fifth_copy"}
        return
    was, now = (
        {(entry["from"], entry["to"], entry["event"]): entry["points"] for entry in result["transfers"]}
        for result in (before, after)
    )
    assert was.keys() == now.keys()
    assert all(now[payment] in (points, 2 * points, 4 * points) for payment, points in was.items())


@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_a_batch_gives_what_each_round_alone_gives(options: dict[str, Any]) -> None:
    many = rounds(options, 60, seed=11)
    assert engine().settle(many) == [settle(round) for round in many]
