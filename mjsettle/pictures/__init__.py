"""Pictures of tiles and of rounds, as SVG that stands alone."""

from mjsettle.pictures.rounds import round_svg
from mjsettle.pictures.tiles import HEIGHT, WIDTH, sprite, tile_svg

__all__ = ["HEIGHT", "WIDTH", "round_svg", "sprite", "tile_svg"]
