"""Waits: the whole enumeration of one-suit hands, what counts as a wait, and strings in and out."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from mjsettle.errors import HandError
from mjsettle.tables.build import tile_totals
from mjsettle.testing import bruteforce
from mjsettle.testing.deal import near_win
from mjsettle.tiles import KINDS, format_tiles, parse_tile
from mjsettle.waits import waits, waits_batch


def one_suit_hands(tiles: int) -> NDArray[np.intp]:
    """The keys of every hand of so many tiles in one suit, at most four of a kind: shape (N, 4)."""
    suit = np.flatnonzero(tile_totals(9) == tiles)
    keys = np.zeros((len(suit), 4), np.intp)
    keys[:, 0] = suit
    return keys


@pytest.mark.parametrize(
    ("tiles", "hands", "widest"),
    [(13, 93_600, {9: 1, 8: 16, 7: 79}), (16, 162_585, {9: 11, 8: 94, 7: 532})],
)
def test_every_hand_of_one_suit(tiles: int, hands: int, widest: dict[int, int]) -> None:
    keys = one_suit_hands(tiles)
    assert len(keys) == hands
    for suit in range(3):
        masks = waits_batch(np.roll(keys, suit, axis=1), forms=("standard",))
        numbers = Counter(np.bitwise_count(masks).tolist())
        assert {number: numbers[number] for number in widest} == widest
        assert max(numbers) == 9


def test_the_widest_wait_is_the_nine_gates() -> None:
    keys = one_suit_hands(13)
    (row,) = np.flatnonzero(np.bitwise_count(waits_batch(keys, forms=("standard",))) == 9)
    assert keys[row, 0] == sum(copies * 5**rank for rank, copies in enumerate([3, 1, 1, 1, 1, 1, 1, 1, 3]))


def test_sampled_hands_of_one_suit_against_the_brute_force() -> None:
    keys = one_suit_hands(13)
    random = Random(13)
    rows = sorted(random.sample(range(len(keys)), 150))
    for held_fours in (False, True):
        masks = waits_batch(keys[rows], held_fours=held_fours).tolist()
        for row, mask in zip(rows, masks, strict=True):
            hand = "".join(str(rank + 1) * (int(keys[row, 0]) // 5**rank % 5) for rank in range(9)) + "m"
            found = tuple(f"{kind + 1}m" for kind in range(9) if mask >> kind & 1)
            assert bruteforce.waits(hand, held_fours=held_fours) == found == waits(hand, held_fours=held_fours)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("3456667888m", "256789m"),
        ("1112345678999m", "123456789m"),
        ("19m19p19s1234567z", "19m19p19s1234567z"),
        ("19m19p19s1123456z", "7z"),
        ("1122334455667m", "147m"),
        ("11m22p33s44z5566s7z", "7z"),
        ("5z", "5z"),
        ("123m", None),
    ],
)
def test_waits(hand: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(HandError, match=r"has 3 concealed tiles .*expected 3n\+1, such as 1 or 4"):
            waits(hand)
        with pytest.raises(HandError, match=r"row 0 has 3; expected 3n\+1"):
            waits_batch([hand])
    else:
        assert in_one_string(waits(hand)) == expected


def in_one_string(names: tuple[str, ...]) -> str:
    return format_tiles(parse_tile(name) for name in names)


def test_a_tile_held_four_times_is_left_out_unless_asked_for() -> None:
    assert waits("1112223334444m") == ("1m", "2m", "3m", "5m")
    assert waits("1112223334444m", held_fours=True) == ("1m", "2m", "3m", "4m", "5m")
    # A red five is a five.
    assert waits("0555m") == ()
    assert waits("0555m", held_fours=True) == ("5m",)
    # Copies in melds are not in the concealed hand.
    assert waits("5m", ["555m", "111z"]) == ("5m",)


def test_wild_kinds_win_where_one_more_wild_does() -> None:
    assert waits("123m45p5z2z", wild=["5z"]) == ("3p", "6p", "2z", "5z")
    assert waits("123m45p2z2z", wild=["5z"]) == ("3p", "6p", "5z")
    assert "5z" not in waits("5555z", wild=["5z"])
    assert "5z" in waits("5555z", wild=["5z"], held_fours=True)
    assert len(waits("1x")) == KINDS


def test_special_forms_wait_only_without_melds() -> None:
    assert waits("1122m33445p5s", ["777z"]) == ()
    assert waits("1122m3344p5566s7z") == ("7z",)
    assert waits("1122m3344p5566s7z", forms=("standard",)) == ()
    assert waits("1111m3344p5566s7z", four_as_two_pairs=False) == ()


def test_batches_take_strings_with_wilds_and_melds() -> None:
    random = Random(21)
    hands = []
    for turn in range(200):
        counts = near_win(random, 2, 1 + turn % 3)
        hands.append(format_tiles(k for k, copies in enumerate(counts) for _ in range(copies)) + "1x" * (turn % 3))
    for wild in ((), ("5z",), ("1m", "5m")):
        for melds in (None, [["123m", "7777z"]] * len(hands)):
            masks = waits_batch(hands, melds=melds, wild=wild).tolist()
            for hand, mask in zip(hands, masks, strict=True):
                own = waits(hand, melds[0] if melds else (), wild)
                assert own == bruteforce.waits(hand, melds[0] if melds else (), wild)
                assert mask == sum(1 << kind for kind in range(KINDS) if format_tiles([kind]) in own)
