"""`mjsettle waits` and `mjsettle shanten`, for people and for programs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from mjsettle.cli import main


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.output


def test_waits_are_shown_in_notation_and_chinese() -> None:
    assert run("waits", "2345678m") == (0, "2m 5m 8m  二万 五万 八万\n")
    assert run("waits", "147m258p369s1234z") == (0, "no tile completes it\n")


@pytest.mark.parametrize(
    ("arguments", "tiles"),
    [
        (["3456667888m"], ["2m", "5m", "6m", "7m", "8m", "9m"]),
        (["12m55p", "222s@1", "concealed:7777z", "345m"], ["3m"]),
        (["2345678m", "--wild", "5z"], ["2m", "5m", "8m", "5z"]),
        (["1111m"], []),
        (["1111m", "--held-fours"], ["1m"]),
    ],
)
def test_waits_as_json(arguments: list[str], tiles: list[str]) -> None:
    code, text = run("waits", *arguments, "--json")
    assert (code, json.loads(text)) == (0, {"waits": tiles})


def test_shanten() -> None:
    code, text = run("shanten", "19m19p19s1234567z")
    assert code == 0
    assert [line.split() for line in text.splitlines()] == [
        ["standard", "8", "8", "from", "ready"],
        ["seven", "pairs", "6", "6", "from", "ready"],
        ["thirteen", "orphans", "0", "ready"],
    ]
    assert json.loads(run("shanten", "123m45p", "123p", "1111z", "--json")[1]) == {
        "standard": 0,
        "seven_pairs": None,
        "thirteen_orphans": None,
    }
    assert json.loads(run("shanten", "123m45p11z1x", "--json")[1])["standard"] == -1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["waits", "12m"], "'12m' has 2 concealed tiles"),
        (["waits", "12"], "have no suit letter"),
        (["waits", "1m", "12p"], "with 2 tiles"),
        (["shanten", "123m"], "3 concealed tiles"),
        (["shanten", "1m", "--wild", "9z"], "'9z' is not a tile"),
    ],
)
def test_a_wrong_hand_is_explained_without_a_traceback(arguments: list[str], says: str) -> None:
    code, text = run(*arguments)
    assert code == 2
    assert says in " ".join(text.split())
