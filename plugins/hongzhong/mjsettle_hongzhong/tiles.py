"""Which tiles are in play (sheet section 1)."""

from __future__ import annotations

from typing import Final

from mjsettle.options import Options
from mjsettle.rules import tile_set
from mjsettle.tiles import CODES

ZHONG: Final = CODES["7z"]


def tiles_of(options: Options, seats: int) -> tuple[int, ...]:
    """How many there are of each kind under these options."""
    if options.tiles == "full":
        return tile_set()
    suits = tile_set(honours="")
    return (*suits[:ZHONG], options.zhong, *suits[ZHONG + 1 :]) if options.tiles == "suits" else suits
