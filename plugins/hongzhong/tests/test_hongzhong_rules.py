"""What the plugin declares: tiles, presets, switches, the README's table; an engine with nothing but this plugin."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mjsettle_hongzhong
from mjsettle.settle import Engine, load
from mjsettle_hongzhong.birds import one_bird, seat_hits, value_hits
from mjsettle_hongzhong.options import OPTIONS, PRESETS

README = (Path(__file__).parents[1] / "README.md").read_text()
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| `([^`]+)` \|", re.MULTILINE)
WIN: dict[str, Any] = {
    "id": "alone",
    "rule": "hongzhong",
    "players": [{}, {"hand": "123456m789p235s7z"}, {}, {}],
    "events": [{"type": "win", "seat": 1, "tile": "1s"}],
}


@cache
def engine() -> Engine:
    return load()


@pytest.mark.parametrize(
    ("options", "tiles"),
    [
        ({}, 112),
        ({"zhong": 8}, 116),
        ({"zhong": 0}, 108),
        ({"tiles": "full"}, 136),
        ({"variant": "zhuanzhuan"}, 108),
        ({"variant": "zhuanzhuan", "zhong": 4}, 112),
    ],
)
def test_tile_sets(options: dict[str, object], tiles: int) -> None:
    assert sum(engine().rule_set("hongzhong", options).copies) == tiles


def test_birds() -> None:
    assert value_hits(["1m", "5p", "9s", "7z", "1z"]) == 5
    assert value_hits(["2m", "3p", "4s", "6m", "7p", "8s", "2z", "5z"]) == 0
    by_seat = [seat_hits([f"{rank}m" for rank in range(1, 10)], seat) for seat in range(4)]
    assert by_seat == [3, 2, 2, 2]
    assert seat_hits(["7z", "2z"], 3) == 1
    assert [one_bird(name) for name in ("1m", "9s", "7z", "1z")] == [1, 9, 10, 10]


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_compile_for_two_to_four_players(preset: str) -> None:
    for seats in (2, 3, 4):
        assert engine().rule_set("hongzhong", {"preset": preset}, seats=seats).options.preset == preset


def refusals(**changes: Any) -> list[tuple[str, str]]:
    (result,) = engine().settle([{**WIN, **changes}])
    return [(error["code"], error["field"]) for error in result.get("errors", ())]


def test_contradictory_switches_and_facts_are_all_named() -> None:
    assert refusals(options={"tiles": "full", "zhong": 8}) == [("contradictory", "options.zhong")]
    assert refusals(options={"variant": "zhuanzhuan", "profile": "hong_room"}) == [("contradictory", "options.variant")]
    won = {**WIN["events"][0], "liable": [{"seat": 2}]}
    assert refusals(
        events=[{"type": "kong", "seat": 0, "kind": "mixed_kong"}, won, {"type": "exhaustive_draw"}], birds=["2z"]
    ) == [
        ("not_in_play", "birds[0]"),
        ("contradictory", "events[2]"),
        ("unknown_kind", "events[0].kind"),
        ("not_allowed", "events[1].liable"),
    ]


def test_a_fifth_zhong_is_one_too_many() -> None:
    hand = {"hand": "123456m78p5s7777z"}
    won = [{"type": "win", "seat": 1, "tile": "7z"}]
    assert refusals(players=[{}, hand, {}, {}], events=won) == [("fifth_copy", "events[0].tile")]
    assert refusals(players=[{}, hand, {}, {}], events=won, options={"zhong": 8}) == []


def test_an_engine_with_this_plugin_alone() -> None:
    alone = load([mjsettle_hongzhong])
    own, other = alone.settle([WIN, {**WIN, "id": "other", "rule": "changsha"}])
    assert own["deltas"] == [-2, 6, -2, -2]
    (error,) = other["errors"]
    assert error["code"] == "unknown_rule"
    assert "install the plugin that declares it" in error["message"]


def test_the_readme_lists_every_switch() -> None:
    listed = {key: (title.strip(), default) for key, title, default in ROW.findall(README)}
    written = {o.key: (o.title, o.default if isinstance(o.default, str) else json.dumps(o.default)) for o in OPTIONS}
    assert listed == written
