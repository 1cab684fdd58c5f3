"""What must hold for any round of Hangzhou mahjong, on seeded random ones."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from mjsettle.judge import judge
from mjsettle.rounds import round_of
from mjsettle.settle import Engine, load
from mjsettle.testing import brute_force_best, conformance, random_rounds
from mjsettle.testing.symmetries import melds_shuffled, rotated, suits_swapped
from mjsettle.tiles import CODES, NAMES, format_tiles, parse_tiles

PLATFORM: dict[str, Any] = {}
RULEBOOK: dict[str, Any] = {"preset": "hang_mil2025"}
VARIANTS: tuple[dict[str, Any], ...] = (
    PLATFORM,
    {"youcai_bikao": True},
    {"four_standing_excl": True, "laozhuang_ron": True, "next_dealer": "next"},
    {"cap_fan": 3, "base": 2},
    RULEBOOK,
    {**RULEBOOK, "cap_fan": None, "chengbao": False},
)
WHITE = CODES["5z"]


@cache
def engine() -> Engine:
    return load()


def with_white_wild(round: dict[str, Any]) -> dict[str, Any]:
    """The round with its wild kind and 白板 swapped, so that 白板 is wild."""
    wild = CODES[round["wild"][0]] if round["wild"] else WHITE
    swap = {wild: WHITE, WHITE: wild}

    def renamed(text: str) -> str:
        return format_tiles([swap.get(code, code) for code in parse_tiles(text)])

    for player in round["players"]:
        if player:
            player["hand"] = renamed(player["hand"])
            for meld in player["melds"]:
                meld["tiles"] = renamed(meld["tiles"])
            player["discards"] = [renamed(tile) for tile in player.get("discards", [])]
    for event in round["events"]:
        event["tile"] = renamed(event["tile"])
    round["wild"] = ["5z"]
    return round


def playable(round: dict[str, Any]) -> bool:
    """One wild kind at most, and no chow before the swap that the swap would break."""
    wild = round["wild"]
    melds = [meld for player in round["players"] for meld in player.get("melds", [])]
    chows = [meld["tiles"] for meld in melds if meld["kind"] == "chow"]
    return len(wild) < 2 and not any(CODES[wild[0]] in parse_tiles(tiles) for tiles in chows if wild)


def rounds_of(variant: int, count: int, seed: int, wilds_max: int = 4) -> list[dict[str, Any]]:
    """Random rounds with 白板 wild, won by self-draw, with chains before the win."""
    rng = Random(seed)
    ruleset = engine().rule_set("hangzhou", VARIANTS[variant])
    found = []
    for round in random_rounds(ruleset, count, seed, wilds_max=wilds_max):
        if not playable(round):
            continue
        round = with_white_wild(round)
        win = round["events"][-1]
        seat = win["seat"]
        if not VARIANTS[variant].get("laozhuang_ron"):
            win.pop("from", None)
        held = parse_tiles(round["players"][seat]["hand"] + win["tile"]).count(WHITE)
        chain: list[dict[str, Any]] = [{"type": "wild_discard", "seat": seat} for _ in range(rng.randint(0, 4 - held))]
        if rng.random() < 0.5:
            chain = []
        if "kong_draw" in win["how"]:
            chain.append({"type": "kong", "seat": seat, "kind": "concealed_kong"})
        round["events"] = [*chain, win]
        found.append(round)
    return found


@cache
def settled_rounds(variant: int, wilds_max: int = 4) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Random rounds of a variant that could be settled, with their results."""
    rounds = rounds_of(variant, 500, variant, wilds_max)
    answered = zip(rounds, engine().settle(rounds), strict=True)
    return [(round, result) for round, result in answered if result["status"] == "settled"]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_alone_and_in_a_batch(variant: int) -> None:
    """With a turned 财神, for the random rounds turn any; 白板 plays its face."""
    options = {**VARIANTS[variant], "caishen": "flip"}
    sample = conformance("hangzhou", options, engine=engine(), hands=150, seed=variant)
    assert sample.won > 60
    assert sample.rows > sample.won


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_rounds_alone_and_together(variant: int) -> None:
    found = settled_rounds(variant)
    assert len(found) > 80
    for round, result in found[:20]:
        assert engine().settle([round]) == [result]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_nothing_is_minted_or_lost(variant: int) -> None:
    for _, result in settled_rounds(variant):
        assert sum(result["deltas"]) == result["table"] == 0


@pytest.mark.parametrize("variant", [0, 1, 5])
def test_payments_follow_the_formula(variant: int) -> None:
    """§4 to §6, written down a second time."""
    for round, result in settled_rounds(variant):
        (win,) = result["wins"]
        points = 1
        for fan in win["fans"]:
            points *= 2 ** (fan["value"] * fan["times"]) if variant == 5 else fan["value"]
        dealer = 2 ** (1 + min(round["streak"], 2))
        expected = [0, 0, 0, 0]
        for seat in range(4):
            owed = points * (dealer if round["dealer"] in (seat, win["seat"]) else 1)
            if seat != win["seat"]:
                expected[seat] -= owed
                expected[win["seat"]] += owed
        assert result["deltas"] == expected


def test_head_shot_is_what_it_is_said_to_be() -> None:
    """Every other tile in place of the drawn one wins as well, or one does not and it is none."""
    shot = other = 0
    for round, result in settled_rounds(0, 2)[:150]:
        win = next(event for event in round["events"] if event["type"] == "win")
        hand = parse_tiles(round["players"][win["seat"]]["hand"])
        tried = [
            {**round, "id": name, "events": [{**win, "tile": name, "how": []}]}
            for name in NAMES[:34]
            if hand.count(CODES[name]) < 4
        ]
        refused = [
            {error["code"] for error in answer["errors"]}
            for answer in engine().settle(tried)
            if answer["status"] != "settled"
        ]
        wins_with_any = not [codes for codes in refused if "not_a_win" in codes] and WHITE in hand
        found = any(fan["id"] == "head_shot" for fan in result["wins"][0]["fans"])
        assert found == wins_with_any
        shot += found
        other += not found
    assert shot > 10
    assert other > 10


@pytest.mark.parametrize("by", [1, 2, 3])
def test_seats_may_be_renamed(by: int) -> None:
    found = settled_rounds(4)
    moved = engine().settle([rotated(round, by) for round, _ in found])
    for (_, result), other in zip(found, moved, strict=True):
        assert other["deltas"] == [result["deltas"][(seat - by) % 4] for seat in range(4)]


@pytest.mark.parametrize("suits", ["psm", "smp"])
def test_suits_may_be_renamed(suits: str) -> None:
    found = settled_rounds(0)
    swapped = engine().settle([suits_swapped(round, suits) for round, _ in found])
    for (_, result), other in zip(found, swapped, strict=True):
        assert other["deltas"] == result["deltas"]


def test_the_order_of_melds_and_tiles_does_not_matter() -> None:
    rng = Random(5)
    found = settled_rounds(4)
    shuffled = engine().settle([melds_shuffled(round, rng) for round, _ in found])
    for (_, result), other in zip(found, shuffled, strict=True):
        assert other["deltas"] == result["deltas"]


def test_a_wild_in_place_of_a_tile_lowers_only_natural_quads() -> None:
    """豪华七对 counts natural quads, and 无财神 is a bonus for holding none: hands without either never lose by it."""
    rng = Random(6)
    pairs = []
    for round, result in settled_rounds(0, 1):
        player = round["players"][result["wins"][0]["seat"]]
        codes = parse_tiles(player["hand"])
        natural = [at for at, code in enumerate(codes) if code != WHITE]
        if any(fan["id"].startswith("luxury") for fan in result["wins"][0]["fans"]) or not natural:
            continue
        codes[rng.choice(natural)] = WHITE
        players = [{**player, "hand": format_tiles(codes)} if other is player else other for other in round["players"]]
        pairs.append(({**round, "players": players}, result))
    settled = 0
    for other, (_, result) in zip(engine().settle([round for round, _ in pairs]), pairs, strict=True):
        if other["status"] == "settled":
            assert other["wins"][0]["total"] >= result["wins"][0]["total"]
            settled += 1
        else:  # a fifth 财神, the discarded ones counted
            assert {error["code"] for error in other["errors"]} == {"fifth_copy"}
    assert settled > 80


@pytest.mark.parametrize("variant", [0, 1, 4])
def test_the_best_reading_is_the_best_of_all_substitutions(variant: int) -> None:
    ruleset = engine().rule_set("hangzhou", VARIANTS[variant])
    tried = won = 0
    for round in rounds_of(variant, 600, 40 + variant, 2):
        hands = engine()._prepare(round_of(round)).hands
        if tried == 60 or not hands or not 0 < hands[0].view.wilds <= 2:
            continue
        tried += 1
        found = judge(ruleset, hands[0])
        rank = None if found is None else (int(found.qualifies), found.score, found.total)
        assert rank == brute_force_best(ruleset, hands[0]), round
        won += found is not None
    assert tried == 60
    assert won > 15


def test_rounds_with_a_turned_wild_are_those_with_tiles_renamed() -> None:
    """白板 plays the face: a round under `white` reads the same with 白板 and the turned kind exchanged."""
    checked = 0
    for round, result in settled_rounds(0):
        player = round["players"][result["wins"][0]["seat"]]
        win = next(event for event in round["events"] if event["type"] == "win")
        texts = [player["hand"], win["tile"], *(meld["tiles"] for meld in player["melds"])]
        if CODES["3p"] in [code for text in texts for code in parse_tiles(text)]:
            continue
        swap = {WHITE: CODES["3p"]}
        hand = format_tiles([swap.get(code, code) for code in parse_tiles(player["hand"])])
        players = [{**player, "hand": hand} if other is player else other for other in round["players"]]
        events = [
            {**event, "tile": "3p"} if event["type"] == "win" and event["tile"] == "5z" else event
            for event in round["events"]
        ]
        turned = {**round, "options": {"caishen": "flip"}, "wild": ["3p"], "players": players, "events": events}
        (other,) = engine().settle([turned])
        assert other["deltas"] == result["deltas"], turned
        checked += 1
    assert checked > 40
