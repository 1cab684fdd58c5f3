"""The tree keeps its own rules: documents link to files that exist, distributions state what they must."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# The links of docs/ lead to generated pages too; building the site follows them.
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("*/*.md"), *ROOT.glob("*/*/README.md")} - {*ROOT.glob("docs/*.md")})
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    targets = [target for target in LINK.findall(document.read_text()) if "://" not in target]
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
