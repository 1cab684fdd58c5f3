"""Who is liable (包) for a win: the feeder of the tile that decided it (sheet section 4).

Where the room does not name the liable seat, it is found from the melds, which are listed in the order they were made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import DRAGONS, WINDS
from mjsettle.ledger import Book, Win
from mjsettle.rounds import Meld
from mjsettle.tiles import CODES, KIND_OF

_FLUSHES: Final = ("half_flush", "full_flush")


def liable_seat(book: Book, win: Win) -> int | None:
    """The seat that pays every share of this win, None when everybody pays as usual."""
    options = book.options
    named = win.event.liable if win.event is not None else []
    if not win.self_draw and options.payment == "full":
        return None  # the discarder pays everything as it is
    if named:
        return named[0].seat
    if win.self_draw and options.kong_feeder_pays and win.how & {"kong_draw", "kong_on_kong"}:
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
    return kongs[-1].from_ if kongs and kongs[-1].kind == "kong" else None


def meld_feeder(book: Book, win: Win) -> int | None:
    """The feeder of the third dragon meld, the fourth wind meld, the fourth kong, or the last meld of a suit."""
    melds = book.player(win.seat).melds
    for kinds, count in ((DRAGONS, 3), (WINDS, 4)):
        sets = [meld for meld in melds if kinds >> _kind(meld) & 1]
        if len(sets) == count:
            return sets[-1].from_
    if sum(meld.kind.endswith("kong") for meld in melds) == 4:
        return last_kong(book, win)
    if any(win.has(flush) for flush in _FLUSHES):
        return _suit_feeder(melds, int(book.options.pao_melds))
    return None


def _suit_feeder(melds: Sequence[Meld], count: int) -> int | None:
    """十二章/九章: the feeder of meld number `count`, when those before it are claimed melds of one suit."""
    claimed = [meld for meld in melds if meld.kind != "concealed_kong"]
    if len(claimed) < count:
        return None
    suits = {_kind(meld) // 9 for meld in claimed[: count - 1]}
    return claimed[count - 1].from_ if len(suits) == 1 and suits != {3} else None


def _kind(meld: Meld) -> int:
    """The lowest kind of a meld."""
    suit = meld.tiles[-1]
    return min(KIND_OF[CODES[digit + suit]] for digit in meld.tiles[:-1])
