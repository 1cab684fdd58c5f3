"""Acceptance against the definition, tile by tile, and against other engines on ten thousand hands."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from mjsettle.acceptance import Distances, acceptance_batch
from mjsettle.shanten import shanten, shanten_batch
from mjsettle.testing.deal import dealt, near_win
from mjsettle.tiles import KINDS, NAMES, counts_of, format_tiles, parse_tiles
from mjsettle.wait_masks import kinds_in


def written(counts: Sequence[int]) -> str:
    return format_tiles(kind for kind, copies in enumerate(counts) for _ in range(copies))


def some_hands(number: int, tiles: int = 13, seed: int = 1) -> list[list[int]]:
    random = Random(seed)
    sets = tiles // 3
    return [
        dealt(random, tiles) if turn % 3 == 0 else near_win(random, sets, 1, changes=turn % 6) for turn in range(number)
    ]


def nearest(hand: str, wild: Sequence[str] = (), melds: Sequence[str] = ()) -> int:
    return min(number for number in shanten(hand, melds, wild) if number is not None)


@pytest.mark.parametrize(
    ("tiles", "melds", "wild"),
    [(13, (), ()), (13, (), ("7z",)), (10, ("123m",), ()), (7, ("555z", "1111p"), ("5m", "7z")), (13, (), ("1x",))],
)
def test_the_definition_tile_by_tile(tiles: int, melds: Sequence[str], wild: Sequence[str]) -> None:
    hands = [written(hand) for hand in some_hands(60, tiles, seed=tiles)]
    if wild:
        hands = [hand + "1x" if turn % 2 else hand for turn, hand in enumerate(hands)]
        hands = [hand for turn, hand in enumerate(hands) if turn % 2 == 0]
    masks = acceptance_batch(hands, melds=[melds] * len(hands) if melds else None, wild=wild)
    for hand, mask in zip(hands, masks.tolist(), strict=True):
        now = nearest(hand, wild, melds)
        held = shanten_counts(hand, melds)
        expected = [
            NAMES[kind] for kind in range(KINDS) if held[kind] < 4 and nearest(hand + NAMES[kind], wild, melds) < now
        ]
        assert [NAMES[kind] for kind in kinds_in(mask)] == expected, hand


def shanten_counts(hand: str, melds: Sequence[str]) -> list[int]:
    return counts_of([code for text in (hand, *melds) for code in parse_tiles(text)])


def test_four_of_a_kind_as_two_pairs() -> None:
    measure = Distances(forms=frozenset({"seven_pairs"}), four_as_two_pairs=True)
    hands = [[4, 4, 4, 1] + [0] * 30, [4, 4, 2, 2, 1] + [0] * 29, [4, 3, 3, 3] + [0] * 30, [1] * 13 + [0] * 21]
    numbers = measure.of(np.array(hands, np.uint8), np.zeros(4, np.uint8))
    assert numbers.tolist() == [0, 0, 1, 6]
    with_wilds = measure.of(np.array([[4, 4, 3] + [0] * 31], np.uint8), np.array([3], np.uint8))
    assert with_wilds.tolist() == [-1]


def test_ten_thousand_hands_of_riichienv() -> None:
    """Its shanten number of the hand and of each hand that a draw makes, hence its acceptance."""
    riichienv = pytest.importorskip("riichienv", reason="riichienv is not installed; see the extra `peers`")
    hands = some_hands(10_000, seed=5)
    array = np.array(hands, np.uint8)
    ours = np.min(shanten_batch(array), axis=0)
    masks = acceptance_batch(array)
    for hand, number, mask in zip(hands, ours.tolist(), masks.tolist(), strict=True):
        tiles = [4 * kind + copy for kind, copies in enumerate(hand) for copy in range(copies)]
        theirs = riichienv.calculate_shanten(tiles)
        assert theirs == number, written(hand)
        accepted = [
            kind
            for kind in range(KINDS)
            if hand[kind] < 4 and riichienv.calculate_shanten([*tiles, 4 * kind + hand[kind]]) < theirs
        ]
        assert list(kinds_in(mask)) == accepted, written(hand)


def against_mahjong(number: int) -> None:
    from mahjong.shanten import Shanten

    calculate = Shanten().calculate_shanten
    hands = some_hands(number, seed=6)
    array = np.array(hands, np.uint8)
    ours = np.min(shanten_batch(array), axis=0)
    masks = acceptance_batch(array)
    for hand, own, mask in zip(hands, ours.tolist(), masks.tolist(), strict=True):
        theirs = calculate(hand)
        assert theirs == own, written(hand)
        accepted = [
            kind
            for kind in range(KINDS)
            if hand[kind] < 4 and calculate([n + (at == kind) for at, n in enumerate(hand)]) < theirs
        ]
        assert list(kinds_in(mask)) == accepted, written(hand)


def test_hands_of_mahjong() -> None:
    against_mahjong(400)


@pytest.mark.soak
def test_ten_thousand_hands_of_mahjong() -> None:
    against_mahjong(10_000)
