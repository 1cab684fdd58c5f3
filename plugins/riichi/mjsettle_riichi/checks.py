"""What contradicts itself in a riichi round, or is not played under its switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mjsettle.columns import ORPHANS
from mjsettle.errors import Fault
from mjsettle.handtext import read_written
from mjsettle.options import Options
from mjsettle.plausible import known_kongs, robbed_not_held
from mjsettle.rounds import Event, Player, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, KIND_OF, KINDS, NAMES, RED_FIVES, overdrawn, packed_room, parse_tiles
from mjsettle_riichi.facts import NORTH
from mjsettle_riichi.options import ABORTIVE_DRAWS

ABORTIVE_NAMES: Final = {
    "kyuushu_kyuuhai": "nine_terminals",
    "suufon_renda": "four_winds",
    "suucha_riichi": "four_riichi",
    "suukan_sanra": "four_kongs",
    "suukaikan": "four_kongs",
    "sanchahou": "triple_ron",
} | {name: name for name in ABORTIVE_DRAWS}
"""Kinds of abortive draws, by English and Japanese name."""

_FOUR_OF_EACH: Final = packed_room([4] * KINDS + [127] * 9)
"""What `overdrawn` looks for: more than four of a kind, however many flowers and jokers."""
_REDS: Final = {0: {}, 2: {"0p": 1, "0s": 1}, 3: {"0m": 1, "0p": 1, "0s": 1}, 4: {"0m": 1, "0p": 2, "0s": 1}}


def table_faults(round: Round, options: Options) -> Iterator[Fault]:
    """Presets, wilds, tiles that are not in play, copies beyond four with the indicators."""
    seats = len(round.players)
    if options.preset == "sanma" and seats != 3:
        yield Fault("seat_count", "players", f"found {seats} players, expected 3: the preset sanma is for three")
    if round.wild and not options.wild:
        yield Fault("not_allowed", "wild", "riichi has no wild tiles; set the option wild to allow them")
    texts = list(_texts(round))
    held = sum([read_written(text).held for text in texts])
    if any("0" in text for text in texts):
        yield from _red_faults(texts, options.red_fives)
    for where, names in (("dora", round.dora), ("ura_dora", round.ura_dora)):
        if len(names) > 5:
            yield Fault("contradictory", where, f"found {len(names)} indicators, expected 5 at most")
        for at, name in enumerate(names):
            kind = KIND_OF[CODES[name]]
            held += read_written(name).held
            if kind >= 34 or (seats == 3 and 0 < kind < 8):
                yield Fault("not_in_play", f"{where}[{at}]", f"{name} is not in this tile set")
    norths = sum([player.norths for player in round.players])
    held += norths << 8 * NORTH
    if overdrawn(_FOUR_OF_EACH, held):
        for kind in range(KINDS):
            if (count := held >> 8 * kind & 255) > 4:
                message = f"hands and indicators together hold {count} of {NAMES[kind]}; there are 4"
                yield Fault("fifth_copy", "players", message)


def _red_faults(texts: Sequence[str], reds: int) -> Iterator[Fault]:
    found = Counter(NAMES[code] for text in texts for code in read_written(text).codes if code in RED_FIVES)
    for name, count in sorted(found.items()):
        most = _REDS[reds].get(name, 0)
        if count > most:
            message = f"found {count} of {name}; there are {most} with red_fives {reds}"
            yield Fault("fifth_copy" if most else "not_in_play", "players", message)


def _texts(round: Round) -> Iterator[str]:
    """Every text of tiles that lie in hands and melds, and the winning tile (once, however many win it)."""
    for player in round.players:
        yield player.hand or ""
        for meld in player.melds:
            yield meld.tiles
    won = [event for event in round.events if event.type == "win" and event.tile]
    # A robbed tile may be listed among its owner's melds already.
    if won and won[0].tile and not {"rob_kong", "rob_north"} & set(won[0].how):
        yield won[0].tile


def player_faults(round: Round, options: Options) -> Iterator[Fault]:
    """Declarations and melds that contradict each other."""
    three = len(round.players) == 3
    for seat, player in enumerate(round.players):
        where = f"players[{seat}]"
        flags = set(player.flags)
        closed = all(meld.kind == "concealed_kong" for meld in player.melds)
        declared = flags & {"riichi", "double_riichi"}
        if declared and not closed:
            yield Fault("contradictory", f"{where}.flags", "riichi needs a concealed hand; found open melds")
        if "ippatsu" in flags and not declared:
            yield Fault("contradictory", f"{where}.flags", "ippatsu follows riichi; add riichi or double_riichi")
        if player.flowers:
            yield Fault("not_in_play", f"{where}.flowers", "riichi has no flowers; norths set aside go in `norths`")
        if player.norths and not three:
            yield Fault("not_allowed", f"{where}.norths", "norths are set aside by three players only")
        for at, meld in enumerate(player.melds):
            if meld.kind == "chow" and three:
                yield Fault("not_allowed", f"{where}.melds[{at}]", "three players do not chow")
            elif meld.kind == "chow" and meld.from_ is not None and meld.from_ != (seat - 1) % len(round.players):
                message = f"a chow is claimed from the seat before, {(seat - 1) % len(round.players)}"
                yield Fault("contradictory", f"{where}.melds[{at}].from", message)


def ending_faults(round: Round, options: Options) -> Iterator[Fault]:
    """A round ends once: by wins of one tile, a draw, an abortive draw or a false win."""
    kinds = {"exhaustive_draw" if event.type == "nagashi" else event.type for event in round.events}
    endings = sorted(kinds & {"win", "exhaustive_draw", "abortive_draw", "false_win"})
    if len(endings) > 1:
        yield Fault("contradictory", "events", f"found {' and '.join(endings)}; a round ends in one way")
    won = [(index, event) for index, event in enumerate(round.events) if event.type == "win"]
    for index, event in won[1:]:
        first = won[0][1]
        if event.from_ is None or (event.from_, event.tile) != (first.from_, first.tile):
            message = "several wins of a round are on one tile of one discarder"
            yield Fault("contradictory", f"events[{index}]", message)
        elif any(event.seat == other.seat for _, other in won if other is not event):
            yield Fault("contradictory", f"events[{index}].seat", f"seat {event.seat} wins twice")
    yield from _course_faults(round)
    for index, event in enumerate(round.events):
        where = f"events[{index}]"
        if event.type in ("nagashi", "false_win") and event.seat is None:
            yield Fault("missing", f"{where}.seat", f"missing; a {event.type} event needs seat")
        if event.type == "abortive_draw":
            yield from _abortive_faults(event, where, round, options)
        if event.type == "nagashi" and event.seat is not None and event.seat < len(round.players):
            yield from _nagashi_faults(event.seat, where, round)
    if kinds & {"exhaustive_draw"} and not (options.nagashi_mangan and any(e.type == "nagashi" for e in round.events)):
        yield from _hand_faults(round)


def _course_faults(round: Round) -> Iterator[Fault]:
    """What ends a round is told once, for each seat where it names one, and nothing is konged afterwards."""
    told: set[tuple[str, int | None]] = set()
    for index, event in enumerate(round.events):
        if event.type == "kong":
            if told:
                yield Fault("contradictory", f"events[{index}]", "a kong after the round has ended; leave it out")
            continue
        ending = (event.type, event.seat if event.type in ("nagashi", "false_win") else None)
        if event.type != "win" and ending in told:
            yield Fault("contradictory", f"events[{index}]", f"{event.type} is told twice; tell it once")
        told.add(ending)


def _abortive_faults(event: Event, where: str, round: Round, options: Options) -> Iterator[Fault]:
    kind = ABORTIVE_NAMES.get(event.kind or "")
    played = ", ".join(options.abortive_draws) or "none"
    if event.kind is not None and kind is None:
        yield Fault(
            "unknown_kind", f"{where}.kind", f"found {event.kind!r}, expected one of {', '.join(ABORTIVE_DRAWS)}"
        )
    elif (kind or "") not in options.abortive_draws and (kind or not options.abortive_draws):
        yield Fault("not_allowed", f"{where}.kind", f"this abortive draw is not played (abortive_draws: {played})")
    elif len(round.players) == 3 and kind in ("four_winds", "four_riichi", "triple_ron"):
        yield Fault("contradictory", f"{where}.kind", f"{kind} needs four players")


def _nagashi_faults(seat: int, where: str, round: Round) -> Iterator[Fault]:
    discards = round.players[seat].discards or []
    codes = parse_tiles(discards) if isinstance(discards, str) else [CODES[name] for name in discards]
    inner = sorted({NAMES[code] for code in codes if not ORPHANS >> min(KIND_OF[code], 34) & 1})
    if inner:
        message = f"seat {seat} has discarded {', '.join(inner)}; nagashi has terminals and honours only"
        yield Fault("contradictory", where, message)
    if any(meld.from_ == seat for player in round.players for meld in player.melds):
        yield Fault("contradictory", where, f"a discard of seat {seat} was claimed; nagashi has none claimed")


def _hand_faults(round: Round) -> Iterator[Fault]:
    """Noten payments need every hand, complete."""
    for seat, player in enumerate(round.players):
        where = f"players[{seat}].hand"
        if player.hand is None:
            yield Fault("hand_unknown", where, "missing; noten payments need every hand")
            continue
        expected, found = 13 - 3 * len(player.melds), len(parse_tiles(player.hand))
        if found != expected:
            message = f"found {found} tiles beside {len(player.melds)} melds, expected {expected}"
            yield Fault("tile_count", where, message)


def win_faults(round: Round, options: Options) -> Iterator[Fault]:
    """How a hand was won, against its melds, flags and tiles."""
    yield from known_kongs(round)
    yield from robbed_not_held(round, shown=True)
    for index, event in enumerate(round.events):
        if event.type != "win" or event.seat is None or event.seat >= len(round.players):
            continue
        for message in _how_contradictions(event, round.players[event.seat], round):
            yield Fault("contradictory", f"events[{index}].how", message)


def _how_contradictions(event: Event, player: Player, round: Round) -> Iterator[str]:
    how = set(event.how)
    flags = set(player.flags)
    if "first_turn" in how:
        if any(meld.kind != "concealed_kong" for other in round.players for meld in other.melds):
            yield "first_turn comes before any claim; found claimed tiles among the melds"
        elif player.melds or player.norths or how & {"kong_draw", "rob_kong", "rob_north", "last_tile"}:
            yield "first_turn needs a hand without melds, won on an ordinary tile"
        if flags & {"riichi", "double_riichi"}:
            yield "a win in the first turn comes before riichi"
        if event.seat == round.dealer and event.from_ is not None:
            yield "the dealer's first turn is a self-draw"
    if "kong_draw" in how:
        if "ippatsu" in flags:
            yield "a kong ends ippatsu"
        if not player.norths and not any(meld.kind.endswith("kong") for meld in player.melds):
            yield "kong_draw needs a kong among the melds (or a north set aside)"
    if "rob_north" in how and (len(round.players) != 3 or event.from_ is None or event.tile != "4z"):
        yield "rob_north is ron on 4z that another of three players sets aside"
    if {"rob_kong", "rob_north"} <= how:
        yield "a tile is robbed from a kong or a north, not both"


def _check(id: str, find: Callable[[Round, Options], Iterator[Fault]]) -> Check:
    def listed(round: Round, options: Options) -> Sequence[Fault]:
        return list(find(round, options))

    return Check(id, listed)


CHECKS: Final = (
    _check("table", table_faults),
    _check("players", player_faults),
    _check("endings", ending_faults),
    _check("wins", win_faults),
)
