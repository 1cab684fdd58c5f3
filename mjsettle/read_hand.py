"""Every way to read a complete hand, for people: sets, pair and what each wild stands for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from mjsettle.columns import EVERY_KIND, NO_PAIR
from mjsettle.forms import ALL_FORMS, FormName, check_tile_count, read_melds
from mjsettle.hands import lift
from mjsettle.keys import wild_codes
from mjsettle.melds import meld_columns
from mjsettle.readings import Row, View
from mjsettle.results import composition, concealed_sets, pairs_of
from mjsettle.tiles import KIND_OF, NAMES, format_tiles, parse_tiles
from mjsettle.wildcards import FREE, WildPolicy
from mjsettle.winforms import WinForm, pairs, standard, thirteen_orphans


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a complete hand.

    form: standard, seven_pairs or thirteen_orphans. sets: the concealed sets (of seven pairs: the pairs), then the
    melds; pair: its tile, None without one. wild_as: what the wild tiles stand for, sorted; wilds_needed: how many of
    them must stand for a kind other than their own.
    """

    form: str
    sets: tuple[str, ...]
    pair: str | None
    wild_as: tuple[str, ...]
    wilds_needed: int


def readings(
    hand: str,
    melds: Sequence[str] = (),
    wild: Sequence[str] = (),
    forms: Collection[FormName] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> tuple[Reading, ...]:
    """Every reading of a hand of 3n+2 tiles (the winning tile included), those that need fewest wilds first.

    Empty when the hand is not complete. Arguments and errors as in `is_win`; HandError also for a natural tile held
    more than four times, which the reading tables do not hold.
    """
    view, held = view_of(hand, melds, wild, policy)
    known: dict[FormName, WinForm] = {
        "standard": standard(),
        "seven_pairs": pairs(four_as_two=four_as_two_pairs),
        "thirteen_orphans": thirteen_orphans(),
    }
    exposed = tuple(format_tiles(parse_tiles(meld)) for meld in melds)
    found = [
        _reading(name, row, view, held, exposed)
        for name in _ORDER
        if name in forms
        for row in known[name].read(view, 0)
    ]
    return tuple(sorted(found, key=lambda reading: reading.wilds_needed))


_ORDER: Final[tuple[FormName, ...]] = ("standard", "seven_pairs", "thirteen_orphans")


def view_of(
    hand: str, melds: Sequence[str], wild: Sequence[str], policy: WildPolicy
) -> tuple[View, tuple[int, int, int, int]]:
    """A written hand of 3n+2 tiles as win forms look at it, and the planes of the wild kinds held."""
    lifted = wild_codes(tuple(wild))
    tiles = lift(parse_tiles(hand), frozenset(KIND_OF[code] for code in lifted))
    read_melds(melds, wild)
    check_tile_count(hand, sum(tiles.counts) + tiles.wilds, len(melds), left_over=2)
    planes = meld_columns(tuple((_kind_of(meld), meld) for meld in melds)).planes
    return View(tiles.counts, tiles.keys, tiles.wilds, len(melds), policy, EVERY_KIND, planes), tiles.wild_held


def _kind_of(meld: str) -> str:
    codes = [KIND_OF[code] for code in parse_tiles(meld)]
    if len(codes) == 4:
        return "kong"
    return "pung" if len(set(codes)) == 1 else "chow"


def _reading(form: str, row: Row, view: View, held: tuple[int, int, int, int], exposed: tuple[str, ...]) -> Reading:
    counts = composition(row)
    stands = [
        kind
        for kind, (count, natural) in enumerate(zip(counts, view.counts, strict=True))
        for _ in range(count - natural)
    ]
    own = sum((wild & has).bit_count() for wild, has in zip(held, row[5:9], strict=True))
    sets = concealed_sets(row) if form == "standard" else pairs_of(row) if form == "seven_pairs" else []
    pair = format_tiles([row.pair, row.pair]) if row.pair != NO_PAIR else None
    return Reading(form, (*sets, *exposed), pair, tuple(NAMES[kind] for kind in stands), view.wilds - own)
