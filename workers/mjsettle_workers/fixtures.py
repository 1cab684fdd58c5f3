"""Pytest fixtures for tests that need a real server; a ``conftest.py`` imports those that it wants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from mjsettle_workers.client import Client
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import open_client, open_test_desk, quick_settings, running_server

_prefixes = count()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def settings(server: EmbeddedServer) -> Settings:
    """Settings of this test alone: keys and queue of its own on the shared server."""
    name = f"t{next(_prefixes)}"
    return quick_settings(server.url, prefix=name, queue=name)


@pytest.fixture
def client(settings: Settings) -> Iterator[Client]:
    with open_client(settings) as opened:
        yield opened


@pytest.fixture
def desk(settings: Settings) -> Iterator[Desk]:
    with open_test_desk(settings) as opened:
        yield opened


@pytest.fixture
def worker_log(tmp_path: Path) -> Path:
    return tmp_path / "worker.log"
