"""What every test of the tree shares: how Hypothesis searches."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadline: a slow machine is not a wrong answer. In CI the same examples are tried each time, so that a change is
# judged by what it changes; elsewhere every run looks at new ones.
settings.register_profile("here", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.register_profile(
    "soak", settings.get_profile("here"), max_examples=5000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "here"))
