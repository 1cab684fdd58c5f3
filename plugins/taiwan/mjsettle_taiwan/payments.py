"""Who pays whom in Taiwanese mahjong (§3 to §5): base and tai, with the dealer part of each payer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import DRAGONS, WINDS
from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event, Meld
from mjsettle.rules import Bonus, Payments
from mjsettle.tiles import CODES, KIND_OF
from mjsettle_taiwan.table import flower_fans

EIGHT, SEVEN = "eight_immortals", "seven_rob_one"


def dealer_part(book: Book, seat: int, other: int) -> int:
    """莊家, 連莊 and 拉莊: tai between two seats, one of which deals; 0 between two others (§4)."""
    if book.dealer not in (seat, other):
        return 0
    streak = book.round.streak
    return {"2N+1": 2 * streak + 1, "N+1": streak + 1, "1": 1}[book.options.streak_formula]


def price(book: Book, tai: int, winner: int, payer: int, dealt: bool = True) -> int:
    """base + per_tai x (hand tai within the cap + dealer part): what one payer pays (§5)."""
    options = book.options
    capped = tai if options.cap is None else min(tai, int(options.cap))
    part = dealer_part(book, winner, payer) if dealt else 0
    return int(options.base) + int(options.per_tai) * (capped + part)


def pay_win(book: Book, win: Win) -> None:
    """A discard is paid by its discarder, a self-draw by all three, or for them by the liable seat."""
    dealt = not (book.options.no_dealer_tai and win.has("heavenly_hand"))
    payers = book.others(win.seat) if win.source is None else [win.source]
    liable = liable_seat(book, win)
    for payer in payers:
        pays = payer if liable is None else liable
        points = price(book, win.total, win.seat, payer, dealt)
        book.pay(pays, win.seat, points, "win" if pays == payer else "win_liable", win=win)


def liable_seat(book: Book, win: Win) -> int | None:
    """包牌: who pays the three shares of a self-draw: named by the room, or the feeder of the decisive meld (§5)."""
    if not book.options.liability or win.source is not None:
        return None
    if win.event is not None and win.event.liable:
        return win.event.liable[0].seat
    melds, in_order = book.player(win.seat).melds, book.options.melds_in_order
    for kinds, count in ((DRAGONS, 3), (WINDS, 4)):
        fed = [meld.from_ for meld in melds if kinds >> _kind(meld) & 1]
        if len(fed) == count:
            return _last(fed, in_order)
    fed = [meld.from_ for meld in melds if meld.kind != "concealed_kong"]
    return _last(fed, in_order) if len(fed) == 5 else None


def _last(feeders: Sequence[int | None], in_order: bool) -> int | None:
    """The last feeder; in an unknown order only when they agree."""
    return feeders[-1] if in_order or len(set(feeders)) == 1 else None


def _kind(meld: Meld) -> int:
    return KIND_OF[CODES[meld.tiles[0] + meld.tiles[-1]]]


def winners(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """攔胡: the nearest after the discarder; else all, except that a third winner may void the round (§1)."""
    options = book.options
    if options.multi_win == "head_bump":
        source = wins[0].source or 0
        return [min(wins, key=lambda win: book.distance(source, win.seat))]
    if options.multi_win == "double" and options.triple == "void" and len(wins) > 2:
        return []
    return wins


def flower_kind(event: Event) -> str:
    """Which win by flowers an event is: its `kind` says so, else whether it names the seat that was robbed."""
    return event.kind or (EIGHT if event.from_ is None else SEVEN)


def flower_win(book: Book, event: Event, index: int) -> None:
    """八仙過海 is paid by all, 七搶一 by the holder of the eighth flower: as a win, or as tai alone (§3)."""
    if event.seat is None:
        return
    fan = flower_fans(book.options)[flower_kind(event)]
    tai = fan.value if isinstance(fan.value, int) else 0
    payers = book.others(event.seat) if event.from_ is None else [event.from_]
    if book.options.flower_win_mode == "bonus":
        for payer in payers:
            book.pay(payer, event.seat, int(book.options.per_tai) * tai, "flower_bonus", event=index)
        return
    tile = CODES[event.tile] if event.tile is not None else -1
    win = Win(event.seat, tile, event.from_, frozenset(), index, event, granted=((fan, 1, tai),))
    win.report["form"] = "flowers"
    for payer in payers:
        book.pay(payer, win.seat, price(book, tai, win.seat, payer), "flower_win", win=win)
    book.wins.append(win)


def false_win(book: Book, event: Event, index: int) -> None:
    """詐胡: the offender pays each seat base and dealer part, with the tai that the table adds (§5)."""
    if event.seat is None:
        return
    for seat in book.others(event.seat):
        points = price(book, int(book.options.false_win_tai), seat, event.seat)
        book.pay(event.seat, seat, points, "false_win", event=index)


def next_round(book: Book) -> dict[str, int]:
    """The dealer repeats on its own win, and after a round without a winner as the switch says (§4)."""
    keeps = book.dealer in book.won if book.wins else book.options.draw_keeps_dealer
    if keeps:
        return {"dealer": book.dealer, "streak": book.round.streak + 1}
    return {"dealer": (book.dealer + 1) % len(book.seats), "streak": 0}


PAYMENTS: Final = Payments(pay_win, next_round, winners)
BONUSES: Final = (
    Bonus("flower_win", "花胡", "flower_win", flower_win),
    Bonus("false_win", "詐胡", "false_win", false_win),
)
