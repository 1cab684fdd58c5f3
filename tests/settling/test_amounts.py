"""Money is whole and fits every language's numbers: what a plugin books otherwise is never settled."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from mjsettle.balances import Due, pay_together
from mjsettle.columns import Col
from mjsettle.errors import FactError, PaymentError
from mjsettle.fans import POINTS_MAX, Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import TABLE, Book, Win
from mjsettle.rules import Fact, Payments, Rule
from mjsettle.settle import Engine, load
from mjsettle.winforms import standard

ROUND = {
    "id": "amounts/1",
    "rule": "tiny",
    "players": [{}, {"hand": "123456m234p777s1z"}, {}, {}],
    "events": [{"type": "win", "seat": 1, "tile": "1z"}],
}


def of_streak(streak: Col) -> Col:
    """As much as the streak, squared and squared again."""
    return streak * streak * streak


def of_fact(told: Col) -> Col:
    return told


def any_win(wilds: Col) -> Col:
    return wilds >= 0


def engine(pay: Any, value: Any = 1, fact: Any = lambda round, win: 1) -> Engine:
    plugin = ModuleType("plugin_amounts")
    hooks: dict[str, Any] = {
        "rule_sets": lambda: [Rule("tiny", "小", "tiny", editions=("1",), sources=("made up",))],
        "win_forms": lambda rule, options: [standard()],
        "facts": lambda rule, options: [Fact("told", fact)],
        "fans": lambda rule, options: [Fan("any", "胡", value, any_win)],
        "payments": lambda rule, options: Payments(pay),
    }
    for name, hook in hooks.items():
        setattr(plugin, name, hookimpl(hook))
    return load([plugin])


@pytest.mark.parametrize(
    ("payer", "points", "says"),
    [
        (0, 7 / 2, "is of 3.5 points, expected a whole number; divide with // and round"),
        (0, 3.0, "is of 3.0 points"),
        (0, True, "is of True points"),
        (0, "3", "is of '3' points"),
        (9, 1, "names a seat that is not there, expected whole numbers 0..3 or TABLE"),
        (-2, 1, "names a seat that is not there"),
        (0.0, 1, "names a seat that is not there"),
        (None, 1, "names a seat that is not there"),
    ],
)
def test_a_payment_that_nobody_can_make(payer: Any, points: Any, says: str) -> None:
    def pay(book: Book, win: Win) -> None:
        book.pay(payer, win.seat, points, "birds", win=win)

    with pytest.raises(PaymentError) as error:
        engine(pay).settle([ROUND])
    assert str(error.value).startswith(f"rule 'tiny': the payment 'birds' from {payer!r} to 1 ")
    assert says in str(error.value)


@pytest.mark.parametrize("payer", [9, -2])
def test_a_seat_that_is_not_there_owes_nothing_together_with_others(payer: int) -> None:
    def pay(book: Book, win: Win) -> None:
        pay_together(book, [Due(payer, win.seat, 1, "birds", win=win), Due(0, win.seat, 1, "birds", win=win)])

    with pytest.raises(PaymentError, match=f"the payment 'birds' from {payer} to 1 names a seat that is not there"):
        engine(pay).settle([ROUND])


@pytest.mark.parametrize("rounds", [1, 20])
def test_a_fact_that_is_no_whole_number_is_refused_alone_and_in_a_batch(rounds: int) -> None:
    def pay(book: Book, win: Win) -> None:
        book.pay(0, win.seat, win.total, "win", win=win)

    judge = engine(pay, of_fact, lambda round, win: 3 / 2)
    with pytest.raises(FactError, match=r"fact 'told' answers 1\.5, expected a whole number"):
        judge.settle([ROUND] * rounds)


def test_the_table_pays_and_is_paid() -> None:
    def pay(book: Book, win: Win) -> None:
        book.pay(TABLE, win.seat, 3, "pot", win=win)
        book.pay(0, TABLE, 1, "pot", win=win)

    [answer] = engine(pay).settle([ROUND])
    assert (answer["deltas"], answer["table"]) == ([-1, 3, 0, 0], -2)


@pytest.mark.parametrize(
    ("payments", "refused"), [([POINTS_MAX], False), ([POINTS_MAX + 1], True), ([2**52] * 2, True)]
)
def test_more_points_than_numbers_hold_refuse_the_round_alone(payments: list[int], refused: bool) -> None:
    def pay(book: Book, win: Win) -> None:
        for points in payments if book.round.id == "amounts/2" else [1]:
            book.pay(0, win.seat, points, "birds", win=win)

    plain, large = engine(pay).settle([ROUND, ROUND | {"id": "amounts/2"}])
    assert plain["status"] == "settled"
    assert large["status"] == ("refused" if refused else "settled")
    if refused:
        [fault] = large["errors"]
        assert fault["code"] == "points_too_large"
        assert f"expected at most {POINTS_MAX}" in fault["message"]


def test_a_total_that_numbers_do_not_hold_refuses_the_round() -> None:
    def pay(book: Book, win: Win) -> None:
        book.pay(0, win.seat, 1, "win", win=win)

    small, large = engine(pay, of_streak).settle([ROUND | {"streak": 100}, ROUND | {"streak": 1_000_000}])
    assert small["wins"][0]["total"] == 1_000_000
    assert [fault["code"] for fault in large["errors"]] == ["points_too_large"]
    assert "the total of seat 1's win" in large["errors"][0]["message"]
