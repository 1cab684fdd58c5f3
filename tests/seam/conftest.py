"""A smallest plugin, of which each test changes what it is about."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from mjsettle.columns import Col
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Book, Win
from mjsettle.rules import Payments, Rule
from mjsettle.winforms import standard

MakePlugin = Callable[..., Any]


def always(wilds: Col) -> Col:
    """Any win."""
    return wilds >= 0


def pay(book: Book, win: Win) -> None:
    """Everybody pays the total."""
    for payer in book.others(win.seat):
        book.pay(payer, win.seat, win.total, "win", win=win)


def module_of(name: str, answers: dict[str, Any]) -> ModuleType:
    """A plugin module with these hooks."""
    module = ModuleType(f"plugin_{name}")
    for hook, answer in answers.items():
        setattr(module, hook, hookimpl(answer))
    return module


@pytest.fixture
def make_plugin() -> MakePlugin:
    """Makes the plugin of a rule set: everybody pays the fans of a standard win. Keywords are hooks in its place."""

    def make(name: str = "tiny", rule: Rule | None = None, **hooks: Any) -> Any:
        declared = rule or Rule(name, "小", "tiny", editions=("1",), sources=("made up",))
        answers: dict[str, Any] = {
            "rule_sets": lambda: [declared],
            "win_forms": lambda rule, options: [standard()],
            "fans": lambda rule, options: [Fan("any", "胡", 1, always)],
            "payments": lambda rule, options: Payments(pay),
            **hooks,
        }
        return module_of(name, answers)

    return make


@pytest.fixture
def make_extension() -> MakePlugin:
    """Makes a plugin that extends rule sets. Keywords are its hooks."""

    def make(name: str, *rules: str, **hooks: Any) -> Any:
        answers = {"extends": lambda: list(rules), **hooks}
        return module_of(name, answers)

    return make


@pytest.fixture
def won_round() -> Callable[..., dict[str, Any]]:
    """Makes a self-drawn win of seat 1; keywords are round fields in its place."""

    def make(rule: str = "tiny", **fields: Any) -> dict[str, Any]:
        return {
            "id": "seam/1",
            "rule": rule,
            "players": [{}, {"hand": "123456m234p777s1z"}, {}, {}],
            "events": [{"type": "win", "seat": 1, "tile": "1z"}],
            **fields,
        }

    return make
