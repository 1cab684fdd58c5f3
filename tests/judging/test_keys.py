"""Keys and the reading of many hands at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjsettle.errors import HandError, NotationError
from mjsettle.keys import (
    CODE_COUNT,
    counts_of_keys,
    parse_batch,
    read_hand,
    split_wild,
    suit_keys,
    suit_keys_and_tiles,
    suit_keys_batch,
    wild_codes,
)
from mjsettle.tiles import CODES, NAMES, format_tiles, parse_tiles

COUNTS = st.lists(st.integers(0, 4), min_size=34, max_size=34)
CODE_LISTS = st.lists(st.integers(0, CODE_COUNT - 1), max_size=20)


def test_a_key_is_the_counts_in_base_5() -> None:
    assert suit_keys(read_hand("112m3p9s7z").counts) == (2 + 5, 25, 5**8, 5**6)


@given(st.lists(COUNTS, min_size=1, max_size=5))
def test_keys_stand_for_their_counts(hands: list[list[int]]) -> None:
    counts = np.array(hands, np.uint8)
    keys = suit_keys_batch(counts)
    assert [tuple(row) for row in keys.tolist()] == [suit_keys(hand) for hand in hands]
    assert np.array_equal(counts_of_keys(keys), counts)
    same_keys, tiles = suit_keys_and_tiles(counts)
    assert np.array_equal(same_keys, keys)
    assert tiles.tolist() == [sum(hand) for hand in hands]


@given(st.lists(CODE_LISTS, max_size=6))
def test_many_hands_read_as_one_by_one(hands: list[list[int]]) -> None:
    tiles = parse_batch([format_tiles(hand) for hand in hands])
    assert tiles.shape == (len(hands), CODE_COUNT)
    assert tiles.tolist() == [[hand.count(code) for code in range(CODE_COUNT)] for hand in hands]


@given(st.lists(st.text(alphabet="0123456789mpszfx q\0\n　é", max_size=8), min_size=1, max_size=4))
def test_what_cannot_be_read_is_refused_as_one_by_one(hands: list[str]) -> None:
    assert _outcome(lambda: parse_batch(hands).tolist()) == _outcome(lambda: [_by_code(hand) for hand in hands])


def _by_code(hand: str) -> list[int]:
    codes = parse_tiles(hand)
    return [codes.count(code) for code in range(CODE_COUNT)]


def _outcome(read: Callable[[], list[list[int]]]) -> list[list[int]] | str:
    try:
        return read()
    except NotationError as error:
        return str(error)


def test_a_hand_of_hundreds_of_one_tile_is_refused() -> None:
    with pytest.raises(HandError, match="hand 1 holds more than 255"):
        parse_batch(["1m", "1" * 300 + "m"])


@given(st.lists(CODE_LISTS, min_size=1, max_size=4), st.lists(st.sampled_from(NAMES), max_size=3))
def test_wilds_are_lifted_out_alike_for_one_hand_and_many(hands: list[list[int]], wild: list[str]) -> None:
    texts = [format_tiles(hand) for hand in hands]
    batch, flowers = split_wild(parse_batch(texts), wild)
    table = np.zeros((len(hands), CODE_COUNT), np.bool_)
    table[:, sorted(wild_codes(tuple(wild)))] = True
    by_table, _ = split_wild(parse_batch(texts), table)
    for row, text in enumerate(texts):
        if flowers[row].any():
            with pytest.raises(HandError, match="flower"):
                read_hand(text, wild)
            continue
        one = read_hand(text, wild)
        for many in (batch, by_table):
            assert (many.counts[row].tolist(), many.wilds[row], many.held[row].tolist()) == one


def test_a_red_five_is_wild_with_its_kind_and_a_kind_is_not_wild_with_its_red_five() -> None:
    assert read_hand("055m", ["5m"]).wilds == 3
    hand = read_hand("055m", ["0m"])
    assert (hand.wilds, hand.counts[CODES["5m"]], hand.held[CODES["5m"]]) == (1, 2, 3)


def test_flowers_may_be_wild() -> None:
    assert read_hand("1m8f", ["8f"]).wilds == 1
