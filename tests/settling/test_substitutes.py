"""Tiles that count as others before a hand is judged, for one seat or for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mjsettle
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Book, Win
from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.rules import Payments, Rule
from mjsettle.substitutes import Substitutes
from mjsettle.tiles import CODES, JOKER
from mjsettle.winforms import WinForm, standard


def substitutes(round: Round, win: Win, options: Options) -> Substitutes:
    """White dragons count as 5p everywhere; the treasure that a ready seat draws is wild."""
    ready = "ready" in round.players[win.seat].flags and win.source is None and round.treasure
    drawn = {CODES[round.treasure]: JOKER} if ready and round.treasure else {}
    return Substitutes({CODES["5z"]: CODES["5p"]}, drawn=drawn)


def any_win(form: Any) -> Any:
    """Any win."""
    return form >= 0


def pay(book: Book, win: Win) -> None:
    """Each other seat pays one."""
    for seat in book.others(win.seat):
        book.pay(seat, win.seat, 1, "win", win=win)


class Plugin:
    """A rule set with a hidden wild and a tile that takes another's face."""

    @hookimpl
    def rule_sets(self) -> Sequence[Rule]:
        return [Rule("faces", "faces", "faces", ("1",), ("a test",), flags=("ready",), substitutes=substitutes)]

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


def settled(hand: str, tile: str, **more: Any) -> dict[str, Any]:
    player = {"hand": hand, "melds": more.pop("melds", []), "flags": more.pop("flags", [])}
    event = {"type": "win", "seat": 0, "tile": tile, **more.pop("event", {})}
    record = {"id": "faces", "rule": "faces", "players": [player, {}, {}, {}], "events": [event], **more}
    return ENGINE.settle([record])[0]


def test_a_tile_shows_the_face_of_another_in_hand_meld_and_as_the_winning_tile() -> None:
    in_hand = settled("123456789m46p5z9s", "9s")
    assert in_hand["wins"][0]["sets"] == ["123m", "456m", "789m", "456p"]
    melded = settled("123456789m9s", "9s", melds=[{"kind": "chow", "tiles": "46p5z", "from": 3}])
    assert melded["wins"][0]["sets"][-1] == "456p"
    won = settled("123456789m46p99s", "5z")
    assert won["wins"][0]["tile"] == "5z"
    assert won["deltas"] == [3, -1, -1, -1]


def test_the_tiles_that_lie_on_the_table_are_counted() -> None:
    """Each kind has its own four copies, whatever they count as."""
    assert settled("123456m5p55z9999s", "1m")["errors"][0]["code"] == "not_a_win"
    assert settled("123m55555z12399s", "9s")["errors"][0]["code"] == "fifth_copy"


def test_five_concealed_tiles_of_one_face_are_refused() -> None:
    """The tables hold four natural tiles of a kind."""
    errors = settled("123456m555p55z99s", "9s")["errors"]
    assert [error["code"] for error in errors] == ["bad_hand"]


def test_a_hidden_wild_is_wild_for_a_ready_seat_that_draws_it() -> None:
    hand = "123456789m46p99s"
    assert settled(hand, "1z", treasure="1z", flags=["ready"])["wins"][0]["wild_as"] == ["5p"]
    assert settled(hand, "1z", treasure="1z")["status"] == "refused"
    assert settled(hand, "1z", treasure="1z", flags=["ready"], event={"from": 1})["status"] == "refused"
    assert settled("1234567m1z46p999s", "8m", treasure="1z", flags=["ready"])["status"] == "refused"


def test_melds_may_count_otherwise_than_the_hand() -> None:
    faces = Substitutes({CODES["5z"]: JOKER}, melded={CODES["5z"]: CODES["5p"]})
    assert faces.text("46p5z") == "456p"
    assert faces.codes([CODES["5z"], 0]) == (JOKER, 0)
    assert faces.winning(CODES["5z"]) == JOKER
    assert Substitutes().text("46p5z") == "46p5z"
