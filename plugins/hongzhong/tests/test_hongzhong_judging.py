"""Fans on random hands: alone and in a batch, and against every substitution of the 红中."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from mjsettle.judge import judge
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_wins
from mjsettle.tiles import CODES

ROOM = {"preset": "hong_room"}
EVERYTHING = {"dianpao": "all", "no_zhong_share": 1, "zhong_claims": True}
MIL = {"preset": "hong_mil2024"}
SWITCHES: tuple[dict[str, Any], ...] = (
    ROOM,
    EVERYTHING,
    {"tiles": "full", "dianpao": "all"},
    {"preset": "zhuanzhuan"},
    {"preset": "zhuanzhuan", "zhong": 4, "qidui": False},
    MIL,
    {**MIL, "rob_kong": True, "dianpao": "all", "four_zhong": True, "cap": 10},
)


@cache
def engine() -> Engine:
    return load()


def four_zhong(rng: Random, tiles: int) -> list[int]:
    """Four 红中 and tiles that belong to nothing."""
    return [CODES["7z"]] * 4 + rng.sample(range(27), tiles - 4)


@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_alone_and_in_a_batch_agree(options: dict[str, Any]) -> None:
    sample = conformance("hongzhong", options, engine=engine(), hands=250, chows=False, shapes=[four_zhong])
    assert sample.won > 50
    assert sample.rows > sample.won


def test_more_than_four_zhong_alone_and_in_a_batch() -> None:
    sample = conformance("hongzhong", {"zhong": 8}, engine=engine(), hands=60, chows=False, wilds_max=6)
    assert sample.won > 20


def test_every_fan_occurs() -> None:
    for options in ({**EVERYTHING}, MIL):
        fans = {fan.id for fan in engine().rule_set("hongzhong", options).fans}
        sample = conformance("hongzhong", options, engine=engine(), seed=5, hands=400, chows=False)
        assert fans - {"dragon_pairs"} <= sample.fans


def check_against_substitution(options: dict[str, Any], hands: int, wilds_max: int, seed: int) -> None:
    ruleset = engine().rule_set("hongzhong", options)
    won = 0
    for dealt in random_wins(engine(), ruleset, hands, seed, chows=False, wilds_max=wilds_max):
        found = judge(ruleset, dealt.hand)
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, dealt.hand, shapeless=("four_zhong",)), dealt.wire
        won += rank is not None
    assert won > hands // 2


@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_the_best_reading_is_the_best_of_all_substitutions(options: dict[str, Any]) -> None:
    check_against_substitution(options, 60, 2, seed=3)


@pytest.mark.soak
@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_the_best_reading_with_three_wilds(options: dict[str, Any]) -> None:
    check_against_substitution(options, 300, 3, seed=4)
