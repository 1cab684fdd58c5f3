"""What has been read of a round, so that nothing is parsed twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from mjsettle.errors import Fault, NotationError
from mjsettle.hand_deltas import Folded
from mjsettle.handtext import Written, read_written
from mjsettle.keys import Keys
from mjsettle.ledger import Win
from mjsettle.rewind import Melds
from mjsettle.rounds import Round
from mjsettle.substitutes import Substitutes
from mjsettle.tiles import CODES, parse_tiles

if TYPE_CHECKING:
    from mjsettle.ruleset import RuleSet


@dataclass(slots=True)
class ReadRound:
    """A round with its tiles parsed.

    hands: as written per seat, None where not known; melds: (kind, tiles) pairs per seat, as what their tiles count as;
    held: packed counts per seat of the tiles in hand and sound melds, as they lie on the table; wild: the wild kinds;
    wins: one per win event; robbed: numbers of the kong events that were robbed; earlier: hands and melds of wins
    before later kongs of their winner, by event number; substitutes: what tiles count as, per seat, None where no rule
    says so; folded: where hands were told by their changes, what `round` was made from.
    """

    round: Round
    hands: list[Written | None] = field(default_factory=list)
    melds: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    wild: frozenset[int] = frozenset()
    wins: list[Win] = field(default_factory=list)
    robbed: frozenset[int] = frozenset()
    faults: list[Fault] = field(default_factory=list)
    earlier: dict[int | None, tuple[tuple[int, ...], Melds]] = field(default_factory=dict)
    substitutes: list[Substitutes] | None = None
    folded: Folded | None = None

    def as_sent(self, faults: Sequence[Fault]) -> Sequence[Fault]:
        """Faults found in `round`, by the numbers of the events as they were sent."""
        return faults if self.folded is None else self.folded.as_sent(faults)

    def judged_as(self, win: Win, ruleset: RuleSet) -> tuple[tuple[int, ...], Melds, int, Keys | None]:
        """The concealed tiles (without the winning tile), melds and winning tile that a win is judged by, and the
        suit keys of the tiles where they are known."""
        hand = self.hands[win.seat]
        assert hand is not None
        codes, melds, keys = hand.codes, self.melds[win.seat], hand.keys
        if win.index in self.earlier:
            codes, melds = self.earlier[win.index]
            keys = None
        if win.put_away is not None:
            kept = list(codes)
            kept.remove(win.put_away)
            codes, keys = tuple(kept), None
        if ruleset.rule.substitutes is None:
            return codes, melds, win.tile, keys
        counted = ruleset.rule.substitutes(self.round, win, ruleset.options)
        return counted.codes(codes), melds, counted.winning(win.tile), None

    def wild_for(self, win: Win, ruleset: RuleSet) -> frozenset[int]:
        """The kinds that are wild in the winner's hand, among what its tiles count as."""
        if ruleset.rule.substitutes is None:
            return self.wild
        wild = ruleset.rule.substitutes(self.round, win, ruleset.options).wild
        return self.wild if wild is None else wild

    def fault(self, code: str, where: str, message: str) -> None:
        self.faults.append(Fault(code, where, message))

    def one_tile(self, name: str, where: str) -> int | None:
        """The code of a tile; a fault where it is none."""
        code = CODES.get(name)
        if code is None:
            self.fault("bad_tile", where, f"found {name!r}, expected one tile such as '5m', '0p', '7z', '2f' or '1x'")
        return code

    def some_tiles(self, text: str, where: str) -> tuple[int, ...]:
        """The codes of tiles; a fault, and none, where they cannot be read."""
        try:
            return tiles_of(text)
        except NotationError as error:
            self.fault("bad_tile", where, str(error))
            return ()

    def written(self, text: str, where: str) -> Written:
        """A hand; a fault, and an empty one, where it cannot be read."""
        try:
            return read_written(text)
        except NotationError as error:
            self.fault("bad_tile", where, str(error))
            return Written()

    def source_fault(self, source: int, seat: int | None, where: str) -> None:
        """Note what is wrong with the seat that a tile is said to come from."""
        if source >= len(self.round.players):
            self.fault("bad_seat", where, f"found seat {source}, expected 0..{len(self.round.players) - 1}")
        elif source == seat:
            self.fault("bad_seat", where, f"found seat {source}, the seat itself; expected another seat")


@lru_cache(maxsize=8192)
def tiles_of(text: str) -> tuple[int, ...]:
    """The codes of tiles whose text often repeats."""
    return tuple(parse_tiles(text))


__all__ = ["ReadRound", "tiles_of"]
