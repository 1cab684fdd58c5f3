"""The Lua scripts, each documented in its first lines; rooms may load ``submit.lua`` from any language."""

from __future__ import annotations

from importlib.resources import files


def source(name: str) -> str:
    """Text of the script ``name``, such as ``submit``."""
    return files(__name__).joinpath(f"{name}.lua").read_text(encoding="utf-8")
