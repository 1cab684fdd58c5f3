"""What idle workers do for the whole queue: keep drains queued, forget old days, trim what was read."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, cast

import redis

from mjsettle_workers import scripts
from mjsettle_workers.cache import read_inputs
from mjsettle_workers.connection import explained, server_seconds
from mjsettle_workers.entries import read_round
from mjsettle_workers.keys import GROUP
from mjsettle_workers.tokens import beat, top_up

if TYPE_CHECKING:
    from mjsettle_workers.settling import Desk

log = logging.getLogger(__name__)

RARE_S = 30.0
"""Time between two rounds of the less urgent work."""
CONSUMER_IDLE_MS = 120_000
"""A consumer idle for so long that holds nothing is removed; a live worker reads far more often."""
WARM_S = 86_400
"""How long they are kept."""
WARM_ROUNDS = 2_000
"""Inputs with which a new worker warms up."""

_rare_due = 0.0


def look_after(desk: Desk) -> None:
    """One idle worker's turn. Never raises for what the server does: the next turn tries again."""
    global _rare_due
    try:
        beat(desk)
        top_up(desk)
        if time.monotonic() >= _rare_due:
            _rare_due = time.monotonic() + RARE_S
            desk.store.forget()
            tidy_consumers(desk)
            trim_results(desk)
            share_inputs(desk)
    except redis.RedisError as error:
        log.warning("upkeep was cut short: %s", explained(error))


def tidy_consumers(desk: Desk, idle_ms: int = CONSUMER_IDLE_MS) -> int:
    """Remove the consumers of dead workers once nothing is pending on them; returns how many."""
    script = desk.connection.register_script(scripts.source("tidy"))
    return sum(int(script(keys=[key], args=[GROUP, idle_ms])) for key in (desk.keys.rounds, desk.keys.parts))


def trim_results(desk: Desk) -> int:
    """Drop results that every reader group has acknowledged, and those past their time; returns how many.

    Without reader groups only time counts. What a group has not acknowledged stays for ``results_keep_s`` at most:
    after that its answers are found by id, as long as the store remembers them.
    """
    script = desk.connection.register_script(scripts.source("trim"))
    past_ms = (server_seconds(desk.connection) - desk.settings.results_keep_s) * 1_000
    dropped = 0
    while more := int(script(keys=[desk.keys.results], args=[past_ms])):
        dropped += more
    return dropped


def share_inputs(desk: Desk) -> None:
    """Leave the inputs that this worker saw lately for new workers to warm up with."""
    if len(desk.judge.cache):
        desk.connection.set(desk.keys.warm, desk.judge.cache.export_inputs(WARM_ROUNDS), ex=WARM_S)


def warm_up(desk: Desk) -> int:
    """Judge the inputs that another worker left, so that their answers are in this worker's cache; returns how many.

    Only inputs are shared, never answers: what a damaged blob can do is warm the cache for rounds that never come.
    """
    if not desk.settings.cache_rounds:
        return 0
    # Taken away first and put back when it has done no harm: should an input end this process, the next starts cold.
    blob = cast("bytes | None", desk.connection.getdel(desk.keys.warm))
    rounds = [
        read_round(b'{"id":"warm/%d","ended_at":0,%b' % (i, rest[1:]), 0, bytes_max=len(rest) + 99, ahead_s=0)
        for i, rest in enumerate(list(read_inputs(blob))[:WARM_ROUNDS])
    ]
    rounds = [sent for sent in rounds if not sent.faults and desk.judge.supports(sent.rule, sent.edition)]
    try:
        desk.judge.answer(rounds)
    except Exception as error:  # nothing depends on a warm cache
        log.warning("the cache was not warmed: %s", error)
        return 0
    if blob:
        desk.connection.set(desk.keys.warm, blob, ex=WARM_S, nx=True)
    return len(rounds)


def sign_off(desk: Desk) -> None:
    """Leave the list of live workers, and the groups if nothing is pending here."""
    try:
        desk.connection.zrem(desk.keys.workers, desk.consumer)
        share_inputs(desk)
    except redis.RedisError as error:
        log.debug("left without signing off: %s", explained(error))
