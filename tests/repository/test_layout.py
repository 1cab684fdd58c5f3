"""The tree keeps its own rules: documents link to files that exist, distributions state what they must."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FOLDERS = ("deploy", "docs", "mjsettle", "plugins", "tests", "workers")
DOCUMENTS = sorted({*ROOT.glob("*.md"), *(found for folder in FOLDERS for found in (ROOT / folder).rglob("*.md"))})
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    """In a checkout as on a code host; what they lead to on the documentation site is tests/docs/test_links.py."""
    prose = FENCED.sub("", document.read_text())
    targets = [target for target in LINK.findall(prose) if "://" not in target]
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readmes_list_every_distribution(readme: str) -> None:
    text = (ROOT / readme).read_text()
    plugins = sorted(path.parent.name for path in ROOT.glob("plugins/*/pyproject.toml"))
    unlisted = [
        name for name in plugins if f"| `mjsettle-{name}` | [plugins/{name}](plugins/{name}/README.md) |" not in text
    ]
    assert not unlisted


@pytest.mark.parametrize("path", sorted(ROOT.glob("*/pyproject.toml")) + sorted(ROOT.glob("plugins/*/pyproject.toml")))
def test_every_distribution_is_typed_and_states_its_licence(path: Path) -> None:
    project = tomllib.loads(path.read_text())["project"]
    package = project["name"].replace("-", "_")
    assert (path.parent / package / "py.typed").exists()
    assert project["license"] == "MIT"
    assert project["requires-python"] == PYPROJECT["project"]["requires-python"]
