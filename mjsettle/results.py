"""Results as the wire has them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from mjsettle.columns import NO_PAIR
from mjsettle.errors import Fault
from mjsettle.fans import POINTS_MAX
from mjsettle.judge import Judgement
from mjsettle.ledger import Book, Win, too_large
from mjsettle.readings import Row
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import NAMES, format_tiles, parse_tiles

FAULTS_MAX: Final = 100
"""Faults that an answer lists: a round made to have thousands must not have an answer of megabytes."""


def refused(id: str | None, faults: Sequence[Fault]) -> dict[str, Any]:
    """The answer to a round that cannot be settled; beyond FAULTS_MAX the faults are only counted."""
    listed = [fault.as_dict() for fault in faults[:FAULTS_MAX]]
    if len(faults) > FAULTS_MAX:
        listed.append(Fault("more_faults", "", f"and {len(faults) - FAULTS_MAX} more; mend these first").as_dict())
    return {"id": id, "status": "refused", "errors": listed}


def settled(ruleset: RuleSet, book: Book, next_round: dict[str, int] | None) -> dict[str, Any]:
    """The answer to a settled round. Refused where a seat's gain, or the total of a win, is beyond POINTS_MAX."""
    round, deltas = book.round, book.deltas()
    if max(deltas) > POINTS_MAX or min(deltas) < -POINTS_MAX:
        raise too_large("what a seat gains or loses", max(deltas, key=abs))
    result: dict[str, Any] = {
        "id": round.id,
        "rule": round.rule,
        "edition": ruleset.edition,
        "fingerprint": ruleset.fingerprint,
        "status": "settled",
        "wins": [win_of(win, book, round.names) for win in book.wins],
        "transfers": [entry.as_dict() for entry in book.entries],
        "deltas": deltas,
        "table": book.table(),
    }
    if book.unpaid:
        result["unpaid"] = [entry.as_dict() for entry in book.unpaid]
    if next_round is not None:
        result["next"] = next_round
    result.update(book.report)
    return result


def win_of(win: Win, book: Book, names: bool) -> dict[str, Any]:
    """One win of a result; `report` of the win adds to it or, with None, takes away."""
    judged = win.judgement
    found: dict[str, Any] = {
        "seat": win.seat,
        "tile": NAMES[win.tile] if win.tile >= 0 else None,
        "form": "granted" if judged is None else judged.form,
    }
    if judged is None:  # won without a hand
        found.update(sets=[], pair=None, wild_as=[])
    else:
        found |= reading_of(judged, [tiles for _, tiles in judged.hand.melds])
    fans = []
    for fan, times, value in win.granted if judged is None else judged.counted:
        if value == 0 and not fan.listed_at_zero:
            continue
        listed: dict[str, Any] = {"id": fan.id, "name": fan.name, "value": value, "times": times}
        if names:
            listed["names"] = fan.names
        fans.append(listed)
    found["fans"] = fans
    found["total"] = win.total
    if not -POINTS_MAX <= win.total <= POINTS_MAX:
        raise too_large(f"the total of seat {win.seat}'s win", win.total)
    found["points"] = win.points
    for key, value in win.report.items():
        if value is None:
            found.pop(key, None)
        else:
            found[key] = value
    return found


def reading_of(judged: Judgement, melds: Sequence[str]) -> dict[str, Any]:
    """The sets, the pair and what the wilds stand for, in wire notation."""
    row = judged.row
    sets = pairs_of(row) if row.pair == NO_PAIR else concealed_sets(row)
    return {
        "sets": sets + [_meld_text(tiles) for tiles in melds],
        "pair": _PAIR_TEXTS[row.pair],
        "wild_as": [NAMES[kind] for kind in wild_as(judged)],
    }


def concealed_sets(row: Row) -> list[str]:
    """The concealed chows and pungs of a reading, in the order of their tiles."""
    placed = []
    chows = row.chows
    while chows:
        start = ((chows & -chows).bit_length() - 1) // 3
        placed += [(_CHOW_KINDS[start], _CHOW_TEXTS[start])] * (chows >> 3 * start & 7)
        chows &= ~(7 << 3 * start)
    for pungs in (row.pungs, row.twins):
        while pungs:
            kind = (pungs & -pungs).bit_length() - 1
            placed.append((kind, _PUNG_TEXTS[kind]))
            pungs &= pungs - 1
    placed.sort()
    return [text for _, text in placed]


_CHOW_KINDS: Final = tuple(9 * (start // 7) + start % 7 for start in range(21))
_CHOW_TEXTS: Final = tuple(format_tiles([kind, kind + 1, kind + 2]) for kind in _CHOW_KINDS)
_PUNG_TEXTS: Final = tuple(format_tiles([kind] * 3) for kind in range(34))
_PAIR_TEXTS: Final = (*(format_tiles([kind] * 2) for kind in range(34)), None)


@lru_cache(maxsize=8192)
def _meld_text(tiles: str) -> str:
    return format_tiles(parse_tiles(tiles))


def pairs_of(row: Row) -> list[str]:
    """The pairs of a reading made of pairs, four of a kind as two, with its pung or single tile if it has one."""
    found: list[str] = []
    left = row.has1
    while left:
        kind = (left & -left).bit_length() - 1
        left &= left - 1
        count = 1 + (row.has2 >> kind & 1) + (row.has3 >> kind & 1) + (row.has4 >> kind & 1)
        if row.pungs >> kind & 1:
            found.append(_PUNG_TEXTS[kind])
            count -= 3
        found += [str(_PAIR_TEXTS[kind])] * (count // 2) + [NAMES[kind]] * (count % 2)
    return found


def composition(row: Row) -> list[int]:
    """How many of each kind the concealed tiles stand for: 34 counts."""
    if row.pair == NO_PAIR or not row.chows | row.pungs or row.shape:
        return [sum(plane >> kind & 1 for plane in row[5:9]) for kind in range(34)]
    counts = [3 * ((row.pungs >> kind & 1) + (row.twins >> kind & 1)) for kind in range(34)]
    for start, first in enumerate(_CHOW_KINDS):
        times = row.chows >> 3 * start & 7
        for kind in range(first, first + 3):
            counts[kind] += times
    if row.pair != NO_PAIR:
        counts[row.pair] += 2
    return counts


def wild_as(judged: Judgement) -> list[int]:
    """The kinds that the wild tiles stand for, sorted; empty in a form that asks for no shape."""
    hand, row = judged.hand, judged.row
    wilds = hand.tiles.wilds
    if not wilds:
        return []
    columns = hand.columns
    added = (
        row.has1 & ~columns["concealed1"],
        row.has2 & ~columns["concealed2"],
        row.has3 & ~columns["concealed3"],
        row.has4 & ~columns["concealed4"],
    )
    stands: list[int] = []
    for mask in added:
        while mask:
            stands.append((mask & -mask).bit_length() - 1)
            mask &= mask - 1
    if len(stands) < wilds and row.chows | row.pungs:
        # Masks end at four copies; a fifth shows in the sets.
        counts = composition(row)
        stands = [k for k, (n, held) in enumerate(zip(counts, hand.view.counts, strict=True)) for _ in range(n - held)]
    return sorted(stands)
