"""A rule plugin is upgraded while rounds flow: workers with both versions side by side, then the new ones alone."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import redis

from mjsettle_workers.client import Client
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import (
    BEGAN_S,
    WorkerProcess,
    open_client,
    quick_environment,
    raw,
    running_worker,
    wait_until,
)

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))
PLUGIN = '''
"""A rule set whose second edition pays twice as much."""
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.rules import Payments, Rule
from mjsettle.winforms import standard

EDITIONS = {editions!r}
STAKE = {{"2026.1": 1, "2026.2": 2}}


def any_hand(win_wild):
    """Every winning hand."""
    return win_wild >= 0


def pay(book, win):
    for seat in book.others(win.seat):
        book.pay(seat, win.seat, STAKE[book.options.edition] * (1 + book.round.streak), "win", win=win)


@hookimpl
def rule_sets():
    return [Rule("rolling", "轮换", "rolling", editions=EDITIONS, sources=("tests",))]


@hookimpl
def win_forms(rule, options):
    return [standard()]


@hookimpl
def fans(rule, options):
    return [Fan("any_hand", "胡", 1, any_hand)]


@hookimpl
def payments(rule, options):
    return Payments(pay)
'''


def install(folder: Path, version: str, editions: tuple[str, ...]) -> Path:
    """The plugin as an installed distribution in a folder of its own."""
    package, info = folder / "mjsettle_rolling", folder / f"mjsettle_rolling-{version}.dist-info"
    package.mkdir(parents=True)
    info.mkdir()
    (package / "__init__.py").write_text(PLUGIN.format(editions=editions))
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: mjsettle-rolling\nVersion: {version}\n")
    (info / "entry_points.txt").write_text("[mjsettle]\nrolling = mjsettle_rolling\n")
    return folder


def round_of(ident: str, edition: str | None, streak: int) -> bytes:
    round: dict[str, Any] = {
        "id": ident,
        "ended_at": BEGAN_S,
        "rule": "rolling",
        "streak": streak,
        "players": [{}, {}, {"hand": "12345m567p22211s"}, {}],
        "events": [{"type": "win", "seat": 2, "tile": "6m"}],
    }
    return msgspec.json.encode(round | ({"edition": edition} if edition else {}))


class Room(threading.Thread):
    """Sends rounds pinned to either edition and to none, and resends until each is answered."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(daemon=True)
        self.settings = settings
        self.new_exists = threading.Event()
        self.stopping = threading.Event()
        self.answers: dict[str, list[dict[str, Any]]] = {}

    def run(self) -> None:
        with open_client(self.settings, room="room") as client:
            lines: dict[str, bytes] = {}
            sent_at: dict[str, float] = {}
            after = "0-0"
            while not self.stopping.is_set() or len(self.answers) < len(lines):
                if not self.stopping.is_set():
                    for edition in ("2026.1", "2026.2" if self.new_exists.is_set() else None, None):
                        ident = f"{edition or 'any'}/{len(lines)}"
                        lines[ident] = round_of(ident, edition, len(lines) % 50)
                due = [
                    ident
                    for ident in lines
                    if ident not in self.answers and time.monotonic() - sent_at.get(ident, 0) > 3
                ]
                try:
                    client.submit([lines[ident] for ident in due])
                except redis.RedisError:
                    continue
                sent_at.update(dict.fromkeys(due, time.monotonic()))
                for entry, answered, result, again in client.follow(after, block_ms=20):
                    after = entry
                    if answered is not None and not again:
                        self.answers.setdefault(answered, []).append(json.loads(result))
        self.lines = lines

    def count(self) -> int:
        return len(self.answers)


def test_rounds_keep_their_edition_and_none_is_lost(settings: Settings, client: Client, tmp_path: Path) -> None:
    old = install(tmp_path / "old", "1.0.0", ("2026.1",))
    new = install(tmp_path / "new", "2.0.0", ("2026.1", "2026.2"))
    changes = {"judge": "mjsettle:load", "judge_limit_s": 5, "claim_idle_ms": 6_000, "edition_wait_s": 30}

    def worker(site: Path, name: str) -> WorkerProcess:
        environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, **changes)
        return WorkerProcess(environ | {"PYTHONPATH": str(site)}, tmp_path / f"{name}.log", [MJSETTLE, "worker"])

    room = Room(settings)
    first, second, third = worker(old, "old-1"), worker(new, "new-1"), worker(new, "new-2")
    try:
        first.start()
        room.start()
        wait_until(lambda: room.count() > 50, 20, "the old version settles")
        room.new_exists.set()  # rooms are ahead: the old worker leaves these for the new one
        wait_until(lambda: raw(client).hlen(client.keys.parked) > 0, told="rounds of the new edition wait")
        second.start()
        wait_until(
            lambda: sum(ident.startswith("2026.2") for ident in list(room.answers)) > 20, 20, "both settle side by side"
        )
        first.stop()
        third.start()
        seen = room.count()
        wait_until(lambda: room.count() > seen + 100, 20, "the new version settles alone")
        room.stopping.set()
        room.join(30)
        assert not room.is_alive(), "rounds without an answer"
    finally:
        for process in (first, second, third):
            process.stop()
    assert set(room.answers) == set(room.lines)
    for ident, answers in room.answers.items():
        [answer] = answers  # one effect each
        pinned, number = ident.split("/")
        assert answer["status"] == "settled", answer
        if pinned != "any":
            assert answer["edition"] == pinned
        stake = {"2026.1": 1, "2026.2": 2}[answer["edition"]] * (1 + int(number) % 50)
        assert answer["deltas"] == [-stake, -stake, 3 * stake, -stake]
    editions = {answers[0]["edition"] for ident, answers in room.answers.items() if ident.startswith("any")}
    assert editions == {"2026.1", "2026.2"}  # unpinned rounds get the newest of whichever worker takes them
    assert raw(client).xlen(client.keys.dead) == 0
    assert raw(client).xlen(client.keys.rounds) == 0


def test_an_edition_that_nobody_has_is_refused_by_name_until_a_worker_has_it(
    settings: Settings, client: Client, tmp_path: Path
) -> None:
    old = install(tmp_path / "old", "1.0.0", ("2026.1",))
    new = install(tmp_path / "new", "1.1.0", ("2026.1", "2026.2"))
    environ = quick_environment(
        settings.redis_url, prefix=settings.prefix, queue=settings.queue, judge="mjsettle:load", edition_wait_s=0.5
    )
    lines = [round_of("early/1", "2026.2", 0), round_of("kept/1", "2026.1", 0)]
    with running_worker(environ | {"PYTHONPATH": str(old)}, tmp_path / "log", [MJSETTLE, "worker"]):
        early, kept = (json.loads(answer) for _, answer in sorted(client.settle(lines, timeout_s=20)))
    assert kept["status"] == "settled"
    [error] = early["errors"]
    assert error["code"] == "unknown_edition"
    assert "2026.1" in error["message"]
    with running_worker(environ | {"PYTHONPATH": str(new)}, tmp_path / "log", [MJSETTLE, "worker"]):
        answers = [json.loads(answer) for _, answer in sorted(client.settle(lines, timeout_s=20))]
    assert [answer["status"] for answer in answers] == ["settled", "settled"]
    assert answers[1] == kept
    assert list(client.results(["early/1"])) == ["early/1"]
