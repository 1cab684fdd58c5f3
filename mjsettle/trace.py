"""How one hand was judged, step by step: each look-up and each branch with the tiles it consumes and the wilds left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mjsettle.handtext import suit_tiles
from mjsettle.needs import need, need_four, orphans_need, seven_pairs_need
from mjsettle.read_hand import view_of
from mjsettle.readings import Row, View, distributions
from mjsettle.results import concealed_sets
from mjsettle.suits import NO_RANK, SuitReading, suit_readings
from mjsettle.tables import least_wilds
from mjsettle.tiles import SUITS, format_tiles
from mjsettle.wildcards import FREE, WildPolicy


def trace(hand: str, melds: Sequence[str] = (), wild: Sequence[str] = (), policy: WildPolicy = FREE) -> Iterator[str]:
    """Tell, line by line, how a hand of 3n+2 tiles (the winning tile included) is judged.

    Arguments and errors as in `is_win`.
    """
    view, _ = view_of(hand, melds, wild, policy)
    return trace_view(view)


def trace_view(view: View) -> Iterator[str]:
    """The same for a hand as win forms look at it, with the wilds, the faces and the policy of its rule set."""
    natural = [kind for kind, count in enumerate(view.counts) for _ in range(count)]
    yield f"hand    {format_tiles(natural) or '-'} and {view.wilds} wild, {view.melds} melded"
    yield from _lookups(view)
    yield from _branches(view)
    if not view.melds and view.tiles == 14:
        pairs, orphans = seven_pairs_need(view.counts), orphans_need(view.counts)
        yield f"seven pairs       need {pairs} wild of {view.wilds}: {_verdict(pairs <= view.wilds)}"
        yield f"thirteen orphans  {_orphans(orphans, view.wilds)}"


def _verdict(wins: bool) -> str:
    return "wins" if wins else "does not win"


def _orphans(need_: int, wilds: int) -> str:
    if need_ > 14:
        return "no number of wilds helps: does not win"
    return f"need {need_} wild of {wilds}: {_verdict(need_ <= wilds)}"


def _lookups(view: View) -> Iterator[str]:
    """The table look-ups of the win check: one byte per suit."""
    variant = "free" if view.policy.fifth_copy == "allowed" else "four"
    table = least_wilds(variant).by_suit
    for suit, key in enumerate(view.keys):
        byte = table[suit][key]
        whole, paired = byte & 63, (byte & 63) + 3 * (byte >> 6) - 4
        shown = format_tiles(_kinds(suit, key)) or "-"
        yield f"look up {SUITS[suit]} {shown:<12} key {key:>7}: {whole} wild for sets, {paired} for sets and the pair"
    least = need(view.keys) if variant == "free" else need_four(view.keys)
    yield f"standard          need {least} wild of {view.wilds}: {_verdict(least <= view.wilds)} by table"


def _kinds(suit: int, key: int) -> list[int]:
    return [9 * suit + rank for rank, count in enumerate(suit_tiles(suit, key).counts) for _ in range(count)]


def _branches(view: View) -> Iterator[str]:
    """Every way to spread the wilds over the suits, with the readings of each suit and the wilds left after it."""
    m, p, s, z = (sum(suit_tiles(suit, key).counts) % 3 for suit, key in enumerate(view.keys))
    ways = distributions((m, p, s, z), view.wilds)
    if not ways:
        yield "branch  no way to spread the wilds leaves every suit whole"
    for pair_suit, *spread in ways:
        shares = " ".join(f"{SUITS[suit]}{share}" for suit, share in enumerate(spread))
        yield f"branch  pair in {SUITS[pair_suit]}, wilds {shares}"
        left = view.wilds
        for suit, share in enumerate(spread):
            found = suit_readings(
                view.keys[suit], share, suit == pair_suit, suit == 3, view.policy, view.faces >> 9 * suit & 0x1FF
            )
            left -= share
            consumed = format_tiles(_kinds(suit, view.keys[suit])) or "-"
            if not found:
                yield f"  {SUITS[suit]} {consumed} with {share} wild: no reading; branch ends with {left} wild left"
                break
            shown = " | ".join(_shown(suit, reading) for reading in found[:6])
            more = f" | and {len(found) - 6} more" if len(found) > 6 else ""
            yield f"  {SUITS[suit]} {consumed} with {share} wild: {shown}{more}; {left} wild left"
        else:
            yield "  wins"


def _shown(suit: int, reading: SuitReading) -> str:
    shift = 9 * suit
    row = Row(0, reading.chows << 21 * suit, reading.pungs << shift, reading.twins << shift, 34, 0, 0, 0, 0)
    parts = concealed_sets(row)
    if reading.pair != NO_RANK:
        parts.append(format_tiles([shift + reading.pair] * 2))
    return " ".join(parts) or "nothing"
