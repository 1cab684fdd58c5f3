"""The melds of a seat: read, checked, and as hand columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mjsettle.columns import chow_field
from mjsettle.errors import HandError
from mjsettle.rules import MELD_KINDS
from mjsettle.tiles import FIRST_HONOUR, KIND_OF, KINDS, parse_tiles


class MeldColumns(NamedTuple):
    """The melds of a seat as hand columns."""

    chows: int = 0
    pungs: int = 0
    open_kongs: int = 0
    added_kongs: int = 0
    concealed_kongs: int = 0
    planes: tuple[int, int, int, int] = (0, 0, 0, 0)
    melds: int = 0


@lru_cache(maxsize=8192)
def parse_meld(kind: str, tiles: str) -> tuple[int, ...]:
    """The kinds of a meld's tiles, sorted; HandError when they do not form that meld."""
    codes = parse_tiles(tiles)
    kinds = tuple(sorted(KIND_OF[code] for code in codes))
    size = 3 if kind in ("chow", "pung") else 4
    if kind not in MELD_KINDS:
        raise HandError(f"found meld kind {kind!r}, expected one of {', '.join(MELD_KINDS)}")
    if any(code >= KINDS for code in kinds):
        raise HandError(f"found {tiles!r}, but a meld holds numbered tiles and honours only")
    if kind == "mixed_kong":
        if len(kinds) < 3 or kinds[0] == kinds[-1]:
            raise HandError(f"found {tiles!r}, expected at least three tiles, not all equal, for a mixed kong")
        return kinds
    if kind == "chow":
        first = kinds[0] if kinds else 0
        if len(kinds) != 3 or kinds != (first, first + 1, first + 2) or first >= FIRST_HONOUR or first % 9 > 6:
            raise HandError(f"found {tiles!r}, expected three consecutive tiles of one suit for a chow")
    elif len(kinds) != size or len(set(kinds)) != 1:
        raise HandError(f"found {tiles!r}, expected {size} equal tiles for a {kind}")
    return kinds


@lru_cache(maxsize=16_384)
def meld_columns(melds: tuple[tuple[str, str], ...]) -> MeldColumns:
    """The columns of melds given as (kind, tiles) pairs."""
    chows = pungs = open_kongs = added = concealed = 0
    counts = [0] * KINDS
    for kind, tiles in melds:
        kinds = parse_meld(kind, tiles)
        for code in kinds:
            counts[code] += 1
        first = kinds[0]
        if kind == "mixed_kong":
            continue
        if kind == "chow":
            chows += 1 << chow_field(first // 9, first % 9 + 1)
            continue
        pungs |= 1 << first
        if kind == "concealed_kong":
            concealed |= 1 << first
        elif kind != "pung":
            open_kongs |= 1 << first
            if kind == "added_kong":
                added |= 1 << first
    return MeldColumns(chows, pungs, open_kongs, added, concealed, planes34(counts), len(melds))


def planes34(counts: Sequence[int]) -> tuple[int, int, int, int]:
    """Four masks: the kinds with at least 1, 2, 3 and 4 copies."""
    one = two = three = four = 0
    for kind, count in enumerate(counts):
        if count:
            bit = 1 << kind
            one |= bit
            if count > 1:
                two |= bit
                if count > 2:
                    three |= bit
                    if count > 3:
                        four |= bit
    return one, two, three, four
