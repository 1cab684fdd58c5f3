"""Guangdong's fans on random hands: alone and in a batch, and against every substitution of the wild tiles."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from mjsettle.batch import judge_batch
from mjsettle.judge import judge
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_wins

ROOM = {"preset": "gd_tdh_room"}
PATTERN = {"preset": "gd_pattern"}
MIL = {"preset": "gd_mil2023"}
EVERYTHING = {
    **ROOM,
    "chihu": True,
    "wugui": True,
    "qidui_jiafan": True,
    "haohua": True,
    "four_ghost": True,
    "four_ghost_double": True,
}
SWITCHES: tuple[dict[str, Any], ...] = (
    ROOM,
    EVERYTHING,
    {**EVERYTHING, "shuang_haohua": False, "ghost": "hua8", "four_ghost_first_only": True},
    {"tiles": "no_honours", "chihu": True},
    {"tiles": "no_characters", "haohua": True},
    PATTERN,
    {**PATTERN, "chihu": True, "wugui": True, "four_ghost": True, "four_ghost_double": True, "haidi_double": True},
    {**PATTERN, "patterns": "chaoshan"},
    {**PATTERN, "patterns": "rooms"},
    MIL,
)


@cache
def engine() -> Engine:
    return load()


def name(options: dict[str, Any]) -> str:
    return " ".join(str(value) if isinstance(value, str) else key for key, value in options.items())


@pytest.mark.parametrize("options", SWITCHES, ids=name)
def test_alone_and_in_a_batch_agree(options: dict[str, Any]) -> None:
    sample = conformance("guangdong", options, engine=engine(), chows=False, hands=250)
    assert sample.won > 125
    assert sample.rows > sample.won


def test_two_players_agree_too() -> None:
    assert conformance("guangdong", {"tiles": "two"}, engine=engine(), seats=2, chows=False, hands=200).won > 100


def test_the_random_hands_have_nearly_every_fan() -> None:
    """What they hardly ever have is in the wire cases."""
    rare = {"pure_terminals", "eighteen_arhats", "triple_luxury_pairs", "nine_gates", "small_winds", "four_ghosts"}
    for options in ({**EVERYTHING}, {**PATTERN, "chihu": True}, {**PATTERN, "patterns": "chaoshan"}, MIL):
        ruleset = engine().rule_set("guangdong", options)
        dealt = random_wins(engine(), ruleset, 800, seed=7, chows=False)
        judged = judge_batch(ruleset, [item.hand for item in dealt])
        seen = {fan.id for found in judged if found is not None for fan, _, _ in found.counted}
        assert {fan.id for fan in ruleset.fans} - seen <= rare


def check_against_substitution(options: dict[str, Any], hands: int, wilds_max: int, seed: int) -> None:
    ruleset = engine().rule_set("guangdong", options)
    won = 0
    for dealt in random_wins(engine(), ruleset, hands, seed, chows=False, wilds_max=wilds_max):
        found = judge(ruleset, dealt.hand)
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, dealt.hand, shapeless=("four_ghosts",)), dealt.wire
        won += rank is not None
    assert won > hands // 2


@pytest.mark.parametrize("options", SWITCHES, ids=name)
def test_the_best_reading_is_the_best_of_all_substitutions(options: dict[str, Any]) -> None:
    check_against_substitution(options, 60, 2, seed=3)


@pytest.mark.soak
@pytest.mark.parametrize("options", SWITCHES, ids=name)
def test_the_best_reading_with_three_wilds(options: dict[str, Any]) -> None:
    check_against_substitution(options, 400, 3, seed=4)
