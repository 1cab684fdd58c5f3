"""Hands that win and hands that only seem to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mjsettle.errors import HandError, NotationError
from mjsettle.forms import is_win, is_win_batch
from mjsettle.keys import read_hand, suit_keys
from mjsettle.needs import need
from mjsettle.testing import bruteforce
from mjsettle.waits import waits
from mjsettle.wildcards import FifthCopy, WildPolicy

ORACLES = Path(__file__).parents[1] / "oracles"
GENERIC: list[dict[str, Any]] = [
    json.loads(line) for line in (ORACLES / "generic_hands.jsonl").read_text(encoding="utf-8").splitlines()
]


def hand_rows(query: str | None) -> list[Any]:
    rows = []
    for row in GENERIC:
        given = row["input"]
        if given.get("query") == query and "concealed" in given and not given.get("malformed"):
            rows.append(pytest.param(row, id=row["id"]))
    return rows


def told(row: dict[str, Any]) -> tuple[str, list[str], list[str]]:
    """The hand, melds and wild kinds of a row; sets that it only counts become pungs of the seventh honour."""
    given = row["input"]
    hand = given["concealed"] + "1x" * given["wilds"]
    melds = [meld["tiles"] for meld in given.get("melds", [])] + ["777z"] * given.get("exposed_sets", 0)
    return hand, melds, [given["wild_tile"]] if "wild_tile" in given else []


@pytest.mark.parametrize("row", hand_rows(None))
def test_reported_hands(row: dict[str, Any]) -> None:
    hand, melds, wild = told(row)
    expect = row["expect"]
    assert is_win(hand, melds, wild) == expect["win"]
    assert is_win_batch([hand], melds=[melds], wild=wild).tolist() == [expect["win"]]
    for form, won in expect.get("forms", {}).items():
        assert is_win(hand, melds, wild, forms=(form,)) == won
    if "policy" in expect:
        assert expect["policy"] == {"allow_fifth_copy": True}
        assert is_win(hand, melds, wild, policy=WildPolicy(fifth_copy="allowed"))
        assert not is_win(hand, melds, wild, policy=WildPolicy(fifth_copy="concealed"))


@pytest.mark.parametrize("row", hand_rows("best_with_wilds"))
def test_reported_hand_with_a_choice_of_wilds(row: dict[str, Any]) -> None:
    hand, melds, wild = told(row)
    assert is_win(hand, melds, wild) == row["expect"]["win"]


@pytest.mark.parametrize("row", hand_rows("waits"))
def test_reported_waits(row: dict[str, Any]) -> None:
    hand, melds, wild = told(row)
    numbers, suit = row["expect"]["waits"][:-1], row["expect"]["waits"][-1:]
    assert waits(hand, melds, wild) == tuple(number + suit for number in numbers)
    assert bool(waits(hand, melds, wild)) == row["expect"]["ready"]


def test_reported_hands_of_wrong_size() -> None:
    rows = [row for row in GENERIC if row["input"].get("malformed")]
    hands = [row["input"]["concealed"] for row in rows if "concealed" in row["input"]]
    hands += [hand for row in rows for hand in row["input"].get("batch", [])]
    assert len(hands) == 5
    for hand in hands:
        with pytest.raises(HandError, match=r"concealed tiles .*expected 3n\+2"):
            is_win(hand)
        with pytest.raises(HandError, match=r"row 1 has \d+; expected 3n\+2"):
            is_win_batch(["11m", hand])


JOKERS_14 = "1x" * 14
WINS = [
    "23333444455556666m",
    "33333444555566777888899999m",
    "44567m23344589s1x",
    "89m234p67899s44z1x1x",
    "1111m456m445566s1x",
    "11m",
    "1x1x",
    JOKERS_14,
    # A chow that needs its wild below its lowest tile; a second pung of a tile held four times.
    "89m123p456p789s11z1x",
    "1111m99m1x1x",
    # Seven pairs with and without a standard reading beside it.
    "112233m112233p77s",
    "1122m3344p5566s77z",
    "1111m2222m33p44p55p",
    "19m19p19s12345677z",
    "19m19p19s12345z1x1x1x",
]
LOSSES = [
    "55666777889m",
    # Chows do not go over the end of a suit, nor on into the next one, and honours have none.
    "891m234p567s11122z",
    "9m12p345678999s11z",
    "89m1p345678999s11z",
    "123z456m789m12355p",
    # One wild spent in the pair and again in a chow.
    "1m5z45p789p123s777s1x",
    # Two pairs, each found by a branch of its own.
    "1122m3456789p345s",
    # A triplet is no pair of seven, and no fifth natural tile turns up.
    "11122m334455p667s",
    "1111z123456789m1p",
]


@pytest.mark.parametrize("hand", WINS)
def test_wins(hand: str) -> None:
    assert is_win(hand)
    assert is_win_batch([hand, hand]).tolist() == [True, True]
    assert bruteforce.is_win(hand)


@pytest.mark.parametrize("hand", LOSSES)
def test_losses(hand: str) -> None:
    assert not is_win(hand)
    assert is_win_batch([hand, "11m"]).tolist() == [False, True]
    assert not bruteforce.is_win(hand)


def test_many_wilds_take_no_longer() -> None:
    hand = "1m38p16s1z" + "1x" * 11
    assert is_win(hand)
    assert need(suit_keys(read_hand(hand).counts)) == 11


@pytest.mark.parametrize(
    ("hand", "policy", "won"),
    [
        ("1111m456m445566s1x", WildPolicy(fifth_copy="concealed"), False),
        ("1111m1x", WildPolicy(fifth_copy="melds"), False),
        ("1x1x1x1x1x", WildPolicy(pair_of_wilds=False), False),
        ("123m4m1x", WildPolicy(pair_of_wilds=False), True),
        ("11m1x1x1x", WildPolicy(set_of_wilds=False), True),
        ("11m1x1x1x", WildPolicy(set_of_wilds=False, pair_of_wilds=False), True),
        ("11m1x1x1x1x1x1x", WildPolicy(set_of_wilds=False), True),
        ("11m1x1x1x1x1x1x", WildPolicy(set_of_wilds=False, pair_of_wilds=False), False),
        ("1m1x1x1x1x", WildPolicy(wilds_per_set_max=1), False),
        ("1m1x1x1x1x", WildPolicy(wilds_per_set_max=2), True),
        ("12m1x1x1x", WildPolicy(wilds_per_set_max=1), True),
        ("12m1x1x1x", WildPolicy(wilds_per_set_max=0), False),
        ("123m1x1x", WildPolicy(wilds_per_set_max=0), True),
        # Where two wilds may not be one of seven pairs, they split another into two pairs of its kind.
        ("1122m3344p5566s1x1x", WildPolicy(pair_of_wilds=False), True),
        ("19m19p19s123456z1x1x", WildPolicy(pair_of_wilds=False), True),
    ],
)
def test_switches_of_the_policy(hand: str, policy: WildPolicy, won: bool) -> None:
    assert bruteforce.is_win(hand, policy=policy) == won
    assert is_win(hand, policy=policy) == won
    assert is_win_batch([hand], policy=policy).tolist() == [won]


def test_melds_count_for_a_fifth_copy_where_the_policy_says_so() -> None:
    cases: tuple[tuple[FifthCopy, bool], ...] = (("allowed", True), ("concealed", True), ("melds", False))
    for fifth_copy, won in cases:
        policy = WildPolicy(fifth_copy=fifth_copy)
        assert is_win("5z123m1x", ["555z"], policy=policy) == won
        assert is_win("23m99p1x", ["1111m", "4444m"], policy=policy) == won
        assert is_win_batch(["5z123m1x"], melds=[["555z"]], policy=policy).tolist() == [won]
        keys = np.array([suit_keys(read_hand("5z123m").counts)])
        assert is_win_batch(keys, 1, [["555z"]], forms=("standard",), policy=policy).tolist() == [won]
    assert is_win("23m99p1x", ["1111m", "444z"], policy=WildPolicy(fifth_copy="melds"))


def test_wild_kinds_are_lifted_out_of_the_hand_but_not_of_the_melds() -> None:
    assert is_win("12m99p5z", ["555z"], wild=["5z"])
    assert is_win("12m99p5z", ["55z1x"], wild=["5z"])
    assert not is_win("12m99p5z", ["555z"])
    # Red fives are wild with their kind.
    assert is_win("12m99p0s", wild=["5s"])


def test_four_of_a_kind_as_two_pairs_is_a_switch() -> None:
    hand = "1111m3344p5566s77z"
    assert is_win(hand)
    assert not is_win(hand, four_as_two_pairs=False)
    assert is_win_batch([hand], four_as_two_pairs=False).tolist() == [False]
    wilds, policy = "1122m3344p5566s1x1x", WildPolicy(pair_of_wilds=False)
    assert not is_win(wilds, policy=policy, four_as_two_pairs=False)
    assert is_win_batch([wilds], policy=policy, four_as_two_pairs=False).tolist() == [False]


def test_special_forms_take_fourteen_concealed_tiles() -> None:
    assert is_win("1122m3344p5566s77z")
    assert not is_win("1122m3344p556s", ["777z"])
    assert not is_win("1122m3344p556677889s")


@pytest.mark.parametrize("form", ["standard", "seven_pairs", "thirteen_orphans"])
def test_forms_are_judged_one_by_one(form: str) -> None:
    hands = {
        "standard": "123m123p123s11122z",
        "seven_pairs": "1122m3344p5566s77z",
        "thirteen_orphans": "19m19p19s12345677z",
    }
    for own, hand in hands.items():
        assert is_win(hand, forms=(form,)) == (own == form)
        assert is_win_batch([hand], forms=(form,)).tolist() == [own == form]


@pytest.mark.parametrize("melds", [["12m"], ["124m"], ["89m1p"], ["1234m"], ["123z"], ["11112m"], ["1f1f1f"]])
def test_a_meld_that_is_none_is_refused(melds: Sequence[str]) -> None:
    with pytest.raises(HandError, match="is no set"):
        is_win("11m", melds)


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(HandError, match=r"'123m' has 3 concealed tiles with 1 meld; expected 3n\+2, such as 2 or 5"):
        is_win("123m", ["1111z"])
    with pytest.raises(HandError, match="holds the flower 3f"):
        is_win("11m3f")
    with pytest.raises(HandError, match="hand 1, '11m3f', holds flowers"):
        is_win_batch(["11m", "11m3f"])
    with pytest.raises(HandError, match="no form 'seven'; the forms are standard, seven_pairs, thirteen_orphans"):
        is_win("11m", forms=("seven",))
    with pytest.raises(NotationError):
        is_win("11m", wild=["10m"])
    with pytest.raises(HandError, match=r"shape \(N, 34\) for counts or \(N, 4\) for keys, not \(2, 5\)"):
        is_win_batch(np.zeros((2, 5), np.uint8))
    with pytest.raises(HandError, match="row 0 has 3, row 2 has 1;"):
        is_win_batch(["123m", "11m", "9s"])
    keys = np.array([suit_keys(read_hand(hand).counts) for hand in ("11m", "12399m1s", "1z")])
    for policy in (WildPolicy(), WildPolicy(fifth_copy="concealed")):
        with pytest.raises(HandError, match="row 1 has 6, row 2 has 1;"):
            is_win_batch(keys, forms=("standard",), policy=policy)


def test_hands_may_be_strings_counts_or_keys() -> None:
    hands = [hand for hand in (*WINS, *LOSSES) if hand != WINS[1]]
    natural = [read_hand(hand) for hand in hands]
    counts = np.array([hand.counts for hand in natural], np.uint8)
    keys = np.array([suit_keys(hand.counts) for hand in natural])
    wilds = np.array([hand.wilds for hand in natural], np.uint8)
    expected = [is_win(hand) for hand in hands]
    assert is_win_batch(hands).tolist() == expected
    assert is_win_batch(counts, wilds).tolist() == expected
    assert is_win_batch(keys, wilds).tolist() == expected
    standard = [is_win(hand, forms=("standard",)) for hand in hands]
    assert is_win_batch(keys, wilds, forms=("standard",)).tolist() == standard
    assert is_win_batch(counts[:, :], wilds, forms=("standard",)).tolist() == standard


def test_wild_kinds_are_lifted_out_of_counts_and_keys() -> None:
    natural = read_hand("12m99p5z")
    for hands in (np.array([natural.counts], np.uint8), np.array([suit_keys(natural.counts)])):
        assert is_win_batch(hands, wild=["5z"]).tolist() == [True]
        assert is_win_batch(hands).tolist() == [False]


def test_no_hands_are_no_answers() -> None:
    assert is_win_batch([]).shape == (0,)
    assert is_win_batch(np.zeros((0, 34), np.uint8)).shape == (0,)
    assert is_win_batch(np.zeros((0, 4), np.intp)).shape == (0,)
