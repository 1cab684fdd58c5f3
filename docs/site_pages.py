"""Pages that are made from the code when the site is built: rule cards, hooks, columns, metrics, settings, commands.

Both docs/site_hooks.py and the tests call ``generated``.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from site_links import SITE_OF, relinked

import mjsettle
from mjsettle import columns, hookspecs
from mjsettle.cli import main
from mjsettle.describe import describe
from mjsettle.fans import Fan, Scoring
from mjsettle.ledger import Book, Win
from mjsettle.options import Option
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule
from mjsettle.schema import result_schema, round_schema
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm
from mjsettle_workers import scripts, settings
from mjsettle_workers.metrics import METRICS

ROOT = Path(__file__).parents[1]
ENGINE = mjsettle.load()
DECLARED = (Rule, Option, WinForm, WildPolicy, columns.Column, Fact, Fan, Scoring, Bonus, Payments, EndOfRound, Check)
"""What hooks return, in the order of the hooks."""
WORKED_ON = (Book, Win)
"""What the functions of declarations are given."""
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


def hooks() -> dict[str, Any]:
    """The hooks by name, in the order of mjsettle/hookspecs.py."""
    return {name: found for name, found in vars(hookspecs).items() if hasattr(found, "mjsettle_spec")}


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


def table(head: Sequence[str], rows: list[tuple[Any, ...]]) -> str:
    """A Markdown table."""

    def line(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(_cell(str(cell)) for cell in cells) + " |\n"

    return line(head) + "|" + " --- |" * len(head) + "\n" + "".join(map(line, rows)) + "\n"


def _cell(text: str) -> str:
    """On one line, its bars escaped; in code they are no borders, and an escape would show."""
    return re.sub(r"(`[^`]*`)|\|", lambda found: found[1] or "\\|", text.replace("\n", " "))


def _doc(of: Any) -> str:
    return inspect.cleandoc(of.__doc__ or "")


def hooks_page() -> str:
    """Every hook, and every kind of declaration that hooks return."""
    text = MADE + "# Hooks\n\n" + _doc(hookspecs) + "\n\n"
    for name, hook in hooks().items():
        signature = str(inspect.signature(hook)).replace("'", "")
        text += f"## {name}\n\n```python\ndef {name}{signature}: ...\n```\n\n{_doc(hook)}\n\n"
    text += "## Declarations\n\n"
    for kind in DECLARED:
        text += f"### {kind.__name__}\n\n{_escaped(_doc(kind))}\n\n{_fields(kind)}"
    text += "## What functions are given\n\n"
    for given in WORKED_ON:
        text += f"### {given.__name__}\n\n{_escaped(_doc(given))}\n\n{_members(given)}"
    return text


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("``", "`")


def _fields(kind: Any) -> str:
    rows = []
    for field in dataclasses.fields(kind):
        default = "" if field.default is dataclasses.MISSING or callable(field.default) else f"`{field.default!r}`"
        rows.append((f"`{field.name}`", f"`{field.type}`", default))
    return table(("field", "type", "default"), rows)


def _members(kind: type) -> str:
    rows = []
    for name, member in vars(kind).items():
        function = member.fget if isinstance(member, property) else member
        if name.startswith("_") or not inspect.isfunction(function) or not function.__doc__:
            continue
        shown = name if isinstance(member, property) else f"{name}{inspect.signature(function)}".replace("'", "")
        rows.append((f"`{shown}`", " ".join(function.__doc__.split())))
    return table(("", ""), rows)


def columns_page() -> str:
    """Every column of the core."""
    told = CliRunner().invoke(main, ["columns"], env={"COLUMNS": "120"}).output
    head = "A fan, a scoring function or a win form names columns as parameters. Plugins add columns of their own.\n\n"
    return f"{MADE}# Columns\n\n{head}```text\n{told}```\n"


def metrics_page() -> str:
    """Every metric."""
    rows = [
        (f"`{m.name}{'_total' if m.kind == 'counter' else ''}`", m.kind, ", ".join(m.labels), m.meaning)
        for m in METRICS
    ]
    head = "`mjsettle metrics` (the extra `metrics`) serves them: one exporter for all workers.\n\n"
    return f"{MADE}# Metrics\n\n{head}" + table(("metric", "kind", "labels", "meaning"), rows)


def settings_docs() -> dict[str, str]:
    """What each setting of the workers does, from the text below it in the source."""
    [found] = [
        node
        for node in ast.parse(inspect.getsource(settings)).body
        if isinstance(node, ast.ClassDef) and node.name == "Settings"
    ]
    docs: dict[str, str] = {}
    for field, text in zip(found.body, found.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            docs[field.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    return docs


def settings_page() -> str:
    """Every setting of the workers."""
    defaults = settings.Settings()
    rows = [
        (f"`{settings.PREFIX}{name.upper()}`", f"`{getattr(defaults, name)!r}`", _escaped(doc))
        for name, doc in settings_docs().items()
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
    text += f"## {words['sources']}\n\n" + "".join(f"* {_escaped(source)}\n" for source in card["sources"]) + "\n"
    if card["presets"]:
        rows = [
            (f"`{name}`", _escaped(json.dumps(given, ensure_ascii=False))) for name, given in card["presets"].items()
        ]
        text += f"## {words['presets']}\n\n" + table(words["of presets"].split(","), rows)
    named = {fan["id"]: fan["names"].get(words["language"], fan["name"]) for fan in card["fans"]}
    fans = [
        (f"`{fan['id']}`", fan["name"], fan["names"].get("en", ""),
         fan["value"] if fan["value"] is not None else fan["value_doc"], _escaped(fan["condition"]),
         words["comma"].join(named.get(other, f"`{other}`") for other in fan["excludes"]))
        for fan in card["fans"]
    ]  # fmt: skip
    text += f"## {words['fans']}\n\n" + table(words["of fans"].split(","), fans)
    switches = [
        (f"`{option['key']}`", option["title"], f"`{json.dumps(option['default'], ensure_ascii=False)}`",
         ", ".join(f"`{json.dumps(choice, ensure_ascii=False)}`" for choice in option["choices"] or ()),
         _escaped(option["doc"]))
        for option in card["options"]
    ]  # fmt: skip
    text += f"## {words['switches']}\n\n" + table(words["of switches"].split(","), switches)
    forms = [(f"`{form['id']}`", form["title"], form["english"]) for form in card["forms"]]
    return text + f"## {words['forms']}\n\n" + table(words["of forms"].split(","), forms)
