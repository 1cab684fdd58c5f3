"""What a round must keep to beyond the core's demands (sheet sections 1, 2 and 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle import plausible
from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.rounds import Event, Player, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, parse_tiles
from mjsettle_hongzhong.tiles import ZHONG, tiles_of

KONGS: Final = ("kong", "added_kong", "concealed_kong")


def has_discarded(player: Player) -> bool:
    """Whether the round tells of an own discard of this seat."""
    return bool(player.discards)


def table_faults(round: Round, options: Options) -> Sequence[Fault]:
    """The 红中 alone is wild, where there are any; the whole set of 136 has four of them."""
    found = []
    if options.tiles == "full" and options.zhong == 8:
        found.append(
            Fault("contradictory", "options.zhong", "found 8 with all 136 tiles, which have four 红中; set zhong to 4")
        )
    for at, name in enumerate(round.wild):
        if CODES[name] != ZHONG:
            found.append(Fault("not_allowed", f"wild[{at}]", f"found {name}; the 红中 (7z) alone is wild here"))
        elif not options.zhong:
            found.append(Fault("contradictory", f"wild[{at}]", "found 7z, yet the option zhong plays without 红中"))
    return found


def bird_faults(round: Round, options: Options) -> Sequence[Fault]:
    """Birds are tiles that are in play and that nothing else shows."""
    return [*plausible.birds_left(round, tiles_of(options, len(round.players)))]


def player_faults(round: Round, options: Options) -> Sequence[Fault]:
    """红中 are melded, and discarded, only where the switches let them."""
    found = []
    for seat, player in enumerate(round.players):
        for at, meld in enumerate(player.melds):
            if ZHONG in parse_tiles(meld.tiles) and options.zhong and not options.zhong_claims:
                message = f"found {meld.tiles}; 红中 are not melded, set the option zhong_claims to allow it"
                found.append(Fault("not_allowed", f"players[{seat}].melds[{at}]", message))
        if not options.zhong_discard and ZHONG in _discards(player):
            message = "found a 红中; discarding one is off, set the option zhong_discard to allow it"
            found.append(Fault("not_allowed", f"players[{seat}].discards", message))
    return found


def _discards(player: Player) -> Sequence[int]:
    listed = player.discards or []
    return parse_tiles(listed) if isinstance(listed, str) else [CODES[name] for name in listed]


def event_faults(round: Round, options: Options) -> Sequence[Fault]:
    """Which tiles may be konged, robbed and won, by whom, and that the round ends with its wins."""
    found = [*plausible.one_ending(round), *plausible.won_at_once(round), *plausible.added_kongs_robbed(round)]
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        if event.type == "kong":
            found += _kong_faults(event, options, where)
        elif event.type == "win":
            found += _win_faults(round, event, options, where)
    return found


def _kong_faults(event: Event, options: Options, where: str) -> Iterator[Fault]:
    if event.kind not in KONGS:
        yield Fault("unknown_kind", f"{where}.kind", f"found {event.kind!r}, expected one of {', '.join(KONGS)}")
    if event.tile == "7z" and options.zhong and not options.zhong_claims:
        message = "found 7z; 红中 are not konged, set the option zhong_claims to allow it"
        yield Fault("not_allowed", f"{where}.tile", message)


def _win_faults(round: Round, event: Event, options: Options, where: str) -> Iterator[Fault]:
    if event.liable:
        message = "only a robbed seat is liable here, which the win tells by itself; leave out `liable`"
        yield Fault("not_allowed", f"{where}.liable", message)
    if event.from_ is None or event.seat is None:
        return
    if "rob_kong" in event.how and not options.rob_kong:
        yield Fault("not_allowed", f"{where}.how", "robbing kongs is off; set the option rob_kong to allow it")
    if event.tile == "7z" and options.zhong:
        yield Fault("not_allowed", f"{where}.tile", "another seat's 红中 cannot be won")
    elif "rob_kong" in event.how:
        return
    elif options.dianpao == "none":
        message = "wins on a discard are off; set the option dianpao to all or no_zhong to allow them"
        yield Fault("not_allowed", f"{where}.from", message)
    elif options.dianpao == "no_zhong" and _holds_zhong(round.players[event.seat]):
        message = "a hand with 红中 wins by self-draw only under the option dianpao no_zhong"
        yield Fault("not_allowed", f"{where}.from", message)


def _holds_zhong(player: Player) -> bool:
    texts = [player.hand or "", *(meld.tiles for meld in player.melds)]
    return any(ZHONG in parse_tiles(text) for text in texts)


CHECKS: Final = (
    Check("table", table_faults),
    Check("birds", bird_faults),
    Check("players", player_faults),
    Check("events", event_faults),
)
