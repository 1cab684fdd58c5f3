"""Whole bloodbath rounds, played out from seeds: what holds for every one of them, and a second way to settle them."""

from __future__ import annotations

import importlib.util
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjsettle
import mjsettle_sichuan
from mjsettle_sichuan.bloodbath import bloodbath

SEEDS = st.integers(0, 2**48)
SEATS = st.sampled_from((4, 4, 4, 3))


@cache
def engine() -> mjsettle.Engine:
    return mjsettle.load([mjsettle_sichuan])


@cache
def oracle() -> ModuleType:
    """The second settlement, loaded from its folder: test folders are on no path."""
    folder = Path(__file__).parent / "oracle"
    spec = importlib.util.spec_from_file_location(
        "sichuan_oracle", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["sichuan_oracle"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def settle(record: dict[str, Any]) -> dict[str, Any]:
    (result,) = engine().settle([record])
    assert result["status"] == "settled", (record, result["errors"])
    return result


@settings(max_examples=40)
@given(SEEDS, SEATS)
def test_money_moves_and_stays_the_same(seed: int, seats: int) -> None:
    """The transfers add up to the deltas, each names its event, nothing is minted, nobody pays more than it has."""
    record = bloodbath(seed, seats)
    result = settle(record)
    assert sum(result["deltas"]) + result["table"] == 0
    balances = [player.get("balance") for player in record["players"]]
    gained = [0] * seats
    for transfer in result["transfers"]:
        assert transfer["points"] > 0
        assert transfer["event"] < len(record["events"])
        gained[transfer["from"]] -= transfer["points"]
        gained[transfer["to"]] += transfer["points"]
    assert gained == result["deltas"]
    for balance, delta in zip(balances, gained, strict=True):
        assert balance is None or balance + delta >= 0


@settings(max_examples=40)
@given(SEEDS, SEATS)
def test_who_has_won_pays_no_more(seed: int, seats: int) -> None:
    """血战: after its win a seat pays nothing; what it still receives is a refund of what it paid before."""
    record = bloodbath(seed, seats, {"flow": "xuezhan"})
    result = settle(record)
    won_at = {event["seat"]: at for at, event in enumerate(record["events"]) if event["type"] == "win"}
    for transfer in result["transfers"]:
        at = transfer["event"]
        assert won_at.get(transfer["from"], at) >= at
        if won_at.get(transfer["to"], at) < at:
            paid = result["transfers"][transfer["undoes"]]
            assert paid["from"] == transfer["to"]
            assert paid["event"] < won_at[transfer["to"]]


@settings(max_examples=40)
@given(SEEDS, SEATS, st.sampled_from(("transfer", "refund")))
def test_what_is_undone_is_undone_once_and_in_full(seed: int, seats: int, call_transfer: str) -> None:
    """A refund goes from the receiver to the payer, a transfer from the receiver to a winner; the points are equal."""
    record = bloodbath(seed, seats, {"flow": "xueliu", "call_transfer": call_transfer})
    for player in record["players"]:
        player.pop("balance", None)
    result = settle(record)
    undone: set[int] = set()
    for transfer in result["transfers"]:
        if "undoes" not in transfer:
            continue
        number, paid = transfer["undoes"], result["transfers"][transfer["undoes"]]
        assert number not in undone
        undone.add(number)
        assert (transfer["from"], transfer["points"]) == (paid["to"], paid["points"])
        assert transfer["to"] == paid["from"] or transfer["why"] == "call_transfer"
        assert paid["why"] in ("kong", "added_kong", "concealed_kong")


def groups(events: list[dict[str, Any]]) -> list[range]:
    """Runs of wins on one tile."""
    found, start = [], 0
    for at in range(1, len(events) + 1):
        first = events[start]
        seats = [event.get("seat") for event in events[start:at]]
        same = at < len(events) and first["type"] == events[at]["type"] == "win" and "from" in first
        if same and (first["from"], first["tile"]) == (events[at].get("from"), events[at]["tile"]):
            same = events[at]["seat"] not in seats
        else:
            same = False
        if not same:
            if at - start > 1:
                found.append(range(start, at))
            start = at
    return found


def with_two_winners() -> list[dict[str, Any]]:
    """Rounds in which one tile had several winners."""
    found = []
    for seed in range(300):
        record = bloodbath(seed, 4)
        if groups(record["events"]):
            found.append(record)
    return found


def test_the_order_of_winners_of_one_tile_changes_nothing() -> None:
    records = with_two_winners()
    assert len(records) >= 20
    for record in records:
        turned = deepcopy(record)
        for group in groups(record["events"]):
            turned["events"][group.start : group.stop] = record["events"][group.start : group.stop][::-1]
        one, other = settle(record), settle(turned)
        assert one["deltas"] == other["deltas"]
        assert one["next"] == other["next"]


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 3))
def test_turning_the_table_turns_the_result(seed: int, turns: int) -> None:
    record = bloodbath(seed, 4)
    turned = deepcopy(record)

    def seat(old: int) -> int:
        return (old + turns) % 4

    turned["dealer"] = seat(record["dealer"])
    for old, player in enumerate(deepcopy(record["players"])):
        turned["players"][seat(old)] = player
        for meld in player["melds"]:
            if "from" in meld:
                meld["from"] = seat(meld["from"])
        player["melds"].reverse()
    for event in turned["events"]:
        for name in ("seat", "from"):
            if name in event:
                event[name] = seat(event[name])
    deltas = settle(turned)["deltas"]
    assert [deltas[seat(old)] for old in range(4)] == settle(record)["deltas"]


@settings(max_examples=40)
@given(SEEDS, SEATS)
def test_exchanging_suits_changes_nothing(seed: int, seats: int) -> None:
    record = bloodbath(seed, seats)
    swap = str.maketrans("mps", "psm")
    turned = deepcopy(record)
    for player in turned["players"]:
        player["hand"], player["void"] = player["hand"].translate(swap), player["void"].translate(swap)
        for meld in player["melds"]:
            meld["tiles"] = meld["tiles"].translate(swap)
    for event in turned["events"]:
        if "tile" in event:
            event["tile"] = event["tile"].translate(swap)
    assert settle(turned)["deltas"] == settle(record)["deltas"]


def compare(seeds: range) -> int:
    """Settle these rounds both ways; answers how many wins they had."""
    records = [bloodbath(seed, 4 if seed % 5 else 3) for seed in seeds]
    wins = 0
    for record, result in zip(records, engine().settle(records), strict=True):
        assert result["status"] == "settled", (record, result["errors"])
        found = result["deltas"], result["next"]["dealer"], [win["total"] for win in result["wins"]]
        assert found == tuple(oracle().settle(record)), record
        wins += len(result["wins"])
    return wins


def test_a_second_settlement_agrees() -> None:
    assert compare(range(300)) > 300


@pytest.mark.soak
@pytest.mark.parametrize("start", range(10_000, 20_000, 500))
def test_a_second_settlement_agrees_on_ten_thousand_rounds(start: int) -> None:
    assert compare(range(start, start + 500)) > 500
