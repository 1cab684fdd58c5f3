"""Winning hands as arrays, scored without rounds: for simulations, statistics and anything that has hands by the
thousand. `Engine.score` takes a `HandBatch` and answers with a `ScoreBatch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.batch import Scores, chunks, score_columns
from mjsettle.columns import INPUTS, NO_PAIR
from mjsettle.errors import HandError
from mjsettle.hand_columns import (
    PLANES,
    Meld,
    MeldSets,
    before_winning,
    remainders_of,
    tile_columns,
    wild_held_columns,
)
from mjsettle.judge import wants_waits
from mjsettle.keys import parse_batch, split_wild, suit_keys_batch, wild_codes
from mjsettle.readings import Ints, View
from mjsettle.ready import planes_of, ready_masks_batch
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import KIND_OF, KINDS

_HAND_COLUMNS: Final = frozenset(column.name for column in INPUTS if column.level == "hand")
_NO_MELDS: Final = MeldSets([()])


@dataclass
class HandBatch:
    """N winning hands.

    counts: (N, 34) natural concealed tiles, the winning tile included; held: the same with wild tiles as their own
    kinds; wilds: (N,) wild tiles, jokers included; win: (N,) kind of the winning tile, 34 where it has none; win_wild:
    (N,) whether it is wild; wild: mask of the wild kinds; melds: the sets of melds that occur, each once; meld_of: (N,)
    which of them a hand has. situation: hand columns (self_draw, seat_wind, a plugin's facts …), each a number for all
    hands or one per hand; missing ones are 0, but self_draw is 1.
    """

    counts: NDArray[np.uint8]
    held: NDArray[np.uint8]
    wilds: NDArray[np.uint8]
    win: Ints
    win_wild: NDArray[np.bool_]
    wild: int
    melds: MeldSets
    meld_of: Ints
    situation: Mapping[str, Any]

    @classmethod
    def read(
        cls,
        hands: Sequence[str],
        wins: Sequence[str],
        melds: Sequence[Sequence[Meld]] | None = None,
        wild: Sequence[str] = (),
        **situation: Any,
    ) -> HandBatch:
        """Read hands (without the winning tile), winning tiles and melds in wire notation, by array operations.

        Raises NotationError and HandError for what cannot be read, naming the first such hand.
        """
        if len(wins) != len(hands) or (melds is not None and len(melds) != len(hands)):
            found = f"{len(hands)} hands, {len(wins)} winning tiles" + (f", {len(melds)} melds" if melds else "")
            raise HandError(f"found {found}; give one of each for every hand")
        drawn = parse_batch(wins)
        if len(wins) and (drawn.sum(axis=1) != 1).any():
            at = int(np.flatnonzero(drawn.sum(axis=1) != 1)[0])
            raise HandError(f"winning tile {at}: found {wins[at]!r}, expected exactly one tile")
        batch, _ = split_wild(parse_batch(hands) + drawn, wild)
        code = drawn.argmax(axis=1) if len(wins) else np.zeros(0, np.intp)
        kind = np.array(KIND_OF, np.int64)[code]
        lifted = wild_codes(tuple(wild))
        known, meld_of = _NO_MELDS, np.zeros(len(hands), np.int64)
        if melds is not None:
            known, meld_of = MeldSets.each_once([tuple(own) for own in melds])
        return cls(
            batch.counts,
            batch.held,
            batch.wilds,
            np.where(kind < KINDS, kind, NO_PAIR),
            np.isin(code, sorted(lifted)),
            sum(1 << kind for kind in lifted if kind < KINDS),
            known,
            meld_of,
            {name: _situation_column(value, len(hands)) for name, value in situation.items()},
        )

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def keys(self) -> NDArray[np.intp]:
        """(N, 4) suit keys of the natural tiles."""
        return suit_keys_batch(self.counts)

    @cached_property
    def columns(self) -> dict[str, Ints]:
        """The hand columns that do not depend on a rule set."""
        n = len(self)
        found = tile_columns(self.counts, self.melds.columns(self.meld_of))
        nothing = np.zeros(n, np.int64)
        wild_held = planes_of(self.held - self.counts) if self.wild and self.wilds.any() else (nothing,) * 4
        found.update(wild_held_columns(wild_held))
        found["wilds"] = self.wilds.astype(np.int64)
        held = [np.bitwise_count(found[f"concealed{level}"]) for level in PLANES]
        found["hand_tiles"] = (held[0] + held[1] + held[2] + held[3]).astype(np.int64) + found["wilds"]
        found["win_tile"], found["win_wild"] = self.win, self.win_wild.astype(np.int64)
        for name, value in {"self_draw": 1, **self.situation}.items():
            found[name] = _situation_column(value, n)
        found.setdefault("dealer", (found["seat_wind"] == 0) * 1 if "seat_wind" in found else np.ones(n, np.int64))
        return found

    def view(self, at: int, ruleset: RuleSet) -> View:
        """One hand as win forms look at it."""
        m, p, s, z = self.keys[at].tolist()
        melds = self.melds[int(self.meld_of[at])]
        counts = tuple(self.counts[at].tolist())
        wilds = int(self.wilds[at])
        return View(counts, (m, p, s, z), wilds, melds.melds, ruleset.policy, ruleset.faces, melds.planes)

    def part(self, start: int, stop: int) -> HandBatch:
        """The hands from `start` up to `stop`."""
        situation = {name: value[start:stop] if np.ndim(value) else value for name, value in self.situation.items()}
        return HandBatch(
            self.counts[start:stop],
            self.held[start:stop],
            self.wilds[start:stop],
            self.win[start:stop],
            self.win_wild[start:stop],
            self.wild,
            self.melds,
            self.meld_of[start:stop],
            situation,
        )


def _situation_column(value: Any, n: int) -> Ints:
    found = np.asarray(value, np.int64)
    return found if found.shape == (n,) else np.broadcast_to(found, (n,))


@dataclass(frozen=True)
class ScoreBatch:
    """What N hands are worth.

    won: (N,) whether the hand wins legally; qualifies: (N,) and reaches the minimum; total, score: (N,), 0 where it
    does not win; prefer: (N,) what decided between readings of equal score and total. times: (fans, N) how often each
    fan counts, in the order of `fan_ids`.
    """

    ruleset: RuleSet
    won: NDArray[np.bool_]
    qualifies: NDArray[np.bool_]
    total: Ints
    score: Ints
    times: NDArray[np.int8]
    prefer: Ints

    @property
    def fan_ids(self) -> tuple[str, ...]:
        """The ids of the fans, in the order of `times`."""
        return tuple(fan.id for fan in self.ruleset.fans)

    def fan_names(self) -> list[list[str]]:
        """For each hand the names of its fans, each repeated as often as it counts."""
        names = np.array([fan.name for fan in self.ruleset.fans], object)
        fans, n = self.times.shape
        by_hand = np.ascontiguousarray(self.times.T).reshape(-1)
        at = np.flatnonzero(by_hand != 0)
        often = by_hand[at]
        if (often != 1).any():
            at = np.repeat(at, often)
        hand, fan = np.divmod(at, max(fans, 1))
        listed = names[fan].tolist()
        ends = np.cumsum(np.bincount(hand, minlength=n)).tolist()
        return [listed[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def score_batch(ruleset: RuleSet, batch: HandBatch) -> ScoreBatch:
    """Judge a batch of hands, in chunks whose columns stay in the processor's cache."""
    n = len(batch)
    fans = len(ruleset.fans)
    found = ScoreBatch(
        ruleset,
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros((fans, n), np.int8),
        np.zeros(n, np.int64),
    )
    for chunk in chunks(batch.wilds.astype(np.int64)):
        start = chunk.start
        part = batch if chunk == slice(0, n) else batch.part(start, chunk.stop)
        scores = _score_part(ruleset, part)
        # A slice where every hand wins: it is several times faster than a list of places.
        whole = len(scores.hands) == len(part)
        at: Any = slice(start, start + len(part)) if whole else scores.hands + start
        found.won[at] = True
        found.qualifies[at] = scores.qualifies
        found.total[at], found.score[at] = scores.total, scores.score
        found.times[:, at], found.prefer[at] = scores.times, scores.prefer
    return found


def _score_part(ruleset: RuleSet, batch: HandBatch) -> Scores:
    n = len(batch)
    columns = dict(batch.columns)
    if wants_waits(ruleset):
        columns["waits"], columns["formal_waits"] = _waits(ruleset, batch)
    for name in ruleset.program.hand_inputs:
        if name not in columns:
            if name not in _HAND_COLUMNS and not any(fact.name == name for fact in ruleset.facts):
                raise HandError(f"the rule set asks for the column {name!r}; give it with the batch")
            columns[name] = np.zeros(n, np.int64)
    return score_columns(ruleset, columns, batch.keys, remainders_of(batch.counts), lambda at: batch.view(at, ruleset))


def _waits(ruleset: RuleSet, batch: HandBatch) -> tuple[Ints, Ints]:
    before = before_winning(ruleset, batch.counts, batch.columns)
    counts = before["counts"]
    held = before["held"] = batch.held.copy()
    kinds = np.flatnonzero(batch.win < KINDS)
    held[kinds, batch.win[kinds]] -= 1

    def view_before(at: int) -> View:
        view = batch.view(at, ruleset)
        own = counts[at : at + 1]
        m, p, s, z = suit_keys_batch(own)[0].tolist()
        return view._replace(counts=tuple(own[0].tolist()), keys=(m, p, s, z), wilds=int(before["wilds"][at]))

    def each(at: int, form: int) -> int:
        raise HandError(
            f"the win form {ruleset.forms[form].id!r} tells no waits of its own, which a rule set that asks for waits "
            "needs in batches of bare hands; give it `ready`"
        )

    wild = np.full(len(batch), batch.wild, np.int64)
    return ready_masks_batch(ruleset.forms, ruleset.policy, ruleset.faces, before, wild, view_before, each)


__all__ = ["HandBatch", "Meld", "ScoreBatch", "score_batch"]
