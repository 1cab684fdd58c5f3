"""What happened before the win: chains of kongs and discarded 财神, and ten winds (sheet sections 4 and 6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from mjsettle.ledger import Win
from mjsettle.rounds import Player, Round
from mjsettle.rules import Fact
from mjsettle.tiles import CODES, KIND_OF, parse_tiles

_WINDS: Final = frozenset(CODES[name] for name in ("1z", "2z", "3z", "4z"))
_WHITE: Final = CODES["5z"]
_FIRST: Final = 10
_CHAINED: Final = ("kong", "wild_discard", "discard")


class Chain(NamedTuple):
    """How many kongs and how many discarded 财神 led to the win."""

    kongs: int = 0
    discarded: int = 0


def chain_of(round: Round, win: Win) -> Chain:
    """The winner's kongs and 财神 discards right before the win, in the order of the events.

    An own `discard` event breaks the chain, and so does a last kong on whose replacement the win did not come. Where
    `how` tells of more kongs than there are events, `how` counts.
    """
    kongs = discarded = 0
    drawn_by_kong = "kong_draw" in win.how
    before = round.events[: win.index] if win.index is not None else ()
    for event in reversed([event for event in before if event.seat == win.seat and event.type in _CHAINED]):
        if event.type == "discard" or (event.type == "kong" and not kongs + discarded and not drawn_by_kong):
            break
        if event.type == "kong":
            kongs += 1
        else:
            discarded += 1
    least = 2 if "kong_on_kong" in win.how else 1 if drawn_by_kong else 0
    return Chain(max(kongs, least), discarded)


def chain_kongs(round: Round, win: Win) -> int:
    """How many kongs are in the chain that led to the win."""
    return chain_of(round, win).kongs


def chain_discards(round: Round, win: Win) -> int:
    """How many discarded 财神 are in the chain that led to the win (财飘)."""
    return chain_of(round, win).discarded


def ten_winds(round: Round, win: Win) -> int:
    """十风: 3 when the winner's first ten discards are winds, with no chow or pung claimed; 4 with 白 among them."""
    player = round.players[win.seat]
    first = discarded(player)[:_FIRST]
    if len(first) < _FIRST or any(meld.kind in ("chow", "pung") for meld in player.melds):
        return 0
    if not _WINDS.union([_WHITE]).issuperset(first):
        return 0
    return 4 if _WHITE in first else 3


def discarded(player: Player) -> list[int]:
    """The kinds that a seat has discarded, in order; empty where the round does not tell."""
    listed = player.discards or []
    codes = parse_tiles(listed) if isinstance(listed, str) else [CODES[name] for name in listed]
    return [KIND_OF[code] for code in codes]


FACTS: Final = tuple(Fact(fn.__name__, fn) for fn in (chain_kongs, chain_discards, ten_winds))
