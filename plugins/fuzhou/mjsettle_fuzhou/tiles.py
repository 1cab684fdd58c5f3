"""Flowers, the gold (金) and the tiles that stay undrawn (sheet sections 1 and 2)."""

from __future__ import annotations

from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.rules import tile_set
from mjsettle.tiles import CODES, FIRST_FLOWER, FIRST_HONOUR, KIND_OF, parse_tiles

GOLDS_IN_PLAY = 3
"""The turned copy of the gold is out of play."""


def tiles_of(options: Options, seats: int) -> tuple[int, ...]:
    """The tiles that hands may hold, and the flowers that are none of them."""
    if options.short_flowers:
        return tile_set(honours="")
    return tile_set(honours="" if options.honours_as_flowers else "1234567", flowers=8)


def honour_flowers(options: Options) -> str:
    """The honours that are set aside as flowers."""
    if options.short_flowers:
        return "12347z"
    return "1234567z" if options.honours_as_flowers else ""


def gold_of(turned: str, options: Options) -> str:
    """The gold when this tile is turned: its own kind. ValueError for a flower, which is never the gold."""
    code = CODES.get(turned)
    held_honours = not (options.honours_as_flowers or options.short_flowers)
    if code is None or KIND_OF[code] >= (FIRST_FLOWER if held_honours else FIRST_HONOUR):
        raise ValueError(f"found the turned tile {turned!r}, expected a tile that is no flower under these switches")
    return turned


def gold_kinds(round: Round) -> frozenset[int]:
    """The kind of the gold; empty where the round names none."""
    return frozenset(KIND_OF[CODES[name]] for name in round.wild)


def flower_total(round: Round, seat: int) -> int:
    """How many flowers a seat has set aside, honours among them."""
    return len(parse_tiles(round.players[seat].flowers or ""))


def reserve_tiles(options: Options, exposed_kongs: int, concealed_kongs: int) -> int:
    """How many wall tiles stay undrawn: one more for each exposed kong, two more for each concealed one."""
    return int(options.dead_wall) + exposed_kongs + 2 * concealed_kongs
