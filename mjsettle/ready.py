"""Which tiles complete a hand under a rule set's win forms (听牌): the waits before the winning tile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.compiler import parameters
from mjsettle.forms import FormName
from mjsettle.keys import Concealed, ConcealedBatch
from mjsettle.readings import Ints, View
from mjsettle.wait_masks import held_four_times, waits_mask, waits_mask_batch
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm

_STANDARD: Final[tuple[FormName, ...]] = ("standard",)


def ready_masks(
    forms: Sequence[WinForm], view: View, held: Sequence[int], wild: int, each: Callable[[int], int]
) -> tuple[int, int]:
    """The kinds that complete a hand of 3n+1 tiles: masks (live, formal).

    view: the hand without its winning tile; held: its 34 counts, wild kinds as themselves; wild: mask of the wild
    kinds. A kind whose four copies are all concealed in the hand is in the formal mask only. each(form number): the
    mask of a form that tells no waits of its own.
    """
    formal = 0
    for number, form in enumerate(forms):
        if form.standard:
            hand = Concealed(list(view.counts), view.wilds, list(held))
            melded = _counts_of(view.meld_planes) if view.melds and view.policy.fifth_copy == "melds" else None
            formal |= waits_mask(hand, wild, melded, True, _STANDARD, view.policy)
        elif form.ready is not None:
            formal |= form.ready(view, wild)
        else:
            formal |= each(number)
    formal &= view.faces | wild
    return formal & ~held_four_times(held), formal


def _counts_of(planes: Sequence[int]) -> list[int]:
    return [sum(plane >> kind & 1 for plane in planes) for kind in range(34)]


def ready_masks_batch(
    forms: Sequence[WinForm],
    policy: WildPolicy,
    faces: int,
    before: Mapping[str, Any],
    wild: Ints,
    view_of: Callable[[int], View],
    each: Callable[[int, int], int],
) -> tuple[Ints, Ints]:
    """As ready_masks for N hands.

    before: the hands without their winning tiles: counts and held (N, 34), melded (N, 34) uint8, wilds, melds and
    tiles (N,); wild: (N,) masks. view_of(hand): the View before the winning tile; each(hand, form number): the mask of
    a form without `ready`.
    """
    counts, held = before["counts"], before["held"]
    n = len(counts)
    formal = np.zeros(n, np.int64)
    for number, form in enumerate(forms):
        if form.standard:
            batch = ConcealedBatch(counts, before["wilds"].astype(np.uint8), held)
            melded = before["melded"] if policy.fifth_copy == "melds" else None
            formal |= waits_mask_batch(batch, wild, melded, True, _STANDARD, policy)
            continue
        hits: Any = range(n)
        if form.near is not None:
            near = form.near(*[before[name] for name in parameters(form.near)])
            hits = np.flatnonzero(near).tolist()
        for hand in hits:
            formal[hand] |= form.ready(view_of(hand), int(wild[hand])) if form.ready else each(hand, number)
    formal &= faces | wild
    return formal & ~masks_of(held, 4), formal


def masks_of(counts: NDArray[np.uint8], least: int) -> Ints:
    """The masks (N,) of the kinds held at least so often, from counts (N, 34)."""
    bytes_of_hand = np.zeros((len(counts), 8), np.uint8)
    bytes_of_hand[:, :5] = np.packbits(counts >= least, axis=1, bitorder="little")
    masks: Ints = bytes_of_hand.view(np.dtype("<i8"))[:, 0].astype(np.int64, copy=False)
    return masks


def planes_of(counts: NDArray[np.uint8]) -> tuple[Ints, Ints, Ints, Ints]:
    """The masks (N,) of the kinds held at least once, twice, three and four times, from counts (N, 34) up to 7."""
    padded = np.zeros((len(counts), 64), np.uint8)
    padded[:, : counts.shape[1]] = counts
    tiles = padded.reshape(-1)
    ones, twos, fours = (
        np.packbits(tiles & digit, bitorder="little").view(np.dtype("<i8")).astype(np.int64, copy=False)
        for digit in (1, 2, 4)
    )
    return ones | twos | fours, twos | fours, (ones & twos) | fours, fours
