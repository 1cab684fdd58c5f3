"""The changes that property tests make to rounds."""

from __future__ import annotations

from random import Random
from typing import Any

from mjsettle.testing.symmetries import melds_shuffled, rotated, suits_swapped, with_joker

ROUND: dict[str, Any] = {
    "id": "psm",
    "dealer": 3,
    "wild": ["2p"],
    "players": [{}, {"hand": "12m3p4s5z", "melds": [{"kind": "pung", "tiles": "777s", "from": 0}]}, {}, {}],
    "events": [{"type": "win", "seat": 1, "tile": "9s", "from": 3, "liable": [{"fan": "", "seat": 2}]}],
}


def test_rotation_moves_every_seat() -> None:
    moved = rotated(ROUND, 3)
    assert moved["dealer"] == 2
    assert moved["players"][0]["hand"] == "12m3p4s5z"
    assert moved["players"][0]["melds"][0]["from"] == 3
    assert moved["events"] == [{"type": "win", "seat": 0, "tile": "9s", "from": 2, "liable": [{"fan": "", "seat": 1}]}]
    assert rotated(moved, 1) == ROUND


def test_swapping_renames_tiles_alone() -> None:
    swapped = suits_swapped(ROUND, "psm")
    assert swapped["players"][1] == {
        "hand": "12p3s4m5z",
        "melds": [{"kind": "pung", "tiles": "777m", "from": 0}],
    }
    assert (swapped["id"], swapped["wild"], swapped["events"][0]["type"]) == ("psm", ["2s"], "win")
    assert swapped["events"][0]["tile"] == "9m"


def test_shuffling_and_jokers_keep_the_number_of_tiles() -> None:
    shuffled = melds_shuffled(ROUND, Random(1))["players"][1]["hand"]
    assert sorted(shuffled[at : at + 2] for at in range(0, 10, 2)) == ["1m", "2m", "3p", "4s", "5z"]
    joker = with_joker(ROUND, Random(1))
    assert joker is not None
    assert joker["players"][1]["hand"].count("x") == 1
    assert with_joker({**ROUND, "players": [{}, {"hand": "1x2p"}, {}, {}]}, Random(1)) is None
