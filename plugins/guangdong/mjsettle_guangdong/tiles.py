"""Which tiles are in play (sheet section 1)."""

from __future__ import annotations

from mjsettle.options import Options
from mjsettle.rules import tile_set


def tiles_of(options: Options, seats: int) -> tuple[int, ...]:
    """How many there are of each kind under these options."""
    flowers = {"hua4": 4, "hua8": 8}.get(options.ghost, 0)
    if options.tiles == "no_honours":
        return tile_set("mps", honours="", flowers=flowers)
    if options.tiles == "no_characters":
        return tile_set("ps", flowers=flowers)
    if options.tiles == "two":
        return tile_set("m", flowers=flowers)
    return tile_set("mps", flowers=flowers)
