"""Pages link to files of the repository; the site leads to what it has for them.

tests/repository/test_layout.py follows the links in a checkout, and building the site those of the site.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, PAGES, ROOT, name_of, site_module

LINKS = site_module("site_links")
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_link_of_a_page_is_lost_on_the_site(page: Path) -> None:
    text, name = page.read_text(), name_of(page)
    found = LINK.findall(LINKS.relinked(text, f"docs/{name}", name))
    assert len(found) == len(LINK.findall(text))
    outside = [link for link in found if "://" not in link and not (page.parent / link).resolve().is_relative_to(DOCS)]
    assert outside == []


@pytest.mark.parametrize("path", LINKS.SITE_OF)
def test_what_the_site_stands_in_for_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(
    ("source", "page", "text", "expected"),
    [
        ("docs/howto.md", "howto.md", "[a](../mjsettle/hookspecs.py)", "[a](reference/hooks.md)"),
        ("docs/zh/howto.md", "zh/howto.md", "[a](../../mjsettle/columns.py)", "[a](../reference/columns.md)"),
        ("docs/zh/index.md", "zh/index.md", "[a](../../plugins)", "[a](rules/index.md)"),
        ("docs/index.md", "index.md", "[a](zh/index.md#b)", "[a](zh/index.md#b)"),
        ("deploy/RUNBOOK.md", "runbook.md", "[a](../docs/security.md), [b](redis)", "[a](security.md), b"),
        ("deploy/RUNBOOK.zh-CN.md", "zh/runbook.md", "[a](../docs/zh/security.md)", "[a](security.md)"),
        ("docs/howto.md", "howto.md", "[a](https://redis.io/x) [b](#c)", "[a](https://redis.io/x) [b](#c)"),
        ("docs/howto.md", "howto.md", "```text\n[a](../plugins)\n```", "```text\n[a](../plugins)\n```"),
    ],
)
def test_links_lead_to_what_the_site_has(source: str, page: str, text: str, expected: str) -> None:
    assert LINKS.relinked(text, source, page) == expected
