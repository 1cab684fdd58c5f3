"""The judge as the workers call it: loaded by name, watched by a timer, and never believed without a look."""

from __future__ import annotations

import faulthandler
import hashlib
import importlib
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, cast

import msgspec
from rq.timeouts import BaseTimeoutException

from mjsettle.errors import MjsettleError
from mjsettle.rounds import Points
from mjsettle.settle import Engine as MjsettleEngine
from mjsettle_workers.cache import AnswerCache, SharedAnswers
from mjsettle_workers.entries import Fault, Sent
from mjsettle_workers.last_words import LastWords
from mjsettle_workers.settings import Settings, SettingsError

LACKING = frozenset({"unknown_rule", "unknown_edition"})
"""Codes that say what the workers lack, not what is wrong with the round."""


class Engine(Protocol):
    """What the workers need of a judge; ``supports(rule, edition)`` and ``stamp()`` are used where it offers them."""

    def settle_json(self, lines: bytes) -> bytes:
        """One JSON round per line in, one JSON answer per line out, in the same order."""


class JudgeError(MjsettleError, RuntimeError):
    """A judge that raised, or whose answers do not belong to the rounds it was given."""


class _Answer(msgspec.Struct):
    id: str | None = None
    status: str = ""
    deltas: list[Points] | None = None
    table: Points = 0


_read_answer = msgspec.json.Decoder(_Answer).decode
_encode = msgspec.json.encode


def load_engine(name: str) -> Engine:
    """The judge ``module:factory``. Raises SettingsError where there is none."""
    module, _, factory = name.partition(":")
    try:
        return cast(Engine, getattr(importlib.import_module(module), factory)())
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"MJSETTLE_JUDGE: found {name}, which cannot be loaded: {error}") from error


def engine_stamp(engine: Engine) -> str:
    """A digest that differs for any two engines which could answer differently, as far as they tell."""
    told: list[str] = []
    asked = cast(Any, engine)
    if hasattr(asked, "rules") and hasattr(asked, "rule_set"):
        told += [f"{name}={asked.rule_set(name).fingerprint}" for name in asked.rules()]
    if hasattr(asked, "stamp"):
        told.append(str(asked.stamp()))
    return hashlib.blake2b("\n".join(told).encode(), digest_size=16).hexdigest()


class Judge:
    """Judges canonical rounds with an engine, with a cache before it and a time limit around it."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self.engine = engine
        if isinstance(engine, MjsettleEngine):
            engine.wilds_max = settings.wilds_max
        self.limit_s = settings.judge_limit_s
        self.cache = AnswerCache(settings.cache_rounds, engine_stamp(engine))
        self.shared: SharedAnswers | None = None
        """A tier in Redis for what is costly, where it is switched on."""
        self.words: LastWords | None = None
        """Where the traceback of what hangs goes in a work horse; to stderr else."""
        self.judged = 0
        self.judging_s = 0.0

    def supports(self, rule: str, edition: str | None) -> bool:
        """Whether this worker has the rule set and edition; an engine that does not say is taken to have all."""
        asked = getattr(self.engine, "supports", None)
        return bool(asked(rule, edition)) if callable(asked) and rule else True

    def answer(self, rounds: Sequence[Sent]) -> list[tuple[bytes, str]]:
        """(Answer as JSON, status) of each round, in order. Raises JudgeError if the judge fails at any of them."""
        answers: list[tuple[bytes, str] | None] = [None] * len(rounds)
        left: list[int] = []
        for i, sent in enumerate(rounds):
            if not sent.body:  # unreadable: there is nothing to judge
                answers[i] = refusal(sent, sent.faults), "refused"
            elif sent.id is not None and (known := self.cache.get(sent.rest)) is not None:
                answers[i] = _with_id(sent.id, known[0]), known[1]
            else:
                left.append(i)
        if left:
            for i, found in zip(left, self._find([rounds[i] for i in left]), strict=True):
                answers[i] = found
        return [
            (found if not sent.faults or not sent.body else (_joined(found[0], sent), "refused"))
            for sent, found in zip(rounds, cast("list[tuple[bytes, str]]", answers), strict=True)
        ]

    def _find(self, rounds: list[Sent]) -> list[tuple[bytes, str]]:
        """Answers from the shared tier where it has them, from the engine else."""
        shared: dict[bytes, tuple[bytes, str]] = {}
        if self.shared is not None:
            shared = self.shared.get([sent.rest for sent in rounds if sent.id is not None])
        missing = [sent for sent in rounds if sent.id is None or sent.rest not in shared]
        began = time.perf_counter()
        judged = iter(self._ask(missing) if missing else ())
        took_s = time.perf_counter() - began
        self.judging_s += took_s
        self.judged += len(missing)
        if self.shared is not None and missing:
            fresh = {sent.rest: known for sent in missing if sent.id and (known := self.cache.peek(sent.rest))}
            self.shared.put(fresh, took_s / len(missing))
        return [
            (_with_id(sent.id, shared[sent.rest][0]), shared[sent.rest][1])
            if sent.id is not None and sent.rest in shared
            else next(judged)
            for sent in rounds
        ]

    def _ask(self, rounds: list[Sent]) -> list[tuple[bytes, str]]:
        try:
            with time_limit(self.limit_s, self.words):
                lines = self.engine.settle_json(b"\n".join([sent.body for sent in rounds]) + b"\n")
        except (MemoryError, BaseTimeoutException):  # RQ's alarm may ring anywhere: no fault of the round
            raise
        except Exception as error:  # a plugin may raise anything; the round at fault is found by asking one by one
            raise JudgeError(f"the judge raised {type(error).__name__}: {error}") from error
        answers = lines.rstrip(b"\n").split(b"\n")
        if len(answers) != len(rounds):
            raise JudgeError(f"the judge gave {len(answers)} answers, expected {len(rounds)}")
        return [(line, self._checked(sent, line)) for sent, line in zip(rounds, answers, strict=True)]

    def _checked(self, sent: Sent, line: bytes) -> str:
        """The answer's status, once it is sure that it answers this round and creates no points."""
        try:
            answer = _read_answer(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise JudgeError(f"the judge's answer to {sent.id!r} cannot be read: {error}") from error
        if sent.id is not None and answer.id != sent.id:
            raise JudgeError(f"the judge's answer to {sent.id!r} names {answer.id!r}")
        if answer.deltas is not None and sum(answer.deltas) + answer.table:
            raise JudgeError(f"the deltas of {sent.id!r} and the table's gain sum to a number other than 0")
        if sent.id is not None:
            head = _id_head(sent.id)
            # What workers lack they may have tomorrow, and whoever shares this cache today.
            if line.startswith(head) and not is_lacking(line, answer.status):
                self.cache.put(sent.rest, (line[len(head) :], answer.status))
        return answer.status


def _id_head(ident: str) -> bytes:
    # An id has no character that JSON escapes.
    return b'{"id":"' + ident.encode() + b'"'


def _with_id(ident: str, tail: bytes) -> bytes:
    return _id_head(ident) + tail


def refusal(sent: Sent, faults: Sequence[Fault], status: str = "refused") -> bytes:
    """An answer that refuses the round with ``faults``."""
    return _encode({"id": sent.id, "status": status, "errors": list(faults)})


def is_lacking(answer: bytes, status: str) -> bool:
    """Whether a round is refused for nothing but a rule set or edition that the workers lack."""
    if status != "refused" or b'"unknown_' not in answer:
        return False
    codes = {error.get("code") for error in msgspec.json.decode(answer).get("errors", ())}
    return bool(codes) and codes <= LACKING


def _joined(answer: bytes, sent: Sent) -> bytes:
    """The judge's faults and the queue's own, as one refusal."""
    found: dict[str, Any] = msgspec.json.decode(answer)
    ours = {error["field"] for error in sent.faults}
    theirs = [error for error in found.get("errors", []) if error.get("field") not in ours]
    kept = {name: found[name] for name in ("rule", "edition") if name in found}
    return _encode({"id": sent.id, **kept, "status": "refused", "errors": [*theirs, *sent.faults]})


@contextmanager
def time_limit(limit_s: float, words: LastWords | None = None) -> Iterator[None]:
    """End this process if the block takes longer: from a C thread, so that no plugin can catch or outlast it.

    The traceback of what hung is left in ``words``, or written to stderr. The rounds it held stay pending and are
    tried one by one.
    """
    try:
        file = words.file if words else sys.__stderr__ or 2
        faulthandler.dump_traceback_later(limit_s, exit=True, file=file)
    except (ValueError, AttributeError, OSError):  # no stderr to write to
        yield
        return
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
