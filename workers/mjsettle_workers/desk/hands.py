"""What is told of a hand that was typed: its judgement, its waits, or advice on its discards."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.advise import DRAWS, advise
from mjsettle.alternatives import hint
from mjsettle.errors import MjsettleError
from mjsettle.ledger import Refused
from mjsettle.tiles import KIND_OF, KINDS, format_tiles, parse_tiles
from mjsettle.worth import Bring, Table
from mjsettle_workers.desk.forms import SEATS, HandForm
from mjsettle_workers.desk.settlement import SettlementView, tiles_of, wild_kinds

Shown = dict[str, Any]
DISCARDS_SHOWN: Final = 14


def looked_at(form: HandForm) -> Shown | None:
    """What the form's view tells of its hand; None where there is no hand or anything is wrong with the form."""
    if not form.filled:
        return None
    tell = {"try": _judged, "waits": _waits, "discards": _discards}[form.view]
    try:
        return tell(form)
    except MjsettleError as error:
        form.problem(error)
        return None


def _judged(form: HandForm) -> Shown | None:
    record = form.record()
    result = form.engine.settle([record])[0]
    form.place(result.get("errors", ()))
    if form.broken:
        return None
    view = SettlementView(form.engine, record, result, form.words)
    told: Shown = {"view": view, "hint": None}
    if any(tile["wild"] for win in view.wins for tile in (*win["won"], *_hand_tiles(form, view))):
        told["hint"] = _hint(form, view)
    return told


def _hand_tiles(form: HandForm, view: SettlementView) -> list[dict[str, Any]]:
    return tiles_of(form.text["hand"], view.wild)


def _hint(form: HandForm, view: SettlementView) -> list[tuple[str, Shown]] | None:
    """The reading that spends fewest wilds and the one that pays most, with their titles; one where they agree."""
    try:
        ruleset, wins = form.engine.hands_of(view.record)
    except Refused:
        return None
    found = hint(ruleset, wins[0][1]) if wins else None
    if found is None:
        return None
    fewest, most = form.words.fewest_wilds, form.words.pays_most
    if found.fewest_wilds is found.pays_most:
        return [(f"{fewest} · {most}", view.reading(found.pays_most))]
    return [(fewest, view.reading(found.fewest_wilds)), (most, view.reading(found.pays_most))]


def _table(form: HandForm) -> Table | None:
    """The table that the form describes; None where its text is at fault."""
    record = form.record()
    # A round without its win: what is wrong with its other fields shows all the same.
    result = form.engine.settle([record])[0]
    form.place([error for error in result.get("errors", ()) if error["code"] != "tile_count"])
    return None if form.broken else Table(form.engine, record, form.seat)


def _waits(form: HandForm) -> Shown | None:
    table = _table(form)
    if table is None:
        return None
    codes = parse_tiles(form.text["hand"])
    wild = wild_kinds({"wild": table.wild}, table.ruleset)
    drawn = table.waits(codes)
    fed = table.waits(codes, (form.seat - 1) % SEATS)
    live = table.copies(codes)
    melded = [code for meld in table.player.melds for code in parse_tiles(meld.tiles)]
    own = [KIND_OF[code] for code in (*codes, *melded, *table.others_melded())]
    rows = []
    for name in dict.fromkeys((*drawn, *fed)):
        kind = parse_tiles(name)[0]
        rows.append(
            {
                "tile": tiles_of(name, wild)[0],
                "live": live[min(kind, KINDS)] - own.count(kind),
                "draw": _brought(form, drawn.get(name)),
                "discard": _brought(form, fed.get(name)),
            }
        )
    return {"rows": rows, "hand": tiles_of(form.text["hand"], wild)}


def _brought(form: HandForm, found: Bring | None) -> Shown | None:
    """Points and fans of a hypothetical win; None where it is refused."""
    if found is None or found.result.get("status") != "settled":
        return None
    fans = found.result["wins"][0]["fans"] if found.result["wins"] else []
    return {"points": found.points, "fans": [form.words.name(fan) for fan in fans]}


def _discards(form: HandForm) -> Shown | None:
    table = _table(form)
    if table is None:
        return None
    codes = parse_tiles(form.text["hand"])
    wild = wild_kinds({"wild": table.wild}, table.ruleset)
    found = advise(format_tiles(codes), seen=form.text["seen"], table=table)
    rows = [
        {
            "tile": tiles_of(one.discard, wild)[0],
            "shanten": one.shanten,
            "accepts": [
                {"tile": tiles_of(name, wild)[0], "live": live, "points": one.points.get(name)}
                for name, live in one.accepts.items()
            ],
            "live": one.live,
            "chance": one.ready_chance,
            "expected": one.expected_points,
        }
        for one in found[:DISCARDS_SHOWN]
    ]
    return {"rows": rows, "draws": DRAWS}
