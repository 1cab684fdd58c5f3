"""Columns: the named facts about a hand and its readings that fans are written against.

A column is an integer per hand or per reading. Masks have one bit per tile kind (bit ``k`` = code ``k`` of
`mjsettle.tiles`). The same function text answers for a Python int and for a NumPy column of int64, so a column
function uses plain operators only: comparisons joined with ``&`` and ``|``, arithmetic, shifts, and the helpers below.
Never ``and``/``or``/``not``/``if`` (they ask for one truth value) and never ``~`` on a comparison (``~True`` is -2).

Input columns come from the core (`INPUTS`), derived columns are functions of other columns (`mjsettle.derived`); a
plugin adds its own with `Column`. A function's parameter names are column names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, Literal

import numpy as np

# A column is an int for one hand and an int64 array for a batch; the two cannot be told apart in one annotation
# without making every rule page unreadable.
Col = Any
Level = Literal["hand", "reading"]

NO_PAIR: Final = 34
"""The `pair` of a reading without one, and the `win_tile` of a winning tile that has no kind (a joker, a flower)."""


class Place(IntEnum):
    """Where the winning tile sits in a reading (column `place`)."""

    WHOLE = 0
    """A form without sets, where the question has no meaning."""
    PAIR = 1
    """In the pair."""
    LOW = 2
    """The lowest tile of a chow: 1 of 123."""
    MIDDLE = 3
    """The middle tile of a chow."""
    HIGH = 4
    """The highest tile of a chow."""
    PUNG = 5
    """In a pung."""


def bits(*kinds: int) -> int:
    """The mask of these kinds."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


def popcount(mask: Col) -> Col:
    """How many bits are set."""
    return mask.bit_count() if type(mask) is int else np.bitwise_count(mask).astype(np.int64)


def where(condition: Col, yes: Col, no: Col) -> Col:
    """`yes` where the condition holds, else `no`; both are computed."""
    return np.where(condition, yes, no) if isinstance(condition, np.ndarray) else (yes if condition else no)


def smaller(a: Col, b: Col) -> Col:
    """The smaller of two columns, place by place."""
    return np.minimum(a, b) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else min(a, b)


def larger(a: Col, b: Col) -> Col:
    """The larger of two columns, place by place."""
    return np.maximum(a, b) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else max(a, b)


def any_of(*columns: Col) -> Col:
    """Whether any of the columns is not 0, place by place; for many columns faster than joining them with |."""
    found: Col = False
    for column in columns:
        found = found | (column if getattr(column, "dtype", None) == np.bool_ else column != 0)
    return found


class Table(list[int]):
    """A small table of integers for `lookup`: a list for one hand, an array (`column`) for many."""

    def __init__(self, values: Iterable[int]) -> None:
        super().__init__(int(value) for value in values)
        self.column = np.array(self, np.int64)


def lookup(table: Table | np.ndarray[Any, Any] | Sequence[int], index: Col) -> Col:
    """Entry `index` of a one-dimensional table of integers, place by place; a Table is the fastest."""
    if isinstance(index, np.ndarray):
        column = table.column if isinstance(table, Table) else np.asarray(table)
        return column.take(index)
    return int(table[index])


CHARACTERS: Final = 0x1FF
"""1m to 9m."""
DOTS: Final = 0x1FF << 9
"""1p to 9p."""
BAMBOO: Final = 0x1FF << 18
"""1s to 9s."""
SUITED: Final = CHARACTERS | DOTS | BAMBOO
"""All three suits."""
WINDS: Final = 0xF << 27
"""1z to 4z."""
DRAGONS: Final = 0x7 << 31
"""5z to 7z."""
HONOURS: Final = WINDS | DRAGONS
"""1z to 7z."""
ONES: Final = 1 | 1 << 9 | 1 << 18
"""1m, 1p and 1s; shifted by rank - 1, the tiles of another rank."""
TERMINALS: Final = ONES | ONES << 8
"""The 1s and 9s of all suits."""
ORPHANS: Final = TERMINALS | HONOURS
"""Terminals and honours."""
SIMPLES: Final = SUITED & ~TERMINALS
"""The 2s to 8s of all suits."""
EVERY_KIND: Final = (1 << 34) - 1
"""All 34 kinds."""


def ranks(*numbers: int) -> int:
    """The mask of these ranks in all three suits."""
    mask = 0
    for number in numbers:
        mask |= ONES << (number - 1)
    return mask


CHOW_BITS: Final = 3
"""The width of one count in a chow field. A chow field is 21 counts in one integer, one for each start: the chow that
starts at rank r (1-7) of suit s (0 m, 1 p, 2 s) is count 7 * s + r - 1, from the lowest bits."""
CHOW_ONES: Final = sum(1 << (CHOW_BITS * start) for start in range(21))
"""The lowest bit of every count of a chow field."""


def chow_field(suit: int, rank: int) -> int:
    """The shift of the 3-bit count of the chow that starts at `rank` of `suit` (0 m, 1 p, 2 s)."""
    return CHOW_BITS * (7 * suit + rank - 1)


def chow_starts(*numbers: int) -> int:
    """The mask (3 bits wide each) of the chows that start at these ranks, in all three suits."""
    mask = 0
    for suit in range(3):
        for number in numbers:
            mask |= 7 << chow_field(suit, number)
    return mask


def chow_total(chows: Col) -> Col:
    """How many chows a chow column holds, equal ones counted each."""
    return popcount(chows & CHOW_ONES) + 2 * popcount(chows & (CHOW_ONES << 1)) + 4 * popcount(chows & (CHOW_ONES << 2))


@dataclass(frozen=True, slots=True)
class Column:
    """A derived column: `fn`'s parameters are the columns it is made of; its docstring is its documentation."""

    name: str
    fn: Callable[..., Col]

    @property
    def doc(self) -> str:
        return (self.fn.__doc__ or "").strip()


@dataclass(frozen=True, slots=True)
class Input:
    """A column that the core supplies: per hand or per reading."""

    name: str
    level: Level
    doc: str


def _inputs(level: Level, **docs: str) -> tuple[Input, ...]:
    return tuple(Input(name, level, doc) for name, doc in docs.items())


SITUATIONS: Final = (
    "kong_draw",
    "kong_discard",
    "rob_kong",
    "last_tile",
    "first_turn",
    "last_of_kind",
    "flower_draw",
    "kong_on_kong",
)
"""The words of `how` that are columns of their own."""

INPUTS: Final[tuple[Input, ...]] = (
    *_inputs(
        "hand",
        wilds="wild tiles among the concealed tiles and the winning tile",
        wild_held1="mask of the wild kinds of which the hand holds at least one copy (jokers have no kind)",
        wild_held2="the same for at least two copies",
        wild_held3="the same for at least three",
        wild_held4="the same for all four",
        natural1="mask of the kinds held at least once, melds and winning tile included, wild tiles not",
        natural2="the same for at least two copies",
        natural3="the same for at least three",
        natural4="the same for four",
        concealed1="mask of the kinds among the concealed tiles and the winning tile, wild tiles not",
        concealed2="the same for at least two copies",
        concealed3="the same for at least three",
        concealed4="the same for four",
        hand_tiles="how many tiles are concealed, the winning tile included",
        meld1="mask of the kinds in melds",
        meld2="the same for at least two copies",
        meld3="the same for at least three",
        meld4="the same for four",
        meld_chows="chow field of the melded chows",
        meld_pungs="mask of the melded pungs and of all kongs",
        open_kongs="mask of the kongs taken from a discard and of the added ones",
        added_kongs="mask of the added kongs",
        concealed_kongs="mask of the concealed kongs",
        melds="how many melds, concealed kongs included",
        open_melds="how many melds, concealed kongs not included",
        win_tile="kind of the winning tile, 34 where it has none (a joker, a flower)",
        win_wild="1 when the winning tile is a wild tile",
        self_draw="1 when the tile was drawn by the winner",
        **{name: f"1 when the win event's `how` names {name}" for name in SITUATIONS},
        dealer="1 when the winner is the dealer",
        seat_wind="0 east .. 3 north: how many seats after the dealer the winner sits",
        round_wind="0 east .. 3 north",
        streak="how often the deal was repeated before this round",
        flowers="mask of the flowers set aside: bit 0 = 1f .. bit 7 = 8f",
        waits="mask of the kinds that complete the hand without its winning tile, tiles held four times not counted",
        formal_waits="the same, tiles held four times counted",
    ),
    *_inputs(
        "reading",
        form="number of the win form in the rule set's table of forms",
        chows="chow field of the concealed chows",
        pungs="mask of the concealed pungs (melds not included)",
        twins="mask of the kinds of which the reading has a second concealed pung (fifth copies through wilds)",
        pair="kind of the pair, 34 without one",
        has1="mask of the kinds that the concealed tiles stand for, wilds included as what they stand for",
        has2="the same for at least two copies",
        has3="the same for at least three",
        has4="the same for at least four",
        shape="a number that a win form of a plugin attaches to its readings",
        place="where the winning tile sits: see Place",
        won="kind that the winning tile stands for, 34 where it stands for none",
    ),
)
