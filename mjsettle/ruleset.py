"""A rule set compiled for one choice of switches: what the plugins declared, frozen, and its judge."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec

from mjsettle.columns import EVERY_KIND, Column
from mjsettle.compiler import OUTPUTS, Program, compile_program, parameters
from mjsettle.errors import PluginError
from mjsettle.fans import Fan, Scoring
from mjsettle.manager import Registry
from mjsettle.options import Option, Options
from mjsettle.reading_batch import SuitBook
from mjsettle.readings import Row
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule
from mjsettle.tiles import CODES, KIND_OF, packed_room
from mjsettle.wildcards import FREE, WildPolicy
from mjsettle.winforms import WinForm


class ColumnFunction(NamedTuple):
    """A column function of a plugin, and whose it is: for telling what is wrong with it."""

    plugin: str
    hook: str
    what: str  # "fan 'pure'", "the scoring's 'valid'"
    fn: Callable[..., Any]


@dataclass(frozen=True)
class RuleSet:
    """Everything that judging and settling under one rule set needs.

    copies: tiles per kind (34 kinds, 8 flowers, joker); faces: mask of the kinds that a wild may stand for.
    wild: the codes that are wild in every round. functions: the plugins' column functions; readers: how their win
    forms read.
    fingerprint: tells apart any two rule sets that could settle differently: edition, switches, plugins and versions.
    """

    rule: Rule
    edition: str
    options: Options
    forms: tuple[WinForm, ...]
    policy: WildPolicy
    copies: tuple[int, ...]
    hand_size: int
    fans: tuple[Fan, ...]
    scoring: Scoring
    columns: tuple[Column, ...]
    facts: tuple[Fact, ...]  # those that the program asks for
    bonuses: Mapping[str, tuple[Bonus, ...]]
    payments: Payments
    end_of_round: tuple[EndOfRound, ...]
    checks: tuple[Check, ...]
    program: Program
    fingerprint: str
    fan_numbers: Mapping[str, int] = field(default_factory=dict)
    book: SuitBook = field(default_factory=lambda: SuitBook(FREE, EVERY_KIND))
    wild: frozenset[int] = frozenset()
    functions: tuple[ColumnFunction, ...] = ()
    readers: tuple[ColumnFunction, ...] = ()

    @cached_property
    def form_tests(self) -> tuple[Callable[[Sequence[Any]], Any] | None, ...]:
        """For each win form its `may` as a function of the program's spread values."""
        return tuple(_test_of(form, self.may_arguments(form)) for form in self.forms)

    @cached_property
    def pick_reading(self) -> Callable[[Sequence[int]], Sequence[int]]:
        """From a Row's fields, place and won: the reading inputs of the program, in order."""
        names = (*Row._fields, "place", "won")
        at = [names.index(name) for name in self.program.reading_inputs]
        if len(at) == 1:
            return lambda values: (values[at[0]],)
        return itemgetter(*at) if at else lambda values: ()

    @cached_property
    def words(self) -> Mapping[str, frozenset[str]]:
        """The words it knows, by what they are: event, flag, how, extra."""
        rule = self.rule
        return {
            "event": frozenset(rule.events),
            "flag": frozenset(rule.flags),
            "how": frozenset(rule.hows),
            "extra": frozenset(rule.extra),
        }

    @cached_property
    def fan_values(self) -> tuple[int, ...]:
        """The fans' values by number; 0 for those whose value is a column."""
        return tuple(fan.value if isinstance(fan.value, int) else 0 for fan in self.fans)

    @cached_property
    def room(self) -> int:
        """The copies as `mjsettle.tiles.overdrawn` wants them."""
        return packed_room(self.copies)

    @property
    def faces(self) -> int:
        return self.book.faces

    def may_arguments(self, form: WinForm) -> tuple[int, ...]:
        """Where the hand columns of a form's test stand in the program's spread values."""
        return tuple(self.program.spread.index(name) for name in parameters(form.may)) if form.may else ()


def _test_of(form: WinForm, arguments: tuple[int, ...]) -> Callable[[Sequence[Any]], Any] | None:
    may = form.may
    if may is None:
        return None
    return lambda spread: may(*[spread[at] for at in arguments])


def compile_rule_set(registry: Registry, rule: Rule, options: Options, seats: int) -> RuleSet:
    """Ask the plugins concerned for everything and freeze it. PluginError says what a plugin must mend."""
    name = rule.name
    found = {hook: registry.answers(hook, name, options=options) for hook in _JOINED}
    fans: tuple[Fan, ...] = _items(found["fans"])
    forms: tuple[WinForm, ...] = _items(found["win_forms"])
    facts: tuple[Fact, ...] = _items(found["facts"])
    columns: tuple[Column, ...] = _items(found["columns"])
    bonuses: tuple[Bonus, ...] = _items(found["bonuses"])
    _unique(name, "fan", [fan.id for fan in fans])
    _unique(name, "win form", [form.id for form in forms])
    _unique(name, "bonus", [bonus.id for bonus in bonuses])
    if not forms:
        raise PluginError(f"rule {name!r} has no win form; answer the hook `win_forms`")
    for bonus in bonuses:
        if bonus.on not in rule.events:
            raise PluginError(
                f"rule {name!r}: bonus {bonus.id!r} listens to {bonus.on!r}, which is not among the rule's events "
                f"{', '.join(rule.events)}; add it there"
            )
    _, payments = registry.first("payments", name, options=options)
    if payments is None:
        raise PluginError(f"rule {name!r} has no payments; answer the hook `payments`")
    scored_by, answered = registry.first("scoring", name, options=options)
    scoring: Scoring = answered or Scoring()
    policy: WildPolicy = registry.first("wildcards", name, options=options)[1] or FREE
    tests = {parameter for form in forms if form.may for parameter in parameters(form.may)}
    program = compile_program(
        name,
        fans,
        scoring,
        columns,
        {fact.name: fact.doc for fact in facts},
        [form.id for form in forms],
        sorted(tests),
    )
    copies = _copies(rule, options, seats)
    faces = sum(1 << kind for kind in range(34) if copies[kind])
    return RuleSet(
        rule,
        options.edition,
        options,
        forms,
        policy,
        copies,
        rule.hand_size(options),
        fans,
        scoring,
        columns,
        tuple(fact for fact in facts if fact.name in program.uses),
        {on: tuple(bonus for bonus in bonuses if bonus.on == on) for on in {bonus.on for bonus in bonuses}},
        payments,
        _items(found["end_of_round"]),
        _items(found["checks"]),
        program,
        _fingerprint(registry, name, options, seats),
        {fan.id: number for number, fan in enumerate(fans)},
        _book_for(policy, faces),
        _always_wild(rule, options),
        tuple(_functions(found, scored_by, scoring)),
        tuple(
            ColumnFunction(plugin, "win_forms", f"win form {form.id!r}", form.read)
            for plugin, form in found["win_forms"]
        ),
    )


_COPIES: Final = 43
"""34 kinds, 8 flowers and the joker."""
_JOINED: Final = ("fans", "win_forms", "facts", "columns", "bonuses", "end_of_round", "checks")


def _items(answers: Sequence[tuple[str, Any]]) -> tuple[Any, ...]:
    return tuple(item for _, item in answers)


def _functions(
    found: Mapping[str, Sequence[tuple[str, Any]]], scored_by: str, scoring: Scoring
) -> Iterator[ColumnFunction]:
    """Every column function that was declared."""
    for plugin, fan in found["fans"]:
        yield ColumnFunction(plugin, "fans", f"fan {fan.id!r}", fan.when)
        if callable(fan.value):
            yield ColumnFunction(plugin, "fans", f"the value of fan {fan.id!r}", fan.value)
    for plugin, column in found["columns"]:
        yield ColumnFunction(plugin, "columns", f"column {column.name!r}", column.fn)
    for plugin, form in found["win_forms"]:
        if form.may is not None:
            yield ColumnFunction(plugin, "win_forms", f"`may` of win form {form.id!r}", form.may)
        if form.near is not None:
            yield ColumnFunction(plugin, "win_forms", f"`near` of win form {form.id!r}", form.near)
    for name in ("combine", *OUTPUTS[1:]):
        fn = getattr(scoring, name)
        if callable(fn):
            yield ColumnFunction(scored_by, "scoring", f"the scoring's {name!r}", fn)


def _copies(rule: Rule, options: Options, seats: int) -> tuple[int, ...]:
    copies: Any = rule.tiles(options, seats)
    if not isinstance(copies, tuple) or [type(count) for count in copies] != [int] * _COPIES:
        raise PluginError(
            f"rule {rule.name!r}: tiles({seats} seats) is no tuple of {_COPIES} whole numbers; answer with `tile_set`"
        )
    return tuple(copies)


def _always_wild(rule: Rule, options: Options) -> frozenset[int]:
    names: Any = rule.wild(options)
    if isinstance(names, str) or not all(name in CODES for name in names):
        raise PluginError(
            f"rule {rule.name!r}: wild(options) is {names!r}, expected a tuple of tiles, ('5z',) with its comma"
        )
    return frozenset(KIND_OF[CODES[name]] for name in names)


@cache
def _book_for(policy: WildPolicy, faces: int) -> SuitBook:
    """One book for all rule sets that read suits alike: a room's switches seldom change how."""
    return SuitBook(policy, faces)


def declared_options(registry: Registry, rule: str) -> tuple[Option, ...]:
    """The switches of a rule set, those of extending plugins included; PluginError when two share a key."""
    found: tuple[Option, ...] = _items(registry.answers("options", rule))
    _unique(rule, "option", [option.key for option in found])
    return found


def _unique(rule: str, what: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise PluginError(f"rule {rule!r} declares the {what} {name!r} twice; rename or remove one")
        seen.add(name)


def _fingerprint(registry: Registry, rule: str, options: Options, seats: int) -> str:
    made_of = [rule, options.edition, seats, sorted(registry.sources(rule).items()), sorted(options.items())]
    return hashlib.sha256(msgspec.json.encode(made_of)).hexdigest()[:16]
