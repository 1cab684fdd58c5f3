"""Compiles the column functions of a rule set into two straight-line programs.

The *hand program* computes, once per hand, what does not depend on the reading; the *reading program* does the rest
for every row. Both are plain Python text made of calls to the rule pages' functions, so the same program runs on
ints (one hand) and on arrays (a batch). Only what the rule set's fans and scoring name is ever computed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import numpy as np

from mjsettle.columns import INPUTS, Column, Input, larger
from mjsettle.derived import DERIVED
from mjsettle.errors import PluginError, did_you_mean
from mjsettle.fans import Fan, Scoring

COMMON_FORMS: Final = ("standard", "seven_pairs", "thirteen_orphans")
OUTPUTS: Final = ("total", "valid", "qualifies", "score", "prefer")


@cache
def parameters(fn: Callable[..., Any]) -> tuple[str, ...]:
    """The parameter names of a column function."""
    return tuple(inspect.signature(fn).parameters)


@dataclass(frozen=True, slots=True)
class Program:
    """What a rule set computes.

    hand_inputs: hand columns to supply, in order, to `hand_stage`, which answers with the spread values;
    reading_inputs: reading columns to supply, after the spread values, to `reading_stage`, which answers with the
    times of every fan in order, the values of the fans numbered `dynamic`, then OUTPUTS. `reading_columns` does the
    same for arrays: it takes the number of rows before all else, and answers with the times as one table (fans, rows).
    """

    hand_inputs: tuple[str, ...]
    reading_inputs: tuple[str, ...]
    spread: tuple[str, ...]
    hand_stage: Callable[..., tuple[Any, ...]]
    reading_stage: Callable[..., tuple[Any, ...]]
    reading_columns: Callable[..., tuple[Any, ...]]
    source: str
    dynamic: tuple[int, ...] = ()
    uses: frozenset[str] = field(default_factory=frozenset)


Array = np.ndarray[Any, Any]


def stack(rows: int, columns: Sequence[Any]) -> Array:
    """Columns of so many rows as one table (columns, rows) of bytes, or of wider integers where a value needs them."""
    table = np.empty((len(columns), rows), np.int8)
    for row, column in zip(table, columns, strict=True):
        whole = np.asarray(column)
        row[:] = whole
        if whole.dtype != np.bool_ and (row != whole).any():
            return np.array([np.broadcast_to(np.asarray(each, np.int64), (rows,)) for each in columns])
    return table


def weigh(weights: Array, times: Array) -> Array:
    """The sum of weight x times over fans for each row; times: (fans, rows)."""
    # Small integers halve the work; four bytes hold every sum of bytes by weights up to a million.
    narrow = times.dtype == np.int8 and np.abs(weights).sum() < 1 << 24
    total: Array = np.einsum("f,fr->r", weights.astype(np.int32) if narrow else weights, times)
    return total.astype(np.int64)


@dataclass(slots=True)
class _Node:
    name: str
    level: str  # "hand" or "reading"
    text: str  # the expression that computes it; empty for inputs
    batch: str = ""  # what computes it faster on arrays, where that is another expression


class _Graph:
    def __init__(
        self,
        rule: str,
        fans: Sequence[Fan],
        scoring: Scoring,
        columns: Iterable[Column],
        facts: Mapping[str, str],
        forms: Sequence[str],
    ) -> None:
        self.rule = rule
        self.forms = forms
        self.fans = {fan.id: fan for fan in fans}
        self.scoring = scoring
        self.inputs: dict[str, Input] = {column.name: column for column in INPUTS}
        self.columns: dict[str, Column] = {column.name: column for column in DERIVED}
        for name, doc in facts.items():
            self._new_name(name, "fact")
            self.inputs[name] = Input(name, "hand", doc)
        for column in columns:
            self._new_name(column.name, "column")
            self.columns[column.name] = column
        self.excluders: dict[str, list[str]] = {fan.id: [] for fan in fans}
        for fan in fans:
            for other in fan.excludes:
                if other not in self.excluders:
                    raise PluginError(
                        f"rule {rule!r}: fan {fan.id!r} excludes {other!r}, which is no fan under these switches; "
                        "mend the id, or leave it out where that fan is switched off"
                    )
                self.excluders[other].append(fan.id)
        self.nodes: dict[str, _Node] = {}
        self.order: list[_Node] = []
        self.functions: dict[str, Any] = {
            "larger": larger,
            "stack": stack,
            "weigh": weigh,
            "weights": np.array([0 if callable(fan.value) else fan.value for fan in fans], np.int64),
        }
        self._open: list[str] = []

    def _new_name(self, name: str, what: str) -> None:
        if name in self.inputs or name in self.columns:
            raise PluginError(
                f"rule {self.rule!r} declares the {what} {name!r}, which exists already; choose another name"
            )

    def need(self, name: str, wanted_by: str) -> _Node:
        """The node of a name, with all that it depends on placed before it."""
        if name in self.nodes:
            return self.nodes[name]
        if name in self._open:
            circle = " -> ".join([*self._open[self._open.index(name) :], name])
            raise PluginError(f"rule {self.rule!r}: columns and fans depend on each other in a circle: {circle}")
        self._open.append(name)
        node = self._make(name, wanted_by)
        self._open.pop()
        self.nodes[name] = node
        self.order.append(node)
        return node

    def _make(self, name: str, wanted_by: str) -> _Node:
        if name in self.inputs:
            return _Node(name, self.inputs[name].level, "")
        if name in self.columns:
            return self._call(name, self.columns[name].fn, f"column {name!r}")
        kind, _, fan_id = name.partition("_")
        if kind == "form" and fan_id in (*self.forms, *COMMON_FORMS):
            if fan_id not in self.forms:
                return _Node(name, "hand", "0")
            self.need("form", f"column {name!r}")
            return _Node(name, "reading", f"form == {self.forms.index(fan_id)}")
        if kind in ("raw", "fan", "value") and fan_id in self.fans:
            return self._fan_node(kind, fan_id, name)
        if name == "total":
            return self._total()
        if name == "sum_of_fans":
            return self._sum_of_fans()
        raise PluginError(
            f"rule {self.rule!r}: {wanted_by} has a parameter {name!r}, which names no column or fan"
            f"{self._hint(name)}; see `mjsettle columns` or declare it with Column or Fact"
        )

    def _hint(self, name: str) -> str:
        known = [
            *self.inputs,
            *self.columns,
            *(f"fan_{fan}" for fan in self.fans),
            *(f"form_{id}" for id in self.forms),
        ]
        return did_you_mean(name, known)

    def _call(self, name: str, fn: Callable[..., Any], what: str) -> _Node:
        names = parameters(fn)
        parents = [self.need(parameter, what) for parameter in names]
        function = f"f{len(self.functions)}"
        self.functions[function] = fn
        return _Node(name, _level(parents), f"{function}({', '.join(names)})")

    def _fan_node(self, kind: str, fan_id: str, name: str) -> _Node:
        fan = self.fans[fan_id]
        if kind == "raw":
            return self._call(name, fan.when, f"fan {fan_id!r}")
        if kind == "value":
            if not callable(fan.value):
                return _Node(name, "hand", str(fan.value))
            return self._call(name, fan.value, f"the value of fan {fan_id!r}")
        parents = [self.need(f"raw_{fan_id}", f"fan {fan_id!r}")]
        stronger = [self.need(f"fan_{other}", f"fan {fan_id!r}") for other in self.excluders[fan_id]]
        text = f"raw_{fan_id}"
        if stronger:
            text = f"raw_{fan_id} * (({' | '.join(node.name for node in stronger)}) == 0)"
        if fan.only_where:
            parents.append(self.need(fan.only_where, f"fan {fan_id!r}"))
            text = f"{text} * {fan.only_where}"
        return _Node(name, _level(parents + stronger), text)

    def _sum_of_fans(self) -> _Node:
        """Value x times of all fans, added, whatever the rule set makes of it (a cap, a base with doublings)."""
        parents = [self.need(f"fan_{fan}", "the sum of the fans") for fan in self.fans]
        parents += [self.need(f"value_{fan.id}", "the sum") for fan in self.fans.values() if callable(fan.value)]
        return self._sum("sum_of_fans", parents)

    def _sum(self, name: str, parents: Sequence[_Node]) -> _Node:
        text = " + ".join(f"{_value_text(fan)} * fan_{fan.id}" for fan in self.fans.values()) or "0"
        if _level(parents) == "hand":
            return _Node(name, "hand", text)
        terms = [f"value_{fan.id} * fan_{fan.id}" for fan in self.fans.values() if callable(fan.value)]
        batch = " + ".join(["weigh(weights, times_)", *terms])
        return _Node(name, "reading", text, batch)

    def _total(self) -> _Node:
        combine = self.scoring.combine
        if callable(combine):
            return self._call("total", combine, "the total")
        parents = [self.need(f"fan_{fan}", "the total") for fan in self.fans]
        parents += [self.need(f"value_{fan.id}", "the total") for fan in self.fans.values() if callable(fan.value)]
        if combine == "sum":
            return self._sum("total", parents)
        pairs = [(_value_text(fan), f"fan_{fan.id}") for fan in self.fans.values()]
        if combine == "product":
            text = " * ".join(f"({value} ** ({times} * 1))" for value, times in pairs) or "1"
        else:
            text = "0"
            for value, times in pairs:
                text = f"larger({text}, {value} * {times})"
        return _Node("total", _level(parents), text)

    def output(self, name: str) -> _Node:
        fn = getattr(self.scoring, name)
        if fn is not None:
            node = self._call(name, fn, f"the scoring's {name!r}")
        else:
            parent = self.need("total", name) if name == "score" else None
            node = _Node(name, parent.level if parent else "hand", {"score": "total", "prefer": "0"}.get(name, "1"))
        self.nodes[name] = node
        self.order.append(node)
        return node


def _value_text(fan: Fan) -> str:
    return f"value_{fan.id}" if callable(fan.value) else str(fan.value)


def _level(parents: Iterable[_Node]) -> str:
    return "reading" if any(parent.level == "reading" for parent in parents) else "hand"


def compile_program(
    rule: str,
    fans: Sequence[Fan],
    scoring: Scoring,
    columns: Iterable[Column] = (),
    facts: Mapping[str, str] | None = None,
    forms: Sequence[str] = (),
    extra: Iterable[str] = (),
) -> Program:
    """Compile a rule set's fans and scoring. PluginError names every wrong parameter, duplicate and circle.

    forms: ids of the win forms, in order; `form_<id>` is 1 in a reading by that form (0 where the rule set, under its
    switches, has no such common form). extra: further hand columns that others want (the tests of win forms).
    """
    graph = _Graph(rule, fans, scoring, columns, facts or {}, forms)
    results = [graph.need(f"fan_{fan.id}", f"fan {fan.id!r}") for fan in fans]
    dynamic = tuple(number for number, fan in enumerate(fans) if callable(fan.value))
    results += [graph.need(f"value_{fans[number].id}", f"fan {fans[number].id!r}") for number in dynamic]
    results.append(graph.need("total", "the total"))
    results.extend(graph.output(name) for name in OUTPUTS[1:])
    for name in extra:
        if graph.need(name, "a win form").level != "hand":
            raise PluginError(f"rule {rule!r}: a win form's test asks for {name!r}, which is not a hand column")
    hand_nodes = [node for node in graph.order if node.level == "hand"]
    row_nodes = [node for node in graph.order if node.level == "reading"]
    result_names = [node.name for node in results]
    used_late = {name for node in row_nodes for name in _names_in(node.text)} | set(result_names) | set(extra)
    spread = tuple(node.name for node in hand_nodes if node.name in used_late)
    hand_inputs = tuple(node.name for node in hand_nodes if node.name in graph.inputs)
    row_inputs = tuple(node.name for node in row_nodes if node.name in graph.inputs)
    source = "\n".join(
        [
            _function("hand_stage", hand_inputs, hand_nodes, spread),
            _function("reading_stage", (*spread, *row_inputs), row_nodes, result_names),
            _batch_function((*spread, *row_inputs), row_nodes, result_names[: len(fans)], result_names[len(fans) :]),
        ]
    )
    scope: dict[str, Any] = dict(graph.functions)
    exec(compile(source, f"<rule set {rule}>", "exec"), scope)  # the text is ours: names and calls only
    return Program(
        hand_inputs,
        row_inputs,
        spread,
        scope["hand_stage"],
        scope["reading_stage"],
        scope["reading_columns"],
        source,
        dynamic,
        frozenset(graph.nodes),
    )


def _names_in(text: str) -> set[str]:
    for char in "()*|+=,":
        text = text.replace(char, " ")
    return set(text.split())


def _function(name: str, arguments: Sequence[str], nodes: Sequence[_Node], results: Sequence[str]) -> str:
    lines = [f"def {name}({', '.join(arguments)}):"]
    lines += [f"    {node.name} = {node.text}" for node in nodes if node.text]
    lines.append(f"    return ({''.join(result + ', ' for result in results)})")
    return "\n".join(lines) + "\n"


def _batch_function(
    arguments: Sequence[str], nodes: Sequence[_Node], times: Sequence[str], results: Sequence[str]
) -> str:
    """The reading program on arrays: fans are stacked into one table before it is weighed, and every column is let go
    after its last use, so that the next one finds its memory still in the processor's cache."""
    steps: list[tuple[str, str]] = []
    stacking = ("times_", f"stack(rows_, ({''.join(name + ', ' for name in times)}))")
    for node in nodes:
        if node.batch and stacking not in steps:
            steps.append(stacking)
        if node.text:
            steps.append((node.name, node.batch or node.text))
    if stacking not in steps:
        steps.append(stacking)
    answer = ("times_", *results)
    last = {name: at for at, (_, text) in enumerate(steps) for name in _names_in(text)}
    lines = [f"def reading_columns({', '.join(('rows_', *arguments))}):"]
    for at, (name, text) in enumerate(steps):
        lines.append(f"    {name} = {text}")
        done = [other for other, _ in steps[: at + 1] if last.get(other, 0) == at and other not in answer]
        if done:
            lines.append(f"    del {', '.join(dict.fromkeys(done))}")
    lines.append(f"    return ({''.join(result + ', ' for result in answer)})")
    return "\n".join(lines) + "\n"


__all__ = ["OUTPUTS", "Program", "compile_program", "parameters"]
