"""Whole rounds of Wuhan mahjong, every delta worked out from the rules."""

from pathlib import Path

import msgspec

import mjsettle_wuhan
from mjsettle.settle import load
from mjsettle.testing import cases_in, read_cases
from mjsettle_wuhan.options import OPTIONS, PRESETS

CASES = Path(__file__).parents[1] / "cases"

test_cases = cases_in(CASES)


def test_every_switch_and_preset_is_played_with_in_some_case() -> None:
    rounds = [case.round.get("options", {}) for path in CASES.glob("*.jsonl") for case in read_cases(path)]
    played = [msgspec.convert(options, dict[str, object]) for options in rounds]
    assert not {option.key for option in OPTIONS} - {key for options in played for key in options}
    assert not PRESETS.keys() - {options.get("preset", "koukoufan") for options in played}


def test_the_readme_lists_every_switch() -> None:
    readme = (CASES.parent / "README.md").read_text()
    for option in OPTIONS:
        default = option.default if isinstance(option.default, str) else msgspec.json.encode(option.default).decode()
        row = f"| `{option.key}` | {option.title} | `{default.replace(',', ', ')}` |"
        assert row in readme, row


def test_alone_or_together() -> None:
    """All rounds in one batch are answered as each is alone, among rounds of other rule sets too."""
    engine = load()
    rounds = [dict(case.round) for path in CASES.glob("*.jsonl") for case in read_cases(path)]
    other = {"id": "other", "rule": "guangdong", "players": [{}, {}, {}, {}], "events": [{"type": "exhaustive_draw"}]}
    mixed = [round for own in rounds for round in (own, other)]
    assert engine.settle(mixed) == [engine.settle([round])[0] for round in mixed]


def test_the_plugin_stands_alone() -> None:
    """An engine with this plugin only settles its rounds, and names the package for any other rule set."""
    engine = load([mjsettle_wuhan])
    drawn = {"id": "a", "rule": "wuhan", "players": [{}] * 4, "events": [{"type": "abortive_draw"}]}
    own, other = engine.settle([drawn, {**drawn, "rule": "guangdong"}])
    assert (own["status"], own["deltas"]) == ("settled", [0, 0, 0, 0])
    assert "install the plugin that declares it" in other["errors"][0]["message"]
