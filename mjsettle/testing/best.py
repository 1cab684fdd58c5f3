"""A slow second way to the best reading of a hand: put every combination of real tiles in the place of its wilds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations_with_replacement

from mjsettle.columns import NO_PAIR, chow_field
from mjsettle.hands import Hand
from mjsettle.judge import waits_before, wants_waits
from mjsettle.places import places_of, stands_for
from mjsettle.readings import Row
from mjsettle.ruleset import RuleSet
from mjsettle.suits import planes
from mjsettle.tiles import FIRST_HONOUR, KINDS

Rank = tuple[int, int, int]
"""(qualifies, score, total) of a judged hand."""


def brute_force_best(ruleset: RuleSet, hand: Hand, shapeless: Collection[str] = ()) -> Rank | None:
    """What `judge` should find: the greatest (qualifies, score, total) of all legal readings, None without one.

    It is right for rule sets whose wilds may stand for anything but, under some policies, a fifth copy; ValueError for
    other policies. shapeless: ids of win forms in which wilds stand for nothing. Time grows 34-fold with each wild.
    """
    policy = ruleset.policy
    if not policy.pair_of_wilds or not policy.set_of_wilds or policy.wilds_per_set_max not in (None, 3):
        raise ValueError(f"found {policy}; only policies without limits on sets and pairs can be tried by substitution")
    program = ruleset.program
    columns = hand.columns
    if wants_waits(ruleset):
        columns["waits"], columns["formal_waits"] = waits_before(ruleset, hand)
    spread = program.hand_stage(*[columns[name] for name in program.hand_inputs])
    concealed = columns["concealed1"], columns["concealed2"], columns["concealed3"], columns["concealed4"]
    best: Rank | None = None
    for row in set(_rows(ruleset, hand, spread, shapeless)):
        for won in stands_for(row, columns["win_tile"], columns["win_wild"], concealed):
            for place in places_of(row, won):
                values = {**row._asdict(), "place": int(place), "won": won}
                out = program.reading_stage(*spread, *[values[name] for name in program.reading_inputs])
                total, valid, qualifies, score, _ = out[-5:]
                rank = (int(bool(qualifies)), int(score), int(total))
                if valid and (best is None or rank > best):
                    best = rank
    return best


def _rows(ruleset: RuleSet, hand: Hand, spread: tuple[int, ...], shapeless: Collection[str]) -> Iterator[Row]:
    for number, form in enumerate(ruleset.forms):
        if form.id in shapeless and (form.may is None or form.may(*[spread[at] for at in ruleset.may_arguments(form)])):
            yield from form.read(hand.view, number)
    for counts in _substitutions(ruleset, hand):
        # Keys cannot hold five of a kind; the forms that are read here look at the counts.
        view = hand.view._replace(counts=counts, wilds=0)
        for number, form in enumerate(ruleset.forms):
            if form.standard:
                yield from _standard(counts, number)
            elif form.id not in shapeless:
                yield from form.read(view, number)


def _substitutions(ruleset: RuleSet, hand: Hand) -> Iterator[tuple[int, ...]]:
    """The counts of the concealed tiles for every choice of tiles that the wilds may be."""
    view, policy = hand.view, ruleset.policy
    faces = [kind for kind in range(KINDS) if ruleset.faces >> kind & 1]
    for chosen in combinations_with_replacement(faces, view.wilds):
        counts = list(view.counts)
        for kind in chosen:
            counts[kind] += 1
        if policy.fifth_copy != "allowed" and any(counts[kind] + _melded(hand, kind) > 4 for kind in chosen):
            continue
        yield tuple(counts)


def _melded(hand: Hand, kind: int) -> int:
    if hand.view.policy.fifth_copy != "melds":
        return 0
    return sum(plane >> kind & 1 for plane in hand.view.meld_planes)


def _standard(counts: tuple[int, ...], form: int) -> Iterator[Row]:
    """Every way to lay wild-free tiles out as sets and a pair, the lowest tile first."""
    suits = [sum(counts[start : start + 9]) % 3 for start in range(0, KINDS, 9)]
    if sorted(suits) != [0, 0, 0, 2]:
        return
    has = planes(list(counts))
    seen = set()
    for chows, pungs, pair in _lay_out(list(counts), (), (), NO_PAIR):
        once, twice = 0, 0
        for kind in pungs:
            once, twice = (once, twice | 1 << kind) if once >> kind & 1 else (once | 1 << kind, twice)
        field = sum(1 << chow_field(kind // 9, kind % 9 + 1) for kind in chows)
        row = Row(form, field, once, twice, pair, *has)
        if row not in seen:
            seen.add(row)
            yield row


def _lay_out(
    counts: list[int], chows: tuple[int, ...], pungs: tuple[int, ...], pair: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    lowest = next((kind for kind, count in enumerate(counts) if count), None)
    if lowest is None:
        if pair != NO_PAIR:
            yield chows, pungs, pair
        return
    if counts[lowest] >= 2 and pair == NO_PAIR:
        counts[lowest] -= 2
        yield from _lay_out(counts, chows, pungs, lowest)
        counts[lowest] += 2
    if counts[lowest] >= 3 and pungs.count(lowest) < 2:
        counts[lowest] -= 3
        yield from _lay_out(counts, chows, (*pungs, lowest), pair)
        counts[lowest] += 3
    chow = (lowest, lowest + 1, lowest + 2)
    if lowest < FIRST_HONOUR and lowest % 9 <= 6 and all(counts[kind] for kind in chow):
        for kind in chow:
            counts[kind] -= 1
        yield from _lay_out(counts, (*chows, lowest), pungs, pair)
        for kind in chow:
            counts[kind] += 1


__all__ = ["Rank", "brute_force_best"]
