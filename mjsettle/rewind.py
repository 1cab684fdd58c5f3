"""A seat's hand at an earlier win, from its hand at the end of the round.

Where play goes on after a win and a seat may win again, the hand of a winner is locked, but it may still make kongs
that leave its waits alone. The round tells the hand at the end; the wins before such a kong were made without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from mjsettle.rounds import Event
from mjsettle.tiles import CODES, KIND_OF, NAMES, parse_tiles

Melds = tuple[tuple[str, str], ...]


def kongs_after(events: Sequence[Event], robbed: Collection[int], index: int, seat: int) -> list[Event]:
    """The kongs that a seat made after the event `index`, those that were robbed not included, in order."""
    return [
        event
        for number, event in enumerate(events[index + 1 :], index + 1)
        if event.type == "kong" and event.seat == seat and number not in robbed
    ]


def rewound(codes: Sequence[int], melds: Melds, kongs: Iterable[Event]) -> tuple[tuple[int, ...], Melds]:
    """The concealed tiles and melds before these kongs of a locked hand were made.

    The fourth tile of such a kong came from the wall or from another seat, so three tiles go back into the hand; an
    added kong becomes its pung again. A kong that is not among the melds changes nothing.
    """
    hand, laid = list(codes), list(melds)
    for event in kongs:
        kind = KIND_OF[CODES[event.tile]] if event.tile in CODES else None
        for at, (name, tiles) in enumerate(laid):
            if name != event.kind or (kind is not None and KIND_OF[parse_tiles(tiles)[0]] != kind):
                continue
            made_of = [KIND_OF[code] for code in parse_tiles(tiles)]
            if name == "added_kong":
                laid[at] = _pung_of(made_of[0])
            else:
                del laid[at]
                hand += made_of[:3]
            break
    return tuple(hand), tuple(laid)


def robbed_back(melds: Melds, tile: int) -> Melds:
    """A seat's melds where an added kong of this tile was robbed: it stays the pung that it was, however listed."""
    kind = KIND_OF[tile]
    return tuple(
        _pung_of(kind) if name == "added_kong" and KIND_OF[parse_tiles(tiles)[0]] == kind else (name, tiles)
        for name, tiles in melds
    )


def _pung_of(kind: int) -> tuple[str, str]:
    return "pung", NAMES[kind][0] * 3 + NAMES[kind][1]
