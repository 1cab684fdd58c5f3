"""Suit keys: a concealed hand as four numbers and a count of wild tiles, one hand or a batch.

A suit is its counts read as a base-5 number: kind *i* of the suit has weight ``5**i``, so ``m``, ``p`` and ``s`` keys
lie below 5**9 and ``z`` keys below 5**7. A batch of N hands is an array of shape (N, 34) of counts by kind (uint8) or
of shape (N, 4) of keys (intp). Keys hold at most four of a kind; whoever makes them sees to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjsettle.errors import HandError
from mjsettle.tiles import (
    CODES,
    FIRST_FLOWER,
    JOKER,
    KIND_OF,
    KINDS,
    NAMES,
    RED_FIVES,
    counts_of,
    parse_tile,
    parse_tiles,
)

SUIT_KEYS: Final = 5**9
HONOUR_KEYS: Final = 5**7
COPIES: Final = 4
CODE_COUNT: Final = len(NAMES)
SUIT_STARTS: Final = (0, 9, 18, 27, 34)
SUIT_OF: Final = tuple(kind // 9 for kind in range(KINDS))
WEIGHTS: Final = tuple(5 ** (kind % 9) for kind in range(KINDS))

Keys = tuple[int, int, int, int]

# One column a suit, and one that counts tiles. Sums stay below 2**24, so float32 products are exact, and BLAS is fast.
_WEIGHTS: Final = np.zeros((KINDS, 5), np.float32)
_WEIGHTS[np.arange(KINDS), SUIT_OF] = WEIGHTS
_WEIGHTS[:, 4] = 1
_ROWS_AT_ONCE: Final = 1500
# The five base-5 digits of every number below 5**5.
_DIGITS: Final = (np.arange(5**5)[:, None] // 5 ** np.arange(5) % 5).astype(np.uint8)


def suit_keys(counts: Sequence[int]) -> Keys:
    """The four keys of one hand from its 34 counts (each 0..4)."""
    keys = [0, 0, 0, 0]
    for kind, copies in enumerate(counts):
        if copies:
            keys[SUIT_OF[kind]] += copies * WEIGHTS[kind]
    return keys[0], keys[1], keys[2], keys[3]


def suit_keys_batch(counts: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The keys of a batch: counts of shape (N, 34), each 0..4, to keys of shape (N, 4)."""
    return suit_keys_and_tiles(counts)[0]


def suit_keys_and_tiles(counts: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """As suit_keys_batch, with the number of tiles of each hand, shape (N,)."""
    columns = product(counts, _WEIGHTS).astype(np.intp)
    return columns[:, :4], columns[:, 4]


def product(counts: NDArray[np.uint8] | NDArray[np.bool_], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """The matrix product of counts, shape (N, 34), and columns of whole numbers, exact below 2**24.

    In pieces so small that BLAS does not spread them over threads: on a busy machine waiting for those costs more
    than the product, and many processes share the cores.
    """
    sums = np.empty((len(counts), columns.shape[1]), np.float32)
    for start in range(0, len(counts), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        np.matmul(counts[rows].astype(np.float32), columns, out=sums[rows])
    return sums


def counts_of_keys(keys: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """The counts of shape (N, 34) that keys of shape (N, 4) stand for."""
    high, low = np.divmod(np.asarray(keys), 5**5)
    counts = np.empty((len(keys), KINDS), np.uint8)
    for suit in range(4):
        start, stop = SUIT_STARTS[suit : suit + 2]
        counts[:, start : start + 5] = _DIGITS.take(low[:, suit], axis=0)
        counts[:, start + 5 : stop] = _DIGITS.take(high[:, suit], axis=0)[:, : stop - start - 5]
    return counts


class Concealed(NamedTuple):
    """One concealed hand: natural tiles by kind, how many are wild besides, and all tiles by kind, wild ones too."""

    counts: list[int]
    wilds: int
    held: list[int]


class ConcealedBatch(NamedTuple):
    """As Concealed for many hands: counts and held of shape (N, 34), uint8, and wilds of shape (N,), uint8."""

    counts: NDArray[np.uint8]
    wilds: NDArray[np.uint8]
    held: NDArray[np.uint8]


@lru_cache(maxsize=1024)
def wild_codes(wild: tuple[str, ...]) -> frozenset[int]:
    """The tile codes that are wild where `wild` names the wild tiles.

    Red fives go with their kind, printed jokers are always in, and flowers may be wild too.
    Raises NotationError for a name that is no tile.
    """
    codes = {JOKER, *(parse_tile(name) for name in wild)}
    return frozenset(codes | {red for red in RED_FIVES if KIND_OF[red] in codes})


def read_hand(hand: str, wild: Iterable[str] = ()) -> Concealed:
    """Read one concealed hand, lifting its wild tiles out of the counts.

    Raises NotationError, and HandError where the hand holds a flower that is not wild.
    """
    lifted = wild_codes(tuple(wild))
    counts = [0] * KINDS
    codes = parse_tiles(hand)
    wilds = 0
    for code in codes:
        if code in lifted:
            wilds += 1
        elif FIRST_FLOWER <= code < JOKER:
            raise HandError(
                f"{hand!r} holds the flower {NAMES[code]}; flowers are set aside, so leave it out of the hand"
            )
        else:
            counts[KIND_OF[code]] += 1
    return Concealed(counts, wilds, counts_of(codes) if wilds else counts)


def split_wild(
    tiles: NDArray[np.uint8], wild: Sequence[str] | NDArray[np.bool_] = ()
) -> tuple[ConcealedBatch, NDArray[np.uint8]]:
    """Split tiles by code, shape (N, 46), into natural tiles by kind, wild tiles, and the flowers left, shape (N, 8).

    `wild` names the wild tiles of all hands, or is a table of shape (N, 46) that tells hand by hand which codes are
    wild; `wild_codes` says what such a table has to cover.
    """
    if isinstance(wild, np.ndarray):
        natural = np.where(wild, np.uint8(0), tiles)
        wilds = (tiles - natural).sum(axis=1, dtype=np.uint8)
    else:
        lifted = sorted(wild_codes(tuple(wild)))
        natural = tiles.copy()
        natural[:, lifted] = 0
        wilds = tiles[:, lifted].sum(axis=1, dtype=np.uint8)
    batch = ConcealedBatch(_by_kind(natural), wilds, _by_kind(tiles))
    return batch, natural[:, FIRST_FLOWER:JOKER]


def _by_kind(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    counts = tiles[:, :KINDS].copy()
    for red in RED_FIVES:
        counts[:, KIND_OF[red]] += tiles[:, red]
    return counts


# What each byte of a hand is: a digit's value, or one of the marks below.
_SPACE: Final = 16
_BAD: Final = 17
_END: Final = 18
_LETTER: Final = 20
_LETTERS: Final = "mpszfx"
_BYTE_CLASS: Final = np.full(256, _BAD, np.uint8)
_BYTE_CLASS[[*b" \t\n\r\v\f\x1c\x1d\x1e\x1f"]] = _SPACE
_BYTE_CLASS[0] = _END
_BYTE_CLASS[ord("0") : ord("9") + 1] = np.arange(10)
_BYTE_CLASS[[ord(letter) for letter in _LETTERS]] = _LETTER + np.arange(len(_LETTERS))
# Tile code of a digit under the mark that ends its group; -1 where there is none.
_CODE: Final = np.full((10, _LETTER + len(_LETTERS)), -1, np.intp)
for _name, _code in CODES.items():
    _CODE[int(_name[0]), _LETTER + _LETTERS.index(_name[1])] = _code


def parse_batch(hands: Sequence[str]) -> NDArray[np.uint8]:
    """Read hands in wire notation into how often each holds each tile code: shape (N, 46).

    Array operations over all hands at once. Raises NotationError as parse_tiles does, for the first hand that
    cannot be read, and HandError for a hand with more than 255 of one tile.
    """
    size = len(hands)
    marks = _BYTE_CLASS[np.frombuffer("\0".join([*hands, ""]).encode("utf-8", "surrogatepass"), np.uint8)]
    if np.any(marks == _SPACE):
        marks = marks[marks != _SPACE]
    ends = np.flatnonzero(marks >= _END)
    row_of_end = np.cumsum(marks[ends] == _END) - (marks[ends] == _END)
    if size and row_of_end[-1] != size - 1:  # a hand holds the separator itself
        return _parse_each(hands, np.ones(size, np.bool_), np.zeros((size, CODE_COUNT), np.intp))
    digits = np.flatnonzero(marks < 10)
    end_of_digit = np.cumsum(marks >= _END)[digits]
    codes = _CODE[marks[digits], marks[ends][end_of_digit]]
    rows = row_of_end[end_of_digit]
    odd = np.zeros(size, np.bool_)
    odd[rows[codes < 0]] = True
    # A letter must follow a digit, and a byte that is none of ours spoils its hand.
    before = np.concatenate((np.array([_END], np.uint8), marks[:-1]))[ends]
    odd[row_of_end[(marks[ends] >= _LETTER) & (before >= 10)]] = True
    bad = np.flatnonzero(marks == _BAD)
    odd[row_of_end[np.searchsorted(ends, bad)]] = True
    good = codes >= 0
    tiles = np.bincount(rows[good] * CODE_COUNT + codes[good], minlength=size * CODE_COUNT)
    return _parse_each(hands, odd, tiles.reshape(size, CODE_COUNT))


def _parse_each(hands: Sequence[str], odd: NDArray[np.bool_], tiles: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Read the odd hands one by one, which raises for the faulty ones, and narrow the counts to bytes."""
    for row in np.flatnonzero(odd).tolist():
        tiles[row] = np.bincount(parse_tiles(hands[row]), minlength=CODE_COUNT)
    if np.any(tiles > 255):
        row = int(np.flatnonzero((tiles > 255).any(axis=1))[0])
        raise HandError(f"hand {row} holds more than 255 of one tile; a hand of mahjong has about 14 tiles in all")
    return tiles.astype(np.uint8)
