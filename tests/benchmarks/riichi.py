"""Random riichi wins that every engine understands: no red fives, no circumstance but riichi and the kind of win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

import numpy as np

from mjsettle import HandBatch
from mjsettle.columns import ORPHANS
from mjsettle.tiles import FIRST_HONOUR, KINDS, NAMES, format_tiles
from mjsettle.wait_masks import kinds_in

HANDS: Final = 20_000
FIVES: Final = (4, 13, 22)
ORPHAN_KINDS: Final = tuple(kinds_in(ORPHANS))


@dataclass(frozen=True, slots=True)
class PlainWin:
    """A win of kinds 0-33: concealed tiles without the winning tile, melds as (kind of meld, kinds); winds 0-3; dora
    and ura are indicators."""

    concealed: tuple[int, ...]
    win: int
    melds: tuple[tuple[str, tuple[int, ...]], ...]
    self_draw: bool
    riichi: bool
    seat_wind: int
    round_wind: int
    dora: int
    ura: int

    def count_of(self, indicator: int) -> int:
        """How many dora the hand has by an indicator."""
        kind = next_kind(indicator)
        return [*self.concealed, self.win, *(tile for _, meld in self.melds for tile in meld)].count(kind)


def next_kind(kind: int) -> int:
    """The kind that an indicator of this kind indicates."""
    if kind < FIRST_HONOUR:
        return kind // 9 * 9 + (kind + 1 - kind // 9 * 9) % 9
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


@cache
def plain_wins(count: int = HANDS, seed: int = 3) -> tuple[PlainWin, ...]:
    random = Random(seed)
    found: list[PlainWin] = []
    while len(found) < count:
        win = _win(random)
        if win is not None:
            found.append(win)
    return tuple(found)


def _win(random: Random) -> PlainWin | None:
    melds: list[tuple[str, tuple[int, ...]]] = []
    roll = random.random()
    if roll < 0.06:
        tiles = [kind for kind in random.sample(_pool(random, 7), 7) for _ in range(2)]
    elif roll < 0.07:
        tiles = [*ORPHAN_KINDS, random.choice(ORPHAN_KINDS)]
    else:
        tiles = _sets(random, melds)
    whole = tiles + [tile for _, meld in melds for tile in meld]
    # Four fives of a suit would hold the red one.
    if any(whole.count(kind) > (3 if kind in FIVES else 4) for kind in whole):
        return None
    random.shuffle(tiles)
    closed = all(kind == "concealed_kong" for kind, _ in melds)
    return PlainWin(
        tuple(tiles[:-1]),
        tiles[-1],
        tuple(melds),
        random.random() < 0.4,
        closed and random.random() < 0.5,
        random.randrange(4),
        random.randrange(2),
        random.randrange(KINDS),
        random.randrange(KINDS),
    )


def _pool(random: Random, least: int = 4) -> list[int]:
    """Kinds that a hand is made of: mostly all, else a suit, a suit with honours, simples, or terminals and honours."""
    suit = 9 * random.randrange(3)
    roll = random.random()
    if roll < 0.6:
        return list(range(KINDS))
    if roll < 0.7:
        return list(range(suit, suit + 9))
    if roll < 0.8:
        return [*range(suit, suit + 9), *range(FIRST_HONOUR, KINDS)]
    if roll < 0.9:
        return [kind for kind in range(FIRST_HONOUR) if 0 < kind % 9 < 8]
    return list(ORPHAN_KINDS)


def _sets(random: Random, melds: list[tuple[str, tuple[int, ...]]]) -> list[int]:
    pool, chows, melded = _pool(random), random.choice((0.2, 0.7, 0.95)), random.choice((0.0, 0.0, 0.4, 0.8))
    tiles = [random.choice(pool)] * 2
    for _ in range(4):
        first = random.choice(pool)
        chow = first < FIRST_HONOUR and first % 9 < 7 and random.random() < chows
        kinds = (first, first + 1, first + 2) if chow else (first,) * 3
        if not chow and random.random() < 0.08:
            melds.append((random.choice(("kong", "concealed_kong")), (first,) * 4))
        elif random.random() < melded:
            melds.append(("chow" if chow else "pung", kinds))
        else:
            tiles += kinds
    return tiles


def riichi_batch(wins: Sequence[PlainWin]) -> HandBatch:
    """The wins as mjsettle scores them."""
    return HandBatch.read(
        [format_tiles(win.concealed) for win in wins],
        [NAMES[win.win] for win in wins],
        [[(kind, format_tiles(tiles)) for kind, tiles in win.melds] for win in wins],
        self_draw=np.array([win.self_draw for win in wins], np.int64),
        seat_wind=np.array([win.seat_wind for win in wins]),
        round_wind=np.array([win.round_wind for win in wins]),
        riichi_level=np.array([win.riichi for win in wins], np.int64),
        dora=np.array([win.count_of(win.dora) for win in wins]),
        ura_dora=np.array([win.count_of(win.ura) * win.riichi for win in wins]),
    )
