"""Wins, kong money and its transfer (sheet sections 4 to 7). All amounts are per payer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.balances import Due, pay_together, purse_of
from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, Payments
from mjsettle_sichuan.table import active, drawn_points, feeder, give_up, kongs_of, nearest, points, roots_of

KONG_MONEY: Final = {"kong": 2, "added_kong": 1, "concealed_kong": 2}
"""Bases that each payer of a kong owes (§6)."""

FIRST: Final = "first_winners"


def pay_win(book: Book, win: Win) -> None:
    """A win alone on its tile."""
    pay_wins(book, [win])


def pay_wins(book: Book, wins: Sequence[Win]) -> None:
    """The winners of one tile: each settles with the same payer for itself, then kong money moves (§5, §6)."""
    if not book.wins:
        book.memory[FIRST] = [win.seat for win in wins]
    dues = [due for win in wins for due in win_dues(book, win)]
    pay_together(book, dues + transfer_dues(book, wins))


def win_dues(book: Book, win: Win) -> list[Due]:
    """Who owes what for one win (§5)."""
    options = book.options
    roots = roots_of(options, win)
    paid_by = win.source if win.source is not None else _feeder_who_pays(book, win)
    if paid_by is not None:
        owed = {paid_by: points(options, win.total, roots)}
    else:
        no_bonus = "first_turn" in win.how and not options.tianhu_zimo
        each = (points if no_bonus else drawn_points)(options, win.total, roots)
        owed = {seat: each for seat in active(book) if seat != win.seat}
    limit = _most_from_each(book, win.seat)
    return [Due(seat, win.seat, each, "win", win=win, limit=limit) for seat, each in owed.items()]


def _feeder_who_pays(book: Book, win: Win) -> int | None:
    return feeder(book.round, win) if book.options.dian_gang_hua == "dianpao" else None


def _most_from_each(book: Book, winner: int) -> int | None:
    """赢不超本金: the more of what the winner had at the start and has now."""
    start = book.player(winner).balance
    if not book.options.balance_limit or start is None:
        return None
    return max(start, purse_of(book, winner) or 0)


# ---- kong money 刮风下雨 ------------------------------------------------------------------------------------------


def pay_kong(book: Book, event: Event, index: int) -> None:
    """Kong money at once, from the feeder of a direct kong or from every seat still in; a robbed kong is void (§6)."""
    late = event.delayed and event.kind == "added_kong" and not book.options.delayed_kong
    if index in book.robbed or late or event.seat is None or event.kind is None:
        return
    payers = [event.from_] if event.kind == "kong" else active(book)
    each = book.options.base * KONG_MONEY[event.kind]
    pay_together(
        book,
        [
            Due(payer, event.seat, each, event.kind, event=index)
            for payer in payers
            if payer is not None and payer != event.seat
        ],
    )


def kong_entries(book: Book, seat: int, kongs: Sequence[int]) -> list[int]:
    """The numbers of the entries by which these kongs paid the seat, as far as nothing has undone them yet."""
    undone = {entry.undoes for entry in book.entries}
    return [
        number
        for number, entry in enumerate(book.entries)
        if entry.event in kongs and entry.receiver == seat and entry.why in KONG_MONEY and number not in undone
    ]


def transfer_dues(book: Book, wins: Sequence[Win]) -> list[Due]:
    """呼叫转移: what a konger hands over whose next discard is won (§6).

    Transferred, each winner receives the kong's whole income: the first in turn order the payers' own money, the others
    as much out of the konger's pocket. Refunded, the payers get back what they paid.
    """
    options = book.options
    takers = [win for win in wins if "kong_discard" in win.how and win.source is not None]
    if not takers or options.call_transfer == "none":
        return []
    konger, at = takers[0].source, takers[0].index
    if konger is None or at is None or (options.call_transfer_ready_only and not _konger_ready(takers)):
        return []
    kongs = kongs_of(book.round, konger, at)
    entries = kong_entries(book, konger, kongs if options.call_transfer_kongs == "all" else kongs[-1:])
    if options.call_transfer == "refund":
        return [
            Due(konger, book.entries[number].payer, book.entries[number].points, "call_refund", at, undoes=number)
            for number in entries
        ]
    takers.sort(key=lambda win: book.distance(konger, win.seat))
    return [
        Due(
            konger,
            win.seat,
            book.entries[number].points,
            "call_transfer",
            win.index,
            undoes=number if win is takers[0] else None,
        )
        for win in takers
        for number in entries
    ]


def _konger_ready(wins: Sequence[Win]) -> bool:
    return any(win.event is not None and bool(win.event.extra.get("konger_ready")) for win in wins)


# ---- the next round ----------------------------------------------------------------------------------------------


def next_round(book: Book) -> dict[str, int]:
    """The first winner deals; if several won the first tile, its discarder; nobody won: the same dealer (§7)."""
    dealer = book.dealer
    if book.wins:
        first = book.wins[0]
        several = len(book.memory[FIRST]) > 1
        dealer = first.source if several and first.source is not None else first.seat
    return {"dealer": dealer, "streak": book.round.streak + 1 if dealer == book.dealer else 0}


PAYMENTS: Final = Payments(pay_win, next_round, nearest, pay_wins)
BONUSES: Final = (
    Bonus("kong_money", "刮风下雨", "kong", pay_kong),
    Bonus("give_up", "认输", "give_up", give_up),
)
