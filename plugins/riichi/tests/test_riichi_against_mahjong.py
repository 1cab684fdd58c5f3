"""Random winning hands against the package `mahjong` 2.1: han, fu and every payment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

import pytest
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

import mjsettle
from mjsettle.tiles import FIRST_HONOUR, NAMES, format_tiles

ORPHANS = [kind for kind in range(34) if kind >= FIRST_HONOUR or kind % 9 in (0, 8)]
RED = {4: 43, 13: 44, 22: 45}
"""Code of the red five of each five."""
MELDS = {"chow": (Meld.CHI, True), "pung": (Meld.PON, True), "kong": (Meld.KAN, True)}
MELDS |= {"added_kong": (Meld.SHOUMINKAN, True), "concealed_kong": (Meld.KAN, False)}


@dataclass(slots=True)
class Won:
    """A random win. Tiles are numbered as `mahjong` does: kind x 4 + copy, the red fives being copies 0."""

    concealed: list[int]
    tile: int
    melds: list[tuple[str, list[int]]] = field(default_factory=list)
    seats: int = 4
    seat: int = 0
    dealer: int = 0
    round_wind: int = 0
    source: int | None = None
    flags: list[str] = field(default_factory=list)
    how: list[str] = field(default_factory=list)
    dora: list[int] = field(default_factory=list)
    ura: list[int] = field(default_factory=list)
    honba: int = 0
    deposits: int = 0


class Wall:
    """The tiles not yet used."""

    def __init__(self, rng: Random, seats: int) -> None:
        self.rng = rng
        in_play = [kind for kind in range(34) if seats == 4 or not 0 < kind < 8]
        self.copies = {kind: rng.sample(range(4 * kind, 4 * kind + 4), 4) for kind in in_play}

    def take(self, *kinds: int) -> list[int] | None:
        if any(len(self.copies.get(kind, ())) < kinds.count(kind) for kind in kinds):
            return None
        return [self.copies[kind].pop() for kind in kinds]


def deal(rng: Random) -> Won | None:
    """One random win; None where the dice ask for tiles that there are not."""
    seats = 3 if rng.random() < 0.15 else 4
    wall = Wall(rng, seats)
    shape = rng.random()
    melds: list[tuple[str, list[int]]] = []
    if shape < 0.08:
        kinds = rng.sample(_palette(rng), 7) if rng.random() < 0.9 else list(range(27, 34))
        tiles = _joined(wall.take(kind, kind) for kind in kinds)
    elif shape < 0.1:
        tiles = wall.take(*ORPHANS, rng.choice(ORPHANS))
    elif shape < 0.105:
        first = 9 * rng.randrange(3)
        tiles = wall.take(*range(first, first + 9), first, first, first + 8, first + 8, first + rng.randrange(9))
    else:
        tiles = _sets(rng, wall, melds, seats)
    if tiles is None:
        return None
    rng.shuffle(tiles)
    won = Won(tiles[:-1], tiles[-1], melds, seats)
    _situation(rng, won)
    for listed in (won.dora, won.ura):
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            if drawn := wall.take(rng.choice(sorted(wall.copies))):
                listed += drawn
    return won


def _palette(rng: Random) -> list[int]:
    """The kinds that a hand is made of: all, or those that make flushes, ends, greens, honours more common."""
    suit = rng.randrange(3)
    own = list(range(9 * suit, 9 * suit + 9))
    choice = rng.random()
    if choice < 0.35:
        return list(range(34))
    if choice < 0.45:
        return [kind for kind in range(34) if kind >= FIRST_HONOUR or kind % 9 in (0, 6, 8)]
    if choice < 0.65:
        return own
    if choice < 0.75:
        return own + list(range(27, 34))
    if choice < 0.83:
        return [kind for kind in range(27) if 0 < kind % 9 < 8]
    if choice < 0.93:
        return ORPHANS
    return [19, 20, 21, 23, 25, 32, 31, 33] if choice < 0.96 else list(range(27, 34))


def _joined(parts: Iterator[list[int] | None]) -> list[int] | None:
    found: list[int] = []
    for part in parts:
        if part is None:
            return None
        found += part
    return found


def _sets(rng: Random, wall: Wall, melds: list[tuple[str, list[int]]], seats: int) -> list[int] | None:
    palette = _palette(rng)
    chow_like, meld_like, kong_like = rng.choice((0.1, 0.5, 0.9)), rng.choice((0, 0, 0.3, 0.8)), rng.choice((0.1, 0.6))
    concealed = wall.take(*[rng.choice(palette)] * 2)
    last: int | None = None
    for _ in range(4):
        kind = rng.choice(palette)
        if last is not None and rng.random() < 0.4:
            # The same again, the same in another suit, or the next third of a straight.
            kind = rng.choice((last, last, (last + 9) % 27, (last + 9) % 27, last // 9 * 9 + (last + 3) % 9))
        last = kind
        chow = rng.random() < chow_like and kind < FIRST_HONOUR and kind % 9 < 7
        meld = rng.random() < meld_like and not (chow and seats == 3)
        name = "chow" if chow else "pung"
        if not chow and rng.random() < kong_like * (0.3 if not meld_like else 0.6):
            name, meld = rng.choice(("kong", "added_kong", "concealed_kong", "concealed_kong")), True
        tiles = wall.take(*((kind, kind + 1, kind + 2) if chow else [kind] * (4 if name.endswith("kong") else 3)))
        if tiles is None or concealed is None:
            return None
        if meld:
            melds.append((name, tiles))
        else:
            concealed += tiles
    return concealed


def _situation(rng: Random, won: Won) -> None:
    won.seat, won.dealer = rng.randrange(won.seats), rng.randrange(won.seats)
    won.round_wind, won.honba, won.deposits = rng.randrange(2), rng.choice((0, 0, 1, 3)), rng.choice((0, 0, 1, 2))
    others = [seat for seat in range(won.seats) if seat != won.seat]
    won.source = rng.choice([None, *others])
    kongs = any(name.endswith("kong") for name, _ in won.melds)
    closed = all(name == "concealed_kong" for name, _ in won.melds)
    if closed and rng.random() < 0.4:
        won.flags = [rng.choice(("riichi", "riichi", "double_riichi"))]
    dice = rng.random()
    if won.source is None and kongs and dice < 0.2:
        won.how = ["kong_draw"]
    elif won.source is not None and dice < 0.05 and sum(tile // 4 == won.tile // 4 for tile in won.concealed) == 0:
        won.how = ["rob_kong"]
    elif dice > 0.94:
        won.how = ["last_tile"]
    elif dice > 0.93 and not won.melds and not won.flags and won.source is None:
        won.how = ["first_turn"]
    if won.flags and "kong_draw" not in won.how and "last_tile" not in won.how and rng.random() < 0.3:
        won.flags.append("ippatsu")


def _names(tiles: Sequence[int]) -> str:
    return format_tiles([RED[tile // 4] if tile in (16, 52, 88) else tile // 4 for tile in tiles])


def wire(won: Won, id: str) -> dict[str, Any]:
    """The win as a round."""
    before = (won.seat - 1) % won.seats
    melds = [
        {"kind": name, "tiles": _names(tiles)} | ({} if name == "concealed_kong" else {"from": before})
        for name, tiles in won.melds
    ]
    players: list[dict[str, Any]] = [{} for _ in range(won.seats)]
    players[won.seat] = {"hand": _names(won.concealed), "melds": melds, "flags": won.flags}
    event = {"type": "win", "seat": won.seat, "tile": _names([won.tile]), "how": won.how}
    return {
        "id": id,
        "rule": "riichi",
        # Liability is the room's business here: `mahjong` knows of none.
        "options": {"pao": []},
        "dealer": won.dealer,
        "round_wind": NAMES[27 + won.round_wind],
        "honba": won.honba,
        "deposits": won.deposits,
        "dora": [_names([tile]) for tile in won.dora],
        "ura_dora": [_names([tile]) for tile in won.ura],
        "players": players,
        "events": [event if won.source is None else event | {"from": won.source}],
    }


def theirs(won: Won) -> dict[str, Any]:
    """What `mahjong` says: han, fu and deltas, or the error."""
    first = "first_turn" in won.how
    config = HandConfig(
        is_tsumo=won.source is None,
        is_riichi="riichi" in won.flags,
        is_daburu_riichi="double_riichi" in won.flags,
        is_ippatsu="ippatsu" in won.flags,
        is_rinshan="kong_draw" in won.how,
        is_chankan="rob_kong" in won.how,
        is_haitei="last_tile" in won.how and won.source is None,
        is_houtei="last_tile" in won.how and won.source is not None,
        is_tenhou=first and won.seat == won.dealer,
        is_chiihou=first and won.seat != won.dealer,
        player_wind=27 + (won.seat - won.dealer) % won.seats,
        round_wind=27 + won.round_wind,
        kyoutaku_number=won.deposits,
        tsumi_number=won.honba,
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, is_three_player=won.seats == 3),
    )
    melds = [Meld(MELDS[name][0], sorted(tiles), opened=MELDS[name][1]) for name, tiles in won.melds]
    tiles = [*won.concealed, won.tile, *(tile for _, own in won.melds for tile in own)]
    found = HandCalculator.estimate_hand_value(
        sorted(tiles), won.tile, melds, won.dora, config, ura_dora_indicators=won.ura if won.flags else []
    )
    if found.error is not None:
        return {"error": found.error}
    assert found.cost is not None
    assert found.han is not None
    cost, deltas = found.cost, [0] * won.seats
    for payer in range(won.seats) if won.source is None else [won.source]:
        main = won.source is not None or payer == won.dealer or won.seat == won.dealer
        if payer != won.seat:
            deltas[payer] -= (
                cost["main"] + cost["main_bonus"] if main else cost["additional"] + cost["additional_bonus"]
            )
    deltas[won.seat] = cost["kyoutaku_bonus"] - sum(deltas)
    limit = any(yaku.is_yakuman for yaku in found.yaku or ())
    return {"deltas": deltas} | ({"yakuman": found.han // 13} if limit else {"han": found.han, "fu": found.fu})


def ours(result: dict[str, Any]) -> dict[str, Any]:
    """The same of a result."""
    if result["status"] == "refused":
        return {"error": result["errors"][0]["code"]}
    win = result["wins"][0]
    found = {"deltas": result["deltas"]}
    return found | ({"yakuman": win["yakuman"]} if "yakuman" in win else {"han": win["total"], "fu": win["fu"]})


def agree(mine: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether both say the same; a hand without a yaku is refused here and an error there."""
    if "error" in mine or "error" in other:
        return (mine.get("error"), other.get("error")) == ("below_minimum", "no_yaku")
    return mine == other


def compare(count: int, seed: int) -> list[str]:
    """Differences on so many random wins."""
    rng = Random(seed)
    engine = mjsettle.load()
    wins = islice((won for won in iter(lambda: deal(rng), 0) if won is not None), count)
    found = []
    while part := list(islice(wins, 5000)):
        rounds = [wire(won, f"peer/{seed}/{at}") for at, won in enumerate(part)]
        for won, sent, result in zip(part, rounds, engine.settle(rounds), strict=True):
            mine, other = ours(result), theirs(won)
            if not agree(mine, other):
                found.append(f"here {mine}\n  there {other}\n  {sent}\n {result}")
    return found


def test_a_few_thousand_hands_agree() -> None:
    differences = compare(3000, 20260101)
    assert not differences, "\n".join(differences[:5])


@pytest.mark.soak
def test_a_hundred_thousand_hands_agree() -> None:
    differences = compare(100_000, 8)
    assert not differences, f"{len(differences)} differences\n" + "\n".join(differences[:5])
