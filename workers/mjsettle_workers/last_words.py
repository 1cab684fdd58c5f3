"""What a work horse that is ended for taking too long leaves behind: where it hung, and at which round."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

BYTES_MAX = 16_384
REMEMBERED = 100
"""Rounds whose end is remembered; they go to the dead letters after a few attempts."""


class LastWords:
    """A file without a name that a worker shares with its work horses, and what it has found there.

    The traceback is written from a C thread while nothing else of the process can be relied upon, so a file it is; and
    not the log, whose lines may have to be JSON.
    """

    def __init__(self) -> None:
        self._opened = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - it lives as long as its worker
        self.file = self._opened.fileno()
        self._reasons: dict[str, str] = {}

    @contextmanager
    def about(self, digest: str) -> Iterator[None]:
        """In the horse: whatever is left behind during the block is about this round alone."""
        self.clear()
        os.write(self.file, digest.encode() + b"\n")
        yield
        self.clear()

    def clear(self) -> None:
        """Before a horse begins, and when it has survived."""
        os.ftruncate(self.file, 0)
        os.lseek(self.file, 0, os.SEEK_SET)

    def take(self, limit_s: float) -> str:
        """In the worker: where its horse hung, or nothing; remembered for the round if it was tried alone."""
        found = os.pread(self.file, BYTES_MAX, 0).decode("utf-8", "replace")
        self.clear()
        head, _, rest = found.partition("\n")
        digest, trace = ("", found) if head.startswith("Timeout") else (head, rest)
        if not trace.strip():
            return ""
        told = f"{trace.rstrip()}\nit took longer than {limit_s:g} s (MJSETTLE_JUDGE_LIMIT_S) and was ended"
        if digest:
            if len(self._reasons) == REMEMBERED:
                self._reasons.clear()
            self._reasons[digest] = told
        return told

    def reason(self, digest: str) -> str:
        """How the last attempt at a round ended, or nothing."""
        return self._reasons.get(digest, "")
