"""What lies before a seat and how it multiplies: openings and kongs (sheet section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from mjsettle.options import Options
from mjsettle.rounds import Event, Meld, Round
from mjsettle.tiles import CODES, KIND_OF, parse_tiles

SPECIAL_KONGS: Final = ("pi", "red", "wild")
MELDED_KONGS: Final = ("kong", "added_kong", "concealed_kong")


class Laid(NamedTuple):
    """What counts for a seat: openings, exposed (直杠, 补杠) and concealed kongs, and kongs of 皮, 红中 and 赖子."""

    openings: int = 0
    exposed: int = 0
    concealed: int = 0
    pi: int = 0
    red: int = 0
    wild: int = 0


def product(laid: Laid, options: Options) -> int:
    """2 for each opening (开口翻: the first), exposed kong, 皮 and 红中 kong; 4 for each concealed and 赖子 kong."""
    openings = laid.openings if options.koukou else min(laid.openings, 1)
    return 1 << (openings + laid.exposed + laid.pi + laid.red + 2 * laid.concealed + 2 * laid.wild)


def laid_by(round: Round, seat: int, options: Options) -> Laid:
    """What a seat has laid: its melds, kongs that events alone tell, and the special kongs, which are events only."""
    robbed = _robbed(round)
    kinds: list[str] = []
    lying: dict[int | None, int] = {}
    for meld in round.players[seat].melds:
        if meld.kind != "chow":
            lying[KIND_OF[parse_tiles(meld.tiles)[0]]] = len(kinds)
        kinds.append(_kind_of(meld, seat, robbed))
    special = dict.fromkeys(SPECIAL_KONGS, 0)
    for event in round.events:
        if event.type != "kong" or event.seat != seat or event.kind is None:
            continue
        if event.kind in special:
            special[event.kind] += 1
        elif (seat, _tile(event)) in robbed:
            continue
        elif _tile(event) not in lying:
            kinds.append(event.kind)
        elif event.kind == "added_kong":  # its meld may still be written as the pung that it was
            kinds[lying[_tile(event)]] = event.kind
    closed = {"concealed_kong"}
    if not options.direct_kong_opens:
        closed.add("kong")
    if not options.added_kong_opens:
        closed.add("added_kong")
    return Laid(
        sum(kind not in closed for kind in kinds),
        sum(kind in ("kong", "added_kong") for kind in kinds),
        kinds.count("concealed_kong"),
        **special,
    )


def has_opened(round: Round, seat: int) -> bool:
    """Whether a seat has opened (开口): a chow, a pung or an exposed kong; no concealed and no special kong."""
    if any(meld.kind != "concealed_kong" for meld in round.players[seat].melds):
        return True
    return any(
        event.type == "kong" and event.seat == seat and event.kind in ("kong", "added_kong") for event in round.events
    )


def _kind_of(meld: Meld, seat: int, robbed: set[tuple[int | None, int | None]]) -> str:
    """The kind of a meld; an added kong that was robbed is a pung."""
    if meld.kind == "added_kong" and (seat, KIND_OF[parse_tiles(meld.tiles)[0]]) in robbed:
        return "pung"
    return meld.kind


def _robbed(round: Round) -> set[tuple[int | None, int | None]]:
    """The seats and kinds of the kongs that were robbed."""
    return {(event.from_, _tile(event)) for event in round.events if event.type == "win" and "rob_kong" in event.how}


def _tile(event: Event) -> int | None:
    return None if event.tile is None else KIND_OF[CODES[event.tile]]


def capped(raw: Sequence[int], options: Options) -> list[int]:
    """The amounts within 封顶; where every one of them reaches it, within 金顶 instead (§5)."""
    if options.cap is None:
        return list(raw)
    limit = joint_cap(options) if all(amount >= options.cap for amount in raw) else int(options.cap)
    return [min(amount, limit) for amount in raw]


def joint_cap(options: Options) -> int:
    """金顶: the cap when every amount reaches 封顶, which it never undercuts."""
    if options.joint_cap is not None:
        return int(options.joint_cap)
    return max(500 if options.koukou else 400, int(options.cap or 0))
