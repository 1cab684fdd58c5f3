"""Who pays whom in Guobiao mahjong (sheet section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.results import concealed_sets
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, Payments
from mjsettle.tiles import format_tiles, parse_tiles
from mjsettle.wait_masks import kinds_in
from mjsettle_guobiao.knitted import BODY_OF

# 错和: below the minimum, or the wrong tile; 诈和: not even ready.
FALSE_WINS: Final = {"错和": 10, "诈和": 20, "below_minimum": 10, "wrong_tile": 10, "not_ready": 20}


def pay_win(book: Book, win: Win) -> None:
    """Base and fans from every seat on a self-draw, else from the discarder or robbed seat; the others pay the base.

    A seat that wins on the same tile pays the other winners nothing.
    """
    options = book.options
    for payer in book.others(win.seat):
        if win.source is None:
            points = options.base + win.total
        elif payer == win.source:
            points = options.base + win.total * options.discarder_fan_factor
        else:
            points = options.base
        if payer == win.source or not _wins_too(book, win, payer):
            book.pay(payer, win.seat, points, "win", win=win)
    if win.judged.form == "knitted_straight":
        win.report["sets"] = _sets(book, win)


def _wins_too(book: Book, win: Win, seat: int) -> bool:
    """Whether another seat's claim on the same tile is paid as well."""
    if win.source is None or not book.options.multiple_winners:
        return False
    return any(event.seat == seat and event.from_ == win.source for _, event in book.events("win"))


def _sets(book: Book, win: Win) -> list[str]:
    """The knitted tiles, suit by suit, and the set beside them."""
    row = win.judged.row
    body = [format_tiles(kinds_in(BODY_OF[row.shape] & 0x1FF << shift)) for shift in (0, 9, 18)]
    return body + concealed_sets(row) + [format_tiles(parse_tiles(meld.tiles)) for meld in book.player(win.seat).melds]


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """截和: of several claims on one tile the first after the discarder in turn order (sheet section 3)."""
    source = wins[0].source
    if book.options.multiple_winners or source is None:
        return wins
    return [min(wins, key=lambda win: book.distance(source, win.seat))]


def pay_false_win(book: Book, event: Event, index: int) -> None:
    """错和 and 诈和: the offender pays each of the others."""
    if event.seat is None or event.kind is None:
        return
    points = book.options.false_win_penalty
    if points is None:
        points = FALSE_WINS[event.kind]
    for seat in book.others(event.seat):
        book.pay(event.seat, seat, points, "false_win", event=index)


def next_round(book: Book) -> dict[str, int]:
    """The deal passes after every hand."""
    return {"dealer": (book.dealer + 1) % len(book.seats), "streak": 0}


PAYMENTS: Final = Payments(pay_win, next_round, nearest)
BONUSES: Final = (Bonus("false_win", "错和", "false_win", pay_false_win),)
