"""A bad round is answered with every fault at once; each says where it is, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mjsettle.errors import RuleError
from mjsettle.options import Option
from mjsettle.rules import Rule
from mjsettle.settle import Engine, load

Rounds = Callable[..., dict[str, Any]]


@pytest.fixture
def engine(make_plugin: Any) -> Engine:
    rule = Rule(
        "tiny",
        "小",
        "tiny",
        editions=("1", "2"),
        sources=("made up",),
        presets={"high": {"height": 9}, "low": {"height": 1}},
        seats=(3, 4),
        flags=("ready",),
    )
    options = [
        Option("height", 3, "高", least=1, most=9),
        Option("wide", False, "宽"),
        Option("colour", "red", "色", choices=("red", "blue")),
    ]
    return load([make_plugin(rule=rule, options=lambda rule: options)])


def errors(engine: Engine, round: dict[str, Any]) -> list[tuple[str, str]]:
    (result,) = engine.settle([round])
    assert result["status"] == "refused", result
    assert result["id"] == round["id"]
    assert all(error["message"] for error in result["errors"])
    return [(error["code"], error["field"]) for error in result["errors"]]


def test_a_very_broken_round_has_all_its_faults_listed(engine: Engine, won_round: Rounds) -> None:
    broken = won_round(
        edition="9",
        options={"height": 10, "wide": "yes", "colour": "green", "depth": 1, "preset": "flat"},
        dealer=3,
        round_wind="5z",
        wild=["9z"],
        birds=["0z", "1m"],
        players=[
            {"hand": "12345m67q", "flags": ["ready", "steady"]},
            {
                "hand": "11111m",
                "melds": [{"kind": "pung", "tiles": "123m"}, {"kind": "set", "tiles": "111p"}],
                "void": "x",
            },
            {"flowers": "1m", "discards": ["1m", "8z"]},
        ],
        events=[
            {"type": "win", "seat": 1, "tile": "1m", "how": ["rob_kong", "kong_draw", "flying"]},
            {"type": "kong", "seat": 3},
            {"type": "kong", "seat": 0, "kind": "kong"},
            {"type": "party"},
            {"type": "win", "seat": 2, "tile": "2m", "from": 2},
        ],
    )
    assert sorted(errors(engine, broken)) == sorted(
        [
            ("unknown_edition", "edition"),
            ("bad_option", "options.height"),
            ("bad_option", "options.wide"),
            ("bad_option", "options.colour"),
            ("unknown_option", "options.depth"),
            ("unknown_preset", "options.preset"),
            ("bad_seat", "dealer"),
            ("bad_tile", "round_wind"),
            ("bad_tile", "wild[0]"),
            ("bad_tile", "birds[0]"),
            ("bad_tile", "players[0].hand"),
            ("unknown_flag", "players[0].flags"),
            ("bad_meld", "players[1].melds[0]"),
            ("bad_meld", "players[1].melds[1]"),
            ("bad_suit", "players[1].void"),
            ("fifth_copy", "players[1].hand"),
            ("bad_tile", "players[2].flowers"),
            ("bad_tile", "players[2].discards[1]"),
            ("contradictory", "events[0].how"),
            ("unknown_how", "events[0].how"),
            ("fifth_copy", "events[0].tile"),
            ("bad_seat", "events[1].seat"),
            ("missing", "events[1].kind"),
            ("missing", "events[2].from"),
            ("unknown_event", "events[3].type"),
            ("bad_seat", "events[4].from"),
            ("hand_unknown", "players[2].hand"),
        ]
    )


def test_every_structural_fault_is_listed_too(engine: Engine) -> None:
    round = {
        "id": "seam/1",
        "rule": 7,
        "players": [{"hand": 5}, {"hnad": "1m"}, 3],
        "events": [{"seat": "east"}, {"type": "win", "seat": 9}],
        "dealer": -1,
        "colour": "red",
    }
    assert sorted(errors(engine, round)) == [
        ("missing", "events[0].type"),
        ("unknown_field", "colour"),
        ("unknown_field", "players[1].hnad"),
        ("wrong_type", "dealer"),
        ("wrong_type", "events[0].seat"),
        ("wrong_type", "events[1].seat"),
        ("wrong_type", "players[0].hand"),
        ("wrong_type", "players[2]"),
        ("wrong_type", "rule"),
    ]


@pytest.mark.parametrize(
    ("how", "source", "says"),
    [
        (["rob_kong"], None, "rob_kong is a win on another seat's tile; name it in `from`"),
        (["kong_discard"], None, "kong_discard is a win on another seat's tile"),
        (["kong_draw"], 0, "kong_draw is a self-draw; leave out `from` or kong_draw"),
        (["flower_draw"], 0, "flower_draw is a self-draw"),
        (["kong_on_kong"], 0, "kong_on_kong is a self-draw"),
        (["kong_on_kong"], None, "kong_on_kong says more of a kong_draw"),
        (["rob_kong", "kong_discard"], 0, "either robbed from a kong or discarded after one"),
        (["last_tile", "last_tile"], None, "a word is listed twice"),
    ],
)
def test_circumstances_that_contradict_each_other(
    engine: Engine, won_round: Rounds, how: list[str], source: int | None, says: str
) -> None:
    event = {"type": "win", "seat": 1, "tile": "1z", "how": how}
    if source is not None:
        event["from"] = source
    (result,) = engine.settle([won_round(events=[event])])
    assert [(error["code"], error["field"]) for error in result["errors"]] == [("contradictory", "events[0].how")]
    assert says in result["errors"][0]["message"]


def test_two_names_for_the_preset(engine: Engine, won_round: Rounds) -> None:
    assert errors(engine, won_round(options={"preset": "high", "profile": "low"})) == [
        ("contradictory", "options.profile")
    ]
    (result,) = engine.settle([won_round(options={"preset": "high", "profile": "high"})])
    assert result["status"] == "settled"


def test_what_a_request_for_a_rule_set_can_lack(engine: Engine) -> None:
    with pytest.raises(RuleError) as unknown:
        engine.rule_set("guangdnog")
    assert "no rule set 'guangdnog' is installed (installed: tiny)" in str(unknown.value)
    assert "pip install" not in str(unknown.value)
    with pytest.raises(RuleError, match=r"\(did you mean tiny\?\)"):
        engine.rule_set("tinny")
    with pytest.raises(RuleError) as wrong:
        engine.rule_set("tiny", {"height": 0, "depth": 1, "preset": "flat"}, "3", 2)
    said = str(wrong.value)
    assert "edition: found '3'; the installed plugin has 1, 2" in said
    assert "players: found 2 players, expected 3 or 4" in said
    assert "options.height: found 0, expected 1 or more" in said
    assert "options.depth: rule 'tiny' has no option 'depth'; it has colour, height, wide" in said
    assert 'options.preset: found "flat", expected one of high, low' in said


def test_an_edition_is_pinned_or_refused(engine: Engine, won_round: Rounds) -> None:
    old, new, none = engine.settle([won_round(edition="1"), won_round(), won_round(edition="2020")])
    assert (old["edition"], new["edition"]) == ("1", "2")
    assert none["errors"][0]["code"] == "unknown_edition"
    assert old["fingerprint"] != new["fingerprint"]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"players": [{}, {"hand": "123456m234p777s"}, {}, {}]}, ("tile_count", "players[1].hand")),
        ({"players": [{}, {"hand": "123456m234p777s9s"}, {}, {}]}, ("not_a_win", "events[0]")),
        ({"players": [{}, {}, {}, {}]}, ("hand_unknown", "players[1].hand")),
        (
            {"players": [{"melds": [{"kind": "kong", "tiles": "7777s"}]}, {"hand": "123456m234p777s1z"}, {}, {}]},
            ("fifth_copy", "players"),
        ),
        ({"players": [{}, {"hand": "123456m234p777s1f"}, {}, {}]}, ("not_in_play", "players[1].hand")),
        ({"players": [{}, {"hand": "123456m234p777s1z"}]}, ("seat_count", "players")),
        ({"extra": {"mood": "good"}}, ("unknown_field", "extra")),
    ],
)
def test_hands_and_tables_that_cannot_be(
    engine: Engine, won_round: Rounds, fields: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert fault in errors(engine, won_round(**fields))


def test_a_line_that_is_no_round_is_answered_with_its_number(engine: Engine, won_round: Rounds) -> None:
    import msgspec

    lines = [msgspec.json.encode(won_round()), b"{", b"[]", b'{"id": "a b"}', b"\xff\xfe"]
    answers = [msgspec.json.decode(line) for line in engine.settle_json(b"\n".join(lines), first_line=10).splitlines()]
    assert [answer["status"] for answer in answers] == ["settled"] + ["refused"] * 4
    assert [answer.get("line") for answer in answers] == [None, 11, 12, 13, 14]
    assert [answer["id"] for answer in answers] == ["seam/1", None, None, None, None]


def messages(engine: Engine, round: dict[str, Any]) -> list[tuple[str, str]]:
    (result,) = engine.settle([round])
    return [(error["field"], error["message"]) for error in result["errors"]]


def test_an_unknown_switch_is_told_with_the_nearest_before_all_others(engine: Engine, won_round: Rounds) -> None:
    assert messages(engine, won_round(options={"hieght": 3})) == [
        ("options.hieght", "rule 'tiny' has no option 'hieght' (did you mean height?); it has colour, height, wide")
    ]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"birds": ["5m", "5mm", 7, "x"]},
            [
                ("birds[1]", 'found "5mm", expected a string of at most 2 characters'),
                ("birds[2]", "found 7, expected a string"),
                ("birds[3]", 'found "x", expected a string of at least 2 characters'),
            ],
        ),
        ({"birds": "5m"}, [("birds", 'found "5m", expected a list')]),
        ({"wild": ["5z"] * 9}, [("wild", 'found ["5z","5z","5z","5z","5z","5z","5z","5z","5z"], expected a list of '
                                         "at most 8 entries")]),
        ({"dealer": 9}, [("dealer", "found 9, expected a whole number of at most 3")]),
        ({"dealer": True}, [("dealer", "found true, expected a whole number")]),
        ({"names": 1}, [("names", "found 1, expected true or false")]),
        ({"options": []}, [("options", "found [], expected an object")]),
        ({"id": "a b"}, [("id", 'found "a b", expected 1 to 128 of the characters A-Z a-z 0-9 . _ : / -')]),
        (
            {"players": [{"hand": 5}, {"discards": 3}, {"balance": 10**30}, {}]},
            [
                ("players[0].hand", "found 5, expected a string or null"),
                ("players[1].discards", "found 3, expected a string or a list or null"),
                ("players[2].balance", f"found 1{'0' * 30}, expected a whole number of at most 9007199254740992"),
            ],
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_in_our_words_and_at_its_place(
    engine: Engine, won_round: Rounds, fields: dict[str, Any], told: list[tuple[str, str]]
) -> None:
    found = messages(engine, won_round(**fields))
    assert [each for each in found if each in told] == told
    assert not any("`" in message or "$" in message for _, message in found)


def test_a_hand_that_cannot_be_read_has_no_number_of_tiles(engine: Engine, won_round: Rounds) -> None:
    players = [{}, {"hand": "123456m234p777s1q"}, {}, {}]
    assert errors(engine, won_round(players=players)) == [("bad_tile", "players[1].hand")]


def test_one_meld_is_one(engine: Engine, won_round: Rounds) -> None:
    pung = {"kind": "pung", "tiles": "222s", "from": 0}
    players = [{}, {"hand": "123456m234p777s1z", "melds": [pung]}, {}, {}]
    assert messages(engine, won_round(players=players)) == [
        ("players[1].hand", "found 13 tiles beside 1 meld, expected 10 (without the winning tile)")
    ]
