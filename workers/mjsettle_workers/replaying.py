"""Rounds of a replay judged on the workers of the queue: nothing is stored, and nothing is paid."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import redis

from mjsettle.errors import MjsettleError
from mjsettle_workers.connection import connect
from mjsettle_workers.fanout import Batches
from mjsettle_workers.keys import Keys
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.unreachable import told

TIMEOUT_S = 120.0
"""How long no part of a batch may be finished before the replay gives up."""


class NoQueue(MjsettleError, ConnectionError):  # noqa: N818 - said as it is, like every reason to judge elsewhere
    """There is no server, or no worker at it."""


def _dated(line: bytes) -> bytes:
    """The round with the time that the queue asks of every round; where nothing is stored any will do."""
    found = msgspec.json.decode(line)
    if found.get("ended_at") is None:
        found["ended_at"] = 0
        return msgspec.json.encode(found)
    return line


class QueueFanout:
    """Judges rounds as unrecorded batches on all workers."""

    def __init__(self, connection: redis.Redis, settings: Settings, timeout_s: float = TIMEOUT_S) -> None:
        self.connection = connection
        self.batches = Batches(connection, settings)
        self.timeout_s = timeout_s

    def start(self, lines: Sequence[bytes]) -> str:
        """Send rounds, one JSON text each; answers with the batch's name."""
        return self.batches.start([_dated(line) for line in lines], unrecorded=True)

    def answers(self, started: str) -> list[bytes]:
        """Wait for a batch's answers, in the order of its rounds, and let go of them."""
        for _ in self.batches.wait(started, self.timeout_s):
            pass
        found = self.batches.answers(started)
        self.connection.delete(self.batches.keys.batch(started))
        return found

    def close(self) -> None:
        """Let go of the connection."""
        self.connection.close()


def open_fanout(settings: Settings | None = None) -> QueueFanout:
    """The workers of the environment's server. NoQueue says why there are none."""
    settings = settings or load_settings()
    try:
        connection = connect(settings)
        workers = connection.zcard(Keys(settings.prefix).workers)
    except redis.RedisError as error:
        raise NoQueue(told(error, settings)) from error
    if not workers:
        connection.close()
        raise NoQueue(f"no worker at {settings.shown_url}; start one by `mjsettle worker`")
    return QueueFanout(connection, settings)
