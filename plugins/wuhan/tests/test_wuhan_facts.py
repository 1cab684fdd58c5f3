"""The golden facts: turned tiles, caps, hands, and the payments that given products make."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mjsettle.judge import Judgement, judge
from mjsettle.options import Options
from mjsettle.rounds import round_of
from mjsettle.settle import Engine, load
from mjsettle.testing import read_cases
from mjsettle_wuhan.factors import Laid, capped, product
from mjsettle_wuhan.points import dealer_factor, enough, plain_amount
from mjsettle_wuhan.tiles import pi_of, wild_of

HERE = Path(__file__).parent
FACTS: list[dict[str, Any]] = [
    msgspec.json.decode(line) for line in (HERE / "data" / "wuhan.facts.jsonl").read_bytes().splitlines()
]
MELDS = {"peng": ("pung", 3), "gang_exposed": ("kong", 4), "gang_added": ("added_kong", 4)}
MELDS["gang_concealed"] = ("concealed_kong", 4)


def facts(kind: str) -> list[Any]:
    return [pytest.param(fact, id=fact["id"]) for fact in FACTS if fact["kind"] == kind]


@cache
def engine() -> Engine:
    return load()


def options_of(fact: dict[str, Any]) -> Options:
    return engine().rule_set("wuhan", fact["options"]).options


def test_every_kind_of_fact_is_tested() -> None:
    assert {fact["kind"] for fact in FACTS} == {"hand", "cap", "round", "wild"}


@pytest.mark.parametrize("fact", facts("wild"))
def test_the_turned_tile_tells_wild_and_pi(fact: dict[str, Any]) -> None:
    turned = fact["hand"]["flags"]["indicator"]
    assert [wild_of(turned)] == fact["expect"]["wild_tiles"]
    assert list(pi_of(turned, fact["options"]["pi_count"])) == fact["expect"]["pi_tiles"]


@pytest.mark.parametrize("fact", facts("cap"))
def test_caps(fact: dict[str, Any]) -> None:
    assert capped(fact["hand"]["flags"]["raw"], options_of(fact)) == fact["expect"]["capped"]


def judged(fact: dict[str, Any]) -> Judgement | None:
    """The best legal reading of a fact's hand; 起胡, which asks for the payers' products, is left to the rounds."""
    hand, flags = fact["hand"], fact["hand"]["flags"]
    melds = []
    for meld in hand["melds"]:
        kind, size = MELDS[meld["type"]]
        melds.append({"kind": kind, "tiles": meld["tile"][0] * size + meld["tile"][1]})
    event: dict[str, Any] = {"type": "win", "seat": 1, "tile": hand["win_tile"]}
    event["how"] = [word for word in ("kong_draw",) if flags.get(word)]
    wire = {
        "id": fact["id"],
        "rule": "wuhan",
        "options": fact["options"],
        "wild": hand["wild_tiles"],
        "pi": flags["pi"],
        "players": [{}, {"hand": "".join(hand["concealed"]), "melds": melds}, {}, {}],
        "events": [event],
    }
    job = engine()._prepare(round_of(wire))
    assert job.answer is None, job.answer
    assert job.ruleset is not None
    assert job.hands[0].columns["wilds"] == hand["wild_count"]
    return judge(job.ruleset, job.hands[0])


@pytest.mark.parametrize("fact", facts("hand"))
def test_hands(fact: dict[str, Any]) -> None:
    found, expect = judged(fact), fact["expect"]
    assert (found is not None) == expect["win"]
    if found is None:
        return
    listed = [{"name": fan.name, "value": value * times} for fan, times, value in found.counted if value]
    assert listed == expect["fans"]
    assert bool(found.times("hard_win")) == expect["hard"]
    assert (0 if found.times("small_win") else found.total) == expect["big_count"]


@pytest.mark.parametrize("fact", [param for param in facts("round") if "winner" in param.values[0]["events"]])
def test_payments_from_products(fact: dict[str, Any]) -> None:
    options, events, expect = options_of(fact), fact["events"], fact["expect"]
    laid = [
        Laid(*(seat.get(name, 0) for name in ("open", "ming", "an", "pi", "zhong", "lai")))
        for seat in events["players"]
    ]
    winner, big = events["winner"], events["big"]
    own = product(laid[winner], options)
    seats = [(winner + step) % 4 for step in (1, 2, 3)]
    plain = [
        plain_amount(
            options,
            big,
            int(events["hard"]),
            int(events["mode"] == "zimo"),
            own,
            product(laid[seat], options),
            int(events.get("from") == seat),
        )
        for seat in seats
    ]
    assert bool(enough(options, min(plain))) == expect["win"]
    if not expect["win"]:
        return
    raw = [
        amount * dealer_factor(options, big, events["dealer"] in (winner, seat))
        for seat, amount in zip(seats, plain, strict=True)
    ]
    by_seat = dict(zip(seats, raw, strict=True))
    assert [by_seat[seat] for seat in sorted(seats)] == expect["raw"]
    deltas = [0, 0, 0, 0]
    for seat, points in zip(seats, capped(raw, options), strict=True):
        deltas[seat] -= points
        deltas[winner] += points
    assert deltas == expect["payments"]


@pytest.mark.parametrize("fact", facts("round"))
def test_rounds_are_wire_cases_too(fact: dict[str, Any]) -> None:
    """Each has a wire case that names it and expects the same payments."""
    cases = [case for case in read_cases(HERE.parent / "cases" / "rounds.jsonl") if f"{fact['id']}:" in case.source]
    assert len(cases) == 1
    if "payments" in fact["expect"]:
        assert cases[0].expect["deltas"] == fact["expect"]["payments"]
    else:
        assert cases[0].expect["status"] == "refused"
