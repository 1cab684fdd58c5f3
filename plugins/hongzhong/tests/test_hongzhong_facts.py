"""The golden facts: birds, waits and hands; payments of whole rounds are in the wire cases."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mjsettle.hands import Situation, make_hand
from mjsettle.judge import waits_before
from mjsettle.settle import Engine, load
from mjsettle.testing import read_cases
from mjsettle.tiles import CODES, NAMES
from mjsettle_hongzhong.birds import seat_hits, value_hits

HERE = Path(__file__).parent
FACTS: list[dict[str, Any]] = [
    msgspec.json.decode(line) for line in (HERE / "data" / "hongzhong.facts.jsonl").read_bytes().splitlines()
]


@cache
def engine() -> Engine:
    return load()


def facts(kind: str) -> list[Any]:
    return [pytest.param(fact, id=fact["id"]) for fact in FACTS if fact["kind"] == kind]


def test_every_kind_of_fact_is_tested() -> None:
    assert {fact["kind"] for fact in FACTS} == {"hand", "ready", "round", "birds"}


@pytest.mark.parametrize("fact", facts("birds"))
def test_birds_hit(fact: dict[str, Any]) -> None:
    flags = fact["hand"]["flags"]
    ruleset = engine().rule_set("hongzhong", fact["options"])
    by_seat = ruleset.options.bird_map == "seat"
    hits = seat_hits(flags["birds"], flags["winner_rel_dealer"]) if by_seat else value_hits(flags["birds"])
    assert hits == fact["expect"]["hits"]


def melds_of(fact: dict[str, Any]) -> list[dict[str, Any]]:
    melds = fact["hand"]["melds"]
    assert {meld["type"] for meld in melds} <= {"peng"}
    return [{"kind": "pung", "tiles": meld["tile"][0] * 3 + meld["tile"][1], "from": 3} for meld in melds]


@pytest.mark.parametrize("fact", facts("ready"))
def test_waits(fact: dict[str, Any]) -> None:
    hand, expect = fact["hand"], fact["expect"]
    ruleset = engine().rule_set("hongzhong", fact["options"])
    melds = tuple((meld["kind"], meld["tiles"]) for meld in melds_of(fact))
    codes = [CODES[name] for name in hand["concealed"]]
    wild = frozenset(CODES[name] for name in hand["wild_tiles"])
    made = make_hand(codes, CODES["9s"], melds, wild, Situation(), ruleset.policy, ruleset.faces, {"in_time": 1})
    mask, _ = waits_before(ruleset, made)
    waits = [NAMES[kind] for kind in range(34) if mask >> kind & 1]
    assert waits == [*expect["waits"], *(["7z"] if expect["wild_also_wins"] else [])]


def round_of(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact of kind `hand` as a wire round."""
    hand, flags = fact["hand"], fact["hand"]["flags"]
    win: dict[str, Any] = {"type": "win", "seat": 0, "tile": hand["win_tile"]}
    if flags.get("rob_kong"):
        win["how"] = ["rob_kong"]
    if not flags["self_draw"]:
        win["from"] = 1
    player = {"hand": "".join(hand["concealed"]), "melds": melds_of(fact)}
    return {
        "id": fact["id"],
        "rule": "hongzhong",
        "options": fact["options"],
        "wild": hand["wild_tiles"],
        "players": [player, {}, {}, {}],
        "events": [win],
    }


@pytest.mark.parametrize("fact", facts("hand"))
def test_hands(fact: dict[str, Any]) -> None:
    expect = fact["expect"]
    (result,) = engine().settle([round_of(fact)])
    assert (result["status"] == "settled") == expect["win"], result
    if not expect["win"]:
        assert {error["code"] for error in result["errors"]} <= {"not_a_win", "not_allowed"}
        return
    (win,) = result["wins"]
    if "fans" in expect:
        fans = [{"name": fan["name"], "value": fan["value"] * fan["times"]} for fan in win["fans"]]
        assert sorted(fans, key=str) == sorted(expect["fans"], key=str)
        assert win["total"] == expect["fan_total"]
    if "points" in expect:
        assert {entry["points"] for entry in result["transfers"]} == {expect["points"]}


@pytest.mark.parametrize("fact", facts("round"))
def test_rounds_are_wire_cases(fact: dict[str, Any]) -> None:
    """Each has a wire case named as its source, under the same switches, that expects the same payments."""
    cases = [case for case in read_cases(HERE.parent / "cases" / "rounds.jsonl") if case.source == fact["id"]]
    assert len(cases) == 1
    assert cases[0].expect["deltas"] == fact["expect"]["payments"]
    assert cases[0].round.get("options", {}) == fact["options"]
    assert cases[0].round.get("birds", []) == fact["events"].get("birds", [])
