"""Servers as deploy/redis ships them, settings and users, with another binary or other lines where asked for."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from mjsettle_workers.embedded import find_server
from mjsettle_workers.testing import version_of, wait_until

REDIS = Path(__file__).parents[2] / "deploy" / "redis"
USERS = ("worker", "room", "ledger", "metrics", "desk", "replica", "sentinel", "admin")


class Running(NamedTuple):
    """A server at work."""

    socket: Path
    process: subprocess.Popen[bytes]


def users_for(version: str) -> str:
    """The users that make-acl.sh writes for a server of this version; each has its name and ``-secret`` as password."""
    environ = os.environ | {f"{user.upper()}_PASSWORD": f"{user}-secret" for user in USERS}
    command = ["sh", str(REDIS / "make-acl.sh"), version]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running_process(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process for the time of the block, unless it was ended before."""
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(20)


@contextmanager
def shipped_server(
    folder: Path, *, binary: str | None = None, lines: str | None = None, **given: object
) -> Iterator[Running]:
    """A server with the shipped settings (or ``lines`` instead of them) and users, for the time of the block.

    ``given`` are settings that override those of the file, with underscores for dashes.
    """
    binary = binary or find_server()
    (folder / "users.acl").write_text(users_for(version_of(binary)))
    (folder / "redis.conf").write_text((REDIS / "redis.conf").read_text() if lines is None else lines)
    path = folder / "s"
    own = {"aclfile": folder / "users.acl", "dir": folder, "port": 0, "unixsocket": path, "maxmemory": "256mb"}
    options = [text for name, value in {**own, **given}.items() for text in (f"--{name.replace('_', '-')}", str(value))]
    log = folder / "log"
    with running_process([binary, str(folder / "redis.conf"), *options], log) as process:
        wait_until(lambda: path.exists() or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        yield Running(path, process)
