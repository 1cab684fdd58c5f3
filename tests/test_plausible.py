"""Facts that contradict each other at any table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mjsettle import plausible
from mjsettle.errors import Fault
from mjsettle.rounds import Round, round_of
from mjsettle.rules import tile_set

WINNER = {"hand": "333m55p77799s", "melds": [{"kind": "pung", "tiles": "111m", "from": 0}]}


def a_round(*events: dict[str, Any], **fields: Any) -> Round:
    players = fields.pop("players", [{}, WINNER, {}, {}])
    return round_of({"id": "t", "rule": "any", "players": players, "events": list(events), **fields})


def win(seat: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "win", "seat": seat, "tile": "5p", **more}


def codes(faults: Iterator[Fault]) -> list[tuple[str, str]]:
    return [(fault.code, fault.field) for fault in faults]


def test_further_winners_of_a_tile_are_one_ending() -> None:
    both = a_round(win(1, **{"from": 3}), win(2, **{"from": 3}), {"type": "false_win", "seat": 0})
    assert codes(plausible.one_ending(both)) == []


@pytest.mark.parametrize(
    ("later", "field"),
    [
        ({"type": "exhaustive_draw"}, "events[1]"),
        (win(2, **{"from": 0}), "events[1]"),
        (win(1, **{"from": 3}), "events[1].seat"),
        ({"type": "kong", "seat": 2, "kind": "concealed_kong"}, "events[1]"),
    ],
)
def test_nothing_else_follows_a_win(later: dict[str, Any], field: str) -> None:
    found = codes(plausible.one_ending(a_round(win(1, **{"from": 3}), later)))
    assert found == [("contradictory", field)]


def test_two_self_draws_are_two_endings() -> None:
    assert codes(plausible.one_ending(a_round(win(1), win(1)))) == [("contradictory", "events[1]")]


def test_an_event_that_ends_no_round_here_may_be_followed() -> None:
    bonus = a_round({"type": "flower_win", "seat": 0}, win(1))
    assert codes(plausible.one_ending(bonus, ("win",))) == []
    assert codes(plausible.one_ending(bonus)) == [("contradictory", "events[1]")]


def test_replacements_need_kongs_and_robbed_tiles_are_not_held() -> None:
    for how in ("kong_draw", "kong_on_kong"):
        assert codes(plausible.won_on_kongs(a_round(win(how=[how])))) == [("contradictory", "events[0].how")]
    added = {"type": "kong", "seat": 1, "kind": "added_kong", "tile": "1m"}
    assert codes(plausible.won_on_kongs(a_round(added, win(how=["kong_draw"])))) == []
    assert codes(plausible.won_on_kongs(a_round(win(how=["kong_draw"]), added))) == [("contradictory", "events[0].how")]
    robbed = win(how=["rob_kong"], **{"from": 3})
    assert codes(plausible.won_on_kongs(a_round(robbed))) == [("contradictory", "events[0].how")]
    assert codes(plausible.won_on_kongs(a_round({**robbed, "tile": "4p"}))) == []


def test_robbed_tiles_may_be_looked_at_only_where_the_kong_is_shown() -> None:
    robbed = win(how=["rob_kong"], **{"from": 3})
    added = {"type": "kong", "seat": 3, "kind": "added_kong", "tile": "0p"}
    assert codes(plausible.robbed_not_held(a_round(robbed), shown=True)) == []
    assert codes(plausible.robbed_not_held(a_round({**added, "seat": 2}, robbed), shown=True)) == []
    assert codes(plausible.robbed_not_held(a_round(added, robbed), shown=True)) == [("contradictory", "events[1].how")]
    for tiles, count in (("555p", 1), ("567p", 0)):
        players = [{}, WINNER, {}, {"melds": [{"kind": "pung" if count else "chow", "tiles": tiles, "from": 2}]}]
        found = codes(plausible.robbed_not_held(a_round(robbed, players=players), shown=True))
        assert found == [("contradictory", "events[0].how")] * count


def test_first_turns() -> None:
    at_once = win(how=["first_turn"])
    assert codes(plausible.won_at_once(a_round(at_once))) == [("contradictory", "events[0].how")]
    concealed = [{}, {"hand": "11133m55p77799s1z"}, {}, {}]
    assert codes(plausible.won_at_once(a_round(at_once, players=concealed))) == []
    from_dealer = win(how=["first_turn", "last_tile"], **{"from": 0})
    assert len(codes(plausible.won_at_once(a_round(from_dealer, players=concealed, dealer=1)))) == 2


def test_a_first_draw_comes_before_the_first_discard() -> None:
    players = [{"hand": "333m55p77799s111m", "discards": ["1z"]}, {}, {}, {}]
    drawn = win(0, how=["first_turn"])
    assert codes(plausible.won_at_once(a_round(drawn, players=players))) == [("contradictory", "events[0].how")]
    on_a_discard = win(0, how=["first_turn"], **{"from": 3})
    assert codes(plausible.won_at_once(a_round(on_a_discard, players=players, dealer=1))) == []


def test_first_turns_end_with_anyone_s_claim_where_the_rules_say_so() -> None:
    at_once = win(how=["first_turn"])
    claimed = [{"melds": [{"kind": "pung", "tiles": "111m", "from": 2}]}, {"hand": "11133m55p77799s1z"}, {}, {}]
    assert codes(plausible.won_at_once(a_round(at_once, players=claimed))) == []
    assert codes(plausible.won_at_once(a_round(at_once, players=claimed), by_anyone=True)) == [
        ("contradictory", "events[0].how")
    ]
    bare = [{}, claimed[1], {}, {}]
    for kind, count in (("kong", 1), ("concealed_kong", 0)):
        kong = {"type": "kong", "seat": 2, "kind": kind}
        found = codes(plausible.won_at_once(a_round(kong, at_once, players=bare), by_anyone=True))
        assert found == [("contradictory", "events[1].how")] * count


def test_added_kongs_are_robbed() -> None:
    robbed = win(how=["rob_kong"], **{"from": 3})

    def after(kind: str, seat: int = 3, tile: str = "5p") -> list[tuple[str, str]]:
        kong = {"type": "kong", "seat": seat, "kind": kind, "tile": tile}
        return codes(plausible.added_kongs_robbed(a_round(kong, robbed)))

    assert after("concealed_kong") == after("concealed_kong", tile="0p") == [("not_allowed", "events[1].how")]
    assert after("added_kong") == after("concealed_kong", seat=2) == after("concealed_kong", tile="6p") == []
    assert codes(plausible.added_kongs_robbed(a_round(robbed))) == []


def test_kongs_are_of_known_kinds_and_of_tiles_that_are_there_four_times() -> None:
    def kong(kind: str, tile: str = "5p") -> Round:
        return a_round({"type": "kong", "seat": 1, "kind": kind, "tile": tile})

    for kind in plausible.KONGS:
        assert codes(plausible.known_kongs(kong(kind))) == codes(plausible.known_kongs(kong(kind, "0p"))) == []
    assert codes(plausible.known_kongs(kong("pi"))) == [("unknown_kind", "events[0].kind")]
    assert codes(plausible.known_kongs(kong("pi"), ("kong", "pi"))) == []
    for tile in ("1f", "8f", "1x"):
        assert codes(plausible.known_kongs(kong("kong", tile))) == [("not_in_play", "events[0].tile")]


def test_chows_come_from_the_left() -> None:
    def chow(source: int | None) -> Round:
        meld = {"kind": "chow", "tiles": "123m", **({} if source is None else {"from": source})}
        return a_round(players=[{}, {}, {}, {"melds": [meld]}])

    assert codes(plausible.chows_from_the_left(chow(2))) == codes(plausible.chows_from_the_left(chow(None))) == []
    assert codes(plausible.chows_from_the_left(chow(0))) == [("not_allowed", "players[3].melds[0].from")]


def test_flowers() -> None:
    twice = a_round(players=[{"flowers": "12f"}, {"flowers": "2f"}, {}, {}])
    assert codes(plausible.flowers_once(twice, True)) == [("fifth_copy", "players[1].flowers")]
    assert len(codes(plausible.flowers_once(twice, False))) == 2


def test_wild_tiles() -> None:
    assert codes(plausible.wilds_allowed(a_round(wild=["5z"]), False)) == [("not_allowed", "wild")]
    assert codes(plausible.wilds_allowed(a_round(wild=["5z", "1f"]), True)) == [("not_allowed", "wild[1]")]


def test_liable_seats() -> None:
    named = win(liable=[{"seat": 1, "fan": "pung"}, {"seat": 2, "fan": "no_such"}])
    assert codes(plausible.one_liable(a_round(named), ["pung"])) == [
        ("contradictory", "events[0].liable"),
        ("bad_seat", "events[0].liable[0].seat"),
        ("unknown_fan", "events[0].liable[1].fan"),
    ]


def test_nobody_is_liable() -> None:
    assert codes(plausible.nobody_liable(a_round(win()), "")) == []
    named = a_round(win(), win(2, liable=[{"seat": 1, "fan": ""}]))
    assert codes(plausible.nobody_liable(named, "")) == [("not_allowed", "events[1].liable")]


def test_birds_are_what_the_round_leaves() -> None:
    copies = tile_set(honours="")
    for bird, code in (("9p", None), ("1z", "not_in_play"), ("3m", None), ("1m", None), ("7p", "fifth_copy")):
        round = a_round({"type": "kong", "seat": 2, "kind": "concealed_kong", "tile": "7p"}, win(), birds=["8s", bird])
        assert codes(plausible.birds_left(round, copies)) == ([] if code is None else [(code, "birds[1]")])
    twice = a_round(win(), birds=["3m", "3m"])
    assert codes(plausible.birds_left(twice, copies)) == [("fifth_copy", "birds[1]")]


def test_birds_beside_kongs_told_twice_and_several_winners() -> None:
    kong = {"type": "kong", "seat": 1, "kind": "added_kong", "tile": "1m"}
    melded = [{}, {"hand": "333m55p77799s", "melds": [{"kind": "added_kong", "tiles": "1111m", "from": 0}]}, {}, {}]
    copies = (5, *tile_set(honours="")[1:])
    assert codes(plausible.birds_left(a_round(kong, win(), players=melded, birds=["1m"]), copies)) == []
    both = a_round(win(1, **{"from": 3}), win(2, **{"from": 3}), birds=["5p"])
    assert codes(plausible.birds_left(both, copies)) == []
    assert codes(plausible.birds_left(a_round(win(), birds=["5p", "5p"]), copies)) == [("fifth_copy", "birds[1]")]
