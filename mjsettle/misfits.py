"""What does not fit the wire's types, in the words of our other faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

_KINDS: Final = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_UNITS: Final = {"str": "characters", "array": "entries", "object": "keys"}
_EXPECTED: Final = re.compile(r"Expected `(?P<kinds>[^`]+)`(?: of length)?(?: (?P<bound>>=|<=) (?P<number>-?\d+))?")
_BOUNDS: Final = {">=": "at least", "<=": "at most"}


def misfits(found: Any, wanted: Any) -> Iterator[tuple[str, str]]:
    """Where a JSON value does not fit a type, as a path below it (``""``, ``[2]``), and what was found and expected.

    Every entry of a list that does not fit is told. Nothing where the value fits.
    """
    try:
        msgspec.convert(found, wanted)
        return
    except (msgspec.ValidationError, RecursionError) as error:
        whole = str(error)
    several = False
    for at, entry in enumerate(found[:256] if isinstance(found, list) else ()):
        try:
            msgspec.convert([entry], wanted)
        except (msgspec.ValidationError, RecursionError) as error:
            if " - at `$[0]" in str(error):
                several = True
                yield f"[{at}]", f"found {brief(entry)}, {_expected(str(error))}"
    if not several:
        yield "", f"found {brief(found)}, {_expected(whole)}"


def _expected(message: str) -> str:
    """What msgspec expected; a pattern, which only ids have, is for the caller to explain."""
    match = _EXPECTED.match(message)
    if match is None:
        return "which cannot be read"
    kinds = match["kinds"].split(" | ")
    wanted = " or ".join(_KINDS.get(kind, kind) for kind in kinds)
    if match["number"] is None:
        return f"expected {wanted}"
    unit = _UNITS.get(kinds[0])
    bound = f"{_BOUNDS[match['bound']]} {int(match['number'])}"
    return f"expected {wanted} of {bound} {unit}" if unit else f"expected {wanted} of {bound}"


def brief(value: Any) -> str:
    """A JSON value for a message."""
    try:
        text = msgspec.json.encode(value).decode()
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


__all__ = ["brief", "misfits"]
