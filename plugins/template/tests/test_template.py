"""The template adds to Guangdong only, changes nothing until it is switched on, and stays short enough to copy."""

from __future__ import annotations

from pathlib import Path

import pytest

import mjsettle_guangdong
import mjsettle_template
import mjsettle_template.wilds
from mjsettle.settle import load
from mjsettle.testing import conformance, random_rounds
from mjsettle.wildcards import WildPolicy

PLUGINS = (mjsettle_guangdong, mjsettle_template, mjsettle_template.wilds)


@pytest.mark.parametrize("module", [mjsettle_template, mjsettle_template.wilds])
def test_it_stays_under_25_lines_of_code(module: object) -> None:
    text = Path(str(getattr(module, "__file__"))).read_text()  # noqa: B009
    assert len([line for line in text.splitlines() if line.strip()]) < 25


def test_nothing_changes_until_it_is_switched_on() -> None:
    plain, extended = load([mjsettle_guangdong]), load(PLUGINS)
    rounds = list(random_rounds(plain.rule_set("guangdong", {"chihu": True}), 200, seed=1, chows=False))
    expected, found = plain.settle(rounds), extended.settle(rounds)
    assert {result["status"] for result in found} == {"settled", "refused"}
    for one, other in zip(expected, found, strict=True):
        one.pop("fingerprint", None)
        other.pop("fingerprint", None)
        assert one == other


def test_alone_and_in_a_batch_agree() -> None:
    switches = {"all_simples": True, "one_wild_per_set": True}
    sample = conformance("guangdong", switches, engine=load(PLUGINS), chows=False)
    assert "all_simples" in sample.fans


def test_the_policy_is_the_extensions_only_when_it_has_one() -> None:
    engine = load(PLUGINS)
    assert engine.rule_set("guangdong", {"one_wild_per_set": True}).policy == WildPolicy(wilds_per_set_max=1)
    mil = engine.rule_set("guangdong", {"preset": "gd_mil2023"}).policy
    assert mil == load([mjsettle_guangdong]).rule_set("guangdong", {"preset": "gd_mil2023"}).policy
    assert mil.fifth_copy == "concealed"


def test_without_the_rule_set_it_extends_it_has_nothing_to_add() -> None:
    assert load([mjsettle_template, mjsettle_template.wilds]).rules() == []
