"""``mjsettle desk``: the settlement desk on a port of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import click

import mjsettle
from mjsettle_workers.settings import load_settings


@click.command()
@click.option("--rounds", type=click.File("rb"), multiple=True, help="Look settlements up in this file too.")
@click.option("--results", type=click.File("rb"), multiple=True, help="The recorded results of --rounds.")
@click.option("--no-store", is_flag=True, help="Do not look into the result store.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8700, show_default=True, help="The port to listen on.")
@click.option("--url", help="Server of the result store; default: MJSETTLE_REDIS_URL.")
def desk(
    rounds: tuple[BinaryIO, ...],
    results: tuple[BinaryIO, ...],
    no_store: bool,
    host: str,
    port: int,
    url: str | None,
) -> None:
    """Open the settlement desk: look up why a round brought what it did, and try hands under any rules.

    The desk only reads, and asks nobody who they are: put it behind whatever guards your other internal pages.
    """
    try:
        import uvicorn

        from mjsettle_workers.desk import FileSource, Source, StoreSource, create_app
    except ImportError as error:
        raise click.ClickException(
            f"{error}; the desk needs its extra: pip install 'mjsettle-workers[desk]'"
        ) from error
    from mjsettle.replay import Rounds

    if results and not rounds:
        raise click.UsageError("--results are those of --rounds; name these too")
    sources: list[Source] = []
    if rounds:
        sources.append(FileSource(Rounds(rounds), Rounds(results) if results else None, _names(rounds)))
    if not no_store:
        sources.append(StoreSource(load_settings(redis_url=url)))
    app = create_app(mjsettle.load(), sources)
    click.echo(f"settlement desk at http://{host}:{port}/ (stop: Ctrl-C)", err=True)
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)


def _names(files: Sequence[BinaryIO]) -> str:
    return ", ".join(getattr(file, "name", "-") for file in files)
