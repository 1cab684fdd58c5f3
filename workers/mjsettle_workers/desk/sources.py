"""Where settlements are looked up: the result store, or files of rounds and results."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, cast

import msgspec
import redis

from mjsettle.replay import Recorded, Rounds
from mjsettle.replay.sources import id_of
from mjsettle_workers.connection import connect
from mjsettle_workers.keys import Keys
from mjsettle_workers.settings import Settings
from mjsettle_workers.store import Store

RECENT = 12
"""Settlements that are listed to choose from."""


class Settlement(NamedTuple):
    """A round and what was answered to it; None where no answer is recorded."""

    record: dict[str, Any]
    result: dict[str, Any] | None


class Source(Protocol):
    """Somewhere to look up settlements."""

    @property
    def name(self) -> str:
        """What it is, for people."""

    def find(self, ident: str) -> Settlement | None:
        """The settlement of this id; None where there is none. SourceDown when it cannot be asked."""

    def recent(self) -> list[str]:
        """Some ids to choose from, the latest first."""


class SourceDown(Exception):  # noqa: N818 - a state, shown as such
    """A source that cannot be asked now; says why."""


class StoreSource:
    """The result store of the workers."""

    def __init__(self, settings: Settings, connection: redis.Redis | None = None) -> None:
        self.settings = settings
        self.keys = Keys(settings.prefix)
        self._connection = connection

    @property
    def name(self) -> str:
        return self.settings.url.rpartition("@")[2]

    def _connect(self) -> redis.Redis:
        if self._connection is None:
            self._connection = connect(self.settings)
        return self._connection

    def find(self, ident: str) -> Settlement | None:
        try:
            connection = self._connect()
            body, answer = Store(connection, self.keys, self.settings).settlement(ident) or (b"", b"")
        except redis.RedisError as error:
            raise SourceDown(str(error)) from error
        return Settlement(msgspec.json.decode(body), msgspec.json.decode(answer)) if body else None

    def recent(self) -> list[str]:
        try:
            rows = cast(
                "list[tuple[bytes, dict[bytes, bytes]]]", self._connect().xrevrange(self.keys.results, count=RECENT)
            )
        except redis.RedisError as error:
            raise SourceDown(str(error)) from error
        return list(dict.fromkeys(fields[b"id"].decode() for _, fields in rows if fields.get(b"id")))


class FileSource:
    """Files of rounds and of their results (JSON Lines, plain, gzip or zstd), indexed by id in a file of its own."""

    def __init__(self, rounds: Rounds, results: Rounds | None = None, name: str = "") -> None:
        self.name = name
        self._folder = tempfile.TemporaryDirectory(prefix="mjsettle-desk-")
        # Requests come on several threads, one at a time: the desk asks under its lock.
        self._index = sqlite3.connect(os.path.join(self._folder.name, "settlements"), check_same_thread=False)
        self._index.execute("CREATE TABLE settlements (id TEXT PRIMARY KEY, round BLOB, result BLOB, line INTEGER)")
        with self._index, Recorded(results if results is not None else ()) as recorded:
            self._index.executemany("INSERT OR REPLACE INTO settlements VALUES (?, ?, ?, ?)", _rows(rounds, recorded))

    def close(self) -> None:
        """Remove the index."""
        self._index.close()
        self._folder.cleanup()

    def find(self, ident: str) -> Settlement | None:
        found = self._index.execute("SELECT round, result FROM settlements WHERE id = ?", (ident,)).fetchone()
        if found is None:
            return None
        result = msgspec.json.decode(found[1]) if found[1] is not None else None
        return Settlement(msgspec.json.decode(found[0]), result)

    def recent(self) -> list[str]:
        rows = self._index.execute("SELECT id FROM settlements ORDER BY line LIMIT ?", (RECENT,)).fetchall()
        return [row[0] for row in rows]


def _rows(rounds: Rounds, recorded: Recorded) -> Iterable[tuple[str, bytes, bytes | None, int]]:
    for first, lines in rounds.chunks(1_000):
        for number, (line, result) in enumerate(zip(lines, recorded.of(lines), strict=True), first):
            ident = id_of(line)
            if ident is not None:
                yield ident, line, result, number
