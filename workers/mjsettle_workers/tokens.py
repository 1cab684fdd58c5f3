"""Drain jobs on the RQ queue: topped up to one per live worker by every drain and every idle worker.

The number of waiting jobs is what is kept level, not jobs that hand themselves on: a lost job is replaced by the next
top-up, whoever makes it, and a job too many is a drain too many, which does no harm.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from mjsettle_workers.connection import server_seconds
from mjsettle_workers.settings import Settings

if TYPE_CHECKING:
    from mjsettle_workers.settling import Desk

log = logging.getLogger(__name__)

DRAIN = "mjsettle_workers.drain.drain"
ALIVE_S = 30
"""A worker not seen for so long is not counted any more."""
SLACK_S = 30
"""Time that a drain job may take beyond its budget, its solo attempts and its judge's limit."""
QUEUED_S = 600
"""Life of a drain job that nobody takes."""
FAILED_S = 3_600


def drain_queue(connection: redis.Redis, settings: Settings) -> Queue:
    """The one queue of drain jobs, with JSON for a serializer: a job is data, never code."""
    return Queue(settings.queue, connection=connection, serializer=JSONSerializer)


def beat(desk: Desk) -> int:
    """Say that this worker is alive; returns the number of live workers."""
    now = server_seconds(desk.connection)
    with desk.connection.pipeline() as pipe:
        pipe.zadd(desk.keys.workers, {desk.consumer: now})
        pipe.zremrangebyscore(desk.keys.workers, "-inf", now - ALIVE_S)
        pipe.zcard(desk.keys.workers)
        return int(pipe.execute()[2])


def top_up(desk: Desk) -> int:
    """Queue drain jobs until one waits for each live worker; returns how many were added."""
    settings = desk.settings
    queue = drain_queue(desk.connection, settings)
    wanted = max(1, desk.connection.zcard(desk.keys.workers))
    missing = wanted - desk.connection.llen(queue.key)
    for _ in range(missing):
        queue.enqueue_call(
            DRAIN,
            timeout=int(settings.budget_s + 2 * settings.judge_limit_s) + SLACK_S,
            result_ttl=0,
            ttl=QUEUED_S,
            failure_ttl=FAILED_S,
            description="drain",
        )
    return max(0, missing)
