"""A column function that fails many hands at once, or answers them otherwise, stops the start."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mjsettle.columns import NO_PAIR, Col, Column, Table, lookup, popcount, where
from mjsettle.errors import PluginError, RuleError
from mjsettle.fans import Fan, Scoring
from mjsettle.options import Option
from mjsettle.readings import Row, View
from mjsettle.rules import Fact
from mjsettle.settle import load
from mjsettle.suits import planes
from mjsettle.winforms import WinForm, standard
from tests.seam.conftest import always


def refusal(*plugins: Any) -> str:
    with pytest.raises(PluginError) as error:
        load(plugins)
    return str(error.value)


def with_and(self_draw: Col, wilds: Col) -> Col:
    return self_draw and wilds == 0


def with_or(self_draw: Col, wilds: Col) -> Col:
    return self_draw == 1 or wilds == 0


def with_not(self_draw: Col) -> Col:
    return not self_draw


def with_if(wilds: Col) -> Col:
    if wilds >= 2:
        return 1
    return 0


def with_in(round_wind: Col) -> Col:
    return round_wind in (0, 1)


def with_min(wilds: Col, melds: Col) -> Col:
    return min(wilds, melds)


def without_parentheses(wilds: Col, wilds_needed: Col) -> Col:
    return wilds > 0 & wilds_needed == 0


def halved(wilds: Col) -> Col:
    return wilds / 2


def inverted(self_draw: Col) -> Col:
    return ~(self_draw == 1) & 3


def by_bits(held1: Col) -> Col:
    return held1.bit_count()


def collapsed(held1: Col) -> Col:
    return np.sum(held1)


def misspelt(wilds: Col) -> Col:
    return wildes == 0  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("fn", "says"),
    [
        (with_and, "cannot answer for many hands at once (ValueError: "),
        (with_or, "cannot answer for many hands at once (ValueError: "),
        (with_not, "cannot answer for many hands at once (ValueError: "),
        (with_if, "cannot answer for many hands at once (ValueError: "),
        (with_in, "cannot answer for many hands at once (ValueError: "),
        (with_min, "cannot answer for many hands at once (ValueError: "),
        (without_parentheses, "join comparisons with & and |, each in its parentheses"),
        (halved, "answers with 0.0, expected a whole number; divide with //"),
        (inverted, "for one hand and "),
        (by_bits, "cannot answer for many hands at once (AttributeError: "),
        (collapsed, "for it among many"),
        (misspelt, "raises NameError: name 'wildes' is not defined"),
    ],
)
def test_a_mistake_in_a_fan_is_told_with_its_plugin_hook_and_function(make_plugin: Any, fn: Any, says: str) -> None:
    said = refusal(make_plugin(fans=lambda rule, options: [Fan("odd", "怪", 1, fn)]))
    assert said.startswith(f"plugin 'plugin_tiny', hook 'fans': fan 'odd' (function {fn.__name__}) ")
    assert says in said


def fresh() -> Any:
    """A function with a mistake that no other test has seen: one that was tried is not tried again."""

    def odd(wilds: Col) -> Col:
        return 1 if wilds else 0

    return odd


def test_every_other_column_function_is_tried_too(make_plugin: Any) -> None:
    def of_total(total: Col) -> Col:
        return 1 if total >= 2 else 0

    def of_mine(mine: Col) -> Col:
        return mine == 0

    plugins: dict[str, dict[str, Any]] = {
        "hook 'fans': the value of fan 'odd'": {"fans": lambda rule, options: [Fan("odd", "怪", fresh(), always)]},
        "hook 'columns': column 'mine'": {
            "columns": lambda rule, options: [Column("mine", fresh())],
            "fans": lambda rule, options: [Fan("odd", "怪", 1, of_mine)],
        },
        "hook 'scoring': the scoring's 'qualifies'": {"scoring": lambda rule, options: Scoring(qualifies=of_total)},
        "hook 'scoring': the scoring's 'combine'": {"scoring": lambda rule, options: Scoring(combine=fresh())},
        "hook 'win_forms': `may` of win form 'odd'": {"win_forms": lambda rule, options: [form(may=fresh())]},
        "hook 'win_forms': `near` of win form 'odd'": {"win_forms": lambda rule, options: [form(near=fresh())]},
    }
    for says, hooks in plugins.items():
        assert says in refusal(make_plugin(**hooks))


def form(read: Any = lambda view, number: [], **fields: Any) -> WinForm:
    return WinForm("odd", "怪", "odd", read, **fields)


def test_what_is_no_mistake_is_taken(make_plugin: Any) -> None:
    """Constants, tables that do not reach far, values that never meet, and facts as their index."""
    four = Table([0, 1, 2, 3])

    def constant(wilds: Col) -> Col:
        return 1

    def by_table(told: Col) -> Col:
        return lookup(four, told)

    def divided(wilds: Col, melds: Col) -> Col:
        return wilds // melds

    def chosen(pair: Col, held1: Col) -> Col:
        return where(pair == NO_PAIR, popcount(held1), 0)

    plugin = make_plugin(
        facts=lambda rule, options: [Fact("told", lambda round, win: 1)],
        fans=lambda rule, options: [
            Fan(fn.__name__, "番", 1, fn) for fn in (constant, by_table, divided, chosen)
        ],
    )  # fmt: skip
    assert len(load([plugin]).rule_set("tiny").fans) == 4


def test_a_function_is_tried_once(make_plugin: Any) -> None:
    calls = []

    def counted(wilds: Col) -> Col:
        calls.append(1)
        return wilds

    plugin = make_plugin(
        options=lambda rule: [Option("height", 1, "高")], fans=lambda rule, options: [Fan("a", "甲", 1, counted)]
    )
    engine = load([plugin])
    tried = len(calls)
    assert tried > 0
    engine.rule_set("tiny", {"height": 2})
    load([plugin])
    assert len(calls) == tried


def test_a_mistake_under_rare_switches_is_told_when_they_are_asked_for(make_plugin: Any) -> None:
    plugin = make_plugin(
        options=lambda rule: [Option("odd", False, "怪")],
        fans=lambda rule, options: [Fan("a", "甲", 1, fresh())] if options.odd else [],
    )
    with pytest.raises(RuleError, match=r"these switches cannot be played: plugin 'plugin_tiny', hook 'fans': fan 'a'"):
        load([plugin]).rule_set("tiny", {"odd": True})


def row_of(view: View, **fields: int) -> Row:
    return Row(0, 0, 0, 0, NO_PAIR, *planes(list(view.counts)))._replace(**fields)


def as_tuple(view: View, number: int) -> Any:
    return [(0, 0, 0, 0, NO_PAIR, *planes(list(view.counts)))]


def as_one_row(view: View, number: int) -> Any:
    return row_of(view)


def as_nothing(view: View, number: int) -> Any:
    return None


def without_has1(view: View, number: int) -> Any:
    return [row_of(view, has1=0, has2=0, has3=0, has4=0)]


def without_nesting(view: View, number: int) -> Any:
    return [row_of(view, has4=1 << 33)]


def with_half(view: View, number: int) -> Any:
    return [row_of(view)._replace(shape=0.5)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (as_tuple, "answers with a row that cannot be: found a tuple, expected a Row"),
        (as_one_row, "answers with a Row, expected a list of Row"),
        (as_nothing, "answers with a NoneType, expected a list of Row"),
        (without_has1, "has1 leaves out kind 0, of which the hand holds 1; see `planes`"),
        (without_nesting, "has4 names kinds that has3 lacks"),
        (with_half, "its shape is 0.5, expected a whole number"),
    ],
)
def test_a_win_form_that_reads_hands_as_what_they_are_not(make_plugin: Any, read: Any, says: str) -> None:
    said = refusal(make_plugin(win_forms=lambda rule, options: [standard(), form(read)]))
    assert said.startswith(f"plugin 'plugin_tiny', hook 'win_forms': win form 'odd' (function {read.__name__}) ")
    assert says in said
