"""Who pays whom in Guangdong mahjong (sheet sections 4 to 9). All amounts are per payer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, EndOfRound, Payments
from mjsettle_guangdong.horses import bought_horses, hits_of


def pay_win(book: Book, win: Win) -> None:
    """One win: the share of each payer, the dealer's streak and the horses, and who pays for all."""
    options = book.options
    share = win.judged.score
    hits = hits_of(book, win)
    per_hit = share if options.ma_gen_difen else options.horse_value
    if options.ma_gen_gang:
        per_hit += sum(kong_points(book, event, at) for at, event in book.events("kong") if event.seat == win.seat)
    streak = 2 * book.round.streak if options.jiejiegao and win.seat == book.dealer else 0
    liable = liable_seat(book, win)
    for payer in _payers(book, win):
        factor = 2 if options.dealer_double and book.dealer in (payer, win.seat) else 1
        pays = payer if liable is None else liable
        book.pay(pays, win.seat, options.base * share * factor, "win" if pays == payer else "win_liable", win=win)
        book.pay(pays, win.seat, options.base * streak, "streak", win=win)
        book.pay(pays, win.seat, options.base * hits * per_hit, "birds", win=win)


def _payers(book: Book, win: Win) -> list[int]:
    """The seats whose shares are due: all on a self-draw and, with 抢杠全包, on a robbed kong."""
    if win.source is None or ("rob_kong" in win.how and book.options.qianggang_quanbao):
        return book.others(win.seat)
    return [win.source]


def liable_seat(book: Book, win: Win) -> int | None:
    """The one seat that pays every share that is due, if there is one (§6).

    The seat that the room has decided, else the source of the tile, else with 杠爆全包 the feeder of the direct kong
    whose replacement tile won.
    """
    if win.event is not None and win.event.liable:
        return win.event.liable[0].seat
    if win.source is not None:
        return win.source
    if not book.options.gangbao or "kong_draw" not in win.how:
        return None
    kongs = _chain(book, win)
    kind, feeder = kongs[0 if book.options.gangbao_link == "first" else -1] if kongs else ("", None)
    return feeder if kind == "kong" else None


def _chain(book: Book, win: Win) -> Sequence[tuple[str | None, int | None]]:
    """The kongs, as (kind, feeder), that followed each other up to the win.

    They are the winner's last kong, and with `kong_on_kong` also those before it that no other event parts from it.
    Where the round lists no kong event of the winner, the kongs among its melds stand for them; their order is not
    known, so that they tell something only when they are alike.
    """
    chained = "kong_on_kong" in win.how
    before = book.round.events[: win.index]
    own = [at for at, event in enumerate(before) if event.type == "kong" and event.seat == win.seat]
    if not own:
        alike = {(meld.kind, meld.from_) for meld in book.player(win.seat).melds if meld.kind.endswith("kong")}
        return list(alike) if len(alike) == 1 else []
    first = len(own) - 1
    while chained and first and own[first - 1] == own[first] - 1:
        first -= 1
    return [(before[at].kind, before[at].from_) for at in own[first:]]


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """截和: of several winners of one tile the first in turn order, where the switch says so (§8)."""
    source = wins[0].source
    if book.options.multi_ron == "all" or source is None:
        return wins
    return [min(wins, key=lambda win: book.distance(source, win.seat))]


def follow_dealer(book: Book, event: Event, index: int) -> None:
    """The dealer pays 1 to each seat, whatever the outcome (§6)."""
    if book.options.genzhuang:
        for seat in book.others(book.dealer):
            book.pay(book.dealer, seat, book.options.base, "follow_dealer", event=index)


def kong_points(book: Book, event: Event, index: int) -> int:
    """What a kong is worth: the feeder's payment for a direct one, each seat's for the others; 0 when void (§6)."""
    if index in book.robbed or (event.delayed and event.kind == "added_kong" and not book.options.delayed_kong):
        return 0
    return {"kong": int(book.options.zhigang), "added_kong": 1, "concealed_kong": 2}[event.kind or ""]


def pay_kongs(book: Book) -> None:
    """Kong money, counted at the end: only when somebody has won, or with 流局算杠 in a drawn round too (§6)."""
    if not book.wins and not book.options.liuju_gang:
        return
    # 杠爆 with the scope "all": the liable seat pays for the winner's kongs as well.
    pays_all = {win.seat: liable_seat(book, win) for win in book.wins if win.self_draw}
    for index, event in book.events("kong"):
        if event.seat is None:
            continue
        liable = pays_all.get(event.seat) if book.options.gangbao_scope == "all" else None
        points = book.options.base * kong_points(book, event, index)
        payers = book.others(event.seat) if event.from_ is None or event.kind != "kong" else [event.from_]
        for payer in payers:
            book.pay(payer if liable is None else liable, event.seat, points, event.kind or "kong", event=index)


def next_round(book: Book) -> dict[str, int]:
    """The winner deals; several winners of one discard: the discarder; a draw: the same dealer or the next (§9).

    The streak counts the dealer's wins in a row, so a drawn round ends it.
    """
    dealer, wins = book.dealer, book.wins
    if not wins:
        return {"dealer": dealer if book.options.draw_dealer == "same" else book.others(dealer)[0], "streak": 0}
    source = wins[0].source
    after = wins[0].seat if len(wins) == 1 or source is None else source
    return {"dealer": after, "streak": book.round.streak + 1 if dealer in book.won and after == dealer else 0}


PAYMENTS: Final = Payments(pay_win, next_round, nearest)
BONUSES: Final = (Bonus("follow_dealer", "跟庄", "follow_dealer", follow_dealer),)
END_OF_ROUND: Final = (
    EndOfRound("bought_horses", "买马/罚马", bought_horses),
    EndOfRound("kongs", "杠钱", pay_kongs),
)
