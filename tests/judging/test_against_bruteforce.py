"""The fast answers are those of the brute force, hand by hand and in batches, under every policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest

from mjsettle.exact import standard_wins
from mjsettle.forms import ALL_FORMS, wins, wins_batch
from mjsettle.keys import Concealed, ConcealedBatch, suit_keys
from mjsettle.needs import need, need_four
from mjsettle.testing import bruteforce
from mjsettle.testing.deal import dealt, melded, near_win
from mjsettle.tiles import KINDS
from mjsettle.wait_masks import kinds_in, waits_mask, waits_mask_batch
from mjsettle.wildcards import FREE, WildPolicy

POLICIES = bruteforce.every_policy()
POOLS: tuple[Sequence[int], ...] = (range(KINDS), range(18), range(9), range(18, KINDS))
Counts = list[int]


def some_hands(random: Random, number: int, wilds: int, sets: int = 4, short: int = 0) -> Iterator[Counts]:
    """Near-winning and dealt hands of 3 * sets + 2 tiles, less some; every third tells a win from none narrowly."""
    for turn in range(number):
        pool = POOLS[turn % len(POOLS)]
        if turn % 5 == 4:
            yield dealt(random, 3 * sets + 2 - wilds - short, pool)
        else:
            yield near_win(random, sets, wilds + short, changes=(0, 1, 0, 2)[turn % 4], kinds=pool)


def as_batch(hands: Sequence[Counts], wilds: int) -> ConcealedBatch:
    counts = np.array(hands, np.uint8)
    return ConcealedBatch(counts, np.full(len(hands), wilds, np.uint8), counts)


def check_wins(
    seed: int, number: int, wilds: int, policy: WildPolicy, sets: int = 4, four_as_two_pairs: bool = True
) -> int:
    """Compare one hand at a time and the batch with the brute force; how many of the hands win."""
    random = Random(seed)
    hands = list(some_hands(random, number, wilds, sets))
    melds = [melded(random, 4 - sets) if sets < 4 else None for _ in hands]
    right = [
        bruteforce.wins(hand, wilds, own, ALL_FORMS, policy, four_as_two_pairs)
        for hand, own in zip(hands, melds, strict=True)
    ]
    for hand, own, won in zip(hands, melds, right, strict=True):
        assert wins(hand, wilds, own, ALL_FORMS, policy, four_as_two_pairs) == won, (hand, wilds, own, policy)
    shown = np.array(melds, np.uint8) if sets < 4 else None
    batch = wins_batch(as_batch(hands, wilds), shown, ALL_FORMS, policy, four_as_two_pairs)
    assert batch.tolist() == right
    return sum(right)


@pytest.mark.parametrize("wilds", range(5))
def test_free_wilds(wilds: int) -> None:
    assert 1000 < check_wins(wilds, 4000, wilds, FREE) < 4000


@pytest.mark.parametrize("wilds", range(5, 9))
def test_many_free_wilds(wilds: int) -> None:
    assert check_wins(wilds, 1000, wilds, FREE) > 500


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_every_policy(policy: WildPolicy) -> None:
    seed = POLICIES.index(policy)
    won = [
        check_wins(seed * 9 + wilds, number, wilds, policy, four_as_two_pairs=bool(seed & 1))
        for wilds, number in enumerate((40, 40, 40, 40, 40, 24, 16, 8, 4))
    ]
    # Some policies leave no place for so many wilds, but all of them know hands that win.
    assert won[0] > 10
    assert won[1] > 0


@pytest.mark.parametrize("policy", [*POLICIES[:2], *POLICIES[2::3]], ids=str)
@pytest.mark.parametrize("sets", [0, 1, 2, 3, 5])
def test_other_sizes(sets: int, policy: WildPolicy) -> None:
    """With melds, whose tiles count for a fifth copy in most of these policies, and with five concealed sets."""
    won = [check_wins(sets * 9 + wilds, 12, wilds, policy, sets) for wilds in range(min(4, 3 * sets + 2) + 1)]
    assert won[0] > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_every_policy_at_length(seed: int) -> None:
    for at, policy in enumerate(POLICIES):
        for wilds in range(8):
            check_wins(seed * 1000 + at, 100 if wilds < 5 else 30, wilds, policy, four_as_two_pairs=bool(seed & 1))


def test_the_general_path_agrees_with_the_tables() -> None:
    random = Random(5)
    four = WildPolicy(fifth_copy="concealed")
    for wilds in range(9):
        for hand in some_hands(random, 60, wilds):
            keys = suit_keys(hand)
            assert standard_wins(hand, wilds, FREE) == (need(keys) <= wilds), hand
            assert standard_wins(hand, wilds, four) == (need_four(keys) <= wilds), hand


def test_hands_with_more_than_four_of_a_kind() -> None:
    random = Random(6)
    wilds_of_turn = (0, 0, 1, 2)
    right = []
    for turn in range(300):
        wilds = wilds_of_turn[turn % 4]
        tiles = [random.randrange(5) for _ in range(14 - wilds)]
        hand = [tiles.count(kind) for kind in range(KINDS)]
        policy = POLICIES[turn % len(POLICIES)]
        right.append(bruteforce.wins(hand, wilds, None, ALL_FORMS, policy))
        assert wins(hand, wilds, None, ALL_FORMS, policy) == right[-1], (hand, wilds, policy)
        assert wins_batch(as_batch([hand], wilds), None, ALL_FORMS, policy).tolist() == right[-1:]
    assert 50 < sum(right) < 250


def brute_mask(hand: Concealed, wild: int, own: Counts | None, held_fours: bool, policy: WildPolicy) -> int:
    mask = 0
    for kind in range(KINDS):
        grown = [*hand.counts]
        is_wild = wild >> kind & 1
        grown[kind] += not is_wild
        if (held_fours or hand.held[kind] < 4) and bruteforce.wins(grown, hand.wilds + is_wild, own, ALL_FORMS, policy):
            mask |= 1 << kind
    return mask


@pytest.mark.parametrize("held_fours", [False, True])
@pytest.mark.parametrize("wilds", range(4))
def test_waits(wilds: int, held_fours: bool) -> None:
    check_waits(wilds, 40, wilds, held_fours, FREE)


@pytest.mark.parametrize("held_fours", [False, True])
@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_waits_under_every_policy(policy: WildPolicy, held_fours: bool) -> None:
    seed = POLICIES.index(policy)
    check_waits(seed, 6, seed % 4, held_fours, policy)


@pytest.mark.parametrize("sets", [0, 1, 2, 3, 5])
def test_waits_of_other_sizes(sets: int) -> None:
    check_waits(sets, 16, min(1, sets), True, POLICIES[sets % 3], sets)


def check_waits(seed: int, number: int, wilds: int, held_fours: bool, policy: WildPolicy, sets: int = 4) -> None:
    """Compare one hand at a time and the batch, with natural kinds alone and with a wild kind, with the brute force."""
    random = Random(seed)
    hands = list(some_hands(random, number, wilds, sets, short=1))
    melds = [melded(random, 4 - sets) if sets < 4 else None for _ in hands]
    # The hands hold no natural tile of the wild kind, unless they hold no wild at all.
    wild_kinds = [
        0 if turn % 2 else 1 << random.choice([k for k in range(KINDS) if hand[k] == 0])
        for turn, hand in enumerate(hands)
    ]
    right = []
    for hand, own, wild in zip(hands, melds, wild_kinds, strict=True):
        held = [copies + wilds * (wild >> kind & 1) for kind, copies in enumerate(hand)]
        concealed = Concealed(hand, wilds, held)
        right.append(brute_mask(concealed, wild, own, held_fours, policy))
        mask = waits_mask(concealed, wild, own, held_fours, ALL_FORMS, policy)
        assert [*kinds_in(mask)] == [*kinds_in(right[-1])], (concealed, wild, own, policy)
    counts = np.array(hands, np.uint8)
    wild_masks = np.array(wild_kinds, np.int64)
    held_counts = counts + (wild_masks[:, None] >> np.arange(KINDS) & 1).astype(np.uint8) * np.uint8(wilds)
    batch = ConcealedBatch(counts, np.full(len(hands), wilds, np.uint8), held_counts)
    shown = np.array(melds, np.uint8) if sets < 4 else None
    masks = waits_mask_batch(batch, wild_masks, shown, held_fours, ALL_FORMS, policy)
    assert masks.tolist() == right


def test_waits_of_hands_with_a_quad() -> None:
    """The formal waits: tiles that the hand holds four times, judged as a fifth."""
    random = Random(8)
    found = 0
    for turn in range(60):
        wilds = turn % 3
        hand = near_win(random, 4, wilds + 1, kinds=POOLS[1 + turn % 3])
        quad = random.choice([kind for kind in range(KINDS) if hand[kind]])
        spare = [kind for kind in range(KINDS) for _ in range(hand[kind]) if kind != quad]
        random.shuffle(spare)
        while hand[quad] < 4 and spare:
            hand[spare.pop()] -= 1
            hand[quad] += 1
        concealed = Concealed(hand, wilds, hand)
        right = brute_mask(concealed, 0, None, True, FREE)
        found += right >> quad & 1
        assert waits_mask(concealed, held_fours=True) == right, hand
        assert waits_mask_batch(as_batch([hand], wilds), held_fours=True).tolist() == [right]
        assert waits_mask(concealed) == brute_mask(concealed, 0, None, False, FREE)
    assert found > 10
