"""Switches (玩法选项) of a rule set: typed, with defaults, gathered in presets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mjsettle.errors import Fault, did_you_mean

PRESET_KEYS: Final = ("preset", "profile", "variant")
"""Synonyms: the keys under which a round names a preset."""


@dataclass(frozen=True, slots=True)
class Option:
    """One switch of a rule set.

    key: snake_case name on the wire; title: its Chinese name; default: its value when a round does not name it.
    choices: the values allowed; None allows any value of `kind`. kind defaults to the type of the default.
    least, most: bounds of an integer; members: what a list may hold, each once. doc: what it does; source: where it
    is from.
    """

    key: str
    default: Any
    title: str
    doc: str = ""
    choices: tuple[Any, ...] | None = None
    kind: tuple[type, ...] | None = None
    least: int | None = None
    most: int | None = None
    source: str = ""
    members: tuple[str, ...] | None = None
    test: Callable[[Any], str | None] | None = None

    def complaint(self, value: Any) -> str | None:
        """Why this value is not allowed, or None when it is."""
        if self.choices is not None:
            if any(value == choice and type(value) is type(choice) for choice in self.choices):
                return None
            return f"found {_show(value)}, expected one of {', '.join(_show(c) for c in self.choices)}"
        kinds = self.kind or (type(self.default),)
        if type(value) not in kinds:
            return f"found {_show(value)}, expected {' or '.join(_KIND_NAMES.get(k, k.__name__) for k in kinds)}"
        if self.members is not None and isinstance(value, list):
            named = {str(member) for member in value}
            if len(named) != len(value) or not named <= set(self.members):
                return f"found {_show(value)}, expected a list of {', '.join(map(_show, self.members))}, each once"
        if isinstance(value, int) and not isinstance(value, bool):
            if self.least is not None and value < self.least:
                return f"found {value}, expected {self.least} or more"
            if self.most is not None and value > self.most:
                return f"found {value}, expected {self.most} or less"
        return self.test(value) if self.test is not None else None


_KIND_NAMES: Final = {
    bool: "true or false",
    int: "a whole number",
    str: "a string",
    type(None): "null",
    dict: "an object",
    list: "a list",
}


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else text[:57] + "..."


class Options(Mapping[str, Any]):
    """The resolved switches of one compiled rule set; read them as attributes (`options.horses`)."""

    preset: str | None
    """The preset that the switches were laid over."""
    edition: str
    """The edition that the round asks for, or the newest."""

    def __init__(self, preset: str | None, values: Mapping[str, Any], edition: str = "") -> None:
        self.preset = preset
        self.edition = edition
        self._values = dict(values)
        # Plain attributes are what rule pages read for every round; they cost a tenth of __getattr__.
        vars(self).update(self._values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __getattr__(self, key: str) -> Any:
        declared = ", ".join(sorted(vars(self).get("_values", ())))
        raise AttributeError(f"no option {key!r}; declared are {declared}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def resolve(
    declared: Sequence[Option],
    presets: Mapping[str, Mapping[str, Any]],
    default_preset: str | None,
    given: Mapping[str, Any],
    rule: str,
    edition: str = "",
) -> tuple[Options, list[Fault]]:
    """Lay the given switches over the preset's over the defaults; every unknown or wrong one is a fault."""
    faults: list[Fault] = []
    preset = default_preset
    named = [key for key in PRESET_KEYS if key in given]
    for key in named:
        name = given[key]
        if not isinstance(name, str) or name not in presets:
            expected = f"expected one of {', '.join(sorted(presets))}" if presets else "this rule set has none"
            faults.append(Fault("unknown_preset", f"options.{key}", f"found {_show(name)}, {expected}"))
        else:
            preset = name
    if len({str(given[key]) for key in named}) > 1:
        message = f"{' and '.join(named)} are synonyms and name different presets; give one of them"
        faults.append(Fault("contradictory", f"options.{named[-1]}", message))
    values = {option.key: option.default for option in declared}
    values.update(presets.get(preset, {}) if preset else {})
    single = {key: value for key, value in given.items() if key not in PRESET_KEYS}
    wrong = switch_faults(declared, single, rule)
    faulty = {fault.field for fault in wrong}
    values.update({key: value for key, value in single.items() if f"options.{key}" not in faulty})
    return Options(preset, values, edition), faults + wrong


def switch_faults(declared: Sequence[Option], values: Mapping[str, Any], rule: str) -> list[Fault]:
    """What is wrong with the values given to single switches: unknown keys, and values that are not allowed."""
    by_key = {option.key: option for option in declared}
    faults: list[Fault] = []
    for key, value in values.items():
        option = by_key.get(key)
        if option is None:
            listed = ", ".join(sorted(by_key)) or "none"
            message = f"rule {rule!r} has no option {key!r}{did_you_mean(key, by_key)}; it has {listed}"
            faults.append(Fault("unknown_option", f"options.{key}", message))
        elif complaint := option.complaint(value):
            faults.append(Fault("bad_option", f"options.{key}", complaint))
    return faults
