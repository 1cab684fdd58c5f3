"""Judges that know no rules, for tests and measurements: name one in ``MJSETTLE_JUDGE``, such as
``mjsettle_workers.stub_judges:do_nothing``.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from datetime import UTC, datetime
from typing import Any

import msgspec
import rq.utils


class _Round(msgspec.Struct):
    id: Any = None
    rule: Any = None
    edition: Any = None
    honba: Any = 0


_read = msgspec.json.Decoder(_Round).decode
_encode = msgspec.json.encode


def stub_answer(given: _Round) -> bytes:
    """A settlement in which seat 0 wins ``honba`` points from each other seat."""
    points = given.honba
    deltas = [3 * points, -points, -points, -points]
    return _encode({"id": given.id, "rule": given.rule, "status": "settled", "deltas": deltas, "table": 0})


class DoNothing:
    """Answers every round at once: what is measured with it is the pipeline alone."""

    def settle_json(self, lines: bytes) -> bytes:
        """One answer per line."""
        return b"\n".join([stub_answer(_read(line)) for line in lines.splitlines()]) + b"\n"


class Faulty(DoNothing):
    """Does to its process what the round's ``rule`` says.

    ``kill`` ends the process, ``hang`` never returns and catches what would stop it, ``raise`` raises, ``short``
    answers nothing, ``forge`` creates points, ``bad`` is refused; every other rule is settled.
    """

    def settle_json(self, lines: bytes) -> bytes:
        """One answer per line, as long as the process lives."""
        answers = []
        for line in lines.splitlines():
            given = _read(line)
            answers += self._one(given)
        return b"\n".join(answers) + b"\n"

    def _one(self, given: _Round) -> list[bytes]:
        match given.rule:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hang":
                _hang()
            case "raise":
                raise RuntimeError("a plugin raised this")
            case "short":
                return []
            case "forge":
                return [_encode({"id": given.id, "status": "settled", "deltas": [1, 1, 0, 0], "table": 0})]
            case "bad":
                errors = [{"code": "stub", "field": "rule", "message": "found bad, expected good"}]
                return [_encode({"id": given.id, "status": "refused", "errors": errors})]
        return [stub_answer(given)]


def _hang() -> None:
    while True:
        try:
            while True:
                time.sleep(0.01)
        except Exception:  # what a careless plugin does with the worker's time-out
            continue


class JumpingClock(Faulty):
    """A faulty judge on a machine whose clock jumps by days, for Python and for RQ: nothing may depend on it."""

    def __init__(self) -> None:
        clock, original, rng = time.time, rq.utils.now, random.Random(os.getpid())
        moved = [0.0, 0.0]  # until when, by how much

        def jump() -> float:
            if time.monotonic() > moved[0]:
                moved[:] = [time.monotonic() + rng.random(), rng.uniform(-9, 9) * 86_400]
            return moved[1]

        def now() -> datetime:
            return datetime.fromtimestamp(clock() + jump(), UTC)

        setattr(time, "time", lambda: clock() + jump())  # noqa: B010
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] == "rq" and getattr(module, "now", None) is original:
                setattr(module, "now", now)  # noqa: B010


class OneEdition(DoNothing):
    """Has the rule sets named in ``MJSETTLE_STUB_RULES`` only, as ``rule`` or ``rule@edition``, comma-separated."""

    def __init__(self) -> None:
        self.has = set(os.environ.get("MJSETTLE_STUB_RULES", "").split(","))

    def supports(self, rule: str, edition: str | None) -> bool:
        """Whether ``rule`` (and that edition of it) is among them."""
        if edition is not None:
            return f"{rule}@{edition}" in self.has
        return any(name.partition("@")[0] == rule for name in self.has)

    def settle_json(self, lines: bytes) -> bytes:
        """Settles what it has and refuses the rest by name."""
        answers = []
        for line in lines.splitlines():
            given = _read(line)
            if self.supports(given.rule, given.edition):
                answers.append(stub_answer(given))
            else:
                told = f"found {given.rule} {given.edition or ''}, expected one of {', '.join(sorted(self.has))}"
                error = {"code": "unknown_rule", "field": "edition" if given.edition else "rule", "message": told}
                answers.append(_encode({"id": given.id, "status": "refused", "errors": [error]}))
        return b"\n".join(answers) + b"\n"


do_nothing = DoNothing
faulty = Faulty
jumping_clock = JumpingClock
one_edition = OneEdition
