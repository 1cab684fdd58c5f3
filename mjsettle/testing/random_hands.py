"""Seeded random rounds with one win each: winning and near-winning hands with melds, kongs, wilds and flags.

They are wire rounds for one rule set, made from its own tiles, words and flags. Some are refused (a hand that does not
win, a word that contradicts another); a test takes those that serve it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from mjsettle.columns import ORPHANS
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import FIRST_FLOWER, FIRST_HONOUR, JOKER, KINDS, NAMES, format_tiles

Shape = Callable[[Random, int], Sequence[int]]
"""Makes the kinds of a complete concealed hand of so many tiles, for win forms of a plugin's own."""

_DRAWN: Final = ("kong_draw", "last_tile", "first_turn", "flower_draw", "kong_on_kong")
_TAKEN: Final = ("kong_discard", "rob_kong", "last_tile", "first_turn", "last_of_kind")
_ORPHAN_KINDS: Final = [kind for kind in range(KINDS) if ORPHANS >> kind & 1]


@dataclass(slots=True)
class _Deal:
    """A hand in the making. left: copies not yet used, per code; wild: the codes that are wild."""

    rng: Random
    left: list[int]
    wild: list[int]
    concealed: list[int] = field(default_factory=list)
    melds: list[dict[str, Any]] = field(default_factory=list)

    def take(self, kinds: Sequence[int]) -> bool:
        """Use up these tiles, or none of them where there are too few."""
        if any(self.left[kind] < list(kinds).count(kind) for kind in kinds):
            return False
        for kind in kinds:
            self.left[kind] -= 1
        return True


def random_rounds(
    ruleset: RuleSet,
    count: int,
    seed: int,
    *,
    seats: int | None = None,
    chows: bool = True,
    wilds_max: int = 4,
    shapes: Sequence[Shape] = (),
) -> Iterator[dict[str, Any]]:
    """So many wire rounds for the rule set under its switches; the same seed makes the same rounds.

    chows: chows may be melded; wilds_max: the most wild tiles in a hand; shapes: further hands to draw from.
    """
    rng = Random(seed)
    for number in range(count):
        yield _round(rng, ruleset, f"random/{seed}/{number}", seats or ruleset.rule.seats[0], chows, wilds_max, shapes)


def _round(
    rng: Random, ruleset: RuleSet, id: str, seats: int, chows: bool, wilds_max: int, shapes: Sequence[Shape]
) -> dict[str, Any]:
    rule = ruleset.rule
    wild = _wild_codes(rng, ruleset) if wilds_max else []
    while True:
        deal = _Deal(rng, list(ruleset.copies), wild)
        _fill(deal, ruleset.hand_size + 1, chows, shapes)
        held = sum(code in wild for code in deal.concealed)
        if held <= wilds_max:
            break
    _put_wilds(deal, rng.randint(0, wilds_max - held))
    if rng.random() < 0.1:
        _spoil(deal)
    seat = rng.randrange(seats)
    win = deal.concealed.pop(rng.randrange(len(deal.concealed)))
    player: dict[str, Any] = {"hand": format_tiles(deal.concealed), "melds": _with_sources(deal, seat, seats)}
    event: dict[str, Any] = {"type": "win", "seat": seat, "tile": NAMES[win]}
    if rng.random() < 0.4:
        event["from"] = (seat + rng.randrange(1, seats)) % seats
    kongs = any(meld["kind"].endswith("kong") for meld in deal.melds)
    event["how"] = _how(rng, rule.hows, "from" in event, kongs, bool(deal.melds))
    player["flags"] = [flag for flag in rule.flags if rng.random() < 0.1]
    player["flowers"] = format_tiles(
        code for code in range(FIRST_FLOWER, JOKER) if deal.left[code] and code not in deal.wild and rng.random() < 0.2
    )
    if rng.random() < 0.3:
        in_play = [code for code in range(KINDS) if ruleset.copies[code]] + deal.wild
        player["discards"] = [NAMES[rng.choice(in_play)] for _ in range(rng.randint(0, 6))]
    players: list[dict[str, Any]] = [{} for _ in range(seats)]
    players[seat] = player
    return {
        "id": id,
        "rule": rule.name,
        "options": dict(ruleset.options),
        "dealer": rng.randrange(seats),
        "round_wind": f"{rng.randint(1, 4)}z",
        "streak": rng.choice((0, 0, 1, 3)),
        "wild": [NAMES[code] for code in deal.wild],
        "players": players,
        "events": [event],
        "birds": _birds(deal, ruleset),
    }


def _birds(deal: _Deal, ruleset: RuleSet) -> list[str]:
    """Tiles turned from what the hand leaves."""
    in_play = [kind for kind in range(KINDS) if ruleset.copies[kind]]
    turned = [deal.rng.choice(in_play) for _ in range(deal.rng.randint(0, 8))]
    return [NAMES[kind] for kind in turned if deal.take([kind])]


def _wild_codes(rng: Random, ruleset: RuleSet) -> list[int]:
    """No wild tiles, one or two kinds, or the flowers where the set has some; jokers need no naming. Where the rule set
    says which kinds are wild, those and no others."""
    if ruleset.wild:
        return sorted(ruleset.wild)
    flowers = [code for code in range(FIRST_FLOWER, JOKER) if ruleset.copies[code]]
    if flowers and rng.random() < 0.5:
        return flowers
    kinds = [kind for kind in range(KINDS) if ruleset.copies[kind]]
    return sorted(rng.sample(kinds, rng.choice((0, 1, 1, 1, 2))))


def _fill(deal: _Deal, tiles: int, chows: bool, shapes: Sequence[Shape]) -> None:
    """A complete hand of so many tiles, kongs counted as three."""
    rng = deal.rng
    roll = rng.random()
    if shapes and roll < 0.3:
        chosen = list(rng.choice(shapes)(rng, tiles))
        if deal.take(chosen):
            deal.concealed = chosen
            return
    elif roll < 0.42 and _fill_pairs(deal, tiles):
        return
    elif roll < 0.48 and tiles == 14 and all(deal.left[kind] for kind in _ORPHAN_KINDS):
        deal.concealed = [*_ORPHAN_KINDS, rng.choice(_ORPHAN_KINDS)]
        if deal.take(deal.concealed):
            return
        deal.concealed = []
    _fill_sets(deal, tiles, chows)


def _fill_pairs(deal: _Deal, tiles: int) -> bool:
    """Pairs, four of a kind as two of them; an odd tile where the count asks for one. False when tiles ran out."""
    pool = _pool(deal)
    chosen: list[int] = []
    while len(chosen) + 2 <= tiles:
        kind = deal.rng.choice(pool)
        if deal.take((kind, kind)):
            chosen += [kind, kind]
        elif not any(deal.left[other] > 1 for other in pool):
            pool = [other for other in range(KINDS) if deal.left[other] > 1]
    if tiles % 2:
        odd = deal.rng.choice([kind for kind in range(KINDS) if deal.left[kind]])
        deal.take((odd,))
        chosen.append(odd)
    deal.concealed = chosen
    return True


def _fill_sets(deal: _Deal, tiles: int, chows: bool) -> None:
    """Sets and a pair, some of the sets melded."""
    rng, pool = deal.rng, _pool(deal)
    pungs, melded = rng.choice((0.2, 0.5, 1.0)), rng.choice((0.0, 0.3, 0.7))
    needed = (tiles - 2) // 3
    tries = 0
    while needed:
        tries += 1
        if tries > 60:
            pool = [kind for kind in range(KINDS) if deal.left[kind]]
        first = rng.choice(pool)
        is_chow = rng.random() >= pungs and first < FIRST_HONOUR and first % 9 <= 6
        kinds = (first, first + 1, first + 2) if is_chow else (first,) * 3
        if not deal.take(kinds):
            continue
        needed -= 1
        hidden = any(kind in deal.wild for kind in kinds) or (is_chow and not chows)
        if hidden or rng.random() >= melded:
            deal.concealed += kinds
        else:
            deal.melds.append(_meld(deal, is_chow, kinds))
    pairs = [kind for kind in pool if deal.left[kind] > 1] or [kind for kind in range(KINDS) if deal.left[kind] > 1]
    pair = rng.choice(pairs)
    deal.take((pair, pair))
    deal.concealed += [pair, pair]


def _meld(deal: _Deal, is_chow: bool, kinds: tuple[int, ...]) -> dict[str, Any]:
    if is_chow:
        return {"kind": "chow", "tiles": format_tiles(kinds)}
    if deal.rng.random() < 0.5 and deal.take(kinds[:1]):
        return {"kind": deal.rng.choice(("kong", "added_kong", "concealed_kong")), "tiles": format_tiles(kinds[:1] * 4)}
    return {"kind": "pung", "tiles": format_tiles(kinds)}


def _pool(deal: _Deal) -> list[int]:
    """Kinds to choose from: often one suit, with or without honours, or terminals and honours, so that fans occur."""
    rng = deal.rng
    in_play = [kind for kind in range(KINDS) if deal.left[kind]]
    suit, roll = rng.randrange(3), rng.random()
    honours = rng.random() < 0.4
    if roll < 0.3:
        pool = [kind for kind in in_play if kind // 9 == suit or (honours and kind >= FIRST_HONOUR)]
    elif roll < 0.4:
        pool = [kind for kind in in_play if kind >= FIRST_HONOUR or (honours and kind % 9 in (0, 8))]
    else:
        pool = in_play
    # One suit alone must yield a whole hand.
    return pool if len(pool) >= 7 else in_play


def _put_wilds(deal: _Deal, wanted: int) -> None:
    """Put wild tiles in the place of concealed tiles."""
    rng = deal.rng
    for at in rng.sample(range(len(deal.concealed)), min(wanted, len(deal.concealed))):
        free = [code for code in (*deal.wild, JOKER) if deal.left[code]]
        if not free:
            return
        deal.left[deal.concealed[at]] += 1
        deal.concealed[at] = rng.choice(free)
        deal.left[deal.concealed[at]] -= 1


def _spoil(deal: _Deal) -> None:
    at = deal.rng.randrange(len(deal.concealed))
    deal.concealed[at] = deal.rng.choice([kind for kind in range(KINDS) if deal.left[kind] and kind not in deal.wild])


def _with_sources(deal: _Deal, seat: int, seats: int) -> list[dict[str, Any]]:
    """The melds with the seat that each was claimed from; a chow comes from the seat before."""
    for meld in deal.melds:
        if meld["kind"] != "concealed_kong":
            step = -1 if meld["kind"] == "chow" else deal.rng.randrange(1, seats)
            meld["from"] = (seat + step) % seats
    return deal.melds


def _how(rng: Random, words: Sequence[str], taken: bool, kongs: bool, melds: bool) -> list[str]:
    """Circumstances that do not contradict each other."""
    found: list[str] = []
    for word in _TAKEN if taken else _DRAWN:
        fits = {
            "kong_draw": kongs,
            "kong_on_kong": "kong_draw" in found,
            "first_turn": not melds and not found,
            "rob_kong": "kong_discard" not in found,
            "last_of_kind": not found,
        }.get(word, True)
        if word in words and fits and rng.random() < 0.15:
            found.append(word)
    return found


__all__ = ["Shape", "random_rounds"]
