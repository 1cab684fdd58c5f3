"""`mjsettle advise` and `mjsettle hint`, for people and for programs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from mjsettle.cli import main


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.output


def test_advice_for_people_names_the_best_discard_first() -> None:
    code, text = run("advise", "123456m2345p55s17z", "--seen", "147p")
    assert code == 0
    heading, first = text.splitlines()[:2]
    assert heading.split()[:3] == ["discard", "shanten", "accepts"]
    assert "points" not in heading
    assert first.split()[:4] in (["1z", "1", "from", "ready"], ["7z", "1", "from", "ready"])
    assert "1p 3" in first


def test_advice_under_a_rule_set_as_json() -> None:
    arguments = ["advise", "123456m567p1s5z", "222s@3", "--rule", "guangdong", "--wild", "5z", "--json"]
    code, text = run(*arguments)
    assert code == 0
    best = json.loads(text)[0]
    assert (best["shanten"], best["ready_chance"]) == (0, 1.0)
    assert best["accepts"] == {tile: live for tile, live in best["accepts"].items() if live <= 4}
    assert set(best["points"]) == set(best["accepts"])
    assert best["expected_points"] > 0


def test_a_hint_for_people() -> None:
    code, text = run("hint", "--rule", "guobiao", "111222333m44p77z", "--win", "4p", "--all")
    assert code == 0
    assert [line.split()[:2] for line in text.splitlines() if line[0] != " "] == [
        ["fewest", "wilds"],
        ["pays", "most"],
        ["taken", "111m"],
        ["worth", "less"],
    ]


def test_a_hint_as_json() -> None:
    arguments = ["hint", "--rule", "guangdong", "--wild", "5z", "12345m567p1s5z", "222s", "--win", "6m", "--json"]
    code, text = run(*arguments, "--all")
    told = json.loads(text)
    assert code == 0
    assert told["pays_most"]["sets"] == ["123m", "456m", "567p", "222s"]
    assert told["readings"][0] == told["pays_most"]
    assert told["fewest_wilds"]["wilds_needed"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["advise", "123m"], "expected 3n+2"),
        (["advise", "123m11z", "--rule", "nobody"], "no rule set 'nobody'"),
        (["advise", "123m11z", "--rule", "riichi"], "expected 13"),
        (["advise", "123456m2345p55s17z", "--rule", "riichi", "--seat", "3", "--seats", "3"], "seat 3 of 3 seats"),
        (["hint", "--rule", "guobiao", "111m", "--win", "1m"], "expected 13"),
        (["hint", "--rule", "guobiao", "111222333m44p77z", "--win", "5p"], "not a win in any legal reading"),
    ],
)
def test_mistakes_are_explained(arguments: list[str], says: str) -> None:
    code, text = run(*arguments)
    assert code != 0
    assert says in " ".join(text.split())
