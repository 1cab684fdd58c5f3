"""``mjsettle replay``: what would change for rounds that were played."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from importlib.metadata import entry_points
from typing import Any, BinaryIO

import click
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

import mjsettle
from mjsettle.cli.arguments import SWITCH, end_of_failures, json_option, switches
from mjsettle.cli.show import Trimmed, output
from mjsettle.errors import MjsettleError
from mjsettle.replay import Change, Fanout, Recorded, Rounds, Tally, html_report
from mjsettle.replay import replay as replay_rounds
from mjsettle.replay.report import TITLES, headline, story
from mjsettle.replay.run import Part
from mjsettle.settle import Engine
from mjsettle.words import LANGUAGES

FANOUT_GROUP = "mjsettle.fanout"
"""Entry points that open a Fanout, or raise MjsettleError saying why they cannot."""
SHOWN = 5
"""Differences that are told on the terminal."""


@click.command()
@click.argument("rounds", type=click.File("rb"), nargs=-1, required=True, metavar="ROUNDS...")
@click.option("--rule", "-r", "rules", multiple=True, help="Only rounds of this rule set; may be given again.")
@click.option("--rule-edition", "edition", help="Judge them under this edition of their rule set.")
@click.option("--preset", "-p", help="Judge them under this preset; switches of the rounds still count.")
@click.option("--option", "-o", "options", type=SWITCH, multiple=True, help="Judge them with this switch.")
@click.option("--against", type=click.File("rb"), metavar="RESULTS", help="Compare with these recorded results.")
@click.option(
    "--workers",
    is_flag=False,
    flag_value="auto",
    metavar="[N|queue|auto]",
    help="Judge in N processes (default: one per core), on the workers of a queue, or there if it can be reached.",
)
@click.option("--jsonl", type=click.Path(dir_okay=False), help="Write every difference here, one per line.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write the report here, with plots, as one page.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the explanations.")
@json_option
def replay(
    rounds: tuple[BinaryIO, ...],
    rules: tuple[str, ...],
    edition: str | None,
    preset: str | None,
    options: tuple[tuple[str, Any], ...],
    against: BinaryIO | None,
    workers: str | None,
    jsonl: str | None,
    html: str | None,
    lang: str,
    as_json: bool,
) -> None:
    """Judge the recorded ROUNDS again and report what would change.

    ROUNDS are JSON Lines, plain, gzip or zstd. They are judged as they are, or their recorded results are taken with
    --against, and judged again with the switches and the edition given here. Memory use does not grow with the file.

    Example: mjsettle replay october.jsonl.gz --rule guangdong --option horses=4 --html changes.html
    """
    change = Change(options=switches(preset, options), edition=edition, rules=rules)
    if change.nothing and against is None:
        raise click.UsageError("nothing to compare: give --against RESULTS, --option, --preset or --rule-edition")
    _check_change(mjsettle.load(), change)
    source = Rounds(rounds)
    with ExitStack() as stack:
        recorded = stack.enter_context(Recorded(Rounds([against]))) if against is not None else None
        judges = stack.enter_context(_judges(workers))
        each = stack.enter_context(_told(source, jsonl))
        tally = replay_rounds(source, change, recorded, each=each, **judges)
    if html:
        with open(html, "w", encoding="utf-8") as page:
            page.write(html_report(tally, change, against is not None, lang))
    if as_json:
        click.echo(msgspec.json.encode(tally.summary()))
    else:
        _print(output(), tally, change, against is not None, lang)
    end_of_failures([tally.failure] * tally.failed)


def _check_change(engine: Engine, change: Change) -> None:
    """End here where the rule sets concerned would refuse the change itself, and with it every round."""
    asked = {
        rule: engine.request_faults(rule, change.options, change.edition) for rule in change.rules or engine.rules()
    }
    # Switches that cannot be played together may be playable beside those of a round.
    faults = {rule: [fault for fault in found if fault.code != "plugin_fault"] for rule, found in asked.items()}
    wrong = {rule: found for rule, found in faults.items() if found}
    # A file may hold rounds of any rule set; those that are named must all take the change.
    if not wrong or (not change.rules and len(wrong) < len(faults)):
        return
    if not change.rules:
        nearest = max(wrong, key=lambda rule: sum("did you mean" in fault.message for fault in wrong[rule]))
        wrong = {nearest: wrong[nearest]}
    head = "" if change.rules else "no installed rule set takes this change; the nearest says\n"
    raise click.UsageError(
        head + "\n".join(f"{each.field}: {each.message}" for found in wrong.values() for each in found)
    )


@contextmanager
def _judges(workers: str | None) -> Iterator[dict[str, Any]]:
    """Where to judge, as arguments of `replay`."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers is None or workers.isdecimal():
        yield {"processes": max(1, int(workers)) if workers else cores}
        return
    if workers not in ("queue", "auto"):
        raise click.UsageError(
            f"--workers: found {workers!r}, expected a number, queue or auto (name ROUNDS before it)"
        )
    try:
        fanout = _open_fanout()
    except MjsettleError as error:
        if workers == "queue":
            raise
        click.echo(f"no queue ({error}); judging in {cores} processes", err=True)
        yield {"processes": cores}
        return
    try:
        yield {"fanout": fanout}
    finally:
        fanout.close()


def _open_fanout() -> Fanout:
    found = list(entry_points(group=FANOUT_GROUP))
    if not found:
        raise MjsettleError("no queue is installed; install mjsettle-workers")
    fanout: Fanout = found[0].load()()
    return fanout


@contextmanager
def _told(source: Rounds, jsonl: str | None) -> Iterator[Callable[[Part], None]]:
    """What is done with every part: its differences are written, and the bar moves on."""
    encode = msgspec.json.Encoder().encode
    bar = Progress(
        TextColumn("replaying"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rounds]:,} rounds, {task.fields[rate]:,.0f}/s, {task.fields[changed]:,} differ"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
    with open(jsonl, "wb") if jsonl else nullcontext() as lines, bar:
        task = bar.add_task("", total=source.bytes_total, rounds=0, rate=0.0, changed=0)
        seen = changed = 0

        def each(part: Part) -> None:
            nonlocal seen, changed
            seen += part.tally.lines
            changed += part.tally.changed
            if lines is not None:
                lines.writelines(encode(difference) + b"\n" for difference in part.differences)
            elapsed = bar.tasks[task].elapsed or 0
            rate = seen / elapsed if elapsed else 0.0
            bar.update(task, completed=source.bytes_read, rounds=seen, rate=rate, changed=changed)

        yield each


def _print(console: Console, tally: Tally, change: Change, against: bool, lang: str) -> None:
    console.print(f"[bold]{escape(headline(change, against))}[/]")
    console.print(f"{tally.rounds:,} rounds judged, {tally.changed:,} differ")
    for count, what in (
        (tally.unreadable, "lines are no rounds"),
        (tally.left_alone, "rounds of other rule sets left alone"),
        (tally.unanswered, "rounds without a recorded result"),
    ):
        if count:
            console.print(f"{count:,} {what}")
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("rule set", "rounds", "differ", "how", "points gained by seat", "moved"):
        table.add_column(heading, justify="right" if heading in ("rounds", "differ", "moved") else "left")
    for name, rule in sorted(tally.rules.items(), key=lambda item: (-item[1].changed, item[0])):
        how = ", ".join(f"{count:,} {TITLES[kind]}" for kind, count in rule.kinds.items())
        gained = " ".join(f"{points:+,}" for points in rule.gained) if rule.changed else ""
        table.add_row(escape(name), f"{rule.rounds:,}", f"{rule.changed:,}", how, gained, f"{sum(rule.moved):,}")
    console.print(Trimmed(table))
    for found in tally.largest[:SHOWN]:
        console.rule(f"line {found.line:,}, {escape(str(found.id))}", align="left")
        sides = (("before", found.round, found.before), ("after", change.of_wire(found.round), found.after))
        for side, record, answer in sides:
            console.print(f"[dim]{side}[/]")
            for line in story(record, answer, lang):
                console.print(f"  {escape(line)}")
