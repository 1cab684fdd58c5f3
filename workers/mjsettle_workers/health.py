"""Is the queue being settled? The checks behind ``mjsettle health``, for probes and for people."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import redis
from rq import Worker
from rq.serializers import JSONSerializer

from mjsettle_workers.client import Client
from mjsettle_workers.connection import server_faults
from mjsettle_workers.observe import State, read_state
from mjsettle_workers.unreachable import told

BEAT_S = 90
"""A worker of this machine that RQ has not heard of for so long is taken for hung: three times RQ's own interval."""


class Health:
    """What was found, and what is wrong with it."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.faults: list[str] = []

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def told(self) -> dict[str, Any]:
        """As JSON values."""
        return {"healthy": self.healthy, "faults": self.faults, **self.facts}


def check_queue(client: Client, *, oldest_s_max: float, workers_min: int, dead_max: int | None) -> Health:
    """Is the server fit, are there workers, and does nothing wait too long? Never raises for what the server does."""
    health = Health()
    try:
        state = read_state(client)
        refuse, _ = server_faults(client.connection)
    except (redis.RedisError, OSError) as error:
        health.faults.append(f"server: {told(error, client.settings)}")
        return health
    if not client.settings.unsafe_server:
        health.faults += refuse
    health.facts = _facts(state)
    if state.workers < workers_min:
        health.faults.append(f"workers: found {state.workers}, expected at least {workers_min}")
    if state.rounds.oldest_ms > oldest_s_max * 1_000:
        age_s = state.rounds.oldest_ms / 1_000
        health.faults.append(f"oldest round: found one that waits for {age_s:.0f} s, expected {oldest_s_max:g} at most")
    if dead_max is not None and state.dead > dead_max:
        health.faults.append(f"dead letters: found {state.dead}, expected at most {dead_max}; see `mjsettle dead`")
    return health


def _facts(state: State) -> dict[str, Any]:
    return {
        "workers": state.workers,
        "lag": state.rounds.lag,
        "pending": state.rounds.pending,
        "oldest_s": state.rounds.oldest_ms / 1_000,
        "parked": state.parked,
        "dead": state.dead,
    }


def check_here(client: Client, host: str | None = None) -> Health:
    """Does a worker of this host work? For liveness probes: a server that cannot be reached is not its fault."""
    health = Health()
    host = host or socket.gethostname()
    try:
        beats = _beats(client, host)
    except (redis.RedisError, OSError) as error:
        note = f"what a restart of the worker would not mend: {told(error, client.settings)}"
        health.facts = {"host": host, "note": note}
        return health
    now = datetime.now(UTC)
    fresh = [beat for beat in beats if now - beat < timedelta(seconds=BEAT_S)]
    health.facts = {"host": host, "workers": len(fresh)}
    if not fresh:
        last = f"; the last was heard of at {max(beats):%H:%M:%S} UTC" if beats else ""
        health.faults.append(f"workers of host {host}: found none heard of in the last {BEAT_S} s{last}")
    return health


def _beats(client: Client, host: str) -> Sequence[datetime]:
    found = Worker.all(connection=client.connection, serializer=JSONSerializer)
    named = [one for one in found if one.hostname == host and client.settings.queue in one.queue_names()]
    return [one.last_heartbeat.replace(tzinfo=UTC) for one in named if one.last_heartbeat]
