"""The queue's commands, which join ``mjsettle`` through the entry point group ``mjsettle.cli``."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar, cast

import click
import msgspec
import redis
from rich.progress import Progress as Bar

from mjsettle.line_files import open_lines
from mjsettle_workers import logs, tracing
from mjsettle_workers.client import Client
from mjsettle_workers.connection import connect, is_refusal
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.fanout import Batches
from mjsettle_workers.keys import GROUP
from mjsettle_workers.settings import load_settings
from mjsettle_workers.unreachable import AccessError, is_denial, told
from mjsettle_workers.working import Leave, keep_working

P = ParamSpec("P")
R = TypeVar("R")

url_option = click.option("--url", help="Server, such as redis://host:6379/0; default: MJSETTLE_REDIS_URL.")


def reachable(command: Callable[P, R]) -> Callable[P, R]:
    """Say in one line what is wrong with the server, rather than in a traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (redis.ConnectionError, redis.TimeoutError, redis.ResponseError) as error:
            said = told(error, load_settings(redis_url=cast("str | None", kwargs.get("url"))))
            if is_denial(error):
                raise AccessError(said) from error
            if isinstance(error, redis.ResponseError) and not is_refusal(error):
                raise  # a wrong command: the traceback says which
            raise click.ClickException(said) from error

    return run


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    for line in open_lines(file):
        if text := line.strip():
            yield text


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--wait", is_flag=True, help="Wait for the answers and write them in the order of the rounds.")
@click.option("-o", "--output", type=click.File("wb"), default="-", help="Where --wait writes the answers.")
@click.option("--timeout", "timeout_s", default=60.0, help="Seconds without a new answer after which --wait gives up.")
@click.option("--in-order", metavar="ROOM", help="Apply these rounds in the order sent, as rounds of ROOM.")
@url_option
@reachable
def enqueue(
    file: IO[bytes], wait: bool, output: IO[bytes], timeout_s: float, in_order: str | None, url: str | None
) -> None:
    """Send the rounds of FILE (JSON Lines, plain, gzip or zstd; - is stdin) to the workers."""
    client = Client(load_settings(redis_url=url))
    if not wait:
        sent = len(client.submit(_lines(file), in_order=in_order))
        click.echo(f"{sent} rounds sent; find an answer by `mjsettle result ID`", err=True)
        return
    tell = functools.partial(click.echo, err=True)
    _write_in_order(client.settle(_lines(file), timeout_s=timeout_s, in_order=in_order, tell=tell), output)


def _write_in_order(answers: Iterator[tuple[int, bytes]], output: IO[bytes]) -> None:
    """Write answers in the order of their rounds, each once those before it are there; in the end all that came."""
    early: dict[int, bytes] = {}
    following = 0
    try:
        for position, answer in answers:
            early[position] = answer
            while following in early:
                output.write(early.pop(following) + b"\n")
                following += 1
            output.flush()
        output.flush()  # makes the file where there are no rounds
    finally:
        if early:
            output.writelines(early[position] + b"\n" for position in sorted(early))
            output.flush()


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--wait", "wait_s", default=0.0, help="Seconds to wait for answers that are not there yet.")
@url_option
@reachable
def result(ids: tuple[str, ...], wait_s: float, url: str | None) -> None:
    """Print the stored answers of rounds, one per line; exit 1 if one has none."""
    client = Client(load_settings(redis_url=url))
    deadline = time.monotonic() + wait_s
    found = client.results(ids)
    while len(found) < len(set(ids)) and time.monotonic() < deadline:
        time.sleep(0.02)
        found = client.results(ids)
    for ident in ids:
        if ident in found:
            click.echo(found[ident])
        else:
            click.echo(
                f"no answer under {ident!r} yet; a refusal because no worker has the rule set or edition is not stored",
                err=True,
            )
    if len(found) < len(set(ids)):
        sys.exit(1)


@click.command()
@click.option("--room", help="Read this room's own stream.")
@click.option("--after", default="0-0", help="Entry behind which to start.")
@click.option("--follow", is_flag=True, help="Wait for more.")
@url_option
@reachable
def results(room: str | None, after: str, follow: bool, url: str | None) -> None:
    """Print the results stream, one answer per line; answers given again are left out."""
    client = Client(load_settings(redis_url=url), room=room)
    while True:
        for entry, _, answer, again in client.follow(after):
            after = entry
            if not again:
                click.echo(answer)
        if not follow:
            return


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("-o", "--output", type=click.File("wb"), default="-", help="Where to write the answers.")
@click.option("--judge-only", is_flag=True, help="Store and pay nothing: replay rounds, old ones too.")
@click.option("--timeout", "timeout_s", default=60.0, help="Seconds without progress after which to give up.")
@url_option
@reachable
def batch(file: IO[bytes], output: IO[bytes], judge_only: bool, timeout_s: float, url: str | None) -> None:
    """Settle a large FILE (JSON Lines, plain, gzip or zstd; - is stdin) on all workers.

    The answers come in the order of the rounds.
    """
    settings = load_settings(redis_url=url)
    batches = Batches(connect(settings), settings)
    name = batches.start(list(_lines(file)), unrecorded=judge_only)
    with Bar(transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("settling")
        for told in batches.wait(name, timeout_s):
            bar.update(task, completed=told.done, total=told.total)
    output.writelines(answer + b"\n" for answer in batches.answers(name))


@click.command()
@click.argument("letters", nargs=-1, metavar="[ENTRY]...")
@click.option("--replay", is_flag=True, help="Put the named dead letters back into the queue.")
@url_option
@reachable
def dead(letters: tuple[str, ...], replay: bool, url: str | None) -> None:
    """List the dead letters, or show those named with their bytes; --replay once their cause is repaired."""
    client = Client(load_settings(redis_url=url))
    for letter in letters if replay else ():
        entry = client.store.revive(letter)
        click.echo(f"{letter}: queued again as {entry}" if entry else f"{letter}: no such dead letter")
    if replay:
        return
    rows = cast("list[tuple[bytes, dict[bytes, bytes]]]", client.connection.xrange(client.keys.dead))
    for row, fields in rows:
        if letters and row.decode() not in letters:
            continue
        fact = {name.decode(): value.decode("utf-8", "backslashreplace") for name, value in fields.items()}
        if not letters:
            fact["reason"] = fact["reason"].strip().splitlines()[-1]
            del fact["round"]
        click.echo(msgspec.json.encode({"letter": row.decode(), **fact}))


@click.command()
@url_option
@reachable
def queue(url: str | None) -> None:
    """Print the queue's state as one JSON object: what waits, what is pending, workers, counters."""
    click.echo(msgspec.json.encode(queue_state(Client(load_settings(redis_url=url)))))


def queue_state(client: Client) -> dict[str, Any]:
    """Lengths, workers and counters, for people and probes."""
    connection, keys = client.connection, client.keys
    pending = 0
    for key in (keys.rounds, keys.parts):
        if connection.exists(key):
            groups = connection.xinfo_groups(key)
            pending += sum(group["pending"] for group in groups if group["name"] == GROUP.encode())
    counters = cast("dict[bytes, bytes]", connection.hgetall(keys.counters))
    return {
        "waiting": connection.xlen(keys.rounds),
        "parts": connection.xlen(keys.parts),
        "pending": pending,
        "parked": connection.hlen(keys.parked),
        "dead": connection.xlen(keys.dead),
        "results": connection.xlen(keys.results),
        "workers": connection.zcard(keys.workers),
        "floor_day": client.store.floor_day(),
        "counters": {name.decode(): int(value) for name, value in sorted(counters.items())},
    }


@click.command()
@click.option("--embedded", is_flag=True, help="Start a server of our own, without root, in the state folder.")
@click.option("--data", type=click.Path(path_type=Path), help="The state folder; default: MJSETTLE_HOME.")
@click.option("--port", default=0, help="Port on 127.0.0.1 for the embedded server; default: only its socket.")
@click.option("--burst", is_flag=True, help="End when no drain is queued.", hidden=True)
@click.option("-v", "--verbose", is_flag=True, help="Log what the worker does.")
@url_option
@reachable
def worker(embedded: bool, data: Path | None, port: int, burst: bool, verbose: bool, url: str | None) -> None:
    """Settle rounds until told to stop; start more workers by calling this again."""
    settings = load_settings(redis_url=url, home=str(data) if data else None)
    logs.configure(settings, verbose=verbose)
    tracing.require(settings)
    if not embedded:
        keep_working(settings, burst)
        return
    server = EmbeddedServer(settings.folder, port=port)
    if server.is_running():
        if port:
            click.echo(f"a server runs in {settings.folder} already: it listens where it did, not on {port}", err=True)
        keep_working(settings, burst)
        return
    Leave().listen()
    try:
        server.start()
        click.echo(f"server at {server.places}", err=True)
        keep_working(msgspec.structs.replace(settings, redis_url=server.url), burst)
    finally:  # and not `with`, between whose entering and whose block a signal would leave the server behind
        server.stop()
