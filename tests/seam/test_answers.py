"""What a hook may answer: every mistake stops the start with the plugin, the hook, what was found and expected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mjsettle.columns import Col, Column
from mjsettle.errors import PluginError
from mjsettle.fans import Fan, Scoring
from mjsettle.options import Option
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule
from mjsettle.settle import load
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import standard
from tests.seam.conftest import always, pay

# Declarations as an author without a type checker writes them.
any_scoring: Any = Scoring
any_policy: Any = WildPolicy
any_payments: Any = Payments
any_fan: Any = Fan
any_bonus: Any = Bonus
any_end: Any = EndOfRound
any_check: Any = Check
any_option: Any = Option
any_replace: Any = replace
NOTHING: dict[str, Any] = {}
RULE = Rule("tiny", "小", "tiny", editions=("1",), sources=("made up",))


def refusal(*plugins: Any) -> str:
    with pytest.raises(PluginError) as error:
        load(plugins)
    return str(error.value)


@pytest.mark.parametrize(
    ("hook", "answer", "says"),
    [
        ("fans", None, "found None, expected a list; does the hook end without `return`?"),
        ("fans", Fan("any", "胡", 1, always), "found a Fan, expected a list; put it between brackets"),
        ("fans", [always], "entry 0 of the list is the function always, expected a Fan"),
        ("win_forms", [standard], "entry 0 of the list is the function standard, expected a WinForm"),
        ("payments", pay, "found the function pay, expected a Payments or None"),
        ("scoring", {"combine": "sum"}, "found {'combine': 'sum'}, expected a Scoring or None"),
        ("wildcards", "free", "found 'free', expected a WildPolicy or None"),
        ("facts", [Column("mine", always)], "entry 0 of the list is a Column, expected a Fact"),
    ],
)
def test_an_answer_of_another_kind(make_plugin: Any, hook: str, answer: Any, says: str) -> None:
    said = refusal(make_plugin(**{hook: lambda rule, options: answer}))
    assert said == f"plugin 'plugin_tiny', hook {hook!r}: {says}"


def test_an_extension_that_names_its_rule_set_without_brackets(make_plugin: Any, make_extension: Any) -> None:
    extension = make_extension("house", extends=lambda: "tiny")
    assert "hook 'extends': found 'tiny', expected a list" in refusal(make_plugin(), extension)


@pytest.mark.parametrize(
    ("hook", "answer", "says"),
    [
        ("scoring", any_scoring(combine="summ"), "has combine='summ', expected one of 'sum', 'product', 'highest'"),
        ("scoring", any_scoring(valid="always"), "has valid='always', expected a function or None"),
        ("wildcards", any_policy(fifth_copy="never"), "has fifth_copy='never', expected one of 'allowed', "),
        ("wildcards", any_policy(wilds_per_set_max=-1), "has wilds_per_set_max=-1, expected a whole number of 0"),
        ("payments", any_payments(pay, winners="first"), "has winners='first', expected a function or None"),
        ("fans", [any_fan("half", "半", 1.5, always)], "Fan 'half' has value=1.5, expected a whole number between"),
        ("fans", [any_fan("text", "字", "1", always)], "Fan 'text' has value='1', expected a whole number between"),
        ("fans", [any_fan("yes", "真", True, always)], "Fan 'yes' has value=True, expected a whole number between"),
        ("fans", [any_fan("huge", "巨", 10**18, always)], "Fan 'huge' has value=1000000000000000000, expected a whole"),
        ("fans", [any_fan("a-b", "甲", 1, always)], "Fan 'a-b' has id='a-b', expected a snake_case name"),
        ("fans", [any_fan("a", "甲", 1, 1)], "Fan 'a' has when=1, expected a function"),
        ("fans", [any_fan("a", "甲", 1, always, excludes="b")], "has excludes='b', expected a tuple of strings"),
        (
            "fans",
            [any_fan("a", "甲", 1, always, only_where="no limit")],
            "has only_where='no limit', expected the name",
        ),
        ("facts", [Fact("my fact", lambda round, win: 0)], "Fact 'my fact' has name='my fact', expected a snake_case"),
        ("bonuses", [any_bonus("k", "杠", "kong", 3)], "Bonus 'k' has apply=3, expected a function"),
        ("end_of_round", [any_end("e", "终", None)], "EndOfRound 'e' has settle=None, expected a function"),
        ("checks", [any_check("c", [])], "Check 'c' has find=[], expected a function"),
        ("win_forms", [any_replace(standard(), may=1)], "WinForm 'standard' has may=1, expected a function or None"),
    ],
)
def test_a_field_of_another_kind(make_plugin: Any, hook: str, answer: Any, says: str) -> None:
    said = refusal(make_plugin(**{hook: lambda rule, options: answer}))
    assert said.startswith(f"plugin 'plugin_tiny', hook {hook!r}: ")
    assert says in said


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (
            any_option("height", 1, "高", kind=int),
            "has kind=<class 'int'>, expected a tuple of types, (int,) with its comma",
        ),
        (any_option("height", 1, "高", choices="123"), "has choices='123', expected a tuple"),
        (any_option("height", 1, "高", least="0"), "has least='0', expected a whole number or None"),
        (any_option("height", 0, "高", least=1), "forbids its own default: found 0, expected 1 or more"),
        (any_option("two words", 1, "高"), "has key='two words', expected a snake_case name"),
    ],
)
def test_a_switch_that_cannot_be_one(make_plugin: Any, option: Option, says: str) -> None:
    said = refusal(make_plugin(options=lambda rule: [option]))
    assert said.startswith(f"plugin 'plugin_tiny', hook 'options': Option {option.key!r} ")
    assert says in said


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"editions": "1"}, "has editions='1', expected a tuple of at least one string"),
        ({"seats": 4}, "has seats=4, expected a tuple of 2, 3 or 4"),
        ({"events": "win"}, "has events='win', expected a tuple of strings"),
        ({"meld_kinds": ("pong",)}, "has meld_kinds=('pong',), expected a tuple of chow, pung, kong"),
        ({"default_preset": "flat"}, "has default_preset='flat', which is not among its presets (none)"),
        ({"claims": ("rob_gold",)}, "claims rob_gold; list them in `hows` as well"),
        ({"presets": {"high": {"hieght": 9}}}, "has no option 'hieght'"),
        ({"presets": {"high": {"height": 99}}}, "found 99, expected 9 or less"),
        ({"wild": lambda options: "5z"}, "wild(options) is '5z', expected a tuple of tiles, ('5z',) with its comma"),
        ({"tiles": lambda options, seats: (4,) * 34}, "tiles(4 seats) is no tuple of 43 whole numbers"),
    ],
)
def test_a_rule_set_that_cannot_be_one(make_plugin: Any, fields: dict[str, Any], says: str) -> None:
    height = Option("height", 3, "高", least=1, most=9)
    assert says in refusal(make_plugin(rule=replace(RULE, **fields), options=lambda rule: [height]))


def test_a_hook_that_raises_is_named_with_its_plugin(make_plugin: Any) -> None:
    def fans(rule: str, options: Any) -> list[Fan]:
        return [Fan("any", "胡", NOTHING["value"], always)]

    said = refusal(make_plugin(fans=fans))
    assert said == "plugin 'plugin_tiny', hook 'fans' raised KeyError: 'value'; mend or uninstall it"


def test_what_is_no_mistake_is_taken(make_plugin: Any) -> None:
    """Lists may be any sequence, a hook with one answer may leave it to the next, a fan may cost points."""

    def total(sum_of_fans: Col) -> Col:
        return sum_of_fans

    plugin = make_plugin(
        fans=lambda rule, options: (fan for fan in [Fan("any", "胡", -1, always), Fan("far", "远", always, always)]),
        scoring=lambda rule, options: Scoring(combine=total),
        wildcards=lambda rule, options: None,
        bonuses=lambda rule, options: (),
    )
    assert len(load([plugin]).rule_set("tiny").fans) == 2
