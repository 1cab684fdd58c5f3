"""The drain job: for a second or two, read rounds in batches, settle them, and hand over to the next drain."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, cast

import redis
from rq import get_current_job

from mjsettle_workers.cache import SharedAnswers
from mjsettle_workers.connection import connect, explained, is_refusal, server_ms
from mjsettle_workers.entries import Entry
from mjsettle_workers.fanout import split
from mjsettle_workers.judge import Judge, load_engine
from mjsettle_workers.keys import GROUP, Keys
from mjsettle_workers.recover import parse, recover, stream_key, try_suspects
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.settling import Desk, bury, settle_entries
from mjsettle_workers.store import Store
from mjsettle_workers.tokens import beat, top_up
from mjsettle_workers.tracing import session, span

log = logging.getLogger(__name__)

PARKED = "parked"
"""Consumer that holds the rounds which wait for a worker with their rule set or edition."""
SHARED_S = 86_400
"""Life of an answer in the shared tier."""
WAIT_FOR_TURN_MS = 5
BACK_OFF_S = 0.3

Row = tuple[bytes, dict[bytes, bytes]]


def open_desk(settings: Settings, consumer: str, judge: Judge | None = None) -> Desk:
    """Connect, load the judge unless one is given, and lay everything out."""
    connection = connect(settings)
    keys = Keys(settings.prefix)
    judge = judge or Judge(load_engine(settings.judge), settings)
    if settings.shared_cache_us:
        costly_s = settings.shared_cache_us / 1e6
        judge.shared = SharedAnswers(connection, keys.shared, judge.cache.stamp, costly_s, SHARED_S)
    return Desk(connection, keys, settings, judge, Store(connection, keys, settings), consumer)


def ensure_groups(connection: redis.Redis, keys: Keys) -> None:
    """Create the consumer groups where they are missing; they start at the first entry, so that nothing is skipped."""
    for key in (keys.rounds, keys.parts):
        try:
            connection.xgroup_create(key, GROUP, id="0", mkstream=True)
        except redis.ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise


class Drain:
    """One drain's work at a desk."""

    def __init__(self, desk: Desk, stopped: Callable[[], bool]) -> None:
        self.desk = desk
        self.stopped = stopped
        self.until = time.monotonic() + desk.settings.budget_s
        self.held: list[Entry] = []
        """Entries of ordered rooms that wait for their turn."""
        self._clock_ms: float | None = None
        desk.tally.now_ms = self.now_ms

    def now_ms(self) -> int:
        """The server's clock: asked once, then carried on by this machine's monotonic one."""
        if self._clock_ms is None:
            self._clock_ms = server_ms(self.desk.connection) - time.monotonic() * 1_000
        return int(self._clock_ms + time.monotonic() * 1_000)

    def run(self) -> None:
        """Work until the budget is spent or a stop is asked for. Never raises for what the server does."""
        desk = self.desk
        try:
            beat(desk)
            top_up(desk)
            ensure_groups(desk.connection, desk.keys)
            desk.condemned = desk.store.condemned()
            desk.suspects = desk.store.suspects()
            half = time.monotonic() + desk.settings.budget_s / 2
            self.held, suspects = recover(desk, half, self.stopped, self.now_ms())
            self.unpark()
            while not self.stopped() and time.monotonic() < self.until:
                self.step()
            # Last, when nothing else is held: if a suspect ends this process, only it has to be tried again.
            if not self.held:
                try_suspects(desk, suspects, time.monotonic() + desk.settings.budget_s / 4, self.stopped)
            if not self.stopped():
                top_up(desk)
        except redis.ResponseError as error:
            if not is_refusal(error) and "NOGROUP" not in str(error):
                time.sleep(BACK_OFF_S)
                raise
            desk.counts["refused_by_server"] += 1
            log.warning("the server refuses to write: %s", error)
            time.sleep(BACK_OFF_S)
        except (redis.ConnectionError, redis.TimeoutError) as error:
            desk.counts["disconnected"] += 1
            log.warning("lost the server: %s", explained(error))
            time.sleep(BACK_OFF_S)
        except Exception:
            time.sleep(BACK_OFF_S)  # whatever it is, the next drain must not meet it at once
            raise

    def step(self) -> None:
        """One batch of live rounds, then one part; live rounds come first, but neither starves."""
        part = self.read(2, 1, 0)
        self.settle(part)
        wait = WAIT_FOR_TURN_MS if self.held else self.desk.settings.block_ms
        self.settle(self.read(1, self.desk.settings.batch_max, 0 if part else wait))
        if self.held:
            waiting, self.held = self.held, []
            self.settle(waiting)

    def read(self, stream: int, count: int, block_ms: int) -> list[Entry]:
        """New entries of a stream, waiting ``block_ms`` for the first (0: not at all)."""
        key = stream_key(self.desk, stream)
        found = cast(
            "list[tuple[bytes, list[Row]]] | None",
            self.desk.connection.xreadgroup(GROUP, self.desk.consumer, {key: ">"}, count=count, block=block_ms or None),
        )
        rows = found[0][1] if found else []
        return [parse(self.desk, row, stream, self.now_ms()) for row in rows]

    def settle(self, entries: list[Entry]) -> None:
        """Settle entries that this worker holds; park those that another worker must judge."""
        if not entries:
            return
        desk = self.desk
        if desk.suspects:  # those stay pending: the next drain finds them and tries them alone
            aside = {entry.entry: entry for entry in entries if entry.digest in desk.suspects}
            entries = [entry for entry in entries if entry.entry not in aside]
            if parked := [entry.entry for entry in aside.values() if entry.parked]:
                desk.connection.hdel(desk.keys.parked, *parked)
        mine = [entry for entry in entries if not self.is_foreign(entry)]
        if len(mine) < len(entries):
            self.park([entry for entry in entries if self.is_foreign(entry)])
        outcome = settle_entries(desk, mine)
        desk.counts["batches"] += 1
        desk.counts["done"] += outcome.done
        self.held += outcome.waiting
        for entry in outcome.failed:
            if len(entry.rounds) > 1:
                split(desk, entry)
            else:
                bury(desk, entry, entry.reason, 1)

    def is_foreign(self, entry: Entry) -> bool:
        """Whether a round of the entry should wait for a worker that has its rule set or edition."""
        lacking = any(sent.rule and not self.desk.judge.supports(sent.rule, sent.edition) for sent in entry.rounds)
        return lacking and self.now_ms() - entry.born_ms < self.desk.settings.edition_wait_s * 1_000

    def park(self, entries: list[Entry]) -> None:
        """Leave entries pending for whoever can judge them, without counting it as a delivery."""
        tags: dict[Any, Any] = {
            entry.entry: f"{entry.rounds[0].rule}@{entry.rounds[0].edition or ''}" for entry in entries
        }
        with self.desk.connection.pipeline() as pipe:
            pipe.hset(self.desk.keys.parked, mapping=tags)
            for entry in entries:
                key = stream_key(self.desk, entry.stream)
                pipe.xclaim(key, GROUP, PARKED, 0, [entry.entry], retrycount=1, justid=True)
            pipe.execute()
        self.desk.counts["parked"] += len(entries)

    def unpark(self) -> None:
        """Take the parked entries that this worker can judge, and those that have waited long enough to be refused."""
        desk = self.desk
        tags = cast("dict[bytes, bytes]", desk.connection.hgetall(desk.keys.parked))
        ready = []
        for entry, tag in tags.items():
            rule, _, edition = tag.decode().partition("@")
            age_ms = self.now_ms() - int(entry.partition(b"-")[0])
            if age_ms >= desk.settings.edition_wait_s * 1_000 or desk.judge.supports(rule, edition or None):
                ready.append(entry)
        for first in range(0, len(ready), desk.settings.batch_max):
            self.settle(self._claim_parked(ready[first : first + desk.settings.batch_max]))

    def _claim_parked(self, ids: list[bytes]) -> list[Entry]:
        desk = self.desk
        entries: list[Entry] = []
        for stream in (1, 2):
            key = stream_key(desk, stream)
            rows = cast("list[Row]", desk.connection.xclaim(key, GROUP, desk.consumer, 0, cast(Any, ids), retrycount=1))
            entries += [parse(desk, row, stream, self.now_ms()) for row in rows if row[1]]
        claimed = {entry.entry.encode() for entry in entries}
        if gone := [ident for ident in ids if ident not in claimed]:
            desk.connection.hdel(desk.keys.parked, *gone)
        for entry in entries:
            entry.parked = True
        return entries


class StopFlag:
    """Set by SIGTERM in a work horse: finish the batch, then end."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        return self.asked

    def catch(self, signum: int, frame: FrameType | None) -> None:
        """Signal handler."""
        self.asked = True


stop_flag = StopFlag()
_desk: Desk | None = None


def hold_desk(desk: Desk | None) -> None:
    """Keep a desk for the drains of this process and of those that it forks, so that each finds the judge loaded."""
    global _desk
    _desk = desk


def drain() -> None:
    """The RQ job. Everything it needs it finds in the process (see ``hold_desk``) or in the environment."""
    desk = _desk
    if desk is None:
        job = get_current_job()
        settings = load_settings()
        desk = open_desk(settings, consumer=job.worker_name or job.id if job else "drain")
        signal.signal(signal.SIGTERM, stop_flag.catch)
        hold_desk(desk)
    with session(desk.settings), span("drain", consumer=desk.consumer):
        Drain(desk, stop_flag).run()
    flush_counts(desk)


def flush_counts(desk: Desk) -> None:
    """Add this drain's counts to the counters in Redis; counts of a drain that is killed are lost, never its rounds."""
    counts = desk.counts
    counts["judged"] += desk.judge.judged
    counts["judging_us"] += int(desk.judge.judging_s * 1e6)
    counts["cache_hits"] += desk.judge.cache.hits
    counts["cache_misses"] += desk.judge.cache.misses
    desk.judge.judged, desk.judge.judging_s = 0, 0.0
    desk.judge.cache.hits = desk.judge.cache.misses = 0
    try:
        with desk.connection.pipeline(transaction=False) as pipe:
            for name, times in counts.items():
                if times:
                    pipe.hincrby(desk.keys.counters, f"drain_{name}", times)
            pipe.execute()
        desk.tally.flush(desk.connection, desk.keys.metrics)
    except redis.RedisError as error:
        log.warning("counters were not written: %s", explained(error))
    counts.clear()
