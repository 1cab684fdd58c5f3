"""Which tiles are wild (鬼牌), from the switch and the turned tile (sheet section 2).

A round names its wild tiles itself; rooms that turn an indicator find them with `wild_of`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

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


def wild_kinds(round: Round) -> frozenset[int]:
    """The kinds that are wild in this round."""
    return _kinds_named(tuple(round.wild)) if round.wild else _NONE


_NONE: Final[frozenset[int]] = frozenset()


@lru_cache(maxsize=1024)
def _kinds_named(names: tuple[str, ...]) -> frozenset[int]:
    return frozenset(KIND_OF[CODES[name]] for name in names)
