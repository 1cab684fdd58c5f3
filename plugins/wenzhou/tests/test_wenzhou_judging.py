"""Gods and white dragons: against every way to put real tiles in their place, and alone against in a batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

import mjsettle
import mjsettle_wenzhou
from mjsettle.testing import conformance
from mjsettle.tiles import format_tiles, parse_tiles

GOD, WHITE = "5p", "5z"
KINDS = [kind for kind in range(34) if kind != 31]


@cache
def engine() -> mjsettle.Engine:
    return mjsettle.load([mjsettle_wenzhou])


def settled(tiles: list[int], tile: str, source: int | None, options: dict[str, Any] | None = None) -> Any:
    event: dict[str, Any] = {"type": "win", "seat": 0, "tile": tile}
    if source is not None:
        event["from"] = source
    record = {
        "id": "hand",
        "rule": "wenzhou",
        "wild": [GOD],
        "options": options or {},
        "dealer": 3,
        "players": [{"hand": format_tiles(tiles)}, {}, {}, {}],
        "events": [event],
    }
    return engine().settle([record])[0]


def sets_and_a_pair(counts: list[int]) -> bool:
    """Taken apart from the lowest tile up, the pair first."""
    return any(
        counts[pair] >= 2 and sets([count - 2 * (kind == pair) for kind, count in enumerate(counts)])
        for pair in range(34)
    )


def sets(counts: list[int]) -> bool:
    low = next((kind for kind, count in enumerate(counts) if count), None)
    if low is None:
        return True
    for block in ([low] * 3, [low, low + 1, low + 2]):
        if block[0] != block[-1] and (low >= 27 or low % 9 > 6):
            continue
        rest = list(counts)
        for kind in block:
            rest[kind] -= 1
        if min(rest) >= 0 and sets(rest):
            return True
    return False


def eight_pairs(counts: list[int]) -> bool:
    return sum(count % 2 for count in counts) == 1


def multiplier(tiles: list[int], drawn: bool) -> int:
    """The sheet's table, every substitution tried: tiles are 17 codes, gods and white dragons among them."""
    god, white = parse_tiles(GOD)[0], parse_tiles(WHITE)[0]
    gods = tiles.count(god)
    natural = [god if kind == white else kind for kind in tiles if kind != god]
    found = 2 if gods == 3 else 0
    for chosen in combinations_with_replacement(KINDS, gods):
        counts = [0] * 34
        for kind in (*natural, *chosen):
            counts[kind] += 1
        away = sum(kind != god for kind in chosen)
        pairs, shape = eight_pairs(counts), sets_and_a_pair(counts)
        if not pairs and not shape:
            continue
        worth = 4 if gods == 3 or (pairs and (drawn or not away)) else 2 if drawn or not away else 1
        found = max(found, worth)
    return found


def hands(seed: int, count: int) -> Iterator[list[int]]:
    """Seventeen tiles, most of them complete, with up to two gods and some white dragons where 5p would be."""
    rng = Random(seed)
    god, white = parse_tiles(GOD)[0], parse_tiles(WHITE)[0]
    for _ in range(count):
        while True:
            tiles: list[int] = []
            pairs = rng.random() < 0.3
            pool = rng.choice((range(9, 18), range(5, 20), [kind for kind in range(34) if kind != white]))
            while len(tiles) < (16 if pairs else 15):
                low = rng.choice(list(pool))
                chow = low < 27 and low % 9 < 7 and rng.random() < 0.6
                tiles += [low] * 2 if pairs else [low, low + 1, low + 2] if chow else [low] * 3
            tiles += [rng.choice(list(pool))] * (1 if pairs else 2)
            # The face of the god is shown by white dragons and gods alone.
            tiles = [white if kind == god else kind for kind in tiles]
            for at in rng.sample(range(17), rng.choice((0, 1, 1, 2))):
                tiles[at] = god
            if max(Counter(tiles).values()) <= 4 and tiles.count(god) <= 3:
                break
        yield tiles


@pytest.mark.parametrize("drawn", [False, True])
def test_every_substitution(drawn: bool) -> None:
    seen: Counter[int] = Counter()
    for tiles in hands(5 + drawn, 120):
        last = next(kind for kind in tiles if kind != parse_tiles(GOD)[0])
        rest = list(tiles)
        rest.remove(last)
        result = settled(rest, format_tiles([last]), None if drawn else 1)
        expected = multiplier(tiles, drawn)
        found = result["wins"][0]["total"] if result["status"] == "settled" else 0
        assert found == expected, (format_tiles(tiles), result)
        seen[expected] += 1
    assert len(seen) >= 2


@pytest.mark.parametrize("options", [{}, {"special_double": True}], ids=str)
def test_alone_and_in_a_batch(options: dict[str, Any]) -> None:
    assert conformance("wenzhou", options, engine=engine(), hands=200, wilds_max=2).won > 20
