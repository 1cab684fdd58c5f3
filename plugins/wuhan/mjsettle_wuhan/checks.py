"""What a Wuhan round must keep to beyond the core's demands (sheet section 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import one_ending, one_liable
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, FIRST_FLOWER, KIND_OF, NAMES, parse_tiles
from mjsettle_wuhan.factors import MELDED_KONGS, SPECIAL_KONGS
from mjsettle_wuhan.fans import fans_of
from mjsettle_wuhan.tiles import RED, barred_kinds, pi_kinds, pi_of, turned_tile, wild_kinds, wild_of


def faults(round: Round, options: Options) -> Sequence[Fault]:
    """Everything that contradicts itself or that the switches do not let in."""
    found = [*_cap_faults(options), *_turned_faults(round, options)]
    if found:
        return found
    return [
        *one_ending(round),
        *one_liable(round, [fan.id for fan in fans_of(options)]),
        *_meld_faults(round, options),
        *_event_faults(round, options),
        *_copy_faults(round, options),
        *_stake_faults(round, options),
    ]


def _cap_faults(options: Options) -> Iterator[Fault]:
    """金顶 is the higher of the two caps."""
    if options.joint_cap is not None and (options.cap is None or options.joint_cap < options.cap):
        expected = "none, for there is no 封顶" if options.cap is None else f"at least {options.cap}, which is 封顶"
        yield Fault("contradictory", "options.joint_cap", f"found {options.joint_cap}, expected {expected}")


def _turned_faults(round: Round, options: Options) -> Iterator[Fault]:
    """One 赖子, which is no 红中 and no 皮, and what was turned tells it."""
    turned, wild, pi = turned_tile(round), wild_kinds(round), {KIND_OF[CODES[name]] for name in round.pi}
    if len(wild) > 1 or any(kind >= FIRST_FLOWER or kind == RED for kind in wild):
        yield Fault("not_allowed", "wild", f"found {' '.join(round.wild)}, expected one suited tile or honour but 红中")
        return
    if any(kind >= FIRST_FLOWER or kind == RED for kind in pi) or wild & pi:
        yield Fault(
            "not_allowed", "pi", f"found {' '.join(round.pi)}; 皮 are suited tiles or honours, not 赖子 or 红中"
        )
    if turned is None:
        return
    if KIND_OF[CODES[turned]] >= FIRST_FLOWER:
        yield Fault("bad_tile", "indicator", f"found {turned}, expected a suited tile or an honour")
        return
    if wild != {CODES[wild_of(turned)]}:
        found = " ".join(round.wild) or "nothing"
        yield Fault("contradictory", "wild", f"found {found}, but {turned} was turned: {wild_of(turned)} is wild")
    told = {CODES[name] for name in pi_of(turned, options.pi_count)}
    if round.pi and pi != told:
        names = " ".join(NAMES[kind] for kind in sorted(told)) or "none"
        yield Fault("contradictory", "pi", f"found {' '.join(round.pi)}, but {turned} was turned: 皮 is {names}")


def _kept_apart(round: Round, options: Options) -> frozenset[int]:
    """赖子, 皮 and 红中: nobody claims them."""
    return barred_kinds(round, options) | wild_kinds(round)


def _meld_faults(round: Round, options: Options) -> Iterator[Fault]:
    apart = _kept_apart(round, options)
    for seat, player in enumerate(round.players):
        for at, meld in enumerate(player.melds):
            if apart.intersection(KIND_OF[code] for code in parse_tiles(meld.tiles)):
                message = f"found {meld.tiles}; 赖子, 皮 and 红中 are not melded, their kongs are events"
                yield Fault("not_allowed", f"players[{seat}].melds[{at}]", message)


def _event_faults(round: Round, options: Options) -> Iterator[Fault]:
    apart = _kept_apart(round, options)
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        if event.type == "kong":
            yield from _kong_faults(round, options, event, where)
        elif event.type == "win" and event.from_ is not None and KIND_OF[CODES[event.tile or ""]] in apart:
            message = f"found {event.tile}; 赖子, 皮 and 红中 are not won from others"
            yield Fault("not_allowed", f"{where}.tile", message)


def _kong_faults(round: Round, options: Options, event: Event, where: str) -> Iterator[Fault]:
    kinds = {"pi": pi_kinds(round, options), "red": frozenset([RED]), "wild": wild_kinds(round)}
    tile = None if event.tile is None else KIND_OF[CODES[event.tile]]
    if event.kind in SPECIAL_KONGS:
        expected = kinds[event.kind]
        if tile is not None and tile not in expected:
            names = " ".join(NAMES[kind] for kind in sorted(expected)) or "none in this round"
            yield Fault("contradictory", f"{where}.tile", f"found {event.tile} as a {event.kind} kong; it is {names}")
        if event.from_ is not None:
            yield Fault(
                "contradictory", f"{where}.from", f"a {event.kind} kong is played from the hand; leave out `from`"
            )
    elif event.kind not in MELDED_KONGS:
        listed = ", ".join((*MELDED_KONGS, *SPECIAL_KONGS))
        yield Fault("unknown_kind", f"{where}.kind", f"found {event.kind!r}, expected one of {listed}")
    elif tile in _kept_apart(round, options):
        yield Fault(
            "not_allowed", f"{where}.tile", f"found {event.tile}; 赖子, 皮 and 红中 are not konged but by themselves"
        )


def _copy_faults(round: Round, options: Options) -> Iterator[Fault]:
    """No more copies than there are, the special kongs counted: each is one tile played."""
    held: Counter[int] = Counter()
    for player in round.players:
        for text in (player.hand or "", *(meld.tiles for meld in player.melds)):
            held.update(KIND_OF[code] for code in parse_tiles(text))
    wins = [event for event in round.events if event.type == "win" and event.tile is not None]
    held.update(KIND_OF[CODES[event.tile or ""]] for event in wins[:1])
    unnamed: Counter[str] = Counter()
    for event in round.events:
        if event.type == "kong" and event.kind in SPECIAL_KONGS:
            if event.tile is not None:
                held[KIND_OF[CODES[event.tile]]] += 1
            else:
                unnamed[event.kind] += 1
    pi, wild, turned = pi_kinds(round, options), wild_kinds(round), turned_tile(round)
    out = KIND_OF[CODES[turned]] if turned is not None and options.flipped_out else None
    for name, kinds in (("pi", pi), ("red", frozenset([RED])), ("wild", wild)):
        copies = {kind: 3 if kind == out else 4 for kind in kinds}
        for kind in sorted(kinds):
            if held[kind] > copies[kind]:
                message = f"all seats together hold and have played {held[kind]} of {NAMES[kind]}; "
                yield Fault("fifth_copy", "players", f"{message}there are {copies[kind]}")
        if unnamed[name] > (left := sum(copies[kind] - held[kind] for kind in kinds)):
            message = f"found {unnamed[name]} kongs of kind {name!r} without a tile; {max(left, 0)} such tiles are left"
            yield Fault("fifth_copy", "events", message)


def _stake_faults(round: Round, options: Options) -> Iterator[Fault]:
    for seat, player in enumerate(round.players):
        stake, where = player.extra.get("piao"), f"players[{seat}].extra.piao"
        if stake is None:
            continue
        if not options.piao:
            yield Fault("not_allowed", where, "found a stake; set the option piao to play with them")
        elif type(stake) is not int or not 0 <= stake <= 100:
            yield Fault("wrong_type", where, f"found {stake!r}, expected a whole number from 0 to 100")


CHECKS: Final = (Check("wuhan", faults),)
