"""Rounds and results for a person to read: tiles in notation and Chinese, fans, who pays whom."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from mjsettle.describe import RoundWords
from mjsettle.tiles import chinese

Wire = Mapping[str, Any]

MELD_NAMES = {
    "chow": "chow 吃",
    "pung": "pung 碰",
    "kong": "kong 明杠",
    "added_kong": "added kong 补杠",
    "concealed_kong": "concealed kong 暗杠",
}

LANGUAGES = ("zh", "en", "ja")
NO_WORDS = RoundWords()


def output() -> Console:
    """The console for people; in a pipe or a file its lines are 120 wide instead of the terminal's width."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 120
    return Console(highlight=False, width=width)


def tiles(text: str) -> str:
    """Notation with Chinese beside it, escaped for rich markup."""
    return f"[bold]{escape(text)}[/] {escape(chinese(text))}"


class Trimmed:
    """A table, or a text in markup, without blanks at the ends of its lines."""

    def __init__(self, what: Table | str) -> None:
        self.what = Text.from_markup(what) if isinstance(what, str) else what

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(self.what, options, pad=False):
            kept = list(line)
            while kept and not kept[-1].text.strip():
                kept.pop()
            if kept:
                last = kept.pop()
                kept.append(Segment(last.text.rstrip(), last.style))
            yield from kept
            yield Segment.line()


def plain(value: Any) -> str:
    """A switch's value as it is written on the command line: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def in_language(result: Wire, lang: str | None) -> Wire:
    """The result with its fans named in `lang`, where the round asked for `names` and they have one."""
    if lang is None:
        return result
    wins = [
        win | {"fans": [fan | {"name": fan.get("names", {}).get(lang, fan["name"])} for fan in win["fans"]]}
        for win in result.get("wins", ())
    ]
    return {**result, "wins": wins} if wins else result


def show(console: Console, record: Wire, result: Wire, words: RoundWords = NO_WORDS) -> None:
    """Print one round with its result; words: what its rule set says of it (see `round_words`)."""
    console.rule(f"[bold]{escape(str(result.get('id')))}", align="left")
    console.print(_headline(record, result, words.wild or record.get("wild", ())))
    if result.get("status") != "settled":
        show_errors(console, result)
        return
    for win in result.get("wins", ()):
        _show_win(console, record, win, words.forms)
    if not result.get("wins"):
        console.print("nobody won 流局")
    _show_payments(console, result)
    console.print()


def show_errors(console: Console, result: Wire) -> None:
    """Print why a round was refused, fault by fault."""
    console.print(f"[red]{escape(str(result.get('status')))}[/]")
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for error in result.get("errors", ()):
        table.add_row(
            escape(str(error["field"])), f"{escape(str(error['message']))} [dim]({escape(str(error['code']))})[/]"
        )
    console.print(Trimmed(table))


def _headline(record: Wire, result: Wire, wild: Iterable[str]) -> str:
    parts = [f"rule {record.get('rule')} {result.get('edition', '')}".strip(), f"dealer seat {record.get('dealer', 0)}"]
    if record.get("streak"):
        parts.append(f"streak {record['streak']}")
    parts += [f"{key} {plain(value)}" for key, value in record.get("options", {}).items()]
    line = escape(", ".join(parts))
    if wild:
        line += "\nwild " + "  ".join(map(tiles, wild))
    if record.get("birds"):
        line += "\nbirds " + "  ".join(map(tiles, record["birds"]))
    for event in record.get("events", ()):
        if event.get("type") == "kong":
            fed = f" from seat {event['from']}" if "from" in event else ""
            kind = MELD_NAMES.get(event.get("kind"), str(event.get("kind")))
            line += f"\nseat {event.get('seat')} {escape(kind)} {tiles(event.get('tile', ''))}{fed}"
    return line


def _show_win(console: Console, record: Wire, win: Wire, forms: Mapping[str, str]) -> None:
    seat = win["seat"]
    event = _event_of(record, win)
    came = f"from seat {event['from']}" if "from" in event else "self-drawn"
    how = "".join(f", {word.replace('_', ' ')}" for word in event.get("how", ()))
    console.print(f"[green]seat {seat} wins[/] on {tiles(win['tile'] or '')}, {came}{escape(how)}")
    table = _grid()
    player = record["players"][seat]
    table.add_row("hand", tiles(player.get("hand", "")))
    for meld in player.get("melds", ()):
        fed = f" from seat {meld['from']}" if "from" in meld else ""
        table.add_row("", f"{tiles(meld['tiles'])} {MELD_NAMES.get(meld['kind'], meld['kind'])}{fed}")
    if player.get("flowers"):
        table.add_row("flowers", tiles(player["flowers"]))
    table.add_row("read as", _reading(win, forms))
    if win.get("wild_as"):
        table.add_row("wilds are", "  ".join(map(tiles, win["wild_as"])))
    table.add_row("fans", "\n".join(_fan(fan) for fan in win.get("fans", ())) or "none listed")
    table.add_row("worth", escape(_worth(win)))
    console.print(Trimmed(table))


def _event_of(record: Wire, win: Wire) -> Wire:
    """The win event of the round that this win answers."""
    for event in record.get("events", ()):
        if event.get("type") == "win" and event.get("seat") == win["seat"] and event.get("tile") == win["tile"]:
            return dict(event)
    return {}


def _reading(win: Wire, forms: Mapping[str, str]) -> str:
    parts = [*win.get("sets", ())]
    if win.get("pair"):
        parts.append(win["pair"])
    form = str(win.get("form", ""))
    form = forms.get(form, form.replace("_", " "))
    return "  ".join(map(tiles, parts)) + (f"  ({escape(form)})" if form else "")


def _fan(fan: Wire) -> str:
    times = fan.get("times", 1)
    return escape(f"{fan['name']} {fan['id']}  {fan['value']}" + (f" x {times}" if times != 1 else ""))


def _worth(win: Wire) -> str:
    parts = [f"{word} {win[word]}" for word in ("total", "fu", "yakuman") if win.get(word) is not None]
    return ", ".join([*parts, f"{win['points']} points from all payers"] if "points" in win else parts)


def _show_payments(console: Console, result: Wire) -> None:
    table = _grid()
    table.add_column(style="bold")
    table.add_column()
    for at, (payers, payee, amount, why) in enumerate(_payments(result.get("transfers", ()))):
        table.add_row("" if at else "payments", f"{payers} {payee}", amount, escape(why))
    if table.row_count:
        console.print(Trimmed(table))
    seats = [f"seat {seat} {_signed(points)}" for seat, points in enumerate(result.get("deltas", ()))]
    if result.get("table"):
        seats.append(f"table {_signed(result['table'])}")
    deltas = _grid()
    deltas.add_row("deltas", "   ".join(seats))
    console.print(Trimmed(deltas))


def _payments(transfers: Sequence[Wire]) -> list[tuple[str, str, str, str]]:
    """Payments in words, in order; equal ones are told once, with everybody who makes them."""
    times = Counter((one["from"], one["to"], one["points"], one["why"]) for one in transfers)
    payers: dict[tuple[Any, int, str, int], list[Any]] = {}
    for (payer, *rest), count in times.items():
        payers.setdefault((*rest, count), []).append(payer)
    lines = []
    for (payee, points, why, count), seats in payers.items():
        who = _party(seats[0]) + " pays" if len(seats) == 1 else "seats " + ", ".join(map(str, seats)) + " pay"
        amount = f"{points}{' each' if len(seats) > 1 else ''}{f' x {count}' if count > 1 else ''}"
        lines.append((who, _party(payee), amount, why.replace("_", " ")))
    return lines


def _grid() -> Table:
    """A table of dim labels and what they label; the labels of one round stand in one column."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", min_width=9)
    table.add_column()
    return table


def _party(seat: Any) -> str:
    return f"seat {seat}" if isinstance(seat, int) else "the table"


def _signed(points: int) -> str:
    style = "green" if points > 0 else "red" if points < 0 else "dim"
    return f"[{style}]{points:+d}[/]" if points else f"[{style}]0[/]"


def show_all(
    console: Console, records: Sequence[Wire], results: Iterable[Wire], words: Callable[[Wire], RoundWords]
) -> None:
    """Print every round with its result; words: what a round's rule set says of it."""
    for record, result in zip(records, results, strict=True):
        show(console, record, result, words(record))
