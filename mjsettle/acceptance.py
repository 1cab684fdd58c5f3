"""Which tiles bring hands one step nearer to ready, or to complete: their acceptance (进张)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.forms import ALL_FORMS, Hands, MeldsOfHands, check_forms, melded_batch, read_batch
from mjsettle.keys import COPIES, wild_codes
from mjsettle.needs import SPECIAL_TILES
from mjsettle.shanten import NO_SUCH_FORM, shanten_batch
from mjsettle.tiles import KINDS

Counts = NDArray[np.uint8]
JOKER_AT: Final = KINDS
"""Where the printed joker stands after the 34 kinds."""


@dataclass(frozen=True, slots=True)
class Distances:
    """How far hands are from complete in the nearest of some forms.

    wild: names of the wild kinds; forms: those of ALL_FORMS that count; four_as_two_pairs: whether seven pairs may hold
    four of a kind as two of them. Hands are natural tiles (N, 34), the wild ones left out, and a number of wilds (N,).
    """

    wild: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset(ALL_FORMS)
    four_as_two_pairs: bool = False

    def of(self, naturals: Counts, wilds: Counts, melded: NDArray[np.bool_] | bool = False) -> NDArray[np.int8]:
        """Shanten numbers (N,): the least of the forms; hands with melds have the standard form alone."""
        numbers = shanten_batch(naturals, wilds, wild=self.wild)
        nearest = numbers.standard if "standard" in self.forms else np.full(len(wilds), NO_SUCH_FORM, np.int8)
        special = []
        if "seven_pairs" in self.forms:
            special.append(self._with_fours(naturals, wilds) if self.four_as_two_pairs else numbers.seven_pairs)
        if "thirteen_orphans" in self.forms:
            special.append(numbers.thirteen_orphans)
        for other in special:
            nearest = np.where(melded, nearest, np.minimum(nearest, other))
        return nearest

    @staticmethod
    def _with_fours(naturals: Counts, wilds: Counts) -> NDArray[np.int8]:
        tiles = naturals.sum(axis=1, dtype=np.intp) + wilds
        pairs = (naturals // 2).sum(axis=1, dtype=np.int8) + wilds.astype(np.int8)
        possible = (tiles == SPECIAL_TILES) | (tiles == SPECIAL_TILES - 1)
        return np.where(possible, np.maximum(6 - pairs, -1), NO_SUCH_FORM).astype(np.int8)

    def accepted(
        self, naturals: Counts, wilds: Counts, kinds: Sequence[int], melded: NDArray[np.bool_] | bool = False
    ) -> NDArray[np.bool_]:
        """Which of some kinds (34 is the joker) bring each hand one step nearer when drawn: (N, kinds).

        Own copies are not looked at: ask for kinds of which there is one more.
        """
        lifted = wild_codes(self.wild)
        grown = np.repeat(naturals, len(kinds), axis=0).reshape(len(naturals), len(kinds), KINDS)
        more = np.repeat(wilds, len(kinds)).reshape(len(naturals), len(kinds))
        for at, kind in enumerate(kinds):
            if kind == JOKER_AT or kind in lifted:
                more[:, at] += 1
            else:
                grown[:, at, kind] += 1
        widened = np.repeat(np.broadcast_to(melded, len(naturals)), len(kinds))
        after = self.of(grown.reshape(-1, KINDS), more.ravel(), widened).reshape(len(naturals), len(kinds))
        nearer: NDArray[np.bool_] = after < self.of(naturals, wilds, melded)[:, None]
        return nearer


def acceptance_batch(
    hands: Hands,
    wilds: Counts | int = 0,
    melds: MeldsOfHands | None = None,
    wild: Sequence[str] = (),
    forms: Collection[str] = ALL_FORMS,
    four_as_two_pairs: bool = False,
) -> NDArray[np.int64]:
    """The kinds that bring hands of 3n+1 tiles one step nearer, as masks (N,), bit *k* for kind *k*.

    The distance is the nearest of the forms, as `shanten_batch` tells it. A kind of which the hand and its melds hold
    four is left out. Arguments and errors as in `shanten_batch`.
    """
    check_forms(forms)
    batch = read_batch(hands, wilds, wild)
    melded = melded_batch(melds, wild)
    own = batch.held if melded is None else batch.held + melded
    has_melds: Any = False if melded is None else melded.any(axis=1)
    nearer = Distances(tuple(wild), frozenset(forms), four_as_two_pairs).accepted(
        batch.counts, batch.wilds, range(KINDS), has_melds
    )
    bits = np.int64(1) << np.arange(KINDS, dtype=np.int64)
    masks: NDArray[np.int64] = np.where(nearer & (own < COPIES), bits, 0).sum(axis=1)
    return masks
