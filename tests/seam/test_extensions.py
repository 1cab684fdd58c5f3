"""Extensions add to the rule sets that they name, and to no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mjsettle.columns import Col
from mjsettle.errors import PluginError
from mjsettle.fans import Fan, Scoring
from mjsettle.options import Option
from mjsettle.settle import load
from mjsettle.wildcards import WildPolicy


def concealed(open_melds: Col) -> Col:
    """No open meld."""
    return open_melds == 0


@pytest.fixture
def house(make_extension: Any) -> Any:
    """A house fan for `tiny`, worth what a switch says."""
    return make_extension(
        "house",
        "tiny",
        options=lambda rule: [Option("house_fan", 0, "门清", least=0)],
        fans=lambda rule, options: (
            [Fan("concealed", "门清", options.house_fan, concealed)] if options.house_fan else []
        ),
    )


def test_an_extension_adds_a_fan_behind_its_switch(make_plugin: Any, house: Any, won_round: Any) -> None:
    engine = load([make_plugin(), house])
    plain, raised = engine.settle([won_round(), won_round(options={"house_fan": 4})])
    assert plain["deltas"] == [-1, 3, -1, -1]
    assert raised["deltas"] == [-5, 15, -5, -5]
    assert [fan["id"] for fan in raised["wins"][0]["fans"]] == ["any", "concealed"]


def test_it_leaks_into_no_other_rule_set(make_plugin: Any, house: Any, won_round: Any) -> None:
    engine = load([make_plugin(), make_plugin("other"), house])
    (result,) = engine.settle([won_round("other", options={"house_fan": 4})])
    assert result["errors"][0]["code"] == "unknown_option"
    assert [fan.id for fan in engine.rule_set("other").fans] == ["any"]
    alone = load([make_plugin("other")])
    assert engine.rule_set("other").fingerprint == alone.rule_set("other").fingerprint


def test_the_fingerprint_tells_of_an_extension(make_plugin: Any, house: Any) -> None:
    assert (
        load([make_plugin()]).rule_set("tiny").fingerprint != load([make_plugin(), house]).rule_set("tiny").fingerprint
    )


def test_a_plugin_is_asked_for_its_own_rule_sets_only(make_plugin: Any) -> None:
    asked: list[str] = []

    def fans(rule: str, options: Any) -> list[Fan]:
        asked.append(rule)
        return []

    load([make_plugin("one", fans=lambda rule, options: fans(rule, options)), make_plugin("two")])
    assert set(asked) == {"one"}


@pytest.mark.parametrize("hook", ["wildcards", "scoring"])
def test_where_one_answer_counts_the_extensions_goes_first(make_plugin: Any, make_extension: Any, hook: str) -> None:
    answers: dict[str, tuple[Any, Any]] = {
        "wildcards": (WildPolicy(pair_of_wilds=False), WildPolicy(set_of_wilds=False)),
        "scoring": (Scoring("highest"), Scoring("product")),
    }
    attribute = {"wildcards": "policy", "scoring": "scoring"}[hook]
    owners, extensions = answers[hook]
    owner = make_plugin(**{hook: lambda rule, options: owners})
    extension = make_extension("house", "tiny", **{hook: lambda rule, options: extensions})
    silent = make_extension("silent", "tiny", **{hook: lambda rule, options: None})
    assert getattr(load([owner]).rule_set("tiny"), attribute) == owners
    assert getattr(load([owner, silent]).rule_set("tiny"), attribute) == owners
    assert getattr(load([silent, extension, owner]).rule_set("tiny"), attribute) == extensions
    second = make_extension("second", "tiny", **{hook: lambda rule, options: extensions})
    with pytest.raises(PluginError, match=f"plugin_house and plugin_second both answer '{hook}'"):
        load([owner, extension, second])


def test_an_extension_may_not_take_an_option_or_a_fan_that_exists(make_plugin: Any, make_extension: Any) -> None:
    options = make_extension("house", "tiny", options=lambda rule: [Option("height", 1, "高")])
    with pytest.raises(PluginError, match="declares the option 'height' twice"):
        load([make_plugin(options=lambda rule: [Option("height", 1, "高")]), options])
    fan = make_extension("house", "tiny", fans=lambda rule, options: [Fan("any", "胡", 1, concealed)])
    with pytest.raises(PluginError, match="declares the fan 'any' twice"):
        load([make_plugin(), fan])


def test_an_extension_of_a_rule_set_that_is_not_installed_is_idle(house: Any) -> None:
    assert load([house]).rules() == []


def test_some_plugins_only(make_plugin: Any, won_round: Callable[..., dict[str, Any]]) -> None:
    """An engine has the plugins that it is given, whatever is installed."""
    engine = load([make_plugin("one")])
    assert engine.rules() == ["one"]
    assert engine.supports("one", "1")
    assert not engine.supports("one", "2")
    (missing,) = engine.settle([won_round("guangdong")])
    (error,) = missing["errors"]
    assert error["code"] == "unknown_rule"
    assert "installed: one" in error["message"]
    # The name comes from a stranger: it must not become a package to install.
    assert error["message"].endswith("; install the plugin that declares it")
