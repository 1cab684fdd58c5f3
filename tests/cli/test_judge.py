"""`mjsettle judge` says a round as a person would; the round it makes is the wire's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from mjsettle.cli.judge import judge
from mjsettle.cli.show import in_language


def round_of(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(judge, [*arguments, "--round"])
    assert result.exit_code == 0, result.output
    record: dict[str, Any] = json.loads(result.stdout)
    return record


def test_the_smallest_win() -> None:
    assert round_of("--rule", "r", "123456m234p777s1z", "--win", "1z") == {
        "id": "judge",
        "rule": "r",
        "options": {},
        "dealer": 0,
        "players": [{"hand": "123456m234p777s1z", "melds": []}, {}, {}, {}],
        "events": [{"type": "win", "seat": 0, "tile": "1z"}],
    }


def test_everything_a_round_can_say() -> None:
    record = round_of(
        *("-r", "r", "12m5z", "123p", "added:7777z@0", "concealed:2222s", "-w", "5z", "-w", "1x", "--win", "3m"),
        *("-p", "room", "-o", "horses=2", "-o", "ghost=bai", "--seat", "2", "--dealer", "1", "--from", "3"),
        *("--how", "rob_kong", "--how", "last_tile", "--flag", "ready", "--flowers", "15f", "--bird", "3m"),
        *("--dora", "1m", "--ura-dora", "2m", "--round-wind", "2z", "--streak", "3", "--honba", "1", "--deposits", "2"),
    )
    assert record == {
        "id": "judge",
        "rule": "r",
        "options": {"preset": "room", "horses": 2, "ghost": "bai"},
        "dealer": 1,
        "players": [
            {},
            {},
            {
                "hand": "12m5z",
                "melds": [
                    {"kind": "chow", "tiles": "123p", "from": 1},
                    {"kind": "added_kong", "tiles": "7777z", "from": 0},
                    {"kind": "concealed_kong", "tiles": "2222s"},
                ],
                "flowers": "15f",
                "flags": ["ready"],
            },
            {},
        ],
        "events": [{"type": "win", "seat": 2, "tile": "3m", "from": 3, "how": ["rob_kong", "last_tile"]}],
        "wild": ["5z", "1x"],
        "birds": ["3m"],
        "dora": ["1m"],
        "ura_dora": ["2m"],
        "round_wind": "2z",
        "streak": 3,
        "honba": 1,
        "deposits": 2,
    }


def test_ron_is_on_the_tile_of_the_seat_before() -> None:
    assert round_of("-r", "r", "1m", "--win", "1m", "--ron")["events"][0]["from"] == 3
    assert round_of("-r", "r", "1m", "--win", "1m", "--ron", "--seat", "2", "--seats", "3")["events"][0]["from"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--win", "1m", "--from", "0"], "cannot win on its own discard"),
        (["--win", "1m", "--seats", "2", "--dealer", "2"], "found seat 2 of 2 seats"),
        (["--win", "12m"], "'12m' is not a tile"),
        (["--win", "8z"], "'8z' is not a tile"),
        ([], "Missing option '--win'"),
        (["--win", "1m", "-o", "horses"], "expected key=value"),
        (["--win", "1m", "12m"], "with 2 tiles"),
    ],
)
def test_a_wrong_call_says_what_to_do(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(judge, ["-r", "r", "1m", *arguments])
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())


GUANGDONG = ("--rule", "guangdong", "--wild", "5z", "12345m567p1s5z", "222s@3", "--seat", "2")


def test_a_win_is_judged_and_explained() -> None:
    arguments = [*GUANGDONG, "--win", "6m", "-o", "horses=2", "--bird", "3m", "--bird", "7p"]
    result = CliRunner().invoke(judge, arguments)
    assert result.exit_code == 0, result.output
    text = " ".join(result.output.split())
    assert "seat 2 wins on 6m 六万, self-drawn" in text
    assert "wilds are 1s 一条" in text
    assert "fans 自摸 self_draw 2" in text
    assert "deltas seat 0 -6 seat 1 -6 seat 2 +18 seat 3 -6" in text
    answer = json.loads(CliRunner().invoke(judge, [*arguments, "--json"]).stdout)
    assert answer["deltas"] == [-6, -6, 18, -6]


def test_a_hand_that_does_not_win_says_so_and_exits_1() -> None:
    result = CliRunner().invoke(judge, [*GUANGDONG, "--win", "7z"])
    assert result.exit_code == 1
    assert "refused" in result.output
    assert "(not_a_win)" in result.output


def test_every_fault_is_shown() -> None:
    result = CliRunner().invoke(judge, [*GUANGDONG, "--win", "6m", "-o", "birds=2", "--flag", "levitating"])
    assert result.exit_code == 1
    assert "options.birds" in result.output
    assert "flags" in result.output


def test_fans_are_named_in_the_language_asked_for() -> None:
    result = {"wins": [{"fans": [{"id": "a", "name": "碰碰胡", "names": {"zh": "碰碰胡", "en": "all pungs"}}]}]}
    assert in_language(result, "en")["wins"][0]["fans"][0]["name"] == "all pungs"
    assert in_language(result, "ja")["wins"][0]["fans"][0]["name"] == "碰碰胡"
    assert in_language(result, None) is result
    assert round_of("-r", "r", "1m", "--win", "1m", "--lang", "en")["names"] is True


def test_norths_are_the_winners() -> None:
    assert round_of("-r", "r", "1m", "--win", "1m", "--norths", "2")["players"][0]["norths"] == 2
