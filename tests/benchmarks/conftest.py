"""Every benchmark states its ratio to a calibration twin measured just before and just after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.benchmarks.calibration import TWINS, seconds_of


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "twin(name): the calibration twin of a benchmark, numpy unless it says python")


@pytest.fixture(autouse=True)
def beside_its_twin(request: pytest.FixtureRequest) -> Iterator[None]:
    """Note `twin`, `twin_ms` and `ratios`: of the least time, and of the seconds that a benchmark leaves in `seconds`.

    A benchmark whose whole time says nothing, as when another process does the work, leaves `elsewhere`. What it leaves
    in `amounts` is kept among the ratios as it is.
    """
    if request.node.get_closest_marker("bench") is None:
        yield
        return
    benchmark: Any = request.getfixturevalue("benchmark")
    marker = request.node.get_closest_marker("twin")
    name = marker.args[0] if marker else "numpy"
    before = seconds_of(TWINS[name])
    yield
    if benchmark.stats is None:
        return
    twin = min(before, seconds_of(TWINS[name]))
    info = benchmark.extra_info
    parts = {} if info.pop("elsewhere", False) else {"min": benchmark.stats.stats.min}
    parts |= info.pop("seconds", {})
    info |= {
        "twin": name,
        "twin_ms": round(twin * 1e3, 3),
        "ratios": {part: round(seconds / twin, 5) for part, seconds in parts.items()} | info.pop("amounts", {}),
    }
