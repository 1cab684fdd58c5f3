"""Every hook is documented, and every hook's answer is used."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from mjsettle import hookspecs
from mjsettle.columns import Col, Column
from mjsettle.errors import Fault
from mjsettle.fans import Fan, Scoring
from mjsettle.ledger import Book
from mjsettle.options import Option
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Rule
from mjsettle.settle import load
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import pairs, standard

SPECS = {name: spec for name, spec in vars(hookspecs).items() if hasattr(spec, "mjsettle_spec")}


@pytest.mark.parametrize("name", sorted(SPECS))
def test_every_hook_is_documented_and_typed(name: str) -> None:
    spec = SPECS[name]
    assert len(inspect.getdoc(spec) or "") > 30
    hints = inspect.get_annotations(spec)
    assert set(hints) == {*inspect.signature(spec).parameters, "return"}


def test_every_hook_has_a_part_in_a_settlement(make_plugin: Any, won_round: Callable[..., dict[str, Any]]) -> None:
    """One plugin answers every hook, and each answer shows in the results."""
    asked: set[str] = set()
    received: list[Any] = []

    def note(hook: str, answer: Any) -> Any:
        asked.add(hook)
        return answer

    def noted(hook: str, answer: Any) -> Callable[..., Any]:
        if hook in ("rule_sets", "extends", "result_sinks"):
            return lambda: note(hook, answer)
        if hook == "options":
            return lambda rule: note(hook, answer)
        return lambda rule, options: note(hook, answer)

    def streaks(repeats: Col) -> Col:
        """Once for each repeat."""
        return repeats

    def repeats(wins_in_a_row: Col) -> Col:
        return wins_in_a_row * 1

    def doubled(sum_of_fans: Col) -> Col:
        return sum_of_fans * 2

    def on_kong(book: Book, event: Any, index: int) -> None:
        book.pay(0, event.seat, 100, "kong", event=index)

    def at_the_end(book: Book) -> None:
        book.pay(2, 3, 1000, "end")

    def no_south(round: Any, options: Any) -> list[Fault]:
        return [Fault("no_south", "round_wind", "found 2z")] if round.round_wind == "2z" else []

    rule = Rule("tiny", "小", "tiny", editions=("1",), sources=("made up",))
    plugin = make_plugin(
        rule=rule,
        rule_sets=noted("rule_sets", [rule]),
        extends=noted("extends", []),
        options=noted("options", [Option("height", 3, "高")]),
        win_forms=noted("win_forms", [standard(), pairs()]),
        wildcards=noted("wildcards", WildPolicy(fifth_copy="concealed")),
        facts=noted("facts", [Fact("wins_in_a_row", lambda round, win: round.streak)]),
        columns=noted("columns", [Column("repeats", repeats)]),
        fans=noted("fans", [Fan("streaks", "连", 5, streaks)]),
        scoring=noted("scoring", Scoring(doubled)),
        bonuses=noted("bonuses", [Bonus("kong", "杠", "kong", on_kong)]),
        payments=noted("payments", make_plugin().payments("tiny", None)),
        end_of_round=noted("end_of_round", [EndOfRound("end", "终", at_the_end)]),
        checks=noted("checks", [Check("south", no_south)]),
        result_sinks=noted("result_sinks", [received.append]),
    )
    engine = load([plugin])
    kong = {"type": "kong", "seat": 3, "kind": "concealed_kong", "tile": "9s"}
    won = won_round(streak=2, options={"height": 4}, events=[kong, *won_round()["events"]])
    result, south, fifth = engine.settle(
        [
            won,
            won_round(round_wind="2z"),
            won_round(
                wild=["5z"],
                players=[{}, {"hand": "1111m456m44556s5z"}, {}, {}],
                events=[{"type": "win", "seat": 1, "tile": "6s"}],
            ),
        ]
    )
    engine.publish([result])
    assert asked == set(SPECS)
    assert engine.rules() == ["tiny"]
    assert engine.rule_set("tiny").options.height == 3
    assert [form.id for form in engine.rule_set("tiny").forms] == ["standard", "seven_pairs"]
    assert result["wins"][0]["fans"] == [{"id": "streaks", "name": "连", "value": 5, "times": 2}]
    assert result["wins"][0]["total"] == 20
    assert result["deltas"] == [-20 - 100, 60, -20 - 1000, -20 + 100 + 1000]
    assert south["errors"] == [{"code": "no_south", "field": "round_wind", "message": "found 2z"}]
    assert [error["code"] for error in fifth["errors"]] == ["not_a_win"]
    assert received == [[result]]
