"""Metrics, health checks, log lines, spans and result sinks, against a real server and real workers."""

from __future__ import annotations

import json
import logging
import re
import socket
import subprocess
import sys
import urllib.request
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import mjsettle_workers
from mjsettle.hookspecs import hookimpl
from mjsettle.settle import Engine
from mjsettle_workers import health, operate, tracing
from mjsettle_workers.client import Client
from mjsettle_workers.drain import flush_counts
from mjsettle_workers.judge import Judge
from mjsettle_workers.keys import DAY_S
from mjsettle_workers.metrics import EVENTS, METRICS, registry
from mjsettle_workers.observe import read_state
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.tally import SECONDS, UNKNOWN, Histogram, Tally
from mjsettle_workers.testing import (
    collector,
    drain_once,
    open_test_desk,
    pending_count,
    quick_environment,
    raw,
    running_worker,
    stub_round,
    wait_until,
)

MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))
pytest.importorskip("prometheus_client", reason="the extra mjsettle-workers[metrics] is not installed")


def cli(settings: Settings, command: click.Command, *arguments: str) -> Result:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    return CliRunner().invoke(command, arguments, env=environ)


def work(desk: Desk, client: Client, rounds: list[bytes]) -> None:
    client.submit(rounds)
    drain_once(desk, 0.3)
    flush_counts(desk)


def sample(client: Client, name: str, **labels: str) -> float | None:
    return registry(client).get_sample_value(name, labels)


def test_metrics_tell_what_happened(desk: Desk, client: Client) -> None:
    rounds = [stub_round(f"m/{i}") for i in range(20)]
    work(desk, client, rounds)
    rounds = [stub_round("m/3"), stub_round("m/4", honba=9), stub_round("m/bad", rule="bad")]
    work(desk, client, [*rounds, stub_round("m/dead", rule="raise"), stub_round("m/old", ago_s=30 * DAY_S)])
    assert sample(client, "mjsettle_up") == 1
    assert sample(client, "mjsettle_received_total", stream="rounds") == 25
    expected = {"settled": 20, "repeated": 1, "conflict": 1, "refused": 3, "dead": 1}
    assert {o: sample(client, "mjsettle_rounds_total", outcome=o) for o in expected} == expected
    assert sample(client, "mjsettle_answers_total", rule="stub", status="settled") == 21
    assert sample(client, "mjsettle_answers_total", rule="stub", status="conflict") == 1
    assert sample(client, "mjsettle_answer_seconds_count", rule="stub") == 23
    assert sample(client, "mjsettle_answer_seconds_bucket", rule="stub", le="+Inf") == 23
    assert sample(client, "mjsettle_batch_rounds_bucket", le="64.0") == sample(client, "mjsettle_batch_rounds_count")
    assert (sample(client, "mjsettle_judge_seconds_sum") or 0) > 0
    assert sample(client, "mjsettle_dead_letters") == 1
    assert sample(client, "mjsettle_lag_rounds") == 0
    assert sample(client, "mjsettle_pending_rounds") == 0
    assert sample(client, "mjsettle_oldest_round_seconds") == 0
    assert sample(client, "mjsettle_server_aof_ok") == 1
    assert sample(client, "mjsettle_cache_total", found="miss") is not None


def test_lag_pending_and_age_are_told_apart(desk: Desk, client: Client) -> None:
    client.submit([stub_round(f"lag/{i}") for i in range(5)])
    raw(desk).xreadgroup("settle", desk.consumer, {desk.keys.rounds: ">"}, count=2)
    state = read_state(client)
    assert (state.rounds.lag, state.rounds.pending, state.rounds.received) == (3, 2, 5)
    wait_until(lambda: read_state(client).rounds.oldest_ms >= 100)


def test_readers_that_fall_behind_are_told_by_group(desk: Desk, client: Client) -> None:
    raw(desk).xgroup_create(desk.keys.results, "bank", id="0", mkstream=True)
    work(desk, client, [stub_round(f"unread/{i}") for i in range(4)])
    assert sample(client, "mjsettle_unread_results", group="bank") == 4
    raw(desk).xreadgroup("bank", "one", {desk.keys.results: ">"}, count=3)
    assert sample(client, "mjsettle_unread_results", group="bank") == 4
    entries = [entry for entry, _ in raw(desk).xrange(desk.keys.results)][:3]
    raw(desk).xack(desk.keys.results, "bank", *entries)
    assert sample(client, "mjsettle_unread_results", group="bank") == 1


def test_every_metric_of_the_list_is_exported_and_no_other(desk: Desk, client: Client) -> None:
    work(desk, client, [stub_round("all/1")])
    exported = {family.name: family for family in registry(client).collect()}
    assert set(exported) == {named.name for named in METRICS}
    for named in METRICS:
        assert exported[named.name].type == named.kind
        assert exported[named.name].documentation == named.meaning
        labels = {label for found in exported[named.name].samples for label in found.labels} - {"le"}
        assert labels <= set(named.labels)


def test_a_lost_server_is_told_and_not_raised() -> None:
    client = Client(load_settings({}, redis_url="redis://127.0.0.1:1/0", socket_timeout_s=0.3))
    try:
        assert [family.name for family in registry(client).collect()] == ["mjsettle_up"]
        assert sample(client, "mjsettle_up") == 0
        assert not health.check_queue(client, oldest_s_max=60, workers_min=1, dead_max=None).healthy
        assert health.check_here(client).healthy  # a restart of the worker would not mend the server
    finally:
        client.connection.close()


def test_histograms_add_up_over_many_flushes(desk: Desk, client: Client) -> None:
    """Against a plain list of the same observations."""
    seen: list[int] = []
    for start in range(0, 3_000, 1_000):
        tally = Tally()
        for ms in range(start, start + 1_000, 7):
            tally.answered("r", "settled", 0, ms)
            seen.append(ms)
        tally.flush(client.connection, client.keys.metrics)
        tally.flush(client.connection, client.keys.metrics)  # what was flushed is not flushed again
    found = Histogram.read(SECONDS, "latency|r", read_state(client, tallies=True).tallies)
    assert found.total == pytest.approx(sum(seen) / 1_000)
    edges = [-1.0, *SECONDS, float("inf")]
    plain = [sum(low < ms / 1_000 <= high for ms in seen) for low, high in pairwise(edges)]
    assert found.counts == plain


def test_rooms_cannot_grow_the_metrics_without_end() -> None:
    tally = Tally()
    labels = {tally.label(f"made-up-{i}", True) for i in range(10_000)}
    assert len(labels) <= 201
    assert tally.label("no-such-rule", False) == UNKNOWN
    assert tally.label("", True) == UNKNOWN


def test_the_exporter_serves_prometheus(settings: Settings, worker_log: Path) -> None:
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def served() -> bytes:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=2) as answer:
                return bytes(answer.read())
        except OSError:
            return b""

    with running_worker(environ, worker_log, [MJSETTLE, "metrics", "--port", str(port)]) as exporter:
        wait_until(lambda: b"mjsettle_up 1.0" in served(), told=worker_log.read_text())
        assert b"# TYPE mjsettle_answer_seconds histogram" in served()
        assert exporter.stop() == 0


def test_health_names_what_is_wrong(settings: Settings, client: Client, worker_log: Path) -> None:
    ready = cli(settings, operate.prepare)
    assert ready.exit_code == 0, ready.output
    assert cli(settings, operate.prepare).exit_code == 0  # again
    found = cli(settings, operate.health)
    assert found.exit_code == 1
    assert json.loads(found.stdout)["faults"] == ["workers: found 0, expected at least 1"]
    assert cli(settings, operate.health, "--here").exit_code == 1
    client.submit([stub_round("health/1")])
    wait_until(lambda: read_state(client).rounds.oldest_ms > 100)
    faults = json.loads(cli(settings, operate.health, "--oldest", "0.1", "--workers", "0").stdout)["faults"]
    assert len(faults) == 1
    assert faults[0].startswith("oldest round: found one that waits for")
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    with running_worker(environ, worker_log):
        wait_until(lambda: read_state(client).workers == 1 and read_state(client).rounds.length == 0)
        found = cli(settings, operate.health, "--dead", "0")
        assert found.exit_code == 0, found.stdout
        assert json.loads(found.stdout)["lag"] == 0
        here = cli(settings, operate.health, "--here")
        assert here.exit_code == 0, here.stdout
        assert cli(settings, operate.health, "--here", "--host", "elsewhere").exit_code == 1


def test_log_lines_are_json_with_the_round_id(settings: Settings, client: Client, worker_log: Path) -> None:
    pytest.importorskip("pythonjsonlogger", reason="the extra mjsettle-workers[logs] is not installed")
    changes = {"log_format": "json", "log_level": "info"}
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, **changes)
    client.submit([stub_round("log/good"), stub_round("log/bad", rule="bad"), stub_round("log/dead", rule="raise")])
    with running_worker(environ, worker_log, [MJSETTLE, "worker"]):
        wait_until(
            lambda: set(client.results(["log/good", "log/bad", "log/dead"])) == {"log/good", "log/bad", "log/dead"}
        )
    lines = [json.loads(line) for line in worker_log.read_text().splitlines() if line.startswith("{")]
    told = {line["round_id"]: line for line in lines if "round_id" in line and line.get("status")}
    assert set(told) == {"log/bad", "log/dead"}
    assert told["log/bad"]["codes"] == "stub"
    assert told["log/bad"]["level"] == "INFO"
    assert {"time", "logger", "message", "process", "entry", "rule"} <= set(told["log/bad"])
    buried = [line for line in lines if line["level"] == "WARNING" and line.get("round_id") == "log/dead"]
    assert len(buried) == 1


def test_a_wrong_log_format_is_refused_by_name(settings: Settings) -> None:
    environ = quick_environment(settings.redis_url, log_format="xml", log_level="loud")
    found = subprocess.run([MJSETTLE, "worker"], env=environ, capture_output=True, text=True, timeout=60)
    assert found.returncode != 0
    assert "MJSETTLE_LOG_FORMAT: found 'xml'" in found.stderr
    assert "MJSETTLE_LOG_LEVEL: found 'loud'" in found.stderr


def test_spans_of_a_drain_name_its_rounds(settings: Settings, client: Client, worker_log: Path) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="the extra mjsettle-workers[tracing] is not installed")
    service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, tracing=True)
    client.submit([stub_round("traced/1")])
    with collector() as (url, bodies):
        environ |= {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
        with running_worker(environ, worker_log, [MJSETTLE, "worker"]):
            wait_until(lambda: any(b"traced/1" in body for body in bodies), told=worker_log.read_text())
    spans = [
        span
        for body in bodies
        for resource in service.ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    drains = {span.span_id for span in spans if span.name == "drain"}
    [judged] = [
        span
        for span in spans
        if span.name == "judge" and any("traced/1" in str(attribute) for attribute in span.attributes)
    ]
    assert judged.parent_span_id in drains
    assert any(span.name == "apply" and span.trace_id == judged.trace_id for span in spans)
    assert not tracing.tracing()


class Sink:
    """A plugin that takes results, and may fail at it."""

    def __init__(self, fails: bool = False) -> None:
        self.received: list[dict[str, Any]] = []
        self.fails = fails

    @hookimpl
    def result_sinks(self) -> list[Any]:
        return [self.take]

    def take(self, results: list[dict[str, Any]]) -> None:
        self.received += results
        if self.fails:
            raise RuntimeError("the display is gone")


def guangdong_round(ident: str) -> dict[str, Any]:
    round: dict[str, Any] = json.loads(stub_round(ident, rule="guangdong", honba=0))
    players: list[dict[str, Any]] = [{}, {}, {"hand": "12345m567p222s1s5z"}, {}]
    return round | {"players": players, "events": [{"type": "win", "seat": 2, "tile": "6m"}], "wild": ["5z"]}


@pytest.mark.parametrize("fails", [False, True])
def test_sinks_get_what_was_settled_and_cannot_undo_it(
    settings: Settings, client: Client, fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    guangdong = pytest.importorskip("mjsettle_guangdong", reason="mjsettle-guangdong is not installed")
    sink = Sink(fails)
    with open_test_desk(settings) as desk:
        desk.judge = Judge(Engine([guangdong, sink]), settings)
        with caplog.at_level(logging.ERROR):
            broken = guangdong_round("sink/bad") | {"dealer": 9}
            work(desk, client, [json.dumps(each).encode() for each in (guangdong_round("sink/1"), broken)])
        assert [result["id"] for result in sink.received] == ["sink/1"]
        assert json.loads(client.results(["sink/1"])["sink/1"]) == sink.received[0]
        assert pending_count(desk) == 0
        assert raw(desk).xlen(desk.keys.dead) == 0
    assert sample(client, "mjsettle_drain_events_total", event="sink_failures") == (1 if fails else 0)
    assert ("the display is gone" in caplog.text) is fails


def test_all_that_drains_count_is_told() -> None:
    """From the start, at 0; but for what has a metric of its own."""
    own = {"done", "dead", "judged", "judging_us", "cache_hits", "cache_misses"}
    sources = "".join(path.read_text() for path in Path(mjsettle_workers.__file__).parent.glob("*.py"))
    counted = set(re.findall(r'counts\["(\w+)"\]', sources))
    assert counted - own == set(EVENTS)
