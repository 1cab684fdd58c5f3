"""Waits: of a reading against those of the thirteen tiles, and the knitted forms' own against trying every tile."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import mjsettle_guobiao
from mjsettle.columns import Place
from mjsettle.hands import Situation, make_hand
from mjsettle.judge import waits_before
from mjsettle.keys import suit_keys
from mjsettle.places import places_of
from mjsettle.readings import View, with_tile
from mjsettle.rounds import round_of
from mjsettle.settle import load
from mjsettle.testing.random_hands import random_rounds
from mjsettle.tiles import parse_tiles
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm
from mjsettle_guobiao.knitted import BODIES, honours_and_knitted, knitted_straight
from mjsettle_guobiao.waits import reading_waits_column, wait_label

ENGINE = load([mjsettle_guobiao])
FORMS = {form.id: form for form in (knitted_straight(), honours_and_knitted())}


def a_straight(random: Random, tiles: int) -> list[int]:
    body = random.choice(BODIES)
    first = random.randrange(34)
    chow = first < 27 and first % 9 < 7 and random.random() < 0.6
    rest = [first, first + 1, first + 2] if chow else [first] * 3
    return [kind for kind in range(27) if body >> kind & 1] + rest + [random.randrange(34)] * 2


@pytest.mark.parametrize("four_of_kind", [True, False])
def test_a_reading_waits_for_what_its_hand_waits_for(four_of_kind: bool) -> None:
    ruleset = ENGINE.rule_set("guobiao", {"seven_pairs_four_of_kind": four_of_kind})
    reading_waits = reading_waits_column(four_of_kind).fn
    compared = several = pairs_too = 0
    rounds = random_rounds(ruleset, 5000, 7, wilds_max=0, shapes=(a_straight,))
    for hand in (hand for wire in rounds for hand in ENGINE._prepare(round_of(wire)).hands):
        _, formal = waits_before(ruleset, hand)
        for number, form in enumerate(ruleset.forms):
            for row in form.read(hand.view, number):
                for place in places_of(row, hand.columns["win_tile"]):
                    label = wait_label(int(place), hand.columns["win_tile"])
                    if not label or form.id not in ("standard", "knitted_straight"):
                        continue
                    values = (hand.columns["win_tile"], row.pair, row.shape, hand.columns["melds"], *row[5:9])
                    assert reading_waits(label, *values) == formal
                    compared += 1
                    several += formal.bit_count() > 1
                    pairs_too += bool(ruleset.forms[3].ready and ruleset.forms[3].ready(hand.before(), 0))
    assert compared > 800
    assert several > 200
    assert pairs_too > 0


def test_columns_of_readings_are_looked_up_together() -> None:
    fn = reading_waits_column(True).fn
    rows = [
        (int(Place.PAIR), 31, 31, 0, 0, 1 << 31 | 0o777, 1 << 31, 0, 0),
        (int(Place.LOW), 0, 31, 0, 0, 1 << 31 | 0o777, 1 << 31, 0, 0),
        (int(Place.MIDDLE), 1, 31, 0, 0, 1 << 31 | 0o777, 1 << 31, 0, 0),
    ]
    labels = [wait_label(place, won) for place, won, *_ in rows]
    alone = [fn(label, *row[1:]) for label, row in zip(labels, rows, strict=True)]
    columns: Any = [np.array(column, np.int64) for column in zip(*rows, strict=True)]
    assert fn(wait_label(columns[0], columns[1]), *columns[1:]).tolist() == alone
    assert alone[0] == 1 << 31
    assert alone[1] == 0


def view_of(counts: list[int], wilds: int, melds: int) -> View:
    return View(tuple(counts), suit_keys(counts), wilds, melds, WildPolicy(fifth_copy="melds"))


def almost(random: Random, form: str, melds: int, wilds: int) -> list[int]:
    """Thirteen tiles, melds as three, that are close to the form, so many of them taken by wilds."""
    if form == "knitted_straight":
        tiles = a_straight(random, 14)
        tiles = tiles[:9] + tiles[12:] if melds else tiles
    else:
        chosen = random.choice(BODIES)
        body = [kind for kind in range(27) if chosen >> kind & 1]
        tiles = random.sample(body, 8) + random.sample(range(27, 34), 6)
    for _ in range(random.choice((0, 0, 1))):
        tiles[random.randrange(len(tiles))] = random.randrange(34)
    random.shuffle(tiles)
    tiles = tiles[1 + wilds :]
    return [min(4, tiles.count(kind)) for kind in range(34)]


@pytest.mark.parametrize("wilds", [0, 1, 2])
@pytest.mark.parametrize("melds", [0, 1])
@pytest.mark.parametrize("id", FORMS)
def test_a_form_tells_its_waits(id: str, melds: int, wilds: int) -> None:
    form: WinForm = FORMS[id]
    random = Random(f"{id}/{melds}/{wilds}")
    found = 0
    for _ in range(150):
        counts = almost(random, id, melds, wilds)
        view = view_of(counts, wilds, melds)
        if view.tiles + 3 * melds != 13:
            continue
        tried = sum(1 << kind for kind in range(34) if counts[kind] < 4 and form.read(with_tile(view, kind, 0), 0))
        assert form.ready is not None
        assert form.near is not None
        told = form.ready(view, 0) & ~sum(1 << kind for kind in range(34) if counts[kind] == 4)
        assert told == tried
        masks = {f"tiles{n}": sum(1 << kind for kind in range(34) if counts[kind] >= n) for n in range(1, 5)}
        known = {"melds": melds, "tiles": view.tiles, "wilds": wilds, **masks}
        names = form.near.__code__.co_varnames[: form.near.__code__.co_argcount]
        assert bool(form.near(*[known[name] for name in names])) >= bool(tried)
        found += bool(tried)
    assert found > 10 or (id == "honours_and_knitted" and melds)


def test_four_winds_in_hand_are_the_only_formal_wait() -> None:
    ruleset = ENGINE.rule_set("guobiao")
    codes = parse_tiles("234m345s333p1111z")
    hand = make_hand(codes, 0, (), frozenset(), Situation(), ruleset.policy, ruleset.faces)
    live, formal = waits_before(ruleset, hand)
    assert live == 0
    assert formal == 1 << 27
