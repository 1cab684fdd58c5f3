"""A replay on the workers of a queue tells what one process tells, and leaves nothing behind."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import mjsettle
from mjsettle import examples
from mjsettle.replay import Change, Rounds, replay
from mjsettle_workers.client import Client
from mjsettle_workers.replaying import NoQueue, open_fanout
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.testing import quick_environment, running_worker, wait_until


def test_replay_on_workers(settings: Settings, client: Client, worker_log: Path, tmp_path: Path) -> None:
    judged = quick_environment(
        settings.redis_url, prefix=settings.prefix, queue=settings.queue, judge="mjsettle:load", judge_limit_s="1.5"
    )
    change = Change(options={"horses": 0})
    expected = replay(Rounds([io.BytesIO(examples.rounds())]), change, engine=mjsettle.load())
    with pytest.raises(NoQueue, match="no worker at"):
        open_fanout(settings)
    with running_worker(judged, worker_log):
        wait_until(lambda: client.connection.zcard(client.keys.workers), 30, "a worker")
        fanout = open_fanout(settings)
        try:
            found = replay(Rounds([io.BytesIO(examples.rounds() * 3)]), change, fanout=fanout)
        finally:
            fanout.close()
    assert expected.changed > 0
    assert found.changed == 3 * expected.changed
    assert found.rules["guangdong"].gained == [3 * points for points in expected.rules["guangdong"].gained]
    # Nothing was stored, and the answers of the batches are gone.
    assert client.store.days() == []
    assert not list(client.connection.scan_iter(match=f"{settings.prefix}:batch:*"))


def test_no_server(tmp_path: Path) -> None:
    with pytest.raises(NoQueue, match="no server at"):
        open_fanout(load_settings({}, redis_url=f"unix://{tmp_path / 'nowhere.sock'}"))
