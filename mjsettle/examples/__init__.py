"""End-of-round records that `mjsettle demo` settles."""

from __future__ import annotations

from importlib.resources import files


def rounds() -> bytes:
    """The example rounds in wire form, one JSON object per line."""
    return files(__name__).joinpath("rounds.jsonl").read_bytes()
