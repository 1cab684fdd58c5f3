"""The pages of docs/ and the examples on them."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?[^\n]*\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """One fenced block: its language, its file name where it has one, its text."""

    language: str
    title: str
    text: str


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [Block(*found) for found in _BLOCK.findall(page.read_text())]


def programs(page: Path) -> dict[str, str]:
    """The files that a page shows, by name."""
    return {block.title: block.text for block in blocks(page) if block.title}


def has(page: Path, language: str) -> bool:
    """Whether the page has a block in this language."""
    return any(block.language == language for block in blocks(page))


def site_module(name: str) -> ModuleType:
    """A module of docs/, which import each other by name as mkdocs finds them."""
    if str(DOCS) not in sys.path:
        sys.path.append(str(DOCS))
    return importlib.import_module(name)


def name_of(page: Path) -> str:
    """The page's path below docs/."""
    return str(page.relative_to(DOCS))
