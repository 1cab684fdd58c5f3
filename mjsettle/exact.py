"""The general exact path: any counts, any number of wilds, every switch of a wildcard policy.

For one suit, a set of integers is kept as a bit mask: bit *w* says that *w* wilds can complete it. A dynamic programme
goes through the suit's positions; what it carries is how many natural and wild tiles the chows begun so far have put on
the next two positions. Suits merge by adding sets of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from mjsettle.keys import COPIES, SUIT_STARTS
from mjsettle.wildcards import WildPolicy

# Natural and wild tiles on the position at hand and on the two after it.
_State = tuple[int, int, int, int, int, int]
# Bit masks of the wild totals: without the pair and with it.
_Totals = tuple[int, int]
_CHOW_PATTERNS: Final = tuple((a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1))


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
    # Without a limit the wilds on a position need no counting, which keeps the states few.
    held = (*counts, 0, 0)
    free = (*(room or (0,) * size), 0, 0)
    states: dict[_State, _Totals] = {(0, 0, 0, 0, 0, 0): (1, 0)}
    for at in range(size):
        top = (held[at], free[at], held[at + 1], free[at + 1], held[at + 2], free[at + 2])
        grow = _Growth(top, room is not None, bounds.wilds)
        if chows and at + 2 < size:
            for pattern in _CHOW_PATTERNS:
                if sum(pattern) <= bounds.in_set:
                    grow.repeatedly(states, pattern)
        for wild in range(min(3, bounds.in_set) + 1):
            grow.repeatedly(states, (), 3 - wild, wild)
        grow.pair(states, bounds.in_pair)
        states = _pass_on(states, held[at])
    whole, paired = states.get((0, 0, 0, 0, 0, 0), (0, 0))
    return whole, paired


def _pass_on(states: dict[_State, _Totals], held: int) -> dict[_State, _Totals]:
    """Leave a position: only states that used all its natural tiles live on."""
    passed: dict[_State, _Totals] = {}
    for (natural, _, *ahead), (whole, paired) in states.items():
        if natural == held:
            state = (ahead[0], ahead[1], ahead[2], ahead[3], 0, 0)
            old = passed.get(state, (0, 0))
            passed[state] = (old[0] | whole, old[1] | paired)
    return passed


class _Growth:
    """Adds sets and the pair to the states of one position, within what its natural and wild tiles allow."""

    def __init__(self, top: _State, count_wilds: bool, wilds: int) -> None:
        self.top = top
        self.count_wilds = count_wilds
        self.all_bits = (2 << wilds) - 1

    def _step(self, state: _State, step: _State) -> _State | None:
        grown = tuple(map(int.__add__, state, step))
        if any(map(int.__gt__, grown, self.top)):
            return None
        return grown[0], grown[1], grown[2], grown[3], grown[4], grown[5]

    def _tiles(self, natural: tuple[int, ...], wild: tuple[int, ...]) -> _State:
        natural, wild = (*natural, 0, 0)[:3], (*wild, 0, 0)[:3] if self.count_wilds else (0, 0, 0)
        return natural[0], wild[0], natural[1], wild[1], natural[2], wild[2]

    def repeatedly(
        self, states: dict[_State, _Totals], pattern: tuple[int, ...], natural: int = 0, wild: int = 0
    ) -> None:
        """Any number of one kind of set: a chow by which of its tiles are wild, or a pung by how many are."""
        if pattern:
            step = self._tiles(tuple(1 - tile for tile in pattern), pattern)
            wild = sum(pattern)
        else:
            step = self._tiles((natural,), (wild,))
        pending = list(states)
        while pending:
            state = pending.pop()
            grown = self._step(state, step)
            if grown is None:
                continue
            whole, paired = states[state]
            whole, paired = whole << wild & self.all_bits, paired << wild & self.all_bits
            old = states.get(grown, (0, 0))
            new = (old[0] | whole, old[1] | paired)
            if new != old:
                states[grown] = new
                pending.append(grown)

    def pair(self, states: dict[_State, _Totals], in_pair: int) -> None:
        """The pair, at most once, with up to so many wilds in it."""
        before = list(states.items())
        for wild in range(in_pair + 1):
            step = self._tiles((2 - wild,), (wild,))
            for state, (whole, _) in before:
                grown = self._step(state, step)
                if grown is not None:
                    old = states.get(grown, (0, 0))
                    states[grown] = (old[0], old[1] | whole << wild & self.all_bits)


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
