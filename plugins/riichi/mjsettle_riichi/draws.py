"""Rounds without a winner (§6): noten payments, nagashi mangan, abortive draws, false wins; and the next round."""

from __future__ import annotations

from typing import Final

from mjsettle.ledger import TABLE, Book
from mjsettle.rounds import Event
from mjsettle.rules import Bonus, EndOfRound
from mjsettle.tiles import KIND_OF, parse_tiles
from mjsettle_riichi.points import MANGAN, shares

ENDINGS: Final = ("win", "exhaustive_draw", "nagashi", "abortive_draw", "false_win")


def tenpai(book: Book, seat: int) -> bool:
    """Whether a seat is one tile from a win; which waits count is the switch `dead_wait`."""
    live, formal = book.waits_of(seat)
    if book.options.dead_wait == "tenpai":
        return formal != 0
    if book.options.dead_wait == "melds":
        player = book.player(seat)
        held = [
            KIND_OF[code]
            for text in (player.hand or "", *(m.tiles for m in player.melds))
            for code in parse_tiles(text)
        ]
        return any(live >> kind & 1 and held.count(kind) < 4 for kind in range(34))
    return live != 0


def nagashi_seats(book: Book) -> list[int]:
    """The seats of the nagashi events, in turn order from the dealer; none where the switch is off."""
    if not book.options.nagashi_mangan:
        return []
    seats = {event.seat for _, event in book.events("nagashi") if event.seat is not None}
    return sorted(seats, key=book.seat_wind)


def noten(book: Book, event: Event, index: int) -> None:
    """荒牌平局: the noten seats pay 3,000 (three players 2,000) to the tenpai ones; nagashi takes its place."""
    if nagashi_seats(book):
        return
    ready = [seat for seat in book.seats if tenpai(book, seat)]
    for seat in book.seats:
        if seat not in ready and {"riichi", "double_riichi"} & set(book.player(seat).flags):
            message = f"seat {seat} declared riichi but is not tenpai; that is a `false_win`, not a draw"
            book.refuse("contradictory", f"players[{seat}].hand", message)
    book.memory["tenpai"] = ready
    pool = 1000 * (len(book.seats) - 1)
    unready = [seat for seat in book.seats if seat not in ready]
    if not ready or not unready:
        return
    for payer in unready:
        for receiver in ready:
            book.pay(payer, receiver, pool // len(ready) // len(unready), "noten", event=index)


def nagashi(book: Book, event: Event, index: int) -> None:
    """流し満貫: paid like a mangan self-draw; as a win under `nagashi_as_win`, honba and sticks too."""
    seats = nagashi_seats(book)
    seat = event.seat
    if seat is None or seat not in seats:
        return
    pay_mangan(book, seat, 1, "nagashi", index)
    if book.options.nagashi_as_win and seat == seats[0]:
        for payer in book.others(seat):
            book.pay(payer, seat, 100 * book.round.honba, "honba", event=index)
        book.pay(TABLE, seat, 1000 * book.round.deposits, "deposits", event=index)


def pay_mangan(book: Book, seat: int, sign: int, why: str, index: int) -> None:
    """A mangan self-draw of a seat, or with sign -1 paid by it."""
    owed = shares(MANGAN, seat, None, book.dealer, len(book.seats), book.options.tsumo_loss)
    for payer, points in owed.items():
        book.pay(payer, seat, sign * points, why, event=index)


def false_win(book: Book, event: Event, index: int) -> None:
    """錯和: a mangan self-draw the other way; nothing where the penalty is taken from the final score."""
    if book.options.chombo == "mangan_payment" and event.seat is not None:
        pay_mangan(book, event.seat, -1, "chombo", index)


def leftover(book: Book) -> None:
    """Sticks left when the game ends go to the first place; of equal ones to the earlier seat from the first dealer."""
    ended = next((event for _, event in book.events("game_end")), None)
    left = book.round.deposits + book.table() // 1000
    if ended is None or not left or book.options.leftover != "first":
        return
    first_dealer = ended.seat or 0
    gained = book.deltas()
    scores = {seat: (book.player(seat).balance or 0) + gained[seat] for seat in book.seats}
    first = min(book.seats, key=lambda seat: (-scores[seat], book.distance(first_dealer, seat)))
    book.pay(TABLE, first, 1000 * left, "leftover")


def next_round(book: Book) -> dict[str, int] | None:
    """Dealer, streak, honba and sticks of the next round; None where it hangs on a hand that is not known.

    The dealer repeats on a win, after abortive draws and false wins, and after a draw as `renchan` says. Honba: one
    more after a dealer's win and every draw, none after another win, the same after a false win.
    """
    round = book.round
    again = _repeats(book) if any(event.type in ENDINGS for event in round.events) else None
    if again is None:
        return None
    dealer = book.dealer if again else (book.dealer + 1) % len(book.seats)
    won = _collected(book)
    honba = round.honba + 1 if again or not won else 0
    streak = round.streak + 1 if again else 0
    if any(book.events("false_win")):
        honba, streak = round.honba, round.streak
    found = {"dealer": dealer, "streak": streak, "honba": honba}
    found["deposits"] = round.deposits + book.table() // 1000
    balances = [book.player(seat).balance for seat in book.seats]
    if book.options.bankruptcy and None not in balances:
        gained = book.deltas()
        found["over"] = int(any((balance or 0) + gained[seat] < 0 for seat, balance in enumerate(balances)))
    return found


def _collected(book: Book) -> bool:
    """Whether the round counts as won."""
    return bool(book.wins) or (book.options.nagashi_as_win and bool(nagashi_seats(book)))


def _repeats(book: Book) -> bool | None:
    if book.wins:
        return any(win.seat == book.dealer for win in book.wins)
    if book.memory.get("aborted") or any(book.events("abortive_draw")) or any(book.events("false_win")):
        return True
    nagashi = nagashi_seats(book)
    if nagashi and book.options.nagashi_as_win:
        return book.dealer in nagashi
    if book.options.renchan != "tenpai":
        return bool(book.options.renchan == "always")
    if "tenpai" in book.memory:
        return book.dealer in book.memory["tenpai"]
    return None if book.player(book.dealer).hand is None else tenpai(book, book.dealer)


BONUSES: Final = (
    Bonus("noten", "不听罚符", "exhaustive_draw", noten),
    Bonus("nagashi", "流局满贯", "nagashi", nagashi),
    Bonus("chombo", "错和", "false_win", false_win),
)
END_OF_ROUND: Final = (EndOfRound("leftover", "供托余额", leftover),)
