"""Hands told by their changes settle as the full hands do, and every fault of a change is named where it stands."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest

import mjsettle
from mjsettle import examples
from mjsettle.hand_deltas import folded_wire
from mjsettle.settle import Engine
from mjsettle.tiles import KINDS, NAMES, format_tiles, parse_tiles

ROUNDS: list[dict[str, Any]] = msgspec.json.Decoder().decode_lines(examples.rounds())


@pytest.fixture(scope="module")
def engine() -> Engine:
    return mjsettle.load()


def told_by_changes(record: dict[str, Any], random: Random) -> dict[str, Any]:
    """The same round, every known hand sent as an earlier one with the draws and discards that led to it."""
    told = deepcopy(record)
    deltas: list[dict[str, Any]] = []
    for seat, player in enumerate(told["players"]):
        if "hand" not in player:
            continue
        hand = parse_tiles(player["hand"])
        for _ in range(random.randrange(1, 9)):  # backwards: what was drawn goes, what was discarded comes back
            drawn = [hand.pop(random.randrange(len(hand))) for _ in range(random.randrange(min(3, len(hand) + 1)))]
            back = [random.randrange(KINDS) for _ in range(len(drawn) if random.random() < 0.7 else 1)]
            if not drawn and not back:
                continue
            hand += back
            delta = {"type": "hand_delta", "seat": seat, "add": format_tiles(drawn), "remove": format_tiles(back)}
            deltas.insert(0, {key: value for key, value in delta.items() if value != ""})
        random.shuffle(hand)
        player["hand"] = "".join(NAMES[code] for code in hand)
    # The changes of one hand keep their order; those of others and the events of play stand between them anywhere.
    events = list(told["events"])
    by_seat = [[delta for delta in deltas if delta["seat"] == seat] for seat in range(4)]
    merged: list[dict[str, Any]] = []
    queues = [queue for queue in (*by_seat, events) if queue]
    while queues:
        queue = random.choice(queues)
        merged.append(queue.pop(0))
        queues = [queue for queue in queues if queue]
    told["events"] = merged
    return told


@pytest.mark.parametrize("record", ROUNDS, ids=lambda record: record["id"])
def test_the_settled_result_equals_that_of_the_full_hand(engine: Engine, record: dict[str, Any]) -> None:
    random = Random(record["id"])
    full = engine.settle([record])[0]
    assert full["status"] == "settled"
    for _ in range(40):
        told = told_by_changes(record, random)
        assert engine.settle([told])[0] == full
        line = engine.settle_json(msgspec.json.encode(told))
        assert msgspec.json.decode(line) == full
        shown: Any = folded_wire(told)
        assert hands(shown) == hands(record)


def hands(record: dict[str, Any]) -> list[list[int]]:
    return [sorted(parse_tiles(player.get("hand", ""))) for player in record["players"]]


BEFORE = "123m234p567789s5z"
"""One exchange away from waiting on 1z."""


def faults(engine: Engine, *events: dict[str, Any]) -> list[tuple[str, str]]:
    """(code, field) of every fault of a round whose seat 1 wins on 1z after these events."""
    record = {
        "id": "delta",
        "rule": "guangdong",
        "options": {"wugui": True, "horses": 0},
        "players": [{}, {"hand": BEFORE}, {}, {}],
        "events": [*events, {"type": "win", "seat": 1, "tile": "1z"}],
    }
    answer = engine.settle([record])[0]
    return [(error["code"], error["field"]) for error in answer.get("errors", ())]


def delta(**fields: Any) -> dict[str, Any]:
    return {"type": "hand_delta", "seat": 1, **fields}


RIGHT = delta(add="1z", remove="5z")


@pytest.mark.parametrize(
    "events",
    [
        [RIGHT],
        [delta(add="1z"), delta(remove="5z")],
        [delta(add="9p", remove="9p"), RIGHT],
        [delta(add="19p", remove="5z"), delta(add="1z", remove="91p")],
    ],
)
def test_changes_that_lead_to_the_hand(engine: Engine, events: list[dict[str, Any]]) -> None:
    assert faults(engine, *events) == []


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([delta(add="1z", remove="9p")], [("not_held", "events[0].remove")]),
        ([RIGHT, delta(add="5p", remove="5z")], [("not_held", "events[1].remove")]),
        ([delta(add="0m", remove="5m")], [("not_held", "events[0].remove")]),
        ([RIGHT, delta()], [("missing", "events[1].add")]),
        ([RIGHT, {"type": "hand_delta", "add": "1z"}], [("missing", "events[1].seat")]),
        ([RIGHT, {"type": "hand_delta", "seat": 3, "add": "1z"}], [("hand_unknown", "players[3].hand")]),
        ([delta(add="1k", remove="5z")], [("bad_tile", "events[0].add")]),
        ([delta(add="1z", remove="z5")], [("bad_tile", "events[0].remove")]),
        ([RIGHT, delta(add="1p", remove="1p", tile="1p")], [("unknown_field", "events[1].tile")]),
        ([delta(add="1k", remove="9p")], [("bad_tile", "events[0].add"), ("not_held", "events[0].remove")]),
        # Nothing is wrong with these changes, so the hand that they lead to is blamed.
        ([delta(add="1z")], [("tile_count", "players[1].hand")]),
        # Events are numbered as they were sent.
        ([delta(add="2z", remove="5z")], [("not_a_win", "events[1]")]),
        ([RIGHT, {"type": "kong", "seat": 2, "kind": "kong", "tile": "1p"}], [("missing", "events[1].from")]),
        (
            [{"type": "kong", "seat": 2, "kind": "added_kong", "tile": "1p", "add": "1p"}],
            [("unknown_field", "events[0].add")],
        ),
    ],
)
def test_faults_of_changes(engine: Engine, events: list[dict[str, Any]], expected: list[tuple[str, str]]) -> None:
    assert faults(engine, *events) == expected


def test_a_seat_beyond_the_players_and_a_player_that_is_unreadable(engine: Engine) -> None:
    record = {"id": "delta", "rule": "guangdong", "players": [{"hand": "12k"}, {}, {}]}
    events = [{"type": "hand_delta", "seat": 3, "add": "1m"}, {"type": "hand_delta", "seat": 0, "remove": "1m"}]
    answer = engine.settle([{**record, "events": events}])[0]
    found = {(error["code"], error["field"]) for error in answer["errors"]}
    assert {("bad_seat", "events[0].seat"), ("bad_tile", "players[0].hand")} <= found
    assert not any(code == "not_held" for code, _ in found)
