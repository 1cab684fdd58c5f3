"""Batch scoring: hands as arrays or strings in, fans and totals out; how the cost grows.

`extra_info` holds microseconds per hand, and for wilds how many readings a hand has. No figure is asserted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mjsettle import HandBatch
from mjsettle.compiler import compile_program, parameters
from mjsettle.hand_batch import score_batch
from mjsettle.ruleset import RuleSet
from tests.benchmarks.corpus import HANDS, batch_of, engine, fresh, guobiao_hands, strings, with_wilds
from tests.benchmarks.riichi import plain_wins, riichi_batch

pytestmark = pytest.mark.bench

Benchmark = Any  # pytest-benchmark's fixture has no types
NO_MINIMUM = {"min_fan": 0}
WILD_HANDS = 1_000


def per_hand(benchmark: Benchmark, hands: int, call: Callable[[], Any], rounds: int = 10) -> Any:
    """Measure a call that scores so many hands."""
    result = benchmark.pedantic(call, rounds=rounds, warmup_rounds=2, iterations=1)
    if benchmark.stats is not None:
        benchmark.extra_info["us_per_hand"] = round(benchmark.stats.stats.min / hands * 1e6, 4)
        benchmark.extra_info["hands"] = hands
    return result


@pytest.mark.parametrize("concealed", [False, True], ids=["every_form", "concealed"])
def test_guobiao_from_arrays(benchmark: Benchmark, concealed: bool) -> None:
    ruleset, batch = engine().rule_set("guobiao", NO_MINIMUM), batch_of(guobiao_hands(concealed=concealed))
    scores = per_hand(benchmark, HANDS, lambda: score_batch(ruleset, fresh(batch)))
    assert scores.won.all()


@pytest.mark.parametrize("concealed", [False, True], ids=["every_form", "concealed"])
def test_guobiao_from_strings(benchmark: Benchmark, concealed: bool) -> None:
    """From hand strings to fan names and totals as Python objects."""
    ruleset = engine().rule_set("guobiao", NO_MINIMUM)
    tiles, wins, melds, situation = strings(guobiao_hands(concealed=concealed))

    def score() -> tuple[list[list[str]], list[int]]:
        scores = score_batch(ruleset, HandBatch.read(tiles, wins, melds, **situation))
        return scores.fan_names(), scores.total.tolist()

    names, totals = per_hand(benchmark, HANDS, score)
    assert len(names) == len(totals) == HANDS


@pytest.mark.parametrize("hands", [1, 10, 100, 1_000, 10_000, 100_000])
def test_guobiao_by_batch_size(benchmark: Benchmark, hands: int) -> None:
    ruleset, some = engine().rule_set("guobiao", NO_MINIMUM), guobiao_hands()
    batch = batch_of((some * (hands // HANDS + 1))[:hands])
    per_hand(benchmark, hands, lambda: score_batch(ruleset, fresh(batch)), 4 if hands > HANDS else 10)


@pytest.mark.parametrize("wilds", range(5))
def test_guobiao_by_wilds(benchmark: Benchmark, wilds: int) -> None:
    """The same hands with so many tiles made wild; `readings` are the rows that fans are computed for."""
    rows: list[int] = []
    ruleset, program = counted(engine().rule_set("guobiao", NO_MINIMUM), rows)
    batch = batch_of(with_wilds(guobiao_hands(concealed=True)[:WILD_HANDS], wilds))
    scores = score_batch(ruleset, batch)
    benchmark.extra_info["readings_per_hand"] = round(sum(rows) / WILD_HANDS, 2)
    assert scores.won.all()
    per_hand(benchmark, WILD_HANDS, lambda: score_batch(program, fresh(batch)), 3)
    if benchmark.stats is not None:
        benchmark.extra_info["us_per_reading"] = round(benchmark.stats.stats.min / sum(rows) * 1e6, 4)


def counted(ruleset: RuleSet, rows: list[int]) -> tuple[RuleSet, RuleSet]:
    """The rule set with a program that notes how many rows it is given, and the rule set itself."""
    weigh = ruleset.program.reading_columns

    def reading_columns(count: int, *columns: Any) -> tuple[Any, ...]:
        rows.append(count)
        return weigh(count, *columns)

    return replace(ruleset, program=replace(ruleset.program, reading_columns=reading_columns)), ruleset


@pytest.mark.parametrize("fans", [10, 20, 40, 75])
def test_guobiao_by_fans(benchmark: Benchmark, fans: int) -> None:
    """The rule set with only so many of the fans that ask for no other fan, and without exclusions."""
    whole = engine().rule_set("guobiao", NO_MINIMUM)
    free = [fan for fan in whole.fans if not any(name.startswith("raw_") for name in parameters(fan.when))]
    some = tuple(replace(fan, excludes=()) for fan in free[:fans])
    assert len(some) == fans
    scoring = replace(whole.scoring, qualifies=None, prefer=None)
    asked = sorted({name for form in whole.forms if form.may for name in parameters(form.may)})
    program = compile_program("guobiao", some, scoring, whole.columns, {}, [form.id for form in whole.forms], asked)
    ruleset = replace(whole, fans=some, program=program, scoring=scoring)
    batch = batch_of(guobiao_hands())
    per_hand(benchmark, HANDS, lambda: score_batch(ruleset, fresh(batch)))


def test_riichi_from_arrays(benchmark: Benchmark) -> None:
    ruleset, batch = engine().rule_set("riichi"), riichi_batch(plain_wins())
    scores = per_hand(benchmark, HANDS, lambda: score_batch(ruleset, fresh(batch)))
    assert scores.won.all()
