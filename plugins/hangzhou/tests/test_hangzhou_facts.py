"""The golden facts: hands, ready hands, and payments of a given product."""

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
from mjsettle.tiles import CODES
from mjsettle_hangzhou.fans import any_tile_wins
from mjsettle_hangzhou.payments import dealer_factor

HERE = Path(__file__).parent
FACTS: list[dict[str, Any]] = [
    msgspec.json.decode(line) for line in (HERE / "data" / "hangzhou.facts.jsonl").read_bytes().splitlines()
]
MELDS = {"peng": ("pung", 3), "gang_exposed": ("kong", 4), "gang_added": ("added_kong", 4)}
MELDS["gang_concealed"] = ("concealed_kong", 4)


def facts(kind: str) -> list[Any]:
    return [pytest.param(fact, id=fact["id"]) for fact in FACTS if fact["kind"] == kind]


@cache
def engine() -> Engine:
    return load()


def test_every_kind_of_fact_is_tested() -> None:
    assert {fact["kind"] for fact in FACTS} == {"hand", "ready", "round"}


def melds_of(fact: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for meld in fact["hand"]["melds"]:
        if meld["type"] == "chi":
            first, suit = int(meld["tile"][0]), meld["tile"][1]
            found.append({"kind": "chow", "tiles": f"{first}{first + 1}{first + 2}{suit}"})
        else:
            kind, size = MELDS[meld["type"]]
            found.append({"kind": kind, "tiles": meld["tile"][0] * size + meld["tile"][1]})
    return found


def round_of(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact of kind `hand` as a wire round: seat 1 wins, the chain's kongs first and then its 财神."""
    hand, flags = fact["hand"], fact["hand"]["flags"]
    kongs = flags.get("chain", 0) - flags.get("piao", 0)
    chain: list[dict[str, Any]] = [{"type": "kong", "seat": 1, "kind": "concealed_kong"}] * kongs
    chain += [{"type": "wild_discard", "seat": 1}] * flags.get("piao", 0)
    win: dict[str, Any] = {"type": "win", "seat": 1, "tile": hand["win_tile"]}
    if kongs and not flags.get("piao"):
        win["how"] = ["kong_draw", "kong_on_kong"][:kongs]
    return {
        "id": fact["id"],
        "rule": "hangzhou",
        "options": fact["options"],
        "wild": hand["wild_tiles"],
        "players": [{}, {"hand": "".join(hand["concealed"]), "melds": melds_of(fact)}, {}, {}],
        "events": [*chain, win],
    }


@pytest.mark.parametrize("fact", facts("hand"))
def test_hands(fact: dict[str, Any]) -> None:
    expect = fact["expect"]
    (result,) = engine().settle([round_of(fact)])
    assert (result["status"] == "settled") == expect["win"], result
    if not expect["win"]:
        assert [error["code"] for error in result["errors"]] == ["not_a_win"]
        return
    (win,) = result["wins"]
    fans = [{"name": fan["name"], "value": fan["value"] * fan["times"]} for fan in win["fans"]]
    assert sorted(fans, key=str) == sorted(expect["fans"], key=str)
    assert any(fan["name"] == "爆头" for fan in fans) == expect["baotou"]
    assert result["deltas"][2:] == [-expect["points"]] * 2


@pytest.mark.parametrize("fact", facts("ready"))
def test_ready_hands(fact: dict[str, Any]) -> None:
    hand, expect = fact["hand"], fact["expect"]
    ruleset = engine().rule_set("hangzhou", fact["options"])
    wild = frozenset(CODES[name] for name in hand["wild_tiles"])
    codes = [CODES[name] for name in hand["concealed"]]
    melds = tuple((meld["kind"], meld["tiles"]) for meld in melds_of(fact))
    any_tile = CODES["7p"]
    made = make_hand(codes, any_tile, melds, wild, Situation(), ruleset.policy, ruleset.faces)
    live, formal = waits_before(ruleset, made)
    assert bool(live) == expect["ready"]
    assert made.columns["wilds"] == hand["wild_count"]
    assert bool(any_tile_wins(formal, hand["wild_count"])) == expect["baotou"]


@pytest.mark.parametrize("fact", facts("round"))
def test_payments(fact: dict[str, Any]) -> None:
    """Worked out from the product, and as the wire case that names the fact."""
    events, expected = fact["events"], fact["expect"]["payments"]
    winner, dealer, streak = events["winner"], events["dealer"], events["laozhuang"] - 1
    shares = [
        events["mult"] * (dealer_factor(streak) if dealer in (seat, winner) else 1) if seat != winner else 0
        for seat in range(4)
    ]
    if "chi_counts" not in events:
        assert [sum(shares) if seat == winner else -share for seat, share in enumerate(shares)] == expected
    cases = [case for case in read_cases(HERE.parent / "cases" / "rounds.jsonl") if f"{fact['id']}:" in case.source]
    assert len(cases) == 1
    assert cases[0].expect["deltas"] == expected
    assert (cases[0].round["dealer"], cases[0].round.get("streak", 0)) == (dealer, streak)
    assert cases[0].expect["wins"][0]["points"] == sum(shares)
