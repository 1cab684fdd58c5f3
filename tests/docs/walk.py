"""Walks through a page: writes the files that it shows, runs its commands, and compares what they print.

A block with a title is a file; the word ``append`` after it adds to the file, ``replace`` changes what stands above a
line of three dashes into what stands below. ``pip install -e .`` is stood in for by metadata on the path: what pip does
is tested in tests/packaging.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)"(?: (append|replace))?)?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Ran(NamedTuple):
    """A command, what the page says that it prints, and what it printed."""

    command: str
    expected: list[str]
    found: list[str]


def walk(text: str, folder: Path) -> Iterator[Ran]:
    """Do what the page says, in an empty folder."""
    for language, title, how, body in _FENCE.findall(text):
        if title:
            _write(folder / title, how, body)
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield Ran(command, _lines(output), _lines(_run(command, folder)))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _write(path: Path, how: str, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if how == "append":
        body = path.read_text() + "\n\n" + body
    elif how == "replace":
        old, new = body.split("---\n")
        before = path.read_text()
        assert before.count(old) == 1, f"{path.name} has no single {old!r}"
        body = before.replace(old, new)
    path.write_text(body)


def _run(command: str, folder: Path) -> str:
    if command == "pip install -e .":
        _install(folder)
        return ""
    scripts = Path(sys.executable).parent
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MJSETTLE_")}
    environ |= {"PATH": f"{scripts}:{environ['PATH']}", "COLUMNS": "100", "PYTHONPATH": f"{folder}:{folder / '.site'}"}
    environ["PYTHONDONTWRITEBYTECODE"] = "1"
    ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environ, capture_output=True, text=True, timeout=120)
    return ran.stdout + ran.stderr


def _install(folder: Path) -> None:
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = folder / ".site" / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    entries = [
        line
        for group, found in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in found.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(entries) + "\n")
