"""Sentinels, a master that is killed, a replica that takes over: workers follow, rooms resend, ids stay single."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import redis

from mjsettle_workers.embedded import find_server
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import open_client, quick_environment, quick_settings, running_worker, wait_until
from tests.integration.rooms import Case, Ledger, Room
from tests.integration.shipped import REDIS, Running, free_port, running_process, shipped_server

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))
SENTINELS = 3
GOING_ON_S = 1.0
"""How long rooms send after the failover."""
CALM_S = 60.0


class Cluster:
    """A master, its replica and three sentinels, with the shipped settings and users."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.ports = [free_port(), free_port()]
        self.watching = [free_port() for _ in range(SENTINELS)]
        self.sentinels: list[subprocess.Popen[bytes]] = []
        self.master = self._start(0)
        self._start(1, replica_of=0)
        wait_until(lambda: self.told(1)["master_link_status"] == "up", told="the replica to be in step")
        for port in self.watching:
            self._watch(port)
        wait_until(self._know_each_other, 30, "the sentinels to know each other and the replica")

    def _start(self, number: int, replica_of: int | None = None) -> Running:
        folder = self.folder / str(number)
        folder.mkdir()
        lines = (REDIS / "redis.conf").read_text() + "masteruser replica\nmasterauth replica-secret\n"
        if replica_of is not None:
            lines += f"replicaof 127.0.0.1 {self.ports[replica_of]}\n"
        return self.stack.enter_context(shipped_server(folder, lines=lines, port=self.ports[number]))

    def told(self, number: int) -> dict[str, Any]:
        """What a server says of replication."""
        socket = str(self.folder / str(number) / "s")
        with redis.Redis(unix_socket_path=socket, username="admin", password="admin-secret") as admin:
            info: dict[str, Any] = admin.info("replication")
            return info

    def _watch(self, port: int) -> None:
        folder = self.folder / f"sentinel{port}"
        folder.mkdir()
        own = {
            "monitor": f"127.0.0.1 {self.ports[0]} 2",
            "auth-user": "sentinel",
            "auth-pass": "sentinel-secret",
            "down-after-milliseconds": "1000",
            "failover-timeout": "5000",
        }
        lines = [f"port {port}", "bind 127.0.0.1", f"dir {folder}", "sentinel resolve-hostnames no"]
        lines += [f"sentinel {name} mymaster {value}" for name, value in own.items()]
        (folder / "sentinel.conf").write_text("\n".join(lines) + "\n")
        command = [find_server(), str(folder / "sentinel.conf"), "--sentinel"]
        self.sentinels.append(self.stack.enter_context(running_process(command, folder / "log")))

    def _know_each_other(self) -> bool:
        for port in self.watching:
            with redis.Redis(port=port) as sentinel:
                try:
                    known = state_of(sentinel)
                except redis.ConnectionError:
                    return False
            if (int(known["num-other-sentinels"]), int(known["num-slaves"])) != (SENTINELS - 1, 1):
                return False
        return True

    def settings(self, user: str) -> Settings:
        """Settings of a user behind the sentinels."""
        return quick_settings(self.url(user), socket_timeout_s=2)

    def url(self, user: str) -> str:
        places = ",".join(f"127.0.0.1:{port}" for port in self.watching)
        return f"redis+sentinel://{user}:{user}-secret@{places}/mymaster"


def state_of(sentinel: redis.Redis) -> dict[str, Any]:
    """What a sentinel knows of the master."""
    anything: Any = sentinel
    state: dict[str, Any] = anything.sentinel_master("mymaster")
    return state


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path, stack)


def test_a_failover_costs_no_round_and_pays_none_twice(cluster: Cluster, tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    rooms = [Room(f"room{i}", cluster.settings("room"), 7, float("inf"), poison=0) for i in range(2)]
    ledger = Ledger(cluster.settings("ledger"))
    environ = quick_environment(cluster.url("worker"), socket_timeout_s=2)
    with running_worker(environ, log, [MJSETTLE, "worker"]) as worker:
        for party in (*rooms, ledger):
            party.start()
        wait_until(lambda: len(ledger.booked) > 100, 30, "the ledger to book")
        for lost in (cluster.master.process, cluster.sentinels[0]):  # the master's machine, with a sentinel on it
            lost.kill()
        wait_until(lambda: cluster.told(1)["role"] == "master", 30, "the replica to be chosen")
        before = len(ledger.booked)
        for room in rooms:
            room.until = time.monotonic() + GOING_ON_S
        for room in rooms:
            room.join(CALM_S)
        assert worker.process is not None
        assert worker.process.poll() is None
        with open_client(cluster.settings("ledger")) as client:
            wait_until(lambda: ledger.has_read_all(client), 20, "the ledger to read everything")
        health = [MJSETTLE, "health"]
        watched = quick_environment(cluster.url("metrics"))
        assert subprocess.run(health, env=watched, capture_output=True, timeout=60).returncode == 0
        for party in (*rooms, ledger):
            party.stopping.set()
        ledger.join(5)
    assert [party.died for party in (*rooms, ledger)] == ["", "", ""], log.read_text()
    cases: dict[str, Case] = {ident: case for room in rooms for ident, case in room.cases.items()}
    assert {ident: told for ident, case in cases.items() if (told := case.wrong())} == {}
    good = {ident for ident, case in cases.items() if case.kind == "stub"}
    assert before < len(good)
    assert ledger.booked.keys() == good
    assert ledger.contradictions == []
    total = sum(cases[ident].honba for ident in good)
    assert ledger.balance == [3 * total, -total, -total, -total]
    with open_client(cluster.settings("worker")) as client:
        stored = client.results(cases)
        assert good <= stored.keys()
        firsts = [ident for _, ident, _, again in client.follow("0-0", block_ms=1) if not again and ident in good]
    assert sorted(firsts) == sorted(good)


def test_no_master_is_told_in_a_line_with_its_reason() -> None:
    environ = quick_environment(f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{free_port()}/mymaster")
    ran = subprocess.run([MJSETTLE, "prepare"], env=environ, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1
    assert ran.stderr.startswith("Error: no server at redis+sentinel://127.0.0.1")
    assert "No master found for 'mymaster' : " in ran.stderr
    assert "ConnectionError" in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert len(ran.stderr) < 300
