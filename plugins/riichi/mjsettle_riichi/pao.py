"""Liability (包, 責任払い): which seat answers for which yakuman (§5)."""

from __future__ import annotations

from typing import Final

from mjsettle.ledger import Book, Win
from mjsettle.rounds import Meld
from mjsettle.tiles import CODES, KIND_OF

_SETS: Final = {
    "daisangen": (3, frozenset(CODES[f"{n}z"] for n in "567")),
    "daisuushii": (4, frozenset(CODES[f"{n}z"] for n in "1234")),
}


def liable_seats(book: Book, win: Win, yakuman: dict[str, int]) -> dict[str, int]:
    """The liable seat of each yakuman that has one: what the room has decided, else what the melds tell.

    yakuman: the win's yakuman by id. Under `pao_scope` "all" one liable yakuman makes its seat liable for all.
    """
    event = win.event
    if event is not None and event.liable:
        found = _decided(book, win, yakuman)
    else:
        told = {id: _feeder(book, win, id) for id in book.options.pao if id in yakuman}
        found = {id: seat for id, seat in told.items() if seat is not None}
    if found and book.options.pao_scope == "all":
        seat = next(iter(found.values()))
        return dict.fromkeys(yakuman, seat)
    return found


def _decided(book: Book, win: Win, yakuman: dict[str, int]) -> dict[str, int]:
    """The room's word: each entry names a yakuman of the hand by id or name, or, empty, the whole win."""
    names = {name: fan.id for fan, _, _ in win.judged.counted for name in (fan.id, fan.name, fan.chinese)}
    found = {}
    for at, liable in enumerate(win.event.liable if win.event else ()):
        where = f"events[{win.index}].liable[{at}]"
        id = names.get(liable.fan, "")
        if liable.seat == win.seat:
            book.refuse("contradictory", f"{where}.seat", "the winner cannot be liable for its own win")
        elif not liable.fan and yakuman:
            found.update(dict.fromkeys(yakuman, liable.seat))
        elif id in yakuman:
            found[id] = liable.seat
        else:
            has = ", ".join(yakuman) or "none"
            book.refuse(
                "contradictory", f"{where}.fan", f"found {liable.fan!r}; liability is for a yakuman of the hand ({has})"
            )
    return found


def _feeder(book: Book, win: Win, id: str) -> int | None:
    """Who gave the last set of a yakuman by an open call, all its sets being melded; melds stand in their order."""
    melds = book.player(win.seat).melds
    if id == "suukantsu":
        return _fourth_kong(book, win, melds)
    count, kinds = _SETS[id]
    sets = [meld for meld in melds if meld.kind != "chow" and _kind(meld) in kinds]
    return sets[-1].from_ if len(sets) == count else None


def _fourth_kong(book: Book, win: Win, melds: list[Meld]) -> int | None:
    """Who gave the fourth kong, if it was claimed: the last kong event where events tell, else the last kong meld."""
    told = [event for _, event in book.events("kong") if event.seat == win.seat]
    if told:
        return told[-1].from_ if told[-1].kind == "kong" else None
    kongs = [meld for meld in melds if meld.kind.endswith("kong")]
    return kongs[-1].from_ if len(kongs) == 4 and kongs[-1].kind == "kong" else None


def rinshan_feeder(book: Book, win: Win) -> int | None:
    """大明槓責任払い: who gave the claimed kong on whose replacement tile a seat wins."""
    if not book.options.rinshan_pao or "kong_draw" not in win.how:
        return None
    told = [event for _, event in book.events("kong") if event.seat == win.seat]
    if told:
        return told[-1].from_ if told[-1].kind == "kong" else None
    kongs = [meld for meld in book.player(win.seat).melds if meld.kind.endswith("kong")]
    return kongs[-1].from_ if kongs and kongs[-1].kind == "kong" else None


def _kind(meld: Meld) -> int:
    return KIND_OF[CODES[meld.tiles[0] + meld.tiles[-1]]]
