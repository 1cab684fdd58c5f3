"""Who is still in the round, and what a hand is worth (sheet sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.options import Options
from mjsettle.rounds import Event, Round

GAVE_UP: Final = "gave_up"


def gave_up(book: Book) -> set[int]:
    """The seats that have given up so far."""
    found: set[int] = book.memory.setdefault(GAVE_UP, set())
    return found


def give_up(book: Book, event: Event, index: int) -> None:
    """认输: the seat leaves; it neither pays nor receives from here on."""
    if event.seat is not None:
        gave_up(book).add(event.seat)


def active(book: Book) -> list[int]:
    """The seats that pay for what happens now: not yet won (血战), or all (血流), and not given up."""
    out = set(book.won) if book.options.flow == "xuezhan" else set()
    out |= gave_up(book)
    return [seat for seat in book.seats if seat not in out]


def points(options: Options, total: int, roots: int) -> int:
    """What one payer owes for a hand of this total and so many roots, before a self-draw's base (§4).

    total: fans, each of which doubles, or under `table` "product" what they multiply to.
    """
    times = total if options.table == "product" else 2**total
    if options.cap is not None:
        times = min(times, 2**options.cap)
    added = roots if options.gen == "base" else 0
    base: int = options.base
    return base * (times + added)


def drawn_points(options: Options, total: int, roots: int) -> int:
    """What each payer owes for a self-draw: one base more after the cap, or inside it (自摸加底, §4)."""
    owed = points(options, total, roots)
    base: int = options.base
    if options.zimo != "jiadi":
        return owed
    owed += base
    if options.jiadi_inside_cap and options.cap is not None:
        owed = min(owed, int(base * 2**options.cap))
    return owed


def roots_of(options: Options, win: Win) -> int:
    """The roots of a won hand, for rooms that add a base for each (根加底)."""
    if options.gen != "base":
        return 0
    columns = win.judged.hand.columns
    mask = columns["open_kongs"] | columns["concealed_kongs"] if options.only_kong else columns["natural4"]
    return mask.bit_count()


def kongs_of(round: Round, seat: int, before: int) -> list[int]:
    """The numbers of the kong events of a seat before event number `before`, in order."""
    return [i for i, event in enumerate(round.events[:before]) if event.type == "kong" and event.seat == seat]


def feeder(round: Round, win: Win) -> int | None:
    """The seat that fed the direct kong on whose replacement the tile was won (点杠花); None for other wins.

    Without kong events of the winner, its last meld tells, if that is a kong.
    """
    if "kong_draw" not in win.how or win.index is None or win.source is not None:
        return None
    kongs = kongs_of(round, win.seat, win.index)
    if kongs:
        last = round.events[kongs[-1]]
        return last.from_ if last.kind == "kong" else None
    melds = [meld for meld in round.players[win.seat].melds if meld.kind.endswith("kong")]
    return melds[-1].from_ if melds and melds[-1].kind == "kong" else None


def nearest(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """截胡: of several winners of one tile only the first in turn order, where the switch says so (§9)."""
    if book.options.multi_ron == "all":
        return wins
    source = wins[0].source or 0
    return [min(wins, key=lambda win: book.distance(source, win.seat))]
