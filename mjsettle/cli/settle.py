"""``mjsettle settle``: rounds in, results out, one JSON object per line."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import IO, BinaryIO

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

import mjsettle
from mjsettle.cli.arguments import end_of_failures
from mjsettle.isolation import Isolated
from mjsettle.line_files import open_lines
from mjsettle.settle import Engine

CHUNK_BYTES = 1 << 20
LONG_FILE_BYTES = 4 << 20
BLANK = b" \t\r\n"


def chunks(source: IO[bytes], size: int) -> Iterator[bytes]:
    """Whole lines as they arrive, about `size` bytes at a time; a last line without its line feed gets one.

    From a pipe each read takes what is there, so a room that writes a few rounds and waits is answered. A piece never
    ends in empty lines, which are rounds only when something follows; those at the very end are dropped.
    """
    read = getattr(source, "read1", source.read)
    kept: list[bytes] = []
    while piece := read(size):
        kept.append(piece)
        if b"\n" not in piece:
            continue
        whole = b"".join(kept)
        body = whole[: whole.rfind(b"\n") + 1].rstrip(BLANK)
        end = whole.find(b"\n", len(body)) + 1 if body else 0
        if end:
            yield whole[:end]
        kept = [whole[end:]]
    rest = b"".join(kept).rstrip(BLANK)
    if rest:
        yield rest + b"\n"


def _length_of(source: BinaryIO) -> int | None:
    """Bytes of a regular file; None for a pipe or a terminal."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _bar(source: BinaryIO, to_terminal: bool) -> Progress | None:
    """A progress bar on stderr for a long file, unless the results scroll over the same terminal."""
    length = _length_of(source)
    if not sys.stderr.isatty() or to_terminal or length is None or length < LONG_FILE_BYTES:
        return None
    return Progress(
        TextColumn("settling"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rounds]:,} rounds"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _same_file(source: BinaryIO, out: str) -> bool:
    try:
        return os.path.samestat(os.fstat(source.fileno()), os.stat(out))
    except OSError:
        return False


def _publish(engine: Engine, results: bytes) -> None:
    """Hand settled results that were just written to the plugins' sinks; one that fails is told and undoes nothing."""
    if not engine.registry.sinks:
        return
    answers = [msgspec.json.decode(line) for line in results.splitlines()]
    settled = [answer for answer in answers if answer["status"] == "settled"]
    try:
        engine.publish(settled)
    except Exception as error:  # a plugin may raise anything
        told = f"a result sink failed at {len(settled)} results, which stay settled: {type(error).__name__}: {error}"
        click.echo(told, err=True)


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("-o", "--out", type=click.Path(dir_okay=False), help="Write results here, not to stdout.")
def settle(file: BinaryIO, out: str | None) -> None:
    """Settle the rounds in FILE (JSON Lines, plain, gzip or zstd; - is stdin) and write one result per line, in order.

    A round that cannot be settled is answered too, as refused with every fault found. The exit status is 0 when every
    line was answered by the rules, 1 when a plugin failed at a round. Memory use does not grow with the file.
    """
    if out is not None and _same_file(file, out):
        raise click.UsageError(f"{out} is the file of rounds itself; give -o another name")
    engine = Isolated(mjsettle.load())
    bar = _bar(file, to_terminal=out is None and sys.stdout.isatty())
    lines = refused = 0
    with open(out, "wb") if out else nullcontext(sys.stdout.buffer) as target, bar or nullcontext():
        task = bar.add_task("", total=_length_of(file), rounds=0) if bar else None
        for chunk in chunks(open_lines(file), CHUNK_BYTES):
            results = engine.settle_json(chunk, first_line=lines + 1)
            target.write(results)
            target.flush()
            _publish(engine.engine, results)
            lines += chunk.count(b"\n")
            # Inside a JSON string the quotes would be escaped, so this counts statuses and nothing else.
            refused += results.count(b'"status":"refused"')
            if bar and task is not None:
                bar.update(task, completed=file.tell(), rounds=lines)
    if sys.stderr.isatty():
        click.echo(f"{lines:,} rounds answered, {refused:,} of them refused", err=True)
    end_of_failures(engine.failures)
