"""The reckoning when the wall is exhausted: 查花猪, 查大叫, 退税 (sheet section 8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mjsettle.balances import Due, pay_together
from mjsettle.ledger import Book, Win
from mjsettle.rules import EndOfRound
from mjsettle.tiles import KIND_OF, NAMES, SUITS, parse_tiles
from mjsettle_sichuan.payments import kong_entries
from mjsettle_sichuan.table import gave_up, points, roots_of

NO_CAP_PIG: Final = 16
"""What a pig pays each seat where there is no cap (§8)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a seat stands at the end.

    status: won, gave_up, pig (花猪), not_ready (未叫) or ready (有叫); waits: kind -> what that wait is worth.
    """

    status: str
    waits: dict[int, int]

    def value(self, chajiao: str) -> int:
        """What a seat that is not ready pays this one (§8 d)."""
        return min(self.waits.values()) if chajiao == "min" else max(self.waits.values())

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"status": self.status}
        if self.waits:
            found["waits"] = {NAMES[kind]: worth for kind, worth in sorted(self.waits.items())}
        return found


def reckon(book: Book) -> None:
    """Refunds first, then pigs, then seats that are not ready; nothing when all but one have won (§8)."""
    ends = [index for index, _ in book.events("exhaustive_draw")]
    if not ends:
        return
    out = book.won | gave_up(book)
    if len(book.seats) - len(out) < 2 or _faulty_hands(book, out):
        return
    standings = {seat: standing_of(book, seat) for seat in book.seats}
    book.report["reckoning"] = [{"seat": seat, **standing.as_dict()} for seat, standing in standings.items()]
    if book.options.tuishui:
        hand_back(book, standings, ends[0])
    pay_together(book, pig_dues(book, standings, ends[0]))
    pay_together(book, not_ready_dues(book, standings, ends[0]))


def _faulty_hands(book: Book, out: frozenset[int] | set[int]) -> bool:
    """Note what keeps a seat that is still in from being reckoned."""
    for seat in book.seats:
        player = book.player(seat)
        if seat in out:
            continue
        where = f"players[{seat}].hand"
        if player.hand is None:
            book.refuse("hand_unknown", where, "missing; the reckoning at the end of this round needs it")
            continue
        found, expected = len(parse_tiles(player.hand)), 13 - 3 * len(player.melds)
        if found not in (expected, expected + 1):
            message = f"found {found} tiles beside {len(player.melds)} melds, expected {expected} or {expected + 1}"
            book.refuse("tile_count", where, message)
    return bool(book.faults)


# ---- how a seat stands -------------------------------------------------------------------------------------------


def standing_of(book: Book, seat: int) -> Standing:
    """A seat that has just drawn holds one tile more: it stands as well as its best discard lets it."""
    if seat in gave_up(book):
        return Standing("gave_up", {})
    if seat in book.won:
        return Standing("won", {})
    player = book.player(seat)
    codes = parse_tiles(player.hand or "")
    laid = [KIND_OF[code] for meld in player.melds for code in parse_tiles(meld.tiles)]
    discards: list[int | None] = [None] if len(codes) % 3 == 1 else [*dict.fromkeys(codes)]
    pig = True
    waits: dict[int, int] = {}
    for discard in discards:
        kept = list(codes)
        if discard is not None:
            kept.remove(discard)
        if is_pig([KIND_OF[code] for code in kept], laid, player.void):
            continue
        pig = False
        for kind, worth in waits_worth(book, seat, kept, laid, discard):
            waits[kind] = max(worth, waits.get(kind, 0))
    return Standing("pig" if pig else "ready" if waits else "not_ready", waits)


def is_pig(held: list[int], laid: list[int], void: str | None) -> bool:
    """花猪: still holds a tile of the missing suit, or tiles of all three suits (§8 a)."""
    if void is not None and any(kind // 9 == SUITS.index(void) for kind in held):
        return True
    return len({kind // 9 for kind in held + laid}) > 2


def waits_worth(
    book: Book, seat: int, held: list[int], laid: list[int], discard: int | None
) -> Iterator[tuple[int, int]]:
    """Each wait with what it is worth: hand fans only, capped, no base for a self-draw (§8 d)."""
    live, _ = book.waits_of(seat) if discard is None else book.waits_of(seat, discard)
    own = [KIND_OF[code] for code in held] + laid
    for kind in range(27):
        if not live >> kind & 1 or (book.options.fifth_copy == "melds" and own.count(kind) >= 4):
            continue
        win = Win(seat, kind, book.others(seat)[0], frozenset(), None, put_away=discard)
        if book.judge(win) is not None:
            yield kind, points(book.options, win.total, roots_of(book.options, win))


# ---- who pays ----------------------------------------------------------------------------------------------------


def hand_back(book: Book, standings: dict[int, Standing], end: int) -> None:
    """退税: pigs and seats that are not ready return the kong money they still hold, to those who paid it (§8 b)."""
    kongs = [index for index, _ in book.events("kong")]
    pay_together(
        book,
        [
            Due(seat, entry.payer, entry.points, "tax_refund", end, undoes=number)
            for seat, standing in standings.items()
            if standing.status in ("pig", "not_ready")
            for number in kong_entries(book, seat, kongs)
            for entry in [book.entries[number]]
            if entry.payer not in gave_up(book)
        ],
    )


def pig_points(book: Book) -> int:
    """What a pig pays each (§8 c)."""
    huazhu, cap = book.options.huazhu, book.options.cap
    if huazhu == "cap":
        huazhu = NO_CAP_PIG if cap is None else 2**cap
    return int(book.options.base * huazhu)


def pig_dues(book: Book, standings: dict[int, Standing], end: int) -> list[Due]:
    """查花猪: every other seat that has not won and is no pig receives, ready or not (§8 c)."""
    paid = ("ready",) if book.options.huazhu_pays == "ready" else ("ready", "not_ready")
    return [
        Due(pig, seat, pig_points(book), "pig", end)
        for pig, standing in standings.items()
        if standing.status == "pig"
        for seat, other in standings.items()
        if other.status in paid
    ]


def not_ready_dues(book: Book, standings: dict[int, Standing], end: int) -> list[Due]:
    """查大叫: seats that are not ready pay each ready seat the worth of its wait; pigs have paid already (§8 d)."""
    chajiao = book.options.chajiao
    if chajiao == "off":
        return []
    return [
        Due(payer, seat, other.value(chajiao), "not_ready", end)
        for payer, standing in standings.items()
        if standing.status == "not_ready"
        for seat, other in standings.items()
        if other.status == "ready"
    ]


END_OF_ROUND: Final = (EndOfRound("reckoning", "查叫", reckon),)
