"""Wire cases as pytest tests. A plugin's test module needs no more than

from pathlib import Path
from mjsettle.testing import cases_in

test_cases = cases_in(Path(__file__).parents[1] / "cases")
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from mjsettle.settle import Engine, load
from mjsettle.testing.cases import Case, CaseError, failures, read_cases


def cases_in(folder: str | Path, engine: Callable[[], Engine] | None = None) -> Callable[[Case], None]:
    """A test function that pytest runs once for every case of the folder's ``*.jsonl`` files.

    Files named ``*.facts.jsonl`` hold facts of other kinds and are left alone. A case with ``skip`` is skipped with
    that reason. engine: makes the engine to settle with; default: all installed rule sets. CaseError when the folder
    holds no case, or a row that is none.
    """
    import pytest  # only tests need it

    paths = [path for path in sorted(Path(folder).glob("*.jsonl")) if not path.name.endswith(".facts.jsonl")]
    cases = [case for path in paths for case in read_cases(path)]
    if not cases:
        raise CaseError(f"{folder}: found no case; expected *.jsonl files with one case a line")
    make = engine or _installed

    @pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])
    def test_case(case: Case) -> None:
        if case.skip is not None:
            pytest.skip(case.skip)
        found = failures(case, make().settle([dict(case.round)])[0])
        if found:
            source = f"source: {case.source}" if case.source else ""
            pytest.fail("\n".join([f"{case.name}  ({case.where})", source, *found]), pytrace=False)

    return test_case


@cache
def _installed() -> Engine:
    return load()
