from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.testing import running_server, wait_until

STEP = "for i = 1, 5 do redis.call('RPUSH', 'list', i) end redis.call('SET', 'last', '1')"
"""A script, hence a transaction in the server's file."""


@contextmanager
def connected(server: EmbeddedServer) -> Iterator[Any]:
    with redis.Redis.from_url(server.url) as connection:
        yield connection


def test_a_file_cut_off_within_a_step_holds_nothing_of_it(tmp_path: Path) -> None:
    with running_server(tmp_path, {"appendfsync": "always"}) as server:
        with connected(server) as connection:
            connection.set("before", 1)
            connection.eval(STEP, 0)
        server.kill()
        (file,) = tmp_path.glob("appendonlydir/*.incr.aof")
        written = file.read_bytes()
        file.write_bytes(written[: written.rindex(b"RPUSH") + 2])
        for name in ("first", "second"):  # what follows must not complete the step, nor be lost with it
            server.start()
            with connected(server) as connection:
                connection.eval("redis.call('SET', KEYS[1], '1')", 1, name)
            server.kill()
        server.start()
        with connected(server) as connection:
            assert sorted(connection.keys()) == [b"before", b"first", b"second"]


def test_a_server_takes_writes_once_it_is_started(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connected(server) as connection:
        assert connection.config_get("min-replicas-to-write") == {"min-replicas-to-write": "0"}
        assert connection.set("key", 1)


def test_a_server_that_loads_its_file_may_take_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = {"key-load-delay": "3000", "loading-process-events-interval-bytes": "1024"}
    with running_server(tmp_path, slow) as server:
        with connected(server) as connection:
            connection.mset({f"key:{i}": "x" * 100 for i in range(1_000)})
            connection.bgrewriteaof()
            wait_until(lambda: connection.info("persistence")["aof_base_size"] > 10_000)
        server.kill()
        monkeypatch.setattr("mjsettle_workers.embedded.START_S", 1.0)
        server.start()
        with connected(server) as connection:
            assert connection.dbsize() == 1_000


class Told(BaseException):
    """What a handler raises that ends the process."""


@pytest.fixture
def leaving() -> Iterator[None]:
    def leave(*_: object) -> None:
        raise Told

    before = signal.signal(signal.SIGTERM, leave)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.usefixtures("leaving")
def test_a_stop_in_the_moment_of_the_start_leaves_no_server_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)
            signal.raise_signal(signal.SIGTERM)

    server = EmbeddedServer(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("mjsettle_workers.embedded.subprocess.Popen", Interrupted)
        with pytest.raises(Told):
            server.start()
    try:
        assert started[0].poll() is not None
    finally:
        started[0].kill()
        started[0].wait()


@pytest.mark.usefixtures("leaving")
def test_a_stop_while_the_server_is_announced_leaves_no_server_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes] | None] = []
    server = EmbeddedServer(tmp_path)

    def interrupted(*_: object) -> int:
        started.append(server.process)
        signal.raise_signal(signal.SIGTERM)
        return 0

    monkeypatch.setattr(Path, "write_text", interrupted)
    with pytest.raises(Told):
        server.start()
    (process,) = started
    assert process is not None
    try:
        assert process.poll() is not None
    finally:
        process.kill()
        process.wait()
