"""Help for testing rule sets.

`cases_in` makes a test of every wire case in a folder, `conformance` compares judging alone and in a batch,
`random_rounds` and `random_wins` make hands to try, and `brute_force_best` and `bruteforce` are slow, obvious twins
of the judging core.
"""

from mjsettle.testing.best import brute_force_best
from mjsettle.testing.cases import Case, CaseError, differences, failures, read_cases
from mjsettle.testing.collect import cases_in
from mjsettle.testing.conformance import Sample, conformance, random_wins
from mjsettle.testing.random_hands import random_rounds

__all__ = [
    "Case",
    "CaseError",
    "Sample",
    "brute_force_best",
    "cases_in",
    "conformance",
    "differences",
    "failures",
    "random_rounds",
    "random_wins",
    "read_cases",
]
