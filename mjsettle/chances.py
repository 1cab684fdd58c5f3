"""Chances of draws: an urn of unseen tiles, drawn from without putting back."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, perm
from typing import NamedTuple


class Step(NamedTuple):
    """A first useful tile and what is useful after it.

    live: unseen tiles of that kind; then: unseen tiles that are useful after one of them was drawn; both: those of
    `then` that are useful before it too.
    """

    live: int
    then: int
    both: int


def chance_of_one(unseen: int, useful: int, draws: int) -> float:
    """The chance that one of `useful` tiles is among the next draws from `unseen`."""
    draws = min(draws, unseen)
    return 1 - comb(unseen - useful, draws) / comb(unseen, draws)


def chance_of_two(unseen: int, useful: int, steps: Iterable[Step], draws: int) -> float:
    """The chance that a useful tile comes and then, among the draws left, one of those that are useful after it.

    unseen, useful: tiles in the urn, and those that are a first step; steps: one for each kind of these.
    """
    draws = min(draws, unseen)
    ways = 0
    for live, then, both in steps:
        # The tile drawn apart, the urn holds tiles useful never, only before, only after, and both before and after.
        only_after, only_before = then - both, useful - 1 - both
        never = unseen - 1 - only_after - only_before - both
        for before in range(draws):
            after = draws - 1 - before
            all_ways = perm(unseen - useful, before) * perm(unseen - 1 - before, after)
            misses = sum(
                comb(after, plain)
                * perm(never, plain)
                * perm(only_before, after - plain)
                * perm(never + only_after - plain, before)
                for plain in range(after + 1)
                if plain <= never
            )
            ways += live * (all_ways - misses)
    return ways / perm(unseen, draws)
