"""An image that was built from deploy/Dockerfile, in containers: it must be named, since building one takes a registry.

CONTAINER_IMAGE=mjsettle:local make test PYTEST_ARGS=tests/deploy/test_image.py
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.testing import open_client, quick_settings, stub_round, wait_until
from tests.deploy.composition import free_port, image_probe

IMAGE = os.environ.get("CONTAINER_IMAGE", "")
ENGINE = os.environ.get("CONTAINER_ENGINE") or shutil.which("docker") or shutil.which("podman")
GRACE_S = 30
pytestmark = [
    pytest.mark.skipif(not IMAGE, reason="CONTAINER_IMAGE names no image that was built from deploy/Dockerfile"),
    pytest.mark.skipif(not ENGINE, reason="neither docker nor podman is installed"),
]
LIMITS = ("--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host")
"""What compose.yaml takes away from a container; the network of this machine stands in for its own."""


def engine(*arguments: str) -> str:
    ran = subprocess.run([str(ENGINE), *arguments], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def inside(script: str) -> str:
    """What a shell in the image prints."""
    return engine("run", "--rm", *LIMITS, "--entrypoint", "sh", IMAGE, "-c", script)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[EmbeddedServer, str]]:
    """A server on loopback, and its URL there."""
    port = free_port()
    with EmbeddedServer(tmp_path / "server", port=port) as running:
        yield running, f"redis://127.0.0.1:{port}/0"


def test_it_runs_as_a_user_without_rights_on_a_system_that_cannot_be_written() -> None:
    told = inside(
        "id -un; id -gn; id -u; touch /opt/mjsettle/x 2>/dev/null || echo refused; grep CapEff /proc/self/status"
    )
    user, group, number, written, rights = told.splitlines()
    assert (user, group, number, written) == ("mjsettle", "mjsettle", "10001", "refused")
    assert int(rights.split()[1], 16) == 0


def test_it_holds_what_runs_and_no_more() -> None:
    assert inside("for tool in gcc cc make git; do command -v $tool; done; true") == ""
    assert "pip" not in inside("ls /opt/mjsettle/bin").split()
    found = inside("cd /opt/mjsettle/lib/python*/site-packages; ls -d mjsettle* mjsettle*/*").split()
    assert "mjsettle_guangdong" in found
    assert [name for name in found if name.endswith(("/tests", "/cases")) or name == "mjsettle_template"] == []
    rules = inside("mjsettle rules")
    assert "guangdong" in rules
    assert "guobiao" in rules


def test_its_demo_settles() -> None:
    told = engine("run", "--rm", *LIMITS, IMAGE, "demo")
    assert "deltas" in told
    assert "demo/1-wild-self-draw" in told


def test_its_worker_settles_is_probed_and_stops_within_its_grace(server: tuple[EmbeddedServer, str]) -> None:
    running, url = server
    variables = ["-e", f"MJSETTLE_REDIS_URL={url}", "-e", "MJSETTLE_JUDGE=mjsettle_workers.stub_judges:faulty"]
    told = engine("run", "--rm", *LIMITS, *variables, IMAGE, "prepare")
    assert "consumer groups stand" in told
    name = engine("run", "-d", *LIMITS, *variables, IMAGE).strip()
    try:
        with open_client(quick_settings(running.url)) as client:
            answers = dict(client.settle([stub_round(f"image/{i}") for i in range(20)], timeout_s=60))
        assert {json.loads(answer)["status"] for answer in answers.values()} == {"settled"}
        told = engine("exec", name, *image_probe())
        assert json.loads(told)["healthy"] is True
        began = time.monotonic()
        engine("stop", "-t", str(GRACE_S), name)
        assert time.monotonic() - began < GRACE_S
        wait_until(lambda: engine("inspect", "-f", "{{.State.Running}}", name).strip() == "false")
        assert engine("inspect", "-f", "{{.State.ExitCode}}", name).strip() == "0"
    finally:
        engine("rm", "-f", name)
