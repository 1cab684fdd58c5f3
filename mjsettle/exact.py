"""The general exact path: any counts, any number of wilds, every switch of a wildcard policy.

For one suit, a set of integers is kept as a bit mask: bit *w* says that *w* wilds can complete it. A dynamic programme
goes through the suit's positions; what it carries is how many natural tiles and how much room for wilds the chows begun
so far have left on the next two positions. Suits merge by adding sets of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from mjsettle.keys import COPIES, SUIT_STARTS
from mjsettle.wildcards import WildPolicy

# Bit masks of the wild totals: without the pair and with it.
_Totals = tuple[int, int]


class Limits(NamedTuple):
    """A wildcard policy's switches as numbers: the most wilds in a set, in the pair, and of use at all."""

    in_set: int
    in_pair: int
    wilds: int


def limits(policy: WildPolicy, wilds: int) -> Limits:
    """The numbers behind a policy's switches for a hand with so many wilds."""
    in_set = 3 if policy.set_of_wilds else 2
    if policy.wilds_per_set_max is not None:
        in_set = min(in_set, policy.wilds_per_set_max)
    return Limits(in_set, 2 if policy.pair_of_wilds else 1, wilds)


def standard_wins(counts: Sequence[int], wilds: int, policy: WildPolicy, melded: Sequence[int] = ()) -> bool:
    """Whether natural tiles by kind and exactly so many wilds are sets and a pair under the policy.

    `melded` counts the tiles of the own melds by kind; they matter where a fifth copy is counted with them.
    """
    bounds = limits(policy, wilds)
    whole, paired = 1, 0
    for start, stop in pairwise(SUIT_STARTS):
        held = tuple(counts[start:stop])
        room = None
        if policy.fifth_copy != "allowed":
            exposed = melded[start:stop] if policy.fifth_copy == "melds" and melded else (0,) * len(held)
            room = tuple(max(0, COPIES - own - shown) for own, shown in zip(held, exposed, strict=True))
        suit_whole, suit_paired = suit_totals(held, start < SUIT_STARTS[3], room, bounds)
        paired = _add(paired, suit_whole, wilds) | _add(whole, suit_paired, wilds)
        whole = _add(whole, suit_whole, wilds)
    return bool(paired >> wilds & 1)


def _add(left: int, right: int, top: int) -> int:
    """The sums, up to `top`, of two sets of integers kept as bit masks."""
    total = 0
    while left:
        lowest = left & -left
        total |= right * lowest
        left ^= lowest
    return total & ((2 << top) - 1)


@lru_cache(maxsize=1 << 15)
def suit_totals(counts: tuple[int, ...], chows: bool, room: tuple[int, ...] | None, bounds: Limits) -> _Totals:
    """The wild totals that complete one suit without and with the pair, as bit masks.

    `room` is how many wilds each kind may take, None for no limit.
    """
    size = len(counts)
    growth = _Growth(max(*counts, *(room or (0,))), room is not None, bounds)
    # Without a limit the wilds on a position need no counting, which keeps the states few.
    places = [growth.place(held, free) for held, free in zip(counts, room or (0,) * size, strict=True)] + [0, 0, 0]
    states = {growth.window(places[:3]): (1, 0)}
    for at in range(size):
        if chows and at + 2 < size:
            growth.chows(states)
        growth.pungs(states)
        growth.pair(states)
        states = growth.pass_on(states, places[at + 3])
    return states.get(0, (0, 0))


class _Growth:
    """Adds sets and the pair to states, within what is left of natural tiles and of room for wilds.

    A state is one integer: what is left on the position at hand and on the two after it, each a field for natural
    tiles and one for wilds. Every field has a bit to spare, which a subtraction that takes too much borrows.
    """

    def __init__(self, largest: int, count_wilds: bool, bounds: Limits) -> None:
        self.width = largest.bit_length() + 1
        self.count_wilds = count_wilds
        self.bounds = bounds
        self.all_totals = (2 << bounds.wilds) - 1
        self.guards = sum(1 << self.width * (field + 1) - 1 for field in range(6))
        self.chow_steps = [
            (self.window([self.place(1 - wild, wild) for wild in pattern]), sum(pattern))
            for pattern in product((0, 1), repeat=3)
            if sum(pattern) <= bounds.in_set
        ]

    def place(self, natural: int, wild: int) -> int:
        """The two fields of one position."""
        return natural | (wild << self.width if self.count_wilds else 0)

    def window(self, places: Sequence[int]) -> int:
        """A state from its three positions."""
        first, second, third = places
        return first | second << 2 * self.width | third << 4 * self.width

    def chows(self, states: dict[int, _Totals]) -> None:
        """Any number of chows that begin here, each with any of its tiles wild."""
        for step, wild in self.chow_steps:
            self._repeatedly(states, step, wild)

    def pungs(self, states: dict[int, _Totals]) -> None:
        """Any number of pungs, each with any number of wilds."""
        for wild in range(min(3, self.bounds.in_set) + 1):
            self._repeatedly(states, self.place(3 - wild, wild), wild)

    def pair(self, states: dict[int, _Totals]) -> None:
        """The pair, at most once."""
        before = list(states.items())
        for wild in range(self.bounds.in_pair + 1):
            step = self.place(2 - wild, wild)
            for state, (whole, _) in before:
                left = (state | self.guards) - step
                if left & self.guards == self.guards:
                    left ^= self.guards
                    old = states.get(left, (0, 0))
                    states[left] = (old[0], old[1] | whole << wild & self.all_totals)

    def pass_on(self, states: dict[int, _Totals], entering: int) -> dict[int, _Totals]:
        """Leave a position for the next: only states that used all its natural tiles live on."""
        natural = (1 << self.width) - 1
        passed: dict[int, _Totals] = {}
        for state, (whole, paired) in states.items():
            if not state & natural:
                left = state >> 2 * self.width | entering << 4 * self.width
                old = passed.get(left, (0, 0))
                passed[left] = (old[0] | whole, old[1] | paired)
        return passed

    def _repeatedly(self, states: dict[int, _Totals], step: int, wild: int) -> None:
        guards, all_totals = self.guards, self.all_totals
        pending = list(states)
        while pending:
            state = pending.pop()
            left = (state | guards) - step
            if left & guards != guards:
                continue
            left ^= guards
            whole, paired = states[state]
            old = states.get(left, (0, 0))
            new = (old[0] | whole << wild & all_totals, old[1] | paired << wild & all_totals)
            if new != old:
                states[left] = new
                pending.append(left)


@lru_cache(maxsize=1 << 12)
def seven_pairs_wins(counts: tuple[int, ...], wilds: int, policy: WildPolicy, four_as_two_pairs: bool = True) -> bool:
    """Whether 14 tiles, so many of them wild, are seven pairs; a switch on the pair holds for each of the seven."""
    copies_max = 2 if not four_as_two_pairs else COPIES if policy.fifth_copy != "allowed" else 14
    # Every kind becomes even; beyond that wilds come in twos.
    forced, twos = 0, 0
    for held in counts:
        even = held + (held & 1)
        if even > copies_max and (held & 1 or not four_as_two_pairs):
            return False
        room = max(0, copies_max - even) // 2
        if not policy.pair_of_wilds:
            # Each wild of the kind then needs a natural tile of its own.
            room = min(room, held // 2)
        forced += held & 1
        twos += room
    return 0 <= wilds - forced <= 2 * twos
