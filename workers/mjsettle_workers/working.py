"""Workers one after the other, until somebody asks for an end."""

from __future__ import annotations

import logging
import signal
import sys
import time
from types import FrameType

import click
import redis

from mjsettle_workers.connection import connect
from mjsettle_workers.drain import StopFlag
from mjsettle_workers.settings import Settings
from mjsettle_workers.unreachable import AccessError, is_denial, told
from mjsettle_workers.worker import STOPS, run_worker

RESTART_S = 1.0
"""Pause before a worker that ended unasked is started again."""


class Leave(StopFlag):
    """On SIGTERM or Ctrl-C end this process, until the worker takes the signals over.

    The signal is remembered, since Python drops an exit that is raised in a finalizer.
    """

    def catch(self, signum: int, frame: FrameType | None) -> None:
        """Signal handler."""
        super().catch(signum, frame)
        sys.exit(0)

    def listen(self) -> None:
        """Take the signals, before the worker has them and once it has ended: RQ's do nothing then."""
        for number in STOPS:
            signal.signal(number, self.catch)


def keep_working(settings: Settings, burst: bool) -> None:
    """Run workers one after the other: an RQ worker may end by itself, with success, when the network hangs.

    Raises AccessError where the server lets nobody in by this URL: a person has to look at it.
    """
    click.echo(f"settling rounds of {settings.shown_url} (stop: Ctrl-C)", err=True)
    leave = Leave()
    leave.listen()
    while not leave.asked:
        try:
            run_worker(connect(settings), settings, burst=burst, told=leave)
            if burst:
                return
        except (redis.ConnectionError, redis.TimeoutError, redis.ResponseError) as error:
            said = told(error, settings)
            if is_denial(error):
                raise AccessError(said) from error
            logging.getLogger(__name__).warning("the worker ended, another begins: %s", said)
        finally:
            leave.listen()
        if not leave.asked:
            time.sleep(RESTART_S)
