"""What follows once rounds are settled: counts, log lines, traces of them, and the plugins' result sinks.

Nothing here can undo a settlement or hold up another: a sink that raises is counted and logged, one that hangs ends the
work horse after ``JUDGE_LIMIT_S``, when all that it was told of is stored.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from mjsettle_workers.entries import Entry
from mjsettle_workers.judge import time_limit

if TYPE_CHECKING:
    from mjsettle_workers.settling import Desk

log = logging.getLogger(__name__)
_decode = msgspec.json.Decoder(dict[str, Any]).decode

Applied = tuple[Entry, Sequence[str]]
"""An entry and the statuses of its rounds."""


def note(desk: Desk, applied: Sequence[Applied]) -> None:
    """Count answers that were just given; log those that settled nothing, with the round's id."""
    tally = desk.tally
    alike: Counter[tuple[str, str, str]] = Counter()  # a batch holds few kinds of rounds, so they are counted first
    for entry, statuses in applied:
        born = entry.entry.partition("-")[0] if entry.stream == 1 else ""
        for sent, status in zip(entry.rounds, statuses, strict=True):
            alike[sent.rule, status, born] += 1
    now = tally.now_ms() if tally.now_ms is not None and applied else None
    for (rule, status, born), times in alike.items():
        known = bool(rule) and desk.judge.supports(rule, None)
        tally.answered(tally.label(rule, known), status, int(born) if born else None, now, times)
    if log.isEnabledFor(logging.INFO):
        _tell(desk, applied)


def _tell(desk: Desk, applied: Sequence[Applied]) -> None:
    telling_all = log.isEnabledFor(logging.DEBUG)
    for entry, statuses in applied:
        for sent, answer, status in zip(entry.rounds, entry.answers, statuses, strict=True):
            if status == "settled" and not telling_all:
                continue
            rule = desk.tally.label(sent.rule, bool(sent.rule) and desk.judge.supports(sent.rule, None))
            extra = {"round_id": sent.id, "entry": entry.entry, "rule": rule, "status": status}
            if status != "settled":
                extra["codes"] = ",".join(sorted({error["code"] for error in _decode(answer).get("errors", [])}))
            log.log(logging.DEBUG if status == "settled" else logging.INFO, "round %s", status, extra=extra)


def publish(desk: Desk, applied: Sequence[Applied]) -> None:
    """Hand settled results to the plugins' sinks, where there are any. Never raises for what a sink does.

    A result may come twice, when its room sends the round again, and not at all, when this process ends before: sinks
    are for displays and statistics, the results stream is for money.
    """
    engine: Any = desk.judge.engine
    if not getattr(getattr(engine, "registry", None), "sinks", ()):
        return
    settled = [
        _decode(answer)
        for entry, statuses in applied
        if not entry.unrecorded
        for answer, status in zip(entry.answers, statuses, strict=True)
        if status == "settled"
    ]
    if not settled:
        return
    try:
        with time_limit(desk.settings.judge_limit_s, desk.judge.words):
            engine.publish(settled)
    except Exception:  # a plugin may raise anything; what it was told of is stored
        desk.counts["sink_failures"] += 1
        log.exception("a result sink failed at %d results, which stay settled", len(settled))
