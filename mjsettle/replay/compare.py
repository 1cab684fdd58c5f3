"""Two answers to one round, compared, and many such comparisons tallied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from mjsettle.isolation import JUDGE_FAILED
from mjsettle.rounds import Round

Answer = Mapping[str, Any]
LARGEST: Final = 100
"""How many of the largest differences are kept whole."""
SAME: Final = "same"
KINDS: Final = ("points", "now_refused", "now_settled", "reading", "next", "errors")
"""What may differ: the points; the status; at equal points the wins or payments; the next round; why it is refused."""
_STAMPS: Final = ("edition", "fingerprint", "line")


class Change(Struct, frozen=True, kw_only=True):
    """What is to be different: switches laid over a round's own, another edition. `rules`: only rounds of these."""

    options: dict[str, Any] = {}
    edition: str | None = None
    rules: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether rounds are judged as they are."""
        return not self.options and self.edition is None

    def concerns(self, round: Round) -> bool:
        return not self.rules or round.rule in self.rules

    def of(self, round: Round) -> Round:
        """The round with the change. A changed preset does not undo single switches of the round."""
        edition = round.edition if self.edition is None else self.edition
        return msgspec.structs.replace(round, options={**round.options, **self.options}, edition=edition)

    def of_wire(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The same for a wire round."""
        found = {**record, "options": {**record.get("options", {}), **self.options}}
        return found if self.edition is None else {**found, "edition": self.edition}


class Difference(Struct):
    """One round that is answered differently. moved: points of each seat, after less before."""

    line: int
    id: str | None
    rule: str
    kind: str
    moved: list[int]
    before: dict[str, Any]
    after: dict[str, Any]
    round: dict[str, Any]

    @property
    def size(self) -> tuple[int, int]:
        """By what differences are ranked, the largest least: points moved, then the order of the rounds."""
        return -sum(map(abs, self.moved)), self.line

    def short(self) -> dict[str, Any]:
        """As a line of the list of all differences."""
        told = {"line": self.line, "id": self.id, "rule": self.rule, "kind": self.kind, "moved": self.moved}
        return told | {"before": _short(self.before), "after": _short(self.after)}


def _failure(answer: Answer) -> str:
    """What a plugin raised at a round, where it did."""
    errors = answer.get("errors", ())
    return next((error["message"] for error in errors if error["code"] == JUDGE_FAILED), "") if errors else ""


def _short(answer: Answer) -> dict[str, Any]:
    if answer.get("status") != "settled":
        return {"status": answer.get("status"), "errors": [error["code"] for error in answer.get("errors", ())]}
    wins = [
        {"seat": win["seat"], "total": win.get("total"), "points": win.get("points"), "fans": _fans(win)}
        for win in answer.get("wins", ())
    ]
    return {"status": "settled", "edition": answer.get("edition"), "deltas": answer["deltas"], "wins": wins}


def _fans(win: Answer) -> dict[str, int]:
    return {fan["name"]: fan["value"] * fan["times"] for fan in win.get("fans", ())}


def kind_of(before: Answer, after: Answer) -> str:
    """What differs between two answers: SAME or one of KINDS. Editions and fingerprints are not compared."""
    if _unstamped(before) == _unstamped(after):
        return SAME
    settled = before.get("status") == "settled", after.get("status") == "settled"
    if settled == (True, False):
        return "now_refused"
    if settled == (False, True):
        return "now_settled"
    if settled == (False, False):
        return SAME if _codes(before) == _codes(after) else "errors"
    if before["deltas"] != after["deltas"] or before.get("table", 0) != after.get("table", 0):
        return "points"
    if _plain(before) == _plain(after):
        return SAME
    rest = [{key: value for key, value in _plain(answer).items() if key != "next"} for answer in (before, after)]
    return "next" if rest[0] == rest[1] else "reading"


def _codes(answer: Answer) -> list[tuple[str, str]]:
    return sorted((error["code"], error["field"]) for error in answer.get("errors", ()))


def _plain(answer: Answer) -> dict[str, Any]:
    """The answer as JSON gives it back, without what stamps it."""
    return _unstamped(msgspec.json.decode(msgspec.json.encode(answer)))


def _unstamped(answer: Answer) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key not in _STAMPS}


def moved_points(before: Answer, after: Answer, seats: int) -> list[int]:
    """Points of each seat, after less before; a refused round moves nothing."""
    sides = [answer.get("deltas") or [0] * seats for answer in (before, after)]
    return [new - old for old, new in zip(*sides, strict=True)]


class RuleTally(Struct):
    """Of the rounds of one rule set: how many, by what differs, and the points moved.

    gained: per seat, after less before, summed; moved: per seat, the same without signs; sizes: how many rounds by the
    largest number of points that a seat gained or lost; fans: times that a fan counted before and after, in the rounds
    that differ.
    """

    rounds: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    gained: list[int] = field(default_factory=lambda: [0] * 4)
    moved: list[int] = field(default_factory=lambda: [0] * 4)
    sizes: dict[int, int] = field(default_factory=dict)
    fans: dict[str, list[int]] = field(default_factory=dict)

    @property
    def changed(self) -> int:
        return sum(self.kinds.values())

    def add(self, other: RuleTally) -> None:
        self.rounds += other.rounds
        for kind, count in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
        for size, count in other.sizes.items():
            self.sizes[size] = self.sizes.get(size, 0) + count
        self.gained = [own + more for own, more in zip(self.gained, other.gained, strict=True)]
        self.moved = [own + more for own, more in zip(self.moved, other.moved, strict=True)]
        for name, times in other.fans.items():
            own = self.fans.setdefault(name, [0, 0])
            own[0] += times[0]
            own[1] += times[1]


class Tally(Struct):
    """What a replay has found so far. unreadable: lines that are no rounds; left_alone: rounds of other rule sets;
    unanswered: rounds without a recorded result that can be read; failed: rounds at which a plugin raised, before the
    change or after it, and failure: what the first of them was answered."""

    rules: dict[str, RuleTally] = field(default_factory=dict)
    unreadable: int = 0
    left_alone: int = 0
    unanswered: int = 0
    failed: int = 0
    failure: str = ""
    largest: list[Difference] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        return sum(rule.rounds for rule in self.rules.values())

    @property
    def changed(self) -> int:
        return sum(rule.changed for rule in self.rules.values())

    @property
    def lines(self) -> int:
        """Every line that was looked at."""
        return self.rounds + self.unreadable + self.left_alone + self.unanswered

    def count(self, rule: str, kind: str) -> RuleTally:
        """Count one round that was judged both ways."""
        tally = self.rules.setdefault(rule, RuleTally())
        tally.rounds += 1
        if kind != SAME:
            tally.kinds[kind] = tally.kinds.get(kind, 0) + 1
        return tally

    def note(self, difference: Difference) -> None:
        """Count the points and fans of a difference, and keep it if it is among the largest."""
        tally = self.rules[difference.rule]
        for seat, points in enumerate(difference.moved):
            tally.gained[seat] += points
            tally.moved[seat] += abs(points)
        size = _rounded(max(map(abs, difference.moved), default=0))
        tally.sizes[size] = tally.sizes.get(size, 0) + 1
        for at, answer in enumerate((difference.before, difference.after)):
            for win in answer.get("wins", ()):
                for fan in win.get("fans", ()):
                    tally.fans.setdefault(fan["name"], [0, 0])[at] += fan["times"]
        self.largest.append(difference)
        if len(self.largest) >= 4 * LARGEST:
            self._keep_largest()

    def _keep_largest(self) -> None:
        self.largest = sorted(self.largest, key=lambda one: one.size)[:LARGEST]

    def add(self, other: Tally) -> None:
        """Take in the tally of other rounds."""
        for name, tally in other.rules.items():
            self.rules.setdefault(name, RuleTally()).add(tally)
        self.unreadable += other.unreadable
        self.left_alone += other.left_alone
        self.unanswered += other.unanswered
        self.failed += other.failed
        self.failure = self.failure or other.failure
        self.largest += other.largest
        self._keep_largest()

    def summary(self) -> dict[str, Any]:
        """Counts and points, as JSON has them."""
        return {
            "rounds": self.rounds,
            "changed": self.changed,
            "unreadable": self.unreadable,
            "left_alone": self.left_alone,
            "unanswered": self.unanswered,
            "failed": self.failed,
            "rules": {
                name: {
                    "rounds": rule.rounds,
                    "changed": rule.changed,
                    "kinds": rule.kinds,
                    "gained": rule.gained,
                    "moved": rule.moved,
                    "fans": {fan: {"before": old, "after": new} for fan, (old, new) in rule.fans.items() if old != new},
                }
                for name, rule in sorted(self.rules.items())
            },
        }


def _rounded(size: int) -> int:
    """Two digits of a large number: what is counted stays small however many rounds there are."""
    magnitude = 1
    while size // magnitude >= 1_000:
        magnitude *= 10
    return size // magnitude * magnitude


def tallied(
    triples: Iterable[tuple[int, Round, Answer, Answer]], lines: Sequence[bytes], first: int
) -> tuple[Tally, list[dict[str, Any]]]:
    """Compare (line number, round, before, after) and answer the tally with every difference in short."""
    tally = Tally()
    shorts = []
    for number, round, before, after in triples:
        kind = SAME if before == after else kind_of(before, after)
        tally.count(round.rule, kind)
        if told := _failure(before) or _failure(after):
            tally.failed += 1
            tally.failure = tally.failure or f"{round.id}: {told}"
        if kind == SAME:
            continue
        moved = moved_points(before, after, len(round.players))
        found = Difference(
            number,
            round.id,
            round.rule,
            kind,
            moved,
            dict(before),
            dict(after),
            msgspec.json.decode(lines[number - first]),
        )
        tally.note(found)
        shorts.append(found.short())
    tally._keep_largest()
    return tally, shorts
