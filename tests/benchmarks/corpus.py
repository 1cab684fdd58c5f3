"""The hands and rounds that are measured: random winning hands of Guobiao and riichi, and the golden cases."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

import mjsettle
from mjsettle import HandBatch
from mjsettle.rounds import Round, round_of
from mjsettle.settle import Engine
from mjsettle.testing.cases import read_cases
from mjsettle.testing.random_hands import random_rounds
from mjsettle.tiles import JOKER, NAMES, format_tiles
from tests.oracles.guobiao_hands import WinningHand, winning_hand

ROOT: Final = Path(__file__).parents[2]
HANDS: Final = 20_000


@cache
def engine() -> Engine:
    return mjsettle.load()


@cache
def guobiao_hands(count: int = HANDS, concealed: bool = False, seed: int = 1) -> tuple[WinningHand, ...]:
    """Winning hands of every form, with melds, kongs and circumstances; or those of them without melds."""
    random = Random(seed)
    hands = (winning_hand(random) for _ in iter(int, 1))
    return tuple(islice((hand for hand in hands if not (concealed and hand.melds)), count))


def with_wilds(hands: Sequence[WinningHand], wilds: int, seed: int = 2) -> list[WinningHand]:
    """The hands with so many of their concealed tiles, the winning tile among them, turned into jokers."""
    random = Random(seed)
    found = []
    for hand in hands:
        tiles = [*hand.concealed, hand.win]
        for at in random.sample(range(len(tiles)), min(wilds, len(tiles))):
            tiles[at] = JOKER
        found.append(WinningHand(tiles[:-1], tiles[-1], hand.melds, {**hand.situation, "last_of_kind": 0}))
    return found


def strings(hands: Sequence[WinningHand]) -> tuple[list[str], list[str], list[list[tuple[str, str]]], dict[str, Any]]:
    """The arguments of `HandBatch.read`."""
    situation = {name: [hand.situation[name] for hand in hands] for name in hands[0].situation}
    return (
        [format_tiles(hand.concealed) for hand in hands],
        [NAMES[hand.win] for hand in hands],
        [[(kind, format_tiles(tiles)) for kind, tiles in hand.melds] for hand in hands],
        situation,
    )


def batch_of(hands: Sequence[WinningHand]) -> HandBatch:
    tiles, wins, melds, situation = strings(hands)
    return HandBatch.read(tiles, wins, melds, **situation)


def fresh(batch: HandBatch) -> HandBatch:
    """The same arrays with nothing computed from them yet."""
    return replace(batch)


@cache
def lines(rule: str, count: int, wilds_max: int = 0) -> bytes:
    """So many rounds of a rule set that settle, as JSON lines."""
    ruleset = engine().rule_set(rule, {"min_fan": 0} if rule == "guobiao" else {})
    found = random_rounds(ruleset, 4 * count, 5, wilds_max=wilds_max)
    settling = (round for round, result in _settled(found) if result["status"] == "settled")
    return b"".join(msgspec.json.encode(round) + b"\n" for round in islice(settling, count))


def _settled(rounds: Iterator[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Mapping[str, Any]]]:
    while some := list(islice(rounds, 2_000)):
        yield from zip(some, engine().settle(some), strict=True)


@cache
def real_rounds() -> tuple[Round, ...]:
    """Hands of real online games of riichi, one win each."""
    path = ROOT / "plugins" / "riichi" / "tests" / "data" / "real_hands.jsonl.gz"
    with gzip.open(path, "rt") as rows:
        return tuple(round_of(json.loads(row)["round"]) for row in rows)


@cache
def golden_rounds(wild: bool) -> tuple[Round, ...]:
    """The golden cases of every rule set that settle with at least one win: those with wild tiles, or the others."""
    found = []
    for path in sorted(ROOT.glob("plugins/*/cases/*.jsonl")):
        if path.name.endswith(".facts.jsonl"):
            continue
        for case in read_cases(path):
            round = case.round
            hands = "".join(player.get("hand", "") for player in round["players"])
            if case.skip or case.expect.get("status", "settled") != "settled":
                continue
            if any(e["type"] == "win" for e in round["events"]) and (bool(round.get("wild")) or "x" in hands) == wild:
                found.append(round_of(round))
    return tuple(found)
