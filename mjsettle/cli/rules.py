"""``mjsettle rules``: the installed rule sets, their fans and switches, from what the plugins declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import mjsettle
from mjsettle.cli.arguments import SWITCH, json_option, switches
from mjsettle.cli.show import Trimmed, output, plain
from mjsettle.describe import describe, summaries

COMBINING = {
    "sum": "values x times are added",
    "product": "values are multiplied",
    "highest": "only the highest counts",
}


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def rules(context: click.Context, as_json: bool) -> None:
    """List the installed rule sets; `rules show R` prints one."""
    if context.invoked_subcommand is not None:
        return
    found = summaries(mjsettle.load())
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    if not found:
        click.echo("no rule set is installed; install one, such as mjsettle-guangdong")
        return
    rows = [
        (
            _bold(rule["name"]),
            *map(escape, (rule["title"], rule["english"], rule["edition"], ", ".join(rule["presets"]))),
        )
        for rule in found
    ]
    output().print(_table(("rule", "name", "", "edition", "presets"), rows))


@rules.command()
@click.argument("rule")
@click.option("--preset", "-p", help="Show it under this preset.")
@click.option(
    "--option", "-o", "options", type=SWITCH, multiple=True, help="Show it under this switch; may be repeated."
)
@click.option("--edition", help="Show this edition, not the newest.")
@json_option
def show(
    rule: str, preset: str | None, options: tuple[tuple[str, Any], ...], edition: str | None, as_json: bool
) -> None:
    """Print RULE: fan table, switches with defaults, win forms, sources."""
    card = describe(mjsettle.load(), rule, switches(preset, options), edition)
    if as_json:
        click.echo(msgspec.json.encode(card))
    else:
        _print_card(output(), card)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Trimmed:
    """A table without the columns that are empty in every row; the first two columns are never broken."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    used = [at for at in range(len(headings)) if any(row[at] for row in rows)]
    for at in used:
        table.add_column(
            headings[at], no_wrap=at < 2, overflow="fold", max_width=24 if headings[at] == "allowed" else None
        )
    for row in rows:
        table.add_row(*[row[at] for at in used])
    return Trimmed(table)


def _print_card(console: Console, card: Mapping[str, Any]) -> None:
    made_of = ", ".join(f"{name} {version}".strip() for name, version in card["made_of"].items())
    console.print(f"[bold]{card['name']}[/] {escape(card['title'])} {escape(card['english'])}", soft_wrap=True)
    console.print(Trimmed(escape(f"edition {card['edition']} of {', '.join(card['editions'])}; from {made_of}")))
    seats = " or ".join(map(str, card["seats"]))
    console.print(f"{seats} seats, {card['tiles']} tiles, {card['hand_size']} in a hand")
    _print_presets(console, card)
    console.print(f"\n[bold]Fans 番种[/] [dim]({COMBINING.get(card['combine'], escape(card['combine']))})[/]")
    console.print(_fans(card["fans"]))
    console.print("\n[bold]Switches 玩法选项[/]")
    console.print(_options(card["options"]))
    console.print("\n[bold]Win forms 牌型[/]")
    console.print(_rows([(form["id"], form["title"], form["english"]) for form in card["forms"]]))
    console.print("\n[bold]Wild tiles 癞子[/]")
    console.print(_rows([(key, plain(value)) for key, value in card["wildcards"].items()]))
    money = [(entry["id"], entry["title"], f"on {entry['on']}") for entry in card["bonuses"]]
    money += [(entry["id"], entry["title"], "at the end") for entry in card["end_of_round"]]
    if money:
        console.print("\n[bold]Money apart from wins[/]")
        console.print(_rows(money))
    console.print("\n[bold]What a round may say[/]")
    known = [(key, ", ".join(card[key])) for key in ("events", "how", "flags") if card[key]]
    console.print(_rows(known))
    console.print("\n[bold]Sources[/]")
    for source in card["sources"]:
        console.print(Trimmed(f"- {escape(source)}"))


def _print_presets(console: Console, card: Mapping[str, Any]) -> None:
    for name, values in card["presets"].items():
        here = " [green](shown)[/]" if name == card["preset"] else ""
        listed = ", ".join(f"{key}={plain(value)}" for key, value in values.items())
        console.print(Trimmed(f"preset [bold]{escape(name)}[/]{here}: {escape(listed) or 'the defaults'}"))


def _fans(fans: Sequence[Mapping[str, Any]]) -> Trimmed:
    rows = []
    for fan in fans:
        value = str(fan["value"]) if fan["value"] is not None else fan["value_doc"] or "by the hand"
        names = "\n".join(fan["names"].values())
        row = (fan["id"], names, value, fan["condition"], ", ".join(fan["excludes"]), fan["cite"])
        rows.append((_bold(row[0]), *map(escape, row[1:])))
    return _table(("id", "name", "value", "when", "not counted beside it", "source"), rows)


def _options(options: Sequence[Mapping[str, Any]]) -> Trimmed:
    rows = []
    for option in options:
        added = f"added by the plugin {option['added_by']}" if option["added_by"] else ""
        source = "; ".join(filter(None, (option["source"], added)))
        source = f" [dim]({escape(source)})[/]" if source else ""
        row = (option["title"], plain(option["value"]), _allowed(option), option["doc"])
        rows.append((_bold(option["key"]), *map(escape, row[:-1]), escape(row[-1]) + source))
    return _table(("key", "name", "default", "allowed", "what it does"), rows)


def _allowed(option: Mapping[str, Any]) -> str:
    if option["choices"] is not None:
        return " ".join(map(plain, option["choices"]))
    if option["least"] is not None or option["most"] is not None:
        return (
            f"{'' if option['least'] is None else option['least']}..{'' if option['most'] is None else option['most']}"
        )
    return "true false" if isinstance(option["default"], bool) else ""


def _rows(rows: Sequence[tuple[str, ...]]) -> Trimmed:
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(_bold(row[0]), *map(escape, row[1:]))
    return Trimmed(table)


def _bold(text: str) -> str:
    return f"[bold]{escape(text)}[/]"
