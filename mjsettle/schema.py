"""The wire contract as JSON Schema (draft 2020-12), made from the structures that read it.

Results are written as plain objects; the structures here say what is in them, and the tests read every kind of result
back through them. A reader of results ignores fields that it does not know: more may come.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from mjsettle.rounds import Round, Seat

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


_NAMES: Final = "its name by language, where the round asks for `names`"
_SETS: Final = "the sets as they were read, concealed ones first, then melds; in some forms pairs"
_POINTS: Final = "what the win brings its winner from all payers, before honba, deposits and kong money"
_UNDOES: Final = "number of the transfer that it returns or passes on"
_FINGERPRINT: Final = "tells the compiled rule set: equal ones were settled by the same rules"
_NEXT: Final = "the rule set's word on the next round: dealer, streak, honba, deposits"
_UNPAID: Final = "what payers could not cover, where payments are limited to `balance`"

Party = Seat | Literal["table"]


class FanCount(Struct):
    """A fan of a win: it adds `value` x `times` in the rule set's own unit."""

    id: Annotated[str, Meta(description="stable id of the fan", examples=["self_draw"])]
    name: Annotated[str, Meta(description="its Chinese name", examples=["自摸"])]
    value: Annotated[int, Meta(description="what it counts once, in fan, han, tai or points", examples=[2])]
    times: Annotated[int, Meta(description="how often it counts", examples=[1])]
    names: Annotated[dict[str, str] | None, Meta(description=_NAMES, examples=[{"en": "self-draw"}])] = None


class WinResult(Struct):
    """One win: the reading that was judged, what the wilds stand for, its fans and worth. Rule sets may add fields."""

    seat: Annotated[Seat, Meta(description="the winner", examples=[2])]
    tile: Annotated[str | None, Meta(description="the winning tile; null where none is known", examples=["6m"])]
    form: Annotated[str, Meta(description="the win form (牌型) by id", examples=["standard"])]
    sets: Annotated[list[str], Meta(description=_SETS, examples=[["123m", "456m", "567p", "222s"]])]
    pair: Annotated[str | None, Meta(description="the pair; null in a form without one", examples=["11s"])]
    wild_as: Annotated[list[str], Meta(description="what the wild tiles stand for, sorted", examples=[["1s"]])]
    fans: Annotated[list[FanCount], Meta(description="the fans that count, after exclusions")]
    points: Annotated[int, Meta(description=_POINTS, examples=[18])]
    total: Annotated[int | None, Meta(description="the fans together: sum, product or highest", examples=[2])] = None
    fu: Annotated[int | None, Meta(description="riichi: fu", examples=[30])] = None
    yakuman: Annotated[int | None, Meta(description="riichi: how many yakuman, in place of `total`", examples=[1])] = (
        None
    )


class Transfer(Struct):
    """A payment."""

    from_: Annotated[Party, Meta(description="who pays; `table` is the pot", examples=[0])] = field(name="from")
    to: Annotated[Party, Meta(description="who receives", examples=[2])]
    points: Annotated[int, Meta(description="points, more than 0", examples=[2])]
    why: Annotated[str, Meta(description="the reason, a word of the rule set", examples=["win"])]
    event: Annotated[int | None, Meta(description="number of the event that caused it", examples=[0])] = None
    undoes: Annotated[int | None, Meta(description=_UNDOES, examples=[3])] = None


class Settled(Struct, tag_field="status", tag="settled"):
    """A settled round: `sum(deltas) + table == 0`, and the transfers add up to the deltas. Rule sets may add fields."""

    id: Annotated[str, Meta(description="the round's id", examples=["room-42/17"])]
    rule: Annotated[str, Meta(description="the rule set", examples=["guangdong"])]
    edition: Annotated[str, Meta(description="the edition that it was settled by", examples=["2026.1"])]
    fingerprint: Annotated[str, Meta(description=_FINGERPRINT, examples=["44aeb3a3754f869c"])]
    wins: Annotated[list[WinResult], Meta(description="the wins that count, in order")]
    transfers: Annotated[list[Transfer], Meta(description="every payment, in the order they were booked")]
    deltas: Annotated[list[int], Meta(description="what each seat gained, in points", examples=[[-6, -6, 18, -6]])]
    table: Annotated[int, Meta(description="what the pot gained, in points", examples=[0])]
    next: Annotated[dict[str, int] | None, Meta(description=_NEXT, examples=[{"dealer": 2, "streak": 0}])] = None
    unpaid: Annotated[list[Transfer] | None, Meta(description=_UNPAID)] = None


class Error(Struct):
    """One fault."""

    code: Annotated[str, Meta(description="what is wrong, a stable word", examples=["tile_count"])]
    field: Annotated[str, Meta(description="where, as a path", examples=["players[2].hand"])]
    message: Annotated[str, Meta(description="found what, expected what; for people")]


class Refused(Struct, tag_field="status", tag="refused"):
    """A round that cannot be settled, with every fault found."""

    id: Annotated[str | None, Meta(description="the round's id; null where it cannot be read", examples=["r/1"])]
    errors: Annotated[list[Error], Meta(description="every fault found; beyond 100 they are only counted")]
    line: Annotated[int | None, Meta(description="the line's number, where the id is null", examples=[7])] = None


class Conflict(Struct, tag_field="status", tag="conflict"):
    """The id is known with another body; the stored result stands."""

    id: Annotated[str, Meta(description="the round's id", examples=["r/1"])]
    errors: Annotated[list[Error], Meta(description="one, with the code exists_with_different")]


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
