"""What a caller of ``mjsettle enqueue`` lives through: a server that is killed, rounds too long, rules not there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mjsettle_workers.client import Client
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import (
    open_client,
    quick_environment,
    quick_settings,
    raw,
    running_server,
    running_worker,
    stub_round,
    wait_until,
)

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))
COUNT = 6_000


@contextmanager
def enqueuing(environ: dict[str, str], sent: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """``mjsettle enqueue --wait`` of a file, its answers in ``answers.jsonl`` beside it."""
    command = [MJSETTLE, "enqueue", str(sent), "--wait", "-o", str(sent.with_name("answers.jsonl")), *options]
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def enqueue(environ: dict[str, str], *options: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [MJSETTLE, "enqueue", "-", *options], env=environ, input=given, capture_output=True, timeout=60
    )


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def has_more(path: Path, before: int) -> bool:
    return lines(path) > before


class TestAServerThatIsKilled:
    """A server of each test alone."""

    @pytest.fixture
    def server(self, tmp_path: Path) -> Iterator[EmbeddedServer]:
        with running_server(tmp_path / "server") as running:
            yield running

    @pytest.fixture
    def client(self, server: EmbeddedServer) -> Iterator[Client]:
        with open_client(quick_settings(server.url)) as opened:
            yield opened

    @pytest.fixture
    def sent(self, tmp_path: Path) -> Path:
        file = tmp_path / "rounds.jsonl"
        file.write_bytes(b"".join(stub_round(f"r{i}", honba=i) + b"\n" for i in range(COUNT)))
        return file

    def test_every_round_is_answered_in_order(
        self, server: EmbeddedServer, client: Client, sent: Path, tmp_path: Path
    ) -> None:
        environ = quick_environment(server.url)
        with running_worker(environ, tmp_path / "worker.log"), enqueuing(environ, sent) as process:
            for _ in range(2):
                wait_until(partial(has_more, tmp_path / "answers.jsonl", lines(tmp_path / "answers.jsonl")))
                assert process.poll() is None
                server.kill()
                server.start()
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        answers = read(tmp_path / "answers.jsonl")
        assert [answer["id"] for answer in answers] == [f"r{i}" for i in range(COUNT)]
        assert all(answer["deltas"][0] == 3 * i for i, answer in enumerate(answers))
        settled = [fields for _, fields in raw(client).xrange(client.keys.results) if b"again" not in fields]
        assert len(settled) == COUNT

    def test_what_had_come_is_written_and_what_is_left_is_counted(
        self, server: EmbeddedServer, sent: Path, tmp_path: Path
    ) -> None:
        environ = quick_environment(server.url)
        with enqueuing(environ, sent, "--timeout", "3") as process:
            with running_worker(environ, tmp_path / "worker.log"):
                wait_until(partial(has_more, tmp_path / "answers.jsonl", 0))
                server.kill()
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 2
        answers = read(tmp_path / "answers.jsonl")
        assert 0 < len(answers) < COUNT
        assert [answer["id"] for answer in answers] == [f"r{i}" for i in range(len(answers))]
        told, ended = errors.splitlines()
        assert "Trying again" in told
        assert f"{COUNT - len(answers)} of {COUNT} rounds without an answer" in ended
        assert "no server at" in ended


@pytest.fixture
def environ(settings: Settings) -> dict[str, str]:
    return quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)


ROUNDS = b"\n".join([stub_round("a"), stub_round("long", pad="x" * 70_000), stub_round("c")])


def test_a_round_that_is_too_long_is_answered_beside_the_others(environ: dict[str, str], worker_log: Path) -> None:
    with running_worker(environ, worker_log):
        done = enqueue(environ, "--wait", given=ROUNDS)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["id"], answer["status"]) for answer in answers] == [
        ("a", "settled"),
        ("long", "refused"),
        ("c", "settled"),
    ]
    assert answers[1]["errors"][0]["code"] == "too_long"


def test_a_round_that_is_too_long_is_named_and_the_others_are_sent(environ: dict[str, str], client: Client) -> None:
    done = enqueue(environ, given=ROUNDS)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert "round 2 (long) has" in line
    assert "not sent: 1 of 3 rounds" in line
    assert raw(client).xlen(client.keys.rounds) == 2


def test_a_rule_set_that_is_waited_for_is_named(environ: dict[str, str], worker_log: Path) -> None:
    judge = {"MJSETTLE_JUDGE": "mjsettle_workers.stub_judges:one_edition", "MJSETTLE_STUB_RULES": "stub@2"}
    with running_worker(environ | judge | {"MJSETTLE_EDITION_WAIT_S": "4"}, worker_log):
        sent = [stub_round("a", rule="nowhere"), stub_round("b", rule="nowhere"), stub_round("c", edition="1")]
        done = enqueue(environ, "--wait", given=b"\n".join(sent))
    assert done.returncode == 0, done.stderr
    told = done.stderr.decode().splitlines()
    assert [line.partition(";")[0] for line in told] == [
        "2 rounds wait for workers with the rule set nowhere",
        "1 round waits for workers with the rule set stub 1",
    ]
    for line in done.stdout.splitlines():
        assert json.loads(line)["errors"][0]["code"] == "unknown_rule"


def test_rounds_are_waited_for_in_the_order_of_a_room(
    environ: dict[str, str], worker_log: Path, client: Client
) -> None:
    ids = [f"r{i}" for i in range(60)]
    with running_worker(environ, worker_log), running_worker(environ, worker_log):
        done = enqueue(environ, "--wait", "--in-order", "room", given=b"\n".join(map(stub_round, ids)))
    assert done.returncode == 0, done.stderr
    assert [ident for _, ident, _, _ in client.follow(block_ms=1)] == ids
    assert raw(client).hget(client.keys.order("room"), "turn") == b"61"
