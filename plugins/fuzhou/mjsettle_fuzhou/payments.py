"""Who pays whom in Fuzhou mahjong: all three losers the same, whoever discarded (sheet section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rules import Payments


def pay_together(book: Book, wins: Sequence[Win]) -> None:
    """Every seat that does not win pays each winner its points."""
    winners = {win.seat for win in wins}
    for win in wins:
        for payer in book.others(win.seat):
            if payer not in winners:
                book.pay(payer, win.seat, book.options.base * win.judged.score, "win", win=win)


def pay_win(book: Book, win: Win) -> None:
    """One winner."""
    pay_together(book, [win])


def winners(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """截胡: one winner, 金雀 before others, then the nearest; 抢金: the dealer, then the others in turn order (§3)."""
    source = wins[0].source
    if source is None:
        return [min(wins, key=lambda win: book.distance(book.dealer, win.seat))]
    if book.options.multi_ron == "all":
        return wins
    return [min(wins, key=lambda win: (not win.has("golden_pair"), book.distance(source, win.seat)))]


def next_round(book: Book) -> dict[str, int]:
    """The dealer stays on its own win, which adds to the streak, and on a draw, which may; else the next seat deals."""
    dealer, streak = book.dealer, book.round.streak
    if book.wins and dealer not in book.won:
        return {"dealer": book.others(dealer)[0], "streak": 0}
    return {"dealer": dealer, "streak": streak + (bool(book.wins) or book.options.draw_streak)}


PAYMENTS: Final = Payments(pay_win, next_round, winners, pay_together)
