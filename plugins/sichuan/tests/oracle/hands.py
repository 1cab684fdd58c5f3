"""What a hand is worth, from the rule sheet alone: tiles are (suit, rank) pairs, and everything is tried."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

Tile = tuple[str, int]


def tiles_of(text: str) -> list[Tile]:
    return [(suit, int(rank)) for ranks, suit in re.findall(r"(\d+)([mps])", text) for rank in ranks]


# ---- hands -------------------------------------------------------------------------------------------------------


def partitions(tiles: tuple[Tile, ...]) -> Iterator[tuple[Any, ...]]:
    """Every way to take sorted tiles apart into pungs and chows."""
    if not tiles:
        yield ()
        return
    suit, rank = first = tiles[0]
    for block in ([first] * 3, [first, (suit, rank + 1), (suit, rank + 2)]):
        rest = list(tiles)
        try:
            for tile in block:
                rest.remove(tile)
        except ValueError:
            continue
        for others in partitions(tuple(rest)):
            yield (tuple(block), *others)


@cache
def shapes(tiles: tuple[Tile, ...]) -> list[tuple[str, Any, Any]]:
    """All complete shapes of sorted concealed tiles: ("sets", sets, pair tile) and ("pairs", None, None)."""
    found: list[tuple[str, Any, Any]] = []
    if len(tiles) % 3 == 2:
        for pair in sorted(set(tiles)):
            if tiles.count(pair) >= 2:
                rest = list(tiles)
                rest.remove(pair)
                rest.remove(pair)
                found += [("sets", sets, pair) for sets in partitions(tuple(rest))]
    if len(tiles) == 14 and all(count % 2 == 0 for count in Counter(tiles).values()):
        found.append(("pairs", None, None))
    return found


def best(opt: dict[str, Any], held: list[Tile], melds: list[dict[str, Any]], void: str | None, how: set[str]) -> Any:
    """(fans, roots for added bases) of a complete hand, None when it does not win. how: the words of the win and
    `draw` for a self-draw, `dealer`, `fed` where the feeder pays."""
    laid = [tile for meld in melds for tile in tiles_of(meld["tiles"])]
    every = held + laid
    suits = {suit for suit, _ in every}
    if len(suits) > 2 or void in suits:
        return None
    kongs = sum(meld["kind"].endswith("kong") for meld in melds)
    quads = sum(count >= 4 for count in Counter(every).values())
    roots = kongs if opt["only_kong"] else quads
    concealed = all(meld["kind"] == "concealed_kong" for meld in melds)
    shared = 2 * (len(suits) == 1) + (roots if opt["gen"] == "fan" else 0)
    shared += sum(word in how for word in ("kong_draw", "kong_discard", "rob_kong"))
    shared += opt["haidi"] and "last_tile" in how
    if "first_turn" in how:
        shared += 3 if "dealer" in how else 2
    if opt["zimo"] == "jiafan" and "draw" in how and "fed" not in how:
        shared += 1
    if opt["men_zhong"] and concealed and ("draw" in how or not opt["menqing_zimo_only"]):
        shared += 1
    middling = all(1 < rank < 9 for _, rank in every)
    fans = []
    for form, sets, pair in shapes(tuple(sorted(held))):
        fan = shared
        pungs = form == "sets" and all(block[0] == block[1] for block in sets)
        if form == "pairs":
            fan += 2
            if quads and opt["longqidui"] == 4:
                fan += 1
        if pungs:
            fan += 1
            if len(melds) == 4 and opt["jingou"] == 2:
                fan += 1
        if form == "sets" and opt["yaojiu"]:
            blocks = [*sets, *[tuple(tiles_of(meld["tiles"])) for meld in melds], (pair,)]
            if all(any(rank in (1, 9) for _, rank in block) for block in blocks):
                fan += 2
        jiang = opt["jiang"] and (pungs or form == "pairs") and all(rank in (2, 5, 8) for _, rank in every)
        fan += 2 * jiang
        if opt["men_zhong"] and middling and (not jiang or opt["zhongzhang_with_jiang"]):
            fan += 1
        fans.append(fan)
    return (max(fans), roots if opt["gen"] == "base" else 0) if fans else None


def worth(opt: dict[str, Any], fan: int, roots: int) -> int:
    if opt["cap"] is not None:
        fan = min(fan, opt["cap"])
    return int(opt["base"] * (2**fan + roots))
