"""Changes to a wire round after which a rule set must answer as before, or no worse: for property tests."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any

from mjsettle.tiles import JOKER, NAMES, format_tiles, parse_tiles

Wire = dict[str, Any]
_SEATS = ("seat", "from")


def rotated(round: Mapping[str, Any], by: int) -> Wire:
    """The round with every seat, the dealer's too, moved on by so many places; deltas move along."""
    found = deepcopy(dict(round))
    players = found["players"]
    n = len(players)
    found["players"] = [players[(seat - by) % n] for seat in range(n)]
    found["dealer"] = (found.get("dealer", 0) + by) % n
    melds = [meld for player in players for meld in player.get("melds", ())]
    named = [liable for event in found["events"] for liable in event.get("liable", ())]
    for holder in (*melds, *found["events"], *named):
        for key in _SEATS:
            if holder.get(key) is not None:
                holder[key] = (holder[key] + by) % n
    return found


def suits_swapped(round: Mapping[str, Any], suits: str) -> Wire:
    """The round with its suits renamed: m, p, s become the letters of `suits` in turn ("psm")."""
    swap = str.maketrans("mps", suits)

    def renamed(value: Any) -> Any:
        if isinstance(value, list):
            return [renamed(item) for item in value]
        if isinstance(value, dict):
            return {key: renamed(item) if key in _TILE_FIELDS else item for key, item in value.items()}
        return value.translate(swap) if isinstance(value, str) else value

    found = deepcopy(dict(round))
    return {key: renamed(value) if key in _TILE_FIELDS else value for key, value in found.items()}


_TILE_FIELDS = frozenset(
    ("players", "events", "melds", "hand", "tile", "tiles", "wild", "discards", "birds", "dora", "ura_dora", "pi")
)


def melds_shuffled(round: Mapping[str, Any], rng: Random) -> Wire:
    """The round with each seat's melds in another order, and its concealed tiles too."""
    found = deepcopy(dict(round))
    for player in found["players"]:
        if "melds" in player:
            rng.shuffle(player["melds"])
        if player.get("hand"):
            codes = parse_tiles(player["hand"])
            rng.shuffle(codes)
            player["hand"] = "".join(NAMES[code] for code in codes)
    return found


def with_joker(round: Mapping[str, Any], rng: Random) -> Wire | None:
    """The round with one natural concealed tile of its first winner turned into a joker; None where it has none."""
    found = deepcopy(dict(round))
    winner = next(event["seat"] for event in found["events"] if event["type"] == "win")
    player = found["players"][winner]
    codes = parse_tiles(player["hand"])
    natural = [at for at, code in enumerate(codes) if code != JOKER and NAMES[code] not in found.get("wild", ())]
    if not natural:
        return None
    codes[rng.choice(natural)] = JOKER
    player["hand"] = format_tiles(codes)
    return found


__all__ = ["melds_shuffled", "rotated", "suits_swapped", "with_joker"]
