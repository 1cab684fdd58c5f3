"""Who pays whom (sheet sections 4 to 7). Every payment is reckoned and multiplied by itself."""

from __future__ import annotations

from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.options import Options
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, Payments
from mjsettle.tiles import parse_tiles
from mjsettle_changsha.birds import factor, seats_of, turned
from mjsettle_changsha.kongs import joins, one_win_each
from mjsettle_changsha.opening import BY_NAME, shown_by


def base_points(options: Options, big: int, dealer_related: bool) -> int:
    """What one payer owes before birds, for so many big wins (0: a small one) (§4)."""
    if options.big_max is not None:
        big = min(big, options.big_max)
    if options.no_dealer:
        return int(options.big) * big if big else int(options.small)
    return (7 if dealer_related else 6) * big if big else (2 if dealer_related else 1)


def pay_win(book: Book, win: Win) -> None:
    """A win: all seats pay a self-draw, else the seat that the tile came from; each bird doubles."""
    seats = seats_of(book, win.seat, turned(book, win))
    win.report["bird_seats"] = seats
    for payer in book.others(win.seat) if win.source is None else [win.source]:
        points = base_points(book.options, win.total, book.dealer in (payer, win.seat))
        book.pay(payer, win.seat, points * factor(seats, win.seat, payer), "win", win=win)


def pay_opening(book: Book, event: Event, index: int) -> None:
    """起手胡: every other seat pays as for a small self-draw, doubled by the dice that the seat has rolled (§5)."""
    assert event.seat is not None
    kinds = kinds_of(event, book.options)
    times = len(kinds) if book.options.opening_each_type else min(1, len(kinds))
    dice = event.extra.get("dice", ()) if book.options.bird_count else ()
    seats = seats_of(book, event.seat, dice)
    for payer in book.others(event.seat):
        points = base_points(book.options, 0, book.dealer in (payer, event.seat)) * factor(seats, event.seat, payer)
        for _ in range(times):
            book.pay(payer, event.seat, points, "opening", event=index)
    book.report.setdefault("openings", []).append({"seat": event.seat, "kinds": kinds, "bird_seats": seats})


def kinds_of(event: Event, options: Options) -> list[str]:
    """The ids of the kinds that an opening event claims; where it lists only tiles, all that they show."""
    if event.kinds:
        return list(dict.fromkeys(BY_NAME[name].id for name in event.kinds))
    return [kind.id for kind in shown_by(parse_tiles(event.tiles), options)]


def next_round(book: Book) -> dict[str, int] | None:
    """The winner deals, after several winners of one discard its discarder; in a drawn round the seat that took the
    last tile or whose turn it was, which the draw names; None where it names none (§7)."""
    after: int | None = None
    if book.wins:
        source = book.wins[0].source
        after = book.wins[0].seat if len(book.wins) == 1 or source is None else source
    for _, event in book.events("exhaustive_draw"):
        after = event.seat
    if after is None:
        return None
    return {"dealer": after, "streak": book.round.streak + 1 if after == book.dealer else 0}


PAYMENTS: Final = Payments(pay_win, next_round, one_win_each, joins=joins)
BONUSES: Final = (Bonus("opening", "起手胡", "opening", pay_opening),)
