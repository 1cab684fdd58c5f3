"""Payments limited to what the seats have: rooms where a round names each player's `balance`.

Payments due at one moment (the winners of one tile, one kong, one reckoning) are handed over together as `Due`s. A
payer who cannot pay in full pays what it has, share by share: every due is cut in the proportion of the dues, rounded
down, and the points that rounding leaves over go one by one to the receivers in turn order after the payer. So nothing
is minted, nothing is lost, and the order in which a room lists simultaneous winners changes nobody's points. What a
seat receives at a moment it can spend from the next moment on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mjsettle.ledger import Book, Entry, Win


@dataclass(frozen=True, slots=True)
class Due:
    """A payment that is due; the fields are those of `Book.pay`. Points are never negative.

    limit: the most that this payment may be for another reason than the payer's balance; None for no limit.
    """

    payer: int
    receiver: int
    points: int
    why: str
    event: int | None = None
    win: Win | None = None
    undoes: int | None = None
    limit: int | None = None


def shares(purse: int, dues: Sequence[int]) -> list[int]:
    """What each of these dues gets out of a purse that may not cover them all.

    In full when the purse covers them. Else each gets due x purse / all dues, rounded down, and one point more from
    the first due on until the purse is empty. The sum is the smaller of purse and dues; a purse below zero is empty.
    """
    owed, purse = sum(dues), max(purse, 0)
    if purse >= owed:
        return list(dues)
    paid = [due * purse // owed for due in dues]
    left = purse - sum(paid)
    for at, due in enumerate(dues):
        if left and paid[at] < due:
            paid[at] += 1
            left -= 1
    return paid


def purse_of(book: Book, seat: int) -> int | None:
    """What a seat has now: its balance at the start and its gains so far. None where it is not limited."""
    # Of the table, and of a seat that is not there, which `Book.pay` refuses, nothing is known.
    balance = book.player(seat).balance if seat in book.seats else None
    return None if balance is None else max(0, balance + book.deltas()[seat])


def pay_together(book: Book, dues: Sequence[Due]) -> list[int | None]:
    """Book payments due at one moment, each payer's cut to its balance; answers their entry numbers.

    What stays unpaid is noted in `book.unpaid`.
    """
    granted = [due.points if due.limit is None else min(due.points, due.limit) for due in dues]
    for payer in {due.payer for due in dues}:
        purse = purse_of(book, payer)
        if purse is not None:
            own = [at for at, due in enumerate(dues) if due.payer == payer and due.receiver != payer]
            own.sort(key=lambda at: (book.distance(payer, dues[at].receiver), at))
            for at, points in zip(own, shares(purse, [granted[at] for at in own]), strict=True):
                granted[at] = points
    numbers: list[int | None] = []
    for due, points in zip(dues, granted, strict=True):
        numbers.append(
            book.pay(due.payer, due.receiver, points, due.why, event=due.event, win=due.win, undoes=due.undoes)
        )
        if points < due.points and due.payer != due.receiver:
            event = due.event if due.event is not None or due.win is None else due.win.index
            book.unpaid.append(Entry(due.payer, due.receiver, due.points - points, due.why, event, due.undoes))
    return numbers


def refund_together(book: Book, numbers: Sequence[int], why: str, *, event: int | None = None) -> list[Any]:
    """Give back what these entries paid, to their payers, as far as the receivers have it."""
    entries = [(number, book.entries[number]) for number in numbers]
    return pay_together(
        book,
        [Due(entry.receiver, entry.payer, entry.points, why, event, undoes=number) for number, entry in entries],
    )


__all__ = ["Due", "pay_together", "purse_of", "refund_together", "shares"]
