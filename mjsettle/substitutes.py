"""Tiles that count as others before a hand is judged: a white dragon as the face of the wild tile, a hidden wild."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mjsettle.tiles import format_tiles, parse_tiles

Tiles = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Substitutes:
    """What a seat's tiles count as in one round: code -> code; a tile that is not named counts as itself.

    held: the concealed tiles, the winning tile and the melds; drawn: the winning tile alone, before `held`. To make the
    winning tile wild for one seat only, let it count as the joker (`JOKER`), which is wild always.
    melded: the melds, where they differ from `held` (a wild tile laid down as its own face).
    wild: the kinds that are wild among what the tiles count as; None for the round's. Where another tile takes the
        face of the wild tile, the wild tile counts as the joker and its kind is wild no more.

    The room writes the tiles that lie on the table; they alone are counted, shown as the winning tile and paid for.
    What results show as sets is what the tiles count as. At most four concealed tiles of a kind may come of it, wild
    ones not counted; more are refused as `bad_hand`.
    """

    held: Tiles = field(default_factory=dict)
    drawn: Tiles = field(default_factory=dict)
    wild: frozenset[int] | None = None
    melded: Tiles | None = None

    def codes(self, codes: Iterable[int]) -> tuple[int, ...]:
        """What concealed tiles count as."""
        held = self.held
        return tuple(held.get(code, code) for code in codes)

    def winning(self, code: int) -> int:
        """What the winning tile counts as."""
        return self.drawn[code] if code in self.drawn else self.held.get(code, code)

    def text(self, tiles: str) -> str:
        """What a meld's tiles count as, in wire notation; NotationError as parse_tiles has it."""
        melded = self.held if self.melded is None else self.melded
        return format_tiles(melded.get(code, code) for code in parse_tiles(tiles)) if melded else tiles


NONE = Substitutes()
