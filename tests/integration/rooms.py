"""Rooms that send rounds of every kind and resend until answered, and the ledger that mirrors what they are paid."""

from __future__ import annotations

import json
import random
import threading
import time
import traceback
from dataclasses import dataclass, field
from typing import Any

import redis

from mjsettle_workers.client import Client
from mjsettle_workers.keys import DAY_S
from mjsettle_workers.outgoing import QueueFullError
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import raw, stub_round

GUILTY = ("kill", "hang", "raise", "short", "forge")
"""Rules at which the faulty judge fails."""


@dataclass
class Case:
    """One round and what must become of it."""

    ident: str
    line: bytes
    kind: str
    honba: int
    answers: list[dict[str, Any]] = field(default_factory=list)
    sent_at: float = 0.0
    sends: int = 0
    pause_s: float = 1.0
    """Time after which it is sent again unless it is answered; it grows, as the guarantees ask of rooms."""

    def wrong(self) -> str:
        """What is wrong with the answers that came, or nothing."""
        if not self.answers:
            return "no answer"
        for answer in self.answers:
            if answer["status"] != ("settled" if self.kind == "stub" else "refused"):
                return f"answered {answer}"
            if self.kind == "stub" and answer["deltas"] != [3 * self.honba, -self.honba, -self.honba, -self.honba]:
                return f"answered {answer}"
            code = answer["errors"][0]["code"] if self.kind != "stub" else ""
            expected = {"bad": "stub", "old": "too_old", "undated": "missing"}.get(self.kind, "judge_failed")
            if self.kind != "stub" and code != expected:
                return f"answered {answer}"
        return ""


PAUSE_MAX_S = 4.0
KEPT_EVERY_S = 2.5
"""How often a room asks whether what it was answered outlasts a crash."""


class Party(threading.Thread):
    """A thread at the queue that says what ended it."""

    def __init__(self, name: str, client: Client) -> None:
        super().__init__(name=name, daemon=True)
        self.client = client
        self.stopping = threading.Event()
        self.died = ""
        """What ended this thread before its time."""

    def run(self) -> None:
        try:
            self.work()
        except Exception:
            self.died = traceback.format_exc()
        finally:
            self.client.connection.close()

    def work(self) -> None:
        """What this party does until it is told to stop."""
        raise NotImplementedError


class Room(Party):
    """Sends its rounds, some twice, and resends each until its answer has come and outlasts a crash."""

    def __init__(self, name: str, settings: Settings, seed: int, until: float, poison: int) -> None:
        super().__init__(name, Client(settings, room=name))
        self.rng = random.Random(f"{seed}/{name}")
        self.until = until
        self.poison = poison
        self.cases: dict[str, Case] = {}
        self.open: dict[str, Case] = {}
        self.unsure: dict[str, Case] = {}
        """Answered rounds by the entry of their answer, which a crash may still take back."""
        self.asked_at = 0.0
        self.lost: set[str] = set()
        """Ids of rounds that were sent again after their answer had come."""
        self.after = "0-0"
        self.refused = 0
        self.conflicts: list[dict[str, Any]] = []

    def make(self) -> Case:
        """The next round, of a random kind; those that end or hold up a process only so often."""
        roll = self.rng.random()
        kind = "stub"
        if roll < 0.02 and self.poison:
            kind = self.rng.choice(["kill", "kill", "hang"])
            self.poison -= 1
        elif roll < 0.04:
            kind = self.rng.choice(["raise", "short", "forge"])
        elif roll < 0.12:
            kind = self.rng.choice(["bad", "bad", "old", "undated"])
        ident = f"{self.name}/{len(self.cases)}"
        honba = self.rng.randrange(1, 50)
        rule = "stub" if kind in ("old", "undated") else kind
        line = stub_round(ident, rule=rule, honba=honba, ago_s=30 * DAY_S if kind == "old" else 0)
        if kind == "undated":
            fields = json.loads(line)
            del fields["ended_at"]
            line = json.dumps(fields).encode()
        return Case(ident, line, kind, honba)

    def work(self) -> None:
        """Play until time is up, then resend until everything is answered for good."""
        while not self.stopping.is_set() and (time.monotonic() < self.until or self.open or self.unsure):
            if time.monotonic() < self.until and len(self.open) < 200:
                for _ in range(self.rng.randrange(1, 12)):
                    case = self.make()
                    self.cases[case.ident] = self.open[case.ident] = case
            now = time.monotonic()
            due = [case for case in self.open.values() if now - case.sent_at > case.pause_s]
            twins = [case for case in due if self.rng.random() < 0.1]
            for case in due:
                case.sent_at, case.sends, case.pause_s = now, case.sends + 1, min(PAUSE_MAX_S, case.pause_s * 1.5)
            try:
                if due:
                    self._send([case.line for case in due + twins] + self._noise())
                self._listen()
                self._make_sure()
            except (redis.RedisError, OSError):
                self.refused += 1
                time.sleep(0.05)
            time.sleep(0.02)

    def _send(self, lines: list[bytes]) -> None:
        try:
            self.client.submit(lines, timeout_s=0.2)
        except QueueFullError:  # of copies, perhaps: the answers must be read nevertheless
            self.refused += 1

    def _noise(self) -> list[bytes]:
        return [b'{"id": broken', b"[]"] if self.rng.random() < 0.02 else []

    def _listen(self) -> None:
        for entry, ident, result, _ in self.client.follow(self.after, block_ms=1):
            self.after = entry
            if ident is not None and ident in self.cases:
                self.cases[ident].answers.append(json.loads(result))
                if self.open.pop(ident, None):
                    self.unsure[entry] = self.cases[ident]

    def _make_sure(self) -> None:
        """Send again what was answered, if a crash may have taken the answers back."""
        if not self.unsure or time.monotonic() < self.asked_at + (KEPT_EVERY_S if self.open else 0.2):
            return
        if not self.client.is_kept(list(self.unsure)):
            for case in self.unsure.values():
                case.sent_at = 0.0
                self.open[case.ident] = case
                self.lost.add(case.ident)
        self.unsure.clear()
        self.asked_at = time.monotonic()


class Ledger(Party):
    """Books what the common results stream says, each id once, as a points bank should."""

    def __init__(self, settings: Settings) -> None:
        super().__init__("ledger", Client(settings))
        self.booked: dict[str, list[int]] = {}
        self.balance = [0, 0, 0, 0]
        self.redelivered = 0
        self.contradictions: list[str] = []
        self.entries: dict[str, list[str]] = {}
        """Under which entries of the results stream each id came, settled or not."""

    def work(self) -> None:
        """Read and book until told to stop."""
        results = self.client.keys.results
        while not self.stopping.is_set():
            try:
                # First what was given before and not acknowledged: an answer may get lost with its connection.
                for start in ("0", ">"):
                    found = raw(self.client).xreadgroup("ledger", "one", {results: start}, count=1_000, block=50)
                    rows = found[0][1] if found else []
                    for entry, fields in rows:
                        if fields:  # None: trimmed, which upkeep does to what was acknowledged only
                            self.book(fields, entry.decode())
                    if rows:
                        raw(self.client).xack(results, "ledger", *(entry for entry, _ in rows))
            except redis.ResponseError as error:
                if "NOGROUP" in str(error):
                    self._make_group()
                time.sleep(0.05)
            except (redis.RedisError, OSError):
                time.sleep(0.05)

    def has_read_all(self, client: Client) -> bool:
        """Whether the ledger has acknowledged everything on the results stream."""
        (group,) = raw(client).xinfo_groups(client.keys.results)
        end = raw(client).xinfo_stream(client.keys.results)["last-generated-id"]
        return bool(group["pending"] == 0 and group["last-delivered-id"] == end)

    def _make_group(self) -> None:
        try:
            raw(self.client).xgroup_create(self.client.keys.results, "ledger", id="0", mkstream=True)
        except redis.RedisError:
            time.sleep(0.05)

    def book(self, fields: dict[bytes, bytes], entry: str = "") -> None:
        """Book one answer unless its id is booked; what is delivered again must say the same."""
        answer = json.loads(fields[b"result"])
        self.entries.setdefault(str(answer["id"]), []).append(entry)
        if answer["status"] != "settled":
            return
        ident, deltas = answer["id"], answer["deltas"]
        if ident in self.booked:
            self.redelivered += b"again" not in fields
            if self.booked[ident] != deltas:
                self.contradictions.append(ident)
            return
        self.booked[ident] = deltas
        self.balance = [a + b for a, b in zip(self.balance, deltas, strict=True)]
