"""Runs import-linter over every package of the tree: the contracts of importlinter.ini with the plugins put in."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]


def plugin_packages() -> list[str]:
    """The import names of the plugins of the tree."""
    return sorted(path.parent.name for path in ROOT.glob("plugins/*/mjsettle_*/__init__.py"))


def contracts() -> str:
    """importlinter.ini for the plugins that are there."""
    return (ROOT / "importlinter.ini").read_text().replace("{plugins}", "\n    ".join(plugin_packages()))


def main() -> int:
    """Check every contract; the exit status is import-linter's."""
    with TemporaryDirectory() as folder:
        config = Path(folder, "importlinter.ini")
        config.write_text(contracts())
        return lint_imports(config_filename=str(config), cache_dir=str(ROOT / ".import_linter_cache"))


if __name__ == "__main__":
    sys.exit(main())
