"""The ``mjsettle`` command."""

from __future__ import annotations

import click


@click.group()
@click.version_option(package_name="mjsettle")
def main() -> None:
    """Settle mahjong rounds: who won what, and who pays whom."""
