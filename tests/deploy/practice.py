"""A queue on a server with the shipped settings and users, a worker, and a plugin that has a fault."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import redis

from mjsettle import examples
from mjsettle_workers.embedded import find_server
from mjsettle_workers.testing import WorkerProcess, quick_environment, wait_until
from tests.docs.walk import environment, install

DEPLOY = Path(__file__).parents[2] / "deploy"
PAGE = (DEPLOY / "RUNBOOK.md").read_text()
USERS = ("worker", "room", "ledger", "metrics", "desk", "admin")
LETTER = "1764480000000-0"
"""What stands on the page for the entry of a dead letter."""
PLUGIN = """
from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option
from mjsettle.rules import Bonus

RATES = {"kong": 3, "added_kong": 1}


def pay(book, event, index):
    for seat in book.others(event.seat):
        book.pay(seat, event.seat, RATES[event.kind], "kong", event=index)


@hookimpl
def extends():
    return ["guangdong"]


@hookimpl
def options(rule):
    return [Option("house_kongs", False, "房规杠", "kongs pay once more")]


@hookimpl
def bonuses(rule, options):
    return [Bonus("house_kongs", "房规杠", "kong", pay)] if options.house_kongs else []
"""
PROJECT = """
[project]
name = "mjsettle-house"
version = "0.1.0"

[project.entry-points.mjsettle]
house = "mjsettle_house"
"""


def example(ident: str, ago_s: int = 0, **options: Any) -> dict[str, Any]:
    """The example round with a concealed kong."""
    [found] = [json.loads(line) for line in examples.rounds().splitlines() if b'"demo/2-kongs"' in line]
    named = {**found["options"], **options}
    return {**found, "id": ident, "ended_at": int(time.time()) - ago_s, "options": named}


class Practice:
    """A queue that is run as the runbook says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "s"
        self.data = folder / "data"
        self.plugin = folder / "mjsettle_house.py"
        self.plugin.write_text(PLUGIN)
        (folder / "pyproject.toml").write_text(PROJECT)
        install(folder)
        self.letter = ""
        self.worker = WorkerProcess(self.environ("worker"), folder / "worker.log", ["mjsettle", "worker"])
        self.server: subprocess.Popen[bytes] | None = None

    def environ(self, user: str) -> dict[str, str]:
        url = f"unix://{user}:{user}-secret@{self.socket}?db=0"
        quick = quick_environment(url, judge="mjsettle:load", judge_limit_s=5, claim_idle_ms=10_000)
        settings = {name: value for name, value in quick.items() if name.startswith("MJSETTLE_")}
        return environment(self.folder) | settings

    def admin(self) -> Any:
        return redis.Redis(unix_socket_path=str(self.socket), username="admin", password="admin-secret", protocol=2)

    def serve(self) -> None:
        """Start the server, by the two lines of the page, on a socket of its own."""
        shutil.copytree(DEPLOY / "redis", self.folder / "redis")
        [users] = re.findall(r"`(sh make-acl\.sh > users\.acl)`", PAGE)
        [server] = re.findall(r'`redis-server (redis\.conf --aclfile "\$PWD/users\.acl" --dir) (\S+)`', PAGE)
        self.data.mkdir()
        environ = os.environ | {f"{user.upper()}_PASSWORD": f"{user}-secret" for user in USERS}
        subprocess.run(["sh", "-c", users], cwd=self.folder / "redis", env=environ, check=True, timeout=60)
        own = f"--port 0 --unixsocket {self.socket} --logfile server.log"
        line = f"exec {find_server()} {server[0]} {self.data} {own}"  # another folder than the page's, which wants root
        process = subprocess.Popen(["sh", "-c", line], cwd=self.folder / "redis")
        self.server = process
        wait_until(lambda: self.socket.exists() or process.poll() is not None)
        assert process.poll() is None, (self.data / "server.log").read_text()

    def work(self) -> None:
        """Start the worker, if it does not run."""
        self.worker.start()
        wait_until(lambda: json.loads(self.run("mjsettle queue"))["workers"] == 1, 60)

    def stop(self) -> None:
        """Worker and server."""
        self.worker.stop()
        if self.server is not None:
            self.server.terminate()
            self.server.wait(20)

    def run(self, command: str, user: str = "worker", status: int = 0) -> str:
        """What a command prints, with what stands on the page for the round's entry."""
        line = command.replace(LETTER, self.letter)
        environ = self.environ(user)
        ran = subprocess.run(
            ["bash", "-c", line], cwd=self.folder, env=environ, capture_output=True, text=True, timeout=120
        )
        assert ran.returncode == status, ran.stdout + ran.stderr
        return ran.stdout.replace(self.letter, LETTER) if self.letter else ran.stdout

    def settle(self, *rounds: dict[str, Any]) -> list[dict[str, Any]]:
        """Send them, wait for their answers."""
        (self.folder / "sent.jsonl").write_text("\n".join(map(json.dumps, rounds)))
        told = self.run("mjsettle enqueue --wait sent.jsonl", "worker")
        return [json.loads(line) for line in told.splitlines()]

    def ask(self, command: str) -> Any:
        """A command of the server, by the admin."""
        with closing(self.admin()) as admin:
            return admin.execute_command(*shlex.split(command.removeprefix("redis-cli ")))
