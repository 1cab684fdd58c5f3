"""Tiles and kongs of a round that all seats together cannot have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import mjsettle
from mjsettle.columns import Col
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Book, Win
from mjsettle.options import Options
from mjsettle.rules import Payments, Rule, tile_set
from mjsettle.winforms import WinForm, standard


def any_win(wilds: Col) -> Col:
    """Any win."""
    return wilds >= 0


def pay(book: Book, win: Win) -> None:
    """Each other seat pays one."""
    for seat in book.others(win.seat):
        book.pay(seat, win.seat, 1, "win", win=win)


class Plugin:
    """Two rule sets: one with four of each kind, one with eight red dragons."""

    @hookimpl
    def rule_sets(self) -> Sequence[Rule]:
        dragons = (*tile_set()[:33], 8, *tile_set()[34:])
        return [
            Rule("four", "four", "four", ("1",), ("a test",)),
            Rule("eight", "eight", "eight", ("1",), ("a test",), tiles=lambda options, seats: dragons),
        ]

    @hookimpl
    def win_forms(self, rule: str, options: Options) -> Sequence[WinForm]:
        return [standard()]

    @hookimpl
    def fans(self, rule: str, options: Options) -> Sequence[Fan]:
        return [Fan("win", "win", 1, any_win)]

    @hookimpl
    def payments(self, rule: str, options: Options) -> Payments:
        return Payments(pay)


ENGINE = mjsettle.load([Plugin()])
HAND = "123456m789p55s23s"


def faults(*events: dict[str, Any], rule: str = "four", **hands: Any) -> list[tuple[str, str]]:
    """Settle a round; hands: `p2` for seat 2 and so on."""
    players = [hands.get(f"p{seat}", {}) for seat in range(4)]
    (result,) = ENGINE.settle([{"id": "t", "rule": rule, "players": players, "events": list(events)}])
    return [(error["code"], error["field"]) for error in result.get("errors", [])]


def win(seat: int = 1, tile: str = "4s", source: int | None = None, *how: str) -> dict[str, Any]:
    event: dict[str, Any] = {"type": "win", "seat": seat, "tile": tile, "how": list(how)}
    return event if source is None else {**event, "from": source}


def kong(seat: int, tile: str | None = "9s", kind: str = "concealed_kong") -> dict[str, Any]:
    event: dict[str, Any] = {"type": "kong", "seat": seat, "kind": kind}
    if tile is not None:
        event["tile"] = tile
    return {**event, "from": (seat + 1) % 4} if kind == "kong" else event


WINNER = {"hand": HAND}
THREE = {"melds": [{"kind": "pung", "tiles": "444s", "from": 1}]}
FOUR = {"melds": [{"kind": "added_kong", "tiles": "4444s", "from": 1}]}


def test_the_winning_tile_is_counted_with_what_all_seats_hold() -> None:
    assert faults(win(), p1=WINNER, p2=THREE) == []
    assert faults(win(), p1=WINNER, p2=FOUR) == [("fifth_copy", "events[0].tile")]
    assert faults(win(), p1=WINNER, p2=THREE, p3={"hand": "4s"}) == [("fifth_copy", "events[0].tile")]


def test_a_tile_that_several_seats_win_is_one_tile() -> None:
    other = {"hand": "123456m789p11p56s"}
    both = (win(1, "4s", 0), win(3, "4s", 0))
    assert faults(*both, p1=WINNER, p2=THREE, p3=other) == []
    assert faults(*both, p1=WINNER, p2=FOUR, p3=other) == [("fifth_copy", "events[0].tile")]


def test_a_robbed_tile_may_lie_among_its_owner_s_melds() -> None:
    robbed = win(1, "4s", 2, "rob_kong")
    assert faults(robbed, p1=WINNER, p2=FOUR) == []
    assert faults(kong(2, "4s", "added_kong"), robbed, p1=WINNER, p2=FOUR) == []
    assert faults(kong(2, "4s", "added_kong"), robbed, p1=WINNER, p2=THREE) == []


def test_a_red_five_is_a_copy_of_its_kind() -> None:
    winner = {"hand": "123456m789p11s34s"}
    three = {"melds": [{"kind": "pung", "tiles": "550s", "from": 1}]}
    assert faults(win(tile="5s"), p1=winner, p2=three) == []
    assert faults(win(tile="5s"), p1=winner, p2=three, p3={"hand": "5s"}) == [("fifth_copy", "events[0].tile")]
    assert faults(kong(2, "0s"), win(tile="5s"), p1=winner) == [("fifth_copy", "events[0].tile")]


def test_a_kong_event_needs_no_meld() -> None:
    assert faults(kong(2), win(), p1=WINNER) == []
    assert faults(kong(2, None), kong(3, None), win(), p1=WINNER) == []


@pytest.mark.parametrize(("seat", "kind"), [(2, "concealed_kong"), (2, "added_kong"), (3, "concealed_kong")])
def test_a_kind_is_konged_once(seat: int, kind: str) -> None:
    assert faults(kong(2), kong(seat, "9s", kind), win(), p1=WINNER) == [("contradictory", "events[1].tile")]


def test_eight_copies_make_two_kongs() -> None:
    dragons = [kong(2, "7z"), kong(3, "7z")]
    assert faults(*dragons, win(), rule="eight", p1=WINNER) == []
    assert faults(*dragons, kong(0, "7z"), win(), rule="eight", p1=WINNER) == [("contradictory", "events[2].tile")]


def test_a_hand_has_no_more_kongs_than_sets() -> None:
    four = [kong(2, f"{rank}z") for rank in range(1, 5)]
    assert faults(*four, win(), p1=WINNER) == []
    for fifth in (kong(2, "5z"), kong(2, None)):
        assert faults(*four, fifth, win(), p1=WINNER) == [("contradictory", "events[4].seat")]


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"p3": {"hand": "9s"}},
        {"p3": {"melds": [{"kind": "chow", "tiles": "789s"}]}},
        {"p0": {"melds": [{"kind": "pung", "tiles": "999s", "from": 3}]}},
    ],
)
def test_no_other_seat_shows_a_copy_of_what_is_konged(elsewhere: dict[str, Any]) -> None:
    assert faults(kong(2), win(), p1=WINNER, **elsewhere) == [("fifth_copy", "events[0].tile")]


def test_a_konged_tile_is_not_won_unless_it_is_robbed() -> None:
    added = kong(2, "4s", "added_kong")
    assert faults(added, win(1, "4s", 2), p1=WINNER) == [("fifth_copy", "events[0].tile")]
    assert faults(added, win(), p1=WINNER) == [("fifth_copy", "events[0].tile")]
    assert faults(added, win(1, "4s", 2, "rob_kong"), p1=WINNER) == []


def test_other_kinds_of_kongs_are_the_rule_set_s_own() -> None:
    laid = [kong(2, "9s", "wild"), kong(2, "9s", "wild")]
    assert faults(*laid, win(), p1=WINNER, p3={"hand": "9s"}) == []


@pytest.mark.parametrize(
    ("meld", "event", "found"),
    [
        (
            {"kind": "kong", "tiles": "9999m", "from": 2},
            {"kind": "kong", "from": 0},
            [("contradictory", "events[0].from")],
        ),
        (
            {"kind": "kong", "tiles": "9999m", "from": 2},
            {"kind": "concealed_kong"},
            [("contradictory", "events[0].kind")],
        ),
        (
            {"kind": "concealed_kong", "tiles": "9999m"},
            {"kind": "kong", "from": 0},
            [("contradictory", "events[0].kind")],
        ),
        ({"kind": "kong", "tiles": "9999m", "from": 0}, {"kind": "kong", "from": 0}, []),
        ({"kind": "kong", "tiles": "9999m"}, {"kind": "kong", "from": 0}, []),
        ({"kind": "pung", "tiles": "999m", "from": 2}, {"kind": "added_kong"}, []),
        ({"kind": "kong", "tiles": "8888m", "from": 2}, {"kind": "concealed_kong"}, []),
    ],
)
def test_a_kong_and_the_meld_that_shows_it_agree(
    meld: dict[str, Any], event: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    kong = {"type": "kong", "seat": 1, "tile": "9m", **event}
    assert faults(kong, p1={"melds": [meld]}) == found


def test_flowers_of_a_set_without_them_are_not_in_play() -> None:
    assert faults(p2={"flowers": "15f"}) == [("not_in_play", "players[2].flowers")] * 2


def test_a_kong_of_a_seat_that_nobody_has_is_answered() -> None:
    three = {"id": "t", "rule": "four", "players": [{}, {}, {}], "events": [kong(3)]}
    (result,) = ENGINE.settle([three])
    found = {(error["code"], error["field"]) for error in result["errors"]}
    assert ("bad_seat", "events[0].seat") in found
