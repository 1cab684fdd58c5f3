"""The published schema is valid, accepts what the engine reads and writes, and refuses what it refuses."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner

import mjsettle
from mjsettle import examples
from mjsettle.cli.schema import schema
from mjsettle.schema import Result, result_schema, round_schema

ROUNDS: list[dict[str, Any]] = [json.loads(line) for line in examples.rounds().splitlines()]
ROUND = jsonschema.Draft202012Validator(round_schema())
RESULT = jsonschema.Draft202012Validator(result_schema())


@pytest.fixture(scope="module")
def answers() -> list[bytes]:
    broken = [b"{", b'{"id": "x", "rule": "nobody/knows", "players": [{}, {}]}', b"[]"]
    return mjsettle.load().settle_json(examples.rounds() + b"\n".join(broken)).splitlines()


@pytest.mark.parametrize("document", ["round", "result"])
def test_the_documents_are_valid_schemas(document: str) -> None:
    printed = CliRunner().invoke(schema, [document])
    assert printed.exit_code == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(printed.stdout))


@pytest.mark.parametrize("record", ROUNDS, ids=lambda record: record["id"])
def test_real_rounds_are_accepted(record: dict[str, Any]) -> None:
    ROUND.validate(record)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "a b"},
        {"id": ""},
        {"dealer": 4},
        {"players": [{}]},
        {"surprise": 1},
        {"wild": "5z"},
        {"dealer": None},
    ],
)
def test_wrong_rounds_are_refused(change: dict[str, Any]) -> None:
    assert not ROUND.is_valid({**ROUNDS[0], **change})


def test_every_answer_matches_the_schema_and_its_structures(answers: list[bytes]) -> None:
    decoder: msgspec.json.Decoder[Result] = msgspec.json.Decoder(Result)
    assert len(answers) == len(ROUNDS) + 3
    for answer in answers:
        RESULT.validate(json.loads(answer))
        decoder.decode(answer)


def test_statuses_other_than_the_three_are_refused(answers: list[bytes]) -> None:
    assert not RESULT.is_valid({**json.loads(answers[0]), "status": "perhaps"})


@pytest.mark.parametrize("document", [round_schema(), result_schema()], ids=lambda document: str(document["title"]))
def test_every_structure_and_every_field_says_what_it_is(document: dict[str, Any]) -> None:
    silent = []
    for name, structure in document["$defs"].items():
        if not structure.get("description"):
            silent.append(name)
        fields = structure["properties"].items()
        silent += [f"{name}.{field}" for field, told in fields if field != "status" and not told.get("description")]
    assert silent == []
