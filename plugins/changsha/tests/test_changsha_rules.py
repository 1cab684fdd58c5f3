"""What the plugin declares: tiles, opening hands, switches, the README's table; an engine with this plugin alone."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mjsettle_changsha
from mjsettle.settle import Engine, load
from mjsettle.tiles import parse_tiles
from mjsettle_changsha.birds import bird_seats, factor
from mjsettle_changsha.fans import BIG
from mjsettle_changsha.opening import BY_NAME, KINDS, shown_by
from mjsettle_changsha.options import OPTIONS
from mjsettle_changsha.payments import base_points

README = (Path(__file__).parents[1] / "README.md").read_text()
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| `([^`]+)` \|", re.MULTILINE)
WIN: dict[str, Any] = {
    "id": "alone",
    "rule": "changsha",
    "players": [{}, {"hand": "122334m2345p789s"}, {}, {}],
    "events": [{"type": "win", "seat": 1, "tile": "2p"}],
}


@cache
def engine() -> Engine:
    return load()


def test_tiles() -> None:
    assert sum(engine().rule_set("changsha").copies) == 108


def test_base_units() -> None:
    """CS-010: a small win and two big ones, between other seats and with the dealer."""
    options = engine().rule_set("changsha").options
    assert [base_points(options, big, dealer) for big in (0, 2) for dealer in (False, True)] == [1, 2, 12, 14]


def test_birds() -> None:
    assert bird_seats(range(1, 10), 1) == [1, 2, 3, 0, 1, 2, 3, 0, 1]
    assert [factor([1, 1, 2], 1, payer) for payer in (0, 2)] == [4, 8]


@pytest.mark.parametrize(
    ("tiles", "kinds"),
    [
        ("1112m33p456789s9p", []),
        ("2222m134p456789s", ["four_joys"]),
        ("1133446m779p116s", ["no_258"]),
        ("123456789m1235p", ["suit_missing"]),
        ("222m555p1346789s", ["two_triplets"]),
        ("22m22p22s4679m13s8p", ["three_alike", "golden_pair"]),
        ("445566m12p34567s", ["step_by_step"]),
        ("1234678m5p12378s", ["one_flower"]),
        ("1234678m4p12378s", []),
    ],
)
def test_opening_hands(tiles: str, kinds: list[str]) -> None:
    options = engine().rule_set("changsha", {"opening_ext": True}).options
    codes = parse_tiles(tiles)
    assert len(codes) in (13, 14)
    assert [kind.id for kind in shown_by(codes, options)] == kinds


def test_names_are_unique() -> None:
    assert len(BY_NAME) == sum(2 + len(kind.others) for kind in KINDS)
    assert len({fan.name for fan in BIG}) == len(BIG)


def refusals(**changes: Any) -> list[tuple[str, str]]:
    (result,) = engine().settle([{**WIN, **changes}])
    return [(error["code"], error["field"]) for error in result.get("errors", ())]


def test_every_fault_is_named_at_once() -> None:
    events = [
        {"type": "opening", "kinds": ["三同"]},
        {"type": "opening", "seat": 2},
        {"type": "kong", "seat": 0, "kind": "mixed_kong"},
        {**WIN["events"][0], "liable": [{"seat": 2}]},
        {"type": "exhaustive_draw"},
    ]
    assert refusals(events=events) == [
        ("contradictory", "events[4]"),
        ("missing", "events[0].seat"),
        ("missing", "events[1].kinds"),
        ("unknown_kind", "events[2].kind"),
        ("not_allowed", "events[3].liable"),
    ]


def test_one_seat_does_not_win_one_discard_twice() -> None:
    won = {**WIN["events"][0], "from": 2}
    assert refusals(events=[won, won]) == [("contradictory", "events")]


def test_an_engine_with_this_plugin_alone() -> None:
    alone = load([mjsettle_changsha])
    own, other = alone.settle([WIN, {**WIN, "id": "other", "rule": "hongzhong"}])
    assert own["deltas"] == [-2, 4, -1, -1]
    (error,) = other["errors"]
    assert error["code"] == "unknown_rule"
    assert "install the plugin that declares it" in error["message"]


def test_the_readme_lists_every_switch() -> None:
    listed = {key: (title.strip(), default) for key, title, default in ROW.findall(README)}
    written = {o.key: (o.title, o.default if isinstance(o.default, str) else json.dumps(o.default)) for o in OPTIONS}
    assert listed == written
