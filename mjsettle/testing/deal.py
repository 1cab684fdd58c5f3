"""Random hands for tests: dealt from a wall, or near a win, which a dealt hand hardly ever is."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from mjsettle.keys import COPIES
from mjsettle.tiles import FIRST_HONOUR, KINDS

_PUNGS: Final = tuple((kind,) * 3 for kind in range(KINDS))
_CHOWS: Final = tuple((kind, kind + 1, kind + 2) for kind in range(FIRST_HONOUR) if kind % 9 < 7)


def dealt(random: Random, tiles: int, kinds: Sequence[int] = range(KINDS)) -> list[int]:
    """The 34 counts of a hand of so many tiles dealt from four copies of each of some kinds."""
    return _counts(random.sample([kind for kind in kinds for _ in range(COPIES)], tiles))


def near_win(random: Random, sets: int, wilds: int, changes: int = 0, kinds: Sequence[int] = range(KINDS)) -> list[int]:
    """The 34 counts of a hand that, but for some tiles changed at random, so many wilds complete.

    sets: how many concealed sets the complete hand has beside its pair.
    """
    among = set(kinds)
    blocks = [block for block in (*_CHOWS, *_CHOWS, *_PUNGS) if among.issuperset(block)]
    while True:
        tiles = [kind for _ in range(sets) for kind in random.choice(blocks)] + [random.choice(list(kinds))] * 2
        random.shuffle(tiles)
        del tiles[:wilds]
        for _ in range(min(changes, len(tiles))):
            tiles[random.randrange(len(tiles))] = random.choice(list(kinds))
        counts = _counts(tiles)
        if max(counts) <= COPIES:
            return counts


def melded(random: Random, sets: int) -> list[int] | None:
    """The 34 counts of so many random melds; None for no meld, as in mjsettle.forms.wins."""
    if sets == 0:
        return None
    return _counts([kind for _ in range(sets) for kind in random.choice((*_CHOWS, *_PUNGS))])


def _counts(tiles: Sequence[int]) -> list[int]:
    return [tiles.count(kind) for kind in range(KINDS)]
