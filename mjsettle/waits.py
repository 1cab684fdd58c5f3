"""The tiles that complete a hand (听牌)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from mjsettle.forms import (
    ALL_FORMS,
    Hands,
    MeldsOfHands,
    check_forms,
    check_tile_count,
    melded_batch,
    read_batch,
    read_melds,
)
from mjsettle.keys import read_hand, wild_codes
from mjsettle.tiles import KINDS, NAMES
from mjsettle.wait_masks import kinds_in, mask_of, waits_mask, waits_mask_batch
from mjsettle.wildcards import FREE, WildPolicy


def waits(
    hand: str,
    melds: Sequence[str] = (),
    wild: Sequence[str] = (),
    held_fours: bool = False,
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> tuple[str, ...]:
    """Every kind that completes a hand of 3n+1 tiles, wild kinds included, in the order of the notation.

    A kind of which the concealed hand holds all four copies is left out; with `held_fours` it is judged as a real fifth
    natural tile. Raises NotationError and HandError as is_win does.
    """
    check_forms(forms)
    natural = read_hand(hand, wild)
    melded = read_melds(melds, wild)
    check_tile_count(hand, sum(natural.counts) + natural.wilds, len(melds), left_over=1)
    mask = waits_mask(natural, wild_kind_mask(wild), melded, held_fours, forms, policy, four_as_two_pairs)
    return tuple(NAMES[kind] for kind in kinds_in(mask))


def wild_kind_mask(wild: Sequence[str]) -> int:
    """The mask of the kinds named wild; jokers, flowers and red fives named alone are no kinds."""
    return mask_of(code for code in wild_codes(tuple(wild)) if code < KINDS)


def waits_batch(
    hands: Hands,
    wilds: NDArray[np.uint8] | int = 0,
    melds: MeldsOfHands | None = None,
    wild: Sequence[str] = (),
    held_fours: bool = False,
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> NDArray[np.int64]:
    """waits for many hands, as masks of kinds: shape (N,), bit *k* for kind *k*; kinds_in lists the kinds of one.

    `hands`, `wilds` and `melds` as in is_win_batch.
    """
    check_forms(forms)
    batch = read_batch(hands, wilds, wild)
    melded = melded_batch(melds, wild)
    return waits_mask_batch(batch, wild_kind_mask(wild), melded, held_fours, forms, policy, four_as_two_pairs)
