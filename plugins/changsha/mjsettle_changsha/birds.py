"""Birds (扎鸟): whose they are, and by how much they multiply a payment (sheet section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.tiles import CODES, KIND_OF, NAMES

_TIMES: Final = {"twice": 2, "once": 1, "none": 0}


def bird_seats(ranks: Iterable[int], origin: int) -> list[int]:
    """The seats that ranks belong to, counted from the origin: 1 5 9 itself, 2 6 the next, 3 7, 4 8."""
    return [(origin + rank - 1) % 4 for rank in ranks]


def tile_ranks(names: Iterable[str]) -> list[int]:
    """The ranks of suited tiles."""
    return [KIND_OF[CODES[name]] % 9 + 1 for name in names]


def turned(book: Book, win: Win) -> list[int]:
    """The ranks of the birds of a win: those turned, or after a 海底 without any its own tile."""
    count = int(book.options.bird_count)
    birds: Sequence[str] = book.round.birds[:count]
    if count and not birds and "last_tile" in win.how:
        birds = [NAMES[win.tile]] * _TIMES[book.options.haidi_bird]
    return tile_ranks(birds)


def seats_of(book: Book, winner: int, ranks: Iterable[int]) -> list[int]:
    """The seats that the birds of a winner belong to."""
    return bird_seats(ranks, book.dealer if book.options.bird_origin == "dealer" else winner)


def factor(seats: Sequence[int], winner: int, payer: int) -> int:
    """2 for each bird on the winner and each on this payer, multiplied."""
    return 1 << (seats.count(winner) + seats.count(payer))
