"""``mjsettle columns``: the names that fans and scoring functions may take as parameters."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Table

from mjsettle.cli.show import Trimmed, output
from mjsettle.columns import INPUTS
from mjsettle.compiler import parameters
from mjsettle.derived import DERIVED


@click.command()
def columns() -> None:
    """List the columns that a rule plugin's functions may name as parameters."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading, width in (("column", None), ("made of", 30), ("what it is", None)):
        table.add_column(heading, max_width=width)
    for column in INPUTS:
        table.add_row(f"[bold]{column.name}[/]", f"[dim]every {column.level}[/]", escape(column.doc))
    for derived in DERIVED:
        table.add_row(f"[bold]{derived.name}[/]", ", ".join(parameters(derived.fn)), escape(derived.doc))
    output().print(Trimmed(table))
