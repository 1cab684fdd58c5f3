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


# Worked out by hand from the rule sheet: value x doublings + horses, per payer; then kongs.
DELTAS = {
    "demo/1-wild-self-draw": [-10, -10, 30, -10],  # 2, four horses of 2
    "demo/2-kongs": [-17, 50, -13, -20],  # 2 x 2 without a wild, streak 2 x 2, three horses; kongs 2 each, 3, 1 each
    "demo/3-robbed-kong": [12, -12, 0, 0],  # 2, one horse; the robbed seat pays all three shares, its kong is void
    "demo/4-kong-then-win": [0, -39, 0, 39],  # 2 x 2, two horses of 4; the feeder pays three shares and the kong's 3
    "demo/5-seven-pairs": [18, -6, -6, -6],  # 2 x 2, one horse
    "demo/6-thirteen-orphans": [-4, -4, -4, 12],  # 2, one horse; a wild that stands for itself is still a wild
    "demo/7-drawn-round": [0, 0, 0, 0],  # kongs pay only when someone wins
    "demo/8-pattern-table": [0, -3, 0, 3],  # pungs in one suit with honours: 3, from the discarder
    "demo/9-four-ghosts": [-4, 12, -4, -4],  # 2, one horse
}


def test_every_example_settles_as_worked_out_by_hand() -> None:
    result = CliRunner().invoke(demo, ["--json"])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(answer["id"], answer["status"]) for answer in answers] == [(r["id"], "settled") for r in ROUNDS]
    assert {answer["id"]: answer["deltas"] for answer in answers} == DELTAS


def test_the_demo_prints_every_round() -> None:
    result = CliRunner().invoke(demo)
    assert result.exit_code == 0, result.output
    assert all(record["id"] in result.output for record in ROUNDS)
    assert "refused" not in result.output
    assert CliRunner().invoke(demo, ["--rounds"]).stdout_bytes == examples.rounds()


def test_the_rounds_end_when_the_caller_says() -> None:
    plain, ended = (
        CliRunner().invoke(demo, ["--rounds", *given], catch_exceptions=False).stdout.splitlines()
        for given in ([], ["--ended-at", "1800000000"])
    )
    assert [json.loads(line) | {"ended_at": 1_800_000_000} for line in plain] == [json.loads(line) for line in ended]
