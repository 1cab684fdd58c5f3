"""A first try of a plugin's functions, when its rule set is compiled: on single hands and on the same hands at once.

`a and b`, `if total >= 2` or a comparison without its parentheses answer for one hand, perhaps wrongly, and raise from
the sixteenth hand of a batch on. Such a function stops the start instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any, Final
from weakref import WeakSet

import numpy as np

from mjsettle.columns import INPUTS, NO_PAIR
from mjsettle.compiler import parameters
from mjsettle.errors import PluginError
from mjsettle.hands import Hand, Situation, make_hand
from mjsettle.places import places_of, stands_for
from mjsettle.readings import Row, View
from mjsettle.ruleset import ColumnFunction, RuleSet
from mjsettle.tiles import CODES, KIND_OF, parse_tiles
from mjsettle.wildcards import FREE
from mjsettle.winforms import WinForm, pairs, standard, thirteen_orphans

# Concealed tiles, winning tile, melds, wild kinds, self-drawn, circumstance, (seat wind, round wind, streak, flowers).
_HANDS: Final[tuple[tuple[str, str, tuple[tuple[str, str], ...], str, bool, str, tuple[int, int, int, int]], ...]] = (
    ("123456m234p777s1z", "1z", (), "", True, "", (0, 0, 0, 0)),
    ("12345m567p1s5z", "6m", (("pung", "222s"),), "5z", False, "rob_kong", (1, 0, 1, 3)),
    ("1112345678999m", "5m", (), "", False, "last_tile", (2, 1, 2, 0)),
    ("2233445566778p", "8p", (), "", True, "kong_draw", (3, 1, 0, 255)),
    ("19m19p19s1234567z", "1m", (), "", True, "first_turn", (0, 2, 3, 0)),
    ("1133557799m115z", "5z", (), "", False, "kong_discard", (1, 3, 0, 16)),
    ("111333m555p777s5z", "2p", (), "5z", True, "last_of_kind", (2, 0, 0, 0)),
    ("1x", "1x", (("chow", "123m"), ("kong", "4444p"), ("concealed_kong", "5555z"), ("pung", "999s")), "", True, "",
     (3, 0, 1, 1)),
    ("5z", "5z", (("kong", "1111z"), ("concealed_kong", "2222z"), ("added_kong", "3333z"), ("pung", "444z")), "", False,
     "flower_draw", (0, 3, 0, 0)),
    ("22334m5z5z5z", "4m", (("chow", "345s"), ("chow", "678s")), "5z", True, "", (1, 1, 1, 0)),
    ("222444666888s2p", "2p", (), "", True, "", (2, 2, 0, 0)),
    ("123456789m123p456s1z", "1z", (), "", True, "", (0, 0, 0, 129)),
    ("111m222p333s4445556z", "6z", (), "6z", False, "", (3, 0, 2, 0)),
)  # fmt: skip
_FORMS: Final = (standard(), pairs(), thirteen_orphans())
_ROWS_PER_HAND: Final = 3
# Errors that no value of a column explains: the text of the function is wrong.
_NEVER_A_VALUE: Final = (AttributeError, NameError, TypeError)
_ADVICE: Final = (
    "join comparisons with & and |, each in its parentheses; `where` for if; never and, or, not, if, in, min or max "
    "(see mjsettle.columns)"
)

_tried: WeakSet[Callable[..., Any]] = WeakSet()


def probe(ruleset: RuleSet) -> None:
    """Try the functions of a rule set that have not been tried yet. PluginError says whose is wrong, and how."""
    for number, (reader, form) in enumerate(zip(ruleset.readers, ruleset.forms, strict=True)):
        if _is_new(reader.fn):
            _try_reader(reader, form, number, ruleset)
            _tried.add(reader.fn)
    fresh = {id(found.fn): found for found in ruleset.functions if _is_new(found.fn)}
    if not fresh:
        return
    _try_columns(ruleset, fresh)
    for found in fresh.values():
        _tried.add(found.fn)


def _is_new(fn: Callable[..., Any]) -> bool:
    # The core's own functions are held equal by its tests.
    return isinstance(fn, FunctionType) and fn not in _tried and fn.__module__.partition(".")[0] != "mjsettle"


# ---- win forms ---------------------------------------------------------------------------------------------------


def row_complaint(view: View, row: object) -> str | None:
    """What is wrong with a row as a reading of this hand, whatever its win form; None where nothing is."""
    if not isinstance(row, Row):
        return f"found a {type(row).__name__}, expected a Row; make rows with mjsettle.readings.Row"
    strange = next((name for name, value in zip(row._fields, row, strict=True) if type(value) is not int), None)
    if strange is not None:
        return f"its {strange} is {getattr(row, strange)!r}, expected a whole number"
    has = row[5:9]
    for copies, (mask, fewer) in enumerate(zip(has[1:], has[:-1], strict=True), 2):
        if mask & ~fewer:
            return f"has{copies} names kinds that has{copies - 1} lacks"
    for kind, held in enumerate(view.counts):
        if held and not has[min(held, 4) - 1] >> kind & 1:
            return f"has{min(held, 4)} leaves out kind {kind}, of which the hand holds {held}; see `planes`"
    stood_for = sum(mask.bit_count() for mask in has)
    if stood_for > view.tiles:
        return f"has1 to has4 name {stood_for} tiles of a hand of {view.tiles}"
    return None


def _try_reader(reader: ColumnFunction, form: WinForm, number: int, ruleset: RuleSet) -> None:
    for hand in _hands():
        view = hand.view._replace(policy=ruleset.policy, faces=ruleset.faces)
        try:
            rows = form.read(view, number)
        except _NEVER_A_VALUE as error:
            raise _wrong(reader, f"raises {type(error).__name__}: {error}") from error
        except Exception:  # a hand that the rule set never has
            continue
        if not isinstance(rows, Sequence) or isinstance(rows, Row):
            raise _wrong(reader, f"answers with a {type(rows).__name__}, expected a list of Row")
        for row in rows:
            if complaint := row_complaint(view, row):
                raise _wrong(reader, f"answers with a row that cannot be: {complaint}")


# ---- column functions --------------------------------------------------------------------------------------------


def _try_columns(ruleset: RuleSet, fresh: Mapping[int, ColumnFunction]) -> None:
    """Run the two programs of a rule set on the sample hands, with every new function watched."""
    program = ruleset.program
    own = {id(found.fn) for found in ruleset.functions}
    scope = {
        name: _Watched(fresh[id(fn)]) if id(fn) in fresh else _lenient(fn) if id(fn) in own else fn
        for name, fn in program.hand_stage.__globals__.items()
    }
    columns = _samples(len(ruleset.forms), tuple(fact.name for fact in ruleset.facts))
    with np.errstate(all="ignore"):
        hand_stage, reading_stage = (
            FunctionType(stage.__code__, scope) for stage in (program.hand_stage, program.reading_stage)
        )
        spread = hand_stage(*[columns[name] for name in program.hand_inputs])
        reading_stage(*spread, *[columns[name] for name in program.reading_inputs])
        for form in ruleset.forms:
            if form.may is not None and id(form.may) in fresh:
                _Watched(fresh[id(form.may)])(*[spread[at] for at in ruleset.may_arguments(form)])
            if form.near is not None and id(form.near) in fresh:
                before = {
                    "tiles": columns["hand_tiles"] - 1,
                    **{f"tiles{n}": columns[f"concealed{n}"] for n in range(1, 5)},
                }
                _Watched(fresh[id(form.near)])(*[(columns | before)[name] for name in parameters(form.near)])


def _lenient(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that has been tried: values that do not occur together may still make it raise."""

    def asked(*arguments: Any) -> Any:
        try:
            return fn(*arguments)
        except Exception:
            return np.zeros(_size(), np.int64)

    return asked


class _Watched:
    """A column function that is asked hand by hand as well, whenever it is asked for all hands at once."""

    def __init__(self, found: ColumnFunction) -> None:
        self.found = found

    def __call__(self, *arguments: Any) -> Any:
        fn, size = self.found.fn, _size()
        listed = [each.tolist() if isinstance(each, np.ndarray) and each.ndim else [each] * size for each in arguments]
        rows = list(zip(*listed, strict=True)) if listed else [()] * size
        kept, alone = self._alone(rows)
        if not kept:
            return np.zeros(size, np.int64)
        if len(kept) == 1:  # of one entry numpy takes the truth
            kept, alone = kept * 2, alone * 2
        some = [each[kept] if isinstance(each, np.ndarray) and each.ndim else each for each in arguments]
        try:
            together = np.asarray(fn(*some))
        except Exception as error:  # whatever it is, single hands did not raise it
            raise _wrong(
                self.found, f"cannot answer for many hands at once ({type(error).__name__}: {error}); {_ADVICE}"
            ) from error
        if together.dtype.kind not in "biu":
            raise _wrong(self.found, f"answers with {together.dtype.name}, expected integers; divide with //")
        if together.shape not in ((), (len(kept),)):
            raise _wrong(self.found, f"answers for {len(kept)} hands with the shape {together.shape}; {_ADVICE}")
        answers = np.broadcast_to(together, (len(kept),))
        for at, one, other in zip(kept, alone, answers.tolist(), strict=True):
            if one != int(other):
                given = ", ".join(map("{}={}".format, parameters(fn), map(int, rows[at])))
                raise _wrong(
                    self.found, f"answers {one} for one hand and {int(other)} for it among many ({given}); {_ADVICE}"
                )
        whole = np.zeros(size, answers.dtype)
        whole[kept] = answers
        return whole

    def _alone(self, rows: Sequence[tuple[Any, ...]]) -> tuple[list[int], list[int]]:
        """The rows for which the function answers, and its answers."""
        kept, alone = [], []
        for at, row in enumerate(rows):
            try:
                value = self.found.fn(*row)
            except _NEVER_A_VALUE as error:
                raise _wrong(self.found, f"raises {type(error).__name__}: {error}") from error
            except Exception:  # values that do not occur together
                continue
            if not isinstance(value, (int, np.integer, np.bool_)):
                raise _wrong(self.found, f"answers with {value!r}, expected a whole number; divide with //")
            if -(2**63) <= int(value) < 2**63:
                kept.append(at)
                alone.append(int(value))
        return kept, alone


def _wrong(found: ColumnFunction, what: str) -> PluginError:
    name = getattr(found.fn, "__name__", "?")
    return PluginError(f"plugin {found.plugin!r}, hook {found.hook!r}: {found.what} (function {name}) {what}")


# ---- sample hands ------------------------------------------------------------------------------------------------


@cache
def _hands() -> tuple[Hand, ...]:
    return tuple(
        make_hand(
            parse_tiles(concealed),
            CODES[tile],
            melds,
            frozenset(KIND_OF[code] for code in parse_tiles(wild)),
            Situation(self_draw, frozenset([how] if how else []), *rest),
            FREE,
            (1 << 34) - 1,
        )
        for concealed, tile, melds, wild, self_draw, how, rest in _HANDS
    )


def _rows(hand: Hand) -> Iterator[dict[str, int]]:
    """Some readings of a hand with places of its winning tile, as columns."""
    columns = hand.columns | {
        "waits": 1 << hand.win_kind & (1 << 34) - 1,
        "formal_waits": 1 << 8 | 1 << hand.win_kind % 34,
    }
    concealed = columns["concealed1"], columns["concealed2"], columns["concealed3"], columns["concealed4"]
    for form in _FORMS:
        for row in form.read(hand.view, 0)[:_ROWS_PER_HAND]:
            won = stands_for(row, columns["win_tile"], columns["win_wild"], concealed)[0]
            yield columns | row._asdict() | {"place": int(places_of(row, won)[-1]), "won": min(won, NO_PAIR)}


@cache
def _inputs() -> dict[str, np.ndarray[Any, Any]]:
    """Every input of the core for the sample readings."""
    rows = [row for hand in _hands() for row in _rows(hand)]
    return {column.name: np.array([row[column.name] for row in rows], np.int64) for column in INPUTS}


@cache
def _size() -> int:
    return len(_inputs()["wilds"])


def _samples(forms: int, facts: Sequence[str]) -> dict[str, np.ndarray[Any, Any]]:
    """The inputs of a rule set with so many forms; facts are small numbers, each another one in every row."""
    rows = np.arange(_size())
    numbers = {name: (rows + at) % 4 for at, name in enumerate(facts)}
    return {**_inputs(), **numbers, "form": rows % forms}


__all__ = ["probe", "row_complaint"]
