"""Every wire case of Taiwanese mahjong."""

from pathlib import Path

from mjsettle.testing import cases_in

test_cases = cases_in(Path(__file__).parents[1] / "cases")
