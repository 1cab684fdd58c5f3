"""Melds and switches as a person writes them."""

from __future__ import annotations

from typing import Any

import click
import pytest

from mjsettle.cli.arguments import SWITCH, Meld, read_meld, switches


@pytest.mark.parametrize(
    ("text", "meld"),
    [
        ("123p", Meld("chow", "123p", None)),
        ("340m@3", Meld("chow", "340m", 3)),
        ("222s@1", Meld("pung", "222s", 1)),
        ("0555m", Meld("kong", "5550m", None)),
        ("added:7777z@2", Meld("added_kong", "7777z", 2)),
        ("concealed:2222s", Meld("concealed_kong", "2222s", None)),
    ],
)
def test_melds_are_read(text: str, meld: Meld) -> None:
    assert read_meld(text) == meld


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("12p", "with 2 tiles"),
        ("1234p", "different tiles"),
        ("added:222s", "expected four after 'added:'"),
        ("hidden:2222s", "expected 123p (chow)"),
        ("222s@", "expected 123p (chow)"),
        ("222", "no suit letter"),
        ("135m", "neither a chow nor a pung"),
        ("9m12p", "neither a chow nor a pung"),
        ("123z", "neither a chow nor a pung"),
        ("999x", "no tile"),
    ],
)
def test_a_wrong_meld_says_what_was_found_and_expected(text: str, says: str) -> None:
    with pytest.raises(click.BadParameter) as error:
        read_meld(text)
    assert says in error.value.message


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("horses=2", ("horses", 2)),
        ("qidui=false", ("qidui", False)),
        ("cap=null", ("cap", None)),
        ("ghost=bai", ("ghost", "bai")),
        ("note=a=b", ("note", "a=b")),
        ("empty=", ("empty", "")),
    ],
)
def test_switch_values_are_json_where_they_can_be(text: str, pair: tuple[str, Any]) -> None:
    assert SWITCH.convert(text, None, None) == pair


@pytest.mark.parametrize("text", ["horses", "=2"])
def test_a_wrong_switch_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="expected key=value"):
        SWITCH.convert(text, None, None)


def test_the_preset_comes_first_and_single_switches_win() -> None:
    assert list(switches("gd", (("horses", 2),)).items()) == [("preset", "gd"), ("horses", 2)]
    assert switches("gd", (("preset", "other"),)) == {"preset": "other"}
