"""One storm: rooms send, everything is killed, cut, slowed and filled up, and in the end the books must be right."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from mjsettle_workers.client import Client
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import (
    WorkerProcess,
    open_client,
    pending_count,
    quick_environment,
    quick_settings,
    raw,
    wait_until,
)
from tests.integration.explain import explain
from tests.integration.proxy import LossyProxy
from tests.integration.rooms import GUILTY, Case, Ledger, Party, Room

CALM_S = 60.0
"""Within so long of the last blow every round is answered and the queue is empty, with the quick settings."""


@dataclass
class Report:
    """What a storm did and found."""

    blows: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    sends: int = 0
    redelivered: int = 0
    dead: int = 0
    calm_s: float = 0.0
    taken_back: int = 0
    """Rounds whose answer had come and was sent for again, since a crash may have taken it back."""
    wrong: list[str] = field(default_factory=list)
    why: str = field(default="", repr=False)
    """What everybody says of the rounds that are wrong."""


class Storm:
    """Blows at a server and its workers, drawn from a seeded generator."""

    def __init__(self, folder: Path, seed: int, seconds: float, fsync: str, rooms: int = 4) -> None:
        self.seconds = seconds
        self.fsync = fsync
        self.rng = random.Random(seed)
        self.seed = seed
        self.report = Report()
        self.began = time.monotonic()
        self.blows: list[str] = []
        """When what was struck, for the explanation."""
        self.server = EmbeddedServer(folder / "server", config={"appendfsync": fsync})
        self.server.start()
        self.proxy = LossyProxy(self.server.socket)
        self.log = folder / "workers.log"
        changes: dict[str, Any] = {"rounds_max": 3_000, "socket_timeout_s": 2, "deliveries_max": 5}
        self.settings: Settings = quick_settings(self.server.url, **changes)
        direct = quick_environment(self.server.url, **changes)
        lossy = quick_environment(self.proxy.url, **changes)
        jumping = {**direct, "MJSETTLE_JUDGE": "mjsettle_workers.stub_judges:jumping_clock"}
        self.workers = [WorkerProcess(environ, self.log).start() for environ in (direct, lossy, jumping)]
        until = time.monotonic() + seconds
        self.rooms = [Room(f"room{i}", self.settings, seed, until, poison=2) for i in range(rooms)]
        self.ledger = Ledger(self.settings)
        self.parties: list[Party] = [*self.rooms, self.ledger]

    def blow(self) -> None:
        """One thing goes wrong."""
        rng = self.rng
        what = rng.choices(
            ["worker", "horse", "cut", "stall", "server", "power", "memory", "disk"],
            weights=[30, 22, 15, 10, 6, 8, 6, 6],
        )[0]
        self.report.blows[what] += 1
        self.blows.append(f"{time.monotonic() - self.began:8.3f} s {what}")
        match what:
            case "worker":
                rng.choice(self.workers).kill()
            case "horse":
                rng.choice(self.workers).kill_horses()
            case "cut":
                self.proxy.cut()
            case "stall":
                self.proxy.stall(rng.uniform(0.2, 1.0))
            case "server":
                self.server.kill()
                time.sleep(rng.uniform(0, 0.3))
                self.server.start()
            case "power":
                self._cut_power(rng.uniform(0.1, 0.9))
            case "memory":
                self._fill_memory(rng.uniform(0.2, 0.8))
            case "disk":
                self._fill_disk(rng.uniform(0.2, 0.8))

    def _cut_power(self, unsynced_s: float) -> None:
        """What a machine that crashes leaves: under everysec, the end of the file of the last second may be gone."""
        before = self._newest_file()
        synced = before.stat().st_size
        time.sleep(unsynced_s)
        self.server.kill()
        if self.fsync == "everysec":
            file = self._newest_file()  # another one, if the server began to rewrite its file meanwhile
            size = file.stat().st_size
            left = self.rng.randint(min(synced, size) if file == before else 0, size)
            os.truncate(file, left)
            self.blows.append(f"{time.monotonic() - self.began:8.3f} s cut {size - left} bytes of {file.name}")
        self.server.start()

    def _newest_file(self) -> Path:
        return max(self.server.folder.glob("appendonlydir/*.incr.aof"), key=lambda path: int(path.name.split(".")[-3]))

    def _fill_memory(self, seconds: float) -> None:
        with open_client(self.settings) as client, contextlib.suppress(redis.RedisError):
            raw(client).config_set("maxmemory", "1mb")
            time.sleep(seconds)
        with open_client(self.settings) as client:
            wait_until(lambda: self._lift_memory(client), 10, "the memory's limit to be lifted")

    def _lift_memory(self, client: Client) -> bool:
        try:
            return bool(raw(client).config_set("maxmemory", "0"))
        except redis.RedisError:
            return False

    def _fill_disk(self, seconds: float) -> None:
        process = self.server.process
        assert process is not None
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        time.sleep(seconds)
        if process.poll() is None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        else:  # with appendfsync always the server ends itself rather than answer for what it cannot keep
            self.server.start()

    def run(self) -> Report:
        """Blow, then let it calm down, then look at the books."""
        try:
            for thread in self.parties:
                thread.start()
            try:
                self._rage()
            finally:
                for thread in self.parties:
                    thread.stopping.set()
                for worker in self.workers:
                    worker.stop()
                self.ledger.join(5)
            self._look_at_the_books()
        finally:
            self.proxy.close()
            self.server.stop()
        return self.report

    def _rage(self) -> None:
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            time.sleep(self.rng.uniform(0.2, 1.0))
            self.blow()
            self._revive()
        began = time.monotonic()
        try:
            self._calm_down(began)
        except AssertionError as error:
            self.report.wrong.append(str(error))
        self.report.calm_s = time.monotonic() - began

    def _revive(self) -> None:
        """What a supervisor does: start again whatever has ended, however it ended."""
        for worker in self.workers:
            worker.start()
        if self.server.process is None or self.server.process.poll() is not None:
            self.server.start()

    def _calm_down(self, began: float) -> None:
        with open_client(self.settings) as client:

            def calm() -> bool:
                self._revive()
                time.sleep(0.1)
                waiting = any(room.is_alive() for room in self.rooms) or len(raw(client).hkeys(client.keys.parked))
                return not waiting and raw(client).xlen(client.keys.rounds) == 0 and pending_count(client) == 0

            left = began + CALM_S - time.monotonic()
            wait_until(calm, left, "calm")
            wait_until(lambda: self.ledger.has_read_all(client), 20, "the ledger to read everything")

    def _look_at_the_books(self) -> None:
        report, ledger = self.report, self.ledger
        cases: dict[str, Case] = {ident: case for room in self.rooms for ident, case in room.cases.items()}
        report.rounds, report.sends = len(cases), sum(case.sends for case in cases.values())
        report.kinds = Counter(case.kind for case in cases.values())
        report.redelivered = ledger.redelivered
        report.taken_back = sum(len(room.lost) for room in self.rooms)
        wrong = report.wrong
        wrong += [f"{who.name} ended before its time" for who in self.parties if who.died]
        wrong += [f"{ident} is still open" for room in self.rooms for ident in room.open]
        wrong += [f"{ident} ({case.kind}): {told}" for ident, case in cases.items() if (told := case.wrong())]
        wrong += [f"{ident} contradicts itself in the ledger" for ident in ledger.contradictions]
        good = {ident for ident, case in cases.items() if case.kind == "stub"}
        wrong += [f"{ident} was not booked" for ident in good - ledger.booked.keys()]
        wrong += [f"{ident} was booked" for ident in ledger.booked.keys() - good]
        total = sum(case.honba for case in cases.values() if case.kind == "stub")
        if ledger.balance != [3 * total, -total, -total, -total]:
            wrong.append(f"the ledger's balance is {ledger.balance}, expected {total} thrice")
        with open_client(self.settings) as client:
            self._look_at_the_server(client, cases)
            if wrong:
                logs = [self.log, self.server.folder / "server.log"]
                report.why = explain(client, self.rooms, ledger, wrong, self.blows, logs)

    def _look_at_the_server(self, client: Client, cases: dict[str, Case]) -> None:
        wrong = self.report.wrong
        firsts: Counter[str] = Counter()
        for _, ident, _, again in client.follow("0-0", block_ms=1):
            if ident is not None and not again and cases[ident].kind != "old":
                firsts[ident] += 1
        wrong += [f"{ident} has {times} first answers" for ident, times in firsts.items() if times > 1]
        kept = client.results(cases)
        letters = [fields for _, fields in raw(client).xrange(client.keys.dead)]
        self.report.dead = len(letters)
        for letter in letters:
            ident = letter[b"id"].decode()
            if cases[ident].kind not in GUILTY:
                wrong.append(f"{ident} is innocent and among the dead letters: {letter[b'reason'].decode()[-200:]}")
            if letter[b"round"] != cases[ident].line:
                wrong.append(f"the dead letter of {ident} is not what was sent")
        named = {letter[b"id"].decode() for letter in letters}
        for ident, case in cases.items():
            if case.kind in GUILTY and ident in kept and ident not in named:
                wrong.append(f"{ident} is not among the dead letters")
            # A crash under everysec may lose what was written in the last second, answers that were seen included.
            if self.fsync == "always" and case.kind != "old" and ident not in kept:
                wrong.append(f"{ident} is not in the store")
