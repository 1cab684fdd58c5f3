"""Waits that win, the treasure, and judging alone against in a batch."""

from __future__ import annotations

from functools import cache
from random import Random

import mjsettle
import mjsettle_changchun
from mjsettle.testing import conformance
from mjsettle.tiles import NAMES, format_tiles, parse_tiles
from mjsettle_changchun.legal import legal_waits


@cache
def engine() -> mjsettle.Engine:
    return mjsettle.load([mjsettle_changchun])


def wins_with(hand: str, tile: str) -> bool:
    """Whether the hand is settled as a win on a discard of this tile."""
    record = {
        "id": "hand",
        "rule": "changchun",
        "players": [{"hand": hand}, {}, {}, {}],
        "events": [{"type": "win", "seat": 0, "tile": tile, "from": 1}],
    }
    return bool(engine().settle([record])[0]["status"] == "settled")


def test_waits_are_the_tiles_that_win() -> None:
    rng = Random(3)
    ready = 0
    for _ in range(60):
        tiles = parse_tiles(rng.choice(("234m", "123m")) + rng.choice(("456p", "222p", "55p2p")))
        tiles += parse_tiles(rng.choice(("678s", "222s", "234s", "66s")))
        while len(tiles) < 13:
            kind = rng.choice([kind for kind in range(34) if tiles.count(kind) < 3])
            tiles += [kind] * rng.choice((1, 2, 3))
        hand = format_tiles(tiles[:13])
        mask = legal_waits(hand, ())
        ready += bool(mask)
        for kind in range(34):
            if tiles[:13].count(kind) < 4:
                assert bool(mask >> kind & 1) == wins_with(hand, NAMES[kind]), (hand, NAMES[kind])
    assert ready > 0


def test_alone_and_in_a_batch() -> None:
    assert conformance("changchun", engine=engine(), hands=150, wilds_max=0).won > 10
