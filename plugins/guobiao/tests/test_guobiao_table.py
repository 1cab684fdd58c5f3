"""The table of fans against the sheet's, and what people see of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mjsettle_guobiao
from mjsettle.describe import describe
from mjsettle.settle import load
from mjsettle_guobiao.fans import fan_id

SHEET: list[dict[str, Any]] = json.loads((Path(__file__).parent / "sheet_fans.json").read_text())
ENGINE = load([mjsettle_guobiao])
# What the functions look after, because only some sets are meant, and what cannot be in one reading.
FOR_SOME_SETS = {
    ("小四喜", "幺九刻"),
    ("三风刻", "幺九刻"),
    ("箭刻", "幺九刻"),
    ("圈风刻", "幺九刻"),
    ("门风刻", "幺九刻"),
}
NEVER_TOGETHER = {("一色三节高", "一色三同顺")}
# 无番和 stands with flowers: they are added to it.
BESIDE_FLOWERS = {("无番和", "花牌")}


def test_names_values_and_exclusions_are_the_sheets() -> None:
    fans = {fan.name: fan for fan in ENGINE.rule_set("guobiao").fans}
    names = {fan.id: fan.name for fan in fans.values()}
    assert {row["zh"]: (row["value"], row["en"], fan_id(row["en"])) for row in SHEET} == {
        name: (fan.value, fan.english, fan.id) for name, fan in fans.items()
    }
    excluded = {(fan.name, names[other]) for fan in fans.values() for other in fan.excludes}
    wanted = {(row["zh"], other) for row in SHEET for other in row["excludes"]}
    assert wanted - excluded == FOR_SOME_SETS | NEVER_TOGETHER | BESIDE_FLOWERS
    assert not excluded - wanted


def test_the_order_is_the_1998_rules() -> None:
    numbered = [fan for fan in ENGINE.rule_set("guobiao").fans if " of 81" in fan.cite]
    assert [int(fan.cite.split("no. ")[1].split()[0]) for fan in numbered] == list(range(1, 82))


def test_every_fan_says_what_it_asks_for() -> None:
    described = describe(ENGINE, "guobiao")
    assert len(described["fans"]) == 82
    assert all(fan["condition"] and fan["cite"] and fan["names"]["en"] for fan in described["fans"])
    assert all(option["title"] and option["doc"] for option in described["options"])


@pytest.mark.parametrize(
    ("options", "fan", "value"),
    [
        ({}, "two_concealed_kongs", 6),
        ({"preset": "wmo2006"}, "two_concealed_kongs", 8),
        ({"preset": "ema"}, "melded_plus_concealed_kong", 6),
        ({"preset": "book1998"}, "melded_plus_concealed_kong", None),
        ({"flowers_enabled": False}, "flower_tile", None),
    ],
)
def test_switches_change_the_table(options: dict[str, Any], fan: str, value: int | None) -> None:
    assert {f.id: f.value for f in ENGINE.rule_set("guobiao", options).fans}.get(fan) == value
