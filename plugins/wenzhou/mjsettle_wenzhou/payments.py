"""Who pays whom in Wenzhou mahjong (sheet section 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, Payments
from mjsettle_wenzhou.gods import IN_PLAY, gods_held

STREAK_FACTORS: Final = (2, 4, 6, 8)
"""What a payment with the dealer is multiplied by, for 0, 1, 2 and 3 deals won in a row."""

KONG_POINTS: Final = {"kong": 1, "added_kong": 1, "concealed_kong": 2}


def pay_win(book: Book, win: Win) -> None:
    """All three others pay, whoever discarded; payments with the dealer grow with its streak; then the gods."""
    options = book.options
    factor = STREAK_FACTORS[min(book.round.streak, 3)]
    liable = _liable(book, win)
    for payer in book.others(win.seat):
        points = options.base * win.total * (factor if book.dealer in (payer, win.seat) else 1)
        pays = payer if liable is None else liable
        book.pay(pays, win.seat, points, "win" if pays == payer else "win_liable", win=win)
    if options.god_settlement:
        settle_gods(book, win)


def _liable(book: Book, win: Win) -> int | None:
    """通赔: the seat that the win event names; 三摊: who fed three of the winner's melds (§5)."""
    if book.options.tongpei and win.event is not None and win.event.liable:
        return win.event.liable[0].seat
    if book.options.santan:
        fed = Counter(meld.from_ for meld in book.player(win.seat).melds if meld.from_ is not None)
        for seat, times in fed.items():
            if times >= 3:
                return seat
    return None


def settle_gods(book: Book, win: Win) -> None:
    """财神结算: each seat scores three times its gods less those of the others; between two seats, the difference."""
    found = [gods_held(book.round, seat, win) for seat in book.seats]
    gods = [count for count in found if count is not None]
    if len(gods) < len(found):
        return
    book.report["gods"] = gods
    doubled = book.options.god_money_double and gods[win.seat] == IN_PLAY
    for one, other in combinations(book.seats, 2):
        times = 2 if doubled and win.seat in (one, other) else 1
        points = book.options.base * times * (gods[one] - gods[other])
        book.pay(other, one, points, "gods", event=win.index)


def pay_kong(book: Book, event: Event, index: int) -> None:
    """Kong money at once from each of the three others; a robbed kong is void."""
    if index in book.robbed or event.seat is None or event.kind is None:
        return
    for payer in book.others(event.seat):
        book.pay(payer, event.seat, book.options.base * KONG_POINTS[event.kind], event.kind, event=index)


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """Of several claims on one tile the first in turn order wins."""
    source = wins[0].source or 0
    return [min(wins, key=lambda win: book.distance(source, win.seat))]


def next_round(book: Book) -> dict[str, int]:
    """A winning dealer deals again, up to three times; then the deal is rolled anew, which only the room can do."""
    if not book.wins:
        return {}
    if book.wins[0].seat == book.dealer and book.round.streak < 3:
        return {"dealer": book.dealer, "streak": book.round.streak + 1}
    return {"streak": 0}


PAYMENTS: Final = Payments(pay_win, next_round, nearest)
BONUSES: Final = (Bonus("kong_money", "杠钱", "kong", pay_kong),)
