"""The workers' measurements in one run: ``make bench-workers``.

Throughput end to end beside the same pipeline with a judge that does nothing, one RQ job per round, and bare pipelined
XADD; latency under load; memory; growth with the backlog. Everything runs on this machine, the server and the senders
included, so compare the ratios, not the figures. ``--quick`` takes a tenth of the rounds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.synchronize import Event as EventType
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rq import Queue, SimpleWorker, Worker
from rq.serializers import JSONSerializer

import mjsettle
from mjsettle.testing import random_rounds
from mjsettle_workers.client import Client
from mjsettle_workers.connection import connect
from mjsettle_workers.entries import read_round
from mjsettle_workers.judge import Judge
from mjsettle_workers.settings import Settings, load_settings
from mjsettle_workers.testing import STUBS, WorkerProcess, open_client, raw, running_server, wait_until

NOTHING = f"{STUBS}:do_nothing"
JUDGE = "mjsettle:load"
CHUNK = 1_000
REPEATS = 3


def one_job(line: str) -> str:
    """What one RQ job per round would do: nothing."""
    return line


def make_rounds(engine: mjsettle.Engine, rule: str, count: int, seed: int = 1, wilds_max: int = 1) -> list[bytes]:
    """Random rounds of a rule set, of the last hour, with up to so many wilds in the hand; most are settled."""
    now = int(time.time())
    found = random_rounds(engine.rule_set(rule), count, seed, wilds_max=wilds_max)
    return [msgspec.json.encode({**value, "ended_at": now - i % 3_600}) for i, value in enumerate(found)]


def renamed(rounds: list[bytes], run: str, count: int) -> Iterator[bytes]:
    """So many rounds with ids of their own, taken from ``rounds`` over and over."""
    values = [msgspec.json.decode(line) for line in rounds]
    for i in range(count):
        yield msgspec.json.encode({**values[i % len(values)], "id": f"{run}/{i}"})


class Bench:
    """One server, and what is measured on it."""

    def __init__(self, folder: Path, scale: float) -> None:
        self.folder = folder
        self.scale = scale
        self.out: dict[str, Any] = {"cores": os.cpu_count()}
        self.console = Console(width=110)

    def size(self, rounds: int) -> int:
        """Rounds to use where the full run uses ``rounds``."""
        return max(200, int(rounds * self.scale))

    @contextmanager
    def stand(self, judge: str, **changes: object) -> Iterator[tuple[Settings, dict[str, str]]]:
        """A fresh durable server (AOF every second) and the settings of its workers; the cache is off."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, running_server(Path(folder)) as server:
            given = {"redis_url": server.url, "judge": judge, "cache_rounds": 0, "rounds_max": 5_000_000, **changes}
            environ = {**os.environ, **{f"MJSETTLE_{name.upper()}": str(value) for name, value in given.items()}}
            yield load_settings({}, **given), environ

    @contextmanager
    def workers(self, environ: dict[str, str], count: int) -> Iterator[list[WorkerProcess]]:
        """Worker processes, all at work when the block begins."""
        with ExitStack() as stack:
            running = []
            for i in range(count):
                worker = WorkerProcess(environ, self.folder / f"worker{i}.log").start()
                stack.callback(worker.stop)
                running.append(worker)
            wait_until(lambda: all(worker.horses() for worker in running), 30, "the workers to start")
            yield running

    def drain_rate(self, judge: str, rounds: list[bytes], count: int, workers: int) -> float:
        """Rounds per second from a full queue to the last answer, without the start of the workers."""
        with self.stand(judge) as (settings, environ), open_client(settings) as client:
            _load(client, rounds, count)
            with self.workers(environ, workers):
                return _rate(client, count)

    def bare_xadd(self, rounds: list[bytes], count: int) -> float:
        """Pipelined XADD alone."""
        with self.stand(NOTHING) as (settings, _), open_client(settings) as client:
            lines = list(renamed(rounds, "xadd", count))
            began = time.perf_counter()
            for first in range(0, count, CHUNK):
                with raw(client).pipeline(transaction=False) as pipe:
                    for line in lines[first : first + CHUNK]:
                        pipe.xadd("bare", {"round": line})
                    pipe.execute()
            return count / (time.perf_counter() - began)

    def one_job_each(self, rounds: list[bytes], count: int, worker: type[Worker | SimpleWorker]) -> float:
        """One RQ job per round, on one worker, with a job that does nothing."""
        with self.stand(NOTHING) as (settings, _):
            connection = connect(settings)
            queue = Queue("each", connection=connection, serializer=JSONSerializer)
            for line in renamed(rounds, "job", count):
                queue.enqueue_call(one_job, (line.decode(),), result_ttl=60)
            began = time.perf_counter()
            worker([queue], connection=connection, serializer=JSONSerializer).work(burst=True, logging_level="ERROR")
            rate = count / (time.perf_counter() - began)
            connection.close()
            return rate

    def latency(self, judge: str, rounds: list[bytes], rate: float, seconds: float) -> dict[str, float]:
        """Milliseconds from XADD to the answer, by a sampler beside a sender that makes the load."""
        with self.stand(judge) as (settings, environ), self.workers(environ, 1):
            spawn = multiprocessing.get_context("spawn")
            ready = spawn.Event()
            sender = spawn.Process(target=_send_steadily, args=(settings.redis_url, rounds, rate, seconds + 1.0, ready))
            sender.start()
            ready.wait(60)
            time.sleep(0.5)
            samples = _sample(settings, rounds, seconds)
            sender.join()
        cuts = statistics.quantiles(samples, n=100)
        return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "samples": len(samples)}


def _load(client: Client, rounds: list[bytes], count: int) -> None:
    for first in range(0, count, 50_000):
        client.submit(renamed(rounds, f"load{first}", min(50_000, count - first)))


def _rate(client: Client, count: int, seconds: float = 30.0) -> float:
    """Rounds per second between the first answers seen and the last, or the time limit."""
    marks: list[tuple[float, int]] = []
    deadline = time.perf_counter() + seconds
    while True:
        left = raw(client).xlen(client.keys.rounds)
        now = time.perf_counter()
        if count - left:
            marks.append((now, count - left))
        if not left or (now > deadline and marks):
            break
        time.sleep(0.01)
    (t0, n0), (t1, n1) = marks[0], marks[-1]
    return (n1 - n0) / (t1 - t0) if t1 > t0 else float("nan")


def _send_steadily(url: str, rounds: list[bytes], rate: float, seconds: float, ready: EventType) -> None:
    client = Client(load_settings({}, redis_url=url))
    lines = list(renamed(rounds, "steady", int(rate * seconds) + 1))
    ready.set()
    began = time.perf_counter()
    sent = 0
    while sent < len(lines):
        due = min(len(lines), int((time.perf_counter() - began) * rate))
        if due > sent:
            client.submit(lines[sent:due])
            sent = due
        time.sleep(0.001)
    client.connection.close()


def _sample(settings: Settings, rounds: list[bytes], seconds: float) -> list[float]:
    """One round at a time on a stream of its own, every few milliseconds."""
    samples: list[float] = []
    with open_client(settings, room="sampler") as client:
        stream, after = client.keys.reply("sampler"), "0-0"
        until = time.perf_counter() + seconds
        for line in renamed(rounds, "sample", 1_000_000):
            if time.perf_counter() > until:
                return samples
            began = time.perf_counter()
            client.submit([line])
            found = []
            while not found:  # a worker that cannot keep up may take long
                found = raw(client).xread({stream: after}, block=1_000)
            samples.append((time.perf_counter() - began) * 1_000)
            after = found[0][1][-1][0]
            time.sleep(0.003)
    return samples


def memory_mib(pid: int) -> tuple[float, float]:
    """(Resident, its own) memory of a process in MiB; what is shared with others counts only in the first."""
    facts = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() if ":" in line
    )
    kib = {name: int(value.split()[0]) for name, value in facts.items() if value.strip().endswith("kB")}
    return kib["Rss"] / 1_024, (kib["Private_Clean"] + kib["Private_Dirty"]) / 1_024


def throughput(bench: Bench, mixes: dict[str, list[bytes]]) -> None:
    """Rounds per second of everything."""
    sample = next(iter(mixes.values()))
    rates: dict[str, float] = {}

    def keep_best(name: str, rate: float) -> None:
        rates[name] = max(rate, rates.get(name, 0.0))

    # Others may use the machine too: everything is measured in turn, three times, and the best counts.
    for _ in range(REPEATS):
        keep_best("bare pipelined XADD", bench.bare_xadd(sample, bench.size(50_000)))
        keep_best("one RQ job per round, forking worker", bench.one_job_each(sample, 100, Worker))
        keep_best("one RQ job per round, SimpleWorker", bench.one_job_each(sample, bench.size(1_000), SimpleWorker))
        for workers in (1, 2):
            rate = bench.drain_rate(NOTHING, sample, bench.size(60_000), workers)
            keep_best(f"judge that does nothing, {workers} workers", rate)
            for name, rounds in mixes.items():
                keep_best(f"{name}, {workers} workers", bench.drain_rate(JUDGE, rounds, bench.size(10_000), workers))
    bench.out["rounds_per_s"] = rates
    best = rates["judge that does nothing, 1 workers"]
    each = rates["one RQ job per round, forking worker"]
    table = Table("rounds per second, end to end", "rate", "of do-nothing (1 worker)", "times one job per round")
    for name, rate in rates.items():
        table.add_row(name, f"{rate:,.0f}", f"{rate / best:.0%}", f"{rate / each:,.0f}")
    bench.console.print(table)


def judge_alone(bench: Bench, engine: mjsettle.Engine, mixes: dict[str, list[bytes]]) -> None:
    """The judge without any queue, to see what the pipeline costs beside it."""
    table = Table("judge alone, batches of 256", "µs per round", "rounds per second")
    for name, rounds in mixes.items():
        batches = [b"\n".join(rounds[i : i + 256]) for i in range(0, len(rounds), 256)]
        engine.settle_json(batches[0])
        took = []
        for _ in range(REPEATS):
            began = time.process_time()
            for batch in batches:
                engine.settle_json(batch)
            took.append((time.process_time() - began) / len(rounds))
        each = min(took)
        bench.out.setdefault("judge_us", {})[name] = each * 1e6
        table.add_row(name, f"{each * 1e6:.1f}", f"{1 / each:,.0f}")
    bench.console.print(table)


def latencies(bench: Bench, mixes: dict[str, list[bytes]]) -> None:
    """Latency at 10, 50 and 80 % of what one worker takes."""
    table = Table("XADD to answer, ms", "load", "P50", "P95", "P99", "samples")
    rates = bench.out["rounds_per_s"]
    for name, judge, rounds in (
        ("judge that does nothing", NOTHING, next(iter(mixes.values()))),
        *((name, JUDGE, rounds) for name, rounds in mixes.items()),
    ):
        for share in (0.1, 0.5, 0.8):
            rate = share * rates[f"{name}, 1 workers"]
            tries = [bench.latency(judge, rounds, rate, max(2.0, 4 * bench.scale)) for _ in range(REPEATS)]
            found = min(tries, key=lambda one: one["p99"])  # the run that others disturbed least
            bench.out.setdefault("latency_ms", {})[f"{name} at {share:.0%}"] = found
            row = [f"{found[key]:.2f}" for key in ("p50", "p95", "p99")]
            table.add_row(name, f"{share:.0%}", *row, str(found["samples"]))
    bench.console.print(table)


def memory(bench: Bench, rounds: list[bytes]) -> None:
    """Memory of a worker with all plugins loaded, and of its work horse."""
    table = Table("memory, MiB", "resident", "its own")
    with bench.stand(JUDGE, budget_s=10) as (settings, environ), open_client(settings) as client:
        _load(client, rounds, 2_000)
        with bench.workers(environ, 2) as running:
            wait_until(lambda: not raw(client).xlen(client.keys.rounds), 30)
            for i, worker in enumerate(running):
                for name, pid in ((f"worker {i + 1}", worker.pid), (f"its work horse {i + 1}", worker.horses()[0])):
                    resident, own = memory_mib(pid)
                    bench.out.setdefault("memory_mib", {})[name] = {"resident": resident, "own": own}
                    table.add_row(name, f"{resident:.0f}", f"{own:.0f}")
    bench.console.print(table)


def backlog(bench: Bench, rounds: list[bytes]) -> None:
    """Whether a long queue is a slow one."""
    table = Table("rounds waiting", "rounds per second from there", "server memory, MiB")
    for waiting in (1_000, 100_000, 1_000_000):
        count = waiting if waiting == 1_000 else bench.size(waiting)
        with bench.stand(NOTHING) as (settings, environ), open_client(settings) as client:
            _load(client, rounds, count)
            used = raw(client).info("memory")["used_memory"] / 2**20
            with bench.workers(environ, 1):
                rate = _rate(client, count, 10.0)
        bench.out.setdefault("backlog", {})[count] = rate
        table.add_row(f"{count:,}", f"{rate:,.0f}", f"{used:,.0f}")
    bench.console.print(table)


def order_and_parts(bench: Bench, rounds: list[bytes]) -> None:
    """What ordered rooms and large batches cost, with a judge that does nothing."""
    table = Table("the same rounds, 2 workers, judge that does nothing", "rounds per second")
    count = bench.size(40_000)
    ways: dict[str, Callable[[Client], object]] = {
        "as they come": lambda client: _load(client, rounds, count),
        "in the order of 100 rooms": lambda client: [
            client.submit(renamed(rounds, f"room{room}", count // 100), in_order=f"room{room}") for room in range(100)
        ],
        "in the order of one room": lambda client: client.submit(renamed(rounds, "one", count), in_order="one"),
    }
    for name, send in ways.items():
        with bench.stand(NOTHING) as (settings, environ), open_client(settings) as client:
            send(client)
            with bench.workers(environ, 2):
                rate = _rate(client, count)
        bench.out.setdefault("order", {})[name] = rate
        table.add_row(name, f"{rate:,.0f}")
    with bench.stand(NOTHING) as (settings, environ), bench.workers(environ, 2):
        file = bench.folder / "batch.jsonl"
        file.write_bytes(b"\n".join(renamed(rounds, "batch", count)))
        began = time.perf_counter()
        command = [str(Path(sys.executable).with_name("mjsettle")), "batch", str(file), "-o", os.devnull]
        subprocess.run(command, env=environ, check=True)
        rate = count / (time.perf_counter() - began)
    bench.out["order"]["as a large batch, file to file"] = rate
    table.add_row("as a large batch, file to file", f"{rate:,.0f}")
    bench.console.print(table)


def cache(bench: Bench, engine: mjsettle.Engine, mixes: dict[str, list[bytes]]) -> None:
    """How often whole inputs repeat, and what a look-up saves."""
    table = Table("cache", "hits", "µs per round without", "with")
    for name, rounds in mixes.items():
        for play, sent in (
            ("fresh rounds", rounds),
            ("one in ten sent twice", rounds + rounds[::10]),
            ("replayed", rounds * 2),
        ):
            took = []
            for size in (0, 50_000):
                judge = Judge(engine, Settings(cache_rounds=size, judge_limit_s=9))
                given = [read_round(line, int(time.time()), bytes_max=65_536, ahead_s=86_400) for line in sent]
                began = time.process_time()
                for first in range(0, len(given), 256):
                    judge.answer(given[first : first + 256])
                took.append((time.process_time() - began) / len(given) * 1e6)
            hits = judge.cache.hits / len(given)
            bench.out.setdefault("cache", {})[f"{name}, {play}"] = {"hits": hits, "us": took}
            table.add_row(f"{name}, {play}", f"{hits:.1%}", f"{took[0]:.1f}", f"{took[1]:.1f}")
    bench.console.print(table)


def main() -> None:
    """Measure everything and print it; the figures also go to a JSON file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument(
        "--only", choices=["judge", "throughput", "latency", "memory", "backlog", "order", "cache"], nargs="*"
    )
    given = parser.parse_args()
    wanted = set(given.only or ["judge", "throughput", "latency", "memory", "backlog", "order", "cache"])
    engine = mjsettle.load()
    rules = [name for name in ("guobiao", "guangdong") if name in engine.rules()]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), 0.1 if given.quick else 1.0)
        mixes: dict[str, list[bytes]] = {rule: make_rounds(engine, rule, bench.size(4_000)) for rule in rules}
        sample = next(iter(mixes.values()))
        if "judge" in wanted:
            judge_alone(bench, engine, mixes)
        if wanted & {"throughput", "latency"}:
            throughput(bench, mixes)
        if "latency" in wanted:
            latencies(bench, mixes)
        if "memory" in wanted:
            memory(bench, sample)
        if "backlog" in wanted:
            backlog(bench, sample)
        if "order" in wanted:
            order_and_parts(bench, sample)
        if "cache" in wanted:
            cache(bench, engine, mixes)
    if given.json:
        given.json.write_text(json.dumps(bench.out, indent=1))


if __name__ == "__main__":
    main()
