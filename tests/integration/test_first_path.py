"""The whole path with a real server and real worker processes, through the command line as a user would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import quick_environment, running_worker, wait_until
from tests.integration.shipped import free_port

README = Path(__file__).parents[2] / "workers" / "README.md"
MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))


def cli(environ: dict[str, str], *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([MJSETTLE, *arguments], env=environ, input=given, capture_output=True, timeout=60)


def rounds(count: int) -> bytes:
    now = int(time.time())
    return b"".join(
        json.dumps({"id": f"table/{i}", "ended_at": now, "rule": "stub", "honba": i}).encode() + b"\n"
        for i in range(count)
    )


def test_enqueued_rounds_are_settled_by_a_worker_and_found_by_id(settings: Settings, worker_log: Path) -> None:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    with running_worker(environ, worker_log, [MJSETTLE, "worker"]):
        sent = cli(environ, "enqueue", "-", given=rounds(300))
        assert sent.returncode == 0, sent.stderr
        found = cli(environ, "result", "--wait", "10", "table/7", "table/299")
        assert found.returncode == 0, found.stderr
        answers = [json.loads(line) for line in found.stdout.splitlines()]
        assert [answer["id"] for answer in answers] == ["table/7", "table/299"]
        assert answers[0]["deltas"] == [21, -7, -7, -7]
        assert cli(environ, "result", "table/none").returncode == 1


def test_enqueue_waits_for_answers_in_order_unreadable_rounds_included(settings: Settings, worker_log: Path) -> None:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    lines = rounds(20).splitlines()
    lines.insert(3, b"{ this is no JSON")
    with running_worker(environ, worker_log, [MJSETTLE, "worker"]):
        done = cli(environ, "enqueue", "-", "--wait", given=b"\n".join(lines))
        assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers[:5]] == ["table/0", "table/1", "table/2", None, "table/3"]
    assert answers[3]["status"] == "refused"
    assert answers[3]["errors"][0]["code"] == "unreadable"
    assert len(answers) == 21


def test_the_embedded_server_is_started_found_and_stopped(tmp_path: Path, worker_log: Path) -> None:
    environ = quick_environment("", home=tmp_path / "state")
    del environ["MJSETTLE_REDIS_URL"]
    notice = tmp_path / "state" / "server.url"
    with running_worker(environ, worker_log, [MJSETTLE, "worker", "--embedded"]):
        wait_until(notice.exists, told="the embedded server's notice")
        done = cli(environ, "enqueue", "-", "--wait", given=rounds(3))
        assert done.returncode == 0, done.stderr
        assert len(done.stdout.splitlines()) == 3
    assert not notice.exists()
    # What was settled is there when the next worker starts the server again.
    with running_worker(environ, worker_log, [MJSETTLE, "worker", "--embedded"]):
        wait_until(notice.exists, told="the embedded server's notice")
        assert cli(environ, "result", "table/2").returncode == 0


def test_the_first_steps_of_the_readme_settle(tmp_path: Path, worker_log: Path) -> None:
    console = re.search(r"```console\n(.*?)```", README.read_text(), re.DOTALL)
    assert console is not None
    first, *steps = [line.removeprefix("$ ") for line in console[1].splitlines()]
    assert first.startswith("mjsettle worker --embedded ")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MJSETTLE_")}
    environ |= {"MJSETTLE_HOME": str(tmp_path / "state"), "PATH": f"{Path(MJSETTLE).parent}:{environ['PATH']}"}
    with running_worker(environ, worker_log, [MJSETTLE, "worker", "--embedded"]):
        wait_until((tmp_path / "state" / "server.url").exists, told="the embedded server's notice")
        for step in steps:
            done = subprocess.run(step, shell=True, cwd=tmp_path, env=environ, capture_output=True, timeout=60)
            assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "settled"


def test_the_embedded_server_is_told_from_and_stopped_with_its_worker(tmp_path: Path, worker_log: Path) -> None:
    """Its places are told, its own settings are not warned about, and told to stop at any time it leaves no server."""
    environ = quick_environment("", home=tmp_path / "state")
    del environ["MJSETTLE_REDIS_URL"]
    port = free_port()
    command = [MJSETTLE, "worker", "--embedded", "--port", str(port)]
    with running_worker(environ, worker_log, command):
        wait_until(lambda: "settling rounds of" in worker_log.read_text())
        with redis.Redis(port=port) as by_port:
            assert by_port.ping()
        wait_until(lambda: json.loads(cli(environ, "queue").stdout)["workers"] == 1)
        assert f"redis://127.0.0.1:{port}/0" in worker_log.read_text()
        assert "maxmemory" not in worker_log.read_text()
    for delay_s in (0.3, 0.6, 0.9):  # while it starts
        with running_worker(environ, worker_log, command):
            time.sleep(delay_s)
        with redis.Redis(port=port) as by_port, pytest.raises(redis.ConnectionError):
            by_port.ping()


def test_rq_starts_the_worker_too(settings: Settings, worker_log: Path) -> None:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    rq = [str(Path(sys.executable).with_name("rq")), "worker", "-w", "mjsettle_workers.worker.SettleWorker"]
    with running_worker(environ, worker_log, [*rq, "--url", settings.redis_url, settings.queue]):
        done = cli(environ, "enqueue", "-", "--wait", given=rounds(5))
        assert done.returncode == 0, done.stderr + worker_log.read_bytes()
        assert len(done.stdout.splitlines()) == 5
