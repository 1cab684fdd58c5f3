"""Horses (马): whose they are, how often they hit, and the horses that seats buy (sheet section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.options import Options
from mjsettle.tiles import CODES, FIRST_FLOWER, FIRST_HONOUR, KIND_OF
from mjsettle_guangdong.wilds import wild_kinds

# Seats after the dealer that the honours belong to, east to red; ranks go by (rank - 1) % 4.
_HONOUR_SEATS: Final = {"default": (0, 1, 2, 3, 3, 2, 1), "guogeer": (0, 1, 2, 3, 2, 1, 0)}
_WIN_MONEY: Final = frozenset({"win", "win_liable", "streak", "birds"})


def horse_seat(name: str, wild: frozenset[int], horse_map: str) -> int | None:
    """How many seats after the dealer a horse belongs, 0..3; None for a wild tile or a flower, which is nobody's."""
    kind = KIND_OF[CODES[name]]
    if kind in wild or kind >= FIRST_FLOWER:
        return None
    return kind % 9 % 4 if kind < FIRST_HONOUR else _HONOUR_SEATS[horse_map][kind - FIRST_HONOUR]


def horse_hits(horses: Sequence[str], winner_after_dealer: int, wild: frozenset[int], horse_map: str) -> int:
    """How many horses belong to the winner, who sits so many seats after the dealer."""
    return sum(horse_seat(name, wild, horse_map) == winner_after_dealer for name in horses)


def one_horse(horse: str, wild: frozenset[int]) -> int:
    """一马全中: the horse hits as often as its rank, an honour ten times, a wild tile or a flower never."""
    kind = KIND_OF[CODES[horse]]
    if kind in wild or kind >= FIRST_FLOWER:
        return 0
    return kind % 9 + 1 if kind < FIRST_HONOUR else 10


def turns_horses(options: Options, self_draw: bool) -> bool:
    """Whether a win turns horses: under the rulebook a self-draw alone does (§8)."""
    return options.score != "mil" or self_draw


def horse_count(options: Options, streak: int) -> int:
    """How many horses are turned for a winner with so many earlier wins in a row: 买马节节高 adds two for each."""
    count = int(options.horses)
    return count + 2 * streak if count and options.horses_jiejiegao else count


def hits_of(book: Book, win: Win) -> int:
    """How many horses hit for this win."""
    options, turned = book.options, book.round.birds
    if not turned or not turns_horses(options, win.self_draw):
        return 0
    wild = wild_kinds(book.round, options)
    if options.one_horse_all:
        return one_horse(turned[0], wild)
    count = horse_count(options, book.round.streak if win.seat == book.dealer else 0)
    horses = turned[:count]
    if options.short_wall == "repeat":
        horses = horses + turned[-1:] * (count - len(horses))
    return horse_hits(horses, book.seat_wind(win.seat), wild, options.horse_map)


def bought_horses(book: Book) -> None:
    """买马/罚马 (潮汕): a bought horse mirrors what the win brought or cost the seat that it belongs to.

    The buyer and that seat settle it between them; a horse of the buyer's own seat, of a seat nobody sits on, or a
    wild one is worth nothing.
    """
    if not book.options.maima:
        return
    gained = dict.fromkeys(book.seats, 0)
    for entry in book.entries:
        if entry.why in _WIN_MONEY:
            gained[entry.payer] -= entry.points
            gained[entry.receiver] += entry.points
    wild = wild_kinds(book.round, book.options)
    for buyer in book.seats:
        for name in book.player(buyer).extra.get("bought", ()):
            after_dealer = horse_seat(name, wild, book.options.horse_map)
            if after_dealer is None or after_dealer >= len(book.seats):
                continue
            seat = (book.dealer + after_dealer) % len(book.seats)
            book.pay(seat, buyer, gained[seat], "bought_horse")
