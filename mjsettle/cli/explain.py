"""``mjsettle explain``: rounds told as stories, or one hand's look-ups and branches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

import mjsettle
from mjsettle.cli.arguments import end_of_failures, read_meld, wild_option
from mjsettle.describe import round_words
from mjsettle.explain import explain as tell
from mjsettle.hand_deltas import folded_wire
from mjsettle.hands import Hand
from mjsettle.isolation import Isolated
from mjsettle.line_files import SourceError, open_lines
from mjsettle.pictures import round_svg
from mjsettle.settle import Engine
from mjsettle.tiles import NAMES
from mjsettle.trace import trace as trace_hand
from mjsettle.trace import trace_view
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
    engine = Isolated(mjsettle.load())
    refused = found = 0
    for number, written in enumerate(_lines(what[0] if what else "-"), start=1):
        record = _record(written)
        if wanted and (record is None or record.get("id") not in wanted):
            continue
        if record is not None:
            record["names"] = True
        result = engine.settle_json(written if record is None else msgspec.json.encode(record), first_line=number)
        answer = msgspec.json.decode(result)
        words = round_words(engine.engine, record or {})
        told = tell(folded_wire(record or {"rule": "?"}), answer, lang, words.switches)
        click.echo("\n" * bool(found) + "\n".join(told))
        if trace and record is not None and answer["status"] == "settled":
            _trace_wins(engine.engine, record, answer)
        found += 1
        if svg is not None and record is not None:
            path = svg if found == 1 else svg.with_stem(f"{svg.stem}-{found}")
            drawn = record | {"wild": list(words.wild)}
            path.write_text(round_svg(drawn, answer, lang), encoding="utf-8")
        refused += answer["status"] != "settled"
    if wanted and not found:
        raise click.ClickException(f"no round with id {' or '.join(wanted)}; nothing to tell")
    end_of_failures(engine.failures)
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


def _trace_wins(engine: Engine, record: dict[str, Any], answer: dict[str, Any]) -> None:
    """The look-ups of every winning hand as it was judged: with the wilds and the policy of its rule set."""
    _, judged = engine.hands_of(record)
    hands: dict[tuple[int, str], list[Hand]] = {}
    for judged_win, hand in judged:
        hands.setdefault((judged_win.seat, NAMES[judged_win.tile]), []).append(hand)
    for win in answer.get("wins", ()):
        alike = hands.get((win["seat"], win["tile"]))
        if not alike:  # won without a hand
            continue
        hand = alike.pop(0)
        click.echo(f"trace of seat {win['seat']} on {win['tile']}")
        for line in trace_view(hand.view):
            click.echo(f"    {line}")
