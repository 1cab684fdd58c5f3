"""How fast hands are judged: wins, waits and shanten, in batches and one by one; what loading the tables costs.

`extra_info` holds nanoseconds per hand and hands per second, and the ratio to the measured limit for look-ups by table
in NumPy, 7 ns a hand from ready keys and 23 ns from counts. No figure is asserted: machines differ.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mjsettle.exact import standard_wins, suit_totals
from mjsettle.forms import is_win, is_win_batch
from mjsettle.keys import Concealed, parse_batch, suit_keys, suit_keys_batch
from mjsettle.needs import need, need_batch
from mjsettle.shanten import shanten, shanten_batch
from mjsettle.tables import build
from mjsettle.testing.deal import dealt, near_win
from mjsettle.tiles import KINDS, format_tiles
from mjsettle.wait_masks import waits_mask
from mjsettle.waits import waits, waits_batch
from mjsettle.wildcards import FREE, FifthCopy, WildPolicy

pytestmark = pytest.mark.bench

HANDS = 20_000
LIMIT_FROM_KEYS_NS = 7
LIMIT_FROM_COUNTS_NS = 23
Counts = NDArray[np.uint8]
Benchmark = Any  # pytest-benchmark's fixture has no types


def mixed_hands(tiles: int, wilds: int, number: int = HANDS) -> Counts:
    """Half dealt from the wall, half a few changes from a win, so that neither answer is the rule."""
    random = Random(tiles * 10 + wilds)
    short = 14 - tiles
    hands = [
        dealt(random, tiles - wilds) if turn % 2 else near_win(random, 4, wilds + short, changes=turn % 3)
        for turn in range(number)
    ]
    return np.array(hands, np.uint8)


def per_hand(benchmark: Benchmark, hands: int, call: Callable[[], Any], limit_ns: float | None = None) -> Any:
    """Measure a call that judges so many hands and note what one hand costs."""
    result = benchmark.pedantic(call, rounds=30, warmup_rounds=3, iterations=1)
    if benchmark.stats is not None:
        nanoseconds = benchmark.stats.stats.min / hands * 1e9
        benchmark.extra_info["ns_per_hand"] = round(nanoseconds, 1)
        benchmark.extra_info["hands_per_second"] = round(1e9 / nanoseconds)
        if limit_ns:
            benchmark.extra_info["ratio_to_limit"] = round(nanoseconds / limit_ns, 2)
    return result


@pytest.mark.parametrize("wilds", range(9))
def test_win_batch_from_keys(benchmark: Benchmark, wilds: int) -> None:
    keys = suit_keys_batch(mixed_hands(14, wilds))
    won = per_hand(benchmark, HANDS, lambda: need_batch(keys) <= wilds, LIMIT_FROM_KEYS_NS)
    benchmark.extra_info["winning"] = float(won.mean())


@pytest.mark.parametrize("fifth_copy", ["allowed", "concealed"])
def test_win_batch_from_keys_with_checks(benchmark: Benchmark, fifth_copy: FifthCopy) -> None:
    keys = suit_keys_batch(mixed_hands(14, 2))
    policy = WildPolicy(fifth_copy=fifth_copy)
    per_hand(benchmark, HANDS, lambda: is_win_batch(keys, 2, forms=("standard",), policy=policy), LIMIT_FROM_KEYS_NS)


@pytest.mark.parametrize("wilds", [0, 4, 8])
def test_win_batch_from_counts(benchmark: Benchmark, wilds: int) -> None:
    counts = mixed_hands(14, wilds)
    per_hand(benchmark, HANDS, lambda: need_batch(suit_keys_batch(counts)) <= wilds, LIMIT_FROM_COUNTS_NS)


def test_win_batch_from_counts_in_the_standard_form(benchmark: Benchmark) -> None:
    """With the checks of the public function: tile numbers, more than four of a kind."""
    counts = mixed_hands(14, 2)
    per_hand(benchmark, HANDS, lambda: is_win_batch(counts, 2, forms=("standard",)), LIMIT_FROM_COUNTS_NS)


def test_win_batch_in_all_forms(benchmark: Benchmark) -> None:
    counts = mixed_hands(14, 2)
    per_hand(benchmark, HANDS, lambda: is_win_batch(counts, 2))


def test_win_batch_from_strings(benchmark: Benchmark) -> None:
    hands = [written(counts) for counts in mixed_hands(14, 0).tolist()]
    per_hand(benchmark, HANDS, lambda: is_win_batch(hands))


def test_parse_batch(benchmark: Benchmark) -> None:
    hands = [written(counts) for counts in mixed_hands(14, 0).tolist()]
    per_hand(benchmark, HANDS, lambda: parse_batch(hands))


@pytest.mark.parametrize("wilds", [0, 1, 2, 4])
@pytest.mark.parametrize("held_fours", [False, True])
def test_waits_batch(benchmark: Benchmark, wilds: int, held_fours: bool) -> None:
    counts = mixed_hands(13, wilds)
    masks = per_hand(benchmark, HANDS, lambda: waits_batch(counts, wilds, held_fours=held_fours))
    benchmark.extra_info["ready"] = float((masks != 0).mean())


@pytest.mark.parametrize("wilds", [0, 2])
def test_shanten_batch(benchmark: Benchmark, wilds: int) -> None:
    counts = mixed_hands(13, wilds)
    per_hand(benchmark, HANDS, lambda: shanten_batch(counts, wilds))


@pytest.mark.twin("python")
@pytest.mark.parametrize("wilds", [0, 4, 8])
def test_one_win_from_keys(benchmark: Benchmark, wilds: int) -> None:
    keys = [suit_keys(counts) for counts in mixed_hands(14, wilds, 1000).tolist()]
    per_hand(benchmark, len(keys), lambda: [need(one) <= wilds for one in keys])


@pytest.mark.twin("python")
def test_one_win(benchmark: Benchmark) -> None:
    hands = [written(counts) for counts in mixed_hands(14, 0, 500).tolist()]
    per_hand(benchmark, len(hands), lambda: [is_win(hand) for hand in hands])


@pytest.mark.twin("python")
def test_one_waits_mask(benchmark: Benchmark) -> None:
    hands = [Concealed(counts, 0, counts) for counts in mixed_hands(13, 0, 500).tolist()]
    per_hand(benchmark, len(hands), lambda: [waits_mask(hand) for hand in hands])


@pytest.mark.twin("python")
def test_one_waits(benchmark: Benchmark) -> None:
    hands = [written(counts) for counts in mixed_hands(13, 0, 500).tolist()]
    per_hand(benchmark, len(hands), lambda: [waits(hand) for hand in hands])


@pytest.mark.twin("python")
def test_one_shanten(benchmark: Benchmark) -> None:
    hands = [written(counts) for counts in mixed_hands(13, 0, 500).tolist()]
    per_hand(benchmark, len(hands), lambda: [shanten(hand) for hand in hands])


@pytest.mark.twin("python")
@pytest.mark.parametrize(
    "policy", [FREE, WildPolicy(fifth_copy="concealed"), WildPolicy(False, False, 1, "concealed")], ids=str
)
def test_one_win_by_the_general_path(benchmark: Benchmark, policy: WildPolicy) -> None:
    """Suits not seen before: the memory of suits is emptied each time."""
    hands = mixed_hands(14, 4, 50).tolist()

    def judge() -> list[bool]:
        suit_totals.cache_clear()
        return [standard_wins(hand, 4, policy) for hand in hands]

    per_hand(benchmark, len(hands), judge)


LOADING = """
import time
import numpy
from mjsettle.tables import least_wilds, shanten_tables
def memory_kb():
    with open("/proc/self/smaps_rollup") as lines:
        found = dict(line.split(":") for line in lines if ":" in line)
    return [int(found[name].split()[0]) for name in ("Private_Dirty", "Rss")]
before = memory_kb()
start = time.perf_counter()
# The functions under the cache: the package itself has loaded its tables already.
loaded = [load.__wrapped__(variant) for variant in ("free", "four") for load in (least_wilds, shanten_tables)]
seconds = time.perf_counter() - start
touched = sum(int(table.sum()) for tables in loaded for table in tables if isinstance(table, numpy.ndarray))
print(seconds, *(after - earlier for after, earlier in zip(memory_kb(), before)))
"""


@pytest.mark.twin("python")
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is read from Linux's /proc")
def test_loading_the_tables(benchmark: Benchmark) -> None:
    """Load time in a fresh process, and its memory once every page was read: shared, where it is not private."""

    def load() -> list[float]:
        done = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, check=True)
        return [float(word) for word in done.stdout.split()]

    runs = [load() for _ in range(5)]
    benchmark.pedantic(load, rounds=1, iterations=1)
    seconds, private_kb, resident_kb = min(runs)
    benchmark.extra_info["elsewhere"] = True
    benchmark.extra_info["seconds"] = {"load": seconds}
    benchmark.extra_info["load_ms"] = round(seconds * 1e3, 2)
    benchmark.extra_info["private_kb"] = private_kb
    benchmark.extra_info["resident_kb"] = resident_kb
    benchmark.extra_info["files_kb"] = sum(path.stat().st_size for path in build.FOLDER.glob("*.npy")) // 1024


@pytest.mark.twin("python")
def test_generating_the_tables(benchmark: Benchmark) -> None:
    benchmark.pedantic(lambda: list(build.tables()), rounds=3, iterations=1)


def written(counts: list[int]) -> str:
    return format_tiles(kind for kind in range(KINDS) for _ in range(counts[kind]))
