"""Imports point one way, in the core, the workers and every plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_import_contracts_hold() -> None:
    ran = subprocess.run(
        [sys.executable, "tests/repository/import_contracts.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout
    assert " 0 broken" in ran.stdout
