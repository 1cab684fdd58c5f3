"""What the tests of the files in deploy/ share: other people's linters, and our own command."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mjsettle.cli import main

DEPLOY = Path(__file__).parents[2] / "deploy"


def run(*command: str | Path, cwd: Path = DEPLOY) -> str:
    ran = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def needs(tool: str) -> str:
    found = shutil.which(tool) or shutil.which(tool, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"{tool} is not installed")
    return found


def assert_is_command(arguments: list[str]) -> None:
    """The command and its options exist."""
    told = CliRunner().invoke(main, [arguments[0], "--help"])
    assert told.exit_code == 0, arguments
    unknown = [word for word in arguments[1:] if word.startswith("--") and word not in told.output]
    assert not unknown
