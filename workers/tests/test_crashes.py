"""What a crash of the server leaves of rounds, answers, attempts and the floor."""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from rq.timeouts import JobTimeoutException

from mjsettle_workers.cache import AnswerCache
from mjsettle_workers.client import Client
from mjsettle_workers.connection import server_ms
from mjsettle_workers.drain import Drain
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.keys import DAY_S
from mjsettle_workers.recover import Left, leftovers, try_alone
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk, settle_entries
from mjsettle_workers.testing import (
    answers_on_stream,
    drain_once,
    open_client,
    quick_settings,
    raw,
    running_server,
    stub_round,
    without_waitaof,
)


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server of this test alone, to be crashed; one that has no WAITAOF, as Redis 7.0, where a test asks for that."""
    own = tmp_path / "own.conf"
    own.write_text(without_waitaof() if getattr(request, "param", "") == "7.0" else "")
    with running_server(tmp_path / "server", {"include": str(own)}) as running:
        yield running


both_servers = pytest.mark.parametrize("server", ["", "7.0"], indirect=True)


@pytest.fixture
def settings(server: EmbeddedServer) -> Settings:
    return quick_settings(server.url)


@pytest.fixture
def room(settings: Settings) -> Iterator[Client]:
    with open_client(settings, room="room") as opened:
        yield opened


def files(server: EmbeddedServer) -> Path:
    return max(server.folder.glob("appendonlydir/*.incr.aof"), key=lambda path: path.stat().st_mtime)


def crash(server: EmbeddedServer, size: int) -> None:
    """End the machine before anything behind ``size`` bytes of the file was synced."""
    server.kill()
    os.truncate(files(server), size)
    server.start()


def answer_entries(room: Client) -> list[str]:
    return [entry for entry, _, _, _ in room.follow("0-0", block_ms=1)]


def only_left(desk: Desk) -> Left:
    (one,) = leftovers(desk, 1, server_ms(desk.connection))
    return one


@both_servers
def test_an_answer_that_was_seen_and_lost_is_not_kept(room: Client, desk: Desk, server: EmbeddedServer) -> None:
    room.submit([stub_round("a"), stub_round("b")])
    before = files(server).stat().st_size
    drain_once(desk, 0.5)
    seen = answer_entries(room)
    assert len(seen) == 2
    crash(server, before)
    assert not room.is_kept(seen)
    room.submit([stub_round("a"), stub_round("b")])
    drain_once(desk, 0.5)
    fresh = answer_entries(room)
    assert room.is_kept(fresh)
    # One lost answer is enough, also where later ones stand.
    assert not room.is_kept([seen[0], *fresh])
    crash(server, files(server).stat().st_size)
    assert room.is_kept(fresh)


@both_servers
def test_an_answer_is_not_kept_while_the_disk_is_full(room: Client, desk: Desk, server: EmbeddedServer) -> None:
    """The step that meets the full disk is answered, and its answer read, but it is not in the file."""
    room.submit([stub_round("a")])
    entries = Drain(desk, lambda: False).read(1, 1, 0)
    time.sleep(1.2)  # the file is synced: what follows is written at once
    assert server.process is not None
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    settle_entries(desk, entries)
    seen = answer_entries(room)
    assert len(seen) == 1
    assert not room.is_kept(seen)
    server.kill()
    server.start()
    assert answer_entries(room) == []
    drain_once(desk)  # the ledger, which cannot read while nothing can be written, meets it now
    assert [answer["id"] for answer in answers_on_stream(Client(room.settings, connection=room.connection))] == ["a"]


@both_servers
def test_settle_ends_when_every_answer_outlasts_a_crash(settings: Settings, desk: Desk, server: EmbeddedServer) -> None:
    """The room has every answer when the machine crashes and takes them back; the ledger has read none of them."""
    with open_client(settings) as client:
        sent = threading.Event()

        def work() -> None:
            sent.wait(10)
            drain_once(desk, 1.5)

        helper = threading.Thread(target=work)
        helper.start()
        rounds = client.settle([stub_round("a"), b"unreadable", stub_round("c")])
        before = files(server).stat().st_size
        sent.set()
        answers = dict([next(rounds), next(rounds), next(rounds)])
        helper.join()
        crash(server, before)
        assert answers_on_stream(client) == []
        helper = threading.Thread(target=drain_once, args=(desk, 3.0))
        helper.start()
        assert list(rounds) == []  # nothing is told twice
        helper.join()
        assert sorted(answers) == [0, 1, 2]
        assert {answer["id"] for answer in answers_on_stream(client)} == {"a", "c", None}


def test_without_waitaof_age_says_what_is_kept(room: Client, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    room.submit([stub_round("a")])
    drain_once(desk, 0.5)
    monkeypatch.setattr("mjsettle_workers.client.UNSYNCED_S", 0.01)
    look_at = room._look_at

    def of_an_old_server(entries: Any, wait_ms: int) -> list[Any]:
        return [*look_at(entries, 1)[:-1], redis.ResponseError("unknown command 'WAITAOF'")]

    monkeypatch.setattr(room, "_look_at", of_an_old_server)
    assert room.is_kept(answer_entries(room))
    assert not room.is_kept(["1-1"])


def test_a_client_without_a_stream_of_its_own_cannot_ask(settings: Settings) -> None:
    with open_client(settings) as client, pytest.raises(ValueError, match="without a room"):
        client.is_kept(["1-1"])


def test_a_server_that_lost_its_floor_settles_nothing_old(room: Client, desk: Desk) -> None:
    """Workers go on when a server comes back empty; what was paid weeks ago must not be payable at it."""
    room.connection.flushall()
    room.submit([stub_round("old", ago_s=30 * DAY_S), stub_round("new")])
    drain_once(desk, 0.5)
    drain_once(desk, 0.5)
    found = {answer["id"]: answer for answer in answers_on_stream(Client(room.settings, connection=room.connection))}
    assert found["old"]["errors"][0]["code"] == "too_old"
    assert found["new"]["status"] == "settled"
    assert desk.store.floor_day() == server_ms(desk.connection) // 1_000 // DAY_S - desk.settings.keep_days


def test_attempts_that_the_server_cut_short_are_taken_back_when_it_returns(
    room: Client, desk: Desk, server: EmbeddedServer
) -> None:
    """However often the server dies under it and however long it is away, an innocent round is not blamed."""
    room.submit([stub_round("a")])
    Drain(desk, lambda: False).read(1, 1, 0)
    engine = desk.judge.engine

    class Unlucky:
        def settle_json(self, lines: bytes) -> bytes:
            server.kill()
            threading.Timer(1.5, server.start).start()
            return engine.settle_json(lines)

    desk.judge.cache = AnswerCache(0, desk.judge.cache.stamp)
    for _ in range(desk.settings.deliveries_max):
        one = only_left(desk)
        assert (one.deliveries, one.suspicion) == (1, 0)
        desk.judge.engine = Unlucky()
        with pytest.raises(redis.RedisError):
            try_alone(desk, one)
    desk.judge.engine = engine
    drain_once(desk, 0.5)
    assert raw(desk).xlen(desk.keys.dead) == 0
    assert list(room.store.results(["a"])) == ["a"]


def test_an_attempt_is_counted_once_however_often_its_note_is_sent(
    room: Client, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that breaks before the reply makes the client send the note again."""
    room.submit([stub_round("a", rule="kill")])
    Drain(desk, lambda: False).read(1, 1, 0)
    execute = redis.client.Pipeline.execute

    def sent_again(pipe: Any, raise_on_error: bool = True) -> Any:
        commands = list(pipe.command_stack)
        execute(pipe, raise_on_error)
        pipe.command_stack = commands
        return execute(pipe, raise_on_error)

    def died(*_: object, **__: object) -> None:
        raise SystemExit("as the process would have been ended")

    monkeypatch.setattr("mjsettle_workers.recover.settle_entries", died)
    for solo in (1, 2, 3):
        one = only_left(desk)
        with monkeypatch.context() as patch:
            patch.setattr(redis.client.Pipeline, "execute", sent_again)
            with pytest.raises(SystemExit):
                try_alone(desk, one)
        after = only_left(desk)
        assert (after.attempts, after.deliveries) == (solo, 1 + solo)


def test_an_alarm_that_rings_while_judging_is_no_fault_of_the_round(room: Client, desk: Desk) -> None:
    """RQ ends a job that takes too long by an exception that is raised wherever the process happens to be."""
    room.submit([stub_round("a")])
    engine = desk.judge.engine

    class Alarmed:
        def settle_json(self, lines: bytes) -> bytes:
            raise JobTimeoutException("Task exceeded maximum timeout value (32 seconds)")

    desk.judge.engine = Alarmed()
    entries = Drain(desk, lambda: False).read(1, 1, 0)
    with pytest.raises(JobTimeoutException):
        settle_entries(desk, entries)
    desk.judge.engine = engine
    drain_once(desk, 0.5)
    assert raw(desk).xlen(desk.keys.dead) == 0
    assert list(room.store.results(["a"])) == ["a"]
