"""Honours that are flowers, wins that several seats claim on a tile which nobody fed, a wild tile's face on another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mjsettle.ledger import Book, Win
from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.rules import Fact, Payments, Rule, tile_set
from mjsettle.settle import load
from mjsettle.substitutes import Substitutes
from mjsettle.tiles import CODES, JOKER

Make = Callable[..., Any]
HAND = {"hand": "123456m234p5578s"}


def tiny(**declared: Any) -> Rule:
    return Rule("tiny", "小", "tiny", ("1",), ("made up",), **declared)


def with_honours_aside(make_plugin: Make) -> Any:
    rule = tiny(tiles=lambda options, seats: tile_set(honours="", flowers=8), set_aside=lambda options: "17z")
    return load([make_plugin(rule=rule)])


def errors(result: dict[str, Any]) -> list[tuple[str, str]]:
    return [(error["code"], error["field"]) for error in result["errors"]]


def test_tiles_may_be_set_aside_like_flowers(make_plugin: Make, won_round: Make) -> None:
    engine = with_honours_aside(make_plugin)

    def settled(flowers: str, elsewhere: str = "") -> dict[str, Any]:
        players = [{"flowers": elsewhere}, {**HAND, "flowers": flowers}, {}, {}]
        events = [{"type": "win", "seat": 1, "tile": "9s"}]
        found: dict[str, Any] = engine.settle([won_round(players=players, events=events)])[0]
        return found

    assert settled("15f1117z", "1z")["status"] == "settled"
    assert errors(settled("11117z", "1z")) == [("fifth_copy", "players")]
    assert errors(settled("2z")) == [("bad_tile", "players[1].flowers")]
    assert errors(settled("1f", "1f1f")) == [("fifth_copy", "players[0].flowers")]


def test_a_tile_that_is_set_aside_is_in_no_hand(make_plugin: Make, won_round: Make) -> None:
    result = with_honours_aside(make_plugin).settle([won_round()])[0]
    assert {code for code, _ in errors(result)} == {"not_in_play"}


def test_wins_claimed_at_one_moment_are_wins_on_one_tile(make_plugin: Make, won_round: Make) -> None:
    asked: list[list[int]] = []

    def last(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
        asked.append([win.seat for win in wins])
        return wins[-1:]

    def pay(book: Book, win: Win) -> None:
        book.pay(0, win.seat, 1, "win", win=win)

    players = [{}, HAND, {"hand": "123456p234m3378s"}, {}]
    claimed = [{"type": "win", "seat": seat, "tile": "9s", "how": ["at_once"]} for seat in (1, 2)]
    drawn = [{**event, "how": []} for event in claimed]
    rule = tiny(hows=("at_once",), claims=("at_once",))
    engine = load([make_plugin(rule=rule, payments=lambda rule, options: Payments(pay, winners=last))])
    together, apart = engine.settle([won_round(players=players, events=events) for events in (claimed, drawn)])
    assert [win["seat"] for win in together["wins"]] == [2]
    assert [win["seat"] for win in apart["wins"]] == [1, 2]
    assert asked == [[1, 2]]


def test_a_tile_takes_the_face_of_the_wild_one(make_plugin: Make, won_round: Make) -> None:
    """The wild kind counts as the joker, so that the tile that plays its face is a natural tile of that kind."""

    def substitutes(round: Round, win: Win, options: Options) -> Substitutes:
        return Substitutes({CODES["5p"]: JOKER, CODES["5z"]: CODES["5p"]}, wild=frozenset())

    seen: list[int] = []

    def look(round: Round, win: Win) -> int:
        """Never asked for."""
        seen.append(win.tile)
        return 0

    engine = load([make_plugin(rule=tiny(substitutes=substitutes), facts=lambda rule, options: [Fact("look", look)])])
    players = [{}, {"hand": "123456m77789s4p5z"}, {}, {}]
    natural = won_round(players=players, wild=["5p"], events=[{"type": "win", "seat": 1, "tile": "6p"}])
    wild = won_round(players=players, wild=["5p"], events=[{"type": "win", "seat": 1, "tile": "5p"}])
    first, second = engine.settle([natural, wild])
    assert first["wins"][0]["sets"] == ["123m", "456m", "456p", "789s"]
    assert first["wins"][0]["wild_as"] == []
    assert second["wins"][0]["wild_as"] in (["3p"], ["6p"])
    assert not seen
