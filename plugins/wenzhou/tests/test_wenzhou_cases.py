"""Golden hands and whole rounds with every seat's delta."""

from pathlib import Path

from mjsettle.testing import cases_in

test_cases = cases_in(Path(__file__).parents[1] / "cases")
