"""What PyMahjongGB, another engine, makes of Guobiao hands: live where it is installed, and a recording of it.

``python -m tests.oracles.guobiao_peer 3000 1 > tests/oracles/guobiao_peer.jsonl`` records anew.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from mjsettle.tiles import CODES, NAMES, format_tiles, parse_tiles
from tests.oracles.guobiao_hands import WinningHand, winning_hand

RECORDING = Path(__file__).with_suffix(".jsonl")
NAMES_HERE = {"独听・单钓": "单钓将", "独听・嵌张": "坎张", "独听・边张": "边张"}


def peer_arguments(hand: WinningHand) -> tuple[Any, ...]:
    """The arguments of PyMahjongGB's fan calculator."""
    packs = []
    for kind, tiles in hand.melds:
        if kind == "chow":
            packs.append(("CHI", _tile(tiles[1]), 1))
        else:
            packs.append(("PENG" if kind == "pung" else "GANG", _tile(tiles[0]), 0 if kind == "concealed_kong" else 1))
    words = hand.situation
    return (
        tuple(packs),
        tuple(_tile(kind) for kind in hand.concealed),
        _tile(hand.win),
        words["flowers"].bit_count(),
        bool(words["self_draw"]),
        bool(words["last_of_kind"]),
        bool(words["kong_draw"] or words["rob_kong"]),
        bool(words["last_tile"]),
        words["seat_wind"],
        words["round_wind"],
        True,
    )


def peer_fans(hand: WinningHand) -> Counter[str]:
    """PyMahjongGB's fans and how often each counts, by the names of the 1998 rules. ImportError where it is missing."""
    found = import_module("MahjongGB").MahjongFanCalculator(*peer_arguments(hand))
    return Counter({NAMES_HERE.get(name, name): times for _, times, name, _ in found})


def _tile(kind: int) -> str:
    if kind < 27:
        return f"{'WBT'[kind // 9]}{kind % 9 + 1}"
    # Winds are F1 to F4, then red, green, white.
    return ("F1", "F2", "F3", "F4", "J3", "J2", "J1")[kind - 27]


def recorded() -> Iterator[tuple[WinningHand, Counter[str]]]:
    """The recorded hands with PyMahjongGB 1.4.0's fans."""
    for line in RECORDING.read_text().splitlines():
        row = json.loads(line)
        melds = [(kind, parse_tiles(tiles)) for kind, tiles in row["melds"]]
        names = (
            "self_draw",
            "seat_wind",
            "round_wind",
            "flowers",
            "last_tile",
            "last_of_kind",
            "kong_draw",
            "rob_kong",
        )
        situation = {name: row["situation"].get(name, 0) for name in names}
        yield WinningHand(parse_tiles(row["hand"]), CODES[row["win"]], melds, situation), Counter(row["fans"])


def record(count: int, seed: int) -> Iterator[str]:
    random = Random(seed)
    for _ in range(count):
        hand = winning_hand(random)
        row = {
            "hand": format_tiles(hand.concealed),
            "win": NAMES[hand.win],
            "melds": [[kind, format_tiles(tiles)] for kind, tiles in hand.melds],
            "situation": {name: value for name, value in hand.situation.items() if value},
            "fans": peer_fans(hand),
        }
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    for line in record(int(sys.argv[1]), int(sys.argv[2])):
        print(line)
