"""The engine: rounds in, results out."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeVar

import msgspec

from mjsettle import results
from mjsettle.batch import judge_batch
from mjsettle.checks import read_round, too_many_wilds
from mjsettle.course import run, win_faults
from mjsettle.errors import FactError, Fault, HandError, MjsettleError, RuleError
from mjsettle.hand_batch import HandBatch, ScoreBatch, score_batch
from mjsettle.hands import Hand, Situation, make_hand
from mjsettle.judge import Judgement, judge, waits_before
from mjsettle.ledger import Book, Refused, Win
from mjsettle.manager import Registry
from mjsettle.round_parts import ReadRound
from mjsettle.rounds import Round, Unreadable, decode_round, round_of
from mjsettle.rule_sets import RuleSets
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import CODES, KINDS, NAMES

BATCH_LEAST: Final = 16
"""From so many wins of one rule set on, judging by columns is faster than one by one."""

CHUNK: Final = 4096
"""How many rounds are settled together; it bounds the memory of a long file."""

_T = TypeVar("_T")
_encode: Final = msgspec.json.Encoder().encode


@dataclass(slots=True)
class _Job:
    """A round on its way: what was read of it, and either its rule set or the answer that it gets."""

    read: ReadRound | None
    ruleset: RuleSet | None
    answer: dict[str, Any] | None
    hands: list[Hand]


class Engine:
    """Settles rounds under the installed rule sets. Safe to keep for the life of a process; not for threads."""

    def __init__(self, plugins: Iterable[object] | None = None) -> None:
        """plugins: plugin modules to use instead of the installed ones."""
        self.wilds_max: int | None = None
        """More wild tiles in one hand are refused `too_many_wilds`; None: any number is judged, exactly, however long
        it takes (readings grow fivefold with each). For whoever settles strangers' rounds; tables play 8 at most."""
        self.registry = Registry(plugins)
        self._rule_sets = RuleSets(self.registry)

    def rules(self) -> list[str]:
        """The names of the rule sets, sorted."""
        return sorted(self.registry.rules)

    def supports(self, rule: str, edition: str | None = None) -> bool:
        """Whether this engine has the rule set, in this edition if one is named."""
        found = self.registry.rules.get(rule)
        return found is not None and (edition is None or edition in found.editions)

    def rule_set(
        self, name: str, options: Mapping[str, Any] | None = None, edition: str | None = None, seats: int | None = None
    ) -> RuleSet:
        """The compiled rule set for these switches. RuleError lists everything that is wrong with the request."""
        found, faults = self._rule_sets.find(name, options or {}, edition, seats)
        if found is None:
            raise RuleError("; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        return found

    def request_faults(
        self, name: str, options: Mapping[str, Any] | None = None, edition: str | None = None
    ) -> list[Fault]:
        """Everything that is wrong with a request for a rule set; empty where `rule_set` answers it."""
        return self._rule_sets.find(name, options or {}, edition, None)[1]

    def score(
        self,
        rule: str,
        hands: HandBatch,
        options: Mapping[str, Any] | None = None,
        edition: str | None = None,
        seats: int | None = None,
    ) -> ScoreBatch:
        """Score winning hands without rounds: fans and totals by columns. RuleError as in `rule_set`.

        HandError when the rule set has kinds that are wild in every round and the hands were read without them.
        """
        ruleset = self.rule_set(rule, options, edition, seats)
        missing = sorted(code for code in ruleset.wild if code < KINDS and not hands.wild >> code & 1)
        if missing:
            named = ", ".join(repr(NAMES[code]) for code in missing)
            raise HandError(f"{named} is always wild under rule {rule!r}; read the hands with wild=[{named}]")
        return score_batch(ruleset, hands)

    def settle(self, rounds: Iterable[Round | Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Settle rounds (wire dicts or Rounds); one wire result each, in order. Nothing is raised for a bad round.

        What a plugin raises is raised, and no round of this call is answered; see `mjsettle.isolation`.
        """
        answers: list[dict[str, Any]] = []
        for some in _chunks(list(rounds)):
            with _collector_paused():
                answers += self._settle([self._prepare_any(found) for found in some])
        return answers

    def settle_json(self, lines: bytes, first_line: int = 1) -> bytes:
        """Settle JSON lines; one JSON line each, in order. A line that is no round is answered with its number.

        Empty lines at the end are no rounds; any other empty line is answered as unreadable. Lines are numbered from
        `first_line`, so that a file may come in pieces. What a plugin raises is raised, as in `settle`.
        """
        return b"\n".join([*self.settle_lines(numbered_lines(lines, first_line)), b""])

    def settle_lines(self, numbered: Sequence[tuple[int, bytes]]) -> list[bytes]:
        """Settle (number, JSON line) pairs; one JSON line each, without line feeds. See `settle_json`."""
        written: list[bytes] = []
        for some in _chunks(numbered):
            with _collector_paused():
                answers = self._settle([self._prepare_line(line, number) for number, line in some])
                written += [_encode(answer) for answer in answers]
        return written

    def publish(self, settled: Sequence[dict[str, Any]]) -> None:
        """Hand results to every plugin's sink (`result_sinks`). What a sink raises is raised; they stay settled."""
        for sink in self.registry.sinks:
            sink(settled)

    def _prepare_line(self, line: bytes, number: int) -> _Job:
        try:
            return self._prepare(decode_round(line))
        except Unreadable as error:
            answer = self._unreadable(error)
            if error.id is None:
                answer["line"] = number
            return _Job(None, None, answer, [])

    def _unreadable(self, error: Unreadable) -> dict[str, Any]:
        """The answer to what is no round, with the faults that its sound part has besides."""
        further: list[Fault] = []
        if error.sound is not None:
            answer = self._prepare(error.sound).answer or {"errors": []}
            further = [Fault(**fault) for fault in answer["errors"]]
        return results.refused(error.id, error.faults + [fault for fault in further if not error.concerns(fault)])

    def _prepare_any(self, found: Round | Mapping[str, Any]) -> _Job:
        if isinstance(found, Round):
            return self._prepare(found)
        try:
            return self._prepare(round_of(found))
        except Unreadable as error:
            return _Job(None, None, self._unreadable(error), [])

    def _prepare(self, round: Round) -> _Job:
        ruleset, faults = self._rule_sets.find(round.rule, round.options, round.edition, len(round.players))
        read = read_round(round, ruleset or self._stand_in(round, faults))
        faults = faults + read.faults
        if ruleset is None or faults:
            return _Job(read, ruleset, results.refused(round.id, faults), [])
        try:
            hands = [self._hand(read, ruleset, win) for win in read.wins]
        except MjsettleError as error:
            return _Job(read, ruleset, results.refused(round.id, [Fault("bad_hand", "players", str(error))]), [])
        if self.wilds_max is not None and (faults := too_many_wilds(read, hands, self.wilds_max)):
            return _Job(read, ruleset, results.refused(round.id, faults), [])
        return _Job(read, ruleset, None, hands)

    def hands_of(self, found: Round | Mapping[str, Any]) -> tuple[RuleSet, list[tuple[Win, Hand]]]:
        """The rule set of a round and its wins with their hands, as they are judged. Refused lists every fault."""
        job = self._prepare_any(found)
        if job.answer is not None or job.ruleset is None or job.read is None:
            raise Refused([Fault(**fault) for fault in (job.answer or {}).get("errors", ())])
        return job.ruleset, list(zip(job.read.wins, job.hands, strict=True))

    def _stand_in(self, round: Round, faults: Sequence[Fault]) -> RuleSet | None:
        """The rule set without what is faulty in the request for it: the round's other faults are found by it."""
        rule = self.registry.rules.get(round.rule)
        if rule is None:
            return None
        faulty = {fault.field for fault in faults}
        options = {key: value for key, value in round.options.items() if f"options.{key}" not in faulty}
        seats = len(round.players) if len(round.players) in rule.seats else None
        return self._rule_sets.find(round.rule, options, None, seats)[0]

    def _hand(self, read: ReadRound, ruleset: RuleSet, win: Win) -> Hand:
        round, seat = read.round, win.seat
        situation = Situation(
            win.self_draw,
            win.how,
            (seat - round.dealer) % len(round.players),
            CODES[round.round_wind] - CODES["1z"],
            round.streak,
            read.flowers[seat],
        )
        codes, melds, tile, keys = read.judged_as(win, ruleset)
        wild = read.wild_for(win, ruleset)
        facts = {fact.name: fact.fn(round, win) for fact in ruleset.facts}
        for name, value in facts.items():
            if not isinstance(value, int):  # a batch would cut 1.5 to 1, a single hand would not
                raise FactError(f"rule {round.rule!r}: fact {name!r} answers {value!r}, expected a whole number")
        return make_hand(codes, tile, melds, wild, situation, ruleset.policy, ruleset.faces, facts, keys)

    def _settle(self, jobs: Sequence[_Job]) -> list[dict[str, Any]]:
        by_rule_set: dict[int, list[_Job]] = {}
        for job in jobs:
            if job.answer is None:
                by_rule_set.setdefault(id(job.ruleset), []).append(job)
        for group in by_rule_set.values():
            self._judge_all(group)
        return [job.answer if job.answer is not None else self._finish(job) for job in jobs]

    def _judge_all(self, jobs: Sequence[_Job]) -> None:
        ruleset = jobs[0].ruleset
        assert ruleset is not None
        hands = [hand for job in jobs for hand in job.hands]
        wins = [win for job in jobs if job.read for win in job.read.wins]
        one_by_one = len(hands) < BATCH_LEAST
        found = [judge(ruleset, hand) for hand in hands] if one_by_one else judge_batch(ruleset, hands)
        for win, judgement in zip(wins, found, strict=True):
            win.judgement = judgement

    def _finish(self, job: _Job) -> dict[str, Any]:
        read, ruleset = job.read, job.ruleset
        assert read is not None
        assert ruleset is not None
        round = read.round
        faults: list[Fault] = []
        for win in read.wins:
            if win.judgement is None or not win.judgement.qualifies:
                faults += win_faults(read, ruleset, win)
        if faults:
            return results.refused(round.id, read.as_sent(faults))
        book = Book(
            round,
            ruleset.options,
            lambda win: self._judge_now(read, ruleset, win),
            lambda seat, put_away=None: self._waits_now(read, ruleset, seat, put_away),
            robbed=read.robbed,
        )
        try:
            next_round = run(book, ruleset, read.wins)
            if book.faults:
                return results.refused(round.id, read.as_sent(book.faults))
            return results.settled(ruleset, book, next_round)
        except Refused as refusal:
            return results.refused(round.id, read.as_sent(refusal.faults))

    def _judge_now(self, read: ReadRound, ruleset: RuleSet, win: Win) -> Judgement | None:
        if read.hands[win.seat] is None:
            _hand_unknown(win.seat)
        win.judgement = judge(ruleset, self._hand(read, ruleset, win))
        return win.judgement

    def _waits_now(self, read: ReadRound, ruleset: RuleSet, seat: int, put_away: int | None = None) -> tuple[int, int]:
        written = read.hands[seat]
        if written is None:
            _hand_unknown(seat)
        # The winning tile is taken away again before the waits are asked for: any tile will do of which fewer than
        # four are held.
        any_tile = next(kind for kind in range(34) if written.codes.count(kind) < 2 and kind not in read.wild)
        hand = self._hand(read, ruleset, Win(seat, any_tile, None, frozenset(), None, put_away=put_away))
        return waits_before(ruleset, hand)


def numbered_lines(lines: bytes, first_line: int = 1) -> list[tuple[int, bytes]]:
    """The lines with their numbers; empty lines at the end are none."""
    split = lines.split(b"\n")
    while split and not split[-1].strip():
        split.pop()
    return list(enumerate(split, first_line))


def _chunks(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    return (items[start : start + CHUNK] for start in range(0, len(items), CHUNK))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Spare the cycle collector the walk over a chunk's rounds: they hold no cycles and are gone when it is done."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _hand_unknown(seat: int) -> NoReturn:
    message = "missing; the reckoning at the end of this round needs it"
    raise Refused([Fault("hand_unknown", f"players[{seat}].hand", message)])


def load(plugins: Iterable[object] | None = None) -> Engine:
    """An engine with every installed rule set (or with the given plugin modules). PluginError when one is faulty."""
    return Engine(plugins)


__all__ = ["Engine", "load", "numbered_lines"]
