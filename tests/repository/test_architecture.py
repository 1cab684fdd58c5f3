"""ARCHITECTURE.md names every module of the core."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_module_of_the_core_has_its_place() -> None:
    table = "\n".join(line for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines() if line.startswith("|"))
    named = {name.rstrip("/") for name in re.findall(r"`([a-z_]+/?)`", table)}
    modules = {path.stem for path in (ROOT / "mjsettle").glob("[a-z]*.py")}
    packages = {path.parent.name for path in (ROOT / "mjsettle").glob("*/__init__.py")}
    assert named == modules | packages, (
        "keep the table of ARCHITECTURE.md and the layers in importlinter.ini up to date"
    )
