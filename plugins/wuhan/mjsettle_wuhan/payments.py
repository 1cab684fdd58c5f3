"""Who pays whom in Wuhan mahjong (sheet sections 4 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rules import EndOfRound, Payments
from mjsettle.tiles import KIND_OF, parse_tiles
from mjsettle_wuhan.factors import capped, has_opened, laid_by, product
from mjsettle_wuhan.points import dealer_factor, plain_amount
from mjsettle_wuhan.tiles import barred_kinds


def amounts(book: Book, win: Win) -> dict[int, int]:
    """What each of the other seats owes, within the cap (§4, §5). All three pay, on a discard too."""
    options = book.options
    big = sum(times for fan, times, value in win.judged.counted if fan.id != "small_win" and value)
    own = product(laid_by(book.round, win.seat, options), options)
    seats = book.others(win.seat)
    raw = []
    for payer in seats:
        other = product(laid_by(book.round, payer, options), options)
        feeds = int(payer == win.source)
        plain = plain_amount(options, big, win.has("hard_win"), int(win.self_draw), own, other, feeds)
        raw.append(int(plain * dealer_factor(options, big, book.dealer in (payer, win.seat))))
    return dict(zip(seats, capped(raw, options), strict=True))


def pay_win(book: Book, win: Win) -> None:
    """Every payer's amount, or all of them from the liable seat."""
    win.report["hard"] = bool(win.has("hard_win"))
    liable = liable_seat(book, win)
    stake = _stake(book, win.seat)
    for payer, points in amounts(book, win).items():
        pays = payer if liable is None else liable
        book.pay(pays, win.seat, book.options.base * points, "win" if pays == payer else "win_liable", win=win)
        book.pay(pays, win.seat, book.options.base * (stake + _stake(book, payer)), "piao", win=win)


def _stake(book: Book, seat: int) -> int:
    return int(book.player(seat).extra.get("piao", 0)) if book.options.piao else 0


def liable_seat(book: Book, win: Win) -> int | None:
    """The one seat that pays everything, if there is one (§5).

    The seat that the room has decided; else the robbed one; else the discarder of 全求人 who is not ready (a seat whose
    hand is not known counts as ready); else the feeder of the third opening of 清一色.
    """
    options = book.options
    if win.event is not None and win.event.liable:
        return win.event.liable[0].seat
    if "rob_kong" in win.how and "rob_kong" in options.liability:
        return win.source
    if win.source is not None and win.has("all_claimed") and "all_claimed" in options.liability:
        known = book.player(win.source).hand is not None
        if known and not is_ready(book, win.source):
            return win.source
    if "full_flush" in options.liability and (options.liability_win == "any" or win.has("full_flush")):
        return _feeder(book, win.seat)
    return None


def _feeder(book: Book, seat: int) -> int | None:
    """Who fed the opening that makes its feeder liable; melds are listed in the order in which they were laid."""
    openings = [meld for meld in book.player(seat).melds if meld.kind != "concealed_kong"]
    at = int(book.options.liability_opening)
    if len(openings) < at:
        return None
    decisive = openings[at - 1]
    if decisive.kind == "chow" and decisive.from_ is None:
        return book.others(seat)[-1]  # chows come from the seat before
    return decisive.from_


def is_ready(book: Book, seat: int) -> bool:
    """Whether some tile would complete a legal win by self-draw; 起胡 is not asked for."""
    player = book.player(seat)
    codes = parse_tiles(player.hand or "") + [code for meld in player.melds for code in parse_tiles(meld.tiles)]
    held = [KIND_OF[code] for code in codes]
    barred = barred_kinds(book.round, book.options)
    return any(
        book.judge(Win(seat, kind, None, frozenset(), None)) is not None
        for kind in range(34)
        if kind not in barred and held.count(kind) < 4
    )


def ready_check(book: Book) -> None:
    """查大叫: each seat that is not ready pays each ready one by their products, twice when it never opened (§6)."""
    if book.wins or not any(True for _ in book.events("exhaustive_draw")):
        return
    ready = [seat for seat in book.seats if is_ready(book, seat)]
    for payer in book.seats:
        if payer in ready:
            continue
        factor = 1 if has_opened(book.round, payer) else 2
        factor *= product(laid_by(book.round, payer, book.options), book.options)
        for seat in ready:
            own = product(laid_by(book.round, seat, book.options), book.options)
            book.pay(payer, seat, book.options.base * own * factor, "not_ready")


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """一炮单响: of several winners of one tile the first in turn order (§5)."""
    source = wins[0].source
    return wins if source is None else [min(wins, key=lambda win: book.distance(source, win.seat))]


def next_round(book: Book) -> dict[str, int]:
    """The winner deals; after a drawn round the dealer stays."""
    dealer = book.wins[0].seat if book.wins else book.dealer
    return {"dealer": dealer, "streak": book.round.streak + 1 if dealer == book.dealer else 0}


PAYMENTS: Final = Payments(pay_win, next_round, nearest)
END_OF_ROUND: Final = (EndOfRound("ready_check", "查大叫", ready_check),)
