"""The golden facts: scores from given counts, hands, the gold, the undrawn tiles, streaks."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mjsettle.options import Options
from mjsettle.settle import Engine, load
from mjsettle.testing import read_cases
from mjsettle_fuzhou.points import core, per_payer
from mjsettle_fuzhou.tiles import GOLDS_IN_PLAY, gold_of, reserve_tiles

HERE = Path(__file__).parent
FACTS: list[dict[str, Any]] = [
    msgspec.json.decode(line) for line in (HERE / "data" / "fuzhou.facts.jsonl").read_bytes().splitlines()
]
CASES = read_cases(HERE.parent / "cases" / "rounds.jsonl")


def facts(kind: str) -> list[Any]:
    return [pytest.param(fact, id=fact["id"]) for fact in FACTS if fact["kind"] == kind]


@cache
def engine() -> Engine:
    return load()


def options_of(fact: dict[str, Any]) -> Options:
    return engine().rule_set("fuzhou", fact["options"]).options


def test_every_kind_of_fact_is_tested_or_left_out_for_a_reason() -> None:
    left_out = {"legality": "which tiles may be discarded is the room's business; a discarded gold is refused (cases)"}
    assert {fact["kind"] for fact in FACTS} == {"score", "hand", "round", "wild", *left_out}


@pytest.mark.parametrize("fact", facts("score"))
def test_scores(fact: dict[str, Any]) -> None:
    """From the counts, and as the wire case that names the fact."""
    flags, expect, options = fact["hand"]["flags"], fact["expect"], options_of(fact)
    special = sum(fan["value"] for fan in expect["fans"])
    kongs = flags["ming_gang"] + 2 * flags["an_gang"]
    found = core(options, flags["flowers"], flags["gold"], kongs, flags["streak"])
    assert per_payer(options, found, int(flags["self_draw"]), special) == expect["points"]
    cases = [case for case in CASES if case.source.startswith(f"{fact['id']}:")]
    assert len(cases) == 1
    assert cases[0].expect["deltas"] == expect["payments"]
    listed = cases[0].expect["wins"][0]["fans"]
    assert listed == {fan["name"]: fan["value"] for fan in expect["fans"]}


@pytest.mark.parametrize("fact", facts("hand"))
def test_hands(fact: dict[str, Any]) -> None:
    hand, expect = fact["hand"], fact["expect"]
    melds = []
    for meld in hand["melds"]:
        first, suit = int(meld["tile"][0]), meld["tile"][1]
        chow = meld["type"] == "chi"
        tiles = f"{first}{first + 1}{first + 2}{suit}" if chow else f"{first}" * 3 + suit
        melds.append({"kind": "chow" if chow else "pung", "tiles": tiles})
    round = {
        "id": fact["id"],
        "rule": "fuzhou",
        "options": fact["options"],
        "wild": hand["wild_tiles"],
        "players": [{}, {"hand": "".join(hand["concealed"]), "melds": melds}, {}, {}],
        "events": [{"type": "win", "seat": 1, "tile": hand["win_tile"]}],
    }
    (result,) = engine().settle([round])
    assert result["status"] == "settled", result
    assert expect["win"]
    fans = result["wins"][0]["fans"]
    assert [fan["name"] for fan in fans] == [fan["name"] for fan in expect["fans"]]
    for fan, wanted in zip(fans, expect["fans"], strict=True):
        assert wanted["value"] in (None, fan["value"] * fan["times"])


@pytest.mark.parametrize("fact", facts("wild"))
def test_the_turned_tile_is_the_gold(fact: dict[str, Any]) -> None:
    assert [gold_of(fact["hand"]["flags"]["indicator"], options_of(fact))] == fact["expect"]["wild_tiles"]
    assert fact["expect"]["copies_in_play"] == GOLDS_IN_PLAY


@pytest.mark.parametrize("fact", facts("round"))
def test_rounds(fact: dict[str, Any]) -> None:
    events, expect = fact["events"], fact["expect"]
    if "reserve" in events:
        kongs = events["reserve"]
        assert reserve_tiles(options_of(fact), kongs["ming_gang"], kongs["an_gang"]) == expect["reserve_tiles"]
    elif "dealer_wins_in_a_row" in events:
        # Each next round says what `streak` the following one has; one flower on a discard brings 1 + the streak.
        values, streak = [], 0
        for _ in events["dealer_wins_in_a_row"]:
            player = {"hand": "123456789m123p456p9s", "flowers": "1f"}
            round = {"id": "a", "rule": "fuzhou", "options": fact["options"], "streak": streak, "wild": ["5s"]}
            round |= {"players": [player, {}, {}, {}], "events": [{"type": "win", "seat": 0, "tile": "9s", "from": 1}]}
            (result,) = engine().settle([round])
            values.append(-result["deltas"][1] - 1)
            streak = result["next"]["streak"]
        assert values == expect["streak_values"]
    else:
        round = {"id": "a", "rule": "fuzhou", "options": fact["options"], "dealer": 2, "players": [{}] * 4}
        (result,) = engine().settle([{**round, "events": [{"type": "exhaustive_draw"}]}])
        assert result["deltas"] == expect["payments"]
        assert (result["next"]["dealer"] == 2) == expect["dealer_stays"]


@pytest.mark.parametrize("name", ["1z", "3f", "zz"])
def test_flowers_are_never_the_gold(name: str) -> None:
    with pytest.raises(ValueError, match="expected a tile that is no flower"):
        gold_of(name, engine().rule_set("fuzhou").options)
