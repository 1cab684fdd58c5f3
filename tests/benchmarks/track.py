"""Run the benchmarks, store the run, and hold its ratios against the accepted ones: ``make bench``.

A ratio is a benchmark's least CPU time (or a percentile of its latencies) divided by that of its calibration twin in
the same run; see `tests.benchmarks.calibration`. The run fails when a ratio is worse than the accepted one by more than
its margin, and still is when the benchmark is measured once more. Every run is kept as JSON in ``.benchmarks/``; the
table shows the change since the accepted ratios and since the last run, and ``.benchmarks/trend.svg`` plots all runs.

Exit code: 0 nothing worsened, 1 something did, 2 nothing to compare with or the benchmarks themselves failed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
STORE: Final = ROOT / ".benchmarks"
BASELINE: Final = HERE / "baseline.json"
ACCEPT: Final = "make bench-accept"

# How much worse a ratio may be: well above what runs of the same code differ by on a busy machine with two cores
# (docs/performance.md says by how much they do).
MARGIN: Final = 1.35
MARGIN_TAIL: Final = 1.8  # percentiles from P95 on, file loading, and what takes less than a twentieth of its twin
_SHORT: Final = 0.05
_LINES: Final = ("-", "--", ":", "-.")  # ten colours each
_TAIL: Final = ("p95", "p99", "p99.9", "load")


@dataclass(frozen=True, slots=True)
class Run:
    """One stored run: when, at which commit, and its ratios by "test:part"."""

    when: str
    commit: str
    ratios: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A ratio beside the accepted one and the one of the run before; None where there is none."""

    name: str
    ratio: float
    accepted: float | None
    before: float | None
    margin: float

    @property
    def change(self) -> float | None:
        return self.ratio / self.accepted if self.accepted else None

    @property
    def worsened(self) -> bool:
        return self.change is not None and self.change > self.margin


def load_run(path: Path) -> Run:
    """A run from pytest-benchmark's JSON; benchmarks without ratios are left out."""
    stored = msgspec.json.decode(path.read_bytes())
    ratios = {
        f"{bench['fullname'].split('/')[-1]}:{part}": float(ratio)
        for bench in stored["benchmarks"]
        for part, ratio in bench["extra_info"].get("ratios", {}).items()
    }
    return Run(stored["datetime"], (stored.get("commit_info") or {}).get("id", "")[:7], ratios)


def load_runs(store: Path) -> list[Run]:
    """All stored runs, the oldest first."""
    return sorted((load_run(path) for path in store.glob("run-*.json")), key=lambda run: run.when)


def margin_of(name: str, accepted: float | None) -> float:
    tail = name.rpartition(":")[2] in _TAIL or (accepted is not None and accepted < _SHORT)
    return MARGIN_TAIL if tail else MARGIN


def compare(run: Run, accepted: Mapping[str, float], before: Run | None = None) -> list[Line]:
    """Every ratio of a run beside the accepted one, the most worsened first."""
    earlier = before.ratios if before else {}
    lines = [
        Line(name, ratio, accepted.get(name), earlier.get(name), margin_of(name, accepted.get(name)))
        for name, ratio in run.ratios.items()
    ]
    return sorted(lines, key=lambda line: -(line.change or 0))


def table(lines: Iterable[Line]) -> Table:
    found = Table(title="ratios to the calibration twins; more is slower")
    for name, justify in (("benchmark", "left"), ("ratio", "right"), ("accepted", "right"), ("change", "right")):
        found.add_column(name, justify=justify)  # type: ignore[arg-type]
    found.add_column("last run", justify="right")
    found.add_column("verdict")
    for line in lines:
        since = f"{line.ratio / line.before:.2f}x" if line.before else ""
        verdict = f"[red]worse by more than {line.margin}x[/red]" if line.worsened else ""
        if line.accepted is None:
            verdict = "new"
        change = f"{line.change:.2f}x" if line.change else ""
        found.add_row(escape(line.name), f"{line.ratio:.3f}", f"{line.accepted or 0:.3f}", change, since, verdict)
    return found


def plot(runs: Sequence[Run], path: Path) -> None:
    """Every ratio over the stored runs, relative to its median; matplotlib's SVG."""
    import_module("matplotlib").use("svg")
    pyplot = import_module("matplotlib.pyplot")
    names = sorted({name for run in runs for name in run.ratios})
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.split("::")[0], []).append(name)
    figure, axes = pyplot.subplots(len(groups) or 1, 1, figsize=(12, 6 * (len(groups) or 1)), squeeze=False)
    for axis, (title, members) in zip(axes[:, 0], groups.items(), strict=False):
        for number, name in enumerate(members):
            known = [(at, run.ratios[name]) for at, run in enumerate(runs) if name in run.ratios]
            middle = statistics.median(ratio for _, ratio in known)
            changes = [ratio / middle for _, ratio in known]
            line = _LINES[number // 10 % len(_LINES)]
            axis.plot([at for at, _ in known], changes, "." + line, label=name.split("::")[-1])
        axis.set_title(title)
        axis.set_yscale("log", base=2)
        axis.axhline(1, color="grey", linewidth=0.5)
        axis.set_ylabel("ratio / its median")
        axis.set_xticks(range(len(runs)), [f"{run.when[:10]}\n{run.commit}" for run in runs], fontsize=7)
        axis.legend(fontsize=6, ncols=1, loc="upper left", bbox_to_anchor=(1.01, 1))
    figure.savefig(path, bbox_inches="tight")
    pyplot.close(figure)


def load_baseline(path: Path) -> dict[str, float] | None:
    """The accepted ratios; None where there are none."""
    if not path.exists():
        return None
    return {name: float(ratio) for name, ratio in msgspec.json.decode(path.read_bytes())["ratios"].items()}


def missing_baseline(path: Path) -> str:
    return (
        f"found no accepted ratios at {path}; expected those of an earlier run. This run is stored, and nothing was "
        f"compared: `{ACCEPT}` accepts the medians of the stored runs, to be committed"
    )


def accept(runs: Sequence[Run], path: Path) -> None:
    """Write the medians of the runs' ratios as the accepted ones; a benchmark that the last run lacks is dropped."""
    ratios = {
        name: statistics.median(run.ratios[name] for run in runs if name in run.ratios) for name in runs[-1].ratios
    }
    body = {"runs": [run.when for run in runs], "ratios": {name: round(ratios[name], 5) for name in sorted(ratios)}}
    path.write_bytes(msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n")


def measure(out: Path, arguments: Sequence[str]) -> int:
    """Run the benchmarks in a process of their own; pytest's exit code."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "bench",
        "tests/benchmarks",
        "--benchmark-columns=min,median",
    ]
    command += ["--benchmark-timer=time.process_time", f"--benchmark-json={out}", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def again(worse: Sequence[Line], folder: Path) -> dict[str, float]:
    """Measure the benchmarks of these ratios once more: their ratios now."""
    tests = sorted({line.name.rpartition(":")[0] for line in worse})
    out = folder / "again.json"
    names = [f"tests/benchmarks/{test}" for test in tests]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "bench", *names, "--benchmark-timer=time.process_time"]
    subprocess.run([*command, f"--benchmark-json={out}"], cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    return dict(load_run(out).ratios) if out.exists() else {}


def better_of(run: Run, second: Mapping[str, float]) -> Run:
    """The run with the better of two measurements where a benchmark was measured twice."""
    return Run(run.when, run.commit, {name: min(ratio, second.get(name, ratio)) for name, ratio in run.ratios.items()})


def judge(run: Run, baseline: Path, before: Run | None, console: Console, folder: Path | None = None) -> int:
    """Print the table and say whether something worsened; folder: where to measure what did once more."""
    accepted = load_baseline(baseline)
    if accepted is None:
        console.print(table(compare(run, {}, before)))
        console.print(missing_baseline(baseline), highlight=False, markup=False, soft_wrap=True)
        return 2
    worse = [line for line in compare(run, accepted, before) if line.worsened]
    if worse and folder is not None:
        console.print(f"{len(worse)} ratios seem worse; measuring those benchmarks once more")
        run = better_of(run, again(worse, folder))
    lines = compare(run, accepted, before)
    console.print(table(lines))
    gone = sorted(set(accepted) - set(run.ratios))
    if gone:
        console.print(
            f"accepted but not measured: {', '.join(gone)}; `{ACCEPT}` drops them",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    worse = [line for line in lines if line.worsened]
    for line in worse:
        console.print(
            f"{line.name}: found {line.ratio:.3f}, expected at most {line.margin} times the accepted "
            f"{line.accepted:.3f}; profile it, or `{ACCEPT}` if the change is meant",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    return 1 if worse else 0


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--accept", type=int, metavar="N", help="accept the medians of the last N stored runs")
    options.add_argument("--show", action="store_true", help="compare the last stored run, and measure nothing")
    options.add_argument("rest", nargs="*", help="arguments for pytest, after --")
    given = options.parse_args(arguments)
    console = Console(width=150)
    STORE.mkdir(exist_ok=True)
    runs = load_runs(STORE)
    if given.accept or given.show:
        if not runs:
            console.print(f"found no stored runs in {STORE}; expected some of `make bench`")
            return 2
        if given.accept:
            accept(runs[-given.accept :], BASELINE)
            console.print(f"{BASELINE} now has the medians of {len(runs[-given.accept :])} runs; commit it")
            return 0
        return judge(runs[-1], BASELINE, runs[-2] if len(runs) > 1 else None, console)
    out = STORE / f"run-{datetime.now():%Y%m%d-%H%M%S}.json"
    code = measure(out, given.rest)
    if code or not out.exists():
        console.print(f"the benchmarks failed (pytest exit code {code}); nothing was compared")
        return 2
    run = load_run(out)
    found = judge(run, BASELINE, runs[-1] if runs else None, console, STORE)
    plot([*runs, run], STORE / "trend.svg")
    console.print(f"stored as {out}; trend over {len(runs) + 1} runs: {STORE / 'trend.svg'}", highlight=False)
    return found


__all__ = ["Line", "Run", "accept", "compare", "judge", "load_run", "main"]

if __name__ == "__main__":
    sys.exit(main())
