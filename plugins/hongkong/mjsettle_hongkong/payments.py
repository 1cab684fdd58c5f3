"""Who pays whom in Hong Kong mahjong (§1, §3 e, §4). Amounts are per payer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, Payments
from mjsettle.tiles import CODES, parse_tiles
from mjsettle_hongkong.liability import liable_seat
from mjsettle_hongkong.points import TABLE_END, portion
from mjsettle_hongkong.table import EIGHT_FLOWERS, SEVEN_FLOWERS


def pay_win(book: Book, win: Win) -> None:
    """One win: every payer's share, all of them from the liable seat if there is one."""
    options = book.options
    liable = liable_seat(book, win)
    drawn = win.self_draw
    if "rob_kong" in win.how and options.rob_kong_as_self_draw:
        drawn, liable = True, win.source
    for payer, parts in shares(book, win, drawn):
        points = share(book, win, win.total, payer, parts)
        pays = payer if liable is None else liable
        book.pay(pays, win.seat, points, "win" if pays == payer else "win_liable", win=win)


def shares(book: Book, win: Win, drawn: bool) -> list[tuple[int, int]]:
    """(payer, quarters of T) of a win: a self-draw 2 each; a discard 4, or by halves 2 and 1 from the others."""
    if drawn or win.source is None:
        return [(seat, 2) for seat in book.others(win.seat)]
    if book.options.payment == "full":
        return [(win.source, 4)]
    return [(seat, 2 if seat == win.source else 1) for seat in book.others(win.seat)]


def share(book: Book, win: Win, faan: int, payer: int, quarters: int) -> int:
    """base_unit x T(faan) x quarters / 4, twice where the dealer doubles. Broken points are refused, not rounded."""
    options = book.options
    points = quarters * int(options.base_unit) * portion(faan, options.curve)
    if options.dealer_doubling and book.dealer in (payer, win.seat):
        points *= 2
    if points % 4:
        message = f"{faan} faan make {points}/4 points for seat {payer}; choose a base_unit divisible by 4"
        book.refuse("broken_points", "options.base_unit", message)
    return points // 4


def winners(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """Of several winners of a tile the first after its discarder (截糊), or all where the switch says so."""
    if book.options.multi_win == "all":
        return wins
    source = wins[0].source or 0
    return [min(wins, key=lambda win: book.distance(source, win.seat))]


def flower_win(book: Book, event: Event, index: int) -> None:
    """花糊 / 大花糊: seven or eight flowers win at once as a self-draw of 3 or 8 faan; the hand is ignored."""
    if event.seat is None:
        return
    fan = SEVEN_FLOWERS if flowers_of(book.player(event.seat).flowers, event) == 7 else EIGHT_FLOWERS
    value = fan.value if isinstance(fan.value, int) else 0
    tile = CODES[event.tile] if event.tile is not None else -1
    win = Win(event.seat, tile, None, frozenset(), index, event, granted=((fan, 1, value),))
    faan = value if book.options.cap is None else min(value, int(book.options.cap))
    win.report.update(form="flowers", total=faan)
    liable = event.liable[0].seat if event.liable else None
    for payer, quarters in shares(book, win, True):
        points = share(book, win, faan, payer, quarters)
        pays = payer if liable is None else liable
        book.pay(pays, win.seat, points, "flower_win" if pays == payer else "flower_win_liable", win=win)
    book.wins.append(win)


def flowers_of(flowers: str, event: Event) -> int:
    """How many flowers a flower win is by: its `kind` says so, else the flowers set aside with the event's tile."""
    if event.kind is not None:
        return 7 if event.kind == "seven_flowers" else 8
    codes = set(parse_tiles(flowers))
    if event.tile in CODES:
        codes.add(CODES[event.tile])
    return len(codes)


def false_win(book: Book, event: Event, index: int) -> None:
    """詐糊: the offender pays each seat the largest self-draw share, as many times as the table says."""
    if event.seat is None:
        return
    options = book.options
    top = portion(TABLE_END if options.cap is None else int(options.cap), options.curve)
    points = int(options.false_win_multiplier) * int(options.base_unit) * top
    if points % 2:
        message = f"a false win makes {points}/2 points; choose an even base_unit"
        book.refuse("broken_points", "options.base_unit", message)
    for seat in book.others(event.seat):
        times = 2 if options.dealer_doubling and book.dealer in (seat, event.seat) else 1
        book.pay(event.seat, seat, times * points // 2, "false_win", event=index)


def next_round(book: Book) -> dict[str, int]:
    """The dealer keeps the deal on its own win; a draw and a false win by their switches. `streak` counts repeats."""
    options = book.options
    if book.wins:
        keeps = book.dealer in book.won
    elif any(event.type == "false_win" for event in book.round.events) and not any(
        event.type.endswith("_draw") for event in book.round.events
    ):
        keeps = options.false_win_dealer == "keep"
    else:
        keeps = options.draw_dealer == "keep"
    if keeps:
        return {"dealer": book.dealer, "streak": book.round.streak + 1}
    return {"dealer": (book.dealer + 1) % len(book.seats), "streak": 0}


PAYMENTS: Final = Payments(pay_win, next_round, winners)
BONUSES: Final = (
    Bonus("flower_win", "花糊", "flower_win", flower_win),
    Bonus("false_win", "詐糊", "false_win", false_win),
)
