"""Are a rule set's columns honest? One hand judged alone and the same hand judged in a batch must agree, and so must
every function of the rule page on a Python int and on a NumPy column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import msgspec
import numpy as np

from mjsettle.batch import judge_batch
from mjsettle.columns import NO_PAIR
from mjsettle.compiler import compile_program, parameters
from mjsettle.derived import DERIVED
from mjsettle.fans import Fan
from mjsettle.hands import Hand
from mjsettle.judge import Judgement, judge, waits_before
from mjsettle.places import places_of, stands_for
from mjsettle.probe import row_complaint
from mjsettle.readings import Row
from mjsettle.rounds import round_of
from mjsettle.ruleset import RuleSet
from mjsettle.settle import Engine, load
from mjsettle.testing.random_hands import Shape, random_rounds
from mjsettle.tiles import format_tiles

_SHOWN: Final = 8
_ROWS_PER_HAND: Final = 24


@dataclass(frozen=True, slots=True)
class Sample:
    """What a conformance run has looked at, so that a test can ask whether it was enough.

    hands: hands judged; won: those that won; rows: readings whose every column was compared; fans: ids that counted.
    """

    hands: int
    won: int
    rows: int
    fans: frozenset[str]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A random win: the wire round it is from, and its hand."""

    wire: Mapping[str, Any]
    hand: Hand


def conformance(
    rule: str,
    options: Mapping[str, Any] | None = None,
    *,
    engine: Engine | None = None,
    hands: int = 400,
    seed: int = 1,
    seats: int | None = None,
    chows: bool = True,
    wilds_max: int = 4,
    shapes: Sequence[Shape] = (),
) -> Sample:
    """Compare scalar and columnar results on random hands; AssertionError names the columns and rounds that differ.

    For the parameters see `random_rounds`. Rounds that the rule set refuses before judging are not counted.
    """
    engine = engine or load()
    ruleset = engine.rule_set(rule, options, seats=seats)
    dealt = list(
        random_wins(engine, ruleset, hands, seed, seats=seats, chows=chows, wilds_max=wilds_max, shapes=shapes)
    )
    differences: list[str] = []
    rows = 0
    for found in _compare_columns(with_every_column(ruleset), dealt):
        if isinstance(found, int):
            rows = found
        else:
            differences.append(found)
    one_by_one = [judge(ruleset, item.hand) for item in dealt]
    at_once = judge_batch(ruleset, [item.hand for item in dealt])
    differences += [
        f"alone {_shown(alone)}\n    batch {_shown(batch)}\n    round {msgspec.json.encode(item.wire).decode()}"
        for item, alone, batch in zip(dealt, one_by_one, at_once, strict=True)
        if _shown(alone) != _shown(batch)
    ]
    if differences:
        more = f"\n  and {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
        raise AssertionError(f"rule {rule!r}, seed {seed}:\n  " + "\n  ".join(differences[:_SHOWN]) + more)
    wins = [judgement for judgement in one_by_one if judgement is not None]
    fans = frozenset(fan.id for judgement in wins for fan, _, _ in judgement.counted)
    return Sample(len(dealt), len(wins), rows, fans)


def random_wins(engine: Engine, ruleset: RuleSet, hands: int, seed: int, **how: Any) -> Iterator[Dealt]:
    """So many random wins that pass the rule set's checks, whether the hand is complete or not.

    how: see `random_rounds`. ValueError when far fewer than asked for pass: the random rounds do not suit the rule set.
    """

    def passing() -> Iterator[Dealt]:
        for wire in random_rounds(ruleset, 20 * hands, seed, **how):
            yield from (Dealt(wire, hand) for hand in engine._prepare(round_of(wire)).hands)

    found = list(islice(passing(), hands))
    if len(found) < hands:
        raise ValueError(f"only {len(found)} of {20 * hands} random rounds pass the checks of {ruleset.rule.name!r}")
    yield from found


def with_every_column(ruleset: RuleSet) -> RuleSet:
    """The rule set with a program that computes every derived column, also those that no fan asks for.

    A column of the plugin's own is computed where the switches have a use for it.
    """
    # A value that leaves the total as it is.
    neutral = 1 if ruleset.scoring.combine == "product" else 0
    shown = [Fan(f"column_{column.name}", column.name, neutral, column.fn) for column in DERIVED]
    program = compile_program(
        ruleset.rule.name,
        [*ruleset.fans, *shown],
        ruleset.scoring,
        ruleset.columns,
        {fact.name: fact.doc for fact in ruleset.facts},
        [form.id for form in ruleset.forms],
        sorted({name for form in ruleset.forms if form.may for name in parameters(form.may)}),
    )
    return replace(ruleset, program=program)


def _compare_columns(ruleset: RuleSet, dealt: Sequence[Dealt]) -> Iterator[str | int]:
    """Every difference; at last the number of readings."""
    hand_stage, reading_stage = _open_stages(ruleset)
    program = ruleset.program
    alone: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for item in dealt:
        columns = item.hand.columns
        columns["waits"], columns["formal_waits"] = waits_before(ruleset, item.hand)
        values = hand_stage(**{name: columns[name] for name in program.hand_inputs})
        for number, form in enumerate(ruleset.forms):
            if form.may is not None:
                values[f"may of form {number}"] = form.may(*[values[name] for name in parameters(form.may)])
        alone.append(values)
        spread = {name: values[name] for name in program.spread}
        rows += [
            {**spread, **{name: placed[name] for name in program.reading_inputs}}
            for placed in islice(_placed_rows(ruleset, item.hand, values), _ROWS_PER_HAND)
        ]
    together = hand_stage(**_columns_of(alone, program.hand_inputs))
    for number, form in enumerate(ruleset.forms):
        if form.may is not None:
            together[f"may of form {number}"] = form.may(*[together[name] for name in parameters(form.may)])
    yield from _unlike(alone, together)
    computed = [reading_stage(**row) for row in rows]
    yield from _unlike(computed, reading_stage(**_columns_of(rows, (*program.spread, *program.reading_inputs))))
    yield len(rows)


def _placed_rows(ruleset: RuleSet, hand: Hand, values: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """Every reading of a hand with every place of its winning tile, as reading columns."""
    columns = hand.columns
    concealed = columns["concealed1"], columns["concealed2"], columns["concealed3"], columns["concealed4"]
    for number, form in enumerate(ruleset.forms):
        if not values.get(f"may of form {number}", True):
            continue
        for row in form.read(hand.view, number):
            if complaint := row_complaint(hand.view, row):
                raise AssertionError(
                    f"win form {form.id!r} reads {_tiles_of(hand)} as a row that cannot be: {complaint}"
                )
            for won in stands_for(row, columns["win_tile"], columns["win_wild"], concealed):
                for place in places_of(row, won):
                    yield {**row._asdict(), "place": int(place), "won": min(won, NO_PAIR)}


def _tiles_of(hand: Hand) -> str:
    return " ".join([format_tiles(hand.tiles.codes), *(tiles for _, tiles in hand.melds)])


def _open_stages(ruleset: RuleSet) -> tuple[Callable[..., dict[str, Any]], Callable[..., dict[str, Any]]]:
    """The program's two functions, answering with everything that they have computed, by name."""
    program = ruleset.program
    scope = dict(program.hand_stage.__globals__)
    exec(re.sub(r"return \(.*\)", "return locals()", program.source), scope)
    return scope["hand_stage"], scope["reading_stage"]


def _columns_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    return {name: np.array([int(row[name]) for row in rows], np.int64) for name in names}


def _unlike(alone: Sequence[Mapping[str, Any]], together: Mapping[str, Any]) -> Iterator[str]:
    """The columns that differ, each with its first place."""
    for name, column in together.items():
        single = [row[name] for row in alone]
        strange = next((value for value in single if not isinstance(value, (int, np.integer, np.bool_))), None)
        if strange is not None or np.asarray(column).dtype.kind not in "biu":
            kind = type(strange).__name__ if strange is not None else np.asarray(column).dtype.name
            yield f"column {name!r} is of type {kind}; columns are integers"
            continue
        at = np.flatnonzero(np.broadcast_to(column, len(single)) != np.array([int(value) for value in single]))
        if len(at):
            first = int(at[0])
            got = np.broadcast_to(column, len(single))[first]
            yield f"column {name!r}: {int(single[first])} alone, {int(got)} in a batch ({len(at)} of {len(single)})"


def _shown(judgement: Judgement | None) -> object:
    if judgement is None:
        return None
    fans = tuple((fan.id, times, value) for fan, times, value in judgement.counted)
    row: Row = judgement.row
    return (
        tuple(row),
        judgement.place,
        judgement.won,
        fans,
        judgement.total,
        judgement.score,
        judgement.qualifies,
    )


__all__ = ["Dealt", "Sample", "conformance", "random_wins", "with_every_column"]
