"""The examples on the page about hands in play run, and its round settles."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import mjsettle
from mjsettle.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "hands-in-play.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_round_that_is_told_by_changes_settles() -> None:
    records = [json.loads(text) for language, text in BLOCKS if language == "json"]
    assert [result["status"] for result in mjsettle.load().settle(records)] == ["settled"]


@pytest.mark.parametrize("command", [line for _, text in BLOCKS for line in text.splitlines() if line.startswith("$")])
def test_the_commands_run(command: str) -> None:
    words = shlex.split(command)
    assert words[:2] == ["$", "mjsettle"]
    assert CliRunner().invoke(main, words[2:]).exit_code == 0


def test_the_program_runs() -> None:
    [program] = [text for language, text in BLOCKS if language == "python"]
    names: dict[str, object] = {}
    exec(program, names)
    assert isinstance(names["best"], mjsettle.Advice)
