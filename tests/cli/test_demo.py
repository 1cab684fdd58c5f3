"""The rounds that ship with the package settle, and the demo prints them all."""

from __future__ import annotations

import json

from click.testing import CliRunner

from mjsettle import examples
from mjsettle.cli.demo import demo
from mjsettle.tiles import CODES, KIND_OF, parse_tiles

ROUNDS = [json.loads(line) for line in examples.rounds().splitlines()]


def test_the_examples_are_whole_rounds_with_wilds_and_kongs() -> None:
    assert len(ROUNDS) >= 6
    assert sum(1 for record in ROUNDS if record.get("wild")) >= 6
    assert any(event["type"] == "kong" for record in ROUNDS for event in record["events"])
    assert any(event["type"] == "exhaustive_draw" for record in ROUNDS for event in record["events"])
    for record in ROUNDS:
        tiles = [*record.get("birds", ())]
        for player in record["players"]:
            melds = [meld["tiles"] for meld in player.get("melds", ())]
            assert len(parse_tiles(player["hand"])) + 3 * len(melds) == 13
            tiles += [player["hand"], *melds]
        tiles += [e["tile"] for e in record["events"] if e["type"] == "win" and "rob_kong" not in e.get("how", ())]
        kinds = [KIND_OF[code] for code in parse_tiles("".join(tiles))]
        assert all(kinds.count(kind) <= 4 for kind in range(CODES["7z"] + 1)), record["id"]


def test_every_example_settles() -> None:
    result = CliRunner().invoke(demo, ["--json"])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(answer["id"], answer["status"]) for answer in answers] == [(r["id"], "settled") for r in ROUNDS]


def test_the_demo_prints_every_round() -> None:
    result = CliRunner().invoke(demo)
    assert result.exit_code == 0, result.output
    assert all(record["id"] in result.output for record in ROUNDS)
    assert "refused" not in result.output
    assert CliRunner().invoke(demo, ["--rounds"]).stdout_bytes == examples.rounds()
