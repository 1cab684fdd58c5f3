"""The tree keeps its own rules: plugins are listed where they must be, documents link to files that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PLUGIN_PACKAGES = sorted(path.parent.name for path in ROOT.glob("plugins/*/mjsettle_*/__init__.py"))
DOCUMENTS = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("*/*/README.md")}
)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("package", PLUGIN_PACKAGES)
def test_import_contracts_cover_every_plugin(package: str) -> None:
    settings = PYPROJECT["tool"]["importlinter"]
    assert package in settings["root_packages"]
    for contract in settings["contracts"]:
        if contract["type"] == "layers":
            continue
        named = {name for key in ("source_modules", "forbidden_modules", "modules") for name in contract.get(key, ())}
        assert package in named, f"add {package} to the import contract {contract['name']!r} in pyproject.toml"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    targets = [target for target in LINK.findall(document.read_text()) if "://" not in target]
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize("path", sorted(ROOT.glob("*/pyproject.toml")) + sorted(ROOT.glob("plugins/*/pyproject.toml")))
def test_every_distribution_is_typed_and_states_its_licence(path: Path) -> None:
    project = tomllib.loads(path.read_text())["project"]
    package = project["name"].replace("-", "_")
    assert (path.parent / package / "py.typed").exists()
    assert project["license"] == "MIT"
    assert project["requires-python"] == PYPROJECT["project"]["requires-python"]
