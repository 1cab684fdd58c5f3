"""The rooms of docs/rooms.md run against a real server and worker, and what travels is what is published."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator, Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from mjsettle.schema import result_schema, round_schema
from mjsettle_workers import scripts
from mjsettle_workers.client import Client
from mjsettle_workers.embedded import EmbeddedServer
from mjsettle_workers.keys import DAY_S
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import (
    BEGAN_S,
    quick_environment,
    quick_settings,
    raw,
    running_worker,
    stub_round,
    wait_until,
)
from tests.docs.pages import DOCS, programs

PROGRAMS = programs(DOCS / "rooms.md")
ROUND = {
    "id": "room-42/17",
    "ended_at": BEGAN_S,
    "rule": "guangdong",
    "options": {"horses": 2},
    "wild": ["5z"],
    "players": [{}, {}, {"hand": "12345m567p1s5z", "melds": [{"kind": "pung", "tiles": "222s", "from": 3}]}, {}],
    "events": [{"type": "win", "seat": 2, "tile": "6m"}],
    "birds": ["3m", "7p"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A server with a port and a real worker that judges for real: the programs use the default keys."""
    folder = tmp_path_factory.mktemp("rooms")
    server = EmbeddedServer(folder / "server", port=free_port())
    with server:
        environ = quick_environment(server.url, judge="mjsettle:load", judge_limit_s=5, claim_idle_ms=10_000)
        with running_worker(environ, folder / "worker.log"):
            yield server


def free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def answer_of(command: list[str], server: EmbeddedServer, folder: Path, ident: str) -> dict[str, Any]:
    (folder / "round.json").write_text(json.dumps(ROUND | {"id": ident}, ensure_ascii=False))
    (folder / "submit.lua").write_text(scripts.source("submit"))
    environ = os.environ | {"REDIS_URL": f"redis://127.0.0.1:{server.port}/0", "SUBMIT_LUA": str(folder / "submit.lua")}
    ran = subprocess.run([*command, "round.json"], cwd=folder, env=environ, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def test_the_python_room(place: EmbeddedServer, tmp_path: Path) -> None:
    (tmp_path / "room.py").write_text(PROGRAMS["room.py"])
    answer = answer_of([sys.executable, "room.py"], place, tmp_path, "python/1")
    assert answer["deltas"] == [-6, -6, 18, -6]
    assert answer_of([sys.executable, "room.py"], place, tmp_path, "python/1") == answer  # sent again


def npm(folder: Path, *packages: str) -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    (folder / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if ran.returncode:
        pytest.skip(f"the npm registry cannot be reached: {ran.stderr[-200:]}")


def test_the_node_room(place: EmbeddedServer, tmp_path: Path) -> None:
    npm(tmp_path, "redis@^5 || ^6")
    (tmp_path / "room.mjs").write_text(PROGRAMS["room.mjs"])
    answer = answer_of(["node", "room.mjs"], place, tmp_path, "node/1")
    assert answer["deltas"] == [-6, -6, 18, -6]
    assert answer["wins"][0]["wild_as"] == ["1s"]


@pytest.mark.parametrize(("language", "name"), [("go", "room.go"), ("java", "Room.java")])
def test_the_other_rooms_are_written_correctly(language: str, name: str) -> None:
    """Their syntax: neither a Go nor a Java client library is asked for by the tests."""
    tree_sitter = pytest.importorskip("tree_sitter", reason="tree-sitter is not installed")
    grammar = pytest.importorskip(f"tree_sitter_{language}", reason=f"tree-sitter-{language} is not installed")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    assert not parser.parse(PROGRAMS[name].encode()).root_node.has_error
    broken = PROGRAMS[name].replace("{", "", 1).encode()
    assert parser.parse(broken).root_node.has_error


def test_the_chinese_page_shows_the_same_programs() -> None:
    assert programs(DOCS / "zh" / "rooms.md") == PROGRAMS


# --- what travels -------------------------------------------------------------------------------------------------

ASYNCAPI = yaml.safe_load((DOCS / "asyncapi.yaml").read_text())
SCHEMAS = {"schema/round.json": round_schema(), "schema/result.json": result_schema()}
HERE = "urn:asyncapi"
REGISTRY: Registry[Any] = Registry().with_resource(HERE, DRAFT202012.create_resource(ASYNCAPI))


def validator(channel: str) -> tuple[Draft202012Validator, dict[str, Any]]:
    """Of a channel's entries, with the properties that its message has."""
    [found] = ASYNCAPI["channels"][channel]["messages"].values()
    name = found["$ref"].rpartition("/")[2]
    properties: dict[str, Any] = ASYNCAPI["components"]["messages"][name]["payload"]["properties"]
    schema = {"$ref": f"{HERE}#/components/messages/{name}/payload"}
    return Draft202012Validator(schema, registry=REGISTRY), properties


def check(channel: str, fields: dict[bytes, bytes], *, whole: bool = True) -> dict[str, Any]:
    """The entry against the published message and, if it is ``whole``, the JSON in it against the published schema."""
    texts = {name.decode(): value.decode() for name, value in fields.items()}
    found, properties = validator(channel)
    found.validate(texts)
    for name, schema in properties.items():
        if whole and "contentSchema" in schema and name in texts:
            decoded: dict[str, Any] = json.loads(texts[name])
            Draft202012Validator(SCHEMAS[schema["contentSchema"]["$ref"]]).validate(decoded)
    return texts


def test_the_document_is_valid_asyncapi(tmp_path: Path) -> None:
    npm(tmp_path, "@asyncapi/specs@6")
    schema = json.loads((tmp_path / "node_modules/@asyncapi/specs/schemas/3.0.0.json").read_text())
    errors = Draft7Validator(schema).iter_errors(ASYNCAPI)
    found = [f"{list(error.absolute_path)}: {error.message[:200]}" for error in errors]
    assert found == []


def test_real_traffic_is_what_is_published(place: EmbeddedServer) -> None:
    settings = quick_settings(place.url)
    client = Client(settings, room="traffic")
    connection = raw(client)
    rounds = [
        json.dumps(ROUND | {"id": "traffic/good"}).encode(),
        json.dumps(ROUND | {"id": "traffic/good"}).encode(),
        json.dumps(ROUND | {"id": "traffic/good", "dealer": 1}).encode(),
        json.dumps(ROUND | {"id": "traffic/bad", "events": [{"type": "win", "seat": 9}]}).encode(),
        json.dumps(ROUND | {"id": "traffic/old", "ended_at": BEGAN_S - 30 * DAY_S}).encode(),
    ]
    sent: list[dict[bytes, bytes]] = []
    with connection.pipeline() as pipe:  # read in the same step, before a worker deletes what it has settled
        script = connection.script_load(scripts.source("submit"))
        pipe.evalsha(
            script, 2, client.keys.rounds, client.keys.order("traffic"), 1000, 65536, "traffic", "traffic", *rounds
        )
        pipe.xrange(client.keys.rounds)
        sent = [fields for _, fields in pipe.execute()[1]]
    assert len(sent) == 5
    for fields in sent:
        check("rounds", fields, whole=b"traffic/bad" not in fields[b"round"])
    client.submit([b"{ no JSON", b'{"id": "traffic/none"}'])
    wait_until(lambda: connection.xlen(client.keys.reply("traffic")) == 7)
    own = [check("roomResults", fields) for _, fields in connection.xrange(client.keys.reply("traffic"))]
    common = [check("results", fields) for _, fields in connection.xrange(client.keys.results)]
    assert {json.loads(fields["result"])["status"] for fields in own} == {"settled", "conflict", "refused"}
    assert sum("again" in fields for fields in own) == 1
    assert len(common) >= len(own)
    connection.close()


def test_dead_letters_are_as_published(settings: Settings, client: Client, tmp_path: Path) -> None:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    client.submit([stub_round("dead/1", rule="raise")])
    with running_worker(environ, tmp_path / "worker.log"):
        wait_until(lambda: raw(client).xlen(client.keys.dead) == 1)
    [[_, fields]] = raw(client).xrange(client.keys.dead)
    assert check("deadLetters", fields)["id"] == "dead/1"
    assert fields[b"round"] == stub_round("dead/1", rule="raise")


def test_every_published_schema_is_valid_and_every_channel_has_a_key() -> None:
    from mjsettle_workers.keys import Keys

    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)
    keys = Keys()
    addresses = {channel["address"] for channel in ASYNCAPI["channels"].values()}
    assert addresses == {keys.rounds, keys.results, keys.dead, keys.reply("{room}")}
