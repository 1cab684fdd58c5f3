"""嚦咕嚦咕 against its definition, counted out tile by tile: seven pairs and a triplet, four of a kind as two pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from mjsettle.columns import EVERY_KIND
from mjsettle.hands import Hand, Situation, make_hand
from mjsettle.judge import judge, waits_before
from mjsettle.readings import with_tile
from mjsettle.ruleset import RuleSet
from mjsettle.settle import load
from mjsettle.testing.bruteforce import wins
from mjsettle.tiles import parse_tiles
from mjsettle.wildcards import FREE


@cache
def ruleset() -> RuleSet:
    return load().rule_set("taiwan")


def is_ligu(counts: Sequence[int]) -> bool:
    """Take each kind as the triplet in turn; the rest must be pairs."""
    if sum(counts) != 17:
        return False
    return any(
        counts[kind] >= 3 and all((count - 3 * (kind == other)) % 2 == 0 for other, count in enumerate(counts))
        for kind in range(34)
    )


def hand_of(codes: Sequence[int]) -> Hand:
    """A self-drawn hand whose winning tile is the last of the codes."""
    facts = {fact.name: 0 for fact in ruleset().facts}
    return make_hand(list(codes[:-1]), codes[-1], (), frozenset(), Situation(), FREE, EVERY_KIND, facts)


def near_ligu(rng: Random) -> list[int]:
    """Seventeen tiles that are the shape, or miss it by a tile or two."""
    while True:
        codes = [kind for kind in rng.choices(range(34), k=7) for _ in range(2)] + [rng.randrange(34)] * 3
        for _ in range(rng.choice((0, 0, 1, 2))):
            codes[rng.randrange(17)] = rng.randrange(34)
        if max(codes.count(kind) for kind in range(34)) <= 4:
            rng.shuffle(codes)
            return codes


def test_read_as_ligu_exactly_when_it_is_one() -> None:
    rng, seen = Random(1), [0, 0]
    for _ in range(400):
        codes = near_ligu(rng)
        counts = [codes.count(kind) for kind in range(34)]
        form = ruleset().forms[1]
        rows = form.read(hand_of(codes).view, 1)
        assert bool(rows) == is_ligu(counts)
        for row in rows:
            assert [sum(plane >> kind & 1 for plane in row[5:9]) for kind in range(34)] == counts
        seen[bool(rows)] += 1
        won = judge(ruleset(), hand_of(codes)) is not None
        assert won == (is_ligu(counts) or wins(counts, 0))
    assert min(seen) > 80


def test_waits_are_those_of_both_shapes() -> None:
    rng = Random(2)
    some = 0
    for _ in range(250):
        codes = near_ligu(rng)
        live, formal = waits_before(ruleset(), hand_of(codes))
        before = codes[:-1]
        expected = 0
        for kind in range(34):
            counts = [[*before, kind].count(other) for other in range(34)]
            if counts[kind] <= 4 and (is_ligu(counts) or wins(counts, 0)):
                expected |= 1 << kind
        assert live == expected
        assert formal & live == live
        some += expected != 0
    assert some > 100


def test_waits_with_jokers_are_the_tiles_that_can_be_read() -> None:
    rng, form = Random(3), ruleset().forms[1]
    assert form.ready is not None
    ready = 0
    for _ in range(120):
        codes = near_ligu(rng)
        absent = min(set(range(34)).difference(codes))
        before = hand_of([*codes[rng.choice((2, 2, 3, 4)) :], absent]).before()
        view = before._replace(wilds=16 - sum(before.counts))
        wild = 1 << absent  # drawn, it is one joker more
        expected = sum(
            1 << kind for kind in range(34) if view.counts[kind] < 4 and form.read(with_tile(view, kind, wild), 1)
        )
        assert form.ready(view, wild) == expected
        ready += expected != 0
    assert ready > 60


def test_eight_pairs_wait_for_any_of_them_and_a_single_for_itself() -> None:
    for text, wanted in (
        ("1122m3344p5566s1166z", "12m34p56s16z"),
        ("11223399m55p77s1114z", "4z"),
        ("1111m3344p5566s1166z", "34p56s16z"),  # the fifth 1m does not exist
    ):
        live, _ = waits_before(ruleset(), hand_of([*parse_tiles(text), 33]))
        assert live == sum(1 << code for code in parse_tiles(wanted)), text
