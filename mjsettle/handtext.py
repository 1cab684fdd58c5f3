"""Hands read group by group: what repeats from hand to hand is parsed once.

A hand is written as at most a few groups such as ``123m``; rooms write each suit as one group. A group's codes and key
are remembered, so that reading a hand is a handful of look-ups.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from mjsettle.keys import Keys
from mjsettle.tiles import FIRST_FLOWER, GROUPS, KIND_OF, SUITS, packed_counts, parse_tiles

_REMEMBERED: Final = 32_768


class Written(NamedTuple):
    """A hand as written.

    codes: its tile codes in the order written. keys: the four suit keys of all its tiles that have a kind, wild ones
    included; None where they say less than the codes do (flowers, jokers, five of a kind, a suit in two groups).
    held: its packed counts.
    """

    codes: tuple[int, ...] = ()
    keys: Keys | None = None
    held: int = 0


@lru_cache(maxsize=_REMEMBERED)
def _group(text: str) -> tuple[tuple[int, ...], int, int, int]:
    """Codes, suit number, key and packed counts of one group; suit -1 where a key cannot hold it."""
    codes = tuple(parse_tiles(text))
    held = packed_counts(codes)
    key = 0
    for code in codes:
        kind = KIND_OF[code]
        if kind >= FIRST_FLOWER or sum(KIND_OF[other] == kind for other in codes) > 4:
            return codes, -1, 0, held
        key += 5 ** (kind % 9)
    return codes, SUITS.index(text[-1]), key, held


@lru_cache(maxsize=256)
def read_written(text: str) -> Written:
    """Read a hand in wire notation. Raises NotationError as parse_tiles does.

    It is remembered for as long as a round is looked at: a rule set's checks read the same hands again.
    """
    groups = GROUPS.findall(text)
    codes: tuple[int, ...] = ()
    keys = [0, 0, 0, 0]
    whole = True
    length = held = 0
    for group in groups:
        length += len(group)
        own, suit, key, packed = _group(group)
        codes += own
        held += packed
        if suit < 0 or keys[suit]:
            whole = False
        else:
            keys[suit] = key
    if length != len(text):
        codes = tuple(parse_tiles(text))
        return Written(codes, None, packed_counts(codes))
    return Written(codes, (keys[0], keys[1], keys[2], keys[3]) if whole else None, held)


class SuitTiles(NamedTuple):
    """What a suit key stands for: counts by rank, and the masks of kinds held at least 1, 2, 3, 4 times (in the place
    of the suit among the 34 kinds)."""

    counts: tuple[int, ...]
    one: int
    two: int
    three: int
    four: int


@lru_cache(maxsize=_REMEMBERED)
def suit_tiles(suit: int, key: int) -> SuitTiles:
    """The tiles of a suit (0 m, 1 p, 2 s, 3 z) with this key."""
    counts = []
    masks = [0, 0, 0, 0]
    for rank in range(7 if suit == 3 else 9):
        key, count = divmod(key, 5)
        counts.append(count)
        for least in range(count):
            masks[least] |= 1 << (9 * suit + rank)
    one, two, three, four = masks
    return SuitTiles(tuple(counts), one, two, three, four)
