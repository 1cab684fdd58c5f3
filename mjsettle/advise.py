"""Which tile to discard: for each, how far the hand is from ready, what it accepts, what its wins would bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.acceptance import JOKER_AT, Distances
from mjsettle.chances import Step, chance_of_one, chance_of_two
from mjsettle.errors import HandError
from mjsettle.forms import check_tile_count, read_melds
from mjsettle.keys import COPIES, wild_codes
from mjsettle.tiles import JOKER, KIND_OF, KINDS, NAMES, format_tiles, parse_tiles
from mjsettle.worth import Table, Win

DRAWS: Final = 6
"""Own draws within which the chance to be ready is told, unless said otherwise."""

Codes = tuple[int, ...]
_KIND: Final = np.array(KIND_OF, np.intp)


@dataclass(frozen=True, slots=True)
class Advice:
    """What discarding one tile leads to.

    shanten: by the shapes of the rule set (0 is ready). accepts: the tiles that bring the hand one step nearer (at
    shanten 0: that complete it), each with its live copies, those that are neither held nor seen; live: all of them.
    ready_chance: to be ready within the draws asked for, drawing from the unseen tiles, keeping to these steps and
    discarding for the widest next one; None from three steps away on.
    points: at shanten 0 what each completing tile would bring on a self-draw, 0 where the rule set refuses the win.
    expected_points: those points, averaged over the live copies; at shanten 1 over the accepted tiles, each followed by
    the discard with the best waits; None further away, or without a rule set.
    """

    discard: str
    shanten: int
    accepts: Mapping[str, int]
    live: int
    ready_chance: float | None
    points: Mapping[str, int]
    expected_points: float | None


def advise(
    hand: str,
    melds: Sequence[str] = (),
    wild: Sequence[str] = (),
    *,
    seen: str = "",
    draws: int = DRAWS,
    table: Table | None = None,
) -> tuple[Advice, ...]:
    """Advice on every discard from a hand of 3n+2 concealed tiles, the best first: nearest, then widest, then richest.

    melds, wild: as in `shanten`; with a table its seat's melds, the wild kinds and the tiles in play are the table's,
    and these are left out. seen: tiles that lie open (discards, others' melds where the table has none, indicators).
    Raises NotationError and HandError as `shanten` does.
    """
    if table is not None:
        if melds or wild:
            raise HandError("found melds or wild tiles beside a table; the table's round tells them")
        melds, wild = [meld.tiles for meld in table.player.melds], table.wild
    codes = tuple(parse_tiles(hand))
    check_tile_count(hand, len(codes), len(melds), left_over=2)
    outlook = _Outlook(codes, melds, wild, parse_tiles(seen), draws, table)
    return tuple(sorted(outlook.advice(), key=_order))


def _order(advice: Advice) -> tuple[float, ...]:
    return advice.shanten, -(advice.ready_chance or 0), -advice.live, -(advice.expected_points or 0)


class _Outlook:
    """One hand looked at: its table, the unseen tiles, and the distances of hands near it.

    Hands are sorted tuples of codes. Kinds are 0..33; 34 stands for the joker.
    """

    def __init__(
        self,
        codes: Codes,
        melds: Sequence[str],
        wild: Sequence[str],
        seen: Sequence[int],
        draws: int,
        table: Table | None,
    ) -> None:
        self.codes = codes
        self.wild_names = tuple(wild)
        lifted = wild_codes(self.wild_names)
        self.is_wild = np.array([kind in lifted for kind in range(KINDS)] + [False] * (43 - KINDS))
        self.is_wild[JOKER] = True
        self.melded = bool(read_melds(melds, wild))
        self.table = table
        self.draws = draws
        self.measure = _measure(table, self.wild_names)
        own = (*codes, *(code for meld in melds for code in parse_tiles(meld)))
        self.own_left = _left([COPIES] * KINDS + [0] if table is None else table.copies(codes), own)
        # Others' melds lie open as well.
        self.live = _left(self.own_left, (*seen, *(table.others_melded() if table else ())))
        self.unseen = sum(self.live)
        self.comes = np.flatnonzero(np.array(self.own_left) > 0)

    def advice(self) -> list[Advice]:
        discards = list(dict.fromkeys(sorted(self.codes, key=lambda code: (KIND_OF[code], code))))
        hands = [_without(self.codes, code) for code in discards]
        distances, accepted = self.distances(hands), self.accepted(hands)
        brought = self._brought(hands)
        found = []
        for at, code in enumerate(discards):
            shanten, accepts = int(distances[at]), accepted[at]
            points: dict[int, int] = brought[at] if brought is not None else {}
            if points and shanten:  # ready in a form that only the rule set knows
                shanten, accepts = 0, np.isin(np.arange(KINDS + 1), list(points))
            found.append(self._advice(code, hands[at], shanten, accepts, points))
        return found

    def _advice(
        self, code: int, hand: Codes, shanten: int, accepts: NDArray[np.bool_], points: dict[int, int]
    ) -> Advice:
        kinds = np.flatnonzero(accepts).tolist()
        live = sum(self.live[kind] for kind in kinds)
        chance: float | None = None
        expected: float | None = None
        if shanten <= 0:
            chance = 1.0
            expected = self._mean(points, self.live) if self.table is not None else None
        elif shanten == 1:
            chance = chance_of_one(self.unseen, live, self.draws)
            expected = self._expected_next(hand, kinds) if self.table is not None else None
        elif shanten == 2:
            chance = self._chance_of_two(hand, accepts)
        return Advice(
            NAMES[code],
            shanten,
            {_name(kind): self.live[kind] for kind in kinds},
            live,
            chance,
            {_name(kind): worth for kind, worth in points.items()},
            expected,
        )

    def _arrays(self, hands: Sequence[Codes]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Natural tiles (N, 34) and numbers of wilds (N,) of hands of one size."""
        kinds = _KIND[np.array(hands, np.intp).reshape(len(hands), -1)]
        wild = self.is_wild[kinds]
        counts = np.zeros((len(hands), 43), np.uint8)
        np.add.at(counts, (np.arange(len(hands))[:, None], kinds), ~wild)
        return np.ascontiguousarray(counts[:, :KINDS]), wild.sum(axis=1, dtype=np.uint8)

    def distances(self, hands: Sequence[Codes]) -> NDArray[np.int8]:
        """The shanten numbers of hands of one size."""
        return self.measure.of(*self._arrays(hands), self.melded)

    def accepted(self, hands: Sequence[Codes]) -> NDArray[np.bool_]:
        """(hands, 35): whether a tile of this kind, own copies allowing, brings a hand one step nearer."""
        found = np.zeros((len(hands), KINDS + 1), np.bool_)
        found[:, self.comes] = self.measure.accepted(*self._arrays(hands), self.comes.tolist(), self.melded)
        return found

    def _brought(self, hands: Sequence[Codes]) -> list[dict[int, int]] | None:
        """For each hand the kinds that complete it under the rule set, and what they bring; None without a table."""
        if self.table is None:
            return None
        kinds = self.comes.tolist()
        wins = [Win(format_tiles(hand), _name(kind)) for hand in hands for kind in kinds]
        brought = iter(self.table.bring(wins))
        told = [{kind: next(brought) for kind in kinds} for _ in hands]
        return [{kind: one.points for kind, one in each.items() if one.complete} for each in told]

    def _next_hands(self, hand: Codes, kind: int, distance: int) -> list[Codes]:
        """The hands of this distance that follow a draw of this kind, each once."""
        drawn = tuple(sorted((*hand, _code(kind))))
        after = [_without(drawn, code) for code in dict.fromkeys(drawn)]
        numbers = self.distances(after)
        return [hand for hand, number in zip(after, numbers.tolist(), strict=True) if number == distance]

    def _live_after(self, kind: int) -> list[int]:
        return [live - (at == kind) for at, live in enumerate(self.live)]

    def _chance_of_two(self, hand: Codes, accepts: NDArray[np.bool_]) -> float:
        live = np.array(self.live)
        steps = []
        for kind in np.flatnonzero(accepts & (live > 0)).tolist():
            after = np.array(self._live_after(kind))
            options = self.accepted(self._next_hands(hand, kind, 1))
            widest = options[int(np.argmax(options @ after))]
            steps.append(Step(self.live[kind], int(after[widest].sum()), int(after[widest & accepts].sum())))
        return chance_of_two(self.unseen, int(live[accepts].sum()), steps, self.draws)

    def _expected_next(self, hand: Codes, kinds: Sequence[int]) -> float:
        """Points to expect one step before ready: of every accepted tile, the discard with the best waits."""
        assert self.table is not None
        ready = {kind: self._next_hands(hand, kind, 0) for kind in kinds if self.live[kind]}
        every = list(dict.fromkeys(after for hands in ready.values() for after in hands))
        waits = dict(zip(every, self.accepted(every), strict=True)) if every else {}
        asked = [(after, wait) for after in every for wait in np.flatnonzero(waits[after]).tolist()]
        brought = self.table.bring([Win(format_tiles(after), _name(wait)) for after, wait in asked])
        points: dict[Codes, dict[int, int]] = {after: {} for after in every}
        for (after, wait), one in zip(asked, brought, strict=True):
            points[after][wait] = one.points
        total = weight = 0.0
        for kind, hands in ready.items():
            live = self._live_after(kind)
            best = max(hands, key=lambda after: self._sum(points[after], live), default=None)
            total += self.live[kind] * (self._mean(points[best], live) if best is not None else 0.0)
            weight += self.live[kind]
        return total / weight if weight else 0.0

    @staticmethod
    def _sum(points: Mapping[int, int], live: Sequence[int]) -> int:
        return sum(worth * live[kind] for kind, worth in points.items())

    def _mean(self, points: Mapping[int, int], live: Sequence[int]) -> float:
        copies = sum(live[kind] for kind in points)
        return self._sum(points, live) / copies if copies else 0.0


def _measure(table: Table | None, wild: tuple[str, ...]) -> Distances:
    """Distances by those forms of the rule set that are told by table."""
    if table is None:
        return Distances(wild)
    special = {form.id for form in table.ruleset.forms} & {"seven_pairs", "thirteen_orphans"}
    return Distances(wild, frozenset(special | {"standard"}), table.pairs_of_four)


def _left(copies: Sequence[int], gone: Sequence[int]) -> list[int]:
    left = list(copies)
    for code in gone:
        at = JOKER_AT if code == JOKER else KIND_OF[code]
        if at <= KINDS:
            left[at] = max(0, left[at] - 1)
    return left


def _without(codes: Codes, code: int) -> Codes:
    at = codes.index(code)
    return tuple(sorted((*codes[:at], *codes[at + 1 :])))


def _code(kind: int) -> int:
    return JOKER if kind == JOKER_AT else kind


def _name(kind: int) -> str:
    return NAMES[_code(kind)]


def as_dict(advice: Advice) -> dict[str, Any]:
    """Advice as JSON has it."""
    return {
        "discard": advice.discard,
        "shanten": advice.shanten,
        "accepts": dict(advice.accepts),
        "live": advice.live,
        "ready_chance": advice.ready_chance,
        "points": dict(advice.points),
        "expected_points": advice.expected_points,
    }
