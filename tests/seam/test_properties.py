"""What holds for every round, whatever it is: the ledger adds up, seats may be renumbered, a batch changes nothing,
and no round, however broken, makes the engine raise."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjsettle.settle import Engine, load
from mjsettle.testing import random_rounds, read_cases
from mjsettle.testing.symmetries import melds_shuffled, rotated

CASES = Path(__file__).parents[2] / "plugins" / "guangdong" / "cases"
SWITCHES: tuple[dict[str, Any], ...] = (
    {"horses": 4},
    {"chihu": True, "wugui": True, "dealer_double": True, "jiejiegao": True, "horses": 2},
    {"ma_gen_difen": True, "ma_gen_gang": True, "horses": 6, "gangbao_scope": "all", "gangbao_link": "first"},
    {"qianggang_quanbao": False, "gangbao": False, "liuju_gang": True, "draw_dealer": "next"},
    {"preset": "gd_pattern", "chihu": True, "base": 3},
    {"preset": "gd_mil2023"},
    {"preset": "gd_mil2023", "min_points": 0, "min_fan": 0},
)
KONGS = ("kong", "added_kong", "concealed_kong")


@cache
def engine() -> Engine:
    return load()


@cache
def written_rounds() -> list[dict[str, Any]]:
    return [dict(case.round) for path in sorted(CASES.glob("*.jsonl")) for case in read_cases(path)]


@st.composite
def random_round(draw: st.DrawFn) -> dict[str, Any]:
    """A random win with kongs before it, or the same round drawn."""
    seats = draw(st.sampled_from((4, 4, 4, 3, 2)))
    ruleset = engine().rule_set("guangdong", draw(st.sampled_from(SWITCHES)), seats=seats)
    seed = draw(st.integers(0, 2**32))
    (round,) = random_rounds(ruleset, 1, seed, seats=seats, chows=False)
    kongs: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 3))):
        seat = draw(st.integers(0, seats - 1))
        kong: dict[str, Any] = {"type": "kong", "seat": seat, "kind": draw(st.sampled_from(KONGS))}
        if kong["kind"] == "kong":
            kong["from"] = (seat + draw(st.integers(1, seats - 1))) % seats
        kongs.append(kong)
    end = [{"type": "exhaustive_draw"}] if draw(st.booleans()) and draw(st.booleans()) else round["events"]
    return {**round, "events": [*kongs, *end]}


ROUNDS = st.one_of(random_round(), st.deferred(lambda: st.sampled_from(written_rounds())))


def settle(round: dict[str, Any]) -> dict[str, Any]:
    (result,) = engine().settle([round])
    return result


def check_ledger(result: dict[str, Any]) -> None:
    assert sum(result["deltas"]) + result["table"] == 0
    gained = [0] * len(result["deltas"])
    for transfer in result["transfers"]:
        assert transfer["points"] > 0
        for seat, sign in ((transfer["from"], -1), (transfer["to"], 1)):
            if seat != "table":
                gained[seat] += sign * transfer["points"]
    assert gained == result["deltas"]


@given(ROUNDS)
def test_every_ledger_adds_up(round: dict[str, Any]) -> None:
    result = settle(round)
    assert result["id"] == round["id"]
    if result["status"] == "settled":
        check_ledger(result)
    else:
        assert result["errors"]


@given(ROUNDS, st.integers(1, 3))
def test_seats_may_be_renumbered(round: dict[str, Any], by: int) -> None:
    seats = len(round["players"])
    before, after = settle(round), settle(rotated(round, by))
    assert after["status"] == before["status"]
    if before["status"] == "refused":
        assert sorted(error["code"] for error in after["errors"]) == sorted(error["code"] for error in before["errors"])
        return
    assert after["deltas"] == [before["deltas"][(seat - by) % seats] for seat in range(seats)]
    assert [win["fans"] for win in after["wins"]] == [win["fans"] for win in before["wins"]]
    assert [(win["seat"] - by) % seats for win in after["wins"]] == [win["seat"] for win in before["wins"]]
    assert (after["next"]["dealer"] - by) % seats == before["next"]["dealer"]
    assert after["next"]["streak"] == before["next"]["streak"]


@given(ROUNDS, st.integers(0, 2**32))
def test_the_order_of_melds_and_tiles_does_not_matter(round: dict[str, Any], seed: int) -> None:
    before, after = settle(round), settle(melds_shuffled(round, Random(seed)))
    for result in (before, after):
        for win in result.get("wins", ()):
            win["sets"].sort()
        for error in result.get("errors", ()):
            error.pop("field")  # a fault names the place of a meld
            error.pop("message")
    assert after == before


@given(st.lists(ROUNDS, min_size=2, max_size=24))
def test_a_mixed_batch_settles_each_round_as_if_it_were_alone(rounds: list[dict[str, Any]]) -> None:
    assert engine().settle(rounds) == [settle(round) for round in rounds]


def test_thousands_at_once_settle_as_each_alone() -> None:
    rounds = written_rounds() + [
        round
        for number, options in enumerate(SWITCHES)
        for round in random_rounds(engine().rule_set("guangdong", options), 150, number, chows=False)
    ]
    Random(1).shuffle(rounds)
    answers = engine().settle(rounds)
    assert answers == [settle(round) for round in rounds]
    assert sum(answer["status"] == "settled" for answer in answers) > len(rounds) // 2


STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.sampled_from((2**60, -(2**70), 1.5, "", "1m", "0z", "1f", "1x", "123m", "1m1m1m1m1m", "一万", "\x00", "5z5z")),
    st.sampled_from(([], {}, [[]], [{}], ["1m"], ["9z", 4], {"seat": 1}, {"kind": "kong", "tiles": "1111m"})),
).map(deepcopy)  # a list drawn once must not be changed for the next


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a JSON value, its own included."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(deeper for key, item in items for deeper in places(item, (*path, key)))]


@st.composite
def broken_round(draw: st.DrawFn) -> Any:
    """A round with strange values in some places, or without them."""
    round = deepcopy(draw(ROUNDS))
    for _ in range(draw(st.integers(1, 4))):
        *path, last = draw(st.sampled_from([path for path in places(round) if path]))
        holder = round
        for key in path:
            holder = holder[key]
        if draw(st.booleans()):
            holder[last] = draw(STRANGE)
        elif isinstance(holder, dict) and draw(st.booleans()):
            holder[draw(st.sampled_from(("flowers", "flags", "wild", "liable", "from", "how", "extra", "melds")))] = (
                draw(STRANGE)
            )
        else:
            del holder[last]
    return round


@given(broken_round())
def test_no_round_makes_the_engine_raise(round: Any) -> None:
    line = msgspec.json.encode(round)
    (answer,) = [msgspec.json.decode(found) for found in engine().settle_json(line).splitlines()]
    assert answer["status"] in ("settled", "refused")
    if answer["status"] == "settled":
        check_ledger(answer)
    else:
        assert answer["errors"]
        assert all(set(error) == {"code", "field", "message"} for error in answer["errors"])
    if answer["id"] is None:
        assert answer["line"] == 1


@pytest.mark.soak
@settings(max_examples=5000)
@given(broken_round())
def test_no_round_of_thousands_makes_the_engine_raise(round: Any) -> None:
    engine().settle_json(msgspec.json.encode(round))
