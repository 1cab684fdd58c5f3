"""The tai counted a second, slow way: sets as text, one reading after another, nothing shared with the rule page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from mjsettle.settle import load
from mjsettle.testing import random_rounds
from mjsettle.testing.bruteforce import readings
from mjsettle.tiles import NAMES, format_tiles, parse_tiles

DRAGONS, WINDS = {"5z", "6z", "7z"}, {"1z", "2z", "3z", "4z"}


def tiles_of(text: str) -> list[str]:
    return [format_tiles([code]) for code in parse_tiles(text)]


def is_pung(block: str) -> bool:
    return len(set(block[:-1])) == 1


def is_ligu(tiles: list[str]) -> bool:
    counts = Counter(tiles)
    return len(tiles) == 17 and any(
        count >= 3 and all((other - 3 * (kind == name)) % 2 == 0 for name, other in counts.items())
        for kind, count in counts.items()
    )


def waits(hand: str, melds: list[dict[str, Any]]) -> set[str]:
    """Every kind that completes the hand, but those of which the seat has all four."""
    own = Counter(tiles_of(hand) + [tile for meld in melds for tile in tiles_of(meld["tiles"])])
    shown = [meld["tiles"] for meld in melds]
    return {
        name
        for name in NAMES[:34]
        if own[name] < 4 and (readings(hand + name, shown) or (not melds and is_ligu(tiles_of(hand + name))))
    }


class Table:
    """What the tai of one win depend on beside its reading."""

    def __init__(self, round: dict[str, Any]) -> None:
        self.event = round["events"][0]
        self.player = round["players"][self.event["seat"]]
        self.melds = self.player["melds"]
        self.how = self.event["how"]
        self.drawn = "from" not in self.event
        self.seat = (self.event["seat"] - round["dealer"]) % 4
        self.round_wind = round["round_wind"]
        self.open = sum(meld["kind"] != "concealed_kong" for meld in self.melds)
        self.held = tiles_of(self.player["hand"] + self.event["tile"])
        self.held += [tile for meld in self.melds for tile in tiles_of(meld["tiles"])]
        self.flowers = set(tiles_of(self.player["flowers"]))
        self.single = len(waits(self.player["hand"], self.melds)) == 1

    def circumstances(self, ligu: bool) -> int:
        """Everything that the sets have no part in."""
        flags, first = self.player["flags"], "first_turn" in self.how
        opening = 0 if not first else (24 if self.seat == 0 else 16) if self.drawn else 8 if self.seat else 0
        ready = 8 if "heavenly_ready" in flags else 4 if "earthly_ready" in flags else 0
        total = opening + ready
        if self.drawn and not opening:
            total += 3 if self.open == 0 and not ligu and not ready else 1
        if not self.drawn and self.open == 0 and not ligu and not ready and not opening:
            total += 1
        heavenly = opening == 24
        total += self.single and self.open < 5 and not heavenly
        if self.open == 5:
            total += 1 if self.drawn else 2
        total += "rob_kong" in self.how
        total += "kong_draw" in self.how and "flower_draw" not in self.how and not heavenly
        total += "last_tile" in self.how and "rob_kong" not in self.how
        return total + self.flower_tai()

    def flower_tai(self) -> int:
        if len(self.flowers) == 8:
            return 8
        own = sum(f"{self.seat + first}f" in self.flowers for first in (1, 5))
        return own + sum(2 for series in ("1234", "5678") if {f"{digit}f" for digit in series} <= self.flowers)

    def colour(self, suits: set[str], honours: bool) -> int:
        return 16 if not suits else 0 if len(suits) > 1 else 4 if honours else 8


def set_tai(table: Table, blocks: list[str], pair: str, place: str, hidden: int) -> int:
    """The tai of the sets. place: the block that the winning tile completed; hidden: concealed pungs among them."""
    pungs = {block[0] + block[-1] for block in blocks if is_pung(block)}
    suits = {tile[1] for tile in table.held} - {"z"}
    honours = any(tile[1] == "z" for tile in table.held)
    total = table.colour(suits, honours)
    total += {3: 2, 4: 5, 5: 8}.get(hidden, 0)
    if len(pungs) == 5 and suits:
        total += 4
    pair_tile = pair[0] + pair[-1]
    dragons, winds = pungs & DRAGONS, pungs & WINDS
    if len(dragons) == 3:
        total += 8
    elif len(dragons) == 2 and pair_tile in DRAGONS:
        total += 4
    else:
        total += len(dragons)
    if len(winds) == 4:
        total += 16
    elif len(winds) == 3 and pair_tile in WINDS:
        total += 8
    else:
        total += (table.round_wind in winds) + (f"{table.seat + 1}z" in winds)
    if not pungs and not honours and not table.flowers and not table.drawn and not table.single:
        total += 2 * _two_sided(place, table.event["tile"])
    return total


def _two_sided(place: str, tile: str) -> bool:
    """Whether a chow was completed at an end, and not at 3 of 123 or 7 of 789."""
    if len(place) != 4 or is_pung(place):
        return False
    low, middle = place[0], place[1]
    return tile[0] != middle and not (low == "1" and tile[0] == "3") and not (low == "7" and tile[0] == "7")


def _places(sets: list[str], pair: str, tile: str) -> Iterator[str]:
    """The blocks of the concealed part that hold the winning tile."""
    yield from (block for block in {*sets, pair} if tile in tiles_of(block))


def best_tai(round: dict[str, Any]) -> int | None:
    """The most tai, None when the hand does not win."""
    table = Table(round)
    tile = table.event["tile"]
    concealed = table.player["hand"] + tile
    kongs = [meld["tiles"] for meld in table.melds if meld["kind"] == "concealed_kong"]
    found = []
    for reading in readings(concealed, [meld["tiles"] for meld in table.melds]):
        blocks = [*reading.sets, *(meld["tiles"] for meld in table.melds)]
        pungs = [block for block in reading.sets if is_pung(block)] + kongs
        for place in _places(list(reading.sets), reading.pair, tile):
            lost = not table.drawn and len(place) == 4 and is_pung(place)
            sets = set_tai(table, blocks, reading.pair, place, len(pungs) - lost)
            found.append(sets + table.circumstances(False))
    if not table.melds and is_ligu(tiles_of(concealed)):
        suits = {name[1] for name in table.held} - {"z"}
        colour = table.colour(suits, any(name[1] == "z" for name in table.held))
        found.append(8 + colour + table.circumstances(True))
    return max(found) if found else None


def ligu(rng: Random, tiles: int) -> list[int]:
    """Seven pairs and a triplet."""
    return [kind for kind in rng.choices(range(34), k=7) for _ in range(2)] + [rng.randrange(34)] * 3


def test_the_tai_are_those_of_the_second_count() -> None:
    engine = load()
    rounds = list(random_rounds(engine.rule_set("taiwan"), 700, seed=12, wilds_max=0, shapes=[ligu]))
    settled = 0
    for round, result in zip(rounds, engine.settle(rounds), strict=True):
        if result["status"] == "settled":
            assert result["wins"][0]["total"] == best_tai(round), round
            settled += 1
        elif {error["code"] for error in result["errors"]} == {"not_a_win"}:
            assert best_tai(round) is None, round
    assert settled > 250
