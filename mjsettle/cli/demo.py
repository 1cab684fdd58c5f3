"""``mjsettle demo``: real rounds, settled and printed."""

from __future__ import annotations

import click
import msgspec

import mjsettle
from mjsettle import examples
from mjsettle.cli.show import output, show_all


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the result lines instead.")
@click.option("--rounds", "as_rounds", is_flag=True, help="Print the rounds themselves and settle nothing.")
def demo(as_json: bool, as_rounds: bool) -> None:
    """Settle the example rounds that come with mjsettle and print them: tiles, fans, who pays whom."""
    rounds = examples.rounds()
    if as_rounds:
        click.echo(rounds, nl=False)
        return
    answers = mjsettle.load().settle_json(rounds)
    if as_json:
        click.echo(answers, nl=False)
        return
    decode = msgspec.json.Decoder().decode_lines
    show_all(output(), decode(rounds), decode(answers))
