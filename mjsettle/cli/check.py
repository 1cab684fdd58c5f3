"""``mjsettle check``: do the rule sets still answer the cases as expected?"""

from __future__ import annotations

import sys

import click
from rich.console import Console
from rich.markup import escape

import mjsettle
from mjsettle.cli.arguments import end_of_failures
from mjsettle.isolation import Isolated
from mjsettle.testing.cases import Case, CaseError, failures, read_cases


@click.command()
@click.argument("files", type=click.Path(exists=True, dir_okay=False), nargs=-1, required=True, metavar="CASES...")
@click.option("-v", "--verbose", is_flag=True, help="Name the cases that passed or were skipped as well.")
def check(files: tuple[str, ...], verbose: bool) -> None:
    """Settle the round of every case in the CASES files (JSON Lines) and compare with what it expects.

    The exit status is 1 when a case fails. A row may carry "skip" with the reason not to run it.
    """
    console = Console(highlight=False, soft_wrap=True)
    cases, faults = _read(files)
    if faults:
        raise click.UsageError("\n".join(faults))
    engine = Isolated(mjsettle.load())
    run = [case for case in cases if case.skip is None]
    results = dict(zip(map(id, run), engine.settle([dict(case.round) for case in run]), strict=True))
    failed = 0
    for case in cases:
        if case.skip is not None:
            if verbose:
                console.print(f"[yellow]skipped[/] {_title(case)}: {escape(case.skip)}")
        elif found := failures(case, results[id(case)]):
            failed += 1
            _print_failure(console, case, found)
        elif verbose:
            console.print(f"[green]passed[/]  {_title(case)}")
    passed, skipped = len(run) - failed, len(cases) - len(run)
    console.print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    end_of_failures(engine.failures)
    if failed:
        sys.exit(1)


def _read(files: tuple[str, ...]) -> tuple[list[Case], list[str]]:
    """Every case of every file, and what is wrong with the files that are none."""
    cases: list[Case] = []
    faults: list[str] = []
    for file in files:
        try:
            cases += read_cases(file)
        except CaseError as error:
            faults.append(str(error))
    return cases, faults


def _title(case: Case) -> str:
    return escape(f"{case.name}  ({case.where})")


def _print_failure(console: Console, case: Case, found: list[str]) -> None:
    console.print(f"[red]failed[/]  {_title(case)}")
    if case.source:
        console.print(f"        source: {escape(case.source)}")
    for difference in found:
        console.print(f"        {escape(difference)}")
