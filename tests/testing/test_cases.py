"""How an expectation compares with a result, and which files are no cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mjsettle.testing.cases import CaseError, differences, read_cases

RESULT = {
    "id": "r",
    "status": "settled",
    "wins": [
        {
            "seat": 2,
            "total": 7,
            "fans": [
                {"id": "self_draw", "name": "自摸", "value": 1, "times": 1},
                {"id": "root", "name": "根", "value": 3, "times": 2},
            ],
        }
    ],
    "deltas": [-6, -6, 18, -6],
    "table": 0,
}


def expecting(**win: Any) -> list[str]:
    return differences({"status": "settled", "wins": [win]}, RESULT)


@pytest.mark.parametrize(
    "win",
    [
        {},
        {"seat": 2, "total": 7},
        {"fans": {"自摸": 1, "根": 6}},
        {"fans": {"self_draw": 1, "root": 6}},
        {"fans": ["根", "自摸", "根"]},
        {"fans": [{"id": "self_draw"}, {"times": 2}]},
        {"fans_any": [["自摸"], ["自摸", "根", "根"]]},
    ],
)
def test_agreement(win: dict[str, Any]) -> None:
    assert expecting(**win) == []


@pytest.mark.parametrize(
    ("win", "difference"),
    [
        ({"seat": 1}, "wins[0].seat: expected 1, found 2"),
        ({"fu": 30}, "wins[0].fu: expected 30, found nothing"),
        ({"fans": {"自摸": 1}}, 'wins[0].fans: expected {}, found {"根":6} instead (the other fans agree)'),
        (
            {"fans": {"自摸": 1, "根": 3}},
            'wins[0].fans: expected {"根":3}, found {"根":6} instead (the other fans agree)',
        ),
        ({"fans": ["自摸", "根"]}, 'wins[0].fans: expected {"根":1}, found {"根":2} instead (the other fans agree)'),
        ({"fans": []}, "wins[0].fans: expected {}"),
        ({"fans": {}}, "wins[0].fans: expected {}"),
        ({"fans": {"自摸": 1, "根": 6, "平胡": 0}}, 'wins[0].fans: expected {"平胡":0}, found {} instead'),
        (
            {"fans_any": [["自摸"], ["根"]]},
            'wins[0].fans_any: expected one of [["自摸"],["根"]], found ["自摸","根","根"]',
        ),
    ],
)
def test_disagreement_names_the_place(win: dict[str, Any], difference: str) -> None:
    found = expecting(**win)
    assert len(found) == 1
    assert found[0].startswith(difference)


def test_lists_compare_element_by_element_and_in_length() -> None:
    assert differences({"deltas": [-6, -6, 18, -6]}, RESULT) == []
    assert differences({"deltas": [-6, -6, 12, 0]}, RESULT) == [
        "deltas[2]: expected 12, found 18",
        "deltas[3]: expected 0, found -6",
    ]
    assert differences({"deltas": [-6]}, RESULT) == ["deltas: expected 1 ([-6]), found 4 ([-6,-6,18,-6])"]


def test_true_is_not_one() -> None:
    assert differences({"table": False}, RESULT) == ["table: expected false, found 0"]


def test_every_difference_is_reported() -> None:
    assert len(differences({"status": "refused", "table": 1, "wins": [{"seat": 0, "total": 8}]}, RESULT)) == 4


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('{"id": "gd-1", "kind": "hand", "expect": {"win": true}}', "facts file (its row is of kind 'hand')"),
        ("[]", "found a list, expected an object"),
        ("{", "not JSON"),
        ('{"name": "a"}', "found no usable round, expect"),
    ],
)
def test_files_that_are_no_cases_are_refused_by_name(tmp_path: Path, row: str, says: str) -> None:
    path = tmp_path / "some.facts.jsonl"
    path.write_text(f'{{"name": "a", "round": {{}}, "expect": {{}}}}\n\n{row}\n')
    with pytest.raises(CaseError) as error:
        read_cases(path)
    assert str(error.value).startswith(f"{path}:3: ")
    assert says in str(error.value)
