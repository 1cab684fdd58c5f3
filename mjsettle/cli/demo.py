"""``mjsettle demo``: real rounds, settled and printed."""

from __future__ import annotations

from functools import partial
from typing import Any

import click
import msgspec

import mjsettle
from mjsettle import examples
from mjsettle.cli.show import output, show_all
from mjsettle.describe import round_words


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the result lines instead.")
@click.option("--rounds", "as_rounds", is_flag=True, help="Print the rounds themselves and settle nothing.")
@click.option(
    "--ended-at", type=click.IntRange(min=0), help="Let the rounds end then, in UTC seconds, as a queue asks."
)
def demo(as_json: bool, as_rounds: bool, ended_at: int | None) -> None:
    """Settle the example rounds that come with mjsettle and print them: tiles, fans, who pays whom."""
    rounds = examples.rounds() if ended_at is None else _ended(examples.rounds(), ended_at)
    if as_rounds:
        click.echo(rounds, nl=False)
        return
    engine = mjsettle.load()
    answers = engine.settle_json(rounds)
    if as_json:
        click.echo(answers, nl=False)
        return
    decode = msgspec.json.Decoder().decode_lines
    show_all(output(), decode(rounds), decode(answers), partial(round_words, engine))


def _ended(rounds: bytes, ended_at: int) -> bytes:
    lines = msgspec.json.Decoder(dict[str, Any]).decode_lines(rounds)
    return b"".join(msgspec.json.encode({**line, "ended_at": ended_at}) + b"\n" for line in lines)
