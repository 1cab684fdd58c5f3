"""What a drain counts while it settles, kept in memory and added to a hash in Redis at its end.

Work horses live for seconds, so nothing is scraped from them: they add to the hash ``Keys.metrics`` and one exporter
reads it (``mjsettle metrics``). Counts of a drain that is killed are lost, never its rounds; the exact counters are
those that the apply script keeps (``Keys.counters``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import redis

BATCH_ROUNDS: Final = (1, 4, 16, 64, 128, 256, 512, 1000)
"""Upper bounds of the histogram of batch sizes, rounds."""
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histograms of time, seconds."""
RULES_MAX: Final = 200
"""Rule sets with a row of their own; rooms choose the names, so their number must not grow without end."""
UNKNOWN: Final = "unknown"
"""Label of rounds whose rule set no worker has."""


@dataclass(slots=True)
class Histogram:
    """Observations by upper bound; the last count is of those above every bound. ``total`` is their sum."""

    bounds: Sequence[float]
    counts: list[int] = field(default_factory=list)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.counts = self.counts or [0] * (len(self.bounds) + 1)

    def add(self, value: float, times: int = 1) -> None:
        """Note ``value`` (not below 0) so many times."""
        value = max(0.0, value)
        self.counts[bisect_left(self.bounds, value)] += times
        self.total += value * times

    def steps(self, name: str) -> dict[str, int]:
        """What to add to the fields of the hash: ``<name>|<bucket>`` and the sum in millionths."""
        found = {f"{name}|{i}": count for i, count in enumerate(self.counts) if count}
        return found | ({f"{name}|sum": round(self.total * 1e6)} if found else {})

    @classmethod
    def read(cls, bounds: Sequence[float], name: str, fields: Mapping[str, int]) -> Histogram:
        """The histogram that the hash holds under ``name``."""
        counts = [fields.get(f"{name}|{i}", 0) for i in range(len(bounds) + 1)]
        return cls(bounds, counts, fields.get(f"{name}|sum", 0) / 1e6)


class Tally:
    """Counts of one process since its last flush."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, str]] = Counter()
        """Answers given by rule set and status, copies of rounds included."""
        self.batch = Histogram(BATCH_ROUNDS)
        self.judging = Histogram(SECONDS)
        self.latency: dict[str, Histogram] = {}
        """From the append of a live round to its answer, by rule set."""
        self.now_ms: Callable[[], int] | None = None
        """The server's clock; without it no latency is noted."""
        self._labels: set[str] = set()

    def label(self, rule: str, known: bool) -> str:
        """The rule set as it appears in metrics."""
        if not rule or not known:
            return UNKNOWN
        if rule not in self._labels:
            if len(self._labels) >= RULES_MAX:
                return UNKNOWN
            self._labels.add(rule)
        return rule

    def answered(self, rule: str, status: str, born_ms: int | None, now_ms: int | None, times: int = 1) -> None:
        """Note so many answers; ``born_ms`` is when their live rounds were appended."""
        self.answers[rule, status] += times
        if born_ms is not None and now_ms is not None:
            found = self.latency.get(rule)
            if found is None:
                found = self.latency[rule] = Histogram(SECONDS)
            found.add((now_ms - born_ms) / 1_000, times)

    def steps(self) -> dict[str, int]:
        """Everything counted, as fields of the hash."""
        found = {f"answers|{rule}|{status}": times for (rule, status), times in self.answers.items()}
        found |= self.batch.steps("batch") | self.judging.steps("judging")
        for rule, histogram in self.latency.items():
            found |= histogram.steps(f"latency|{rule}")
        return found

    def flush(self, connection: redis.Redis, key: str) -> None:
        """Add the counts to the hash ``key`` and start anew. Raises redis errors; the counts are then kept."""
        steps = self.steps()
        if steps:
            with connection.pipeline(transaction=False) as pipe:
                for name, step in steps.items():
                    pipe.hincrby(key, name, step)
                pipe.execute()
        self.answers.clear()
        self.latency.clear()
        self.batch, self.judging = Histogram(BATCH_ROUNDS), Histogram(SECONDS)
