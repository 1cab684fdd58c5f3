"""Payments limited to what seats have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjsettle.balances import Due, pay_together, purse_of, refund_together, shares
from mjsettle.ledger import TABLE, Book
from mjsettle.options import Options
from mjsettle.rounds import Round, round_of


def round_with(balances: list[int | None]) -> Round:
    players: list[dict[str, Any]] = [{} if balance is None else {"balance": balance} for balance in balances]
    return round_of({"id": "balances", "rule": "none", "players": players})


def book_with(*balances: int | None) -> Book:
    return Book(round_with(list(balances)), Options(None, {}), lambda win: None, lambda seat: (0, 0))


@pytest.mark.parametrize(
    ("purse", "dues", "expected"),
    [
        (600, [200, 200, 200], [200, 200, 200]),
        (100, [200, 200, 200], [34, 33, 33]),
        (100, [100, 200, 400], [15, 28, 57]),
        (900, [800, 800], [450, 450]),
        (0, [5, 7], [0, 0]),
        (-3, [5], [0]),
        (1, [0, 1, 1], [0, 1, 0]),
        (10, [], []),
    ],
)
def test_shares(purse: int, dues: list[int], expected: list[int]) -> None:
    assert shares(purse, dues) == expected


@given(st.integers(-5, 2000), st.lists(st.integers(0, 500), max_size=6))
def test_shares_spend_the_purse_and_no_more(purse: int, dues: list[int]) -> None:
    found = shares(purse, dues)
    assert sum(found) == max(0, min(purse, sum(dues)))
    assert all(0 <= share <= due for share, due in zip(found, dues, strict=True))
    owed = sum(dues)
    if max(purse, 0) < owed:
        for share, due in zip(found, dues, strict=True):
            assert share - due * max(purse, 0) // owed in (0, 1)


def test_unlimited_seats_pay_in_full() -> None:
    book = book_with(None, 10, None)
    assert pay_together(book, [Due(0, 1, 500, "win"), Due(0, 2, 500, "win")]) == [0, 1]
    assert book.deltas() == [-1000, 500, 500]
    assert not book.unpaid


def test_what_rounding_leaves_goes_to_the_nearest_whatever_the_order() -> None:
    dues = [Due(1, 0, 200, "win"), Due(1, 3, 200, "win"), Due(1, 2, 200, "win")]
    for order in (dues, dues[::-1]):
        book = book_with(0, 100, 0, 0)
        pay_together(book, order)
        assert book.deltas() == [33, -100, 34, 33]
        assert sum(entry.points for entry in book.unpaid) == 500


def test_points_received_at_a_moment_are_spent_from_the_next_on() -> None:
    book = book_with(0, 50)
    pay_together(book, [Due(1, 0, 50, "one"), Due(0, 1, 50, "two")])
    assert book.deltas() == [50, -50]
    pay_together(book, [Due(0, 1, 80, "three")])
    assert book.deltas() == [0, 0]
    assert [(entry.payer, entry.points, entry.why) for entry in book.unpaid] == [(0, 50, "two"), (0, 30, "three")]


def test_refunds_return_what_was_paid_and_name_it() -> None:
    book = book_with(0, 30, 1000)
    paid = pay_together(book, [Due(1, 0, 100, "kong", 4), Due(2, 0, 100, "kong", 4)])
    numbers = [number for number in paid if number is not None]
    refund_together(book, numbers, "refund")
    assert book.deltas() == [0, 0, 0]
    assert [(entry.undoes, entry.points) for entry in book.entries[2:]] == [(0, 30), (1, 100)]


def test_a_refund_never_goes_below_zero() -> None:
    book = book_with(0, 500, 500)
    pay_together(book, [Due(1, 0, 200, "kong")])
    pay_together(book, [Due(0, 2, 500, "win")])
    refund_together(book, [0], "refund")
    assert book.deltas() == [0, -200, 200]
    assert [entry.points for entry in book.unpaid] == [300, 200]


def test_a_limit_of_its_own_cuts_before_the_purse() -> None:
    book = book_with(1000, 5000, 70)
    pay_together(book, [Due(1, 0, 3000, "win", limit=1000), Due(2, 0, 3000, "win", limit=1000)])
    assert book.deltas() == [1070, -1000, -70]


def test_the_table_is_not_limited() -> None:
    book = book_with(0, 0)
    assert purse_of(book, TABLE) is None
    pay_together(book, [Due(TABLE, 0, 7, "house")])
    assert (book.deltas(), book.table()) == ([7, 0], -7)
