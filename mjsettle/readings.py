"""Every way to read a complete hand: the rows that fans are judged on.

A reading is a `Row` of integers (see `mjsettle.columns.INPUTS` for what each one means). One hand is read by
`standard_rows`, a batch by `mjsettle.reading_batch`; a conformance test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjsettle.columns import EVERY_KIND, Col
from mjsettle.suits import SuitReading, planes, suit_readings
from mjsettle.wildcards import FREE, WildPolicy

Ints = npt.NDArray[np.int64]
Way = tuple[int, int, int, int, int]
"""How wilds are spread: the suit of the pair, then the wilds in m, p, s and z."""


class Row(NamedTuple):
    """One reading; the fields are the reading columns of the same name.

    A form without sets leaves `chows`, `pungs` and `twins` 0; `pair` is NO_PAIR where it has none. `has1` to `has4` say
    in every form which kinds the concealed tiles stand for (`mjsettle.suits.planes` makes them from 34 counts).
    """

    form: int
    chows: int
    pungs: int
    twins: int
    pair: int
    has1: int
    has2: int
    has3: int
    has4: int
    shape: int = 0


ROW_COLUMNS: Final = Row._fields


class View(NamedTuple):
    """What a win form may look at: the concealed tiles with the winning tile, wilds lifted out."""

    counts: tuple[int, ...]
    """How many of each of the 34 kinds are held, wild tiles not counted."""
    keys: tuple[int, int, int, int]
    """The same per suit (m, p, s, z) as a base-5 number, the lowest rank first."""
    wilds: int
    """How many wild tiles are held."""
    melds: int
    """How many sets are melded, kongs included."""
    policy: WildPolicy = FREE
    """What wild tiles may do."""
    faces: int = EVERY_KIND
    """Mask of the kinds that a wild tile may stand for."""
    meld_planes: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Masks of the kinds in melds, held at least once, twice, three and four times."""

    @property
    def tiles(self) -> int:
        """How many tiles are concealed, wilds included."""
        return sum(self.counts) + self.wilds


def with_tile(view: View, kind: int, wild: int) -> View:
    """The view after a tile of this kind is added."""
    if wild >> kind & 1:
        return view._replace(wilds=view.wilds + 1)
    counts = list(view.counts)
    counts[kind] += 1
    keys = list(view.keys)
    keys[kind // 9] += 5 ** (kind % 9)
    return view._replace(counts=tuple(counts), keys=(keys[0], keys[1], keys[2], keys[3]))


@lru_cache(maxsize=4096)
def distributions(remainders: tuple[int, int, int, int], wilds: int) -> tuple[Way, ...]:
    """The ways to spread all wilds over the suits so that each is whole sets, one of them with the pair.

    remainders: tile counts of the suits modulo 3. Each way is (pair suit, wilds in m, p, s, z). Since a suit must
    come out at 0 or 2 modulo 3, only multiples of three wilds are free.
    """
    ways = []
    for pair_suit in range(4):
        least = [(-r) % 3 if suit != pair_suit else (2 - r) % 3 for suit, r in enumerate(remainders)]
        spare = wilds - sum(least)
        if spare < 0 or spare % 3:
            continue
        for triples in product(range(spare // 3 + 1), repeat=4):
            if sum(triples) * 3 == spare:
                a, b, c, d = (w + 3 * t for w, t in zip(least, triples, strict=True))
                ways.append((pair_suit, a, b, c, d))
    return tuple(ways)


def standard_rows(view: View, form: int) -> list[Row]:
    """All readings of a hand as sets and one pair."""
    policy, faces, keys = view.policy, view.faces, view.keys
    counts = view.counts
    remainders = (sum(counts[:9]) % 3, sum(counts[9:18]) % 3, sum(counts[18:27]) % 3, sum(counts[27:]) % 3)
    rows: list[Row] = []
    for pair_suit, *spread in distributions(remainders, view.wilds):
        parts: list[tuple[SuitReading, ...]] = []
        for suit in range(4):
            found = suit_readings(
                keys[suit], spread[suit], suit == pair_suit, suit == 3, policy, faces >> 9 * suit & 0x1FF
            )
            if not found:
                break
            parts.append(found)
        else:
            rows.extend(_merge(form, pair_suit, m, p, s, z) for m, p, s, z in product(*parts))
    if policy.fifth_copy == "melds" and view.wilds and view.meld_planes[0]:
        natural = planes(list(view.counts))
        rows = [row for row in rows if not fifth_with_melds(row[5:9], view.meld_planes, natural)]
    return rows


def _merge(form: int, pair_suit: int, m: SuitReading, p: SuitReading, s: SuitReading, z: SuitReading) -> Row:
    pair = (m, p, s, z)[pair_suit].pair + 9 * pair_suit
    return Row(
        form,
        m[0] | p[0] << 21 | s[0] << 42,
        m[1] | p[1] << 9 | s[1] << 18 | z[1] << 27,
        m[2] | p[2] << 9 | s[2] << 18 | z[2] << 27,
        pair,
        m[4] | p[4] << 9 | s[4] << 18 | z[4] << 27,
        m[5] | p[5] << 9 | s[5] << 18 | z[5] << 27,
        m[6] | p[6] << 9 | s[6] << 18 | z[6] << 27,
        m[7] | p[7] << 9 | s[7] << 18 | z[7] << 27,
    )


def fifth_with_melds(has: Sequence[Col], meld: Sequence[Col], natural: Sequence[Col]) -> Col:
    """The kinds of which a wild is a fifth copy when own melds are counted; each argument is four masks (planes)."""
    m1, m2, m3, m4 = meld
    # Five natural copies are not the wilds' doing, so only copies that a wild adds are asked for.
    one, two, three, four = (held & ~real for held, real in zip(has, natural, strict=True))
    return (one & m4) | (two & m3) | (three & m2) | (four & m1)
