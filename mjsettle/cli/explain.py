"""``mjsettle explain``: rounds told as stories, or one hand's look-ups and branches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

import mjsettle
from mjsettle.cli.arguments import read_meld, wild_option
from mjsettle.explain import explain as tell
from mjsettle.hand_deltas import folded_wire
from mjsettle.line_files import SourceError, open_lines
from mjsettle.pictures import round_svg
from mjsettle.trace import trace as trace_hand
from mjsettle.words import LANGUAGES


@click.command()
@click.argument("what", nargs=-1, metavar="[FILE | HAND [MELD]...]")
@click.option("--id", "wanted", multiple=True, help="Only the round with this id; may be given again.")
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="The language of the story."
)
@click.option("--trace", is_flag=True, help="Show each look-up and branch: of HAND, or of every winning hand in FILE.")
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the round here; of several, numbered files."
)
@wild_option
def explain(
    what: tuple[str, ...], wanted: tuple[str, ...], lang: str, trace: bool, svg: Path | None, wild: tuple[str, ...]
) -> None:
    """Settle the rounds in FILE (JSON Lines, plain, gzip or zstd; - or nothing is stdin) and tell each as a story.

    Who won when, what each kong brought, what was given back and why. With --trace and a HAND, the winning tile
    included, show how that hand is judged; MELD is written as for `mjsettle judge`.
    """
    if trace and what and what[0] != "-" and not Path(what[0]).exists():
        melds = [read_meld(text).tiles for text in what[1:]]
        for line in trace_hand(what[0], melds, wild):
            click.echo(line)
        return
    if len(what) > 1:
        raise click.UsageError(f"found {len(what)} files ({', '.join(what)}), expected one; or --trace HAND [MELD]...")
    if wild:
        raise click.UsageError("--wild goes with --trace HAND; a round names its wild tiles itself")
    engine = mjsettle.load()
    refused = found = 0
    for number, written in enumerate(_lines(what[0] if what else "-"), start=1):
        record = _record(written)
        if wanted and (record is None or record.get("id") not in wanted):
            continue
        if record is not None:
            record["names"] = True
        result = engine.settle_json(written if record is None else msgspec.json.encode(record), first_line=number)
        answer = msgspec.json.decode(result)
        click.echo("\n" * bool(found) + "\n".join(tell(folded_wire(record or {"rule": "?"}), answer, lang)))
        if trace and record is not None:
            _trace_wins(folded_wire(record), answer)
        found += 1
        if svg is not None and record is not None:
            path = svg if found == 1 else svg.with_stem(f"{svg.stem}-{found}")
            path.write_text(round_svg(record, answer, lang), encoding="utf-8")
        refused += answer["status"] != "settled"
    if wanted and not found:
        raise click.ClickException(f"no round with id {' or '.join(wanted)}; nothing to tell")
    if refused:
        sys.exit(1)


def _lines(name: str) -> Iterator[bytes]:
    try:
        with click.open_file(name, "rb") as source:
            yield from (line for line in open_lines(source) if line.strip())
    except SourceError:
        raise
    except OSError as error:
        raise click.ClickException(f"{name}: {error.strerror}") from error


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        found = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return None
    return found if isinstance(found, dict) else None


def _trace_wins(record: dict[str, Any], answer: dict[str, Any]) -> None:
    """The look-ups of every winning hand, as it lies at the end of the round."""
    for win in answer.get("wins", ()):
        player = record["players"][win["seat"]]
        if win["tile"] is None or not player.get("hand"):
            continue
        click.echo(f"trace of seat {win['seat']} on {win['tile']}")
        melds = [meld["tiles"] for meld in player.get("melds", ()) if meld["kind"] != "mixed_kong"]
        for line in trace_hand(player["hand"] + win["tile"], melds, record.get("wild", ())):
            click.echo(f"    {line}")
