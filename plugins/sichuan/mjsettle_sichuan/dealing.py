"""Hands to begin a played-out round with: near a win, in two suits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from mjsettle.tiles import NAMES

KINDS: Final = 27


@dataclass(slots=True)
class Seat:
    """A seat in play. out: it has given up."""

    hand: list[int]
    void: str
    melds: list[dict[str, Any]] = field(default_factory=list)
    won: bool = False
    out: bool = False

    def texts(self) -> list[str]:
        return [meld["tiles"] for meld in self.melds]


def deal(rng: Random, left: list[int], wanted: int | None, start: Sequence[int] = ()) -> Seat:
    """A hand near ready in two suits, or with a few stray tiles that may leave its owner a pig.

    wanted: a tile that the hand shall wait for, if that can be; start: tiles that it shall hold.
    """
    suits = list("mps")
    rng.shuffle(suits)
    if wanted is not None:
        suits.sort(key=lambda suit: suit != NAMES[wanted][1])
    void = suits.pop()
    for attempt in range(1000):
        tiles = _complete(rng, list(left), suits, start)
        if tiles is not None and (wanted is None or wanted in tiles or attempt > 100):
            break
    assert tiles is not None
    waiting = wanted is not None and wanted in tiles and not start
    tiles.pop(tiles.index(wanted) if waiting and wanted is not None else rng.randrange(len(start), 14))
    for _ in range(0 if waiting or start else rng.choice((0, 0, 0, 1, 3))):
        tiles.pop(rng.randrange(len(tiles)))
        tiles.append(rng.choice([kind for kind in range(KINDS) if left[kind] > tiles.count(kind)]))
    for kind in tiles:
        left[kind] -= 1
    return Seat(tiles, void)


def _complete(rng: Random, left: list[int], suits: Sequence[str], start: Sequence[int]) -> list[int] | None:
    """Fourteen tiles that win, from what is left of these suits; None when luck ran out."""
    pool = [kind for kind in range(KINDS) if NAMES[kind][1] in (suits if rng.random() < 0.8 else suits[:1])]
    tiles = list(start)
    for kind in start:
        left[kind] -= 1
    pairs = not start and rng.random() < 0.15
    pungs = rng.choice((0.1, 0.3, 0.9))
    for _ in range(60):
        first = rng.choice(pool)
        if pairs or len(tiles) == 12:
            block = [first] * 2
        elif rng.random() < pungs:
            block = [first] * 3
        else:
            block = [first, first + 1, first + 2]
        if (block[0] != block[-1] and first % 9 > 6) or not _take(left, block):
            continue
        tiles += block
        if len(tiles) == 14:
            return tiles
    return None


def _take(left: list[int], kinds: Sequence[int]) -> bool:
    if any(left[kind] < list(kinds).count(kind) for kind in kinds):
        return False
    for kind in kinds:
        left[kind] -= 1
    return True


__all__ = ["KINDS", "Seat", "deal"]
