"""赖子, 皮子 and 红中: which tiles have a part of their own (sheet section 1)."""

from __future__ import annotations

from typing import Final

from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.tiles import CODES, FIRST_FLOWER, FIRST_HONOUR, KIND_OF, NAMES

RED: Final = CODES["7z"]
# 东南西北发白, then 东 again; 红中 is skipped.
_HONOURS: Final = tuple(CODES[name] for name in ("1z", "2z", "3z", "4z", "6z", "5z"))


def wild_of(indicator: str) -> str:
    """The 赖子 when this tile is turned: the next tile. ValueError when it is none that has a next tile."""
    return NAMES[_step(_turned(indicator), 1)]


def pi_of(indicator: str, pi_count: str = "indicator_and_previous") -> tuple[str, ...]:
    """The 皮子 when this tile is turned: itself and, by the switch, the one before it; 红中 is none."""
    turned = _turned(indicator)
    found = [turned] if pi_count == "indicator" else [turned, _step(turned, -1)]
    return tuple(NAMES[kind] for kind in found if kind != RED)


def _turned(name: str) -> int:
    code = CODES.get(name)
    if code is None or KIND_OF[code] >= FIRST_FLOWER:
        raise ValueError(f"found the turned tile {name!r}, expected a suited tile or an honour")
    return KIND_OF[code]


def _step(kind: int, by: int) -> int:
    if kind < FIRST_HONOUR:
        return kind - kind % 9 + (kind % 9 + by) % 9
    if kind == RED:
        return CODES["6z"] if by > 0 else CODES["4z"]
    return _HONOURS[(_HONOURS.index(kind) + by) % len(_HONOURS)]


def turned_tile(round: Round) -> str | None:
    """The turned tile, where the round tells it."""
    found = round.indicator
    if isinstance(found, list):
        return found[0] if found else None
    return found


def wild_kinds(round: Round) -> frozenset[int]:
    """The kinds that are wild in this round."""
    return frozenset(KIND_OF[CODES[name]] for name in round.wild)


def pi_kinds(round: Round, options: Options) -> frozenset[int]:
    """The 皮子: those that the round names, else those that its turned tile or its 赖子 tells.

    发 is the 赖子 both after 北 and after 红中; then only what is 皮 in either case is told by it.
    """
    turned = turned_tile(round)
    if round.pi:
        names = tuple(round.pi)
    elif turned is not None:
        names = pi_of(turned, options.pi_count)
    elif not round.wild:
        names = ()
    else:
        wild = KIND_OF[CODES[round.wild[0]]]
        before = NAMES[_step(wild, -1)]
        names = pi_of(before, options.pi_count)
        if wild == CODES["6z"]:
            names = tuple(name for name in names if name in pi_of("7z", options.pi_count))
    return frozenset(KIND_OF[CODES[name]] for name in names)


def barred_kinds(round: Round, options: Options) -> frozenset[int]:
    """皮子 and 红中: no winning hand holds them."""
    return pi_kinds(round, options) | {RED}
