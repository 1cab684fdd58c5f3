"""The other readings of a winning hand: what each would have been worth, and why it was not taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from mjsettle.hands import Hand
from mjsettle.judge import JudgedRow, Judgement, judged_rows, judgement_of
from mjsettle.readings import Row
from mjsettle.results import reading_of
from mjsettle.ruleset import RuleSet

LostBy = Literal["", "illegal", "below_minimum", "score", "total", "preference", "order"]


@dataclass(frozen=True)
class Alternative:
    """One reading of a hand under a rule set.

    lost_by: "" for the reading that was taken, else why it was not: ``illegal`` (no legal win under the rule set),
    ``below_minimum`` to win, a smaller ``score`` (what readings are compared by), a smaller ``total`` at equal score,
    the rule set's ``preference``, or ``order``: worth the same in every respect, and read later.
    wilds_needed: how many wild tiles stand for a kind other than their own.
    """

    judgement: Judgement
    lost_by: LostBy
    wilds_needed: int

    def as_dict(self) -> dict[str, Any]:
        """Its form, sets, pair and fans as the wire has them, with total, score and `lost_by`."""
        judged = self.judgement
        melds = [tiles for _, tiles in judged.hand.melds]
        return {
            "form": judged.form,
            **reading_of(judged, melds),
            "fans": [
                {"id": fan.id, "name": fan.name, "value": value, "times": times}
                for fan, times, value in judged.counted
                if value or fan.listed_at_zero
            ],
            "total": judged.total,
            "score": judged.score,
            "wilds_needed": self.wilds_needed,
            "lost_by": self.lost_by,
        }


def alternatives(ruleset: RuleSet, hand: Hand, most: int | None = None) -> tuple[Alternative, ...]:
    """Every reading of a hand under a rule set, the one that is taken first, then the better ones first.

    Readings that people cannot tell apart (the same sets, pair, wilds and fans) are told once. Empty for a hand that
    has no reading. most: tell no more than so many; a hand with many wilds has thousands.
    """
    return tuple(islice(_told_once(ruleset, hand, _ranked(ruleset, hand)), most))


def _ranked(ruleset: RuleSet, hand: Hand) -> list[JudgedRow]:
    # Stable: what is read first stays first among equals.
    return sorted(judged_rows(ruleset, hand), key=_rank, reverse=True)


def _rank(judged: JudgedRow) -> tuple[bool, bool, int, int, int]:
    total, valid, qualifies, score, prefer = judged[3][-5:]
    return bool(valid), bool(qualifies), int(score), int(total), int(prefer)


def _told_once(ruleset: RuleSet, hand: Hand, rows: list[JudgedRow]) -> Iterator[Alternative]:
    seen: set[tuple[Any, ...]] = set()
    best: tuple[bool, bool, int, int, int] | None = None
    for judged in rows:
        rank = _rank(judged)
        if best is None and rank[0]:
            best = rank
            lost: LostBy = ""
        else:
            lost = _lost_by(rank, best)
        found = judgement_of(ruleset, hand, judged)
        shown = (found.form, *_shown(found), tuple((fan.id, times, value) for fan, times, value in found.counted))
        if shown not in seen:
            seen.add(shown)
            yield Alternative(found, lost, wilds_needed(hand, found.row))


def _shown(judged: Judgement) -> tuple[Any, ...]:
    reading = reading_of(judged, ())
    return tuple(reading["sets"]), reading["pair"], tuple(reading["wild_as"])


def _lost_by(rank: tuple[bool, bool, int, int, int], best: tuple[bool, bool, int, int, int] | None) -> LostBy:
    if not rank[0] or best is None:
        return "illegal"
    reasons: tuple[LostBy, ...] = ("illegal", "below_minimum", "score", "total", "preference")
    return next((why for why, own, taken in zip(reasons, rank, best, strict=True) if own != taken), "order")


def wilds_needed(hand: Hand, row: Row) -> int:
    """How many of the wild tiles stand for a kind other than their own."""
    own = sum((wild & has).bit_count() for wild, has in zip(hand.tiles.wild_held, row[5:9], strict=True))
    return hand.tiles.wilds - own


@dataclass(frozen=True)
class Hint:
    """Two readings of a complete hand: the legal one that spends fewest wild tiles, and the one that is taken, which
    pays most. Of readings that spend equally many, the better."""

    fewest_wilds: Alternative
    pays_most: Alternative


def hint(ruleset: RuleSet, hand: Hand) -> Hint | None:
    """The reading of a complete hand that spends fewest wilds and the one that pays most; None without a legal one."""
    legal = [judged for judged in _ranked(ruleset, hand) if judged[3][-4]]
    if not legal:
        return None
    fewest = min(legal, key=lambda judged: wilds_needed(hand, judged[0]))
    best = _rank(legal[0])

    def told(judged: JudgedRow) -> Alternative:
        lost: LostBy = "" if judged is legal[0] else _lost_by(_rank(judged), best)
        return Alternative(judgement_of(ruleset, hand, judged), lost, wilds_needed(hand, judged[0]))

    most = told(legal[0])
    return Hint(most if fewest is legal[0] else told(fewest), most)
