"""Who is liable (包) for a win: the feeder of the tile that decided it (§4).

The room may name the liable seat. Else it is found from the kong events and the melds, as far as they tell: where the
melds are not known to be in the order they were made, only when every meld that may have been the last has one feeder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import DRAGONS, WINDS
from mjsettle.ledger import Book, Win
from mjsettle.rounds import Meld
from mjsettle.tiles import CODES, KIND_OF

_FLUSHES: Final = ("half_flush", "full_flush")
_HONOURS: Final = 3


def liable_seat(book: Book, win: Win) -> int | None:
    """The seat that pays every share of this win, None when everybody pays as usual."""
    options = book.options
    if not win.self_draw and options.payment == "full":
        return None  # the discarder pays everything as it is
    if win.event is not None and win.event.liable:
        return win.event.liable[0].seat
    if options.kong_feeder_pays and "kong_draw" in win.how and "flower_draw" not in win.how:
        fed = last_kong(book, win)
        if fed is not None:
            return fed
    if options.pao and (win.self_draw or options.pao_discard):
        return meld_feeder(book, win)
    return None


def last_kong(book: Book, win: Win) -> int | None:
    """The feeder of the winner's last kong, None where it was not fed. The events tell, else the melds."""
    events = [event for index, event in book.events("kong") if event.seat == win.seat and index < (win.index or 0)]
    if events:
        return events[-1].from_ if events[-1].kind == "kong" else None
    kongs = [meld for meld in book.player(win.seat).melds if meld.kind.endswith("kong")]
    fed = [meld.from_ if meld.kind == "kong" else None for meld in kongs]
    return _last(fed, book.options.melds_in_order)


def meld_feeder(book: Book, win: Win) -> int | None:
    """The feeder of the third dragon meld, the fourth wind meld, the fourth kong, or the last meld of a suit."""
    melds, in_order = book.player(win.seat).melds, book.options.melds_in_order
    for kinds, count in ((DRAGONS, 3), (WINDS, 4)):
        fed = [meld.from_ for meld in melds if kinds >> _kind(meld) & 1]
        if len(fed) == count and (feeder := _last(fed, in_order)) is not None:
            return feeder
    if sum(meld.kind.endswith("kong") for meld in melds) == 4:
        return last_kong(book, win)
    if any(win.has(flush) for flush in _FLUSHES):
        return _suit_feeder(melds, int(book.options.pao_melds), in_order)
    return None


def _suit_feeder(melds: Sequence[Meld], count: int, in_order: bool) -> int | None:
    """十二章/九章: the feeder of meld number `count`, when those before it are claimed melds of one suit."""
    claimed = [meld for meld in melds if meld.kind != "concealed_kong"]
    if len(claimed) < count:
        return None
    # In any order, the melds before the last are of one suit only when all of them are.
    decisive, before = (claimed[:count], claimed[: count - 1]) if in_order else (claimed, claimed)
    suits = {_kind(meld) // 9 for meld in before}
    if len(suits) > 1 or _HONOURS in suits:
        return None
    return _last([meld.from_ for meld in decisive], in_order)


def _last(feeders: Sequence[int | None], in_order: bool) -> int | None:
    """The last feeder; in an unknown order only when they agree."""
    if not feeders or (not in_order and len(set(feeders)) > 1):
        return None
    return feeders[-1]


def _kind(meld: Meld) -> int:
    """The lowest kind of a meld."""
    suit = meld.tiles[-1]
    return min(KIND_OF[CODES[digit + suit]] for digit in meld.tiles[:-1])
