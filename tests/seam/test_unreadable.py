"""A line with structural faults has the faults of its sound part listed beside them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mjsettle.settle import Engine, load


@pytest.fixture
def engine(make_plugin: Any) -> Engine:
    return load([make_plugin()])


def _errors(engine: Engine, line: Any) -> list[tuple[str, str]]:
    answer = json.loads(engine.settle_json(json.dumps(line).encode()))
    assert answer["status"] == "refused"
    return [(error["code"], error["field"]) for error in answer["errors"]]


def test_faults_of_form_and_of_content_are_answered_together(engine: Engine) -> None:
    line = {
        "id": "a",
        "rule": "tiny",
        "bogus": 1,
        "options": {"nothing": 1},
        "players": [{"hand": "999"}, {"hand": 5}, {"hand": "11111m"}, {}],
        "dealer": "x",
        "events": [{"type": "win", "seat": 2, "tile": "9q"}, {"type": "kong", "seat": 9}],
    }
    assert _errors(engine, line) == [
        ("unknown_field", "bogus"),
        ("wrong_type", "players[1].hand"),
        ("wrong_type", "dealer"),
        ("wrong_type", "events[1].seat"),
        ("unknown_option", "options.nothing"),
        ("bad_tile", "players[0].hand"),
        ("bad_tile", "events[0].tile"),
        ("fifth_copy", "players[2].hand"),
    ]


def test_what_follows_from_a_missing_part_is_not_called_a_fault(engine: Engine) -> None:
    """A `from` of the wrong type is dropped; that the win then has none is not the room's mistake."""
    line = {
        "id": "a",
        "rule": "tiny",
        "players": [{"hand": 7}, {}, {}, {}],
        "events": [{"type": "win", "seat": 0, "tile": "1m", "from": "1", "how": ["rob_kong"]}],
    }
    assert _errors(engine, line) == [("wrong_type", "players[0].hand"), ("wrong_type", "events[0].from")]


@pytest.mark.parametrize("line", [[], 7, None, "round", {}, {"id": "a"}, {"id": "a", "players": 3, "rule": {}}])
def test_what_is_no_round_at_all_is_answered(engine: Engine, line: Any) -> None:
    assert _errors(engine, line)
