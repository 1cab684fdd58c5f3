"""TLS with real certificates: the shipped settings with their TLS lines, the shipped users, every way to the server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mjsettle_workers.embedded import find_server
from mjsettle_workers.testing import (
    open_client,
    quick_environment,
    quick_settings,
    running_worker,
    stub_round,
    wait_until,
)
from tests.integration.shipped import REDIS, free_port, shipped_server

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))
EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def server_with_tls(folder: Path) -> str:
    """A server that speaks TLS: the tests' own, else one on PATH. Without certificates it ends with a word on them."""
    for binary in dict.fromkeys([find_server(), shutil.which("redis-server"), shutil.which("valkey-server")]):
        if binary is None:
            continue
        command = [binary, "--port", "0", "--tls-port", str(free_port())]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=20)
        if "tls-cert-file" in ran.stdout:
            return binary
    pytest.skip("no server with TLS: neither the bundled one nor a redis-server or valkey-server on PATH has it")


def openssl(folder: Path, *arguments: str) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, check=True)


def make_authority(folder: Path, name: str) -> Path:
    usage = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]
    subject = ["-subj", f"/CN={name}", "-days", "2"]
    openssl(folder, "req", "-x509", *EC, "-keyout", f"{name}.key", "-out", f"{name}.crt", *subject, *usage)
    return folder / f"{name}.crt"


def make_certificate(folder: Path, authority: str) -> None:
    """tls.crt and tls.key of a server that is called 127.0.0.1 and nothing else."""
    openssl(folder, "req", *EC, "-keyout", "tls.key", "-out", "tls.csr", "-subj", "/CN=server")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\nauthorityKeyIdentifier=keyid\n")
    signed_by = ["-CA", f"{authority}.crt", "-CAkey", f"{authority}.key", "-CAcreateserial"]
    openssl(folder, "x509", "-req", "-in", "tls.csr", *signed_by, "-out", "tls.crt", "-days", "2", "-extfile", "names")


@dataclass(frozen=True)
class Place:
    """A server with TLS."""

    port: int
    authority: Path
    stranger: Path
    """Another CA, which has signed nothing here."""

    def url(self, user: str, *, authority: Path | None = None, host: str = "127.0.0.1") -> str:
        return f"rediss://{user}:{user}-secret@{host}:{self.port}/0?ssl_ca_certs={authority or self.authority}"

    def environ(self, url: str) -> dict[str, str]:
        return quick_environment(url, socket_timeout_s=2)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Every TLS line of redis.conf is uncommented; only the port and the places of the files are others."""
    folder = tmp_path_factory.mktemp("tls")
    binary = server_with_tls(folder)
    authority, stranger = make_authority(folder, "ca"), make_authority(folder, "stranger")
    make_certificate(folder, "ca")
    conf = (REDIS / "redis.conf").read_text()
    lines, uncommented = re.subn(r"^# (port 0|tls-.*)$", r"\1", conf, flags=re.MULTILINE)
    assert uncommented == 7
    lines = lines.replace("/tls/", f"{folder}/")
    port = free_port()
    with shipped_server(folder, binary=binary, lines=lines, tls_port=port):
        yield Place(port, authority, stranger)


def mjsettle(environ: dict[str, str], *command: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([MJSETTLE, *command], env=environ, input=given, capture_output=True, timeout=60)


def test_everything_works_over_tls(place: Place, tmp_path: Path) -> None:
    worker, room = place.environ(place.url("worker")), place.environ(place.url("room"))
    prepared = mjsettle(worker, "prepare")
    assert prepared.returncode == 0, prepared.stderr
    log = tmp_path / "worker.log"
    with running_worker(worker, log, [MJSETTLE, "worker"]):
        sent = mjsettle(room, "enqueue", "--wait", given=stub_round("tls/a") + b"\n" + stub_round("tls/b"))
        assert sent.returncode == 0, (sent.stderr, log.read_text())
        assert [json.loads(line)["id"] for line in sent.stdout.splitlines()] == ["tls/a", "tls/b"]
        with open_client(quick_settings(place.url("room")), room="room") as client:
            ((_, answer),) = client.settle([stub_round("tls/c")], timeout_s=20)
            assert json.loads(answer)["status"] == "settled"
        watching = place.environ(place.url("metrics"))
        for command in (["health"], ["health", "--here"]):
            health = mjsettle(watching, *command)
            assert (health.returncode, json.loads(health.stdout)["workers"]) == (0, 1)
        metrics = mjsettle(watching, "metrics", "--once").stdout
        assert b'mjsettle_rounds_total{outcome="settled"} 3.0' in metrics


COMMANDS = ("enqueue", "health", "prepare", "metrics --once")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_ca_that_did_not_sign_is_told_from_a_lost_server(place: Place, command: str) -> None:
    ran = mjsettle(place.environ(place.url("worker", authority=place.stranger)), *command.split(), given=b"{}")
    assert (ran.returncode == 0) == command.startswith("metrics")  # the exporter says that the server is not up
    assert b"CERTIFICATE_VERIFY_FAILED" in ran.stdout + ran.stderr
    assert "name the file of the CA" in (ran.stdout + ran.stderr).decode()
    assert b"secret" not in ran.stdout + ran.stderr


def test_a_worker_under_a_wrong_ca_says_what_to_do_and_tries_again(place: Place, tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    environ = place.environ(place.url("worker", authority=place.stranger))
    with running_worker(environ, log, [MJSETTLE, "worker"]):
        wait_until(lambda: log.read_text().count("ssl_ca_certs=/path/ca.crt") >= 2)
    assert "Traceback" not in log.read_text()


def test_a_server_under_another_name_is_not_trusted(place: Place) -> None:
    ran = mjsettle(place.environ(place.url("worker", host="localhost")), "prepare")
    assert ran.returncode == 1
    assert "by a name that its certificate bears" in ran.stderr.decode()


def test_plain_words_at_a_port_with_tls_are_answered_in_a_line(place: Place) -> None:
    ran = mjsettle(place.environ(f"redis://worker:worker-secret@127.0.0.1:{place.port}/0"), "prepare")
    assert (ran.returncode, ran.stderr.count(b"\n")) == (1, 1)
    assert ran.stderr.startswith(b"Error: no server at redis://127.0.0.1")


def test_tls_at_a_port_without_it_is_answered_in_a_line(place: Place, tmp_path: Path) -> None:
    port = free_port()
    with shipped_server(tmp_path, port=port):
        url = place.url("worker").replace(f":{place.port}", f":{port}")
        ran = mjsettle(quick_environment(url, socket_timeout_s=0.2), "prepare")
    assert (ran.returncode, ran.stderr.count(b"\n")) == (1, 1)
    assert ran.stderr.startswith(b"Error: no server at rediss://127.0.0.1")
