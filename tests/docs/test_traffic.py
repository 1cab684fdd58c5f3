"""What travels between rooms, workers and ledgers is what docs/asyncapi.yaml and the schemas publish."""

from __future__ import annotations

import json
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
from mjsettle_workers.keys import DAY_S, Keys
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import (
    BEGAN_S,
    open_client,
    quick_environment,
    raw,
    running_worker,
    stub_round,
    wait_until,
)
from tests.docs.clients import npm
from tests.docs.examples import ROUND
from tests.docs.pages import DOCS

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


@pytest.fixture
def traffic(settings: Settings, tmp_path: Path) -> Iterator[Client]:
    """A room at a worker that judges for real."""
    name = settings.prefix
    changes = {"prefix": name, "queue": name, "judge": "mjsettle:load", "judge_limit_s": 5, "claim_idle_ms": 10_000}
    environ = quick_environment(settings.redis_url, **changes)
    with open_client(settings, room="traffic") as client, running_worker(environ, tmp_path / "worker.log"):
        yield client


def test_real_traffic_is_what_is_published(traffic: Client) -> None:
    client, connection = traffic, raw(traffic)
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
    assert len(common) == len(own)


def test_dead_letters_are_as_published(settings: Settings, client: Client, tmp_path: Path) -> None:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    client.submit([stub_round("dead/1", rule="raise")])
    with running_worker(environ, tmp_path / "worker.log"):
        wait_until(lambda: raw(client).xlen(client.keys.dead) == 1)
    [[_, fields]] = raw(client).xrange(client.keys.dead)
    assert check("deadLetters", fields)["id"] == "dead/1"
    assert fields[b"round"] == stub_round("dead/1", rule="raise")


def test_every_published_schema_is_valid_and_every_channel_has_a_key() -> None:
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)
    keys = Keys()
    addresses = {channel["address"] for channel in ASYNCAPI["channels"].values()}
    assert addresses == {keys.rounds, keys.results, keys.dead, keys.reply("{room}")}
