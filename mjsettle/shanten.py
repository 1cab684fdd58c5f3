"""How far a hand is from complete: its shanten number (向听数) in each of the three forms.

The number is the fewest tiles that must be exchanged to be ready: 0 is ready, -1 complete. It is exact: one less than
the fewest tiles missing from any complete hand of that size. Where wild tiles are in play (named, or a joker in the
hand) the complete hand may have a fifth tile of a kind, as a wild may be it; otherwise no more than four, so that a
hand which could only wait on a tile it holds four times is not ready.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjsettle.errors import HandError
from mjsettle.forms import Hands, MeldsOfHands, melded_batch, read_batch, read_melds, safe_keys
from mjsettle.keys import COPIES, SUIT_STARTS, product, read_hand, suit_keys
from mjsettle.needs import KINDS_AND_ORPHANS, ORPHANS, SPECIAL_TILES, TILES_MAX
from mjsettle.tables import Variant, shanten_tables
from mjsettle.tiles import KINDS

NO_SUCH_FORM: Final = 99
"""In batches, the number of a special form that a hand cannot take since it has melds or another size."""

_FAR: Final = 1 << 20


class Shanten(NamedTuple):
    """Shanten numbers, -1 for complete; None for the special forms of a hand with melds or not of 13 or 14 tiles."""

    standard: int
    seven_pairs: int | None
    """Seven different pairs: four of a kind are one pair."""
    thirteen_orphans: int | None


class ShantenBatch(NamedTuple):
    """Shanten numbers of many hands, int8 arrays of shape (N,); NO_SUCH_FORM where Shanten has None."""

    standard: NDArray[np.int8]
    seven_pairs: NDArray[np.int8]
    thirteen_orphans: NDArray[np.int8]


def shanten(hand: str, melds: Sequence[str] = (), wild: Sequence[str] = ()) -> Shanten:
    """The shanten numbers of a hand of 3n+1 or 3n+2 concealed tiles; as many sets are wanted as it has threes.

    Raises NotationError for what cannot be read and HandError for a meld that is none or a wrong number of tiles.
    """
    counts, wilds, _ = read_hand(hand, wild)
    has_melds = read_melds(melds, wild) is not None
    tiles = sum(counts) + wilds
    if tiles % 3 == 0:
        raise HandError(
            f"{hand!r} has {tiles} concealed tiles with {len(melds)} melds; expected 3n+1 or 3n+2, such as "
            f"{tiles + 1} or {tiles + 2} (melds are given apart, and a kong counts as three)"
        )
    variant: Variant = "free" if wilds or wild else "four"
    standard = standard_missing(counts, tiles // 3, variant) - wilds - 1
    if has_melds or tiles not in (SPECIAL_TILES - 1, SPECIAL_TILES):
        return Shanten(standard, None, None)
    pairs = sum(copies >= 2 for copies in counts)
    kinds = KINDS - counts.count(0)
    held = [counts[kind] for kind in ORPHANS]
    orphans = 13 - held.count(0)
    return Shanten(
        standard,
        6 - pairs + max(0, 7 - kinds) - wilds,
        13 - orphans - (max(held) >= 2) - wilds,
    )


def standard_missing(counts: Sequence[int], sets: int, variant: Variant) -> int:
    """Fewest tiles missing from so many sets and a pair; 34 counts of natural tiles."""
    if max(counts) > COPIES or sum(counts) > TILES_MAX or sets > TILES_MAX // 3:
        return missing_exactly(counts, sets, variant)
    table = shanten_tables(variant)
    characters, dots, bamboo, honours = suit_keys(counts)
    numbers = table.number_merge[table.suits[characters], table.suits[dots]]
    honoured = table.honour_merge[table.suits[bamboo], table.honours[honours]]
    return int(table.missing[sets, numbers, honoured])


def missing_exactly(counts: Sequence[int], sets: int, variant: Variant) -> int:
    """The general path: any counts, any number of sets."""
    best = [[0] + [_FAR] * sets, [_FAR] * (sets + 1)]
    for start, stop in pairwise(SUIT_STARTS):
        suit = _suit_missing(tuple(counts[start:stop]), start < SUIT_STARTS[3], sets, variant)
        merged = [[_FAR] * (sets + 1), [_FAR] * (sets + 1)]
        for pair, own_pair in ((0, 0), (0, 1), (1, 0)):
            for before in range(sets + 1):
                for own in range(sets + 1 - before):
                    total = best[pair][before] + suit[own_pair][own]
                    merged[pair + own_pair][before + own] = min(merged[pair + own_pair][before + own], total)
        best = merged
    return best[1][sets]


@lru_cache(maxsize=1 << 12)
def _suit_missing(counts: tuple[int, ...], chows: bool, sets_max: int, variant: Variant) -> tuple[list[int], list[int]]:
    """Fewest tiles missing by number of sets, without the pair and with it, for one suit of any counts."""
    # Chows begun at this position and at the one before, pairs, sets.
    states = {(0, 0, 0, 0): 0}
    for at, held in enumerate(counts):
        kind_max = max(COPIES, held) if variant == "four" else _FAR
        fresh_max = sets_max if chows and at + 2 < len(counts) else 0
        grown: dict[tuple[int, int, int, int], int] = {}
        for (started, running, pairs, sets), missing in states.items():
            for fresh in range(min(fresh_max, sets_max - sets) + 1):
                for pungs in range(min(sets_max - sets - fresh, held // 3 + 1) + 1):
                    for pair in range(2 - pairs):
                        used = started + running + fresh + 3 * pungs + 2 * pair
                        if used <= kind_max:
                            state = (fresh, started, pairs + pair, sets + fresh + pungs)
                            total = missing + max(0, used - held)
                            grown[state] = min(grown.get(state, _FAR), total)
        states = grown
    by_sets = [[states.get((0, 0, pair, sets), _FAR) for sets in range(sets_max + 1)] for pair in range(2)]
    return by_sets[0], by_sets[1]


def shanten_batch(
    hands: Hands,
    wilds: NDArray[np.uint8] | int = 0,
    melds: MeldsOfHands | None = None,
    wild: Sequence[str] = (),
) -> ShantenBatch:
    """shanten for many hands; `hands`, `wilds` and `melds` as in is_win_batch.

    Wild tiles are in play for all hands where `wild` names any, else for those that hold one.
    """
    batch = read_batch(hands, wilds, wild)
    keys, naturals, general = safe_keys(batch.counts)
    tiles = naturals + batch.wilds
    _check_tile_counts(tiles)
    sets = tiles // 3
    general |= (naturals > TILES_MAX) | (sets > TILES_MAX // 3)
    free = np.full(len(tiles), bool(wild)) | (batch.wilds > 0)
    standard = np.empty(len(tiles), np.int8)
    for variant, rows in _by_variant(free):
        safe_sets = np.where(general[rows], 0, sets[rows])
        standard[rows] = _standard_missing_batch(keys[rows], safe_sets, variant)
    for row in np.flatnonzero(general).tolist():
        variant = "free" if free[row] else "four"
        standard[row] = missing_exactly(batch.counts[row].tolist(), int(sets[row]), variant)
    spent = batch.wilds.astype(np.int8)
    possible = (tiles == SPECIAL_TILES) | (tiles == SPECIAL_TILES - 1)
    melded = melded_batch(melds, wild)
    if melded is not None:
        possible &= ~melded.any(axis=1)
    seven_pairs, orphans = _special_batch(batch.counts, spent)
    return ShantenBatch(
        standard - spent - np.int8(1),
        np.where(possible, seven_pairs, np.int8(NO_SUCH_FORM)),
        np.where(possible, orphans, np.int8(NO_SUCH_FORM)),
    )


def _by_variant(free: NDArray[np.bool_]) -> Iterable[tuple[Variant, NDArray[np.intp] | slice]]:
    """The rows judged by each variant of the tables; all of them where one serves all."""
    if free.all():
        return (("free", slice(None)),)
    if not free.any():
        return (("four", slice(None)),)
    return (("free", np.flatnonzero(free)), ("four", np.flatnonzero(~free)))


def _standard_missing_batch(keys: NDArray[np.intp], sets: NDArray[np.intp], variant: Variant) -> NDArray[np.uint8]:
    table = shanten_tables(variant)

    def merged(merge: NDArray[np.uint16], left: NDArray[np.uint8], right: NDArray[np.uint8]) -> NDArray[np.uint16]:
        return merge.ravel().take(left * np.intp(merge.shape[1]) + right)

    characters, dots, bamboo = (table.suits.take(keys[:, suit]) for suit in range(3))
    numbers = merged(table.number_merge, characters, dots)
    honoured = merged(table.honour_merge, bamboo, table.honours.take(keys[:, 3]))
    _, numbers_size, honoured_size = table.missing.shape
    missing: NDArray[np.uint8] = table.missing.ravel().take((sets * numbers_size + numbers) * honoured_size + honoured)
    return missing


def _special_batch(counts: NDArray[np.uint8], wilds: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    kinds = product(counts > 0, KINDS_AND_ORPHANS).astype(np.int8)
    pairs = product(counts > 1, KINDS_AND_ORPHANS).astype(np.int8)
    seven_pairs = 6 - pairs[:, 0] + np.maximum(0, 7 - kinds[:, 0]) - wilds
    orphans = 13 - kinds[:, 1] - (pairs[:, 1] > 0) - wilds
    return seven_pairs.astype(np.int8), orphans.astype(np.int8)


def _check_tile_counts(tiles: NDArray[np.intp]) -> None:
    wrong = np.flatnonzero(tiles % 3 == 0)
    if wrong.size:
        shown = ", ".join(f"row {row} has {tiles[row]}" for row in wrong[:8].tolist())
        raise HandError(f"wrong number of concealed tiles: {shown}; expected 3n+1 or 3n+2, wilds included")
