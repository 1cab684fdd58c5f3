"""Which tiles are in play (sheet section 1)."""

from __future__ import annotations

from typing import Final

from mjsettle.options import Options
from mjsettle.rules import tile_set
from mjsettle.tiles import CODES

ZHONG: Final = CODES["7z"]


def tiles_of(options: Options, seats: int) -> tuple[int, ...]:
    """How many there are of each kind under these options."""
    copies = list(tile_set(honours="1234567" if options.tiles == "full" else ""))
    if options.tiles == "suits":
        copies[ZHONG] = options.zhong
    return tuple(copies)
