"""Pages that are made from the code when the site is built: rule cards, metrics, settings, commands, references.

Both docs/site_hooks.py and the tests call ``generated``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from site_links import SITE_OF, relinked
from site_reference import attribute_docs, columns_page, escaped, hooks_page, table

import mjsettle
from mjsettle.cli import main
from mjsettle.describe import describe
from mjsettle.schema import result_schema, round_schema
from mjsettle_workers import scripts, settings
from mjsettle_workers.metrics import METRICS

ROOT = Path(__file__).parents[1]
ENGINE = mjsettle.load()
ENGLISH = {
    "language": "en",
    "comma": ", ",
    "rules": "Rule sets 规则",
    "all": "All rule sets",
    "made": "Made from the plugins' declarations; `mjsettle rules show` prints the same.",
    "of rules": ",名称,name,edition,fans",
    "stamp": ", edition {}; from {}.",
    "sources": "Sources 出处",
    "presets": "Presets 预设",
    "of presets": "preset,switches",
    "fans": "Fans 番种",
    "of fans": "id,名称,name,value,when,not beside",
    "switches": "Switches 玩法选项",
    "of switches": "key,名称,default,choices,",
    "forms": "Win forms 牌型",
    "of forms": "id,名称,name",
}
CHINESE = {
    "language": "zh",
    "comma": "、",
    "rules": "规则",
    "all": "全部规则",
    "made": "由插件的声明生成，与 `mjsettle rules show` 打印的相同。条件与说明取自代码，是英文。",
    "of rules": ",名称,英文名,版本,番种数",
    "stamp": "，版本 {}；出自 {}。",
    "sources": "出处",
    "presets": "预设",
    "of presets": "预设,选项",
    "fans": "番种",
    "of fans": "id,名称,英文名,番值,条件,不与之并计",
    "switches": "玩法选项",
    "of switches": "键,名称,默认,可选值,说明",
    "forms": "牌型",
    "of forms": "id,名称,英文名",
}
"""The words of the rule cards."""
MADE = "<!-- made by docs/site_pages.py -->\n\n"


def generated() -> Iterator[tuple[str, str]]:
    """(path below docs/, content) of every generated file."""
    yield "reference/hooks.md", hooks_page()
    yield "reference/columns.md", columns_page()
    yield "reference/metrics.md", metrics_page()
    yield "reference/settings.md", settings_page()
    yield "reference/commands.md", commands_page()
    for folder, words in (("", ENGLISH), ("zh/", CHINESE)):
        yield f"{folder}rules/index.md", rules_page(words)
        for name in ENGINE.rules():
            yield f"{folder}rules/{name}.md", rule_page(describe(ENGINE, name), words)
    yield "schema/round.json", json.dumps(round_schema(), indent=2, ensure_ascii=False)
    yield "schema/result.json", json.dumps(result_schema(), indent=2, ensure_ascii=False)
    yield "submit.lua", scripts.source("submit")
    for source in ("CHANGELOG.md", "ARCHITECTURE.md", "deploy/RUNBOOK.md", "deploy/RUNBOOK.zh-CN.md"):
        yield SITE_OF[source], relinked((ROOT / source).read_text(), source, SITE_OF[source])


def metrics_page() -> str:
    """Every metric."""
    rows = [
        (f"`{m.name}{'_total' if m.kind == 'counter' else ''}`", m.kind, ", ".join(m.labels), m.meaning)
        for m in METRICS
    ]
    head = "`mjsettle metrics` (the extra `metrics`) serves them: one exporter for all workers.\n\n"
    return f"{MADE}# Metrics\n\n{head}" + table(("metric", "kind", "labels", "meaning"), rows)


def settings_page() -> str:
    """Every setting of the workers."""
    defaults = settings.Settings()
    rows = [
        (f"`{settings.PREFIX}{name.upper()}`", f"`{getattr(defaults, name)!r}`", escaped(doc))
        for name, doc in attribute_docs(settings.Settings).items()
    ]
    head = "Read from the environment; a wrong one stops the start, and all wrong ones are named at once.\n\n"
    return f"{MADE}# Settings of the workers\n\n{head}" + table(("variable", "default", ""), rows)


def commands_page() -> str:
    """Every command with its help."""
    text = MADE + "# Commands\n\n"
    runner = CliRunner()
    for name in main.list_commands(click.Context(main)):
        told = runner.invoke(main, [name, "--help"], env={"COLUMNS": "100"}).output
        text += f"## mjsettle {name}\n\n```text\n{told.strip()}\n```\n\n"
    return text


def rules_page(words: Mapping[str, str]) -> str:
    """The list of rule sets."""
    cards = [describe(ENGINE, name) for name in ENGINE.rules()]
    rows = [
        (f"[{card['name']}]({card['name']}.md)", card["title"], card["english"], card["edition"], len(card["fans"]))
        for card in cards
    ]
    return f"{MADE}# {words['rules']}\n\n{words['made']}\n\n" + table(words["of rules"].split(","), rows)


def rule_page(card: dict[str, Any], words: Mapping[str, str]) -> str:
    """One rule set under its default preset."""
    made = ", ".join(f"{name} {version}" for name, version in card["made_of"].items())
    stamp = words["stamp"].format(card["edition"], made)
    text = f"{MADE}# {card['title']} {card['english']}\n\n`{card['name']}`{stamp}\n\n"
    text += f"## {words['sources']}\n\n" + "".join(f"* {escaped(source)}\n" for source in card["sources"]) + "\n"
    if card["presets"]:
        rows = [
            (f"`{name}`", escaped(json.dumps(given, ensure_ascii=False))) for name, given in card["presets"].items()
        ]
        text += f"## {words['presets']}\n\n" + table(words["of presets"].split(","), rows)
    named = {fan["id"]: fan["names"].get(words["language"], fan["name"]) for fan in card["fans"]}
    fans = [
        (f"`{fan['id']}`", fan["name"], fan["names"].get("en", ""),
         fan["value"] if fan["value"] is not None else fan["value_doc"], escaped(fan["condition"]),
         words["comma"].join(named.get(other, f"`{other}`") for other in fan["excludes"]))
        for fan in card["fans"]
    ]  # fmt: skip
    text += f"## {words['fans']}\n\n" + table(words["of fans"].split(","), fans)
    switches = [
        (f"`{option['key']}`", option["title"], f"`{json.dumps(option['default'], ensure_ascii=False)}`",
         ", ".join(f"`{json.dumps(choice, ensure_ascii=False)}`" for choice in option["choices"] or ()),
         escaped(option["doc"]))
        for option in card["options"]
    ]  # fmt: skip
    text += f"## {words['switches']}\n\n" + table(words["of switches"].split(","), switches)
    forms = [(f"`{form['id']}`", form["title"], form["english"]) for form in card["forms"]]
    return text + f"## {words['forms']}\n\n" + table(words["of forms"].split(","), forms)
