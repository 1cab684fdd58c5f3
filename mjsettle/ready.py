"""Which tiles complete a hand under a rule set's win forms (听牌): the waits before the winning tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mjsettle.exact import standard_wins
from mjsettle.needs import need, need_four
from mjsettle.readings import View, with_tile
from mjsettle.winforms import WinForm

Completes = Callable[[View, int], bool]


def ready_masks(forms: Sequence[WinForm], view: View, wild: int, completes: Completes) -> tuple[int, int]:
    """The kinds that complete a hand of 3n+1 tiles: masks (live, formal).

    view: the hand without its winning tile; wild: mask of the wild kinds. A kind whose four copies are all among the
    concealed natural tiles is in the formal mask only. completes(view of 3n+2 tiles, form number): whether a form
    that tells no waits of its own is complete.
    """
    formal = 0
    for number, form in enumerate(forms):
        if form.standard:
            formal |= standard_waits(view, wild)
        elif form.ready is not None:
            formal |= form.ready(view, wild)
        else:
            formal |= _try_each(view, wild, number, completes)
    held = sum(1 << kind for kind, count in enumerate(view.counts) if count >= 4)
    return formal & ~held, formal


def standard_waits(view: View, wild: int) -> int:
    """The formal waits of a hand in the form of sets and a pair, as a mask."""
    policy = view.policy
    simple = policy.pair_of_wilds and policy.set_of_wilds and policy.wilds_per_set_max in (None, 3)
    by_table = simple and policy.fifth_copy != "melds"
    least = need if policy.fifth_copy == "allowed" else need_four
    keys, counts, wilds = view.keys, view.counts, view.wilds
    found = 0
    for kind in range(34):
        if not view.faces >> kind & 1:
            continue
        if by_table and counts[kind] < 4:
            suit, weight = kind // 9, 5 ** (kind % 9)
            if wild >> kind & 1:
                wins = least(keys) <= wilds + 1
            else:
                drawn = [*keys]
                drawn[suit] += weight
                wins = least((drawn[0], drawn[1], drawn[2], drawn[3])) <= wilds
        else:
            wins = _wins_exactly(view, kind, wild)
        found |= wins << kind
    return found


def _wins_exactly(view: View, kind: int, wild: int) -> bool:
    melded = [sum(plane >> k & 1 for plane in view.meld_planes) for k in range(34)]
    counts, wilds = list(view.counts), view.wilds
    if wild >> kind & 1:
        wilds += 1
    else:
        counts[kind] += 1
    return standard_wins(counts, wilds, view.policy, melded)


def _try_each(view: View, wild: int, form: int, completes: Completes) -> int:
    return sum(
        1 << kind
        for kind in range(34)
        if view.faces >> kind & 1 and view.counts[kind] < 4 and completes(with_tile(view, kind, wild), form)
    )
