"""Riichi's columns on random hands: alone and in a batch, against every substitution of wild tiles, and by symmetry."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from mjsettle import HandBatch
from mjsettle.judge import judge
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_rounds, random_wins

SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"preset": "tenhou", "kiriage_mangan": True, "double_wind_pair_fu": 2, "open_tanyao": False},
    {"preset": "ema"},
    {"preset": "league", "renhou": 5, "kazoe_yakuman": False, "rinshan_tsumo_fu": False},
    {"renhou": "yakuman", "yakuman_stacking": False, "seven_pair_honours": False, "green_needs_hatsu": True},
    {"preset": "sanma"},
    {"wild": True},
    {"wild": True, "renhou": "mangan", "yakuman_stacking": False},
)


@cache
def engine() -> Engine:
    return load()


def name(options: dict[str, Any]) -> str:
    return " ".join(str(value) if isinstance(value, str) else key for key, value in options.items()) or "default"


def seats(options: dict[str, Any]) -> int:
    return 3 if options.get("preset") == "sanma" else 4


@pytest.mark.parametrize("options", SWITCHES, ids=name)
def test_alone_and_in_a_batch_agree(options: dict[str, Any]) -> None:
    wilds = 2 if options.get("wild") else 0
    three = seats(options) == 3
    sample = conformance(
        "riichi", options, engine=engine(), hands=250, seats=seats(options), wilds_max=wilds, chows=not three
    )
    assert sample.won > 100


@pytest.mark.parametrize("options", SWITCHES, ids=name)
def test_the_total_is_what_the_fans_add_up_to(options: dict[str, Any]) -> None:
    ruleset = engine().rule_set("riichi", options, seats=seats(options))
    three = seats(options) == 3
    found = 0
    for item in random_wins(
        engine(), ruleset, 250, 5, seats=seats(options), wilds_max=1 if options.get("wild") else 0, chows=not three
    ):
        if judgement := judge(ruleset, item.hand):
            found += 1
            assert judgement.total == sum(times * value for _, times, value in judgement.counted), item.wire
            yakuman = [fan for fan, _, value in judgement.counted if value == 13]
            assert not yakuman or len(yakuman) == len(judgement.counted), item.wire
            if not ruleset.options.yakuman_stacking:
                assert len(yakuman) <= 1
    assert found > 100


def test_the_best_reading_of_wilds_is_that_of_every_substitution() -> None:
    options = {"wild": True}
    ruleset = engine().rule_set("riichi", options)
    seen = {1: 0, 2: 0}
    for item in random_wins(engine(), ruleset, 260, 11, wilds_max=2):
        if item.hand.view.wilds not in seen:
            continue
        judgement = judge(ruleset, item.hand)
        expected = brute_force_best(ruleset, item.hand)
        if judgement is None:
            assert expected is None, item.wire
            continue
        seen[item.hand.view.wilds] += 1
        assert (int(judgement.qualifies), judgement.score, judgement.total) == expected, item.wire
    assert seen[1] > 40
    assert seen[2] > 20


def test_a_wild_never_lowers_the_points() -> None:
    """A tile of the concealed hand that turns wild is worth at least as much."""
    plain = engine().rule_set("riichi", {"wild": True})
    tried = 0
    for wire in random_rounds(plain, 400, 3, wilds_max=0):
        hand = wire["players"][wire["events"][0]["seat"]].get("hand", "")
        if not hand or wire.get("dora") or wire.get("ura_dora") or "0" in hand:
            continue
        jokered = f"{hand[1:] if hand[1] in '0123456789' else hand[2:]}1x"
        before, after = (engine().settle([_with_hand(wire, text)])[0] for text in (hand, jokered))
        if before["status"] == "settled":
            tried += 1
            assert after["wins"][0]["points"] >= before["wins"][0]["points"], wire
    assert tried > 30


def _with_hand(wire: dict[str, Any], hand: str) -> dict[str, Any]:
    seat = wire["events"][0]["seat"]
    # With a wild tile the hand may wait for what it has discarded.
    players = [
        {**player, "hand": hand, "discards": []} if at == seat else player for at, player in enumerate(wire["players"])
    ]
    return {**wire, "players": players, "options": {"wild": True}}


def test_a_yakuman_stands_before_a_counted_one() -> None:
    """Four concealed pungs with nine dora over a flush of the same tiles (§4)."""
    wire = {
        "id": "tie",
        "rule": "riichi",
        "dora": ["1m", "2m", "3m"],
        "players": [{"hand": "1112223334445m"}, {}, {}, {}],
        "events": [{"type": "win", "seat": 0, "tile": "5m"}],
    }
    tenhou = engine().settle([wire | {"options": {"preset": "tenhou"}}])[0]
    assert tenhou["wins"][0]["yakuman"] == 1
    assert "total" not in tenhou["wins"][0]


def test_hands_are_scored_without_rounds() -> None:
    """Arrays of hands give han, fu and points; dora and declarations are columns of the batch."""
    batch = HandBatch.read(
        ["234567m34p22678s", "1122m3344p5566s7z"],
        ["5p", "7z"],
        self_draw=np.array([0, 1]),
        seat_wind=1,
        dora=np.array([2, 0]),
        riichi_level=1,
    )
    scores = engine().score("riichi", batch)
    assert scores.total.tolist() == [5, 4]
    assert scores.prefer.tolist() == [30, 25]
    assert scores.score.tolist() == [8000, 6400]


def test_every_yaku_has_names_in_three_languages() -> None:
    for fan in engine().rule_set("riichi").fans:
        assert fan.cite
        assert set(fan.names) == {"zh", "en", "ja"}
    wire = {
        "id": "names",
        "rule": "riichi",
        "names": True,
        "players": [{"hand": "234567m34p22678s", "flags": ["riichi"]}, {}, {}, {}],
        "events": [{"type": "win", "seat": 0, "tile": "5p", "from": 1}],
    }
    fans = engine().settle([wire])[0]["wins"][0]["fans"]
    assert fans[0]["names"] == {"zh": "立直", "en": "riichi", "ja": "立直"}
