"""`mjsettle check` runs wire cases and says readably what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from mjsettle import examples
from mjsettle.cli.check import check

ROUND: dict[str, Any] = json.loads(examples.rounds().splitlines()[0])


def run(tmp_path: Path, *cases: dict[str, Any], arguments: tuple[str, ...] = ()) -> Result:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case, ensure_ascii=False) for case in cases))
    return CliRunner().invoke(check, [str(path), *arguments])


def case(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "source": "made up", "round": ROUND, "expect": {"status": "settled"}, **fields}


def test_cases_that_agree_pass(tmp_path: Path) -> None:
    result = run(tmp_path, case("one"), case("two", expect={"wins": [{"seat": 2, "tile": "8m"}]}))
    assert result.exit_code == 0, result.output
    assert result.output == "2 passed, 0 failed\n"


def test_a_failure_names_the_case_its_place_and_every_difference(tmp_path: Path) -> None:
    result = run(tmp_path, case("good"), case("bad", expect={"status": "settled", "table": 5, "wins": [{"seat": 1}]}))
    assert result.exit_code == 1
    lines = [line.strip() for line in result.output.splitlines()]
    assert lines[0].startswith("failed  bad  (")
    assert lines[0].endswith("cases.jsonl:2)")
    assert lines[1:] == [
        "source: made up",
        "table: expected 5, found 0",
        "wins[0].seat: expected 1, found 2",
        "1 passed, 1 failed",
    ]


def test_an_unexpected_refusal_says_why(tmp_path: Path) -> None:
    result = run(tmp_path, case("bad", round={**ROUND, "rule": "nowhere"}))
    assert result.exit_code == 1
    assert 'status: expected "settled", found "refused"' in result.output
    assert "refused: rule: no rule set 'nowhere' is installed" in result.output


def test_a_row_may_say_why_it_is_skipped(tmp_path: Path) -> None:
    result = run(tmp_path, case("later", skip="the profile is not supported"), case("now"), arguments=("-v",))
    assert result.exit_code == 0
    assert "later" in result.output
    assert "the profile is not supported" in result.output
    assert result.output.endswith("1 passed, 0 failed, 1 skipped\n")


def test_a_facts_file_is_refused_by_name(tmp_path: Path) -> None:
    result = run(tmp_path, {"id": "x", "kind": "hand", "source": "", "hand": {}, "expect": {}})
    assert result.exit_code == 2
    assert "cases.jsonl:1: this is a facts file" in result.output


def test_every_unusable_file_is_named_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
    for path in paths:
        path.write_text("{}\n")
    result = CliRunner().invoke(check, list(map(str, paths)))
    assert result.exit_code == 2
    assert "a.jsonl:1" in result.output
    assert "b.jsonl:1" in result.output
