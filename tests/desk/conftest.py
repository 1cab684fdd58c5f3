"""A desk over the example rounds, with results as they were recorded, and over sources that fail."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

import mjsettle
from mjsettle import examples
from mjsettle.replay import Rounds
from mjsettle.settle import Engine

pytest.importorskip("starlette", reason="the desk's packages are not installed: pip install 'mjsettle-workers[desk]'")
pytest.importorskip("jinja2", reason="the desk's packages are not installed: pip install 'mjsettle-workers[desk]'")

from mjsettle_workers.desk import FileSource
from mjsettle_workers.fixtures import client, server, settings, worker_log

__all__ = ["client", "server", "settings", "worker_log"]

ROUNDS: list[dict[str, Any]] = [json.loads(line) for line in examples.rounds().splitlines()]
REFUSED = {**ROUNDS[0], "id": "refused/1", "events": [{"type": "win", "seat": 2, "tile": "1z"}]}
HOSTILE = {**ROUNDS[0], "id": "hostile/1", "options": {"<script>alert(1)</script>": 1}, "wild": ["<b>"]}
TWO_READINGS = {
    "id": "readings/1",
    "rule": "guobiao",
    "players": [{"hand": "111222333m44p77z"}, {}, {}, {}],
    "events": [{"type": "win", "seat": 0, "tile": "4p", "from": 2}],
}


def lines(records: list[dict[str, Any]]) -> Rounds:
    return Rounds([io.BytesIO("\n".join(map(json.dumps, records)).encode())])


@pytest.fixture(scope="session")
def engine() -> Engine:
    return mjsettle.load()


@pytest.fixture(scope="session")
def recorded(engine: Engine) -> Iterator[FileSource]:
    """Rounds and their recorded results; the last round has none, the first was judged by other rules."""
    records = [*ROUNDS, REFUSED, HOSTILE, TWO_READINGS]
    results = engine.settle(records)
    results[0] = {**results[0], "edition": "2019.2", "fingerprint": "0123456789abcdef"}
    source = FileSource(lines(records), lines(results[:-1]), "records.jsonl")
    yield source
    source.close()
