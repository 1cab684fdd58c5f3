"""Which wins are wins on one tile, and what a hand was before later kongs."""

from __future__ import annotations

from typing import Any

from mjsettle.course import one_tile_won
from mjsettle.rewind import kongs_after, rewound
from mjsettle.rounds import round_of
from mjsettle.tiles import format_tiles, parse_tiles


def groups(*events: dict[str, Any]) -> list[list[int]]:
    record = round_of({"id": "order", "rule": "none", "players": [{}, {}, {}, {}], "events": list(events)})
    return [[number for number, _ in group] for group in one_tile_won(record.events)]


def win(seat: int, source: int | None = None, tile: str = "5m") -> dict[str, Any]:
    taken = {} if source is None else {"from": source}
    return {"type": "win", "seat": seat, "tile": tile, **taken}


def test_wins_of_several_seats_on_one_discard_belong_together() -> None:
    assert groups(win(0, 3), win(1, 3), win(2, 3)) == [[0, 1, 2]]


def test_another_tile_or_another_seat_is_another_win() -> None:
    assert groups(win(0, 3), win(1, 3, "6m"), win(2, 1, "6m")) == [[0], [1], [2]]


def test_a_seat_never_wins_one_tile_twice() -> None:
    won = [win(0, 3), win(1, 3), win(0, 3), win(2, 3)]
    assert groups(*won) == [[0, 1], [2, 3]]


def test_self_draws_stand_alone() -> None:
    assert groups(win(0), win(1), win(1)) == [[0], [1], [2]]


def test_any_event_between_separates() -> None:
    between = {"type": "discard", "seat": 3, "tile": "5m"}
    assert groups(win(0, 3), between, win(1, 3)) == [[0], [1], [2]]


def test_no_events() -> None:
    assert groups() == []


def test_kongs_of_a_locked_hand_are_taken_back() -> None:
    events = round_of(
        {
            "id": "rewind",
            "rule": "none",
            "players": [{}, {}],
            "events": [
                win(0),
                {"type": "kong", "seat": 0, "kind": "concealed_kong", "tile": "4s"},
                {"type": "kong", "seat": 1, "kind": "concealed_kong", "tile": "9s"},
                {"type": "kong", "seat": 0, "kind": "added_kong", "tile": "2s"},
                {"type": "kong", "seat": 0, "kind": "kong", "tile": "7s", "from": 1},
                {"type": "kong", "seat": 0, "kind": "added_kong", "tile": "1m"},
            ],
        }
    ).events
    kongs = kongs_after(events, {5}, 0, 0)
    assert [event.tile for event in kongs] == ["4s", "2s", "7s"]
    melds = (("concealed_kong", "4444s"), ("added_kong", "2222s"), ("kong", "7777s"), ("pung", "1m1m1m"))
    hand, laid = rewound(parse_tiles("3p"), melds, kongs)
    assert format_tiles(hand) == "3p444777s"
    assert laid == (("pung", "222s"), ("pung", "1m1m1m"))


def test_a_kong_that_is_not_among_the_melds_changes_nothing() -> None:
    kong = round_of(
        {
            "id": "rewind",
            "rule": "none",
            "players": [{}, {}],
            "events": [{"type": "kong", "seat": 0, "kind": "kong", "tile": "7s", "from": 1}],
        }
    ).events
    assert rewound(parse_tiles("3p"), (("pung", "777s"),), kong) == ((11,), (("pung", "777s"),))
