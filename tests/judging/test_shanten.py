"""Shanten numbers against another engine's, against the judging of wins and waits, and against a step of play."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from mjsettle.errors import HandError
from mjsettle.forms import wins
from mjsettle.keys import Concealed
from mjsettle.shanten import NO_SUCH_FORM, Shanten, missing_exactly, shanten, shanten_batch, standard_missing
from mjsettle.testing.deal import dealt, near_win
from mjsettle.tiles import KINDS, format_tiles
from mjsettle.wait_masks import waits_mask

ORACLE = Path(__file__).parents[1] / "oracles" / "shanten.jsonl"


def written(counts: Sequence[int], wilds: int = 0) -> str:
    return format_tiles(kind for kind, copies in enumerate(counts) for _ in range(copies)) + "1x" * wilds


def some_hands(random: Random, number: int, tiles: int, wilds: int = 0) -> list[list[int]]:
    """Dealt hands and hands some changes away from a win."""
    short = 14 - tiles
    return [
        dealt(random, tiles - wilds, (range(KINDS), range(9), range(18, KINDS))[turn % 3])
        if turn % 2
        else near_win(random, 4, wilds + short, changes=turn % 5)
        for turn in range(number)
    ]


def test_four_thousand_hands_of_another_engine() -> None:
    rows: list[dict[str, Any]] = [json.loads(line) for line in ORACLE.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 4000
    batch = shanten_batch([row["hand"] for row in rows])
    for at, row in enumerate(rows):
        assert shanten(row["hand"])._asdict() == row["shanten"], row["name"]
        assert {name: int(numbers[at]) for name, numbers in batch._asdict().items()} == row["shanten"], row["name"]


@pytest.mark.parametrize("wilds", range(5))
def test_complete_is_minus_one_and_ready_is_none(wilds: int) -> None:
    random = Random(wilds)
    found = 0
    for hand in some_hands(random, 300, 14, wilds):
        number = shanten(written(hand, wilds))
        assert (number.standard == -1) == wins(hand, wilds, forms=("standard",))
        assert (number.seven_pairs == -1) == wins(hand, wilds, forms=("seven_pairs",), four_as_two_pairs=False)
        assert (number.thirteen_orphans == -1) == wins(hand, wilds, forms=("thirteen_orphans",))
        found += number.standard == -1
    assert found > 20
    for hand in some_hands(random, 300, 13, wilds):
        # With wild kinds named a drawn tile may be wild; with jokers alone it is natural, unless the formal waits do.
        number = shanten(written(hand, wilds), wild=["7z"] if wilds else ())
        if hand[KINDS - 1] and wilds:
            continue
        concealed = Concealed(hand, wilds, hand)
        wild_kinds = 1 << KINDS - 1 if wilds else 0
        assert number.standard >= 0
        assert (number.standard == 0) == bool(waits_mask(concealed, wild_kinds, forms=("standard",)))
        own = waits_mask(concealed, wild_kinds, forms=("seven_pairs",), four_as_two_pairs=False)
        assert (number.seven_pairs == 0) == bool(own)
        assert (number.thirteen_orphans == 0) == bool(waits_mask(concealed, wild_kinds, forms=("thirteen_orphans",)))


@pytest.mark.parametrize("form", ["standard", "seven_pairs", "thirteen_orphans"])
def test_the_best_exchange_brings_a_hand_one_step_nearer(form: str) -> None:
    """With 0 for ready hands, this recurrence is what the number means: the fewest exchanges until ready."""
    random = Random(3)
    far = 0
    for hand in some_hands(random, 60, 13):
        now = getattr(shanten(written(hand)), form)
        exchanged = np.array(
            [
                [copies + (kind == drawn) - (kind == given) for kind, copies in enumerate(hand)]
                for drawn in range(KINDS)
                for given in range(KINDS)
                if hand[given] and hand[drawn] < 4 and drawn != given
            ],
            np.uint8,
        )
        nearest = getattr(shanten_batch(exchanged), form).min()
        assert nearest == now - 1 if now else nearest >= 0
        far += now > 0
    assert far > 30


@pytest.mark.parametrize("variant", ["free", "four"])
def test_the_general_path_agrees_with_the_tables(variant: Any) -> None:
    random = Random(4)
    for tiles in (2, 5, 8, 11, 14, 17):
        for hand in (dealt(random, tiles, range(KINDS)[: 9 if turn % 2 else KINDS]) for turn in range(12)):
            for sets in range(6):
                by_table = standard_missing(hand, sets, variant)
                assert missing_exactly(hand, sets, variant) == by_table, (hand, sets)


@pytest.mark.parametrize(
    ("hand", "melds", "wild", "expected"),
    [
        ("111145678m1111z", (), (), Shanten(2, 4, 10)),
        ("123m456p789s1122z", (), (), Shanten(0, 4, 8)),
        ("123m11z", ["777z", "123p", "1111s"], (), Shanten(-1, None, None)),
        ("1m", ["777z", "123p", "1111s", "999p"], (), Shanten(0, None, None)),
        ("33333444555566777888899999m", (), (), Shanten(-1, None, None)),
        ("1234m", (), (), Shanten(0, None, None)),
        ("1x1x1x1x1x1x1x1x1x1x1x1x1x", (), (), Shanten(0, 0, 0)),
        ("19m19p19s123456z5m5m", (), ["5m"], Shanten(6, 4, -1)),
    ],
)
def test_shanten(hand: str, melds: Sequence[str], wild: Sequence[str], expected: Shanten) -> None:
    assert shanten(hand, melds, wild) == expected
    batch = shanten_batch([hand], melds=[melds] if melds else None, wild=wild)
    assert [int(numbers[0]) for numbers in batch] == [NO_SUCH_FORM if number is None else number for number in expected]


def test_batches_mix_hands_with_and_without_wilds_and_melds() -> None:
    random = Random(9)
    hands, melds = [], []
    for turn in range(120):
        sets, wilds = 4 - turn % 3, turn % 4
        hands.append(written(near_win(random, sets, wilds + turn % 2, changes=turn % 3), wilds))
        melds.append(["123s"] * (4 - sets))
    hands += ["1111122222333m", "5m" * 13 + "1x"]
    melds += [[], []]
    batch = shanten_batch(hands, melds=melds)
    for at, (hand, own) in enumerate(zip(hands, melds, strict=True)):
        expected = [NO_SUCH_FORM if number is None else number for number in shanten(hand, own)]
        assert [int(numbers[at]) for numbers in batch] == expected, hand


def test_wrong_numbers_of_tiles_are_refused() -> None:
    with pytest.raises(HandError, match=r"'123m' has 3 concealed tiles .* expected 3n\+1 or 3n\+2, such as 4 or 5"):
        shanten("123m")
    with pytest.raises(HandError, match=r"row 1 has 6; expected 3n\+1 or 3n\+2"):
        shanten_batch(["1m", "112233m"])
