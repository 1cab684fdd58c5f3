"""Metrics for Prometheus: one exporter for all workers, read from Redis at each scrape (the extra ``metrics``).

``METRICS`` is the list: name, kind, labels, meaning. docs/observe.md shows it, alerts and dashboards use it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

import redis
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from mjsettle_workers.client import Client
from mjsettle_workers.observe import State, read_state
from mjsettle_workers.tally import BATCH_ROUNDS, SECONDS, Histogram
from mjsettle_workers.unreachable import told

log = logging.getLogger(__name__)


class Named(NamedTuple):
    """One metric."""

    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str


EVENTS = (
    "batches",
    "taken_over",
    "alone",
    "together",
    "parked",
    "split",
    "gone",
    "unforgiven",
    "refused_by_server",
    "disconnected",
    "sink_failures",
)
"""What a drain counts and this tells, 0 included: an alert sees a rise only if it saw what was before."""
METRICS = (
    Named("mjsettle_up", "gauge", (), "1 if the server answered the exporter"),
    Named("mjsettle_received", "counter", ("stream",), "entries appended: rounds, or parts of large batches"),
    Named("mjsettle_rounds", "counter", ("outcome",), "rounds by outcome, exact: settled, refused, conflict, "
          "repeated (sent again and answered from the store), dead (in the dead letters; refused too)"),
    Named("mjsettle_answers", "counter", ("rule", "status"), "answers given by rule set, copies included; what a "
          "killed drain counted is missing"),
    Named("mjsettle_lag_rounds", "gauge", (), "rounds that no worker has read yet"),
    Named("mjsettle_pending_rounds", "gauge", (), "rounds read and not finished, parked ones included"),
    Named("mjsettle_oldest_round_seconds", "gauge", (), "age of the oldest round without an answer"),
    Named("mjsettle_limit_rounds", "gauge", (), "rounds that may wait; more are not taken"),
    Named("mjsettle_waiting_parts", "gauge", (), "parts of large batches that wait or are under way"),
    Named("mjsettle_parked_rounds", "gauge", (), "rounds that wait for a worker with their rule set or edition"),
    Named("mjsettle_dead_letters", "gauge", (), "rounds among the dead letters"),
    Named("mjsettle_workers", "gauge", (), "workers seen in the last half minute"),
    Named("mjsettle_batch_rounds", "histogram", (), "rounds judged in one step"),
    Named("mjsettle_judge_seconds", "histogram", (), "time the judge took for a batch"),
    Named("mjsettle_answer_seconds", "histogram", ("rule",), "from the append of a live round to its answer"),
    Named("mjsettle_cache", "counter", ("found",), "look-ups in the workers' caches: hit or miss"),
    Named("mjsettle_drain_events", "counter", ("event",), f"what drains met: {', '.join(EVENTS)}"),
    Named("mjsettle_results", "gauge", (), "length of the results stream"),
    Named("mjsettle_unread_results", "gauge", ("group",), "results that a reader group has not acknowledged"),
    Named("mjsettle_stored_days", "gauge", (), "days whose answers are remembered"),
    Named("mjsettle_server_memory_bytes", "gauge", (), "memory that the server uses"),
    Named("mjsettle_server_memory_limit_bytes", "gauge", (), "its limit; 0: none is set"),
    Named("mjsettle_server_aof_ok", "gauge", (), "1 if the append-only file is on and its last write succeeded"),
)  # fmt: skip
OUTCOMES = ("settled", "refused", "conflict", "repeated", "dead")


class Exporter(Collector):
    """Reads the queue when it is scraped; says ``mjsettle_up 0`` alone while the server cannot be reached."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def collect(self) -> Iterator[Metric]:
        """One family for each of ``METRICS``."""
        try:
            state = read_state(self.client, tallies=True)
        except (redis.RedisError, OSError) as error:
            log.warning("the queue cannot be read: %s", told(error, self.client.settings))
            yield self._family(METRICS[0], {(): 0.0})
            return
        samples = _samples(state, self.client.settings.rounds_max)
        for named in METRICS:
            if named.kind == "histogram":
                yield _histograms(named, state)
            else:
                yield self._family(named, samples[named.name])

    @staticmethod
    def _family(named: Named, samples: dict[tuple[str, ...], float]) -> Metric:
        kind = CounterMetricFamily if named.kind == "counter" else GaugeMetricFamily
        family = kind(named.name, named.meaning, labels=list(named.labels))
        for labels, value in samples.items():
            family.add_metric(list(labels), value)
        return family


def _samples(state: State, rounds_max: int) -> dict[str, dict[tuple[str, ...], float]]:
    counters, tallies, server = state.counters, state.tallies, state.server
    answers = [name.split("|") for name in tallies if name.startswith("answers|")]
    aof_ok = int(server.get("aof_enabled", 0)) and server.get("aof_last_write_status") == "ok"
    return {
        "mjsettle_up": {(): 1},
        "mjsettle_received": {("rounds",): state.rounds.received, ("parts",): state.parts.received},
        "mjsettle_rounds": {(outcome,): counters.get(outcome, 0) for outcome in OUTCOMES},
        "mjsettle_answers": {(rule, status): tallies[f"answers|{rule}|{status}"] for _, rule, status in answers},
        "mjsettle_lag_rounds": {(): state.rounds.lag},
        "mjsettle_pending_rounds": {(): state.rounds.pending},
        "mjsettle_oldest_round_seconds": {(): state.rounds.oldest_ms / 1_000},
        "mjsettle_limit_rounds": {(): rounds_max},
        "mjsettle_waiting_parts": {(): state.parts.length},
        "mjsettle_parked_rounds": {(): state.parked},
        "mjsettle_dead_letters": {(): state.dead},
        "mjsettle_workers": {(): state.workers},
        "mjsettle_cache": {
            ("hit",): counters.get("drain_cache_hits", 0),
            ("miss",): counters.get("drain_cache_misses", 0),
        },
        "mjsettle_drain_events": {(event,): counters.get(f"drain_{event}", 0) for event in EVENTS},
        "mjsettle_results": {(): state.results},
        "mjsettle_unread_results": {(group,): count for group, count in state.unread.items()},
        "mjsettle_stored_days": {(): state.stored_days},
        "mjsettle_server_memory_bytes": {(): int(server.get("used_memory", 0))},
        "mjsettle_server_memory_limit_bytes": {(): int(server.get("maxmemory", 0))},
        "mjsettle_server_aof_ok": {(): 1 if aof_ok else 0},
    }


def _histograms(named: Named, state: State) -> HistogramMetricFamily:
    family = HistogramMetricFamily(named.name, named.meaning, labels=list(named.labels))
    if named.name == "mjsettle_batch_rounds":
        found = {"": Histogram.read(BATCH_ROUNDS, "batch", state.tallies)}
    elif named.name == "mjsettle_judge_seconds":
        found = {"": Histogram.read(SECONDS, "judging", state.tallies)}
    else:
        rules = {name.split("|")[1] for name in state.tallies if name.startswith("latency|")}
        found = {rule: Histogram.read(SECONDS, f"latency|{rule}", state.tallies) for rule in sorted(rules)}
    for rule, histogram in found.items():
        bounds = [*map(str, map(float, histogram.bounds)), "+Inf"]
        buckets = list(zip(bounds, accumulate(histogram.counts), strict=True))
        family.add_metric([rule] if named.labels else [], buckets, histogram.total)
    return family


def registry(client: Client) -> CollectorRegistry:
    """A registry with the queue's metrics and nothing else."""
    found = CollectorRegistry(auto_describe=False)
    found.register(Exporter(client))
    return found
