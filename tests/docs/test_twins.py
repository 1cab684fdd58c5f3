"""Each hand-written page stands in English and in Chinese; a twin that says less, more or other figures is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from posixpath import normpath

import pytest

from tests.docs.pages import DOCS, ROOT, blocks

TWINS = {
    ROOT / "README.md": ROOT / "README.zh-CN.md",
    ROOT / "deploy/RUNBOOK.md": ROOT / "deploy/RUNBOOK.zh-CN.md",
    **{page: DOCS / "zh" / page.name for page in sorted(DOCS.glob("*.md"))},
}
"""Pages and their Chinese twins."""
CODE = re.compile(r"`+([^`]+)`+")
LINK = re.compile(r"\]\(([^)\s]+)\)")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def sections(page: Path) -> list[str]:
    """The text from each heading to the next, without the fenced blocks; the text before the first heading is none."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.split(r"^(?=#+ )", prose, flags=re.MULTILINE)[1:]


def heading(section: str) -> str:
    return section.partition("\n")[0]


def words_in_code(section: str, page: Path) -> set[str]:
    return {" ".join(found.split()) for found in CODE.findall(section)}


def links(section: str, page: Path) -> set[str]:
    """Where the section's links lead, twins under the name of the English page."""
    found = set()
    for target in LINK.findall(section):
        if "://" in target or target.startswith("#"):
            found.add(target)
            continue
        path, _, anchor = target.partition("#")
        full = normpath(str(page.parent.relative_to(ROOT) / path))
        full = full.replace("docs/zh/", "docs/").replace(".zh-CN.md", ".md")
        found.add(f"{full}#{anchor}" if anchor else full)
    return found - {"docs/index.md", "README.md", "deploy/RUNBOOK.md"}  # the ways to the other language


def numbers(section: str, page: Path) -> set[str]:
    return set(NUMBER.findall(LINK.sub("", CODE.sub("", section))))


def tables(section: str, page: Path) -> set[str]:
    """The size of each table: rows x columns."""
    found: list[str] = []
    for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        rows = [re.sub(r"\\\||`[^`]*`", "", row).count("|") - 1 for row in table.splitlines()]
        assert len(set(rows)) == 1, f"a table of ragged rows in {page.name}: {table}"
        found.append(f"table {len(found) + 1} of {len(rows)} rows of {rows[0]}")
    return set(found)


def items(section: str, page: Path) -> set[str]:
    return {f"{len(re.findall(r'^(?:[*-]|[1-9][.]) ', section, re.MULTILINE))} items of lists"}


PARTS: tuple[Callable[[str, Path], set[str]], ...] = (words_in_code, links, numbers, tables, items)


@pytest.mark.parametrize("page", TWINS, ids=lambda page: page.name)
def test_every_page_has_a_twin_with_the_same_examples(page: Path) -> None:
    twin = TWINS[page]
    assert twin.exists(), f"{page.name} has no Chinese twin"
    assert blocks(twin) == blocks(page)


@pytest.mark.parametrize("page", TWINS, ids=lambda page: page.name)
def test_twins_say_the_same(page: Path) -> None:
    twin = TWINS[page]
    ours, theirs = sections(page), sections(twin)
    levels = [[heading(section).partition(" ")[0] for section in found] for found in (ours, theirs)]
    assert levels[0] == levels[1], f"{page.name} and {twin.name} have different sections"
    stale = []
    for section, other in zip(ours, theirs, strict=True):
        for part in PARTS:
            first, second = part(section, page), part(other, twin)
            where = f"{heading(section)!r} / {heading(other)!r}: {part.__name__.replace('_', ' ')}"
            if first - second:
                stale.append(f"{where} only in the English page: {sorted(first - second)}")
            if second - first:
                stale.append(f"{where} only in the Chinese page: {sorted(second - first)}")
    assert not stale, f"{page.name} and its twin differ:\n" + "\n".join(stale)


def test_no_chinese_page_is_without_an_english_one() -> None:
    assert sorted((DOCS / "zh").glob("*.md")) == sorted(twin for twin in TWINS.values() if twin.parent == DOCS / "zh")


@pytest.mark.parametrize("twin", TWINS.values(), ids=lambda twin: twin.name)
def test_chinese_pages_lead_to_chinese_pages(twin: Path) -> None:
    """The first paragraph alone leads to the English page."""
    english = {page.resolve() for page in TWINS} - {page.resolve() for page, other in TWINS.items() if other == twin}
    targets = [target.partition("#")[0] for target in LINK.findall(twin.read_text()) if "://" not in target]
    assert [target for target in targets if target and (twin.parent / target).resolve() in english] == []
