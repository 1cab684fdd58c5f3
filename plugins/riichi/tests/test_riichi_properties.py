"""What holds for every riichi round: points are conserved, and seats, melds and suits may be renamed."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mjsettle.settle import Engine, load
from mjsettle.testing import random_rounds
from mjsettle_riichi.options import PRESETS
from mjsettle_riichi.points import base_points, hundreds, shares

SEEDS = st.integers(0, 10**6)
FOUR = sorted(set(PRESETS) - {"sanma"})


@cache
def engine() -> Engine:
    return load()


def settled_wins(preset: str, seed: int) -> list[dict[str, Any]]:
    """Some random rounds that settle, with honba and sticks."""
    seats = 3 if preset == "sanma" else 4
    ruleset = engine().rule_set("riichi", {"preset": preset}, seats=seats)
    rounds = [
        wire | {"honba": seed % 4, "deposits": seed % 3}
        for wire in islice(random_rounds(ruleset, 12, seed, seats=seats, chows=seats == 4, wilds_max=0), 12)
    ]
    return [wire for wire, result in zip(rounds, engine().settle(rounds), strict=True) if result["status"] == "settled"]


@given(st.sampled_from(sorted(PRESETS)), SEEDS)
def test_points_are_conserved(preset: str, seed: int) -> None:
    for result in engine().settle(settled_wins(preset, seed)):
        assert sum(result["deltas"]) + result["table"] == 0
        moved = [0] * len(result["deltas"])
        for entry in result["transfers"]:
            for seat, sign in ((entry["from"], -1), (entry["to"], 1)):
                if seat != "table":
                    moved[seat] += sign * entry["points"]
        assert moved == result["deltas"]
        assert all(entry["points"] % 100 == 0 for entry in result["transfers"])


@given(st.sampled_from(FOUR), SEEDS, st.integers(1, 3))
def test_seats_may_be_turned_with_the_dealer(preset: str, seed: int, by: int) -> None:
    rounds = settled_wins(preset, seed)
    plain, turned = engine().settle(rounds), engine().settle([_turned(wire, by) for wire in rounds])
    for one, other in zip(plain, turned, strict=True):
        assert [other["deltas"][(seat + by) % 4] for seat in range(4)] == one["deltas"]
        assert other["next"] == one["next"] | {"dealer": (one["next"]["dealer"] + by) % 4}


def _turned(wire: dict[str, Any], by: int) -> dict[str, Any]:
    def seat(thing: dict[str, Any], *names: str) -> dict[str, Any]:
        return thing | {name: (thing[name] + by) % 4 for name in names if name in thing}

    players = [
        player | {"melds": [seat(meld, "from") for meld in player["melds"]]} if "melds" in player else player
        for player in wire["players"]
    ]
    events = [seat(event, "seat", "from") for event in wire["events"]]
    return seat(wire, "dealer") | {"players": players[-by:] + players[:-by], "events": events}


@given(st.sampled_from(FOUR), SEEDS)
def test_the_order_of_melds_and_the_names_of_suits_say_nothing(preset: str, seed: int) -> None:
    """Characters and dots may change places, and melds (where no seat is liable)."""
    rounds = [wire | {"options": {**wire["options"], "pao": []}} for wire in settled_wins(preset, seed)]
    swapped = [_renamed(wire) for wire in rounds]
    for one, other in zip(engine().settle(rounds), engine().settle(swapped), strict=True):
        assert one["deltas"] == other["deltas"]
        assert [win["fans"] for win in one["wins"]] == [win["fans"] for win in other["wins"]]


def _renamed(wire: dict[str, Any]) -> dict[str, Any]:
    names = str.maketrans("mp", "pm")

    def text(value: Any) -> Any:
        return value.translate(names) if isinstance(value, str) else [tile.translate(names) for tile in value]

    def player(own: dict[str, Any]) -> dict[str, Any]:
        melds = [meld | {"tiles": text(meld["tiles"])} for meld in reversed(own.get("melds", []))]
        tiles = {name: text(own[name]) for name in ("hand", "discards") if own.get(name)}
        return own | tiles | {"melds": melds}

    events = [event | {"tile": text(event["tile"])} if "tile" in event else event for event in wire["events"]]
    return wire | {"players": [player(own) for own in wire["players"]], "events": events}


@given(st.integers(1, 30), st.sampled_from([20, 25, *range(30, 120, 10)]), st.sampled_from([3, 4]), st.booleans())
def test_more_han_never_pay_less(han: int, fu: int, seats: int, tsumo_loss: bool) -> None:
    options = engine().rule_set("riichi").options
    for winner in range(seats):
        for source in (None, (winner + 1) % seats):
            less, more = (
                shares(base_points(count, fu, options), winner, source, 0, seats, tsumo_loss)
                for count in (han, han + 1)
            )
            assert less.keys() == more.keys()
            assert all(0 < less[payer] <= more[payer] for payer in less)
            assert all(points == hundreds(points) for points in less.values())


def test_the_check_table() -> None:
    """The amounts that every player knows (§5)."""
    options = engine().rule_set("riichi").options

    def ron(han: int, fu: int, winner: int) -> int:
        return shares(base_points(han, fu, options), winner, 2, 0, 4, True)[2]

    def tsumo(han: int, fu: int, winner: int) -> list[int]:
        paid = shares(base_points(han, fu, options), winner, None, 0, 4, True)
        return sorted(set(paid.values()))

    table = {(1, 30): 1000, (2, 30): 2000, (3, 30): 3900, (4, 30): 7700, (2, 25): 1600, (3, 25): 3200, (4, 25): 6400}
    assert {key: ron(*key, winner=1) for key in table} == table
    assert ron(1, 110, 1) == 3600
    assert [ron(han, 30, 0) for han in (1, 2, 3, 4)] == [1500, 2900, 5800, 11600]
    splits = {(1, 30): [300, 500], (2, 20): [400, 700], (3, 20): [700, 1300], (4, 20): [1300, 2600]}
    splits |= {(3, 25): [800, 1600], (4, 25): [1600, 3200]}
    assert {key: tsumo(*key, winner=1) for key in splits} == splits
    assert tsumo(2, 20, 0) == [700]
    assert tsumo(3, 30, 0) == [2000]
