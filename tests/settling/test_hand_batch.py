"""Hands scored as arrays are worth what they are worth in rounds."""

from __future__ import annotations

from typing import Any

import pytest

from mjsettle import HandBatch, HandError, NotationError, load
from mjsettle.settle import Engine
from mjsettle.testing.random_hands import random_rounds


@pytest.fixture(scope="module")
def engine() -> Engine:
    return load()


def _situation(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    wins = [round["events"][-1] for round in rounds]
    found: dict[str, Any] = {
        "self_draw": [int("from" not in win) for win in wins],
        "seat_wind": [
            (win["seat"] - round.get("dealer", 0)) % len(round["players"])
            for win, round in zip(wins, rounds, strict=True)
        ],
        "round_wind": [int(round.get("round_wind", "1z")[0]) - 1 for round in rounds],
    }
    for how in ("kong_draw", "rob_kong", "last_tile", "first_turn", "last_of_kind", "kong_discard", "flower_draw"):
        found[how] = [int(how in win.get("how", ())) for win in wins]
    return found


def _flowers(round: dict[str, Any]) -> int:
    written = round["players"][round["events"][-1]["seat"]].get("flowers", "")
    return sum(1 << (int(digit) - 1) for digit in written if digit.isdigit())


@pytest.mark.parametrize(
    ("rule", "options"), [("guobiao", {"min_fan": 0}), ("guangdong", {"profile": "gd_pattern", "chihu": True})]
)
def test_arrays_score_as_rounds_do(engine: Engine, rule: str, options: dict[str, Any]) -> None:
    ruleset = engine.rule_set(rule, options)
    rounds = [
        {**round, "options": options}
        for round in random_rounds(ruleset, 1500, 11, wilds_max=0)
        if len(round["players"]) == 4
    ]
    results = engine.settle(rounds)
    settled = [(round, result) for round, result in zip(rounds, results, strict=True) if result["status"] == "settled"]
    assert len(settled) > 500
    rounds = [round for round, _ in settled]
    winners = [round["players"][round["events"][-1]["seat"]] for round in rounds]
    batch = HandBatch.read(
        [winner["hand"] for winner in winners],
        [round["events"][-1]["tile"] for round in rounds],
        [[(meld["kind"], meld["tiles"]) for meld in winner.get("melds", ())] for winner in winners],
        flowers=[_flowers(round) for round in rounds],
        **_situation(rounds),
    )
    scores = engine.score(rule, batch, options)
    for (round, result), total, names in zip(settled, scores.total.tolist(), scores.fan_names(), strict=True):
        win = result["wins"][0]
        assert total == win["total"], (round, result)
        if ruleset.scoring.combine == "sum":
            listed = [fan["name"] for fan in win["fans"] for _ in range(fan["times"])]
            assert sorted(names) == sorted(listed), round


def test_wilds_named_for_the_batch_are_lifted_from_every_hand(engine: Engine) -> None:
    options = {"wugui": True}
    batch = HandBatch.read(["12345m567p1s5z222s", "123456m567p1s222s"], ["6m", "1s"], wild=["5z"])
    scores = engine.score("guangdong", batch, options)
    assert batch.wilds.tolist() == [1, 0]
    assert scores.total.tolist() == [2, 4]


def test_a_hand_that_does_not_win_scores_nothing(engine: Engine) -> None:
    scores = engine.score("guangdong", HandBatch.read(["1234m567p1s222s57z", "123456m567p1s222s"], ["6m", "1s"]))
    assert scores.won.tolist() == [False, True]
    assert scores.total.tolist()[0] == 0
    assert scores.fan_names()[0] == []


def test_what_cannot_be_read_is_named() -> None:
    with pytest.raises(NotationError, match="9q"):
        HandBatch.read(["123m9q"], ["1m"])
    with pytest.raises(HandError, match="winning tile 1: found '11m'"):
        HandBatch.read(["123m", "123m"], ["1m", "11m"])
    with pytest.raises(HandError, match="2 hands, 1 winning tiles"):
        HandBatch.read(["123m", "123m"], ["1m"])


def test_hands_read_without_the_rule_sets_own_wild_kind_are_refused(engine: Engine) -> None:
    hands = ["123m456p789s1122s"], ["1s"]
    with pytest.raises(HandError, match=r"read the hands with wild=\['7z'\]"):
        engine.score("hongzhong", HandBatch.read(*hands))
    assert engine.score("hongzhong", HandBatch.read(*hands, wild=["7z"])).won.tolist() == [True]


def test_rule_sets_that_read_suits_alike_share_their_book(engine: Engine) -> None:
    """A book grows to tens of megabytes; a worker that meets every combination of switches must not have one each."""
    books = {id(engine.rule_set("guangdong", {"horses": horses}).book) for horses in (0, 2, 4, 6)}
    assert len(books) == 1
    strict = engine.rule_set("guangdong", {"profile": "gd_mil2023"})
    assert strict.book is not engine.rule_set("guangdong").book
