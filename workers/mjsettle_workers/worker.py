"""The RQ worker of the drains. Start it by ``mjsettle worker``, or by
``rq worker -w mjsettle_workers.worker.SettleWorker -S rq.serializers.JSONSerializer mjsettle``.

Not with ``rq worker-pool``, and with no second queue: on several queues RQ takes jobs off without a safety copy.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import secrets
import signal
import tempfile
import time
from typing import TYPE_CHECKING, Any

import redis
from rq import Worker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from mjsettle_workers import drain, upkeep
from mjsettle_workers.connection import check_server, explained, run_id, wait_while_loading
from mjsettle_workers.last_words import LastWords
from mjsettle_workers.settings import Settings, SettingsError, load_settings
from mjsettle_workers.tokens import DRAIN, drain_queue

if TYPE_CHECKING:
    from rq.job import Job
    from rq.queue import Queue

    from mjsettle_workers.settling import Desk

log = logging.getLogger(__name__)

IDLE_BEAT_S = 1
"""How long an idle worker waits for a job before it looks after the queue."""
STOPS = (signal.SIGINT, signal.SIGTERM)


class SettleWorker(Worker):
    """An RQ worker that keeps drain jobs queued, shares its loaded judge with its work horses, and stops gracefully.

    Told to stop (SIGTERM or SIGINT), it finishes its batch; told again more than a second later, it stops at once, and
    what it held stays pending for another.
    """

    log_result_lifespan = False
    max_connection_wait_time = 2.0  # seconds between attempts to reach a lost server

    settings: Settings
    desk: Desk | None = None
    told: drain.StopFlag
    """Whether somebody asked for an end, be it while the worker was still loading."""

    def __init__(self, queues: Any, *args: Any, settings: Settings | None = None, **kwargs: Any) -> None:
        self.settings = settings or load_settings()
        self.told = drain.StopFlag()
        kwargs["serializer"] = JSONSerializer
        kwargs["log_job_description"] = False
        super().__init__(queues, *args, **kwargs)
        names = self.queue_names()
        if names and names != [self.settings.queue]:
            raise SettingsError(
                f"queues: found {', '.join(names)}, expected only {self.settings.queue} (MJSETTLE_QUEUE)"
            )
        self._answers: int | None = None
        self._words = LastWords()
        self._upkeep_due = 0.0

    @property
    def dequeue_timeout(self) -> int:
        """Seconds that an idle worker waits for a job; short, since it must then top up the queue."""
        return IDLE_BEAT_S

    @property
    def connection_timeout(self) -> int:
        """Seconds after which a silent server is a lost one."""
        return IDLE_BEAT_S + 10

    def work(self, *args: Any, **kwargs: Any) -> bool:
        """Check the server, load the judge once for all work horses, then work as any RQ worker does."""
        check_server(self.connection, self.settings)
        if self.desk is None:
            self.desk = drain.open_desk(self.settings, consumer=f"{self.name}.{secrets.token_hex(4)}")
        if run_id(self.connection) != run_id(self.desk.connection):
            raise SettingsError(
                f"MJSETTLE_REDIS_URL: found {self.settings.shown_url}, expected the server of this worker's RQ queue"
            )
        self.desk.store.forget()
        drain.ensure_groups(self.desk.connection, self.desk.keys)
        upkeep.warm_up(self.desk)
        self.desk.judge.words = self._words
        drain.hold_desk(self.desk)
        gc.collect()
        gc.freeze()  # what is loaded stays: horses neither walk through it nor copy its pages
        if kwargs.get("logging_level") is None and not args:
            kwargs["logging_level"] = "WARNING"  # RQ writes three lines a drain at INFO
        try:
            return bool(super().work(*args, **kwargs))
        finally:
            if not self.is_horse:
                upkeep.sign_off(self.desk)

    @property
    def should_run_maintenance_tasks(self) -> bool:
        """Whether the queue or RQ's registries are due to be looked after."""
        return time.monotonic() >= self._upkeep_due or bool(super().should_run_maintenance_tasks)

    def run_maintenance_tasks(self) -> None:
        """Look after the queue every second that this worker is idle, and after RQ's registries as RQ does.

        Nothing depends on the registries: a worker killed while it held their lock blocks them for 15 minutes.
        """
        if self.desk is not None and time.monotonic() >= self._upkeep_due:
            self._upkeep_due = time.monotonic() + IDLE_BEAT_S
            upkeep.look_after(self.desk)
        if super().should_run_maintenance_tasks:
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]

    def heartbeat(self, *args: Any, **kwargs: Any) -> None:
        """As RQ does it before it waits for a job, unless it was told to stop where Python dropped the exit."""
        if self.told.asked and not self.horse_pid and not self.is_horse:
            raise StopRequested
        super().heartbeat(*args, **kwargs)

    def teardown(self) -> None:
        """Leave, also where the server is away: it forgets by itself who does not tell it any more that he lives."""
        try:
            super().teardown()  # type: ignore[no-untyped-call]
        except (redis.ConnectionError, redis.TimeoutError) as error:
            log.debug("left without signing off: %s", explained(error))
            listening: Any = self.pubsub_thread
            if listening is not None:
                listening.stop()  # else it would wait for the server beside the next worker's

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run drains and nothing else: RQ runs whatever a job names, and whoever reaches the queue names it."""
        if why := foreign_job(job):
            log.error("a job of queue %s was dropped: %s", queue.name, why)
            job.delete()
            return
        super().execute_job(job, queue)

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Fork, with an anonymous file through which the horse hands its fresh answers back.

        A stop that arrives meanwhile waits: the child must not meet it with the parent's handlers.
        """
        if self._answers is None:
            self._answers = _anonymous_file()
        os.ftruncate(self._answers, 0)
        self._words.clear()
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        try:
            super().fork_work_horse(job, queue)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def perform_job(self, *args: Any, **kwargs: Any) -> bool:
        """In the horse: run one drain, then write what its judge found for the parent's cache."""
        done = super().perform_job(*args, **kwargs)  # RQ 2 and 3 differ in what they pass
        if self.desk is not None and self._answers is not None and self.is_horse:
            os.pwrite(self._answers, self.desk.judge.cache.export_fresh(), 0)
        return bool(done)

    def monitor_work_horse(self, *args: Any, **kwargs: Any) -> None:
        """Wait for the horse, then take over its answers; a horse that was killed wrote none, or a blob cut short."""
        super().monitor_work_horse(*args, **kwargs)
        if hung := self._words.take(self.settings.judge_limit_s):
            log.error("a judge or a result sink hung: %s", hung)
        if self.desk is not None and self._answers is not None and (size := os.fstat(self._answers).st_size):
            self.desk.judge.cache.absorb(os.pread(self._answers, size, 0))

    def setup_work_horse_signals(self) -> None:
        """In the horse: SIGTERM ends the drain after its batch."""
        drain.stop_flag.asked = False
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, drain.stop_flag.catch)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def handle_warm_shutdown_request(self) -> None:
        """Told to stop: let the horse finish its batch rather than its budget."""
        self.told.asked = True
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        if self.horse_pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.horse_pid, signal.SIGTERM)


def foreign_job(job: Job) -> str:
    """What makes a job other than a drain as ``tokens.top_up`` queues it, or nothing."""
    try:
        name, given = job.func_name, (*job.args, *job.kwargs)
    except Exception as error:  # whatever reading a forged job raises
        return f"it cannot be read: {error}"
    if name != DRAIN or given or job.instance is not None:
        return f"found {name!r} with {len(given)} arguments, expected {DRAIN} with none"
    called = [getattr(job, f"_{kind}_callback_name", None) for kind in ("success", "failure", "stopped")]
    return f"found callbacks {called}, expected none" if any(called) else ""


def _anonymous_file() -> int:
    """Descriptor of a file without a name."""
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def run_worker(connection: redis.Redis, settings: Settings, *, burst: bool, told: drain.StopFlag) -> None:
    """Run one worker until it ends; ``told`` says whether it was asked to, and may say so before it begins."""
    wait_while_loading(connection, settings)
    worker = SettleWorker([drain_queue(connection, settings)], connection=connection, settings=settings)
    worker.told = told
    with contextlib.suppress(StopRequested):  # told in the moment that it ended
        worker.work(burst=burst)
