"""Judging one hand: its readings, their fans, and the best of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from mjsettle.columns import NO_PAIR
from mjsettle.fans import Fan
from mjsettle.hands import Hand
from mjsettle.places import places_of, stands_for
from mjsettle.readings import Row
from mjsettle.ready import ready_masks
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import counts_of
from mjsettle.winforms import WinForm

_ROW_FIELDS: Final = Row._fields


@dataclass  # not frozen: that makes one three times as dear, and there is one for every win
class Judgement:
    """What a hand was judged to be; nobody changes it."""

    ruleset: RuleSet
    """The rule set that judged it."""
    hand: Hand
    """The hand; its `columns` hold the hand columns by name, its `melds` the melds as (kind, tiles)."""
    row: Row
    """The reading that was taken."""
    place: int
    """Where the winning tile sits; see Place."""
    won: int
    """The kind that the winning tile stands for."""
    counted: tuple[tuple[Fan, int, int], ...]
    """(fan, times, value) of the fans that count, in the rule set's order."""
    total: int
    """The fans' combination."""
    score: int
    """What the reading was compared by; see Scoring."""
    qualifies: bool
    """False when it is below the minimum to win."""
    prefer: int = 0
    """What decided between readings of equal score and total; see Scoring."""

    @property
    def form(self) -> str:
        """The id of the win form."""
        return self.ruleset.forms[self.row.form].id

    @cached_property
    def _times(self) -> dict[str, int]:
        return {fan.id: times for fan, times, _ in self.counted}

    def times(self, fan: str) -> int:
        """How many times a fan counts; 0 when it does not."""
        return self._times.get(fan, 0)


def wants_waits(ruleset: RuleSet) -> bool:
    """Whether the rule set's program asks for waits, which cost more than all other hand columns together."""
    return "waits" in ruleset.program.hand_inputs or "formal_waits" in ruleset.program.hand_inputs


def waits_before(ruleset: RuleSet, hand: Hand) -> tuple[int, int]:
    """The waits of the hand before its winning tile: (live, formal) masks, see `ready_masks`."""
    wild = sum(1 << kind for kind in hand.wild if kind < 34)
    before = hand.before()
    return ready_masks(
        ruleset.forms,
        before,
        counts_of(hand.tiles.codes[:-1]),
        wild,
        lambda number: waits_in_form(ruleset, hand, number),
    )


def waits_in_form(ruleset: RuleSet, hand: Hand, number: int) -> int:
    """The formal waits of one form that tells none of its own, by trying every kind."""
    form, before = ruleset.forms[number], hand.before()
    found = 0
    for kind in range(34):
        if before.counts[kind] == 4:  # no fifth natural tile; a wild kind is not among the counts
            continue
        drawn = hand.with_tile(kind)
        if form.may is None or form.may(*_spread_for(ruleset, drawn, form)):
            found |= bool(form.read(drawn.view, number)) << kind
    return found


def _spread_for(ruleset: RuleSet, hand: Hand, form: WinForm) -> list[Any]:
    """The arguments of a form's test for a hypothetical hand."""
    columns = {name: hand.columns.get(name, 0) for name in ruleset.program.hand_inputs}
    spread = ruleset.program.hand_stage(*columns.values())
    return [spread[at] for at in ruleset.may_arguments(form)]


def judge(ruleset: RuleSet, hand: Hand) -> Judgement | None:
    """The best reading of a hand under a rule set, or None when no legal one exists."""
    best: tuple[tuple[int, ...], JudgedRow] | None = None
    for judged in judged_rows(ruleset, hand):
        total, valid, qualifies, score, prefer = judged[3][-5:]
        if not valid:
            continue
        rank: tuple[int, ...] = (1 if qualifies else 0, int(score), int(total), int(prefer))
        if best is None or rank > best[0]:
            best = (rank, judged)
    return None if best is None else judgement_of(ruleset, hand, best[1])


JudgedRow = tuple[Row, int, int, tuple[Any, ...]]
"""A reading, its place and won, and what the rule set's program says of it."""


def judged_rows(ruleset: RuleSet, hand: Hand) -> Iterator[JudgedRow]:
    """Every reading of a hand, legal or not, in the order of `readings`."""
    program = ruleset.program
    columns = hand.columns
    if wants_waits(ruleset):
        columns["waits"], columns["formal_waits"] = waits_before(ruleset, hand)
    spread = program.hand_stage(*[columns[name] for name in program.hand_inputs])
    pick = ruleset.pick_reading
    for row, place, won in _rows(ruleset, hand, spread):
        yield row, place, won, program.reading_stage(*spread, *pick((*row, place, won)))


def judgement_of(ruleset: RuleSet, hand: Hand, judged: JudgedRow) -> Judgement:
    """What one reading is judged to be; whether it is legal is not asked."""
    row, place, won, out = judged
    fans, program = len(ruleset.fans), ruleset.program
    total, _, qualifies, score, prefer = out[-5:]
    values = dict(zip(program.dynamic, out[fans:-5], strict=True))
    times = [(number, int(count)) for number, count in enumerate(out[:fans]) if count]
    counted = count_fans(ruleset, times, values, int(total))
    return Judgement(ruleset, hand, row, place, won, counted, int(total), int(score), bool(qualifies), int(prefer))


def _rows(ruleset: RuleSet, hand: Hand, spread: tuple[Any, ...]) -> list[tuple[Row, int, int]]:
    rows: list[Row] = []
    for number, test in enumerate(ruleset.form_tests):
        if test is None or test(spread):
            rows.extend(ruleset.forms[number].read(hand.view, number))
    inputs = ruleset.program.reading_inputs
    if "place" not in inputs and "won" not in inputs:
        return [(row, 0, NO_PAIR) for row in rows]
    columns = hand.columns
    concealed = columns["concealed1"], columns["concealed2"], columns["concealed3"], columns["concealed4"]
    return [
        (row, int(place), won)
        for row in rows
        for won in stands_for(row, columns["win_tile"], columns["win_wild"], concealed)
        for place in places_of(row, won)
    ]


def count_fans(
    ruleset: RuleSet, times: Iterable[tuple[int, int]], dynamic: Mapping[int, int], total: int
) -> tuple[tuple[Fan, int, int], ...]:
    """The fans that count, with their times and values; under "highest" only the one that made the total.

    times: (fan number, how often) of the fans that count, in order; dynamic: values that are columns, by fan number.
    """
    fans, values = ruleset.fans, ruleset.fan_values
    counted = [
        (fans[number], count, int(dynamic[number]) if number in dynamic else values[number]) for number, count in times
    ]
    if ruleset.scoring.combine == "highest":
        counted = [item for item in counted if item[1] * item[2] == total][:1]
    return tuple(counted)
