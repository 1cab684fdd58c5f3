"""docs/testing.md: its tables are those of the kit."""

from __future__ import annotations

import dataclasses
import inspect
import re

from mjsettle import testing
from tests.docs.pages import DOCS

PAGE = (DOCS / "testing.md").read_text()


def rows(head: str) -> dict[str, str]:
    """A table of the page: its first column and its second."""
    [table] = re.findall(rf"^\| {head} \|.*\n\|[ -|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", table, re.MULTILINE))


def test_the_parameters_of_conformance_are_told_with_their_defaults() -> None:
    _, *parameters = inspect.signature(testing.conformance).parameters.values()
    told = rows("parameter")
    assert list(told) == [parameter.name for parameter in parameters]
    for parameter in parameters:
        if parameter.default:
            assert told[parameter.name] == f"`{parameter.default}`"


def test_the_fields_of_a_case_and_the_names_of_the_kit_are_told() -> None:
    told = [field.name for field in dataclasses.fields(testing.Case) if field.name != "where"]
    assert sorted(rows("field")) == sorted(told)
    named = {name for name in testing.__all__ if name[0].islower()} - {"read_cases"}
    assert {name for name in named if name not in PAGE} == set()
