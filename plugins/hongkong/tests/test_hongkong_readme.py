"""The README names every switch with its Chinese name and default, every preset, and every event of its own."""

from __future__ import annotations

import json
from pathlib import Path

from mjsettle_hongkong import RULE
from mjsettle_hongkong.options import OPTIONS

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_every_switch_is_in_the_table() -> None:
    rows = {line.split("|")[1].strip(): line for line in README.splitlines() if line.startswith("| `")}
    for option in OPTIONS:
        row = rows[f"`{option.key}`"]
        default = option.default if isinstance(option.default, str) else json.dumps(option.default, ensure_ascii=False)
        assert f"| {option.title} | `{default}` |" in row
        assert row.endswith(f"{option.doc} |")


def test_presets_and_events_are_explained() -> None:
    for word in (*RULE.presets, *RULE.flags, "flower_win", "false_win"):
        assert f"`{word}`" in README, word
