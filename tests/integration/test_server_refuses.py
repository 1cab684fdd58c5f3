"""A server without memory or disk: nothing is half done, nobody is blamed, and all goes on when there is room again."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from mjsettle_workers.client import Client
from mjsettle_workers.connection import is_refusal
from mjsettle_workers.drain import Drain
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import (
    answers_on_stream,
    drain_once,
    open_client,
    open_test_desk,
    pending_count,
    quick_environment,
    quick_settings,
    raw,
    running_server,
    running_worker,
    stub_round,
    wait_until,
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with running_server(tmp_path / "server") as running:
        yield running


@pytest.fixture
def settings(server: EmbeddedServer) -> Settings:
    return quick_settings(server.url)


@pytest.fixture
def client(settings: Settings) -> Iterator[Client]:
    with open_client(settings) as opened:
        yield opened


@pytest.fixture
def desk(settings: Settings) -> Iterator[Desk]:
    with open_test_desk(settings) as opened:
        yield opened


def fill_memory(client: Client, server: EmbeddedServer) -> None:
    raw(client).config_set("maxmemory", "1mb")


def free_memory(client: Client, server: EmbeddedServer) -> None:
    raw(client).config_set("maxmemory", "0")


def limit_file(server: EmbeddedServer, size: int) -> None:
    assert server.process is not None
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def fill_disk(client: Client, server: EmbeddedServer) -> None:
    limit_file(server, 1)
    wait_until(lambda: not writes(client), 10, "the server to notice that it cannot write")


def free_disk(client: Client, server: EmbeddedServer) -> None:
    limit_file(server, resource.RLIM_INFINITY)
    wait_until(lambda: writes(client), 10, "the server to notice that it can write")


def writes(client: Client) -> bool:
    try:
        return bool(raw(client).set("probe", 1))
    except redis.ResponseError as error:
        if not is_refusal(error):
            raise
        return False


Change = Callable[[Client, EmbeddedServer], None]


@pytest.mark.parametrize(("fill", "free"), [(fill_memory, free_memory), (fill_disk, free_disk)])
def test_a_server_without_room_applies_nothing_by_halves(
    server: EmbeddedServer, client: Client, desk: Desk, fill: Change, free: Change
) -> None:
    ids = [f"r{i}" for i in range(30)]
    client.submit(stub_round(ident) for ident in ids)
    assert len(Drain(desk, lambda: False).read(1, 10, 0)) == 10
    fill(client, server)
    with pytest.raises(redis.ResponseError) as refused:
        client.submit([stub_round("more")])
    assert is_refusal(refused.value)
    for _ in range(2 * desk.settings.deliveries_max):
        drain_once(desk, 0.05)
    assert client.results(ids) == {}
    assert raw(client).xlen(client.keys.rounds) == 30
    free(client, server)
    for _ in range(3):
        drain_once(desk)
    assert sorted(client.results(ids)) == sorted(ids)
    assert [a["again"] for a in answers_on_stream(client)] == [False] * 30
    assert raw(client).xlen(client.keys.dead) == 0
    assert pending_count(client) == 0


@pytest.mark.parametrize(("fill", "free"), [(fill_memory, free_memory), (fill_disk, free_disk)])
def test_a_worker_process_goes_on_by_itself_when_there_is_room_again(
    server: EmbeddedServer, client: Client, tmp_path: Path, fill: Change, free: Change
) -> None:
    with running_worker(quick_environment(server.url), tmp_path / "worker.log"):
        client.submit([stub_round("before")])
        wait_until(lambda: client.results(["before"]))
        fill(client, server)
        free(client, server)
        client.submit([stub_round("after")])
        wait_until(lambda: client.results(["after"]), 15, "the worker to go on")


def test_a_server_killed_in_the_middle_comes_back_with_everything(
    server: EmbeddedServer, client: Client, tmp_path: Path
) -> None:
    ids = [f"r{i}" for i in range(3_000)]
    with running_worker(quick_environment(server.url), tmp_path / "worker.log"):
        client.submit(stub_round(ident) for ident in ids)
        server.kill()
        server.start()
        wait_until(lambda: len(client.results(ids)) == len(ids), 15, "every answer after the server's restart")
    assert raw(client).xlen(client.keys.dead) == 0
