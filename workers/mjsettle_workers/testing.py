"""For tests: a durable server in a folder of its own and real worker processes, all of them stopped by process id."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import redis

from mjsettle_workers.client import Client
from mjsettle_workers.drain import Drain, ensure_groups, open_desk
from mjsettle_workers.embedded import EmbeddedServer, find_server
from mjsettle_workers.keys import GROUP
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.settling import Desk

BEGAN_S = int(time.time())
STUBS = "mjsettle_workers.stub_judges"
QUICK: Mapping[str, str] = {
    "MJSETTLE_BUDGET_S": "0.4",
    "MJSETTLE_BLOCK_MS": "50",
    "MJSETTLE_CLAIM_IDLE_MS": "2000",
    "MJSETTLE_JUDGE_LIMIT_S": "1",
    "MJSETTLE_EDITION_WAIT_S": "1",
    "MJSETTLE_JUDGE": f"{STUBS}:faulty",
}
"""Settings under which everything that takes seconds in service takes fractions of one."""


def quick_environment(url: str, **changes: object) -> dict[str, str]:
    """Environment of a worker process on the server ``url``; ``changes`` name settings in lower case."""
    named = {f"MJSETTLE_{name.upper()}": str(value) for name, value in changes.items()}
    return {**os.environ, **QUICK, "MJSETTLE_REDIS_URL": url, **named}


def quick_settings(url: str, **changes: object) -> Settings:
    """The settings of ``quick_environment``."""
    environ = quick_environment(url, **changes)
    return load_settings({name: value for name, value in environ.items() if name.startswith("MJSETTLE_")})


@contextmanager
def open_client(settings: Settings, room: str | None = None) -> Iterator[Client]:
    """A client whose connections are closed in the end."""
    client = Client(settings, room=room)
    try:
        yield client
    finally:
        client.connection.close()


@contextmanager
def open_test_desk(settings: Settings, consumer: str = "test") -> Iterator[Desk]:
    """A desk in this process, with the groups made and the floor set."""
    desk = open_desk(settings, consumer)
    try:
        ensure_groups(desk.connection, desk.keys)
        desk.store.forget()
        yield desk
    finally:
        desk.connection.close()


class WorkerProcess:
    """One worker process; started again by hand, stopped or killed by its id."""

    def __init__(self, environ: Mapping[str, str], log: Path, command: list[str] | None = None) -> None:
        self.environ = dict(environ)
        self.log = log
        self.command = command or [sys.executable, "-m", "mjsettle_workers"]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> WorkerProcess:
        """Start it, if it does not run."""
        if self.process is None or self.process.poll() is not None:
            with self.log.open("ab") as out:
                self.process = subprocess.Popen(
                    self.command, env=self.environ, stdout=out, stderr=out, start_new_session=True
                )
        return self

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self.process is not None
        return self.process.pid

    def horses(self) -> list[int]:
        """Process ids of its work horses."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        try:
            return [int(pid) for pid in children.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            return []

    def kill(self) -> None:
        """End it as the system would that is out of memory; its horse lives on until its drain is over."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def kill_horses(self) -> int:
        """End its work horses; returns how many."""
        ended = 0
        for pid in self.horses():
            try:
                os.kill(pid, signal.SIGKILL)
                ended += 1
            except ProcessLookupError:
                continue
        return ended

    def stop(self, timeout_s: float = 15.0) -> int:
        """Ask it to stop and wait; returns its exit status."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                self.kill_horses()
                self.kill()
                raise
        return self.process.returncode


@contextmanager
def running_worker(environ: Mapping[str, str], log: Path, command: list[str] | None = None) -> Iterator[WorkerProcess]:
    """A worker process for the time of the block."""
    worker = WorkerProcess(environ, log, command).start()
    try:
        yield worker
    finally:
        worker.stop()


@contextmanager
def running_server(folder: Path, config: Mapping[str, str] | None = None) -> Iterator[EmbeddedServer]:
    """A server for the time of the block."""
    server = EmbeddedServer(folder, config=config)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """A collector of spans: its address, and the bodies that it is sent."""
    bodies: list[bytes] = []

    class Keep(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Keep) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()
            thread.join()


def version_of(binary: str) -> str:
    """The version that a server's binary says it has."""
    told = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"v=([\d.]+)", told)
    assert found is not None, told
    return found[1]


def without_waitaof() -> str:
    """Lines of settings that take WAITAOF from the server that tests start: Redis 7.0 and 7.1 never had it."""
    return "" if version_of(find_server()).startswith(("7.0.", "7.1.")) else 'rename-command WAITAOF ""\n'


def wait_until(what: Callable[[], object], timeout_s: float = 20.0, told: str = "") -> None:
    """Wait until ``what()`` is true. Raises AssertionError, saying what it waited for, after ``timeout_s``."""
    deadline = time.monotonic() + timeout_s
    while not what():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout_s:g} s: {told or what}")
        time.sleep(0.02)


def stub_round(ident: str, *, rule: str = "stub", honba: int = 1, ago_s: int = 0, **fields: object) -> bytes:
    """A round for the stub judges that ended ``ago_s`` seconds before this process began: the same each time."""
    return msgspec.json.encode({"id": ident, "ended_at": BEGAN_S - ago_s, "rule": rule, "honba": honba, **fields})


def drain_once(desk: Desk, budget_s: float = 0.15) -> Drain:
    """Run one short drain in this process."""
    drain = Drain(desk, lambda: False)
    drain.until = time.monotonic() + budget_s
    drain.run()
    return drain


def answers_on_stream(client: Client) -> list[dict[str, Any]]:
    """Everything on the results stream, with ``again`` set on answers given before."""
    return [{**msgspec.json.decode(result), "again": again} for _, _, result, again in client.follow("0-0", block_ms=1)]


def raw(holder: Desk | Client) -> Any:
    """The connection, untyped: what it returns depends on how it was opened, which its types cannot say."""
    return holder.connection


def pending_count(holder: Desk | Client) -> int:
    """Entries of the rounds stream that were read and not finished."""
    try:
        return int(raw(holder).xpending(holder.keys.rounds, GROUP)["pending"])
    except redis.ResponseError:  # no worker has made the group yet
        return 0
