"""The golden facts: hands, base points, opening hands; payments of whole rounds are in the wire cases."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mjsettle.settle import Engine, load
from mjsettle.testing import read_cases
from mjsettle.tiles import CODES
from mjsettle_changsha.birds import bird_seats, tile_ranks
from mjsettle_changsha.opening import shown_by
from mjsettle_changsha.payments import base_points

HERE = Path(__file__).parent
FACTS: list[dict[str, Any]] = [
    msgspec.json.decode(line) for line in (HERE / "data" / "changsha.facts.jsonl").read_bytes().splitlines()
]
MELDS = {"peng": "pung", "chi": "chow"}


@cache
def engine() -> Engine:
    return load()


def facts(kind: str) -> list[Any]:
    return [pytest.param(fact, id=fact["id"]) for fact in FACTS if fact["kind"] == kind]


def test_every_kind_of_fact_is_tested_or_left_out_for_a_reason() -> None:
    left_out = {"pass_win": "过胡 speaks of play, not of settlement"}
    assert {fact["kind"] for fact in FACTS} == {"hand", "base", "opening", "round", *left_out}


def big_count(fact: dict[str, Any]) -> int:
    return sum(fan["value"] for fan in fact["expect"]["fans"])


@pytest.mark.parametrize("fact", facts("base"))
def test_base_points(fact: dict[str, Any]) -> None:
    options = engine().rule_set("changsha", fact["options"]).options
    related = fact["hand"]["flags"]["dealer_related"]
    assert base_points(options, big_count(fact), related) == fact["expect"]["points"]


@pytest.mark.parametrize("fact", facts("opening"))
def test_opening_hands(fact: dict[str, Any]) -> None:
    options = engine().rule_set("changsha", fact["options"]).options
    shown = shown_by([CODES[name] for name in fact["hand"]["concealed"]], options)
    assert [kind.name for kind in shown] == [fan["name"] for fan in fact["expect"]["fans"]]


def melds_of(fact: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for meld in fact["hand"]["melds"]:
        rank, suit = int(meld["tile"][0]), meld["tile"][1]
        tiles = f"{rank}{rank + 1}{rank + 2}{suit}" if meld["type"] == "chi" else f"{rank}{rank}{rank}{suit}"
        found.append({"kind": MELDS[meld["type"]], "tiles": tiles, "from": 3})
    return found


def round_of(fact: dict[str, Any], dealer: int) -> dict[str, Any]:
    """A fact of kind `hand` as a wire round; what does not say how it was won is won from seat 1."""
    hand, flags = fact["hand"], fact["hand"]["flags"]
    win: dict[str, Any] = {"type": "win", "seat": 0, "tile": hand["win_tile"]}
    turned = flags.get("kong_draw_tiles", 0)
    how = {"tian": "first_turn", "rob_kong": "rob_kong"}
    win["how"] = [how[flag] for flag in how if flags.get(flag)] + (["kong_draw"] if turned else [])
    if not flags.get("self_draw") and not turned:
        win["from"] = 1
    kongs = []
    if flags.get("rob_buzhang"):
        kongs.append({"type": "kong", "seat": 1, "kind": "added_kong", "tile": win["tile"], "style": "supplement"})
    return {
        "id": fact["id"],
        "rule": "changsha",
        "options": fact["options"],
        "dealer": dealer,
        "players": [{"hand": "".join(hand["concealed"]), "melds": melds_of(fact)}, {}, {}, {}],
        "events": [*kongs, *[win] * max(1, turned)],
    }


@pytest.mark.parametrize("fact", facts("hand"))
@pytest.mark.parametrize(("dealer", "who"), [(0, "dealer_related"), (3, "non_dealer")])
def test_hands(fact: dict[str, Any], dealer: int, who: str) -> None:
    expect = fact["expect"]
    if fact["hand"]["flags"].get("tian") and dealer:
        pytest.skip("天胡 is the dealer's")
    (result,) = engine().settle([round_of(fact, dealer)])
    assert (result["status"] == "settled") == expect["win"], result
    if not expect["win"]:
        assert [error["code"] for error in result["errors"]] == ["not_a_win"]
        return
    (win,) = result["wins"]
    fans = [fan["name"] for fan in win["fans"] for _ in range(fan["times"])]
    assert sorted(fans) == sorted(fan["name"] for fan in expect["fans"])
    assert win["total"] == expect["big_count"]
    paid = {entry["points"] for entry in result["transfers"] if entry["from"] == 1}
    assert paid == {expect["points"][who]}


@pytest.mark.parametrize("fact", facts("round"))
def test_rounds_are_wire_cases(fact: dict[str, Any]) -> None:
    """Each has a wire case named as its source, under the same switches, that expects the same payments."""
    cases = [case for case in read_cases(HERE.parent / "cases" / "rounds.jsonl") if case.source == fact["id"]]
    assert len(cases) == 1
    case, events = cases[0], fact["events"]
    assert case.expect["deltas"] == fact["expect"]["payments"]
    assert {**engine().rule_set("changsha", case.round.get("options", {})).options} == {
        **engine().rule_set("changsha", fact["options"]).options
    }
    assert case.round["dealer"] == events["dealer"]
    assert case.round.get("birds", []) == events.get("birds", [])


@pytest.mark.parametrize("fact", facts("round"))
def test_birds_sit(fact: dict[str, Any]) -> None:
    events = fact["events"]
    ranks = events.get("dice") or tile_ranks(events["birds"])
    origin = events["winner"] if fact["options"].get("bird_origin") == "winner" else events["dealer"]
    assert sorted(bird_seats(ranks, origin)) == sorted(fact["expect"]["bird_seats"])
