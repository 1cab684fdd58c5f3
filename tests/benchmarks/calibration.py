"""Calibration twins: fixed workloads, measured beside every benchmark in the same run.

A benchmark's ratio to its twin says how fast the code is with the machine, its load and its clock taken out of the
figure; seconds do not. The workloads never change: a change would make stored ratios incomparable.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

import numpy as np

clock: Final = time.process_time
"""Time of this process's own work: what other processes do to a busy machine is left out of it."""

_COLUMN: Final = 8_192
_STEPS: Final = 40


def python_twin() -> int:
    """Integers, tuples, lists and dictionaries, as judging one hand uses them."""
    found: dict[tuple[int, int], int] = {}
    state = 1
    for step in range(6_000):
        state = state * 1_103_515_245 + 12_345 & 0x7FFF_FFFF
        key = (state % 34, step & 7)
        found[key] = found.get(key, 0) | 1 << state % 9
        if state & 64:
            counts = [state >> shift & 3 for shift in range(0, 27, 3)]
            found[key] += sum(counts).bit_count()
    return sum(value.bit_count() for value in found.values())


def numpy_twin() -> int:
    """Columns of a few thousand 64-bit integers, as judging many hands uses them."""
    rows = np.arange(_COLUMN, dtype=np.int64)
    masks = (rows * 0x5851_F42D_4C95_7F2D) & ((1 << 34) - 1)
    table = np.arange(512, dtype=np.int64)
    total = np.zeros(_COLUMN, np.int64)
    for step in range(_STEPS):
        some = ((masks >> step % 27) & 0x1FF) | 1
        fits = (some & 0x49 == 0x49) & ((masks & 0xFF) != step)
        total += table.take(some) * fits + np.bitwise_count(masks)
    return int(total.sum())


TWINS: Final[dict[str, Callable[[], int]]] = {"python": python_twin, "numpy": numpy_twin}


def seconds_of(call: Callable[[], object], rounds: int = 7) -> float:
    """The least CPU time of a call."""
    running = gc.isenabled()
    gc.disable()
    try:
        best = float("inf")
        for _ in range(rounds):
            began = clock()
            call()
            best = min(best, clock() - began)
        return best
    finally:
        if running:
            gc.enable()


def side_by_side(calls: dict[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """The least CPU time of each call, taken in turns so that all meet the same load."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            best[name] = min(best[name], seconds_of(call, 1))
    return best
