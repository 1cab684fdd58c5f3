"""Golden hands, public bug reports and whole rounds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mjsettle_guobiao
from mjsettle.settle import Engine, load
from mjsettle.testing import cases_in


@cache
def engine() -> Engine:
    return load([mjsettle_guobiao])


test_case = cases_in(Path(__file__).parents[1] / "cases", engine)
