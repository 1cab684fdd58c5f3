"""The tool that watches the ratios: what worsens fails, what is missing explains itself."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from tests.benchmarks import track
from tests.benchmarks.calibration import TWINS, seconds_of, side_by_side

NAME = "test_scoring.py::test_guobiao[1]"


def stored(folder: Path, ratios: dict[str, float], name: str = "run-1.json", when: str = "2026-01-01T00:00:00") -> Path:
    """A run as pytest-benchmark stores it, with one benchmark and one that has no ratios."""
    benchmarks: list[dict[str, Any]] = [
        {"fullname": f"tests/benchmarks/{NAME}", "extra_info": {"ratios": ratios}},
        {"fullname": "tests/benchmarks/test_other.py::test_it", "extra_info": {}},
    ]
    path = folder / name
    path.write_bytes(
        msgspec.json.encode({"datetime": when, "commit_info": {"id": "abcdef123"}, "benchmarks": benchmarks})
    )
    return path


def judged(run: track.Run, baseline: Path, before: track.Run | None = None) -> tuple[int, str]:
    out = io.StringIO()
    code = track.judge(run, baseline, before, Console(file=out, width=200))
    return code, out.getvalue()


def test_a_run_is_read_as_ratios(tmp_path: Path) -> None:
    run = track.load_run(stored(tmp_path, {"min": 2.0, "p99": 0.5}))
    assert run == track.Run("2026-01-01T00:00:00", "abcdef1", {f"{NAME}:min": 2.0, f"{NAME}:p99": 0.5})


@pytest.mark.parametrize(("ratio", "code"), [(2.0, 0), (2.0 * track.MARGIN - 0.01, 0), (2.0 * track.MARGIN + 0.01, 1)])
def test_a_ratio_that_worsens_beyond_its_margin_fails(tmp_path: Path, ratio: float, code: int) -> None:
    baseline = tmp_path / "baseline.json"
    track.accept([track.Run("", "", {f"{NAME}:min": 2.0})], baseline)
    found, text = judged(track.load_run(stored(tmp_path, {"min": ratio})), baseline)
    assert found == code
    assert ("worse by more than" in text) == bool(code)
    assert ("expected at most" in text) == bool(code)


def test_tails_and_short_times_have_a_wider_margin(tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    accepted = {f"{NAME}:p99": 2.0, f"{NAME}:p50": track._SHORT / 2}
    track.accept([track.Run("", "", accepted)], baseline)
    wider = (track.MARGIN + track.MARGIN_TAIL) / 2
    run = track.Run("", "", {name: ratio * wider for name, ratio in accepted.items()})
    assert judged(run, baseline)[0] == 0
    run = track.Run("", "", {name: ratio * track.MARGIN_TAIL * 1.01 for name, ratio in accepted.items()})
    assert judged(run, baseline)[0] == 1


def test_a_faster_run_and_a_new_benchmark_pass(tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    track.accept([track.Run("", "", {f"{NAME}:min": 2.0})], baseline)
    code, text = judged(track.Run("", "", {f"{NAME}:min": 0.1, "test_new.py::test_it:min": 9.0}), baseline)
    assert code == 0
    assert "new" in text


def test_a_missing_baseline_explains_itself(tmp_path: Path) -> None:
    code, text = judged(track.load_run(stored(tmp_path, {"min": 2.0})), tmp_path / "baseline.json")
    assert code == 2
    assert "found no accepted ratios" in text
    assert track.ACCEPT in text
    assert NAME in text


def test_what_is_no_longer_measured_is_named(tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    track.accept([track.Run("", "", {f"{NAME}:min": 2.0, "test_gone.py::test_it:min": 1.0})], baseline)
    code, text = judged(track.Run("", "", {f"{NAME}:min": 2.0}), baseline)
    assert code == 0
    assert "accepted but not measured: test_gone.py::test_it:min" in text


def test_the_accepted_ratio_is_the_median_of_runs(tmp_path: Path) -> None:
    runs = [
        track.Run(str(at), "", {f"{NAME}:min": ratio, **extra})
        for at, (ratio, extra) in enumerate([(3.0, {"test_gone.py::test_it:min": 1.0}), (1.0, {}), (2.0, {})])
    ]
    track.accept(runs, tmp_path / "baseline.json")
    assert track.load_baseline(tmp_path / "baseline.json") == {f"{NAME}:min": 2.0}


def test_measuring_again_keeps_the_better_time() -> None:
    run = track.better_of(track.Run("", "", {"a": 2.0, "b": 1.0}), {"a": 1.5, "b": 3.0})
    assert run.ratios == {"a": 1.5, "b": 1.0}


def test_runs_are_plotted_in_order(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra `bench`")
    stored(tmp_path, {"min": 2.0}, "run-2.json", "2026-01-02T00:00:00")
    stored(tmp_path, {"min": 1.0}, "run-1.json", "2026-01-01T00:00:00")
    runs = track.load_runs(tmp_path)
    assert [run.ratios[f"{NAME}:min"] for run in runs] == [1.0, 2.0]
    track.plot(runs, tmp_path / "trend.svg")
    assert "test_guobiao" in (tmp_path / "trend.svg").read_text() or "<svg" in (tmp_path / "trend.svg").read_text()


def test_the_committed_baseline_can_be_read() -> None:
    accepted = track.load_baseline(track.BASELINE)
    assert accepted
    assert all(ratio > 0 for ratio in accepted.values())


@pytest.mark.parametrize("name", TWINS)
def test_twins_do_the_same_work_each_time(name: str) -> None:
    assert TWINS[name]() == TWINS[name]()
    assert seconds_of(TWINS[name], 1) > 0


def test_calls_are_timed_in_turns() -> None:
    seen: list[str] = []
    found = side_by_side({"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}, rounds=2)
    assert seen == ["a", "b", "a", "b"]
    assert set(found) == {"a", "b"}
