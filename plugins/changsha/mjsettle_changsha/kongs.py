"""补张 against 开杠, and the tiles that a 开杠 turns (sheet section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Event, Round
from mjsettle.tiles import CODES, KIND_OF

SUPPLEMENT: Final = "supplement"
STYLES: Final = (SUPPLEMENT, "open")


def joins(earlier: Event, event: Event) -> bool:
    """Whether two wins that follow each other are on tiles turned by one 开杠: of its owner, or of other seats."""
    if "kong_draw" in earlier.how and "kong_draw" in event.how:
        return earlier.seat == event.seat
    return "kong_discard" in earlier.how and "kong_discard" in event.how and earlier.from_ == event.from_


def winning_tiles(round: Round, win: Win) -> int:
    """On how many turned tiles the winner wins; 1 for any win that is not on turned tiles."""
    return len(turned_for(round, win.index, win.seat)) if win.index is not None else 1


def turned_for(round: Round, index: int, seat: int) -> list[Event]:
    """The win events of a seat on the tiles that one 开杠 turned, the event with this number among them."""
    events = round.events
    first = last = index
    while first and events[first - 1].type == "win" and joins(events[first - 1], events[first]):
        first -= 1
    while last + 1 < len(events) and events[last + 1].type == "win" and joins(events[last], events[last + 1]):
        last += 1
    return [event for event in events[first : last + 1] if event.seat == seat]


def after_supplement(round: Round, win: Win) -> int:
    """1 when the kong whose tile wins was a 补张: the last kong of the drawer, or the robbed one."""
    if win.index is None or not win.how & {"kong_draw", "kong_discard", "rob_kong"}:
        return 0
    kong = last_kong(round, win.index, win.seat if win.source is None else win.source, win.tile, "rob_kong" in win.how)
    return int(kong is not None and kong.style == SUPPLEMENT)


def last_kong(round: Round, index: int, seat: int, tile: int, robbed: bool) -> Event | None:
    """The last kong of a seat before an event; when it was robbed, the last of that tile."""
    for event in reversed(round.events[:index]):
        of_tile = event.tile is None or KIND_OF[CODES[event.tile]] == KIND_OF[tile]
        if event.type == "kong" and event.seat == seat and (of_tile or not robbed):
            return event
    return None


def one_win_each(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """A seat that wins on several turned tiles wins once, by its best hand; 截和 leaves only the nearest winner.

    杠上开花 and 杠上炮 have counted every winning tile already, so what the hand itself is worth counts once.
    """
    best: dict[int, Win] = {}
    for win in wins:
        if win.seat not in best or win.total > best[win.seat].total:
            best[win.seat] = win
    for seat, win in best.items():
        tiles = [other.event.tile for other in wins if other.seat == seat and other.event is not None]
        if len(tiles) > 1:
            win.report["tiles"] = tiles
    source = wins[0].source
    if book.options.multi_ron == "nearest" and source is not None:
        return [min(best.values(), key=lambda win: book.distance(source, win.seat))]
    return list(best.values())
