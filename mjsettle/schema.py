"""The wire contract as JSON Schema (draft 2020-12), made from the structures that read it.

Results are written as plain objects; the structures here say what is in them, and the tests read every kind of result
back through them. A reader of results ignores fields that it does not know: more may come.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

from mjsettle.rounds import Round

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class FanCount(Struct):
    """A fan of a win: it adds `value` x `times` in the rule set's own unit. `names` by language, when asked for."""

    id: str
    name: str
    value: int
    times: int
    names: dict[str, str] | None = None


class WinResult(Struct):
    """One win: the reading that was judged, what the wilds stand for, its fans and worth. Rule sets may add fields.

    total: the fans' combination after exclusions; points: what the win brings its winner from all payers.
    """

    seat: int
    tile: str
    form: str
    sets: list[str]
    pair: str | None
    wild_as: list[str]
    fans: list[FanCount]
    points: int
    total: int | None = None
    fu: int | None = None
    yakuman: int | None = None


class Transfer(Struct):
    """A payment of `points` for the reason `why`; `event` is the number of the event that caused it, `undoes` the
    number of the transfer that it returns or passes on."""

    from_: int | Literal["table"] = field(name="from")
    to: int | Literal["table"]
    points: int
    why: str
    event: int | None = None
    undoes: int | None = None


class Settled(Struct, tag_field="status", tag="settled"):
    """A settled round: `sum(deltas) + table == 0`, and the transfers add up to the deltas. Rule sets may add fields.

    unpaid: what payers could not cover, where payments are limited to the players' `balance`.
    """

    id: str
    rule: str
    edition: str
    fingerprint: str
    wins: list[WinResult]
    transfers: list[Transfer]
    deltas: list[int]
    table: int
    next: dict[str, int] | None = None
    unpaid: list[Transfer] | None = None


class Error(Struct):
    """One fault: a stable snake_case `code`, a path such as ``players[2].hand``, and what to do about it."""

    code: str
    field: str
    message: str


class Refused(Struct, tag_field="status", tag="refused"):
    """A round that cannot be settled, with every fault found; where even its id is unreadable, with its line number."""

    id: str | None
    errors: list[Error]
    line: int | None = None


class Conflict(Struct, tag_field="status", tag="conflict"):
    """The id is known with another body; the stored result stands."""

    id: str
    errors: list[Error]


Result = Settled | Refused | Conflict


def _schema(of: Any, title: str) -> dict[str, Any]:
    document = {"$schema": DIALECT, "title": title, **msgspec.json.schema(of)}
    _say_patterns_in_ecma(document)
    return document


def _say_patterns_in_ecma(node: Any) -> None:
    r"""JSON Schema speaks ECMA-262, which has ``^`` and ``$`` for Python's ``\A`` and ``\Z``."""
    if isinstance(node, dict):
        if isinstance(pattern := node.get("pattern"), str):
            node["pattern"] = pattern.replace(r"\A", "^").replace(r"\Z", "$")
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            _say_patterns_in_ecma(child)


def round_schema() -> dict[str, Any]:
    """What a room sends."""
    return _schema(Round, "mjsettle round")


def result_schema() -> dict[str, Any]:
    """What a room gets back."""
    return _schema(Result, "mjsettle result")
