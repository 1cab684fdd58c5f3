"""Every wire case of the plugin: golden hands, and whole rounds worked out from the rule sheet."""

from pathlib import Path

from mjsettle.testing import cases_in, read_cases
from mjsettle_hongzhong.options import OPTIONS, PRESETS

CASES = Path(__file__).parents[1] / "cases"

test_cases = cases_in(CASES)


def test_every_switch_and_preset_is_played_with_in_some_case() -> None:
    rounds = [case.round for path in CASES.glob("*.jsonl") for case in read_cases(path)]
    given = [(key, value) for round in rounds for key, value in round.get("options", {}).items()]
    assert not {option.key for option in OPTIONS} - {key for key, _ in given} - {"score"}
    named = {value for key, value in given if key in ("preset", "profile", "variant")}
    assert named == PRESETS.keys() - {"hong_room"}
