"""What is installed is what the tree holds."""

from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECTS = [ROOT / "pyproject.toml", ROOT / "workers/pyproject.toml", *sorted(ROOT.glob("plugins/*/pyproject.toml"))]


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_distribution_of_the_tree_is_installed(path: Path) -> None:
    project = tomllib.loads(path.read_text())["project"]
    installed = distribution(project["name"])
    assert installed.version == project["version"]
    entry_points = {(e.group, e.name): e.value for e in installed.entry_points}
    declared = {
        (group, name): value
        for group, entries in {**project.get("entry-points", {}), "console_scripts": project.get("scripts", {})}.items()
        for name, value in entries.items()
    }
    assert entry_points == declared
