"""Other readings of a winning hand, and why each was not taken; hints."""

from __future__ import annotations

from typing import Any

import pytest

import mjsettle
from mjsettle.alternatives import Alternative, alternatives, hint
from mjsettle.hands import Hand
from mjsettle.judge import judge
from mjsettle.ledger import Refused
from mjsettle.ruleset import RuleSet
from mjsettle.settle import Engine
from mjsettle.testing.random_hands import random_rounds


@pytest.fixture(scope="module")
def engine() -> Engine:
    return mjsettle.load()


def won(engine: Engine, rule: str, hand: str, tile: str, **fields: Any) -> tuple[RuleSet, Hand]:
    event = {"type": "win", "seat": 0, "tile": tile, **fields.pop("event", {})}
    record = {"id": "x", "rule": rule, "players": [{"hand": hand}, {}, {}, {}], "events": [event], **fields}
    ruleset, wins = engine.hands_of(record)
    return ruleset, wins[0][1]


def told(found: tuple[Alternative, ...]) -> list[tuple[tuple[str, ...], int, str]]:
    return [(tuple(one.as_dict()["sets"]), one.judgement.total, one.lost_by) for one in found]


def test_three_pungs_or_three_chows(engine: Engine) -> None:
    found = alternatives(*won(engine, "guobiao", "111222333m44p77z", "4p"))
    assert [one[2] for one in told(found)] == ["", "score"]
    assert found[0].judgement.total > found[1].judgement.total
    assert {one[0] for one in told(found)} == {
        ("111m", "222m", "333m", "444p"),
        ("123m", "123m", "123m", "444p"),
    }


def test_seven_pairs_or_chows(engine: Engine) -> None:
    found = alternatives(*won(engine, "guobiao", "112233m445566p7s", "7s", event={"from": 1}))
    assert found[0].judgement.form == "seven_pairs"
    assert {one.lost_by for one in found[1:]} <= {"score", "below_minimum", "total"}
    assert found[1].judgement.form == "standard"


def test_the_first_is_what_the_judge_takes(engine: Engine) -> None:
    """On random wins of every rule set, many of them with wild tiles."""
    seen = fewer = 0
    for rule in engine.rules():
        for record in random_rounds(engine.rule_set(rule), 40, seed=3):
            try:
                ruleset, wins = engine.hands_of(record)
            except Refused:
                continue
            for _, hand in wins:
                taken, found = judge(ruleset, hand), alternatives(ruleset, hand)
                if taken is None:
                    assert all(one.lost_by == "illegal" for one in found)
                    continue
                seen += 1
                assert found[0].judgement == taken
                assert found[0].lost_by == ""
                assert alternatives(ruleset, hand, 2) == found[:2]
                assert all(one.lost_by for one in found[1:])
                told_hint = hint(ruleset, hand)
                assert told_hint is not None
                assert told_hint.pays_most == found[0]
                legal = [one for one in found if one.lost_by != "illegal"]
                assert told_hint.fewest_wilds.wilds_needed == min(one.wilds_needed for one in legal)
                fewer += told_hint.fewest_wilds.wilds_needed < found[0].wilds_needed
    assert seen > 100
    assert fewer  # the reading that pays most may spend a wild tile more


def test_a_faulty_round_is_refused_with_its_faults(engine: Engine) -> None:
    with pytest.raises(Refused) as refused:
        won(engine, "guobiao", "111m", "1m")
    assert {fault.code for fault in refused.value.faults} == {"tile_count"}
