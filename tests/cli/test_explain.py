"""Rounds told as stories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from mjsettle.cli.explain import explain as command
from mjsettle.explain import explain
from mjsettle.words import EVENTS, HOW, KONGS, REASONS, SENTENCES, STATUS, WHY

ROUND: dict[str, Any] = {
    "id": "room/7",
    "rule": "any",
    "dealer": 0,
    "options": {"base": 2},
    "players": [{}, {}, {}, {}],
    "events": [
        {"type": "kong", "seat": 1, "kind": "concealed_kong", "tile": "4s"},
        {"type": "kong", "seat": 1, "kind": "added_kong", "tile": "7s"},
        {"type": "win", "seat": 0, "tile": "5p", "from": 1, "how": ["kong_discard"]},
        {"type": "win", "seat": 2, "tile": "5p", "from": 1, "how": ["kong_discard"]},
        {"type": "win", "seat": 0, "tile": "5p"},
        {"type": "give_up", "seat": 3},
        {"type": "tea_break", "seat": 3},
        {"type": "exhaustive_draw"},
    ],
}
RESULT: dict[str, Any] = {
    "id": "room/7",
    "status": "settled",
    "edition": "1",
    "wins": [
        {"seat": 0, "tile": "5p", "fans": [{"id": "root", "name": "根", "value": 1, "times": 2}], "total": 2},
        {"seat": 0, "tile": "5p", "fans": [], "total": 0},
    ],
    "transfers": [
        {"from": 0, "to": 1, "points": 2, "why": "concealed_kong", "event": 0},
        {"from": 2, "to": 1, "points": 2, "why": "concealed_kong", "event": 0},
        {"from": 3, "to": 1, "points": 1, "why": "concealed_kong", "event": 0},
        {"from": 1, "to": 0, "points": 4, "why": "win", "event": 2},
        {"from": 1, "to": 0, "points": 2, "why": "call_transfer", "event": 2, "undoes": 1},
        {"from": 1, "to": 3, "points": 1, "why": "tax_refund", "undoes": 2},
        {"from": "table", "to": 3, "points": 9, "why": "house_gift"},
    ],
    "deltas": [4, -2, -2, 9],
    "table": -9,
    "unpaid": [{"from": 3, "to": 1, "points": 1, "why": "concealed_kong", "event": 0}],
    "reckoning": [{"seat": 2, "status": "ready", "waits": {"3p": 2}}, {"seat": 1, "status": "not_ready"}],
    "next": {"dealer": 0, "streak": 1},
}


def test_a_story_in_english() -> None:
    assert list(explain(ROUND, RESULT)) == [
        "room/7: any 1, seat 0 deals, base 2",
        "1. seat 1 makes a concealed kong of 4s",
        "    seats 0 and 2 pay 2 each to seat 1: the concealed kong",
        "    seat 3 pays 1 to seat 1: the concealed kong",
        "    seat 3 cannot pay seat 1 another 1: the concealed kong",
        "2. seat 1 makes an added kong of 7s",
        "    it brings nothing",
        "3. seat 0 wins on 5p from seat 1, on the discard after a kong",
        "    根 1 x 2; total 2",
        "    seat 1 pays 4 to seat 0: the win",
        "    seat 1 passes on to seat 0 2 received for the concealed kong of 4s (step 1): "
        "its discard after the kong was won",
        "4. seat 2 claims 5p too, but another goes before",
        "5. seat 0 wins on 5p, self-drawn (its win number 2)",
        "    no fan; total 0",
        "6. seat 3 gives up",
        "7. seat 3 tea break",
        "8. the wall is exhausted",
        "    seat 2: ready, waits 3p worth 2",
        "    seat 1: not ready",
        "At the end",
        "    seat 1 gives seat 3 back 1 paid for the concealed kong of 4s (step 1): "
        "it was not ready when the wall was exhausted",
        "    the table pays 9 to seat 3: house gift",
        "seat 0 +4 = the concealed kong -2, the win +4, kong money passed on +2",
        "seat 1 -2 = the concealed kong +5, the win -4, kong money passed on -2, kong money handed back -1",
        "seat 2 -2 (the concealed kong -2)",
        "seat 3 +9 = the concealed kong -1, kong money handed back +1, house gift +9",
        "seat 0 deals next, streak 1",
    ]


def test_a_story_in_chinese() -> None:
    story = list(explain(ROUND, RESULT, "zh"))
    assert story[1:3] == ["1. 1号位暗杠四条", "    0、2号位各付1号位 2：暗杠"]
    assert "    1号位把2（第1步暗杠四条所得）转给0号位：呼叫转移，杠后打出的牌被胡" in story
    assert story[-1] == "下局0号位坐庄，连庄1"


def test_a_robbed_kong_says_so() -> None:
    events = [
        {"type": "kong", "seat": 1, "kind": "added_kong", "tile": "7s"},
        {"type": "win", "seat": 0, "tile": "7s", "from": 1, "how": ["rob_kong"]},
    ]
    wins = [{"seat": 0, "tile": "7s", "fans": [], "total": 0}]
    story = list(explain({**ROUND, "events": events}, {**RESULT, "wins": wins, "transfers": [], "unpaid": []}))
    assert story[2] == "    it is robbed and brings nothing"
    assert story[3] == "2. seat 0 robs 7s from the kong of seat 1"


def test_a_refused_round_lists_its_faults() -> None:
    errors = [{"code": "bad_tile", "field": "wild[0]", "message": "found '9z'"}]
    assert list(explain(ROUND, {"id": "room/7", "status": "refused", "errors": errors}))[1:] == [
        "not settled",
        "    wild[0]: found '9z'",
    ]


def test_other_languages_are_refused() -> None:
    with pytest.raises(ValueError, match="expected one of en, zh"):
        list(explain(ROUND, RESULT, "ja"))


def test_every_word_has_both_languages() -> None:
    for table in (SENTENCES, KONGS, EVENTS, HOW, WHY, REASONS, STATUS):
        assert all(len(words) == 2 and all(words) for words in table.values())
    for key, (english, chinese) in SENTENCES.items():
        names = {part for part in english.split("{") if "}" in part}
        fields = {part.split("}")[0] for part in names} - {"article"}
        assert fields <= {part.split("}")[0] for part in chinese.split("{")} | {"article"}, key


def record(id: str) -> dict[str, Any]:
    return {
        "id": id,
        "rule": "guangdong",
        "players": [{}, {}, {"hand": "12345m567p1s5z", "melds": [{"kind": "pung", "tiles": "222s", "from": 3}]}, {}],
        "wild": ["5z"],
        "events": [{"type": "win", "seat": 2, "tile": "6m"}],
    }


def test_the_command_tells_the_rounds_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(record(id)) for id in ("a", "b")))
    told = CliRunner().invoke(command, [str(path), "--id", "b"])
    assert told.exit_code == 0
    assert told.output.startswith("b: guangdong")
    assert "seat 2 wins on 6m, self-drawn" in told.output
    traced = CliRunner().invoke(command, [str(path), "--trace", "--lang", "zh"])
    assert "trace of seat 2 on 6m" in traced.output
    assert "wins by table" in traced.output
    assert CliRunner().invoke(command, [str(path), "--id", "c"]).exit_code == 1


GHOST = {
    "id": "ghost",
    "rule": "guangdong",
    "options": {"preset": "gd_pattern", "ghost": "bai", "chihu": True},
    "players": [{"hand": "111333m555p777s5z"}, {}, {}, {}],
    "events": [{"type": "win", "seat": 0, "tile": "2p"}],
}


def test_the_trace_of_a_win_knows_the_wilds_of_a_switch(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(msgspec.json.encode(GHOST))
    told = CliRunner().invoke(command, [str(path), "--trace"]).output
    assert "hand    111333m2555p777s and 1 wild, 0 melded" in told
    assert "standard          need 1 wild of 1: wins by table" in told


@pytest.mark.parametrize(
    ("lang", "headline"),
    [
        ("en", "ghost: guangdong 2026.1, seat 0 deals, preset gd_pattern, ghost bai, chihu true"),
        ("zh", "ghost：guangdong 2026.1，0号位坐庄，预设 gd_pattern，鬼牌 bai，吃胡 是"),
    ],
)
def test_the_headline_has_the_switches_in_its_language(tmp_path: Path, lang: str, headline: str) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(msgspec.json.encode(GHOST))
    told = CliRunner().invoke(command, [str(path), "--lang", lang]).output
    assert told.splitlines()[0] == headline


def test_a_refused_round_has_no_edition_to_tell(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(msgspec.json.encode(GHOST | {"events": [{"type": "party"}]}))
    told = CliRunner().invoke(command, [str(path), "--lang", "zh"]).output
    assert told.startswith("ghost：guangdong，0号位坐庄")


def test_the_command_reads_stdin_and_answers_broken_lines() -> None:
    told = CliRunner().invoke(command, [], input=b"nonsense\n")
    assert told.exit_code == 1
    assert "not settled" in told.output


def test_the_command_traces_a_hand() -> None:
    told = CliRunner().invoke(command, ["--trace", "--wild", "5z", "12345m567p1s5z6m", "222s"])
    assert told.exit_code == 0
    assert "wins by table" in told.output
    assert CliRunner().invoke(command, ["--wild", "5z"], input=b"").exit_code == 2
