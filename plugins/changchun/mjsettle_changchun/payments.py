"""Who pays whom in Changchun mahjong (sheet sections 1 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, Payments
from mjsettle.tiles import CODES, KIND_OF, parse_tiles
from mjsettle_changchun.legal import READY

UNSEEN: Final = "treasure_unseen"
DOUBLED: Final = frozenset(CODES[name] for name in ("1p", "1s", "5z", "6z", "7z"))
"""Kongs of these count twice (§1)."""


def fans_for(book: Book, win: Win, payer: int) -> int:
    """The fans of one payment: those of the hand, one for the dealer, one for a self-draw or for the discarder."""
    fans = win.total + (book.dealer in (payer, win.seat)) + (win.source is None or win.source == payer)
    return min(fans, int(book.options.cap))


def pay_win(book: Book, win: Win) -> None:
    """All three pay; a discarder that is not ready, or never saw the treasure, pays everybody's share (包庄, §5)."""
    liable = _liable(book, win)
    for payer in book.others(win.seat):
        pays = payer if liable is None else liable
        points = book.options.base * 2 ** fans_for(book, win, payer)
        book.pay(pays, win.seat, points, "win" if pays == payer else "win_liable", win=win)


def _liable(book: Book, win: Win) -> int | None:
    """The discarder that pays every share: because of its flags, or because the room says so."""
    if win.source is None:
        return None
    flags = book.player(win.source).flags
    named = win.event is not None and bool(win.event.liable)
    return win.source if named or READY not in flags or UNSEEN in flags else None


def kong_points(event: Event) -> int:
    """What each seat pays for a kong: 1 laid open, 2 concealed; twice for 一筒, 一条, 中, 发 and 白 (§1)."""
    concealed = event.kind == "concealed_kong" or event.style == "concealed"
    text = event.tile or event.tiles
    kinds = {KIND_OF[code] for code in parse_tiles(text)}
    return (2 if concealed else 1) * (2 if kinds and kinds <= DOUBLED else 1)


def pay_kong(book: Book, event: Event, index: int) -> None:
    """Kong money at once from each other seat; a robbed kong is void."""
    if index in book.robbed or event.seat is None:
        return
    for payer in book.others(event.seat):
        book.pay(payer, event.seat, book.options.base * kong_points(event), event.kind or "kong", event=index)


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """Of several claims on one tile the first in turn order wins."""
    source = wins[0].source or 0
    return [min(wins, key=lambda win: book.distance(source, win.seat))]


PAYMENTS: Final = Payments(pay_win, None, nearest)
BONUSES: Final = (Bonus("kong_money", "杠钱", "kong", pay_kong),)
