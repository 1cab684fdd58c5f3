"""Advice against slow twins that follow its definitions one draw and one discard at a time."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import mjsettle
from mjsettle.advise import Advice, advise
from mjsettle.chances import Step, chance_of_one, chance_of_two
from mjsettle.errors import HandError, RuleError
from mjsettle.settle import Engine
from mjsettle.shanten import shanten
from mjsettle.testing.deal import near_win
from mjsettle.tiles import KINDS, NAMES, format_tiles, parse_tiles
from mjsettle.worth import Table, Win, seat_record


@pytest.fixture(scope="module")
def engine() -> Engine:
    return mjsettle.load()


def nearest(hand: str) -> int:
    return min(number for number in shanten(hand) if number is not None)


def discards(hand: str) -> dict[str, str]:
    """What is left of a hand by the tile discarded."""
    codes = parse_tiles(hand)
    return {NAMES[code]: format_tiles(codes[:at] + codes[at + 1 :]) for at, code in enumerate(codes)}


def live_copies(hand: str, seen: str) -> Counter[str]:
    live = Counter({NAMES[kind]: 4 for kind in range(KINDS)})
    live.subtract(NAMES[code] for code in parse_tiles(hand + seen))
    return live


def accepted(hand: str, live: Counter[str]) -> list[str]:
    now = nearest(hand)
    return [tile for tile, left in live.items() if left > 0 and nearest(hand + tile) < now]


def slow_chance(rest: str, live: Counter[str], draws: int) -> float | None:
    unseen, distance = sum(live.values()), nearest(rest)
    if distance == 0:
        return 1.0
    first = accepted(rest, live)
    useful = sum(live[tile] for tile in first)
    if distance == 1:
        return chance_of_one(unseen, useful, draws)
    if distance > 2:
        return None
    steps = []
    for tile in first:
        after = live - Counter([tile])
        widest: tuple[int, list[str]] = (-1, [])
        # Equally wide discards may differ in what they share with the first step; the first in the order of discards.
        for code in sorted(set(parse_tiles(rest + tile))):
            left = discards(rest + tile)[NAMES[code]]
            if nearest(left) == 1:
                then = accepted(left, after)
                width = sum(after[other] for other in then)
                if width > widest[0]:
                    widest = (width, then)
        steps.append(Step(live[tile], widest[0], sum(after[other] for other in widest[1] if other in first)))
    return chance_of_two(unseen, useful, steps, draws)


@pytest.mark.parametrize("seed", range(12))
def test_distances_acceptance_and_chances(seed: int) -> None:
    random = Random(seed)
    counts = near_win(random, 4, 0, changes=seed % 5)
    hand = format_tiles(kind for kind, copies in enumerate(counts) for _ in range(copies))
    wall = list((Counter(range(KINDS)) + Counter({kind: 3 - n for kind, n in enumerate(counts)})).elements())
    seen = format_tiles(random.sample(wall, 12))
    live, found = live_copies(hand, seen), advise(hand, seen=seen, draws=4)
    assert sorted(one.discard for one in found) == sorted(discards(hand))
    for one in found:
        rest = discards(hand)[one.discard]
        assert one.shanten == nearest(rest)
        assert {tile for tile, left in one.accepts.items() if left} == set(accepted(rest, live))
        assert one.accepts == {tile: live[tile] for tile in one.accepts}
        assert one.live == sum(one.accepts.values())
        if one.shanten < 2 or one.discard == found[0].discard:
            slow = slow_chance(rest, live, 4)
            assert one.ready_chance == (None if slow is None else pytest.approx(slow))
    assert [one.shanten for one in found] == sorted(one.shanten for one in found)


def value(engine: Engine, record: dict[str, Any], hand: str, tile: str) -> int:
    """The points of a self-draw, 0 where it is refused."""
    players = [{**player, "hand": hand} if seat == 0 else player for seat, player in enumerate(record["players"])]
    win = {"type": "win", "seat": 0, "tile": tile}
    answer = engine.settle([{**record, "players": players, "events": [win]}])[0]
    return int(answer["wins"][0]["points"]) if answer["status"] == "settled" else 0


def mean_of_waits(engine: Engine, record: dict[str, Any], rest: str, live: Counter[str]) -> tuple[float, float]:
    """(Points summed over the live copies of the waits, their mean.)"""
    waits = [tile for tile in live if nearest(rest + tile) == -1 and held(rest, tile) < 4]
    total = sum(live[tile] * value(engine, record, rest, tile) for tile in waits)
    copies = sum(live[tile] for tile in waits)
    return total, total / copies if copies else 0.0


def held(hand: str, tile: str) -> int:
    return parse_tiles(hand).count(parse_tiles(tile)[0])


@pytest.mark.parametrize(
    ("rule", "hand"),
    [
        ("riichi", "123456m2345p55s17z"),
        ("riichi", "2233445566m7s112z"),
        ("hongkong", "11123m45678p99s46z"),
        ("guobiao", "112233m778899p12s"),
    ],
)
def test_points_and_expected_points(engine: Engine, rule: str, hand: str) -> None:
    record = seat_record(rule)
    found = advise(hand, table=Table(engine, record))
    live = live_copies(hand, "")
    told = 0
    for one in found:
        rest = discards(hand)[one.discard]
        if one.shanten == 0:
            assert one.points == {tile: value(engine, record, rest, tile) for tile in one.points}
            assert one.expected_points == pytest.approx(mean_of_waits(engine, record, rest, live)[1])
            told += 1
        elif one.shanten == 1 and told < 4:
            total = 0.0
            for tile in one.accepts:
                after = live - Counter([tile])
                ready = {left for left in discards(rest + tile).values() if nearest(left) == 0}
                total += live[tile] * max(mean_of_waits(engine, record, left, after) for left in ready)[1]
            assert one.expected_points == pytest.approx(total / one.live)
            told += 1
    assert told


def best(found: tuple[Advice, ...]) -> Advice:
    return found[0]


def test_a_table_knows_the_forms_and_tiles_of_its_rule_set(engine: Engine) -> None:
    # Four of a kind are two of the seven pairs in Sichuan, and honours are not in play.
    found = best(advise("11112233445p99s5m", table=Table(engine, seat_record("sichuan"))))
    assert (found.discard, found.shanten) == ("5m", 0)
    assert all(tile[1] != "z" for tile in found.accepts)
    assert found.points["5p"] > 0
    # Knitted tiles are a form that only the rule set knows.
    knitted = best(advise("147m258p369s12345z", table=Table(engine, seat_record("guobiao"))))
    assert knitted.shanten == 0
    assert set(knitted.points) <= set(knitted.accepts)
    assert knitted.expected_points is not None


def test_wild_tiles_and_melds_of_the_table(engine: Engine) -> None:
    meld = {"kind": "pung", "tiles": "222s", "from": 3}
    table = Table(engine, seat_record("guangdong", melds=[meld], wild=["5z"]))
    found = best(advise("123m456m57p19s5z", table=table))
    assert found.shanten == 0
    assert "5z" in found.accepts
    assert found.accepts["5z"] == 3
    with pytest.raises(HandError, match="the table's round tells them"):
        advise("123m456m57p19s5z", melds=["222s"], table=table)
    # Joker draws count only where jokers are in play.
    assert "1x" not in best(advise("123456789m1234p1z", table=Table(engine, seat_record("guobiao")))).accepts
    assert "1x" in best(advise("123456789m1234p1x", table=Table(engine, seat_record("guobiao")))).accepts


def test_what_the_table_has_wrong_is_said_not_swallowed(engine: Engine) -> None:
    with pytest.raises(RuleError, match=r"tile_count|found 4 tiles"):
        advise("123m11z", table=Table(engine, seat_record("riichi")))
    with pytest.raises(RuleError, match="no option 'horse'"):
        Table(engine, seat_record("guangdong", options={"horse": 1}))
    with pytest.raises(RuleError, match="seat: found 5"):
        Table(engine, seat_record("guangdong"), seat=5)
    with pytest.raises(HandError, match="expected 3n\\+2"):
        advise("123m")


def test_waits_of_a_table_are_those_that_win(engine: Engine) -> None:
    table = Table(engine, seat_record("guobiao"))
    waits = table.waits(parse_tiles("1112345678999m"))
    assert list(waits) == [f"{rank}m" for rank in range(1, 10)]
    assert all(one.points > 0 for one in waits.values())
    poor = table.waits(parse_tiles("123456m789p34s55z"), source=1)
    assert list(poor) == ["2s", "5s"]
    assert [one.points for one in poor.values()] == [0, 0]  # complete, but below eight fan
    assert table.bring([Win("123456m789p34s55z", "9s")])[0].complete is False
