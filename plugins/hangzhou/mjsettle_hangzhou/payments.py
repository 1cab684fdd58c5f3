"""Who pays whom in Hangzhou mahjong: 老庄 and 承包 (sheet sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Player
from mjsettle.rules import Payments

LEVEL_MOST: Final = 3
_CHOWS: Final = 3


def dealer_factor(streak: int) -> int:
    """一老庄 2, 二老庄 4, 三老庄 8: what a payment from or to the dealer is multiplied by."""
    return 1 << min(streak + 1, LEVEL_MOST)


def amount(book: Book, win: Win, payer: int) -> int:
    """What one payer owes: the platform's product, or 2 to the power of the fans, by the dealer's factor."""
    points = 1 << win.total if book.options.score == "mil" else win.total
    factor = dealer_factor(book.round.streak) if book.dealer in (payer, win.seat) else 1
    return int(book.options.base) * points * factor


def pay_win(book: Book, win: Win) -> None:
    """All pay a self-draw, the discarder alone a discard; under 承包 a seat pays the entire amount for all."""
    payers = book.others(win.seat) if win.source is None else [win.source]
    shares = {payer: amount(book, win, payer) for payer in payers}
    liable = liable_seats(book, win)
    if not liable:
        for payer, points in shares.items():
            book.pay(payer, win.seat, points, "win", win=win)
    for seat, times in liable:
        for points in shares.values():
            book.pay(seat, win.seat, times * points, "win_liable", win=win)


def liable_seats(book: Book, win: Win) -> list[tuple[int, int]]:
    """承包: (seat, how many times it pays the entire amount); both neighbours of a winner may be liable at once.

    The seat that the room has decided; else the one before the winner, if it fed the winner three chows, once, and the
    one after it, if the winner fed it three chows, twice.
    """
    if win.event is not None and win.event.liable:
        return [(win.event.liable[0].seat, 1)]
    if not book.options.chengbao:
        return []
    after, before = book.others(win.seat)[0], book.others(win.seat)[-1]
    found = []
    if chows_from(book.player(win.seat), before) >= _CHOWS:
        found.append((before, 1))
    if chows_from(book.player(after), win.seat) >= _CHOWS:
        found.append((after, 2))
    return found


def chows_from(player: Player, feeder: int) -> int:
    """How many chows of a player came from the seat before it; one without a source did, for no other seat feeds."""
    return sum(meld.kind == "chow" and meld.from_ in (None, feeder) for meld in player.melds)


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """Of several winners of one tile the first in turn order."""
    source = wins[0].source
    return wins if source is None else [min(wins, key=lambda win: book.distance(source, win.seat))]


def next_round(book: Book) -> dict[str, int]:
    """The dealer stays on its own win, which raises 老庄, and on a draw, which may raise it; never above 三老庄."""
    dealer, streak = book.dealer, book.round.streak
    if book.wins and dealer not in book.won:
        after = book.wins[0].seat if book.options.next_dealer == "winner" else book.others(dealer)[0]
        return {"dealer": after, "streak": 0}
    raised = bool(book.wins) or book.options.draw_raises
    return {"dealer": dealer, "streak": min(streak + raised, LEVEL_MOST - 1)}


PAYMENTS: Final = Payments(pay_win, next_round, nearest)
