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
from mjsettle.tiles import NAMES, parse_tiles

SWITCHES: tuple[dict[str, Any], ...] = (
    {"dianpao": "all", "zhuangxian": True, "no_zhong_birds": 2, "bird_count": 4},
    {"bird_map": "seat", "no_zhong_share": 1, "zhuangxian": True, "zhuangxian_scope": "narrow"},
    {"zhong": 8, "one_bird_all": True, "dianpao": "no_zhong"},
    {"preset": "hong_mil2024"},
    {"preset": "zhuanzhuan"},
)


@cache
def engine() -> Engine:
    return load()


def rounds(options: Mapping[str, Any], count: int, seed: int) -> list[dict[str, Any]]:
    """Random rounds with kongs of several seats before the win."""
    ruleset = engine().rule_set("hongzhong", options)
    rng = Random(seed)
    found = []
    for round in random_rounds(ruleset, count, seed, chows=False):
        for _ in range(rng.randint(0, 3)):
            seat = rng.randrange(4)
            kind = rng.choice(("kong", "added_kong", "concealed_kong"))
            kong: dict[str, Any] = {"type": "kong", "seat": seat, "kind": kind}
            if kind == "kong":
                kong["from"] = (seat + rng.randint(1, 3)) % 4
            round["events"].insert(0, kong)
        found.append(round)
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
    assert sum(result["deltas"]) + result["table"] == 0
    turn = rng.randint(1, 3)
    turned = settle(rotated(round, turn))
    assert turned["deltas"] == [result["deltas"][(seat - turn) % 4] for seat in range(4)]
    assert settle(melds_shuffled(round, rng))["deltas"] == result["deltas"]
    suits = "".join(rng.sample("mps", 3))
    assert settle(suits_swapped(round, suits))["deltas"] == result["deltas"]


@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_a_batch_gives_what_each_round_alone_gives(options: dict[str, Any]) -> None:
    many = rounds(options, 60, seed=11)
    assert engine().settle(many) == [settle(round) for round in many]


def with_one_more_zhong(round: Mapping[str, Any], rng: Random) -> dict[str, Any] | None:
    """The round with one natural concealed tile of its winner turned into a 红中, where it has one already."""
    event = round["events"][-1]
    player = round["players"][event["seat"]]
    names = [NAMES[code] for code in parse_tiles(player["hand"])]
    natural = [at for at, name in enumerate(names) if name != "7z"]
    shown = [*names, event["tile"], *round["birds"]].count("7z")
    if "7z" not in names or shown > 3 or not natural:
        return None
    names[rng.choice(natural)] = "7z"
    players = list(round["players"])
    players[event["seat"]] = {**player, "hand": "".join(names)}
    return {**round, "players": players}


@given(st.sampled_from(({}, {"preset": "hong_mil2024"})), st.integers(0, 10**6))
def test_one_more_zhong_never_makes_a_win_cheaper(options: dict[str, Any], seed: int) -> None:
    """A hand that holds one already has no 无红中 to lose."""
    ruleset = engine().rule_set("hongzhong", options)
    for round in random_rounds(ruleset, 4, seed, chows=False, wilds_max=3):
        better = with_one_more_zhong(round, Random(seed))
        result = settle(round)
        if better is None or result["status"] == "refused":
            continue
        found = settle(better)
        assert found["status"] == "settled", found
        assert found["wins"][0]["points"] >= result["wins"][0]["points"]


@given(st.integers(0, 10**6))
def test_zhong_is_wild_whether_named_or_not(seed: int) -> None:
    ruleset = engine().rule_set("hongzhong", {})
    (round,) = random_rounds(ruleset, 1, seed, chows=False)
    assert round["wild"] == ["7z"]
    assert settle({**round, "wild": []}) == settle(round)
