"""Who pays whom (sheet sections 3, 5 and 7). All amounts are per payer."""

from __future__ import annotations

from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event
from mjsettle.rules import EndOfRound, Payments
from mjsettle_hongzhong.birds import hit_points


def pay_win(book: Book, win: Win) -> None:
    """One win: a share of each seat that owes one, with the birds and 庄闲; a robbed seat pays them all."""
    options = book.options
    share, birds = win.judged.score, hit_points(book, win)
    for seat in _owing(book, win):
        payer = seat if win.source is None else win.source
        dealer = 1 if options.zhuangxian and _dealer_share(book, win, seat) else 0
        book.pay(payer, win.seat, options.base * share, "win" if payer == seat else "win_liable", win=win)
        book.pay(payer, win.seat, options.base * dealer, "dealer", win=win)
        book.pay(payer, win.seat, options.base * birds, "birds", win=win)


def _owing(book: Book, win: Win) -> list[int]:
    """The seats whose shares are due: all on a self-draw and, with 抢杠全包, on a robbed kong."""
    if win.source is None or ("rob_kong" in win.how and book.options.rob_pays_all):
        return book.others(win.seat)
    return [win.source]


def _dealer_share(book: Book, win: Win, seat: int) -> bool:
    """Whether 庄闲 adds to the share of this seat: the dealer has won, or it is the dealer's share."""
    if book.options.zhuangxian_scope == "full":
        return book.dealer in (win.seat, seat)
    return (win.seat == book.dealer and win.source is None) or win.source == book.dealer


def kong_points(book: Book, event: Event, index: int) -> int:
    """What a kong is worth: the feeder's payment for a direct one, each seat's for the others; 0 when void (§3)."""
    late = event.delayed and event.kind == "added_kong" and not book.options.delayed_kong
    if index in book.robbed or late or event.tile == "7z":
        return 0
    return {"kong": int(book.options.zhigang), "added_kong": 1, "concealed_kong": 2}[event.kind or ""]


def pay_kongs(book: Book) -> None:
    """Everybody's kongs, whoever has won; in a drawn round only with 流局算杠 (§3)."""
    if not book.wins and not book.options.gang_on_draw:
        return
    for index, event in book.events("kong"):
        assert event.seat is not None
        points = book.options.base * kong_points(book, event, index)
        payers = [event.from_] if event.kind == "kong" and event.from_ is not None else book.others(event.seat)
        for payer in payers:
            book.pay(payer, event.seat, points, event.kind or "kong", event=index)


def next_round(book: Book) -> dict[str, int]:
    """The winner deals; after several wins on one tile the seat it came from; after a draw the same dealer (§7)."""
    wins, dealer = book.wins, book.dealer
    if wins:
        source = wins[0].source
        dealer = wins[0].seat if len(wins) == 1 or source is None else source
    return {"dealer": dealer, "streak": book.round.streak + 1 if dealer == book.dealer else 0}


PAYMENTS: Final = Payments(pay_win, next_round)
END_OF_ROUND: Final = (EndOfRound("kongs", "杠钱", pay_kongs),)
