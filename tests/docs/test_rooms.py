"""The programs of docs/rooms.md settle a round on a real server, with a room's rights, and lose none to a crash."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from mjsettle_workers import scripts
from mjsettle_workers.client import Client
from mjsettle_workers.drain import Drain
from mjsettle_workers.embedded import EmbeddedServer, find_server
from mjsettle_workers.settling import settle_entries
from mjsettle_workers.testing import (
    drain_once,
    open_client,
    open_test_desk,
    quick_environment,
    quick_settings,
    raw,
    running_worker,
    stub_round,
    version_of,
    wait_until,
    without_waitaof,
)
from tests.docs.clients import fetch, npm
from tests.docs.examples import ROUND
from tests.docs.pages import DOCS, programs
from tests.integration.shipped import free_port, users_for

PROGRAMS = programs(DOCS / "rooms.md")
JEDIS = "redis.clients:jedis:5.2.0"
"""The oldest that the page names is 5; what it asks of a client has not changed since."""
STREAM = "mjsettle:results:room-42"


def python_room(folder: Path) -> list[str]:
    return [sys.executable, "room.py"]


def node_room(folder: Path) -> list[str]:
    npm(folder, "redis@^5 || ^6")
    return ["node", "room.mjs"]


def go_room(folder: Path) -> list[str]:
    for command in (["mod", "init", "room"], ["mod", "tidy"], ["build", "-o", "room", "."]):
        fetch("go-redis", folder, "go", *command)
    return [str(folder / "room")]


def java_room(folder: Path) -> list[str]:
    """With jedis from JEDIS_CLASSPATH, where that is set, else from Maven Central."""
    path = os.environ.get("JEDIS_CLASSPATH")
    if path is None:
        group, name, version = JEDIS.split(":")
        wanted = f"<groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>"
        (folder / "pom.xml").write_text(
            "<project><modelVersion>4.0.0</modelVersion><groupId>rooms</groupId><artifactId>room</artifactId>"
            f"<version>1</version><dependencies><dependency>{wanted}</dependency></dependencies></project>"
        )
        fetch("jedis", folder, "mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib")
        path = str(folder / "lib" / "*")
    compiled = subprocess.run(["javac", "-cp", path, "Room.java"], cwd=folder, capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr
    return ["java", "-cp", f"{path}{os.pathsep}{folder}", "Room"]


ROOMS: dict[str, Callable[[Path], list[str]]] = {
    "python": python_room,
    "node": node_room,
    "go": go_room,
    "java": java_room,
}


class Room:
    """A program of the page, ready to run."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        for file, text in PROGRAMS.items():
            (folder / file).write_text(text)
        (folder / "submit.lua").write_text(scripts.source("submit"))
        self.command = ROOMS[name](folder)

    @contextmanager
    def sending(self, sent: bytes, server: EmbeddedServer) -> Iterator[subprocess.Popen[str]]:
        """The program at work as the shipped user ``room``; what it is told goes with it."""
        (self.folder / "round.json").write_bytes(sent)
        url = f"redis://room:room-secret@127.0.0.1:{server.port}/0"
        environ = os.environ | {"REDIS_URL": url, "SUBMIT_LUA": str(self.folder / "submit.lua")}
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen([*self.command, "round.json"], cwd=self.folder, env=environ, **pipes) as process:
            try:
                yield process
            finally:
                process.kill()


def answer_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    answer: dict[str, Any] = json.loads(out)
    return answer


@pytest.fixture(scope="module", params=ROOMS)
def room(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Room:
    return Room(request.param, tmp_path_factory.mktemp("room"))


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server with a port and the shipped users, to be killed; as Redis 7.0, without WAITAOF, where a test asks."""
    old = getattr(request, "param", "") == "7.0"
    users = users_for("7.0" if old else version_of(find_server())).splitlines(keepends=True)
    lines = [without_waitaof()] if old else []
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / "room.conf").write_text("".join(lines + [user for user in users if user.startswith("user room ")]))
    with EmbeddedServer(folder, port=free_port(), config={"include": str(folder / "room.conf")}) as running:
        yield running


@pytest.fixture
def client(server: EmbeddedServer) -> Iterator[Client]:
    with open_client(quick_settings(server.url)) as opened:
        yield opened


def waiting(client: Client) -> int:
    return int(raw(client).xlen(client.keys.rounds))


def test_the_room_is_answered(room: Room, server: EmbeddedServer, client: Client, tmp_path: Path) -> None:
    environ = quick_environment(server.url, judge="mjsettle:load", judge_limit_s=5, claim_idle_ms=10_000)
    sent = json.dumps(ROUND | {"id": "room-42/18"}, ensure_ascii=False).encode()
    with running_worker(environ, tmp_path / "worker.log"):
        with room.sending(sent, server) as process:
            answer = answer_of(process)
        assert answer["deltas"] == [-6, -6, 18, -6]
        assert answer["wins"][0]["wild_as"] == ["1s"]
        with room.sending(sent, server) as process:
            assert answer_of(process) == answer
    first, *others = [b"again" in fields for _, fields in raw(client).xrange(STREAM)]
    assert not first
    assert all(others)


def test_the_room_that_sends_another_body_gets_the_answer_to_that(
    room: Room, server: EmbeddedServer, client: Client, tmp_path: Path
) -> None:
    """Not the one that its stream still holds, of what was sent before under the id."""
    with running_worker(quick_environment(server.url), tmp_path / "worker.log"):
        statuses = []
        for sent in (stub_round("a", rule="bad"), stub_round("b"), stub_round("a"), stub_round("a", rule="bad")):
            with room.sending(sent, server) as process:
                statuses.append(answer_of(process)["status"])
    assert statuses == ["refused", "settled", "conflict", "refused"]


def test_the_room_that_ended_before_its_answer_finds_it(room: Room, server: EmbeddedServer, client: Client) -> None:
    with room.sending(stub_round("a"), server):
        wait_until(lambda: waiting(client) == 1, told="the round to be sent")
    with open_test_desk(client.settings) as desk:
        drain_once(desk)
        assert raw(client).xlen(STREAM) == 1
        with room.sending(stub_round("a"), server) as process:
            wait_until(lambda: waiting(client) == 1, told="the round to be sent again")
            drain_once(desk)
            assert answer_of(process)["status"] == "settled"


def test_the_room_ends_where_a_round_is_too_long(room: Room, server: EmbeddedServer, client: Client) -> None:
    with room.sending(stub_round("a", pad="x" * 70_000), server) as process:
        _, errors = process.communicate(timeout=30)
    assert process.returncode not in (0, None)
    assert "TOOLONG round 1 has" in errors
    assert waiting(client) == 0


def test_the_room_outlives_a_server_that_is_killed(
    room: Room, server: EmbeddedServer, client: Client, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        process = stack.enter_context(room.sending(stub_round("a"), server))
        wait_until(lambda: waiting(client) == 1, told="the round to be sent")
        server.kill()
        time.sleep(0.5)
        server.start()
        stack.enter_context(running_worker(quick_environment(server.url), tmp_path / "worker.log"))
        assert answer_of(process)["id"] == "a"


def asked(client: Client, command: str) -> dict[str, int]:
    """What the server counts of a command."""
    counted: dict[str, int] = raw(client).info("commandstats").get(f"cmdstat_{command}", {})
    return counted


@pytest.mark.parametrize("server", ["", "7.0"], indirect=True)
def test_the_room_sends_again_what_a_crash_took_back(room: Room, server: EmbeddedServer, client: Client) -> None:
    """It has read an answer that never came to the disk; after the crash only the room knows of its round."""
    with open_test_desk(client.settings) as desk:
        file = max(server.folder.glob("appendonlydir/*.incr.aof"))
        before = file.stat().st_size
        with room.sending(stub_round("a"), server) as process:
            wait_until(lambda: waiting(client) == 1, told="the round to be sent")
            entries = Drain(desk, lambda: False).read(1, 1, 0)
            time.sleep(1.2)  # the file is synced: what follows is written at once, or not at all
            assert server.process is not None
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
            settle_entries(desk, entries)
            wait_until(lambda: asked(client, "expire").get("rejected_calls"), told="the room to make sure")
            assert process.poll() is None
            server.kill()
            os.truncate(file, before)
            server.start()
            assert (waiting(client), raw(client).exists(STREAM)) == (0, 0)
            wait_until(lambda: waiting(client) == 1, 40, "the round to be sent again")
            drain_once(desk)
            assert answer_of(process)["id"] == "a"


def test_the_room_waits_until_the_answer_is_on_the_disk(room: Room, server: EmbeddedServer, client: Client) -> None:
    try:
        raw(client).execute_command("WAITAOF", 0, 0, 0)
    except redis.ResponseError as error:
        pytest.skip(f"this server has no WAITAOF: {error}")
    raw(client).config_set("appendfsync", "no")
    with open_test_desk(client.settings) as desk, room.sending(stub_round("a"), server) as process:
        wait_until(lambda: waiting(client) == 1, told="the round to be sent")
        drain_once(desk)
        wait_until(lambda: waiting(client) == 1, 40, "the answered round to be sent again")
        assert process.poll() is None
        raw(client).config_set("appendfsync", "everysec")
        drain_once(desk)
        assert answer_of(process)["id"] == "a"


@pytest.mark.parametrize(("language", "name"), [("go", "room.go"), ("java", "Room.java")])
def test_the_other_rooms_are_written_correctly(language: str, name: str) -> None:
    """Their syntax, also where no client library can be had."""
    tree_sitter = pytest.importorskip("tree_sitter", reason="tree-sitter is not installed")
    grammar = pytest.importorskip(f"tree_sitter_{language}", reason=f"tree-sitter-{language} is not installed")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    assert not parser.parse(PROGRAMS[name].encode()).root_node.has_error
    broken = PROGRAMS[name].replace("{", "", 1).encode()
    assert parser.parse(broken).root_node.has_error


def test_the_chinese_page_shows_the_same_programs() -> None:
    assert programs(DOCS / "zh" / "rooms.md") == PROGRAMS
