"""The golden facts: turned tiles, horses, waits and hands; payments of whole rounds are in the wire cases."""

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
from mjsettle_guangdong.horses import horse_hits
from mjsettle_guangdong.wilds import wild_of

HERE = Path(__file__).parent
FACTS: list[dict[str, Any]] = [
    msgspec.json.decode(line) for line in (HERE / "data" / "guangdong.facts.jsonl").read_bytes().splitlines()
]
MELDS = {"peng": ("pung", 3), "gang_exposed": ("kong", 4), "gang_added": ("added_kong", 4)}
MELDS["gang_concealed"] = ("concealed_kong", 4)


def facts(kind: str) -> list[Any]:
    """The facts of a kind as parameters; those of the lianhua profile are skipped, for the sheet does not give it."""
    skipped = pytest.mark.skip(reason="profile lianhua: a server of its own, which the rule sheet does not describe")
    return [
        pytest.param(fact, id=fact["id"], marks=[skipped] if fact["options"].get("profile") == "lianhua" else [])
        for fact in FACTS
        if fact["kind"] == kind
    ]


@cache
def engine() -> Engine:
    return load()


def test_every_kind_of_fact_is_tested_or_left_out_for_a_reason() -> None:
    left_out = {"legality": "speaks of claims during play, which are the room's business"}
    assert {fact["kind"] for fact in FACTS} == {"wild", "birds", "ready", "hand", "round", *left_out}


@pytest.mark.parametrize("fact", facts("wild"))
def test_turned_tile_tells_the_wild_tiles(fact: dict[str, Any]) -> None:
    found = wild_of(fact["options"]["ghost"], fact["hand"]["flags"]["indicator"])
    assert list(found) == fact["expect"]["wild_tiles"]


@pytest.mark.parametrize("fact", facts("birds"))
def test_horses_hit(fact: dict[str, Any]) -> None:
    flags = fact["hand"]["flags"]
    wild = frozenset(CODES[name] for name in flags["ghosts"])
    assert horse_hits(flags["horses"], flags["winner_rel_dealer"], wild, "default") == fact["expect"]["hits"]


@pytest.mark.parametrize("fact", facts("ready"))
def test_waits(fact: dict[str, Any]) -> None:
    hand = fact["hand"]
    ruleset = engine().rule_set("guangdong", fact["options"])
    melds = tuple((meld["kind"], meld["tiles"]) for meld in melds_of(fact, 0))
    codes = [CODES[name] for name in hand["concealed"]]
    wild = frozenset(CODES[name] for name in hand["wild_tiles"])
    any_tile = CODES["9s"]
    made = make_hand(codes, any_tile, melds, wild, Situation(), ruleset.policy, ruleset.faces, {"in_time": 1})
    mask, _ = waits_before(ruleset, made)
    waits = [NAMES[kind] for kind in range(34) if mask >> kind & 1]
    assert set(fact["expect"].get("waits_include", ())) <= set(waits)
    assert fact["expect"].get("waits", waits) == waits


def melds_of(fact: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    """A fact's melds as the wire has them; one without a source is from the seat before."""
    found = []
    for meld in fact["hand"]["melds"]:
        kind, size = MELDS[meld["type"]]
        wire: dict[str, Any] = {"kind": kind, "tiles": meld["tile"][0] * size + meld["tile"][1]}
        if kind != "concealed_kong":
            wire["from"] = meld.get("from", (seat + 3) % 4)
        found.append(wire)
    return found


def round_of(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact of kind `hand` as a wire round."""
    hand, flags = fact["hand"], fact["hand"]["flags"]
    seat = flags.get("seat", 0)
    melds = melds_of(fact, seat)
    player: dict[str, Any] = {"hand": "".join(hand["concealed"]), "melds": melds}
    if "ghosts_discarded" in flags:
        player["discards"] = hand["wild_tiles"] * flags["ghosts_discarded"]
    if "discards_made" in flags:
        player["discards"] = ["9s"] * flags["discards_made"]
    win: dict[str, Any] = {"type": "win", "seat": seat, "tile": hand["win_tile"]}
    win["how"] = [word for word in ("rob_kong", "kong_draw") if flags.get(word)]
    if not flags.get("self_draw", True):
        win["from"] = flags.get("from", (seat + 1) % 4)
    kongs = [
        {
            "type": "kong",
            "seat": seat,
            "kind": "kong",
            "tile": meld["tiles"][0] + meld["tiles"][-1],
            "from": meld["from"],
        }
        for meld in melds
        if meld["kind"] == "kong"
    ]
    players: list[dict[str, Any]] = [{}, {}, {}, {}]
    players[seat] = player
    return {
        "id": fact["id"],
        "rule": "guangdong",
        "options": fact["options"],
        "wild": hand["wild_tiles"],
        "players": players,
        "events": [*kongs, win],
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
    if "points" in expect:
        shares = {entry["points"] for entry in result["transfers"] if entry["why"] in ("win", "win_liable")}
        assert shares == {expect["points"]}
    assert result["deltas"] == expect.get("payments", result["deltas"])


@pytest.mark.parametrize("fact", facts("round"))
def test_rounds_are_wire_cases(fact: dict[str, Any]) -> None:
    """Each has a wire case named as its source, under the same switches, that expects the same payments."""
    cases = [case for case in read_cases(HERE.parent / "cases" / "rounds.jsonl") if case.source == fact["id"]]
    assert len(cases) == 1
    assert cases[0].expect["deltas"] == fact["expect"]["payments"]
    assert cases[0].round.get("options", {}) == fact["options"]
    assert cases[0].round.get("birds", []) == fact["events"].get("horses", [])
