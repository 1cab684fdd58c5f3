"""Random winning hands of Guobiao in every form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import Any

from mjsettle.hand_batch import HandBatch
from mjsettle.tiles import NAMES, format_tiles

ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
THIRDS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
BODIES = tuple([*a, *(kind + 9 for kind in b), *(kind + 18 for kind in c)] for a, b, c in permutations(THIRDS))


@dataclass
class WinningHand:
    """A winning hand of kinds 0-33; concealed tiles without the winning tile; melds as (kind of meld, its kinds)."""

    concealed: list[int]
    win: int
    melds: list[tuple[str, list[int]]]
    situation: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        melds = " ".join(f"{kind}:{format_tiles(tiles)}" for kind, tiles in self.melds)
        words = {key: value for key, value in self.situation.items() if value}
        return f"{format_tiles(self.concealed)} + {NAMES[self.win]} {melds} {words}"


def winning_hand(random: Random) -> WinningHand:
    """A hand of any form with possible circumstances; hands whose sets resemble each other are frequent."""
    while True:
        roll = random.random()
        melds: list[tuple[str, list[int]]] = []
        if roll < 0.07:
            tiles = _pairs(random)
        elif roll < 0.09:
            tiles = [*ORPHANS, random.choice(ORPHANS)]
        elif roll < 0.13:
            body, honours = random.choice(BODIES), random.choice((5, 5, 6, 7))
            tiles = random.sample(body, 14 - honours) + random.sample(range(27, 34), honours)
        elif roll < 0.22:
            tiles, melds = _sets(random, 1)
            tiles += random.choice(BODIES)
        elif roll < 0.27:
            tiles, melds = _rare(random)
        else:
            tiles, melds = _sets(random, 4)
        held = tiles + [kind for _, meld in melds for kind in meld]
        if all(held.count(kind) <= 4 for kind in held):
            return _situated(random, tiles, melds)


def _rare(random: Random) -> tuple[list[int], list[tuple[str, list[int]]]]:
    """Hands that chance hardly ever makes: nine gates, both terminal chows in one or two suits, and hands whose parts
    have nothing to do with each other, some of which have no fan at all."""
    suit, other = random.sample((0, 9, 18), 2)
    roll = random.random()
    if roll < 0.5:
        chows = [[low, low + 1, low + 2] for low in (9 * random.randrange(3) + random.randrange(7) for _ in range(4))]
        return [*chows[0], *chows[1], *[random.randrange(27, 34)] * 2], [("chow", chow) for chow in chows[2:]]
    if roll < 0.7:
        return [suit + rank for rank in (0, 0, 0, *range(1, 8), 8, 8, 8, random.randrange(9))], []
    second = random.choice((suit, other))
    five = suit + 4 if second == suit else 27 - suit - other + 4
    if random.random() < 0.2:
        five = random.randrange(34)
    tiles = [five, five]
    melds: list[tuple[str, list[int]]] = []
    for first in (suit, suit + 6, second, second + 6):
        chow = [first, first + 1, first + 2]
        if random.random() < 0.2:
            melds.append(("chow", chow))
        else:
            tiles += chow
    return tiles, melds


def _pairs(random: Random) -> list[int]:
    roll = random.random()
    if roll < 0.15:
        first = 9 * random.randrange(3) + random.randrange(3)
        return list(range(first, first + 7)) * 2
    pool = _pool(random)
    return [random.choice(pool) for _ in range(7)] * 2


def _pool(random: Random) -> list[int]:
    """Kinds that resemble each other in one way or another."""
    suit, low = 9 * random.randrange(3), random.randrange(7)
    pools: list[Sequence[int]] = [
        range(34),
        range(27),
        range(suit, suit + 9),
        [*range(suit, suit + 9), *range(27, 34)],
        [kind for kind in range(27) if low <= kind % 9 <= low + 2],
        [kind for kind in range(27) if kind % 9 in (low, low + 2)],
        ORPHANS,
        [0, 8, 9, 17, 18, 26],
        range(27, 34),
        [kind for kind in range(27) if kind % 9 % 2],
        [18, 19, 20, 21, 23, 25, 32],
        [9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 31],
        [kind for kind in range(27) if kind % 9 < 4],
        [kind for kind in range(27) if kind % 9 > 4],
        [kind for kind in range(27) if kind % 3 == low % 3],
    ]
    return list(random.choice(pools))


def _sets(random: Random, count: int) -> tuple[list[int], list[tuple[str, list[int]]]]:
    pool = _pool(random)
    chows, melded = random.choice((0.0, 0.5, 0.9, 1.0)), random.choice((0.0, 0.0, 0.3, 0.7, 1.0))
    kongs = random.choice((0.0, 0.2, 0.8))
    tiles: list[int] = []
    melds: list[tuple[str, list[int]]] = []
    for _ in range(count):
        first = random.choice(pool)
        if first < 27 and first % 9 < 7 and random.random() < chows:
            blocks = [("chow", [first, first + 1, first + 2])]
        else:
            blocks = [("pung", [first] * 3)]
            if random.random() < kongs:
                blocks = [(random.choice(("kong", "added_kong", "concealed_kong")), [first] * 4)]
        kind, block = blocks[0]
        if len(block) == 4 or random.random() < melded:
            melds.append((kind, block))
        else:
            tiles += block
    if random.random() < 0.15:
        return tiles + [random.choice((4, 13, 22))] * 2, melds
    return tiles + [random.choice(pool if random.random() < 0.7 else range(34))] * 2, melds


def _situated(random: Random, tiles: list[int], melds: list[tuple[str, list[int]]]) -> WinningHand:
    win = random.choice(tiles)
    tiles.remove(win)
    self_draw = random.random() < 0.5
    open_kinds = [kind for name, meld in melds if name != "concealed_kong" for kind in meld]
    kongs = any(len(meld) == 4 for _, meld in melds)
    lonely = win not in tiles and win not in open_kinds
    situation = {
        "self_draw": int(self_draw),
        "seat_wind": random.randrange(4),
        "round_wind": random.randrange(4),
        "flowers": random.choice((0, 0, random.randrange(256))),
        "last_tile": int(random.random() < 0.1),
        "last_of_kind": int(random.random() < 0.1 and win not in tiles),
        "kong_draw": int(self_draw and kongs and random.random() < 0.3),
        "rob_kong": int(not self_draw and lonely and random.random() < 0.2),
    }
    return WinningHand(tiles, win, melds, situation)


def as_batch(hands: Sequence[WinningHand]) -> HandBatch:
    """The hands as mjsettle scores them; a joker among the tiles is code 42."""
    situation: dict[str, Any] = {name: [hand.situation[name] for hand in hands] for name in hands[0].situation}
    return HandBatch.read(
        [format_tiles(hand.concealed) for hand in hands],
        [NAMES[hand.win] for hand in hands],
        [[(kind, format_tiles(tiles)) for kind, tiles in hand.melds] for hand in hands],
        **situation,
    )
