"""The faan counted a second, slow way: sets as text, one reading after another, nothing shared with the rule page."""

from __future__ import annotations

from typing import Any

from mjsettle.settle import load
from mjsettle.testing import random_rounds
from mjsettle.testing.bruteforce import readings
from mjsettle.tiles import format_tiles, parse_tiles

OPTIONS: dict[str, Any] = {"min_faan": 0, "cap": None, "human_win": True}
ORPHANS = {*(rank + suit for rank in "19" for suit in "mps"), *(rank + "z" for rank in "1234567")}


def tiles_of(text: str) -> list[str]:
    return [format_tiles([code]) for code in parse_tiles(text)]


def is_pung(block: str) -> bool:
    return len(set(block[:-1])) == 1


def shape_faan(blocks: list[str], pair: str, held: set[str], round: dict[str, Any], seat: int, closed: bool) -> int:
    """Groups a and b of one reading."""
    pungs = [block[0] + block[-1] for block in blocks if is_pung(block)]
    suits, honours = {tile[1] for tile in held} - {"z"}, {tile for tile in held if tile[1] == "z"}
    total = 0
    if not pungs:
        total += 1
    if len(pungs) == 4:
        total += 8 if closed else 3
        total += 1 if held <= ORPHANS else 0
    if len(suits) == 1:
        total += 3 if honours else 7
    dragons, winds = [t for t in pungs if t in ("5z", "6z", "7z")], [t for t in pungs if t in ("1z", "2z", "3z", "4z")]
    total += len(dragons)
    total += (f"{(seat - round['dealer']) % 4 + 1}z" in winds) + (round["round_wind"] in winds)
    if len(dragons) == 3:
        total += 5
    if len(dragons) == 2 and pair[0] + pair[-1] in ("5z", "6z", "7z"):
        total += 3
    if len(winds) == 3 and pair[0] + pair[-1] in ("1z", "2z", "3z", "4z"):
        total += 3
    return total


def limit_faan(blocks: list[str], held: list[str], melds: list[dict[str, Any]]) -> int:
    """Group c, as far as the tiles alone make it."""
    pungs = [block[0] + block[-1] for block in blocks if is_pung(block)]
    kinds = set(held)
    if sum(meld["kind"].endswith("kong") for meld in melds) == 4 or {"1z", "2z", "3z", "4z"} <= set(pungs):
        return 13
    if all(tile[1] == "z" for tile in kinds):
        return 10
    if len(pungs) == 4 and all(tile[0] in "19" and tile[1] != "z" for tile in kinds):
        return 10
    ranks = sorted(tile[0] for tile in held)
    if not melds and len({tile[1] for tile in kinds}) == 1 and "z" not in held[0]:
        for extra in "123456789":
            if ranks == sorted("1112345678999" + extra):
                return 10
    return 0


def circumstances(round: dict[str, Any], event: dict[str, Any], player: dict[str, Any]) -> int:
    """Groups d and e."""
    how, drawn, wind = event["how"], "from" not in event, (event["seat"] - round["dealer"]) % 4 + 1
    total = drawn + (not player["melds"]) + ("rob_kong" in how)
    if "kong_draw" in how and "flower_draw" not in how:
        total += 8 if "kong_on_kong" in how else 1
    total += "last_tile" in how and "rob_kong" not in how
    flowers = set(tiles_of(player["flowers"]))
    for own, series in ((wind, "1234"), (wind + 4, "5678")):
        whole = {f"{digit}f" for digit in series} <= flowers
        total += 2 if whole else f"{own}f" in flowers
    return total + (not flowers)


def opening_faan(round: dict[str, Any], event: dict[str, Any], player: dict[str, Any]) -> int:
    if "first_turn" not in event["how"]:
        return 0
    dealt = event["seat"] == round["dealer"] and "from" not in event and not player["melds"]
    return 13 if dealt or event["seat"] != round["dealer"] else 0


def best_faan(round: dict[str, Any]) -> int | None:
    """The greatest sum of faan, None when the hand does not win."""
    event = round["events"][0]
    player = round["players"][event["seat"]]
    concealed, melds = player["hand"] + event["tile"], player["melds"]
    held = tiles_of(concealed) + [tile for meld in melds for tile in tiles_of(meld["tiles"])]
    opening, beside = opening_faan(round, event, player), circumstances(round, event, player)
    found = []
    for reading in readings(concealed, [meld["tiles"] for meld in melds]):
        blocks = [*reading.sets, *(meld["tiles"] for meld in melds)]
        closed = all(meld["kind"] == "concealed_kong" for meld in melds)
        limit = max(opening, limit_faan(blocks, held, melds))
        found.append(limit or shape_faan(blocks, reading.pair, set(held), round, event["seat"], closed))
    if not melds and set(held) == ORPHANS:
        found.append(13)
    return max(found) + beside if found else None


def test_the_faan_are_those_of_the_second_count() -> None:
    engine = load()
    rounds = list(random_rounds(engine.rule_set("hongkong", OPTIONS), 1500, seed=12, wilds_max=0))
    answered = [(round, result) for round, result in zip(rounds, engine.settle(rounds), strict=True)]
    settled = 0
    for round, result in answered:
        if result["status"] == "settled":
            assert result["wins"][0]["total"] == best_faan(round), round
            settled += 1
        elif {error["code"] for error in result["errors"]} == {"not_a_win"}:
            assert best_faan(round) is None, round
    assert settled > 500
