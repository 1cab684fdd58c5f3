"""`mjsettle rules` prints what the plugins declare: nothing is said twice, nothing left out."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner

import mjsettle
from mjsettle.cli import main
from mjsettle.ruleset import declared_options

RULES = mjsettle.load().rules()


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["rules", *arguments], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.output


def test_every_installed_rule_set_is_listed() -> None:
    text = run()
    assert all(rule in text for rule in RULES)
    assert [entry["name"] for entry in json.loads(run("--json"))] == RULES


@pytest.mark.parametrize("rule", RULES)
def test_a_card_shows_every_fan_and_switch_with_its_chinese_name(rule: str) -> None:
    engine = mjsettle.load()
    text = "".join(run("show", rule).split())
    ruleset = engine.rule_set(rule)
    for fan in ruleset.fans:
        assert fan.id in text
        assert "".join(fan.name.split()) in text
    for option in declared_options(engine.registry, rule):
        assert option.key in text
        assert "".join(option.title.split()) in text
    for source in ruleset.rule.sources:
        assert "".join(source.split()) in text


@pytest.mark.parametrize("rule", RULES)
def test_every_preset_can_be_shown(rule: str) -> None:
    for preset in mjsettle.load().rule_set(rule).rule.presets:
        card = json.loads(run("show", rule, "--preset", preset, "--json"))
        assert card["preset"] == preset
        switches = {option["key"]: option["value"] for option in card["options"]}
        assert card["presets"][preset].items() <= switches.items()


def test_an_unknown_rule_or_switch_is_one_line_that_says_what_there_is() -> None:
    for arguments, says in ((["show", "atlantis"], "no rule set 'atlantis'"), (["show", RULES[0], "-o", "x=1"], "'x'")):
        result = CliRunner().invoke(main, ["rules", *arguments])
        assert result.exit_code == 2
        assert says in result.output
        assert len(result.output.splitlines()) == 1


def test_a_plugin_that_cannot_be_loaded_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mjsettle_guangdong", None)
    result = CliRunner().invoke(main, ["rules"])
    assert result.exit_code == 2
    assert result.output.startswith("Error: plugin 'guangdong' cannot be loaded (")
    assert result.output.endswith("mend or uninstall it\n")


def test_a_switch_of_an_extension_says_whose_it_is() -> None:
    engine = mjsettle.load()
    added = {
        option["key"]: option["added_by"]
        for option in json.loads(run("show", "guangdong", "--json"))["options"]
        if option["added_by"]
    }
    template = next((plugin for plugin in engine.registry.concerned("guangdong")[1:]), None)
    if template is None:
        pytest.skip("no plugin that extends guangdong is installed, such as mjsettle-template")
    assert added["all_simples"] == engine.registry.name_of(template) == "template"
    assert "addedbytheplugintemplate" in "".join(run("show", "guangdong").split())


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "show", "guangdong"], ["columns"]])
def test_no_table_ends_its_lines_in_blanks(arguments: list[str]) -> None:
    lines = CliRunner().invoke(main, arguments).output.splitlines()
    assert len(lines) > 5
    assert [line for line in lines if line != line.rstrip()] == []
