"""Storms: ``make chaos`` runs longer ones; ``CHAOS_SEED`` repeats one, ``CHAOS_SECONDS`` makes it longer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.integration.storm import Storm

SEED = int(os.environ.get("CHAOS_SEED", "20261"))
SECONDS = float(os.environ.get("CHAOS_SECONDS", "12"))


def weather(folder: Path, seed: int, seconds: float, fsync: str) -> None:
    report = Storm(folder, seed, seconds, fsync).run()
    print(f"\nseed {seed}, appendfsync {fsync}: {report}")
    if report.wrong:
        print(report.why)
        pytest.fail(f"repeat it by CHAOS_SEED={seed} CHAOS_SECONDS={seconds:g}: " + "\n".join(report.wrong))
    assert report.rounds > 0
    assert report.blows


@pytest.mark.parametrize("fsync", ["everysec", "always"])
def test_a_storm_leaves_the_books_right(tmp_path: Path, fsync: str) -> None:
    weather(tmp_path, SEED, SECONDS, fsync)


@pytest.mark.chaos_long
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("fsync", ["everysec", "always"])
def test_long_storms_leave_the_books_right(tmp_path: Path, fsync: str, seed: int) -> None:
    weather(tmp_path, SEED + seed, 120, fsync)
