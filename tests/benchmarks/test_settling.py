"""Settling: JSON in and out beside the codec alone, one round alone, and what a process that settles needs of memory.

`extra_info` holds microseconds and ratios. No figure is asserted: machines differ.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from mjsettle.rounds import Round, decode_round, round_of
from tests.benchmarks.calibration import side_by_side
from tests.benchmarks.corpus import ROOT, engine, golden_rounds, lines, real_rounds

pytestmark = pytest.mark.bench

Benchmark = Any  # pytest-benchmark's fixture has no types
ROUNDS = 2_000
PASSES = 3


@pytest.mark.parametrize("rule", ["guobiao", "riichi", "guangdong"])
@pytest.mark.twin("python")
def test_settle_json(benchmark: Benchmark, rule: str) -> None:
    """JSON lines in, JSON lines out; `beside_codec`: its time divided by that of decoding and encoding alone."""
    text = lines(rule, ROUNDS)
    settle = engine().settle_json
    answers = [msgspec.json.decode(line) for line in settle(text).splitlines()]
    assert all(answer["status"] == "settled" for answer in answers)
    encode = msgspec.json.Encoder().encode

    def codec() -> None:
        for line in text.split(b"\n"):
            if line:
                decode_round(line)
        for answer in answers:
            encode(answer)

    benchmark.pedantic(lambda: settle(text), rounds=3, warmup_rounds=1, iterations=1)
    if benchmark.stats is not None:
        seconds = side_by_side({"settle": lambda: settle(text), "codec": codec})
        benchmark.extra_info["us_per_round"] = round(benchmark.stats.stats.min / len(answers) * 1e6, 2)
        benchmark.extra_info["beside_codec"] = round(seconds["settle"] / seconds["codec"], 2)


CORPORA: dict[str, Callable[[], Sequence[Round]]] = {
    "riichi_real": real_rounds,
    "golden": lambda: golden_rounds(wild=False),
    "golden_wild": lambda: golden_rounds(wild=True),
    "guobiao": lambda: [round_of(msgspec.json.decode(line)) for line in lines("guobiao", ROUNDS).splitlines()],
    "guobiao_wild": lambda: [round_of(msgspec.json.decode(line)) for line in lines("guobiao", 300, 4).splitlines()],
}


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.twin("python")
def test_one_round(benchmark: Benchmark, corpus: str) -> None:
    """One parsed round at a time, settled whole. Percentiles over the corpus of each round's best of three times."""
    rounds = CORPORA[corpus]()
    settle = engine().settle
    times = np.empty((PASSES, len(rounds)), np.int64)

    def each() -> None:
        for turn in range(PASSES):
            for at, round in enumerate(rounds):
                began = time.process_time_ns()
                settle([round])
                times[turn, at] = time.process_time_ns() - began

    settle(list(rounds))
    benchmark.pedantic(each, rounds=1, iterations=1)
    best = times.min(axis=0) / 1e9
    seconds = {f"p{share:g}": float(np.percentile(best, share)) for share in (50, 95, 99, 99.9)}
    benchmark.extra_info["us"] = {part: round(value * 1e6, 1) for part, value in seconds.items()}
    benchmark.extra_info["p99_to_median"] = round(seconds["p99"] / seconds["p50"], 2)
    benchmark.extra_info["rounds"] = len(rounds)
    benchmark.extra_info["elsewhere"] = True  # the sum over a corpus says nothing of its own
    benchmark.extra_info["seconds"] = seconds


WORKER = """
import sys
import mjsettle
def memory_kb():
    with open("/proc/self/smaps_rollup") as lines:
        found = dict(line.split(":") for line in lines if ":" in line)
    return [int(found[name].split()[0]) for name in ("Rss", "Pss", "Private_Dirty")]
engine = mjsettle.load()
text = sys.stdin.buffer.read()
loaded = memory_kb()
for _ in range(3):
    engine.settle_json(text)
print(*loaded, *memory_kb(), flush=True)
sys.stdin.close()
"""


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is read from Linux's /proc")
@pytest.mark.parametrize("rule", ["guobiao", "riichi"])
@pytest.mark.twin("python")
def test_memory_of_a_worker(benchmark: Benchmark, rule: str) -> None:
    """A process that has settled batches of 10,000 rounds: resident memory, and what of it no other process shares."""
    text = lines(rule, ROUNDS) * (10_000 // ROUNDS)
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}

    def work() -> list[int]:
        done = subprocess.run([sys.executable, "-c", WORKER], input=text, capture_output=True, check=True, env=environ)
        return [int(word) for word in done.stdout.split()]

    found = benchmark.pedantic(work, rounds=1, iterations=1)
    names = ("rss_mb", "pss_mb", "private_mb")
    benchmark.extra_info |= {f"loaded_{name}": round(kb / 1024, 1) for name, kb in zip(names, found[:3], strict=True)}
    benchmark.extra_info["elsewhere"] = True
    benchmark.extra_info["amounts"] = {name: round(kb / 1024, 1) for name, kb in zip(names, found[3:], strict=True)}
