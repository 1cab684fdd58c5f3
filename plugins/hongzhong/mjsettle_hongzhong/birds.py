"""Birds (扎鸟, 抓码): which of the turned tiles hit (sheet section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.tiles import CODES, FIRST_FLOWER, FIRST_HONOUR, KIND_OF

ZHONG: Final = CODES["7z"]
_EAST: Final = CODES["1z"]


def value_hits(birds: Sequence[str]) -> int:
    """1, 5, 9 and 红中 hit for whoever wins; so does 东 where honours are in play."""
    return sum(_hits(KIND_OF[CODES[name]]) for name in birds)


def _hits(kind: int) -> bool:
    return kind in (ZHONG, _EAST) or (kind < FIRST_HONOUR and kind % 9 + 1 in (1, 5, 9))


def seat_hits(birds: Sequence[str], winner_after_dealer: int) -> int:
    """The birds of the seat that sits so many seats after the dealer: 1 5 9, 2 6, 3 7, 4 8. A 红中 always hits."""
    kinds = [KIND_OF[CODES[name]] for name in birds]
    return sum(kind == ZHONG or (kind < FIRST_HONOUR and kind % 9 % 4 == winner_after_dealer) for kind in kinds)


def one_bird(name: str) -> int:
    """一鸟全中: the bird hits as often as its rank, a 红中 (and any honour) ten times."""
    kind = KIND_OF[CODES[name]]
    return 0 if kind >= FIRST_FLOWER else 10 if kind >= FIRST_HONOUR else kind % 9 + 1


def hit_points(book: Book, win: Win) -> int:
    """What the birds add to each share of a win."""
    options = book.options
    due = options.bird_count
    if options.no_zhong_birds and not holds_zhong(book, win):
        due += options.no_zhong_birds
    birds = book.round.birds[:due]
    if options.one_bird_all:
        return one_bird(birds[0]) if birds else 0
    hits = value_hits(birds) if options.bird_map == "value" else seat_hits(birds, book.seat_wind(win.seat))
    return hits * int(options.bird_value)


def holds_zhong(book: Book, win: Win) -> bool:
    """Whether a 红中 is in the whole winning hand, melds included."""
    hand = win.judged.hand
    return hand.columns["wilds"] > 0 or bool(hand.columns["meld1"] >> ZHONG & 1)
