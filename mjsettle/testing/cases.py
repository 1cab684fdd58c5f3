"""Wire cases: ``{"name", "source", "round", "expect"}`` rows, and how an expectation compares with a result.

`expect` is a subset of the result: objects are compared key by key, lists element by element and in length. In
``fans`` a map ``{fan id or Chinese name: value x times}``, or a list of names each repeated `times`, stands for the
whole list: exactly those fans. ``fans_any`` is a list of such lists, any of which is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from mjsettle.errors import MjsettleError


class CaseError(MjsettleError, ValueError):
    """A row that is not a wire case; says which file and line, and what it looks like."""


@dataclass(frozen=True, slots=True)
class Case:
    """One wire case. `skip` is the reason not to run it, if its row gives one under ``skip``."""

    name: str
    source: str
    round: Mapping[str, Any]
    expect: Mapping[str, Any]
    skip: str | None = None
    where: str = ""


def read_cases(path: str | Path) -> list[Case]:
    """Every case of a JSON Lines file; CaseError at the first row that is none."""
    return list(_rows(Path(path)))


def _rows(path: Path) -> Iterator[Case]:
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if line.strip():
            yield _case(line, f"{path}:{number}")


def _case(line: bytes, where: str) -> Case:
    try:
        row = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise CaseError(f"{where}: not JSON ({error}); a case is one JSON object on one line") from error
    if not isinstance(row, dict):
        raise CaseError(f"{where}: found a {type(row).__name__}, expected an object with name, source, round, expect")
    if "kind" in row and "round" not in row:
        raise CaseError(
            f"{where}: this is a facts file (its row is of kind {row['kind']!r}), not wire cases; "
            "rewrite the facts as rounds with an expectation, or test the rule's functions with them"
        )
    missing = [
        key for key, kind in (("name", str), ("round", dict), ("expect", dict)) if not isinstance(row.get(key), kind)
    ]
    if missing:
        raise CaseError(f"{where}: found no usable {', '.join(missing)}; a case has name, source, round and expect")
    return Case(row["name"], str(row.get("source", "")), row["round"], row["expect"], row.get("skip"), where)


def failures(case: Case, result: Mapping[str, Any]) -> list[str]:
    """What is wrong with a case's result, for a person to read; empty when it is as expected.

    A refusal that the case does not expect is followed by its reasons.
    """
    found = differences(case.expect, result)
    if found and result.get("status") == "refused" and case.expect.get("status") != "refused":
        found += [f"refused: {error.get('field')}: {error.get('message')}" for error in result.get("errors", ())]
    return found


def differences(expect: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    """Every place where the result is not what the case expects, as ``path: expected ..., found ...``."""
    return list(_compare(expect, result, ""))


def _compare(expect: Any, found: Any, path: str) -> Iterator[str]:
    if isinstance(expect, Mapping) and isinstance(found, Mapping):
        for key, value in expect.items():
            below = f"{path}.{key}" if path else key
            if key == "fans_any":
                yield from _compare_any_fans(value, found.get("fans", ()), below)
            elif key == "fans" and _is_fan_summary(value):
                yield from _compare_fans(value, found.get("fans", ()), below)
            elif key in found:
                yield from _compare(value, found[key], below)
            else:
                yield f"{below}: expected {_text(value)}, found nothing"
    elif isinstance(expect, list) and isinstance(found, Sequence) and not isinstance(found, str):
        if len(expect) != len(found):
            yield f"{path}: expected {len(expect)} ({_text(expect)}), found {len(found)} ({_text(found)})"
            return
        for at, (one, other) in enumerate(zip(expect, found, strict=True)):
            yield from _compare(one, other, f"{path}[{at}]")
    elif expect != found or isinstance(expect, bool) != isinstance(found, bool):
        yield f"{path or 'result'}: expected {_text(expect)}, found {_text(found)}"


def _is_fan_summary(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and all(isinstance(name, str) for name in value))


def _compare_fans(
    expect: Mapping[str, int] | Sequence[str], fans: Sequence[Mapping[str, Any]], path: str
) -> Iterator[str]:
    by_value = isinstance(expect, Mapping)
    wanted = Counter(dict(expect)) if isinstance(expect, Mapping) else Counter(expect)
    found: Counter[str] = Counter()
    for fan in fans:
        name = fan["id"] if fan["id"] in wanted else fan["name"]
        times = int(fan.get("times", 1))
        found[name] += fan["value"] * times if by_value else times
    # Not Counter's own comparison: a fan worth 0 is listed or it is not.
    if dict(wanted) != dict(found):
        missing = {name: worth for name, worth in wanted.items() if found.get(name) != worth}
        extra = {name: worth for name, worth in found.items() if wanted.get(name) != worth}
        yield f"{path}: expected {_text(missing)}, found {_text(extra)} instead (the other fans agree)"


def _compare_any_fans(choices: Sequence[Sequence[str]], fans: Sequence[Mapping[str, Any]], path: str) -> Iterator[str]:
    if all(any(True for _ in _compare_fans(choice, fans, path)) for choice in choices):
        names = [fan["name"] for fan in fans for _ in range(int(fan.get("times", 1)))]
        yield f"{path}: expected one of {_text(choices)}, found {_text(names)}"


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
