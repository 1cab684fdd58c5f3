"""Walks through a page: writes the files that it shows, runs its commands, and compares what they print.

A block with a title is a file; the word ``append`` after it adds to the file, ``replace`` changes what stands above a
line of three dashes into what stands below. An output that ends in a line of three dots may go on. ``pip install -e .``
is stood in for by metadata on the path, and of what else pip would install it is asked whether it is there: what pip
does is tested in tests/packaging. A page with commands that run until they are stopped has a test of its own, which
gives `walk` what stands in for them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

_FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)"(?: (append|replace))?)?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Ran(NamedTuple):
    """A command, what the page says that it prints, and what it printed."""

    command: str
    expected: list[str]
    found: list[str]


StandIns = Mapping[str, Callable[[str], str]]
"""By the beginning of a command what is done in its place; it returns what was printed."""


def walk(text: str, folder: Path, stand_ins: StandIns | None = None) -> Iterator[Ran]:
    """Do what the page says, in an empty folder."""
    for language, title, how, body in _FENCE.findall(text):
        if title:
            _write(folder / title, how, body)
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield _ran(command, _lines(output), _lines(_print(command, folder, stand_ins or {})))


def _ran(command: str, expected: list[str], found: list[str]) -> Ran:
    if expected[-1:] == ["..."]:
        expected = expected[:-1]
        found = found[: len(expected)]
    return Ran(command, expected, found)


def _print(command: str, folder: Path, stand_ins: StandIns) -> str:
    for beginning, act in stand_ins.items():
        if command.startswith(beginning):
            return act(command)
    if command == "pip install -e .":
        install(folder)
        return ""
    if command.startswith("pip install "):
        _require(shlex.split(command)[2:])
        return ""
    return _run(command, folder)


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
    environ = environment(folder)
    ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environ, capture_output=True, text=True, timeout=120)
    return ran.stdout + ran.stderr


def environment(folder: Path) -> dict[str, str]:
    """Of the commands of a walk through ``folder``."""
    scripts = Path(sys.executable).parent
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MJSETTLE_")}
    environ |= {"PATH": f"{scripts}:{environ['PATH']}", "COLUMNS": "100", "PYTHONPATH": f"{folder}:{folder / '.site'}"}
    environ["PYTHONDONTWRITEBYTECODE"] = "1"
    return environ


def _require(wanted: list[str]) -> None:
    """Each distribution exists and has the extras that the page names."""
    for text in wanted:
        named = Requirement(text)
        assert named.extras <= set(distribution(named.name).metadata.get_all("Provides-Extra", [])), text


def install(folder: Path) -> None:
    """What pip would leave on the path for the project in ``folder``."""
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
