"""A wheel holds everything that its package reads at run time, and nothing beside it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECTS = [ROOT, ROOT / "workers", *sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml"))]


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_the_wheel_holds_the_package_with_its_data(project: Path, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=project,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    [package] = {name.split("/")[0] for name in names if ".dist-info" not in name}
    tracked = subprocess.run(
        ["git", "ls-files", package], cwd=project, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert f"{package}/py.typed" in names
    assert set(tracked) <= names
