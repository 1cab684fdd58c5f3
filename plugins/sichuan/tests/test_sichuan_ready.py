"""Ready hands of the rulebook and of other engines: their waits, and what each is worth when a seat is not ready."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mjsettle
import mjsettle_sichuan
from mjsettle.tiles import format_tiles, parse_tiles
from mjsettle_sichuan.table import points

CASES = Path(__file__).parents[1] / "cases"
FACTS = [json.loads(line) for line in (CASES / "ready.facts.jsonl").read_text().splitlines()]
MELDS = {"peng": "pung", "gang_exposed": "kong", "gang_added": "added_kong", "gang_concealed": "concealed_kong"}


FAR_FROM_READY = ("12578m1257p3689p", "12578p1257s3689s", "12578m1257s3689s")


def _fifth(text: str, melds: list[dict[str, Any]]) -> bool:
    tiles = parse_tiles(text + "".join(meld["tiles"] for meld in melds))
    return any(tiles.count(tile) > 4 for tile in tiles)


@cache
def engine() -> mjsettle.Engine:
    return mjsettle.load([mjsettle_sichuan])


def meld_of(fact: dict[str, Any]) -> dict[str, Any]:
    kind, tile = MELDS[fact["type"]], fact["tile"]
    return {"kind": kind, "tiles": tile[0] * (3 if kind == "pung" else 4) + tile[1]}


def reckoning(hand: str, melds: list[dict[str, Any]], options: dict[str, Any]) -> dict[str, Any]:
    """How a seat stands at the end of a round of two, in which the other seat is far from ready."""
    other = {"hand": next(text for text in FAR_FROM_READY if not _fifth(hand + text, melds))}
    record = {
        "id": "ready",
        "rule": "sichuan",
        "options": options,
        "players": [{"hand": hand, "melds": melds}, other],
        "events": [{"type": "exhaustive_draw"}],
    }
    (result,) = engine().settle([record])
    assert result["status"] == "settled", result
    found: dict[str, Any] = result["reckoning"][0]
    return found


@pytest.mark.parametrize("fact", FACTS, ids=[fact["id"] for fact in FACTS])
def test_ready_hands(fact: dict[str, Any]) -> None:
    if fact["kind"] == "pass_win":
        pytest.skip("whether a seat may win after passing is play, not settlement")
    hand = format_tiles(parse_tiles("".join(fact["hand"]["concealed"])))
    found = reckoning(hand, [meld_of(meld) for meld in fact["hand"]["melds"]], fact["options"])
    expect = fact["expect"]
    assert found["status"] == ("ready" if expect["ready"] else "not_ready")
    waits = found.get("waits", {})
    if "max_wait_points" in expect:  # of the multipliers' scorer, whose test names two of the waits
        assert waits.items() >= expect["waits"].items()
        assert max(waits.values()) == expect["max_wait_points"]
    elif isinstance(expect["waits"], dict):
        assert waits == {tile: 2 ** min(fan, 3) for tile, fan in expect["waits"].items()}
    else:
        assert list(waits) == expect["waits"]
    if "max_wait_fan" in expect:
        assert max(waits.values()) == 2 ** min(expect["max_wait_fan"], 3)


def test_a_wait_is_worth_the_dearer_of_two_readings() -> None:
    """2m makes seven pairs with a root, the other waits plain hands (a scorer's test, which names 2m, 3m)."""
    assert reckoning("2223344m112233p", [], {})["waits"] == {"2m": 8, "3m": 1, "4m": 1, "5m": 1}


def test_a_hand_of_fourteen_is_ready_after_its_best_discard() -> None:
    found = reckoning("123456789s1123p9m", [], {})
    assert found == {"seat": 0, "status": "ready", "waits": {"1p": 1, "4p": 1}}


def test_tiles_of_the_missing_suit_make_a_pig_whatever_the_shape() -> None:
    record = {
        "id": "pig",
        "rule": "sichuan",
        "players": [{"hand": "123456789s1123p", "void": "p"}, {"hand": "123456789m1123s"}],
        "events": [{"type": "exhaustive_draw"}],
    }
    (result,) = engine().settle([record])
    assert result["deltas"] == [-16, 16]
    assert result["reckoning"][0]["status"] == "pig"


def test_points_by_fan() -> None:
    """0, 1, 2, 3 and 5 fans are worth 1, 2, 4, 8 and 8 under a cap of three (public bug report SC-001)."""
    options = engine().rule_set("sichuan", {"cap": 3}).options
    assert [points(options, fan, 0) for fan in (0, 1, 2, 3, 5)] == [1, 2, 4, 8, 8]
