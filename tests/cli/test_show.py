"""Rounds and results as a person reads them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import mjsettle
from mjsettle.cli.show import NO_WORDS, show
from mjsettle.describe import RoundWords, round_words
from mjsettle.tiles import chinese

ROUND = {
    "id": "room-42/17",
    "rule": "guangdong",
    "options": {"horses": 2},
    "dealer": 0,
    "wild": ["5z"],
    "players": [{}, {}, {"hand": "12345m567p1s5z", "melds": [{"kind": "pung", "tiles": "222s", "from": 3}]}, {}],
    "events": [
        {"type": "kong", "seat": 1, "kind": "kong", "tile": "9p", "from": 0},
        {"type": "win", "seat": 2, "tile": "6m", "how": ["kong_draw"]},
    ],
    "birds": ["3m", "7p"],
}
RESULT = {
    "id": "room-42/17",
    "rule": "guangdong",
    "edition": "2026.1",
    "status": "settled",
    "wins": [
        {
            "seat": 2,
            "tile": "6m",
            "form": "standard",
            "sets": ["123m", "456m", "567p", "222s"],
            "pair": "11s",
            "wild_as": ["1s"],
            "fans": [{"id": "self_draw", "name": "自摸", "value": 2, "times": 1}],
            "total": 2,
            "points": 18,
        }
    ],
    "transfers": [
        {"from": 0, "to": 2, "points": 2, "why": "win"},
        {"from": 1, "to": 2, "points": 2, "why": "win"},
        {"from": 0, "to": 2, "points": 4, "why": "win_liable"},
        {"from": 0, "to": 2, "points": 4, "why": "win_liable"},
        {"from": "table", "to": 1, "points": 1, "why": "pot"},
    ],
    "deltas": [-6, -6, 18, -6],
    "table": -1,
}


def printed(record: dict[str, object], result: dict[str, object], words: RoundWords = NO_WORDS) -> str:
    file = io.StringIO()
    show(Console(file=file, width=120), record, result, words)
    return file.getvalue()


def shown(record: dict[str, object], result: dict[str, object], words: RoundWords = NO_WORDS) -> str:
    return " ".join(printed(record, result, words).split())


def test_no_line_ends_in_blanks() -> None:
    lines = printed(ROUND, RESULT).splitlines()
    assert [line for line in lines if line != line.rstrip()] == []


def test_wilds_of_a_switch_and_titles_of_win_forms_are_shown() -> None:
    """`mjsettle judge` asks the rule set for what the round leaves to it."""
    record = {key: value for key, value in ROUND.items() if key != "wild"} | {"options": {"ghost": "bai"}}
    words = round_words(mjsettle.load(), record)
    assert "wild 5z 白" in shown(record, RESULT, words)
    four = {**RESULT, "wins": [{**dict(RESULT["wins"][0]), "form": "four_ghosts"}]}  # type: ignore[index]
    record["options"] = {"four_ghost": True}
    assert "(四鬼胡 four wild tiles)" in shown(record, four, round_words(mjsettle.load(), record))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("123m11z", "一二三万 东东"),
        ("1m2p", "一万 二筒"),
        ("34m5s6z", "三四万 五条 发"),
        ("1f1x", "春百搭"),
        ("", ""),
        ("what?", "what?"),
    ],
)
def test_tiles_in_chinese(text: str, words: str) -> None:
    assert chinese(text) == words


def test_a_settled_round_shows_tiles_wilds_fans_and_payments() -> None:
    text = shown(ROUND, RESULT)
    for line in (
        "rule guangdong 2026.1, dealer seat 0, horses 2",
        "wild 5z 白",
        "birds 3m 三万 7p 七筒",
        "seat 1 kong 明杠 9p 九筒 from seat 0",
        "seat 2 wins on 6m 六万, self-drawn, kong draw",
        "12345m567p1s5z 一二三四五万 五六七筒 一条 白",
        "222s 二二二条 pung 碰 from seat 3",
        "read as 123m 一二三万 456m 四五六万 567p 五六七筒 222s 二二二条 11s 一一条 (standard)",
        "wilds are 1s 一条",
        "fans 自摸 self_draw 2",
        "total 2, 18 points from all payers",
        "payments seats 0, 1 pay seat 2 2 each win",
        "seat 0 pays seat 2 4 x 2 win liable",
        "the table pays seat 1 1 pot",
        "deltas seat 0 -6 seat 1 -6 seat 2 +18 seat 3 -6 table -1",
    ):
        assert line in text, text


def test_a_refused_round_shows_every_fault() -> None:
    errors = [
        {"code": "tile_count", "field": "players[2].hand", "message": "found 12 tiles, expected 13"},
        {"code": "unknown_option", "field": "options.x", "message": "no option [x]"},
    ]
    text = shown(ROUND, {"id": "a", "status": "refused", "errors": errors})
    assert "players[2].hand found 12 tiles, expected 13 (tile_count)" in text
    assert "options.x no option [x] (unknown_option)" in text


def test_text_from_the_round_is_never_markup() -> None:
    text = shown({**ROUND, "options": {"note": "[red]x[/red]"}}, {**RESULT, "id": "[bold]id[/bold]"})
    assert "note [red]x[/red]" in text
    assert "[bold]id[/bold]" in text
