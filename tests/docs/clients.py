"""Client libraries of other languages, fetched for a test where their tools and registries can be had."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def fetch(what: str, folder: Path, *command: str, environ: dict[str, str] | None = None) -> None:
    """Run a language's own tool in the folder; the test is skipped, saying why, where it is missing or fails."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    try:
        ran = subprocess.run(
            command, cwd=folder, env=os.environ | (environ or {}), capture_output=True, text=True, timeout=120
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{what} cannot be fetched: {command[0]} takes more than two minutes")
    if ran.returncode:
        pytest.skip(f"{what} cannot be fetched: {(ran.stdout + ran.stderr).strip()[:200]}")


def npm(folder: Path, *packages: str) -> None:
    """Packages from the npm registry."""
    (folder / "package.json").write_text('{"private": true}')
    options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    fetch(" ".join(packages), folder, "npm", "install", *options, *packages)
