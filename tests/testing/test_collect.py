"""`cases_in` makes one test of every case, skips with the reason given, and fails readably."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mjsettle import examples
from mjsettle.testing import CaseError, cases_in

ROUND: dict[str, Any] = json.loads(examples.rounds().splitlines()[0])


def collected(folder: Path, *rows: dict[str, Any]) -> Any:
    (folder / "some.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "some.facts.jsonl").write_text('{"kind": "hand"}\n')
    return cases_in(folder)


def row(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "source": "made up", "round": ROUND, "expect": {"status": "settled"}, **fields}


def test_every_case_is_a_test_named_after_it(tmp_path: Path) -> None:
    test = collected(tmp_path, row("one"), row("two"))
    (mark,) = test.pytestmark
    assert mark.kwargs["ids"] == ["one", "two"]
    for case in mark.args[1]:
        test(case)


def test_a_failure_shows_what_differs_and_where(tmp_path: Path) -> None:
    test = collected(tmp_path, row("one", expect={"table": 5}))
    with pytest.raises(pytest.fail.Exception) as failed:
        test(test.pytestmark[0].args[1][0])
    said = str(failed.value).splitlines()
    assert said[0].startswith("one  (")
    assert said[0].endswith("some.jsonl:1)")
    assert said[1:] == ["source: made up", "table: expected 5, found 0"]


def test_an_unexpected_refusal_shows_its_reasons(tmp_path: Path) -> None:
    test = collected(tmp_path, row("one", round={**ROUND, "rule": "nowhere"}))
    with pytest.raises(pytest.fail.Exception, match="refused: rule: no rule set 'nowhere'"):
        test(test.pytestmark[0].args[1][0])


def test_a_skipped_case_says_why(tmp_path: Path) -> None:
    test = collected(tmp_path, row("one", skip="not yet"))
    with pytest.raises(pytest.skip.Exception, match="not yet"):
        test(test.pytestmark[0].args[1][0])


def test_a_folder_without_cases_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="found no case"):
        cases_in(tmp_path)
