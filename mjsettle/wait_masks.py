"""The tiles that complete hands, as bit masks of 34 kinds: one hand (integers) or a batch (arrays).

One look-up for each kind: the suit's byte with the tile added, merged with the other three suits' bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.forms import ALL_FORMS, by_table, check_tile_counts, safe_keys, wins, wins_batch
from mjsettle.keys import COPIES, SUIT_STARTS, WEIGHTS, Concealed, ConcealedBatch, Keys, suit_keys
from mjsettle.needs import (
    ORPHANS,
    SPECIAL_TILES,
    TILES_MAX,
    fifth_need,
    fifth_need_batch,
    merge_needs,
    need_batch,
    orphans_need_batch,
    seven_pairs_need_batch,
)
from mjsettle.tables import Variant, least_wilds
from mjsettle.tiles import KINDS
from mjsettle.wildcards import FREE, WildPolicy

EVERY_KIND: Final = (1 << KINDS) - 1
Masks = NDArray[np.int64]
_SUITS: Final = tuple(pairwise(SUIT_STARTS))
_WEIGHT_COLUMNS: Final = tuple(np.array(WEIGHTS[start:stop], np.intp)[:, None] for start, stop in _SUITS)
_ORPHAN_BITS: Final = sum(1 << kind for kind in ORPHANS)
_BITS: Final = np.int64(1) << np.arange(KINDS, dtype=np.int64)


def kinds_in(mask: int) -> Iterator[int]:
    """The kinds of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(kinds: Iterable[int]) -> int:
    """The mask of some kinds."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


def waits_mask(
    hand: Concealed,
    wild_kinds: int = 0,
    melded: Sequence[int] | None = None,
    held_fours: bool = False,
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> int:
    """The kinds that complete a hand of 3n+1 tiles (not checked), bit *k* for kind *k*.

    `wild_kinds` is the mask of the wild kinds: drawn, they are wilds. Kinds of which the hand holds all four copies
    are left out, unless `held_fours` asks for them: they are then judged as a fifth natural tile.
    """
    counts, wilds, held = hand

    def completes(kind: int) -> bool:
        grown = list(counts)
        grown[kind] += 1
        return wins(grown, wilds, melded, forms, policy, four_as_two_pairs)

    tiles = sum(counts) + wilds
    wanted = EVERY_KIND if held_fours else EVERY_KIND & ~held_four_times(held)
    if max(counts) > COPIES or tiles >= TILES_MAX:
        mask = mask_of(kind for kind in kinds_in(wanted & ~wild_kinds) if completes(kind))
    else:
        full = wanted & held_four_times(counts)
        mask = standard_mask(suit_keys(counts), wilds, _variant(policy)) & ~full if "standard" in forms else 0
        if full and "standard" in forms:
            mask |= mask_of(kind for kind in kinds_in(full) if fifth_need(suit_keys(counts), counts, kind) <= wilds)
        if melded is None and tiles == SPECIAL_TILES - 1:
            mask |= _special_mask(counts, wilds, forms, four_as_two_pairs)
        mask &= wanted & ~wild_kinds
        # So far every condition was a necessary one; it is not enough under a stricter policy.
        doubtful = 0 if policy == FREE else full if by_table(policy, melded is not None) else EVERY_KIND
        if wilds and mask & doubtful:
            mask = mask & ~doubtful | mask_of(kind for kind in kinds_in(mask & doubtful) if completes(kind))
    if wanted & wild_kinds and wins(counts, wilds + 1, melded, forms, policy, four_as_two_pairs):
        mask |= wanted & wild_kinds
    return mask


def held_four_times(counts: Sequence[int]) -> int:
    """The mask of the kinds of which a hand holds all four copies."""
    if max(counts) < COPIES:
        return 0
    return mask_of(kind for kind, copies in enumerate(counts) if copies >= COPIES)


def _variant(policy: WildPolicy) -> Variant:
    return "free" if policy.fifth_copy == "allowed" else "four"


def standard_mask(keys: Keys, wilds: int, variant: Variant = "free") -> int:
    """The kinds that complete the standard form as a natural tile; bits of kinds held four times mean nothing."""
    table = least_wilds(variant).by_suit
    own = [view[key] for view, key in zip(table, keys, strict=True)]
    total = sum(own)
    if (total & 63) + 3 * (min(own) >> 6) - 4 > wilds + 1:
        return 0
    mask = 0
    for suit, (start, stop) in enumerate(_SUITS):
        view, key = table[suit], keys[suit]
        rest = total - own[suit]
        rest_choice = min(own[:suit] + own[suit + 1 :]) >> 6
        top = len(view)
        for kind in range(start, stop):
            grown = key + WEIGHTS[kind]
            if grown >= top:
                break
            byte = view[grown]
            if (rest + byte & 63) + 3 * min(rest_choice, byte >> 6) - 4 <= wilds:
                mask |= 1 << kind
    return mask


def _special_mask(counts: Sequence[int], wilds: int, forms: Collection[str], four_as_two_pairs: bool) -> int:
    """The kinds that complete 13 tiles without melds to seven pairs or thirteen orphans; wilds may be used freely."""
    mask = 0
    if "seven_pairs" in forms and (four_as_two_pairs or max(counts) <= 2):
        # A tile of an odd kind makes a pair; another one needs a partner itself.
        lone = mask_of(kind for kind, copies in enumerate(counts) if copies & 1)
        need_now = lone.bit_count()
        if need_now - 1 <= wilds:
            mask = lone
        if need_now + 1 <= wilds:
            mask = EVERY_KIND if four_as_two_pairs else mask_of(kind for kind in range(KINDS) if counts[kind] < 2)
    if "thirteen_orphans" in forms:
        held = [counts[kind] for kind in ORPHANS]
        spare = sum(held) - 13 + held.count(0)
        if sum(held) == sum(counts) and spare <= 1:
            mask |= mask_of(kind for kind in ORPHANS if counts[kind] == 0 or spare == 0)
    return mask


def waits_mask_batch(
    batch: ConcealedBatch,
    wild_kinds: int | Masks = 0,
    melded: NDArray[np.uint8] | None = None,
    held_fours: bool = False,
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> Masks:
    """waits_mask for a batch of hands: shape (N,). Raises HandError naming the rows that have not 3n+1 tiles.

    `wild_kinds` is one mask for all hands or one for each; `melded` as in wins_batch.
    """
    counts, wilds, held = batch
    keys, tiles, general = safe_keys(counts)
    tiles += wilds
    check_tile_counts(tiles, left_over=1)
    general |= tiles >= TILES_MAX
    masks = np.zeros(len(counts), np.int64)
    if "standard" in forms:
        # A natural tile does no more than a wild would.
        ready = np.flatnonzero(need_batch(keys) <= wilds + np.uint8(1))
        masks[ready] = _standard_masks(keys[ready], wilds[ready], _variant(policy))
    full = _bits(counts == COPIES)
    masks &= ~full
    if held_fours and "standard" in forms:
        rows, kinds = np.nonzero((counts == COPIES) & (full != 0)[:, None])
        won = fifth_need_batch(keys[rows], counts[rows], kinds) <= wilds[rows]
        np.bitwise_or.at(masks, rows[won], _BITS[kinds[won]])
    special = tiles == SPECIAL_TILES - 1
    if melded is not None:
        special &= ~melded.any(axis=1)
    masks |= _special_masks(counts, wilds, special, forms, four_as_two_pairs)
    wild_masks = np.broadcast_to(np.asarray(wild_kinds, np.int64), masks.shape)
    masks &= ~wild_masks
    # Every condition so far was a necessary one; rows where it may not be enough are judged one by one.
    if policy != FREE:
        doubtful = full if by_table(policy, melded is not None) else np.int64(EVERY_KIND)
        general |= (wilds > 0) & (masks & doubtful != 0)
    if np.any(wild_masks):
        masks |= np.where(_win_with_one_more(batch, melded, forms, policy, four_as_two_pairs), wild_masks, 0)
    if not held_fours:
        masks &= ~_bits(held >= COPIES)
    for row in np.flatnonzero(general).tolist():
        hand = Concealed(counts[row].tolist(), int(wilds[row]), held[row].tolist())
        shown = melded[row].tolist() if melded is not None and melded[row].any() else None
        masks[row] = waits_mask(hand, int(wild_masks[row]), shown, held_fours, forms, policy, four_as_two_pairs)
    return masks


def _win_with_one_more(
    batch: ConcealedBatch,
    melded: NDArray[np.uint8] | None,
    forms: Collection[str],
    policy: WildPolicy,
    four_as_two_pairs: bool,
) -> NDArray[np.bool_]:
    """Which hands one more wild tile completes."""
    grown = batch._replace(wilds=batch.wilds + np.uint8(1))
    return wins_batch(grown, melded, forms, policy, four_as_two_pairs)


def _bits(flags: NDArray[np.bool_]) -> Masks:
    """Flags of shape (N, 34) as masks of shape (N,)."""
    packed = np.zeros((len(flags), 8), np.uint8)
    packed[:, :5] = np.packbits(flags, axis=1, bitorder="little")
    return packed.view("<i8")[:, 0].astype(np.int64, copy=False)


def _standard_masks(keys: NDArray[np.intp], wilds: NDArray[np.uint8], variant: Variant) -> Masks:
    """standard_mask for keys of shape (N, 4)."""
    table = least_wilds(variant)
    views = (table.suits, table.suits, table.suits, table.honours)
    own = [view.take(keys[:, suit]) for suit, view in enumerate(views)]
    total = own[0] + own[1] + own[2] + own[3]
    won = np.empty((KINDS, len(keys)), np.bool_)
    for suit, (start, stop) in enumerate(_SUITS):
        others = [byte for at, byte in enumerate(own) if at != suit]
        lowest = np.minimum(np.minimum(others[0], others[1]), others[2])
        # One row for each kind of the suit; a digit that runs over gives a number of no meaning, but in the table.
        grown = views[suit].take(keys[:, suit] + _WEIGHT_COLUMNS[suit], mode="clip")
        needs = merge_needs(grown + (total - own[suit]), np.minimum(grown, lowest))
        np.less_equal(needs, wilds, out=won[start:stop])
    return _bits(np.ascontiguousarray(won.T))


def _special_masks(
    counts: NDArray[np.uint8],
    wilds: NDArray[np.uint8],
    eligible: NDArray[np.bool_],
    forms: Collection[str],
    four_as_two_pairs: bool,
) -> Masks:
    """_special_mask for a batch: zero for rows that are not eligible or not near."""
    masks = np.zeros(len(counts), np.int64)
    if "seven_pairs" in forms:
        needs = seven_pairs_need_batch(counts, four_as_two_pairs)
        # A tile of an odd kind makes a pair; another one needs a partner itself.
        near = np.flatnonzero(eligible & (needs <= wilds + np.uint8(1)))
        masks[near] = _bits(counts[near] & 1 != 0)
        far = near[needs[near] < wilds[near]]
        masks[far] = EVERY_KIND if four_as_two_pairs else _bits(counts[far] < 2)
    if "thirteen_orphans" in forms:
        near = np.flatnonzero(eligible & (orphans_need_batch(counts) <= wilds + np.uint8(1)))
        held = counts[near]
        wanted = np.where((held.max(axis=1, initial=0) < 2)[:, None], True, held == 0)
        masks[near] |= _bits(wanted) & np.int64(_ORPHAN_BITS)
    return masks
