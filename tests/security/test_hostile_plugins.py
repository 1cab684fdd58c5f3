"""What a plugin that misbehaves can and cannot do. It is code in the judge's process."""

from __future__ import annotations

import json
import types
from typing import Any

import pytest

from mjsettle.columns import Col
from mjsettle.errors import MjsettleError, PluginError
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.ledger import Book, Win
from mjsettle.options import Option
from mjsettle.rules import Payments, Rule
from mjsettle.settle import Engine
from mjsettle.winforms import standard
from mjsettle_workers.drain import flush_counts
from mjsettle_workers.judge import Judge
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import drain_once, raw
from tests.security.rooms import GOOD

ROUND = GOOD | {"id": "p/1", "rule": "evil", "wild": []} | {"players": [{}, {}, {"hand": "12345m567p22211s"}, {}]}


def always(win_wild: Col) -> Col:
    """Every hand."""
    return win_wild >= 0


def plugin(pay: Any, name: str = "evil", module: str = "", **hooks: Any) -> Any:
    """A plugin with one rule set that pays by ``pay``."""
    given = {
        "rule_sets": lambda: [Rule(name, "恶", "evil", editions=("1",), sources=("tests",))],
        "win_forms": lambda rule, options: [standard()],
        "fans": lambda rule, options: [Fan("any", "任", 1, always)],
        "payments": lambda rule, options: Payments(pay),
    } | hooks
    found = types.ModuleType(module or name)
    for hook, function in given.items():
        setattr(found, hook, hookimpl(_named(function, hook)))
    return found


def _named(function: Any, name: str) -> Any:
    function.__name__ = name
    return function


def fair(book: Book, win: Win) -> None:
    for seat in book.others(win.seat):
        book.pay(seat, win.seat, 1, "win", win=win)


def test_the_fair_plugin_settles() -> None:
    [answer] = Engine([plugin(fair)]).settle([ROUND])
    assert answer["deltas"] == [-1, -1, 3, -1]


def test_points_cannot_be_made_from_nothing() -> None:
    """Payments are entries between two seats; whatever is booked, the sum is nought."""

    def mint(book: Book, win: Win) -> None:
        book.pay(win.seat, win.seat, 10**6, "win", win=win)
        book.pay(book.others(win.seat)[0], win.seat, 5, "win", win=win)

    try:
        [answer] = Engine([plugin(mint)]).settle([ROUND])
    except MjsettleError:
        return
    assert answer["status"] == "refused" or sum(answer["deltas"]) + answer["table"] == 0


class Minting:
    """A judge that makes points from nothing, forges ids, and drops rounds."""

    def __init__(self, how: str) -> None:
        self.how = how

    def settle_json(self, lines: bytes) -> bytes:
        answers = []
        for text in lines.splitlines():
            asked = json.loads(text)
            answer = {"id": asked["id"], "status": "settled", "deltas": [1, -1, 0, 0], "table": 0}
            if "evil" in asked["id"]:
                if self.how == "mint":
                    answer["deltas"] = [10**6, 0, 0, 0]
                elif self.how == "forge":
                    answer["id"] = "another-rooms/round"
                elif self.how == "drop":
                    continue
                elif self.how == "babble":
                    answers.append("{]")
                    continue
                elif self.how == "raise":
                    raise SystemError("no")
            answers.append(json.dumps(answer))
        return "\n".join(answers).encode()


@pytest.mark.parametrize("how", ["mint", "forge", "drop", "babble", "raise"])
def test_the_workers_believe_no_judge_without_a_look(desk: Desk, settings: Settings, client: Any, how: str) -> None:
    desk.judge = Judge(Minting(how), settings)
    rounds = [
        json.dumps({"id": ident, "ended_at": GOOD["ended_at"]}).encode() for ident in ("good/1", "evil/1", "good/2")
    ]
    client.submit(rounds)
    drain_once(desk, 0.3)
    flush_counts(desk)
    found = {ident: json.loads(answer) for ident, answer in client.results(["good/1", "evil/1", "good/2"]).items()}
    assert {ident: answer["status"] for ident, answer in found.items()} == {
        "good/1": "settled", "good/2": "settled", "evil/1": "refused",
    }  # fmt: skip
    assert found["evil/1"]["errors"][0]["code"] == "judge_failed"
    [[_, letter]] = raw(client).xrange(client.keys.dead)
    assert letter[b"round"] == rounds[1]


def test_a_sink_cannot_change_what_is_stored(desk: Desk, settings: Settings, client: Any) -> None:
    def steal(results: list[dict[str, Any]]) -> None:
        for result in results:
            result["deltas"] = [10**6, 0, 0, 0]

    desk.judge = Judge(Engine([plugin(fair, result_sinks=lambda: [steal])]), settings)
    client.submit([json.dumps(ROUND).encode()])
    drain_once(desk, 0.3)
    assert json.loads(client.results(["p/1"])["p/1"])["deltas"] == [-1, -1, 3, -1]


def test_a_plugin_cannot_take_over_the_rule_set_of_another() -> None:
    with pytest.raises(PluginError, match="declared by"):
        Engine([plugin(fair), plugin(fair, module="thief")])


def test_a_plugin_is_not_asked_about_rule_sets_it_did_not_claim() -> None:
    asked: list[str] = []

    def nosy(rule: str, options: Any) -> list[Fan]:
        asked.append(rule)
        return [Fan("any", "任", 1000, always)]

    engine = Engine([plugin(fair), plugin(fair, "other", fans=nosy)])
    assert engine.settle([ROUND])[0]["wins"][0]["total"] == 1
    assert set(asked) == {"other"}


@pytest.mark.parametrize(
    ("hooks", "told"),
    [
        ({"fans": lambda rule, options: [Fan("a", "甲", 1, always), Fan("a", "乙", 1, always)]}, "a"),
        ({"settle_everything": lambda rule: 1}, "settle_everything"),
        ({"options": lambda rule: [Option("x", 1, "x"), Option("x", 2, "x")]}, "x"),
    ],
)
def test_what_is_wrong_with_a_plugin_stops_the_start(hooks: dict[str, Any], told: str) -> None:
    with pytest.raises(PluginError, match=told):
        Engine([plugin(fair, **hooks)])


@pytest.mark.parametrize("error", [ValueError("no"), ZeroDivisionError("no"), RecursionError("no"), KeyError("no")])
def test_a_rule_that_raises_costs_its_round_alone(
    desk: Desk, settings: Settings, client: Any, error: Exception
) -> None:
    def pay(book: Book, win: Win) -> None:
        if book.round.streak == 13:
            raise error
        fair(book, win)

    desk.judge = Judge(Engine([plugin(pay)]), settings)
    streaks = {"good/1": 0, "evil/1": 13, "good/2": 1}
    client.submit([json.dumps(ROUND | {"id": ident, "streak": streak}).encode() for ident, streak in streaks.items()])
    drain_once(desk, 0.3)
    statuses = {
        ident: json.loads(found)["status"] for ident, found in client.results(["good/1", "evil/1", "good/2"]).items()
    }
    assert statuses == {"good/1": "settled", "evil/1": "refused", "good/2": "settled"}
