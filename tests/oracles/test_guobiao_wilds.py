"""Guobiao with wild tiles against every substitution: each wild replaced by each real tile, judged without wilds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

import mjsettle_guobiao
from mjsettle.settle import load
from mjsettle.tiles import JOKER
from tests.oracles.guobiao_hands import WinningHand, as_batch, winning_hand

ENGINE = load([mjsettle_guobiao])
NO_MINIMUM = {"min_fan": 0}


def with_wilds(random: Random, count: int) -> WinningHand:
    """A winning hand of which so many concealed tiles, the winning one perhaps among them, are jokers."""
    while True:
        hand = winning_hand(random)
        tiles = [*hand.concealed, hand.win]
        # Where the hand shows which tile it won, a joker must not make that a lie.
        if len(tiles) < count + 1 or hand.situation["rob_kong"] or hand.situation["last_of_kind"]:
            continue
        for at in random.sample(range(len(tiles)), count):
            tiles[at] = JOKER
        if random.random() < 0.2:
            at = random.randrange(len(tiles))
            tiles[at] = tiles[at] if tiles[at] == JOKER else random.randrange(34)
        held = tiles + [kind for _, meld in hand.melds for kind in meld]
        if all(held.count(kind) <= 4 for kind in range(34)):
            return replace(hand, concealed=tiles[:-1], win=tiles[-1])


def substitutions(hand: WinningHand) -> Iterator[WinningHand]:
    """The hand with real tiles instead of its jokers, in every way; there are four of each kind."""
    tiles = [*hand.concealed, hand.win]
    places = [at for at, tile in enumerate(tiles) if tile == JOKER]
    melded = [kind for _, meld in hand.melds for kind in meld]
    for kinds in product(range(34), repeat=len(places)):
        if places[-1] != len(tiles) - 1 and list(kinds) != sorted(kinds):
            continue
        real = list(tiles)
        for at, kind in zip(places, kinds, strict=True):
            real[at] = kind
        if all((real + melded).count(kind) <= 4 for kind in kinds):
            yield replace(hand, concealed=real[:-1], win=real[-1])


@pytest.mark.parametrize(("wilds", "count", "least_won"), [(1, 400, 300), (2, 150, 110)])
def test_the_best_reading_is_the_best_substitution(wilds: int, count: int, least_won: int) -> None:
    random = Random(wilds)
    hands = [with_wilds(random, wilds) for _ in range(count)]
    scores = ENGINE.score("guobiao", as_batch(hands), NO_MINIMUM)
    for at, hand in enumerate(hands):
        tried = ENGINE.score("guobiao", as_batch(list(substitutions(hand))), NO_MINIMUM)
        best = int(tried.total[tried.won].max()) if tried.won.any() else None
        assert (int(scores.total[at]) if scores.won[at] else None) == best, str(hand)
    assert scores.won.sum() > least_won
