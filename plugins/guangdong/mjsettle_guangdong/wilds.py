"""Which tiles are wild (鬼牌), from the switch and the turned tile (sheet section 2).

Where a tile is turned the round names the wild tiles, which rooms find with `wild_of`; fixed ones are always wild.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.tiles import CODES, FIRST_FLOWER, FIRST_HONOUR, KIND_OF, NAMES

GHOSTS: Final = ("none", "bai", "hongzhong", "fan1", "fan2", "hua4", "hua8")
_FIXED: Final = {"none": "", "bai": "5z", "hongzhong": "7z", "hua4": "1f 2f 3f 4f", "hua8": "1f 2f 3f 4f 5f 6f 7f 8f"}
# 东南西北中发白, then 东 again.
_HONOURS: Final = ("1z", "2z", "3z", "4z", "7z", "6z", "5z")


def wild_of(ghost: str, indicator: str | None = None) -> tuple[str, ...]:
    """The wild tiles under the switch `ghost`, in wire notation; `indicator` is the turned tile of fan1 and fan2.

    ValueError when the switch is unknown, or when a turned tile is missing or is none that has a next tile.
    """
    if ghost in _FIXED:
        return tuple(_FIXED[ghost].split())
    if ghost not in GHOSTS:
        raise ValueError(f"found ghost {ghost!r}, expected one of {', '.join(GHOSTS)}")
    code = CODES.get(indicator or "")
    if code is None or indicator is None or KIND_OF[code] >= FIRST_FLOWER:
        raise ValueError(f"found the turned tile {indicator!r}; {ghost} needs a suited tile or an honour")
    first = next_tile(indicator)
    return (first,) if ghost == "fan1" else (first, next_tile(first))


def next_tile(name: str) -> str:
    """The tile after this one: 9 is followed by 1 of its suit, honours go round 东南西北中发白."""
    kind = KIND_OF[CODES[name]]
    if kind >= FIRST_HONOUR:
        return _HONOURS[(_HONOURS.index(name) + 1) % len(_HONOURS)]
    return NAMES[kind - kind % 9 + (kind % 9 + 1) % 9]


def always_wild(options: Options) -> tuple[str, ...]:
    """The tiles that are wild in every round: 白, 中 or the flowers where the switch fixes them."""
    return tuple(_FIXED.get(options.ghost, "").split())


def wild_kinds(round: Round, options: Options) -> frozenset[int]:
    """The kinds that are wild in this round."""
    return _kinds_named((*round.wild, *always_wild(options)))


def wild_faults(round: Round, options: Options) -> Sequence[Fault]:
    """`wild` contradicts the switch: it names others than the fixed tiles, or none that an indicator could tell."""
    names = list(dict.fromkeys(NAMES[KIND_OF[CODES[name]]] for name in round.wild))
    fixed = always_wild(options)
    if fixed and not set(names) <= {*fixed}:
        expected = f"nothing but {' '.join(fixed)}"
    elif options.ghost == "fan1" and len(names) != 1:
        expected = "the tile after the turned one"
    elif options.ghost == "fan2" and not (len(names) == 2 and _follow_each_other(*names)):
        expected = "the two tiles after the turned one"
    else:
        return ()
    found = " ".join(round.wild) or "nothing"
    return (Fault("contradictory", "wild", f"found {found}, expected {expected} (ghost {options.ghost})"),)


def _follow_each_other(first: str, second: str) -> bool:
    turnable = max(KIND_OF[CODES[first]], KIND_OF[CODES[second]]) < FIRST_FLOWER
    return turnable and (next_tile(first) == second or next_tile(second) == first)


@lru_cache(maxsize=1024)
def _kinds_named(names: tuple[str, ...]) -> frozenset[int]:
    return frozenset(KIND_OF[CODES[name]] for name in names)
