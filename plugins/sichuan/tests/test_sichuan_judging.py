"""Judging Sichuan hands: alone and in batches, under every table of fans."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import mjsettle
import mjsettle_sichuan
from mjsettle.testing import conformance


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


@pytest.mark.parametrize("options", [{}, EVERYTHING, {"preset": "sbr"}, {"preset": "kt", "only_kong": True}], ids=str)
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
