"""Judge entries and apply them: the one path that live batches, single rounds and parts all take."""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import redis

from mjsettle.isolation import JUDGE_FAILED
from mjsettle_workers import applied
from mjsettle_workers.entries import Entry, Sent, fault, first_difference
from mjsettle_workers.judge import Judge, JudgeError, is_lacking, refusal
from mjsettle_workers.keys import DAY_S, Keys
from mjsettle_workers.settings import Settings
from mjsettle_workers.store import DeadLetter, Problem, Store
from mjsettle_workers.tally import Tally
from mjsettle_workers.tracing import IDS_MAX, span, tracing

log = logging.getLogger(__name__)

REASON_CHARS_MAX = 4_000


@dataclass(slots=True)
class Desk:
    """Everything that settling needs, for one worker."""

    connection: redis.Redis
    keys: Keys
    settings: Settings
    judge: Judge
    store: Store
    consumer: str
    suspects: set[str] = field(default_factory=set)
    """Digests of rounds that are tried alone only."""
    condemned: set[str] = field(default_factory=set)
    """Ids of rounds at which the judge failed: looked up before they are judged again."""
    counts: Counter[str] = field(default_factory=Counter)
    """What this process did; hooks for metrics read it."""
    tally: Tally = field(default_factory=Tally)
    """Answers by rule set, and histograms."""


class Outcome:
    """What became of a list of entries."""

    __slots__ = ("done", "failed", "waiting")

    def __init__(self) -> None:
        self.done = 0
        self.failed: list[Entry] = []
        """Entries at which the judge failed; still pending."""
        self.waiting: list[Entry] = []
        """Entries of ordered rooms whose turn has not come; still pending."""


def settle_entries(desk: Desk, entries: Sequence[Entry], *, look_up: bool = False) -> Outcome:
    """Judge and apply entries that this worker holds.

    With ``look_up`` an id that the store knows is not judged again, as for all that are condemned: a round that ends
    its worker and is sent again must not end another.

    A judge that raises costs nobody else: each entry is then judged alone, those that fail alone are returned, and the
    others are applied in one step, since a step may cost a sync of the server's file.
    Raises redis errors as they come; what was not applied then is still pending.
    """
    outcome = Outcome()
    if not entries:
        return outcome
    judged = list(entries)
    try:
        statuses = _judge(desk, entries, look_up)
    except JudgeError as error:
        judged, statuses = _judge_alone(desk, entries, look_up, outcome, error)
    if judged:
        _apply(desk, judged, statuses, outcome)
    return outcome


def _judge_alone(
    desk: Desk, entries: Sequence[Entry], look_up: bool, outcome: Outcome, error: JudgeError
) -> tuple[list[Entry], list[list[str]]]:
    """Those entries, with their statuses, at which the judge does not fail; the others go to ``outcome.failed``."""
    judged: list[Entry] = []
    statuses: list[list[str]] = []
    for entry in entries:
        try:
            if len(entries) == 1:
                raise error
            statuses += _judge(desk, [entry], look_up)
            judged.append(entry)
        except JudgeError:
            entry.reason = traceback.format_exc(limit=-12)
            outcome.failed.append(entry)
    return judged, statuses


def _judge(desk: Desk, entries: Sequence[Entry], look_up: bool) -> list[list[str]]:
    rounds = [sent for entry in entries for sent in entry.rounds]
    ids = {sent.id for sent in rounds if sent.id is not None and (look_up or sent.id in desk.condemned)}
    known = desk.store.results(ids) if ids else {}
    asked = [sent for sent in rounds if sent.id not in known] if known else rounds
    desk.tally.batch.add(len(rounds))
    before_s, before = desk.judge.judging_s, desk.judge.judged
    told = {"rounds": len(rounds)} | ({"ids": [sent.id or "" for sent in rounds[:IDS_MAX]]} if tracing() else {})
    with span("judge", **told):
        found = iter(desk.judge.answer(asked))
    if desk.judge.judged > before:
        desk.tally.judging.add(desk.judge.judging_s - before_s)
    statuses = []
    for entry in entries:
        # For what is known the store gives its own answer, or says that the body differs.
        pairs = [(known[sent.id], "refused") if sent.id in known else next(found) for sent in entry.rounds]
        entry.answers = [answer for answer, _ in pairs]
        statuses.append([status for _, status in pairs])
        entry.lacking = {i for i, pair in enumerate(pairs) if is_lacking(*pair)}
        for i, sent in enumerate(entry.rounds):
            if sent.id is None:
                entry.answers[i] = _nameless(entry.answers[i], entry)
    return statuses


def _nameless(answer: bytes, entry: Entry) -> bytes:
    """The answer to a round whose id cannot be read: it names the entry, which is all that sender and queue share."""
    told = msgspec.json.decode(answer)
    told.pop("line", None)
    return msgspec.json.encode({"id": None, "entry": entry.entry, **{k: v for k, v in told.items() if k != "id"}})


def _apply(desk: Desk, entries: list[Entry], statuses: list[list[str]], outcome: Outcome) -> None:
    """Apply, turning what the store objects to into answers, until nothing is left that can be applied now."""
    done: list[applied.Applied] = []
    while entries:
        with span("apply", entries=len(entries)):
            problems = {problem.entry: problem for problem in desk.store.apply(entries, statuses)}
        outcome.done += len(entries) - len(problems)
        done += [(entry, statuses[i]) for i, entry in enumerate(entries) if i not in problems]
        again: list[int] = []
        for i, problem in problems.items():
            if problem.what == "wait":
                outcome.waiting.append(entries[i])
            elif problem.what == "gone":
                desk.counts["gone"] += 1
            else:
                statuses[i][problem.round] = _objection(desk, entries[i], problem)
                again.append(i)
        entries, statuses = [entries[i] for i in again], [statuses[i] for i in again]
    applied.note(desk, done)
    applied.publish(desk, done)


def _objection(desk: Desk, entry: Entry, problem: Problem) -> str:
    """Write the answer to a round that the store will not file; returns its status."""
    sent = entry.rounds[problem.round]
    entry.fixed.add(problem.round)
    if problem.what == "differs":
        body, _, stored = problem.stored.partition(b"\n")
        where = first_difference(body, sent.body)
        told = f"the id was {_what_stands(stored)}; that round differs at {where}"
        entry.answers[problem.round] = refusal(sent, [fault("exists_with_different", where, told)], "conflict")
        return "conflict"
    first = desk.store.floor_day() * DAY_S
    told = f"found a day before {first}, the first second that is still remembered; settling it could pay twice"
    entry.answers[problem.round] = refusal(sent, [fault("too_old", "ended_at", told)])
    return "refused"


def _what_stands(stored: bytes) -> str:
    """What another round under the same id came to, and what to do about it."""
    answer = msgspec.json.decode(stored)
    if answer.get("status") == "settled":
        return "settled with another round, whose stored result stands"
    if any(error.get("code") == JUDGE_FAILED for error in answer.get("errors", ())):
        return "refused before, with another round that is among the dead letters, and an operator may settle that yet"
    return "refused before, with another round, and nothing was paid: send the corrected round under a new id"


def bury(desk: Desk, entry: Entry, reason: str, deliveries: int) -> bool:
    """Move a round at which the judge failed to the dead letters and answer it; False if it was not pending any more.

    The answer is stored under the id, so that resending the round does not end one worker after another.
    """
    reason = reason[-REASON_CHARS_MAX:]
    entry.suspect = True
    entry.lacking.clear()  # found before, when it waited for its turn; this refusal is stored
    told = "the judge failed at this round; an operator finds it among the dead letters"
    for _ in range(2):  # the second time with what the store objects to
        entry.answers = [
            entry.answers[i] if i in entry.fixed else _dead_answer(sent, told) for i, sent in enumerate(entry.rounds)
        ]
        problems = desk.store.apply([entry], [["refused"] * len(entry.rounds)], DeadLetter(reason, deliveries))
        if not problems:
            desk.counts["dead"] += 1
            applied.note(desk, [(entry, ["refused"] * len(entry.rounds))])
            desk.condemned.update(sent.id for sent in entry.rounds if sent.id)
            told_last = reason.splitlines()[-1]
            extra = {"round_id": entry.rounds[0].id, "entry": entry.entry}
            log.warning("entry %s is dead after %d deliveries: %s", entry.entry, deliveries, told_last, extra=extra)
            return True
        if problems[0].what in ("gone", "wait"):
            return False
        _objection(desk, entry, problems[0])
    return False


def _dead_answer(sent: Sent, told: str) -> bytes:
    return refusal(sent, [*sent.faults, fault(JUDGE_FAILED, "", told)])
