"""What plugins may answer to the hooks, looked at when a rule set is compiled.

A word that nobody knows, a fan worth 1.5 or a forgotten comma would otherwise settle rounds, and settle them wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, get_args

from mjsettle.columns import Column
from mjsettle.errors import PluginError
from mjsettle.fans import POINTS_MAX, Combine, Fan, Scoring
from mjsettle.options import Option
from mjsettle.rules import MELD_KINDS, Bonus, Check, EndOfRound, Fact, Payments, Rule
from mjsettle.wildcards import FifthCopy, WildPolicy
from mjsettle.winforms import WinForm

_TABLE_SEATS: Final = (2, 3, 4)


class Demand(NamedTuple):
    """What a field of a declaration must be, in words and as a test."""

    expected: str
    meets: Callable[[Any], bool]


def _tuple_of(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    # A string is a sequence of strings too: ("win") without its comma is "win".
    return lambda value: isinstance(value, (tuple, list, set, frozenset)) and all(map(test, value))


def _or_none(demand: Demand) -> Demand:
    return Demand(f"{demand.expected} or None", lambda value: value is None or demand.meets(value))


def is_whole(value: object) -> bool:
    """Whether a value is an integer in Python's own type; True is none."""
    return type(value) is int


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _one_of(words: tuple[str, ...]) -> Demand:
    return Demand(f"one of {', '.join(map(repr, words))}", lambda value: isinstance(value, str) and value in words)


def _instance(kind: type) -> Demand:
    article = "an" if kind.__name__[0] in "EO" else "a"
    return Demand(f"{article} {kind.__name__}", lambda value: isinstance(value, kind))


_TEXT: Final = Demand("a string", _is_text)
_NAME: Final = Demand("a snake_case name", lambda value: _is_text(value) and f"_{value}".isidentifier())
_TEXTS: Final = Demand("a tuple of strings, ('one',) with its comma", _tuple_of(_is_text))
_SOME_TEXTS: Final = Demand(
    "a tuple of at least one string, ('one',) with its comma", lambda value: bool(value) and _TEXTS.meets(value)
)
_BOOL: Final = Demand("True or False", lambda value: isinstance(value, bool))
_FUNCTION: Final = Demand("a function", callable)
_WHOLE: Final = Demand("a whole number", is_whole)
_COUNT: Final = Demand("a whole number of 0 or more", lambda value: is_whole(value) and value >= 0)
_POINTS: Final = Demand(
    f"a whole number between -{POINTS_MAX} and {POINTS_MAX}, or a column function",
    lambda value: callable(value) or (is_whole(value) and abs(value) <= POINTS_MAX),
)
_COMBINE_WORD: Final = _one_of(get_args(Combine))
_COMBINE: Final = Demand(
    f"{_COMBINE_WORD.expected}, or a column function", lambda value: callable(value) or _COMBINE_WORD.meets(value)
)
_PRESETS: Final = Demand(
    "a mapping of preset names to mappings of switches",
    lambda value: isinstance(value, Mapping) and all(isinstance(one, Mapping) for one in value.values()),
)

DEMANDS: Final[Mapping[type, Mapping[str, Demand]]] = {
    Rule: {
        "name": Demand("a name", lambda value: _is_text(value) and bool(value)),
        "title": _TEXT,
        "english": _TEXT,
        "editions": _SOME_TEXTS,
        "sources": _TEXTS,
        "presets": _PRESETS,
        "seats": Demand(
            "a tuple of 2, 3 or 4, (4,) with its comma",
            lambda value: bool(value) and _tuple_of(_TABLE_SEATS.__contains__)(value),
        ),
        "hand_size": _FUNCTION,
        "tiles": _FUNCTION,
        "events": _TEXTS,
        "flags": _TEXTS,
        "hows": _TEXTS,
        "extra": _TEXTS,
        "meld_kinds": Demand(f"a tuple of {', '.join(MELD_KINDS)}", _tuple_of(MELD_KINDS.__contains__)),
        "wild": _FUNCTION,
        "substitutes": _or_none(_FUNCTION),
        "set_aside": _FUNCTION,
        "claims": _TEXTS,
    },
    Option: {
        "key": _NAME,
        "title": _TEXT,
        "doc": _TEXT,
        "source": _TEXT,
        "choices": _or_none(Demand("a tuple, (1,) with its comma", _tuple_of(lambda value: True))),
        "kind": _or_none(
            Demand("a tuple of types, (int,) with its comma", _tuple_of(lambda value: isinstance(value, type)))
        ),
        "least": _or_none(_WHOLE),
        "most": _or_none(_WHOLE),
        "members": _or_none(_TEXTS),
        "test": _or_none(_FUNCTION),
    },
    WinForm: {
        "id": _NAME,
        "title": _TEXT,
        "english": _TEXT,
        "read": _FUNCTION,
        "standard": _BOOL,
        **dict.fromkeys(("may", "ready", "near", "batch"), _or_none(_FUNCTION)),
    },
    WildPolicy: {
        "pair_of_wilds": _BOOL,
        "set_of_wilds": _BOOL,
        "wilds_per_set_max": _or_none(_COUNT),
        "fifth_copy": _one_of(get_args(FifthCopy)),
    },
    Fan: {
        "id": _NAME,
        **dict.fromkeys(("name", "english", "japanese", "cite", "chinese"), _TEXT),
        "value": _POINTS,
        "when": _FUNCTION,
        "excludes": _TEXTS,
        "listed_at_zero": _BOOL,
        "only_where": Demand("the name of a column, or ''", lambda value: value == "" or _NAME.meets(value)),
    },
    Scoring: {
        "combine": _COMBINE,
        **dict.fromkeys(("valid", "qualifies", "score", "prefer"), _or_none(_FUNCTION)),
    },
    Column: {"name": _NAME, "fn": _FUNCTION},
    Fact: {"name": _NAME, "fn": _FUNCTION},
    Bonus: {"id": _TEXT, "title": _TEXT, "on": _TEXT, "apply": _FUNCTION},
    Payments: {
        "pay": _FUNCTION,
        **dict.fromkeys(("next_round", "winners", "pay_together", "joins"), _or_none(_FUNCTION)),
    },
    EndOfRound: {"id": _TEXT, "title": _TEXT, "settle": _FUNCTION},
    Check: {"id": _TEXT, "find": _FUNCTION},
}

_LISTS: Final[Mapping[str, Demand]] = {
    "extends": _TEXT,
    "result_sinks": _FUNCTION,
    **{
        hook: _instance(kind)
        for hook, kind in (
            ("rule_sets", Rule),
            ("options", Option),
            ("win_forms", WinForm),
            ("columns", Column),
            ("facts", Fact),
            ("fans", Fan),
            ("bonuses", Bonus),
            ("end_of_round", EndOfRound),
            ("checks", Check),
        )
    },
}
_ONE_OF: Final[Mapping[str, type]] = {"wildcards": WildPolicy, "scoring": Scoring, "payments": Payments}


def checked(plugin: str, hook: str, answer: Any) -> Any:
    """A plugin's answer to a hook: a list, or for the hooks with one answer that answer or None.

    PluginError names the plugin and the hook, and says what was found and what is expected.
    """
    where = f"plugin {plugin!r}, hook {hook!r}"
    if hook in _ONE_OF:
        wanted = _ONE_OF[hook]
        if answer is not None:
            if not isinstance(answer, wanted):
                raise PluginError(f"{where}: found {_brief(answer)}, expected a {wanted.__name__} or None")
            _check_fields(where, answer)
        return answer
    demand = _LISTS[hook]
    if answer is None:
        raise PluginError(f"{where}: found None, expected a list; does the hook end without `return`?")
    if isinstance(answer, (str, bytes, Mapping)) or not isinstance(answer, Iterable):
        raise PluginError(f"{where}: found {_brief(answer)}, expected a list; put it between brackets")
    items = list(answer)
    for at, item in enumerate(items):
        if not demand.meets(item):
            raise PluginError(f"{where}: entry {at} of the list is {_brief(item)}, expected {demand.expected}")
        _check_fields(where, item)
    return items


def _check_fields(where: str, declared: Any) -> None:
    demands = next((found for kind, found in DEMANDS.items() if isinstance(declared, kind)), {})
    for name, demand in demands.items():
        value = getattr(declared, name)
        if not demand.meets(value):
            raise PluginError(f"{where}: {_name_of(declared)} has {name}={_brief(value)}, expected {demand.expected}")
    if isinstance(declared, Option) and (complaint := declared.complaint(declared.default)):
        raise PluginError(f"{where}: {_name_of(declared)} forbids its own default: {complaint}")
    if isinstance(declared, Rule):
        if declared.default_preset is not None and declared.default_preset not in declared.presets:
            listed = ", ".join(declared.presets) or "none"
            raise PluginError(
                f"{where}: {_name_of(declared)} has default_preset={declared.default_preset!r}, "
                f"which is not among its presets ({listed})"
            )
        if unknown := sorted(set(declared.claims) - set(declared.hows)):
            raise PluginError(f"{where}: {_name_of(declared)} claims {', '.join(unknown)}; list them in `hows` as well")


def _name_of(declared: Any) -> str:
    known_by = next((getattr(declared, name) for name in ("id", "name", "key") if hasattr(declared, name)), None)
    kind = type(declared).__name__
    return kind if known_by is None else f"{kind} {known_by!r}"


def _brief(value: object) -> str:
    """A value for a message: its kind where its text says little."""
    if callable(value) and not isinstance(value, type):
        return f"the function {getattr(value, '__name__', type(value).__name__)}"
    kind = type(value)
    if kind in DEMANDS or kind.__module__ not in ("builtins", "numpy"):
        return f"a {kind.__name__}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


__all__ = ["DEMANDS", "Demand", "checked", "is_whole"]
