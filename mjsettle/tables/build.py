"""Generates the tables: ``python -m mjsettle.tables.build`` writes them, ``--check`` compares them with the files.

Both kinds of table come from one position-by-position dynamic programme over all keys at once. After position *i* the
state is how many chows started at *i* and at *i*-1 (those still to be carried on), whether the pair is made, and, for
shanten, how many sets are; its value, one byte for every key of the positions so far, is the fewest tiles added.
Three equal chows are three pungs, so at most two chows of one start are needed where the number of sets is free.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDER: Final = Path(__file__).parent
Bytes = NDArray[np.uint8]

# Larger than any real number of tiles, small enough that two of them and a few more fit a byte.
FAR: Final = 100
# Keys of hands beyond this many tiles are not served by the tables.
TILES_MAX: Final = 17
SETS_MAX: Final = 5
# Stored for keys that no number of wilds completes. With it the sums of four suits still fit the low six bits: a hand
# of 17 tiles with four of an honour adds at most 21 for its other suits.
NEVER: Final = 40
# "free": a fifth tile of a kind is possible; "four": no kind beyond four.
KIND_MAX: Final = {"free": 99, "four": 4}


class _State(NamedTuple):
    started: int
    """Chows that started at the position just done."""
    running: int
    """Chows that started one position earlier."""
    pairs: int
    sets: int


def tile_totals(positions: int) -> NDArray[np.int64]:
    """The number of tiles of every key of so many positions."""
    totals = np.zeros(1, np.int64)
    for _ in range(positions):
        totals = (np.arange(5)[:, None] + totals[None, :]).ravel()
    return totals


def _advance(
    states: dict[_State, Bytes], positions: int, position: int, kind_max: int, chows: bool, all_used: bool
) -> dict[_State, Bytes]:
    """One more position: every way to place chows, pungs and the pair on it, for its five possible counts."""
    grown: dict[_State, Bytes] = {}
    chow_counts = range((3 if all_used else SETS_MAX) if chows and position <= positions - 3 else 1)
    for (started, running, pairs, sets), value in states.items():
        for fresh in chow_counts:
            for pair in range(2 - pairs):
                for pungs in range(3):
                    used = started + running + fresh + 3 * pungs + 2 * pair
                    set_count = 0 if all_used else sets + fresh + pungs
                    if used > kind_max or set_count > SETS_MAX:
                        continue
                    after = _State(fresh, started, pairs + pair, set_count)
                    if after not in grown:
                        grown[after] = np.full((5, value.size), FAR, np.uint8)
                    target = grown[after]
                    for held in range(used + 1 if all_used and used < 5 else 5):
                        np.minimum(target[held], value + np.uint8(max(0, used - held)), out=target[held])
    return {
        state: np.minimum(value, FAR).ravel()
        for state, value in grown.items()
        # A chow may not run over the end of the suit.
        if state.started == 0 or position <= positions - 3
        if state.running == 0 or position <= positions - 2
    }


def _fewest(positions: int, kind_max: int, chows: bool, all_used: bool) -> dict[_State, Bytes]:
    states = {_State(0, 0, 0, 0): np.zeros(1, np.uint8)}
    for position in range(positions):
        states = _advance(states, positions, position, kind_max, chows, all_used)
    return {state: value for state, value in states.items() if state.started == state.running == 0}


def least_wilds(positions: int, kind_max: int, chows: bool) -> Bytes:
    """One byte for each key: m + 64 * c, where whole sets take m wilds and sets with the pair m + 3 * c - 4.

    m is NEVER, and c is 2, where no number of wilds does, and for keys of more than TILES_MAX tiles.
    """
    states = _fewest(positions, kind_max, chows, all_used=True)
    whole = states[_State(0, 0, 0, 0)].astype(np.int64)
    paired = states[_State(0, 0, 1, 0)].astype(np.int64)
    served = (whole < FAR) & (paired < FAR) & (tile_totals(positions) <= TILES_MAX)
    # Tiles and wilds add up to 3n for sets and to 3n + 2 with the pair, hence the steps of three.
    choice, rest = np.divmod(paired - whole + 4, 3)
    if np.any(rest[served]) or np.any((choice[served] < 0) | (choice[served] > 2)):
        raise AssertionError("a pair costs -4, -1 or 2 more than none; the table's byte has no room for another")
    table = np.full(whole.shape, NEVER + 128, np.uint8)
    table[served] = (whole + 64 * choice)[served]
    return table


def missing_tiles(positions: int, kind_max: int, chows: bool) -> Bytes:
    """Fewest tiles missing for each key, pair (0 or 1) and number of sets (0..5): shape (keys, 2, 6)."""
    states = _fewest(positions, kind_max, chows, all_used=False)
    never = np.full(5**positions, FAR, np.uint8)
    rows = [[states.get(_State(0, 0, pair, sets), never) for sets in range(SETS_MAX + 1)] for pair in range(2)]
    return np.ascontiguousarray(np.moveaxis(np.array(rows), 2, 0))


def merge_missing(left: Bytes, right: Bytes) -> Bytes:
    """The (min, +) product of two lists of vectors, shapes (A, 2, 6) and (B, 2, 6), as shape (A, B, 2, 6)."""
    merged = np.full((len(left), len(right), 2, SETS_MAX + 1), FAR, np.uint8)
    for pair_left, pair_right in ((0, 0), (0, 1), (1, 0)):
        for sets_left in range(SETS_MAX + 1):
            for sets_right in range(SETS_MAX + 1 - sets_left):
                target = merged[:, :, pair_left + pair_right, sets_left + sets_right]
                total = left[:, None, pair_left, sets_left] + right[None, :, pair_right, sets_right]
                np.minimum(target, total, out=target)
    return merged


def _classes(vectors: Bytes) -> tuple[Bytes, NDArray[np.intp]]:
    """The distinct vectors in order, and which of them each row is."""
    # One number for each vector sorts much faster than rows do; values stay below 2**7.
    flat = vectors.reshape(len(vectors), -1).astype(np.uint64)
    high, low = np.zeros(len(flat), np.uint64), np.zeros(len(flat), np.uint64)
    for column in range(6):
        high = high << np.uint64(7) | flat[:, column]
        low = low << np.uint64(7) | flat[:, column + 6]
    _, high_class = np.unique(high, return_inverse=True)
    _, low_class = np.unique(low, return_inverse=True)
    joint = high_class.astype(np.int64) * (int(low_class.max()) + 1) + low_class
    _, first, inverse = np.unique(joint, return_index=True, return_inverse=True)
    return vectors[first], inverse


def shanten_tables(kind_max: int) -> Iterator[tuple[str, NDArray[np.uint8] | NDArray[np.uint16]]]:
    """The shanten tables of one variant, by name.

    `class` gives each key its class (suits, then honours). `numbers` merges the classes of two suits, `honours` those
    of a suit and the honours, and `missing` (6, numbers, honours) says how many tiles are missing for so many
    sets and a pair. Keys of more than TILES_MAX tiles are in class 0, whatever they hold.
    """
    suits, honours = missing_tiles(9, kind_max, chows=True), missing_tiles(7, kind_max, chows=False)
    suits[tile_totals(9) > TILES_MAX] = suits[0]
    honours[tile_totals(7) > TILES_MAX] = honours[0]
    suit_vectors, suit_class = _classes(suits)
    honour_vectors, honour_class = _classes(honours)
    yield "class", np.concatenate((suit_class, honour_class)).astype(np.uint8)
    numbers, honoured = merge_missing(suit_vectors, suit_vectors), merge_missing(suit_vectors, honour_vectors)
    number_vectors, number_class = _classes(numbers.reshape(-1, 2, 6))
    honoured_vectors, honoured_class = _classes(honoured.reshape(-1, 2, 6))
    yield "numbers", number_class.reshape(numbers.shape[:2]).astype(np.uint16)
    yield "honours", honoured_class.reshape(honoured.shape[:2]).astype(np.uint16)
    missing = merge_missing(number_vectors, honoured_vectors)[:, :, 1, :]
    yield "missing", np.ascontiguousarray(np.moveaxis(missing, 2, 0))


def tables() -> Iterator[tuple[str, NDArray[np.uint8] | NDArray[np.uint16]]]:
    """Every table with the name of its file."""
    for variant, kind_max in KIND_MAX.items():
        suits, honours = least_wilds(9, kind_max, chows=True), least_wilds(7, kind_max, chows=False)
        yield f"least_wilds_{variant}.npy", np.concatenate((suits, honours))
        for name, table in shanten_tables(kind_max):
            yield f"shanten_{name}_{variant}.npy", table


def checksum(table: NDArray[np.uint8] | NDArray[np.uint16]) -> str:
    """SHA-256 of a table's numbers, little-endian."""
    return hashlib.sha256(table.astype(table.dtype.newbyteorder("<")).tobytes()).hexdigest()


def differing() -> list[str]:
    """The names of the files that do not hold what the generator makes."""
    return [
        name
        for name, table in tables()
        if not (FOLDER / name).exists() or not np.array_equal(np.load(FOLDER / name), table)
    ]


def main() -> int:
    """Write or check the files; the exit status is 1 where a check found a difference."""
    if "--check" in sys.argv[1:]:
        wrong = differing()
        for name in wrong:
            print(f"{name} differs from what the generator makes; run python -m mjsettle.tables.build")
        return 1 if wrong else 0
    lines = []
    for name, table in tables():
        np.save(FOLDER / name, table)
        lines.append(f"{checksum(table)}  {name}\n")
        print(name, table.shape, table.dtype)
    (FOLDER / "SHA256SUMS").write_text("".join(lines), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
