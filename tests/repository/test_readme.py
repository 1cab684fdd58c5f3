"""Every example in the READMEs runs and prints what they say."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.zh-CN.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name: str, language: str) -> list[str]:
    return [text for found, text in BLOCK.findall((ROOT / name).read_text()) if found == language]


def commands(name: str) -> list[tuple[str, str]]:
    """The commands of the console blocks with the output that follows each."""
    pairs = []
    for text in blocks(name, "console"):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            pairs.append((command, output))
    return pairs


@pytest.mark.parametrize("name", READMES)
def test_python_examples(name: str) -> None:
    text = "\n".join(blocks(name, "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert len(test.examples) >= 5
    failures: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize(("command", "output"), [pair for name in READMES for pair in commands(name)])
def test_console_examples(command: str, output: str) -> None:
    """An output that ends in a line of three dots may go on."""
    command = re.sub(r"^make ", "make -o .venv/installed ", command)  # whoever runs this test has set up already
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "100"}
    ran = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    found = [line.rstrip() for line in ran.stdout.splitlines()]
    wanted = [line.rstrip() for line in output.splitlines()]
    if wanted and wanted[-1] == "...":
        wanted.pop()
        found = found[: len(wanted)]
    assert wanted, "an example needs its output"
    assert found == wanted
