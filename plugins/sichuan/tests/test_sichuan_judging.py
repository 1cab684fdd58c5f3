"""Judging Sichuan hands: alone and in batches, under every table of fans."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import mjsettle
import mjsettle_sichuan
from mjsettle.testing import conformance, random_rounds


@cache
def engine() -> mjsettle.Engine:
    return mjsettle.load([mjsettle_sichuan])


EVERYTHING = {
    "men_zhong": True,
    "zimo": "jiafan",
    "longqidui": 4,
    "ka_er_tiao": True,
    "jia_xin_wu": True,
    "cap": None,
}


TABLES = [{}, EVERYTHING, {"preset": "sbr"}, {"preset": "kt", "only_kong": True}, {"preset": "sc_mult"}]


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_alone_and_in_a_batch(options: dict[str, Any]) -> None:
    sample = conformance("sichuan", options, engine=engine(), chows=False, wilds_max=0, hands=300)
    assert sample.won > 60


def test_every_fan_occurs() -> None:
    counted = conformance("sichuan", EVERYTHING, engine=engine(), chows=False, wilds_max=0, hands=800).fans
    rare = {"two_five_eight", "dragon_pairs", "middle_two", "middle_five", "golden_hook", "robbed_kong", "outside_hand"}
    assert {fan.id for fan in engine().rule_set("sichuan", EVERYTHING).fans} - rare <= counted


@pytest.mark.parametrize(
    ("hand", "tile", "options", "total"),
    [
        ("456789m13s55s666s", "2s", {"ka_er_tiao": True}, 1),
        ("456789m23s55s666s", "1s", {"ka_er_tiao": True}, 0),
        ("46m123789s555s99s", "5m", {"jia_xin_wu": True}, 1),
        ("34m123789s555s99s", "5m", {"jia_xin_wu": True}, 0),
        ("123m4s123789s555s", "4s", {}, 0),
        ("222555888m2255s", "2s", {}, 3),
        ("119922m119922s3s", "3s", {}, 2),
    ],
)
def test_fans_of_the_sheet(hand: str, tile: str, options: dict[str, Any], total: int) -> None:
    record = {
        "id": "hand",
        "rule": "sichuan",
        "options": options,
        "players": [{"hand": hand}, {}, {}, {}],
        "events": [{"type": "win", "seat": 0, "tile": tile, "from": 1}],
    }
    (result,) = engine().settle([record])
    assert result["status"] == "settled", result
    assert result["wins"][0]["total"] == total


MULTIPLIERS = {"preset": "sc_mult", "zimo": "none"}
SAME_IN_FANS = {"cap": None, "men_zhong": True, "zimo": "none", "tianhu": 5, "dihu": 5}


def test_multipliers_are_the_fans_of_the_table_that_adds() -> None:
    """But 将七对 has its roots inside, and 将 multiplies 对对胡 once more beside 金钩钓."""
    sums, products = (engine().rule_set("sichuan", options) for options in (SAME_IN_FANS, MULTIPLIERS))
    rounds = list(random_rounds(sums, 3_000, 11, wilds_max=0))
    answers = zip(
        *(engine().settle([{**r, "options": options} for r in rounds]) for options in (SAME_IN_FANS, MULTIPLIERS)),
        strict=True,
    )
    names: set[str] = set()
    compared = 0
    for by_fans, by_multipliers in answers:
        assert by_fans["status"] == by_multipliers["status"]
        if by_fans["status"] != "settled":
            continue
        own, other = by_fans["wins"][0], by_multipliers["wins"][0]
        counted = {fan["id"]: fan["times"] for fan in own["fans"]}
        named = {fan["name"] for fan in other["fans"]}
        names |= named
        expected = own["total"] - counted.get("concealed_hand", 0)
        expected += "将对" in named and "金钩钓" in named
        expected -= counted.get("root", 0) if "将七对" in named else 0
        assert other["total"] == 2**expected, (own, other)
        compared += 1
    assert compared > 800
    assert {fan.id for fan in products.fans} >= {"plain_win", "flush_dragon", "triple_dragon"}
    assert names >= {"平胡", "碰碰胡", "清碰", "清一色", "七对", "清七对", "龙七对", "断幺九", "根"}
