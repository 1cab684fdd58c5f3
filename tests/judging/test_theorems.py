"""Known theorems on hands without wilds, held against the tables."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mjsettle.forms import wins
from mjsettle.keys import suit_keys
from mjsettle.needs import fifth_need, need, whole_need
from mjsettle.tables import least_wilds
from mjsettle.tables.build import tile_totals
from mjsettle.testing.deal import dealt, near_win
from mjsettle.tiles import KINDS

# One suit's hands of 14 tiles at most, by key.
KEYS: NDArray[np.intp] = np.flatnonzero(tile_totals(9) <= 14)
COUNTS: NDArray[np.int64] = KEYS[:, None] // 5 ** np.arange(9) % 5
SUITS = least_wilds("free").suits
WHOLE: NDArray[np.bool_] = SUITS[KEYS] & 63 == 0
PAIRED: NDArray[np.bool_] = (SUITS[KEYS] & 63).astype(int) + 3 * (SUITS[KEYS] >> 6) - 4 == 0


@st.composite
def hands(draw: st.DrawFn) -> list[int]:
    """Hands of 14 tiles: dealt, or near a win."""
    random = Random(draw(st.integers(0, 2**32)))
    kinds = draw(st.sampled_from([range(KINDS), range(9), range(18), range(18, KINDS)]))
    if draw(st.booleans()):
        return dealt(random, 14, kinds)
    return near_win(random, 4, 0, draw(st.integers(0, 2)), kinds)


def greedily_empty(counts: NDArray[np.int64], chows: bool = True) -> NDArray[np.bool_]:
    """Which rows of counts vanish when each kind in turn gives a pung if it can and then chows: rows are suits."""
    left = counts.copy()
    empty = np.ones(len(left), np.bool_)
    for kind in range(left.shape[1]):
        left[:, kind] = np.where(left[:, kind] >= 3, left[:, kind] - 3, left[:, kind])
        rest = left[:, kind].copy()
        if chows and kind + 2 < left.shape[1]:
            for step in range(3):
                left[:, kind + step] -= rest
        empty &= (left >= 0).all(axis=1) & (left[:, kind] == 0)
        left = np.maximum(left, 0)
    return empty


def test_greedy_removal_decides_every_suit() -> None:
    """Pung if there are three or more, else the chow: no other choice of sets can do better."""
    assert np.array_equal(greedily_empty(COUNTS), WHOLE)
    by_pair = np.zeros(len(KEYS), np.bool_)
    for kind in range(9):
        rest = COUNTS.copy()
        rest[:, kind] -= 2
        by_pair |= (rest[:, kind] >= 0) & greedily_empty(np.maximum(rest, 0))
    assert np.array_equal(by_pair, PAIRED)
    assert 1000 < by_pair.sum() < len(KEYS)


def test_the_pair_sits_in_the_odd_residue_class_of_every_suit() -> None:
    """Chows take one of 147, 258 and 369 each, pungs three of one: modulo 3 only the pair's class differs."""
    residues = np.stack([COUNTS[:, first::3].sum(axis=1) % 3 for first in range(3)], axis=1)
    pairs = 0
    for kind in range(9):
        has = COUNTS[:, kind] >= 2
        works = np.zeros(len(KEYS), np.bool_)
        works[has] = SUITS[KEYS[has] - 2 * 5**kind] & 63 == 0
        others = np.delete(residues[works], kind % 3, axis=1)
        assert (others[:, 0] == others[:, 1]).all()
        assert (residues[works, kind % 3] == (others[:, 0] + 2) % 3).all()
        pairs += works.sum()
    assert pairs > PAIRED.sum()


@given(hands())
def test_greedy_removal_decides_every_hand(hand: list[int]) -> None:
    def whole(counts: list[int]) -> bool:
        rows = [np.array([counts[start:stop]]) for start, stop in ((0, 9), (9, 18), (18, 27), (27, 34))]
        return all(greedily_empty(row, row.shape[1] == 9)[0] for row in rows)

    found = False
    for kind in range(KINDS):
        if hand[kind] >= 2:
            rest = [*hand]
            rest[kind] -= 2
            found = found or whole(rest)
    assert wins(hand, 0, forms=("standard",)) == found


@given(hands(), st.data())
def test_one_tile_changes_the_need_by_little(hand: list[int], data: st.DataObject) -> None:
    """A natural tile less costs one wild at most, or frees two: the wilds that stood beside it."""
    kind = data.draw(st.sampled_from([kind for kind in range(KINDS) if hand[kind]]))
    less = [*hand]
    less[kind] -= 1
    before, after = need(suit_keys(hand)), need(suit_keys(less))
    assert after - before in (1, -2)
    assert whole_need(suit_keys(less)) - whole_need(suit_keys(hand)) in (1, -2)


@given(hands(), st.permutations(range(3)), st.booleans())
def test_suits_may_be_exchanged_and_turned_round(hand: list[int], order: list[int], mirrored: bool) -> None:
    suits = [hand[9 * suit : 9 * suit + 9] for suit in order]
    turned = [copies for suit in suits for copies in (reversed(suit) if mirrored else suit)] + hand[27:]
    assert need(suit_keys(turned)) == need(suit_keys(hand))


@pytest.mark.parametrize("kind", [0, 1, 4, 8, 30])
def test_a_fifth_tile_alone_needs_what_five_need(kind: int) -> None:
    """Five of a kind are a pung and a pair."""
    hand = [4 * (each == kind) for each in range(KINDS)]
    assert fifth_need(suit_keys(hand), hand, kind) == 0
