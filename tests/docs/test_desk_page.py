"""docs/desk.md: its commands run as they stand, and the desk that each of them opens is asked over HTTP."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from mjsettle import examples
from mjsettle_workers.client import Client
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import quick_environment, running_worker, wait_until
from tests.docs.pages import DOCS
from tests.docs.walk import environment, walk

pytest.importorskip("starlette", reason="the desk's packages are not installed: pip install 'mjsettle-workers[desk]'")
pytest.importorskip("uvicorn", reason="the desk's packages are not installed: pip install 'mjsettle-workers[desk]'")

PAGE = (DOCS / "desk.md").read_text()
[EXAMPLE] = set(re.findall(r"http://127\.0\.0\.1:8700(/settlement\?\S+)`", PAGE))
PORT = "8700"


@pytest.fixture
def stored(settings: Settings, client: Client, tmp_path: Path) -> dict[str, str]:
    """The environment of a desk whose result store holds the example rounds, judged by a real worker."""
    own = {"prefix": settings.prefix, "queue": settings.queue}
    environ = quick_environment(settings.redis_url, **own, judge="mjsettle:load", judge_limit_s=5, claim_idle_ms=10_000)
    now = int(client.connection.time()[0])
    records = [{**json.loads(line), "ended_at": now} for line in examples.rounds().splitlines()]
    with running_worker(environ, tmp_path / "worker.log"):
        answers = dict(client.settle(records, timeout_s=60))
    assert {json.loads(answer)["status"] for answer in answers.values()} == {"settled"}
    return {name: value for name, value in environ.items() if name.startswith("MJSETTLE_")}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def asked(port: int, path: str) -> str:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            return str(answer.read().decode())
    except urllib.error.URLError as error:
        return f"{error}"


class Desks:
    """Stands in for commands that open a desk: opens it on a free port, asks it, stops it."""

    def __init__(self, folder: Path, stored: dict[str, str]) -> None:
        self.folder = folder
        self.environ = environment(folder) | stored
        self.opened: list[str] = []

    def open(self, command: str) -> str:
        """What the command prints until it is stopped."""
        port = free_port()
        line = command.replace(PORT, str(port)) if PORT in command else f"{command} --port {port}"
        environ = dict(self.environ)
        if "--no-store" in command:  # the files alone have to do
            environ["MJSETTLE_REDIS_URL"] = "redis://127.0.0.1:1/0"
        told = self.folder / "desk.log"
        with told.open("wb") as log:
            process = subprocess.Popen(
                ["bash", "-c", f"exec {line}"], cwd=self.folder, env=environ, stdout=log, stderr=log
            )
        try:
            wait_until(
                lambda: process.poll() is not None or asked(port, "/healthz").strip() == "ok", 60, told.read_text()
            )
            assert process.poll() is None, told.read_text()
            page = asked(port, f"{EXAMPLE}&lang=en")
        finally:
            process.terminate()
            process.wait(20)
        assert "Other readings" in page
        assert "No result is recorded" not in page, command
        assert "demo/2-kongs" in page
        self.opened.append(command)
        return "" if command.startswith("uvicorn") else told.read_text().replace(str(port), PORT)


def test_the_desk_opens_as_the_page_says(stored: dict[str, str], tmp_path: Path) -> None:
    desks = Desks(tmp_path, stored)
    for ran in walk(PAGE, tmp_path, {"mjsettle desk": desks.open, "uvicorn": desks.open}):
        assert ran.found == ran.expected, ran.command
    assert [command.split()[0] for command in desks.opened] == ["mjsettle", "mjsettle", "uvicorn"]
    assert (tmp_path / "round.svg").read_text().startswith("<svg")
