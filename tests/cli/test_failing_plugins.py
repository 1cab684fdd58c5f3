"""A plugin that raises at a round costs that round, not the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import mjsettle
from mjsettle.cli.check import check
from mjsettle.cli.explain import explain
from mjsettle.cli.judge import judge
from mjsettle.cli.replay import replay
from mjsettle.cli.settle import settle
from mjsettle.columns import Col
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.isolation import Isolated
from mjsettle.ledger import Book, Win
from mjsettle.rules import Fact, Payments, Rule
from mjsettle.settle import Engine
from mjsettle.winforms import standard

FAILS_AT = 13


def any_win(wilds: Col, told: Col) -> Col:
    return (wilds >= 0) & (told >= 0)


def pay(book: Book, win: Win) -> None:
    for seat in book.others(win.seat):
        book.pay(seat, win.seat, 12 // (book.round.streak - FAILS_AT), "win", win=win)


def told(round: Any, win: Win) -> int:
    """Raises while rounds are read, not while they are paid."""
    return int(1 // (round.honba - FAILS_AT))


def plugin() -> ModuleType:
    found = ModuleType("plugin_dividing")
    hooks: dict[str, Any] = {
        "rule_sets": lambda: [Rule("tiny", "小", "tiny", editions=("1",), sources=("made up",))],
        "win_forms": lambda rule, options: [standard()],
        "facts": lambda rule, options: [Fact("told", told)],
        "fans": lambda rule, options: [Fan("any", "胡", 1, any_win)],
        "payments": lambda rule, options: Payments(pay),
    }
    for name, hook in hooks.items():
        setattr(found, name, hookimpl(hook))
    return found


@pytest.fixture(autouse=True)
def _dividing(monkeypatch: pytest.MonkeyPatch) -> None:
    load: Callable[[], Engine] = lambda: Engine([plugin()])  # noqa: E731
    monkeypatch.setattr(mjsettle, "load", load)
    monkeypatch.setattr("mjsettle.replay.run.load", load)


def a_round(id: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": id,
        "rule": "tiny",
        "players": [{}, {"hand": "123456m234p777s1z"}, {}, {}],
        "events": [{"type": "win", "seat": 1, "tile": "1z"}],
        **fields,
    }


ROUNDS = [
    *(a_round(f"good/{number}", streak=1) for number in range(20)),
    a_round("bad/pay", streak=FAILS_AT),
    *(a_round(f"good/{number}", streak=1) for number in range(20, 30)),
    a_round("bad/fact", honba=FAILS_AT),
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "rounds.jsonl"
    path.write_text("".join(json.dumps(found) + "\n" for found in ROUNDS))
    return str(path)


def answers_of(output: str) -> dict[str, Any]:
    return {answer["id"]: answer for answer in map(json.loads, output.splitlines())}


def test_settle_answers_every_round_and_refuses_those_at_which_the_plugin_raised(file: str) -> None:
    done = CliRunner().invoke(settle, [file])
    answers = answers_of(done.stdout)
    assert list(answers) == [found["id"] for found in ROUNDS]
    refused = {id: answer for id, answer in answers.items() if answer["status"] == "refused"}
    assert list(refused) == ["bad/pay", "bad/fact"]
    [fault] = refused["bad/pay"]["errors"]
    assert fault["code"] == "judge_failed"
    assert fault["message"].startswith("plugin 'plugin_dividing' raised ZeroDivisionError: ")
    assert "(test_failing_plugins.py, line " in fault["message"]
    assert done.exit_code == 1
    [line] = done.stderr.splitlines()
    assert "bad/pay: plugin 'plugin_dividing' raised ZeroDivisionError" in line
    assert line.endswith("and at 1 more")


def test_lines_that_are_no_rounds_keep_their_numbers() -> None:
    lines = b'{\n\n%s\n{"rule": "tiny"\n \n' % json.dumps(a_round("bad", streak=FAILS_AT)).encode()
    answers = [json.loads(line) for line in Isolated(Engine([plugin()])).settle_json(lines, 5).splitlines()]
    assert [answer.get("line") for answer in answers] == [5, 6, None, 8]
    assert [answer["id"] for answer in answers] == [None, None, "bad", None]


def test_the_engine_itself_lets_it_through() -> None:
    with pytest.raises(ZeroDivisionError):
        Engine([plugin()]).settle(ROUNDS)


def test_explain_tells_the_other_rounds(file: str) -> None:
    done = CliRunner().invoke(explain, [file])
    assert done.exit_code == 1
    assert done.stdout.count("seat 1 wins on 1z") == 30
    assert done.stdout.count("raised ZeroDivisionError") == 2
    assert "bad/pay: plugin 'plugin_dividing' raised" in done.stderr


def test_check_runs_the_other_cases(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    rows = [{"name": each["id"], "source": "x", "round": each, "expect": {"status": "settled"}} for each in ROUNDS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = CliRunner().invoke(check, [str(path)])
    assert done.exit_code == 1
    assert "30 passed, 2 failed" in done.stdout
    assert "bad/pay: plugin 'plugin_dividing' raised" in done.stderr


def test_check_ends_with_1_although_the_failure_was_expected(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    row = {"name": "n", "source": "x", "round": a_round("bad", streak=FAILS_AT), "expect": {"status": "refused"}}
    path.write_text(json.dumps(row))
    assert CliRunner().invoke(check, [str(path)]).exit_code == 1


def test_judge_says_which_plugin_failed() -> None:
    won = ["--rule", "tiny", "--win", "1z", "--seat", "1", "--streak", str(FAILS_AT), "123456m234p777s1z"]
    done = CliRunner().invoke(judge, won)
    assert done.exit_code == 1
    assert "plugin 'plugin_dividing' raised ZeroDivisionError" in done.stdout
    assert "judge: plugin 'plugin_dividing' raised" in done.stderr


def test_replay_compares_the_other_rounds(file: str) -> None:
    done = CliRunner().invoke(replay, [file, "--rule-edition", "1", "--workers", "1", "--json"])
    assert done.exit_code == 1
    assert (json.loads(done.stdout)["rounds"], json.loads(done.stdout)["failed"]) == (32, 2)
    assert "bad/pay: plugin 'plugin_dividing' raised" in done.stderr
