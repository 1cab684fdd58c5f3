"""Every wire case of the plugin, and five thousand hands of real games."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec

import mjsettle
from mjsettle.testing import Case, cases_in, failures, read_cases
from mjsettle_riichi.options import OPTIONS

CASES = Path(__file__).parents[1] / "cases"
REAL = Path(__file__).parent / "data" / "real_hands.jsonl.gz"

test_cases = cases_in(CASES)


def test_real_hands_come_out_exactly() -> None:
    """Yaku, han, fu, points and every seat's delta, all in one batch."""
    with gzip.open(REAL) as lines:
        cases = [msgspec.json.decode(line, type=RealHand) for line in lines]
    assert len(cases) == 5000
    results = mjsettle.load().settle([case.round for case in cases])
    wrong = [
        f"{case.name}: {found}"
        for case, result in zip(cases, results, strict=True)
        if (found := failures(Case(case.name, case.source, case.round, case.expect), result))
    ]
    assert not wrong, "\n".join(wrong[:10])


class RealHand(msgspec.Struct):
    """A row of the file."""

    name: str
    source: str
    round: dict[str, object]
    expect: dict[str, object]


def test_every_switch_is_played_with_in_some_case() -> None:
    played = {
        key
        for path in CASES.glob("*.jsonl")
        for case in read_cases(path)
        for key in msgspec.convert(case.round.get("options", {}), dict[str, object])
    }
    assert not {option.key for option in OPTIONS} - played


def test_the_readme_lists_every_switch() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text()
    assert not [option.key for option in OPTIONS if f"| `{option.key}` | {option.title} |" not in text]
