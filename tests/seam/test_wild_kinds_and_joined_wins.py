"""Kinds that a rule set has always wild, more copies than four, wins that are settled together, names of presets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mjsettle.ledger import Book, Win
from mjsettle.options import Option
from mjsettle.rounds import Event
from mjsettle.rules import Payments, Rule, tile_set
from mjsettle.settle import load

Make = Callable[..., Any]
RED = 33
PRESETS = {"high": {}, "low": {"price": 1}}


def eight_reds(options: object, seats: int) -> tuple[int, ...]:
    copies = list(tile_set(honours=""))
    copies[RED] = 8
    return tuple(copies)


def wild_rule() -> Rule:
    return Rule("tiny", "小", "tiny", ("1",), ("made up",), tiles=eight_reds, wild=lambda options: ("7z",))


def test_a_kind_is_wild_in_every_round(make_plugin: Make, won_round: Make) -> None:
    engine = load([make_plugin(rule=wild_rule())])
    hand = [{}, {"hand": "123456m234p77s5s7z"}, {}, {}]
    unnamed = won_round(players=hand, events=[{"type": "win", "seat": 1, "tile": "7s"}])
    for round in (unnamed, {**unnamed, "wild": ["7z"]}):
        (result,) = engine.settle([round])
        assert result["status"] == "settled", result
        assert result["wins"][0]["wild_as"] == ["5s"]


def test_more_than_four_copies_of_a_wild_kind(make_plugin: Make, won_round: Make) -> None:
    """The fifth copy drawn and held, alone and in a batch; the ninth is one too many."""
    engine = load([make_plugin(rule=wild_rule())])

    def drawn(hand: str, tile: str) -> dict[str, Any]:
        made: dict[str, Any] = won_round(players=[{}, {"hand": hand}, {}, {}], events=[])
        return {**made, "events": [{"type": "win", "seat": 1, "tile": tile}]}

    wins = [drawn("123456m78p5s7777z", "7z"), drawn("123m456p19s77777z", "2s"), drawn("11m147p4s7777777z", "7z")]
    alone = [engine.settle([round])[0] for round in wins]
    assert [result["status"] for result in alone] == ["settled"] * 3
    assert [len(result["wins"][0]["wild_as"]) for result in alone] == [5, 5, 8]
    assert engine.settle(wins * 8) == alone * 8
    (result,) = engine.settle([drawn("14m147p77777777z", "7z")])
    assert [error["code"] for error in result["errors"]] == ["fifth_copy"]


def test_wins_that_a_rule_set_settles_together(make_plugin: Make, won_round: Make) -> None:
    asked: list[list[int]] = []

    def pay(book: Book, win: Win) -> None:
        book.pay(0, win.seat, 1, "win", win=win)

    def last_of(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
        asked.append([win.tile for win in wins])
        return wins[-1:]

    def joins(earlier: Event, event: Event) -> bool:
        return earlier.seat == event.seat and "kong_draw" in earlier.how and "kong_draw" in event.how

    events = [
        {"type": "win", "seat": 1, "tile": tile, "how": how}
        for tile, how in (("1z", ["kong_draw"]), ("3m", ["kong_draw"]), ("3m", ["kong_draw"]), ("1z", []))
    ]
    round = won_round(players=[{}, {"hand": "12m456m234p777s11z"}, {}, {}], events=events[1:3])
    for payments, won in ((Payments(pay, winners=last_of, joins=joins), 1), (Payments(pay, winners=last_of), 2)):
        (result,) = load([make_plugin(payments=lambda rule, options, p=payments: p)]).settle([round])
        assert len(result["wins"]) == won, result
        assert result["deltas"] == [-won, won, 0, 0]
    assert asked == [[2, 2]]


def test_presets_go_by_three_names(make_plugin: Make, won_round: Make) -> None:
    rule = Rule("tiny", "小", "tiny", ("1",), ("made up",), presets=PRESETS, default_preset="high")
    engine = load([make_plugin(rule=rule, options=lambda rule: [Option("price", 2, "价")])])
    for key in ("preset", "profile", "variant"):
        assert engine.rule_set("tiny", {key: "low"}).options.price == 1
    (result,) = engine.settle([won_round(options={"preset": "low", "variant": "high"})])
    (error,) = result["errors"]
    assert (error["code"], error["field"]) == ("contradictory", "options.variant")
