"""The services of compose.yaml as processes of this machine: its commands, variables, probes and order.

What containers would give is stood in for: names of hosts by loopback, ports by free ones, mounts by folders.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from mjsettle_workers.embedded import find_server
from mjsettle_workers.testing import wait_until

DEPLOY = Path(__file__).parents[2] / "deploy"
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
SERVED = 6379, 8700, 9108
"""Ports of the server, the desk and the exporter inside of their containers."""


def example_environment(**changes: str) -> dict[str, str]:
    """env.example, filled in: every password is the name of its user and `-secret`."""
    text = (DEPLOY / "env.example").read_text()
    found = dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE))
    for name in found:
        if name.endswith("_PASSWORD"):
            found[name] = name.removesuffix("_PASSWORD").lower() + "-secret"
    return found | changes


def interpolated(text: str, environ: dict[str, str]) -> str:
    """What Compose makes of the variables in a text. KeyError for one that must be set and is not."""

    def value(found: re.Match[str]) -> str:
        name, kind, rest = found.groups()
        if environ.get(name):
            return environ[name]
        if kind != "-":
            raise KeyError(name)
        return str(rest)

    return VARIABLE.sub(value, text)


def image_environment() -> dict[str, str]:
    """The variables that the Dockerfile sets."""
    text = (DEPLOY / "Dockerfile").read_text().rpartition("\nFROM ")[2].replace("\\\n", " ")
    lines = re.findall(r"^ENV (.*)$", text, re.MULTILINE)
    return dict(word.split("=", 1) for line in lines for word in shlex.split(line))


def image_probe() -> list[str]:
    """The command of the Dockerfile's HEALTHCHECK."""
    [probe] = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    return [str(word) for word in json.loads(probe)]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Composition:
    """Starts services in the order of the file, each after what it depends on, and stops them as Compose would."""

    def __init__(self, folder: Path, environ: dict[str, str]) -> None:
        self.folder = folder
        self.services: dict[str, Any] = yaml.safe_load(interpolated((DEPLOY / "compose.yaml").read_text(), environ))[
            "services"
        ]
        self.ports = {port: free_port() for port in SERVED}
        self.running: list[tuple[str, subprocess.Popen[bytes]]] = []
        self.up: set[str] = set()
        self.bin = folder / "bin"
        for path in (self.bin, folder / "data", folder / "acl"):
            path.mkdir()
        (self.bin / "redis-server").symlink_to(find_server())

    def log(self, name: str) -> str:
        """What a service has written."""
        return "".join(path.read_text() for path in sorted(self.folder.glob(f"{name}*.log")))

    def url(self, user: str) -> str:
        """The server, for somebody on this machine."""
        return f"redis://{user}:{user}-secret@127.0.0.1:{self.ports[6379]}/0"

    def http(self, port: int, path: str) -> str:
        """A page of the service that has this port in its container."""
        return f"http://127.0.0.1:{self.ports[port]}{path}"

    def _here(self, text: str) -> str:
        """A word of a command or a variable, with what containers would give stood in for."""
        mounts = {"/deploy": DEPLOY / "redis", "/run/acl": self.folder / "acl", "/data": self.folder / "data"}
        for inside, outside in mounts.items():
            text = re.sub(rf"(?<![\w/]){inside}\b", str(outside), text)
        text = re.sub(r"@redis:6379\b", f"@127.0.0.1:{self.ports[6379]}", text)
        text = text.replace("0.0.0.0", "127.0.0.1").replace("redis-cli", f"redis-cli -p {self.ports[6379]}")
        for served, port in self.ports.items():
            text = re.sub(rf"(?:(?<=:)|^){served}\b", str(port), text)
        return text

    def command(self, name: str) -> list[str]:
        """What a service runs."""
        words = [self._here(word) for word in self.services[name]["command"]]
        if name == "redis":
            words[-1] += f" --bind 127.0.0.1 --port {self.ports[6379]}"
            return words
        return ["mjsettle", *words]

    def environ(self, name: str) -> dict[str, str]:
        """The variables of a service's process: those of the image and of the file, and no others."""
        given = {key: self._here(str(value)) for key, value in self.services[name]["environment"].items()}
        path = f"{self.bin}:{Path(sys.executable).parent}:{os.defpath}"
        inside = {} if name == "redis" else image_environment()
        return inside | given | {"PATH": path, "HOME": str(self.folder)}

    def probe(self, name: str) -> bool:
        """Whether the service's health check passes."""
        kind, *words = self.services[name].get("healthcheck", {}).get("test", ["CMD", *image_probe()])
        command = ["sh", "-c", *words] if kind == "CMD-SHELL" else words
        if name == "redis" and shutil.which("redis-cli") is None:
            return self._accepts(6379)
        ran = [self._here(word) for word in command]
        return subprocess.run(ran, env=self.environ(name), capture_output=True, timeout=60).returncode == 0

    def _accepts(self, port: int) -> bool:
        with socket.socket() as found:
            return found.connect_ex(("127.0.0.1", self.ports[port])) == 0

    def start(self, name: str) -> None:
        """Start a service, with what it depends on, unless it runs."""
        if name in self.up:
            return
        self.up.add(name)
        for needed, how in self.services[name].get("depends_on", {}).items():
            self.start(needed)
            self._await(needed, how["condition"])
        for copy in range(int(self.services[name].get("deploy", {}).get("replicas", 1))):
            with (self.folder / f"{name}-{copy}.log").open("wb") as log:
                process = subprocess.Popen(
                    self.command(name), env=self.environ(name), cwd=self.folder, stdout=log, stderr=log
                )
            self.running.append((name, process))

    def _await(self, name: str, condition: str) -> None:
        if condition == "service_healthy":
            self.await_health(name)
            return
        assert condition == "service_completed_successfully"
        for process in [process for named, process in self.running if named == name]:
            assert process.wait(60) == 0, self.log(name)

    def await_health(self, name: str) -> None:
        """Wait until the service's health check passes. Raises AssertionError, with what it wrote, if it does not."""
        try:
            wait_until(lambda: self.probe(name), 60)
        except AssertionError as error:
            raise AssertionError(f"{name} is not healthy: {self.log(name)}") from error

    def stop(self) -> dict[str, list[int]]:
        """Stop the services, the last started first; returns their exit statuses. TimeoutExpired past their grace."""
        ended: dict[str, list[int]] = {}
        try:
            for name, process in reversed(self.running):
                grace = str(self.services[name].get("stop_grace_period", "10s"))
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
                ended.setdefault(name, []).append(process.wait(int(grace.removesuffix("s"))))
        finally:
            for _, process in self.running:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        return ended
