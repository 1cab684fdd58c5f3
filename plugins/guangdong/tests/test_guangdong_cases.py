"""Every wire case of the plugin: golden hands, and whole rounds worked out from the rule sheet."""

from pathlib import Path

import msgspec

from mjsettle.testing import cases_in, read_cases
from mjsettle_guangdong.options import OPTIONS

CASES = Path(__file__).parents[1] / "cases"

test_cases = cases_in(CASES)


def test_every_switch_is_played_with_in_some_case() -> None:
    played = {
        key
        for path in CASES.glob("*.jsonl")
        for case in read_cases(path)
        for key in msgspec.convert(case.round.get("options", {}), dict[str, object])
    }
    assert not {option.key for option in OPTIONS} - played
