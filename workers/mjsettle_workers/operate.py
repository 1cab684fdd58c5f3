"""Commands for whoever runs the queue: ``prepare``, ``health``, ``metrics``."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import closing

import click
import msgspec

from mjsettle_workers.cli import reachable, url_option
from mjsettle_workers.client import Client
from mjsettle_workers.connection import check_server, connect
from mjsettle_workers.drain import ensure_groups
from mjsettle_workers.health import check_here, check_queue
from mjsettle_workers.settings import SettingsError, load_settings

PORT = 9108


@click.command()
@url_option
@reachable
def prepare(url: str | None) -> None:
    """Check the server and create the consumer groups; for autoscalers, which need them before the first worker.

    It may be called any number of times.
    """
    settings = load_settings(redis_url=url)
    with closing(connect(settings)) as connection:
        check_server(connection, settings)
        client = Client(settings, connection=connection)
        ensure_groups(connection, client.keys)
        client.store.forget()
        click.echo(f"consumer groups stand on {client.keys.rounds} and {client.keys.parts}")


@click.command()
@click.option("--here", is_flag=True, help="Ask only whether a worker of this host works (liveness of a container).")
@click.option("--host", help="With --here: the host's name, if not this machine's.")
@click.option("--oldest", "oldest_s", default=60.0, help="Seconds that a round may wait for its answer.")
@click.option("--workers", "workers_min", default=1, help="Workers that must live.")
@click.option("--dead", "dead_max", type=int, help="Dead letters that may lie there; default: any number.")
@url_option
def health(
    here: bool, host: str | None, oldest_s: float, workers_min: int, dead_max: int | None, url: str | None
) -> None:
    """Print the queue's health as one JSON object; exit 1, with every fault named, where something is wrong."""
    settings = load_settings(redis_url=url)
    with closing(connect(settings)) as connection:
        client = Client(settings, connection=connection)
        found = (
            check_here(client, host)
            if here
            else check_queue(client, oldest_s_max=oldest_s, workers_min=workers_min, dead_max=dead_max)
        )
    click.echo(msgspec.json.encode(found.told()))
    sys.exit(0 if found.healthy else 1)


@click.command()
@click.option("--port", default=PORT, show_default=True, help="Port of the exporter; 0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--once", is_flag=True, help="Print the metrics once and end.")
@url_option
def metrics(port: int, host: str, once: bool, url: str | None) -> None:
    """Serve the queue's metrics to Prometheus: one exporter for all workers."""
    try:
        from prometheus_client import generate_latest, start_http_server

        from mjsettle_workers.metrics import registry
    except ImportError as error:
        raise SettingsError(f"metrics need an extra: pip install 'mjsettle-workers[metrics]' ({error})") from error
    with closing(connect(load_settings(redis_url=url))) as connection:
        found = registry(Client(load_settings(redis_url=url), connection=connection))
        if once:
            click.echo(generate_latest(found).decode(), nl=False)
            return
        server, thread = start_http_server(port, addr=host, registry=found)
        click.echo(f"metrics at http://{host}:{server.server_port}/metrics (stop: Ctrl-C)", err=True)
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        stop.wait()
        server.shutdown()
        server.server_close()
        thread.join()
