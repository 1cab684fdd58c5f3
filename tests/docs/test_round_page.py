"""docs/round.md: its tables are those of the schema and of the rule sets, in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

import mjsettle
from mjsettle import rounds, schema
from mjsettle.hand_deltas import HAND_DELTA
from tests.docs.pages import DOCS

PAGES = (DOCS / "round.md", DOCS / "zh/round.md")
STRUCTURES: tuple[type[Struct], ...] = (
    rounds.Round,
    rounds.Player,
    rounds.Meld,
    rounds.Event,
    rounds.Liable,
    schema.Settled,
    schema.WinResult,
    schema.FanCount,
    schema.Transfer,
    schema.Refused,
    schema.Conflict,
    schema.Error,
)
"""What the page has a table of fields for, in its order."""
DOCUMENTS = (schema.round_schema(), schema.result_schema())
WORDS = {"flag": "flag", "type": "event", "word": "how", "key": "extra"}
"""The tables of words by the head of their first column, and what rule sets call these words."""
ENGINE = mjsettle.load()
KONGED: dict[str, dict[str, Any]] = {
    "changchun": {"hand": "222m234m5z", "melds": [{"kind": "chow", "tiles": "234s", "from": 0}], "tile": "5z"},
    "fuzhou": {"hand": "123s234567m2p567s"},
    "guobiao": {"hand": "234567p2m567s", "tile": "2m"},
    "hongkong": {"hand": "234567p2p567p", "tile": "2p"},
    "sichuan": {"hand": "234567m2m567m", "tile": "2m", "void": "s"},
    "taiwan": {"hand": "123s234567m2p567s"},
    "wenzhou": {"hand": "123s234567m2p567s"},
    "wuhan": {"hand": "258m258m2s", "melds": [{"kind": "pung", "tiles": "555s", "from": 0}], "tile": "2s"},
}
"""Where the hand of `test_the_rule_sets_that_pay_for_kong_events` does not win: another."""


def tables(page: Path) -> list[list[list[str]]]:
    """The tables of a page: rows of cells, their heads first."""
    found = re.findall(r"(?:^\|.*\n)+", page.read_text(), re.MULTILINE)
    split = [[[cell.strip() for cell in row[1:-1].split(" |")] for row in table.splitlines()] for table in found]
    return [[table[0], *table[2:]] for table in split]


def field_tables(page: Path) -> list[list[list[str]]]:
    return [table for table in tables(page) if table[0][0] in ("field", "字段")]


def described(kind: type[Struct]) -> dict[str, Any]:
    """The fields of a structure as the published schema has them."""
    [found] = [document["$defs"][kind.__name__] for document in DOCUMENTS if kind.__name__ in document["$defs"]]
    return {field.encode_name: found["properties"][field.encode_name] for field in msgspec.structs.fields(kind)}


def in_code(value: Any) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`"


@pytest.mark.parametrize("at", range(len(STRUCTURES)), ids=[kind.__name__ for kind in STRUCTURES])
def test_the_page_says_of_each_field_what_the_schema_says(at: int) -> None:
    table = field_tables(PAGES[0])[at][1:]
    fields = described(STRUCTURES[at])
    assert [(row[0], row[1]) for row in table] == [(f"`{name}`", told["description"]) for name, told in fields.items()]
    examples = [in_code(told["examples"][0]) if "examples" in told else "" for told in fields.values()]
    assert [row[3] for row in table] == examples
    for row, field in zip(table, msgspec.structs.fields(STRUCTURES[at]), strict=True):
        told = fields[field.encode_name]
        if row[2] in ("required", "always"):
            assert field.required
        elif row[2] == "where there is one":
            assert told["default"] is None
        else:
            assert row[2] == in_code(told["default"])


@pytest.mark.parametrize("kind", STRUCTURES, ids=lambda kind: kind.__name__)
def test_the_schema_gives_examples_that_its_fields_take(kind: type[Struct]) -> None:
    fields = msgspec.structs.fields(kind)
    told = described(kind)
    assert fields
    for field in fields:
        for example in told[field.encode_name].get("examples", ()):
            msgspec.convert(example, field.type)


def test_no_field_and_no_table_is_left_out() -> None:
    defined = {name for document in DOCUMENTS for name in document["$defs"]}
    assert {kind.__name__ for kind in STRUCTURES} == defined
    for page in PAGES:
        assert len(field_tables(page)) == len(STRUCTURES)


def test_the_chinese_tables_have_the_same_fields_defaults_and_examples() -> None:
    for ours, theirs in zip(*map(field_tables, PAGES), strict=True):
        for row, other in zip(ours[1:], theirs[1:], strict=True):
            assert (row[0], row[3]) == (other[0], other[3])
            assert re.search(r"[\u4e00-\u9fff]", other[1]) or other[1] == row[1], other
            if row[2].startswith("`"):
                assert row[2] == other[2]


def rule_sets_of(cell: str) -> set[str]:
    named = set(re.findall(r"`(\w+)`", cell))
    return set(ENGINE.rules()) - named if cell.startswith("all") else named


@pytest.mark.parametrize("head", WORDS)
def test_the_tables_of_words_are_those_of_the_rule_sets(head: str) -> None:
    [table] = [table for table in tables(PAGES[0]) if table[0][0] == head]
    told = {row[0].strip("`"): rule_sets_of(row[-1]) for row in table[1:]}
    found: dict[str, set[str]] = {HAND_DELTA: set(ENGINE.rules())} if head == "type" else {}
    for rule in ENGINE.rules():
        for word in ENGINE.rule_set(rule).words[WORDS[head]]:
            found.setdefault(word, set()).add(rule)
    assert told == found


def test_event_types_are_told_with_fields_that_events_have() -> None:
    [table] = [table for table in tables(PAGES[0]) if table[0][0] == "type"]
    known = {f"`{field.encode_name}`" for field in msgspec.structs.fields(rounds.Event)}
    used = {name for row in table[1:] for name in row[2].split(", ") if name}
    assert used <= known
    for required in ("seat", "kind"):
        assert f"`{required}`" in next(row for row in table if row[0] == "`kong`")[2]


def test_the_rule_sets_that_pay_for_kong_events() -> None:
    """A win with a concealed kong among the melds, with and without its event."""
    paying = set()
    for rule in ENGINE.rules():
        given = KONGED.get(rule, {})
        player = {"hand": given.get("hand", "234567m2p567s"), "void": given.get("void")}
        player["melds"] = [{"kind": "concealed_kong", "tiles": "8888p"}, *given.get("melds", ())]
        win = {"type": "win", "seat": 1, "tile": given.get("tile", "2p")}
        kong = {"type": "kong", "seat": 1, "kind": "concealed_kong", "tile": "8p"}
        sent = {"id": rule, "rule": rule, "players": [{}, player, {}, {}]}
        without, with_event = ENGINE.settle([{**sent, "events": [win]}, {**sent, "events": [kong, win]}])
        assert without["status"] == with_event["status"] == "settled", (without, with_event)
        if without["deltas"] != with_event["deltas"]:
            paying.add(rule)
    for page, line in zip(PAGES, ("pays for kongs:\\*\\*(.*?)\\.", "没有杠钱：\\*\\*(.*?)。"), strict=True):
        [listed] = re.findall(line, page.read_text(), re.DOTALL)
        assert set(re.findall(r"`(\w+)`", listed)) == paying, page
