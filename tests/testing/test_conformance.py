"""Conformance passes honest rule pages and names the columns of dishonest ones; random hands mostly win."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest

from mjsettle.columns import Col, popcount
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.judge import judge
from mjsettle.ledger import Book, Win
from mjsettle.readings import Row, View, standard_rows
from mjsettle.rules import Payments, Rule, tile_set
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_rounds, random_wins
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm, pairs, standard


def engine_with(
    *fans: Fan, policy: WildPolicy | None = None, forms: Sequence[WinForm] = (standard(), pairs()), **rule: Any
) -> Engine:
    declared = Rule("tiny", "小", "tiny", editions=("1",), sources=("made up",), **rule)
    hooks: dict[str, Callable[..., Any]] = {
        "rule_sets": lambda: [declared],
        "win_forms": lambda rule, options: forms,
        "fans": lambda rule, options: list(fans),
        "wildcards": lambda rule, options: policy,
        "payments": lambda rule, options: Payments(pay),
    }
    module = ModuleType("plugin_tiny")
    for name, answer in hooks.items():
        setattr(module, name, hookimpl(answer))
    return load([module])


def pay(book: Book, win: Win) -> None:
    """The seat after the winner pays."""
    book.pay(book.others(win.seat)[0], win.seat, win.total, "win", win=win)


def all_pungs(form_standard: Col, chow_count: Col) -> Col:
    return (form_standard == 1) & (chow_count == 0)


def kinds(held1: Col) -> Col:
    return popcount(held1)


def no_chows_by_inversion(chow_count: Col) -> Col:
    return (~(chow_count != 0)) * 1


def half_the_kinds(held1: Col) -> Col:
    return popcount(held1) / 2


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule sets are compiled without their first try, which has a few hands only and may miss what is dishonest."""
    monkeypatch.setattr("mjsettle.rule_sets.probe", lambda ruleset: None)


def test_an_honest_page_conforms() -> None:
    sample = conformance("tiny", engine=engine_with(Fan("pungs", "对对胡", 2, all_pungs), Fan("k", "种", 1, kinds)))
    assert sample.hands == 400
    assert 250 < sample.won < 400
    assert sample.rows > 1000
    assert sample.fans == {"pungs", "k"}


@pytest.mark.parametrize(
    ("fan", "says"),
    [
        (no_chows_by_inversion, "column 'raw_odd': -2 alone, 0 in a batch|column 'raw_odd': -1 alone, 1 in a batch"),
        (half_the_kinds, "column 'raw_odd' is of type float; columns are integers"),
    ],
)
@pytest.mark.usefixtures("untried")
def test_a_dishonest_column_is_named(fan: Callable[..., Col], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        conformance("tiny", engine=engine_with(Fan("odd", "怪", 1, fan)), hands=100)


@pytest.mark.usefixtures("untried")
def test_a_win_form_that_leaves_tiles_out_is_named() -> None:
    def forgetful(view: View, number: int) -> list[Row]:
        return [row._replace(has1=row.has1 & ~1) for row in standard_rows(view, number)]

    engine = engine_with(Fan("k", "种", 1, kinds), forms=[WinForm("forgetful", "忘", "forgetful", forgetful)])
    with pytest.raises(AssertionError, match=r"win form 'forgetful' reads .* as a row that cannot be: has"):
        conformance("tiny", engine=engine, hands=100)


def test_a_rule_set_that_refuses_every_random_round_is_no_sample() -> None:
    engine = engine_with(Fan("k", "种", 1, kinds))
    ruleset = engine.rule_set("tiny")
    assert len(list(random_wins(engine, ruleset, 20, seed=1))) == 20
    with pytest.raises(ValueError, match="random rounds pass the checks of 'tiny'"):
        list(random_wins(engine, ruleset, 20, seed=1, seats=2))


def test_the_same_seed_makes_the_same_rounds() -> None:
    ruleset = engine_with(Fan("k", "种", 1, kinds)).rule_set("tiny")
    assert list(random_rounds(ruleset, 30, seed=5)) == list(random_rounds(ruleset, 30, seed=5))
    assert list(random_rounds(ruleset, 30, seed=5)) != list(random_rounds(ruleset, 30, seed=6))


@pytest.mark.parametrize("hand_size", [13, 16])
def test_random_rounds_pass_the_core_and_mostly_win(hand_size: int) -> None:
    engine = engine_with(
        Fan("k", "种", 1, kinds),
        hand_size=lambda options: hand_size,
        tiles=lambda options, seats: tile_set(flowers=8),
        flags=("ready",),
    )
    rounds = list(random_rounds(engine.rule_set("tiny"), 400, seed=2))
    results = engine.settle(rounds)
    codes = {error["code"] for result in results for error in result.get("errors", ())}
    assert codes <= {"not_a_win"}
    assert sum(result["status"] == "settled" for result in results) > 200
    winners = [next(player for player in round["players"] if player) for round in rounds]
    assert {meld["kind"] for player in winners for meld in player["melds"]} == {
        "chow",
        "pung",
        "kong",
        "added_kong",
        "concealed_kong",
    }
    assert any(player["flags"] for player in winners)
    assert any(player["flowers"] for player in winners)
    assert {word for round in rounds for word in round["events"][0]["how"]} >= {"kong_draw", "rob_kong", "last_tile"}


@pytest.mark.parametrize("policy", [WildPolicy(), WildPolicy(fifth_copy="concealed"), WildPolicy(fifth_copy="melds")])
def test_the_brute_force_best_agrees(policy: WildPolicy) -> None:
    engine = engine_with(Fan("pungs", "对对胡", 20, all_pungs), Fan("k", "种", 1, kinds), policy=policy)
    ruleset = engine.rule_set("tiny")
    for dealt in random_wins(engine, ruleset, 80, seed=3, wilds_max=2):
        found = judge(ruleset, dealt.hand)
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, dealt.hand), dealt.wire


def test_the_brute_force_best_declines_what_it_cannot_try() -> None:
    engine = engine_with(Fan("k", "种", 1, kinds), policy=WildPolicy(pair_of_wilds=False))
    ruleset = engine.rule_set("tiny")
    dealt = next(random_wins(engine, ruleset, 1, seed=1))
    with pytest.raises(ValueError, match="without limits on sets and pairs"):
        brute_force_best(ruleset, dealt.hand)
