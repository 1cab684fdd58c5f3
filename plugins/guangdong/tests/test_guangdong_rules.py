"""What the plugin declares and computes on its own: wild tiles, horses, switches, the README's table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mjsettle.settle import load
from mjsettle.tiles import CODES, NAMES
from mjsettle_guangdong.horses import horse_seat, one_horse
from mjsettle_guangdong.options import OPTIONS, PRESETS
from mjsettle_guangdong.wilds import wild_of

README = (Path(__file__).parents[1] / "README.md").read_text()
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| `([^`]+)` \|", re.MULTILINE)


def test_two_tiles_are_turned() -> None:
    assert wild_of("fan2", "8s") == ("9s", "1s")
    assert wild_of("fan2", "6z") == ("5z", "1z")
    assert wild_of("hua4") == ("1f", "2f", "3f", "4f")
    assert wild_of("fan1", "0p") == ("6p",)


@pytest.mark.parametrize(
    ("ghost", "indicator", "says"),
    [
        ("fan1", None, "found the turned tile None"),
        ("fan1", "1f", "needs a suited tile or an honour"),
        ("fan2", "9x", "'9x'"),
        ("jin", "1m", "expected one of none, bai"),
    ],
)
def test_what_is_no_turned_tile(ghost: str, indicator: str | None, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        wild_of(ghost, indicator)


def test_every_tile_is_one_seats_horse() -> None:
    none: frozenset[int] = frozenset()
    table = {
        0: "1m 5m 9m 1p 5p 9p 1s 5s 9s 1z",
        1: "2m 6m 2p 6p 2s 6s 2z 7z",
        2: "3m 7m 3p 7p 3s 7s 3z 6z",
        3: "4m 8m 4p 8p 4s 8s 4z 5z",
    }
    found = {name: horse_seat(name, none, "default") for name in NAMES[:34]}
    assert found == {name: seat for seat, names in table.items() for name in names.split()}
    assert [horse_seat(name, none, "guogeer") for name in ("7z", "6z", "5z")] == [0, 1, 2]
    assert horse_seat("1f", none, "default") is None
    assert horse_seat("7z", frozenset({CODES["7z"]}), "default") is None


def test_one_horse() -> None:
    none: frozenset[int] = frozenset()
    assert [one_horse(name, none) for name in ("1m", "9s", "0p", "4z", "2f")] == [1, 9, 5, 10, 0]
    assert one_horse("9s", frozenset({CODES["9s"]})) == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_compile_with_two_three_and_four_seats(preset: str) -> None:
    engine = load()
    for seats in (2, 3, 4):
        assert engine.rule_set("guangdong", {"preset": preset}, seats=seats).options.preset == preset


@pytest.mark.parametrize(
    ("options", "tiles"),
    [
        ({}, 136),
        ({"tiles": "no_honours"}, 108),
        ({"tiles": "no_characters"}, 100),
        ({"tiles": "two"}, 64),
        ({"ghost": "hua4"}, 140),
        ({"ghost": "hua8"}, 144),
    ],
)
def test_tile_sets(options: dict[str, object], tiles: int) -> None:
    assert sum(load().rule_set("guangdong", options).copies) == tiles


def test_the_readme_lists_every_switch() -> None:
    listed = {key: (title.strip(), default) for key, title, default in ROW.findall(README)}
    assert listed == {option.key: (option.title, str(option.default).lower()) for option in OPTIONS}
