"""Who pays whom in Guangdong mahjong (sheet sections 4 to 9). All amounts are per payer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, EndOfRound, Payments
from mjsettle.tiles import CODES, KIND_OF

# Seat after the dealer that a horse belongs to: ranks by (rank - 1) % 4, honours east to red (§5).
_HONOUR_SEATS: Final = {"default": (0, 1, 2, 3, 3, 2, 1), "guogeer": (0, 1, 2, 3, 2, 1, 0)}


def horse_hits(horses: Sequence[str], winner_after_dealer: int, wild: frozenset[int], horse_map: str) -> int:
    """How many horses belong to the winner, who sits so many seats after the dealer; a wild tile never hits (§5)."""
    hits = 0
    for name in horses:
        kind = KIND_OF[CODES[name]]
        if kind in wild or kind >= 34:
            continue
        seat = (kind % 9) % 4 if kind < 27 else _HONOUR_SEATS[horse_map][kind - 27]
        hits += seat == winner_after_dealer
    return hits


def one_horse(horses: Sequence[str], wild: frozenset[int]) -> int:
    """一马全中: the first horse hits as often as its rank, an honour ten times, a wild tile never (§5)."""
    if not horses:
        return 0
    kind = KIND_OF[CODES[horses[0]]]
    if kind in wild or kind >= 34:
        return 0
    return kind % 9 + 1 if kind < 27 else 10


def _hits(book: Book, win: Win) -> int:
    options, round = book.options, book.round
    wild = frozenset(KIND_OF[CODES[name]] for name in round.wild)
    if options.score == "mil" and not win.self_draw:
        return 0
    if options.one_horse_all:
        return one_horse(round.birds, wild)
    count = options.horses
    if count and options.horses_jiejiegao and win.seat == book.dealer:
        count += 2 * round.streak
    return horse_hits(round.birds[:count], book.seat_wind(win.seat), wild, options.horse_map)


def kong_points(book: Book, event: Event, index: int) -> int:
    """What a kong is worth: the feeder's payment for a direct one, each seat's for the others; 0 when void (§6)."""
    if index in book.robbed or (event.delayed and event.kind == "added_kong" and not book.options.delayed_kong):
        return 0
    return {"kong": int(book.options.zhigang), "added_kong": 1, "concealed_kong": 2}[event.kind or ""]


def pay_win(book: Book, win: Win) -> None:
    """One win: share x payers, the horses, and who pays for all."""
    options = book.options
    value = win.total
    if options.score == "mil":
        value = win.judged.score
    elif options.score == "pattern":
        value = pattern_points(book, win)
    hits = _hits(book, win)
    own_kongs = sum(kong_points(book, e, i) for i, e in book.events("kong") if e.seat == win.seat)
    per_hit = value if options.ma_gen_difen else options.horse_value
    per_hit += own_kongs if options.ma_gen_gang else 0
    extra = 2 * book.round.streak if options.jiejiegao and win.seat == book.dealer else 0
    liable = _liable(book, win)
    for payer in _payers(book, win):
        factor = 2 if options.dealer_double and book.dealer in (payer, win.seat) else 1
        pays = payer if liable is None else liable
        why = "win" if liable is None or pays == payer else "win_liable"
        book.pay(pays, win.seat, options.base * value * factor, why, win=win)
        book.pay(pays, win.seat, options.base * extra, "streak", win=win)
        book.pay(pays, win.seat, options.base * hits * per_hit, "birds", win=win)


def pattern_points(book: Book, win: Win) -> int:
    """Pattern value; self-draws double where discards may be won, a kong's replacement doubles (§7)."""
    points = win.total
    if book.options.chihu and win.self_draw:
        points *= 2
    if "kong_draw" in win.how:
        points *= 2
    return points


def _payers(book: Book, win: Win) -> list[int]:
    if win.source is None:
        return book.others(win.seat)
    if "rob_kong" in win.how and book.options.qianggang_quanbao:
        return book.others(win.seat)
    return [win.source]


def _liable(book: Book, win: Win) -> int | None:
    """The seat that pays every share: the robbed one, or the feeder of the direct kong that brought the tile (§6)."""
    if win.event is not None and win.event.liable:
        return win.event.liable[0].seat
    if win.source is not None:
        return win.source
    if not book.options.gangbao or "kong_draw" not in win.how:
        return None
    kongs = [(i, e) for i, e in book.events("kong") if e.seat == win.seat and i < (win.index or 0)]
    if not kongs:
        melded = [meld for meld in book.player(win.seat).melds if meld.kind.endswith("kong")]
        return melded[-1].from_ if melded and melded[-1].kind == "kong" else None
    chain = _chain(book, win, [i for i, _ in kongs])
    decisive = book.round.events[chain[0] if book.options.gangbao_link == "first" else chain[-1]]
    return decisive.from_ if decisive.kind == "kong" else None


def _chain(book: Book, win: Win, kongs: list[int]) -> list[int]:
    """The winner's kongs that followed each other up to the win; only `kong_on_kong` says that there was more than one."""
    if "kong_on_kong" not in win.how:
        return kongs[-1:]
    chain = [kongs[-1]]
    for index in reversed(kongs[:-1]):
        if any(book.round.events[between].type == "win" for between in range(index, chain[0])):
            break
        chain.insert(0, index)
    return chain


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """截和: of several winners of one tile the first in turn order, where the switch says so (§8)."""
    if book.options.multi_ron == "all":
        return wins
    source = wins[0].source or 0
    return [min(wins, key=lambda win: book.distance(source, win.seat))]


def follow_dealer(book: Book, event: Event, index: int) -> None:
    """跟庄: the dealer pays 1 to each, whatever the outcome (§6)."""
    if book.options.genzhuang:
        for seat in book.others(book.dealer):
            book.pay(book.dealer, seat, book.options.base, "follow_dealer", event=index)


def pay_kongs(book: Book) -> None:
    """Kong money, counted at the end: only when somebody won, unless drawn rounds pay too (§6)."""
    if not book.wins and not book.options.liuju_gang:
        return
    everything = {
        win.seat: liable
        for win in book.wins
        if book.options.gangbao_scope == "all" and win.self_draw and (liable := _liable(book, win)) is not None
    }
    for index, event in book.events("kong"):
        points = book.options.base * kong_points(book, event, index)
        seat = event.seat
        if seat is None:
            continue
        payers = [event.from_] if event.kind == "kong" else book.others(seat)
        for payer in payers:
            if payer is not None:
                book.pay(everything.get(seat, payer), seat, points, event.kind or "kong", event=index)


def next_round(book: Book) -> dict[str, int]:
    """The winner deals; several winners of one discard: the discarder; a draw: the same dealer or the next (§9)."""
    dealer = book.dealer
    if book.wins:
        winners = {win.seat for win in book.wins}
        source = book.wins[0].source
        after = source if len(winners) > 1 and source is not None else book.wins[0].seat
    else:
        after = dealer if book.options.draw_dealer == "same" else (dealer + 1) % len(book.seats)
    won_again = bool(book.wins) and after == dealer and any(win.seat == dealer for win in book.wins)
    return {"dealer": after, "streak": book.round.streak + 1 if won_again else 0}


PAYMENTS: Final = Payments(pay_win, next_round, nearest)
BONUSES: Final = (Bonus("follow_dealer", "跟庄", "follow_dealer", follow_dealer),)
END_OF_ROUND: Final = (EndOfRound("kongs", "杠钱", pay_kongs),)
