"""A faulty plugin stops start-up with a message that says what to do."""

from __future__ import annotations

from typing import Any

import pytest

from mjsettle.columns import Col, Column
from mjsettle.errors import PluginError, RuleError
from mjsettle.fans import Fan, Scoring
from mjsettle.options import Option
from mjsettle.rules import Bonus, Fact
from mjsettle.settle import load
from mjsettle.winforms import standard


def twice(wilds: Col) -> Col:
    return wilds


def refusal(*plugins: Any) -> str:
    with pytest.raises(PluginError) as error:
        load(plugins)
    return str(error.value)


def test_an_unknown_hook(make_plugin: Any) -> None:
    said = refusal(make_plugin(fanz=lambda rule, options: []))
    assert "unknown hook 'fanz'" in said
    assert "bonuses, checks, columns" in said
    assert said.endswith("rename or remove it")


def test_an_unknown_argument_of_a_hook(make_plugin: Any) -> None:
    with pytest.raises(Exception, match="switches"):
        load([make_plugin(fans=lambda rule, switches: [])])


def test_an_unknown_column_is_named_with_its_fan_and_what_it_may_have_meant(make_plugin: Any) -> None:
    def pungs_only(pung_cuont: Col) -> Col:
        return pung_cuont == 4

    said = refusal(make_plugin(fans=lambda rule, options: [Fan("pungs", "对对胡", 1, pungs_only)]))
    assert "rule 'tiny': fan 'pungs' has a parameter 'pung_cuont', which names no column or fan" in said
    assert "did you mean pung_count" in said
    assert "declare it with Column or Fact" in said


def test_an_unknown_column_of_a_column_of_the_scoring_and_of_a_value(make_plugin: Any) -> None:
    def of_nothing(nothing_known: Col) -> Col:
        return nothing_known

    def uses(mine: Col) -> Col:
        return mine

    column = make_plugin(
        columns=lambda rule, options: [Column("mine", of_nothing)],
        fans=lambda rule, options: [Fan("any", "胡", 1, uses)],
    )
    assert "column 'mine' has a parameter 'nothing_known'" in refusal(column)
    scoring = make_plugin(scoring=lambda rule, options: Scoring(score=of_nothing))
    assert "the scoring's 'score' has a parameter 'nothing_known'" in refusal(scoring)
    value = make_plugin(fans=lambda rule, options: [Fan("any", "胡", of_nothing, twice)])
    assert "the value of fan 'any' has a parameter 'nothing_known'" in refusal(value)


@pytest.mark.parametrize(
    ("hooks", "says"),
    [
        ({"fans": [Fan("a", "甲", 1, twice), Fan("a", "乙", 2, twice)]}, "declares the fan 'a' twice"),
        ({"win_forms": [standard(), standard()]}, "declares the win form 'standard' twice"),
        (
            {"bonuses": [Bonus("k", "杠", "kong", lambda book, event, index: None)] * 2},
            "declares the bonus 'k' twice",
        ),
        ({"columns": [Column("wilds", twice)]}, "the column 'wilds', which exists already"),
        ({"facts": [Fact("kongs", lambda round, win: 0)]}, "the fact 'kongs', which exists already"),
        ({"columns": [Column("mine", twice), Column("mine", twice)]}, "the column 'mine', which exists already"),
        (
            {"fans": [Fan("a", "甲", 1, twice, excludes=("b",))]},
            "fan 'a' excludes 'b', which is no fan under these switches",
        ),
        (
            {"bonuses": [Bonus("k", "杠", "gang", lambda book, event, index: None)]},
            "bonus 'k' listens to 'gang', which is not among the rule's events",
        ),
        ({"win_forms": []}, "has no win form; answer the hook `win_forms`"),
        ({"payments": None}, "has no payments; answer the hook `payments`"),
    ],
)
def test_what_is_declared_twice_or_not_at_all(make_plugin: Any, hooks: dict[str, Any], says: str) -> None:
    answers = {hook: (lambda rule, options, answer=answer: answer) for hook, answer in hooks.items()}
    assert says in refusal(make_plugin(**answers))


def test_an_option_declared_twice(make_plugin: Any) -> None:
    height = Option("height", 1, "高")
    assert "declares the option 'height' twice" in refusal(make_plugin(options=lambda rule: [height, height]))


def test_a_circle_of_columns_and_fans(make_plugin: Any) -> None:
    def chicken(egg: Col) -> Col:
        return egg

    def egg(raw_hen: Col) -> Col:
        return raw_hen

    plugin = make_plugin(
        columns=lambda rule, options: [Column("egg", egg)],
        fans=lambda rule, options: [Fan("hen", "鸡", 1, chicken)],
    )
    assert "depend on each other in a circle: raw_hen -> egg -> raw_hen" in refusal(plugin)


def test_fans_that_exclude_each_other_are_a_circle(make_plugin: Any) -> None:
    fans = [Fan("a", "甲", 1, twice, excludes=("b",)), Fan("b", "乙", 1, twice, excludes=("a",))]
    assert "in a circle: fan_a -> fan_b -> fan_a" in refusal(make_plugin(fans=lambda rule, options: fans))


def test_a_reading_column_in_the_test_of_a_win_form(make_plugin: Any) -> None:
    from mjsettle.winforms import shapeless

    def by_reading(pair: Col) -> Col:
        return pair == 0

    form = shapeless("odd", "怪", "odd", by_reading)
    said = refusal(make_plugin(win_forms=lambda rule, options: [form]))
    assert "a win form's test asks for 'pair', which is not a hand column" in said


def test_two_rule_sets_of_one_name(make_plugin: Any) -> None:
    first, second = make_plugin(), make_plugin()
    second.__name__ = "plugin_other"
    said = refusal(first, second)
    assert "rule set 'tiny' is declared by plugin_other and by plugin_tiny" in said
    assert "uninstall one or extend the other's" in said


def test_a_fault_under_rare_switches_is_answered_and_takes_no_other_round_with_it(make_plugin: Any) -> None:
    """The presets are compiled at start-up; other switches when a round asks for them."""
    fans: list[Fan] = [Fan("a", "甲", 1, twice, excludes=("gone",))]
    plugin = make_plugin(
        options=lambda rule: [Option("odd", False, "怪")],
        fans=lambda rule, options: fans if options.odd else fans[:0],
    )
    engine = load([plugin])
    with pytest.raises(RuleError, match="excludes 'gone'"):
        engine.rule_set("tiny", {"odd": True})
    rounds = [
        {"id": str(odd), "rule": "tiny", "options": {"odd": odd}, "players": [{}, {}, {}, {}], "events": []}
        for odd in (True, False)
    ]
    faulty, good = engine.settle(rounds)
    assert faulty["status"] == "refused"
    assert [fault["code"] for fault in faulty["errors"]] == ["plugin_fault"]
    assert good["status"] == "settled"
