"""Everything that can be wrong with a round before it is judged, found at once.

`read_round` also keeps what it has parsed, so that nothing is parsed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mjsettle.errors import Fault, HandError, NotationError
from mjsettle.hands import MELD_KINDS, parse_meld
from mjsettle.ledger import Win
from mjsettle.tiles import CODES, FIRST_FLOWER, JOKER, KIND_OF, NAMES, parse_tiles

if TYPE_CHECKING:
    from mjsettle.rounds import Event, Player, Round
    from mjsettle.ruleset import RuleSet

_WINDS: Final = ("1z", "2z", "3z", "4z")
_NEEDS_SOURCE: Final = ("rob_kong", "kong_discard")
_NEEDS_DRAW: Final = ("kong_draw", "flower_draw", "kong_on_kong")


@dataclass(slots=True)
class ReadRound:
    """A round with its tiles parsed. hands: codes per seat, None where not known; melds: (kind, tiles) pairs per
    seat; wild: the wild kinds; wins: one per win event; robbed: numbers of the kong events that were robbed."""

    round: Round
    hands: list[list[int] | None] = field(default_factory=list)
    melds: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    wild: frozenset[int] = frozenset()
    wins: list[Win] = field(default_factory=list)
    robbed: frozenset[int] = frozenset()
    faults: list[Fault] = field(default_factory=list)

    def fault(self, code: str, where: str, message: str) -> None:
        self.faults.append(Fault(code, where, message))


@lru_cache(maxsize=65_536)
def _tiles(text: str) -> tuple[int, ...]:
    return tuple(parse_tiles(text))


def round_faults(round: Round) -> list[Fault]:
    """What is wrong with a round whatever its rule set."""
    return read_round(round, None).faults


def read_round(round: Round, ruleset: RuleSet | None) -> ReadRound:
    """Parse a round's tiles and collect its faults, those that the rule set's declarations tell included."""
    read = ReadRound(round)
    _table_faults(read)
    for seat, player in enumerate(round.players):
        _read_player(read, seat, player)
    for index, event in enumerate(round.events):
        _read_event(read, index, event)
    read.robbed = _robbed(round)
    if ruleset is not None:
        _declared_faults(read, ruleset)
        _tile_faults(read, ruleset)
        if not read.faults:
            for check in ruleset.checks:
                read.faults.extend(check.find(round, ruleset.options))
    return read


def _table_faults(read: ReadRound) -> None:
    round = read.round
    if round.dealer >= len(round.players):
        read.fault("bad_seat", "dealer", f"found seat {round.dealer}, expected 0..{len(round.players) - 1}")
    if round.round_wind not in _WINDS:
        read.fault("bad_tile", "round_wind", f"found {round.round_wind!r}, expected one of {', '.join(_WINDS)}")
    wild = set()
    for at, name in enumerate(round.wild):
        code = _one_tile(read, name, f"wild[{at}]")
        if code is not None:
            wild.add(KIND_OF[code])
    read.wild = frozenset(wild)
    indicator = round.indicator if isinstance(round.indicator, list) else [round.indicator] if round.indicator else []
    treasure = [round.treasure] if round.treasure else []
    for name, listed in (
        ("dora", round.dora),
        ("ura_dora", round.ura_dora),
        ("birds", round.birds),
        ("pi", round.pi),
        ("indicator", indicator),
        ("treasure", treasure),
    ):
        for at, tile in enumerate(listed):
            _one_tile(read, tile, f"{name}[{at}]")


def _one_tile(read: ReadRound, name: str, where: str) -> int | None:
    code = CODES.get(name)
    if code is None:
        read.fault("bad_tile", where, f"found {name!r}, expected one tile such as '5m', '0p', '7z', '2f' or '1x'")
    return code


def _some_tiles(read: ReadRound, text: str, where: str) -> tuple[int, ...]:
    try:
        return _tiles(text)
    except NotationError as error:
        read.fault("bad_tile", where, str(error))
        return ()


def _read_player(read: ReadRound, seat: int, player: Player) -> None:
    where = f"players[{seat}]"
    read.hands.append(None if player.hand is None else list(_some_tiles(read, player.hand, f"{where}.hand")))
    melds = []
    for at, meld in enumerate(player.melds):
        spot = f"{where}.melds[{at}]"
        try:
            parse_meld(meld.kind, meld.tiles)
        except (HandError, NotationError) as error:
            read.fault("bad_meld", spot, str(error))
            continue
        melds.append((meld.kind, meld.tiles))
        if meld.from_ is not None:
            _source_fault(read, meld.from_, seat, f"{spot}.from")
            if meld.kind == "concealed_kong":
                read.fault("contradictory", f"{spot}.from", "a concealed kong is claimed from nobody; leave out `from`")
    read.melds.append(tuple(melds))
    mask = 0
    for code in _some_tiles(read, player.flowers, f"{where}.flowers") if player.flowers else ():
        bit = 1 << (code - FIRST_FLOWER)
        if not FIRST_FLOWER <= code < JOKER:
            read.fault("bad_tile", f"{where}.flowers", f"found {NAMES[code]!r}, expected flowers 1f..8f")
        elif mask & bit:
            read.fault("fifth_copy", f"{where}.flowers", f"found {NAMES[code]} twice; there is one of each flower")
        else:
            mask |= bit
    read.flowers.append(mask)
    if player.void is not None and player.void not in ("m", "p", "s"):
        read.fault("bad_suit", f"{where}.void", f"found {player.void!r}, expected m, p or s")
    if isinstance(player.discards, str):
        _some_tiles(read, player.discards, f"{where}.discards")
    else:
        for at, tile in enumerate(player.discards or ()):
            _one_tile(read, tile, f"{where}.discards[{at}]")


def _source_fault(read: ReadRound, source: int, seat: int | None, where: str) -> None:
    if source >= len(read.round.players):
        read.fault("bad_seat", where, f"found seat {source}, expected 0..{len(read.round.players) - 1}")
    elif source == seat:
        read.fault("bad_seat", where, f"found seat {source}, the seat itself; expected another seat")


def _read_event(read: ReadRound, index: int, event: Event) -> None:
    where = f"events[{index}]"
    seats = len(read.round.players)
    for name, seat in (("seat", event.seat), *((f"seats[{at}]", seat) for at, seat in enumerate(event.seats))):
        if seat is not None and seat >= seats:
            read.fault("bad_seat", f"{where}.{name}", f"found seat {seat}, expected 0..{seats - 1}")
    if event.from_ is not None:
        _source_fault(read, event.from_, event.seat, f"{where}.from")
    for at, liable in enumerate(event.liable):
        if liable.seat >= seats:
            read.fault("bad_seat", f"{where}.liable[{at}].seat", f"found seat {liable.seat}, expected 0..{seats - 1}")
    if event.tiles:
        _some_tiles(read, event.tiles, f"{where}.tiles")
    code = _one_tile(read, event.tile, f"{where}.tile") if event.tile is not None else None
    if event.type == "win":
        _read_win(read, index, event, code, where)
    elif event.type == "kong":
        for name in ("seat", "kind"):
            if getattr(event, name) is None:
                read.fault("missing", f"{where}.{name}", f"missing; a kong event needs {name}")
        if event.kind == "kong" and event.from_ is None:
            read.fault("missing", f"{where}.from", "missing; a kong claimed from a discard names its feeder")
        if event.kind == "concealed_kong" and event.from_ is not None:
            read.fault("contradictory", f"{where}.from", "a concealed kong is claimed from nobody; leave out `from`")


def _read_win(read: ReadRound, index: int, event: Event, code: int | None, where: str) -> None:
    for name in ("seat", "tile"):
        if getattr(event, name) is None:
            read.fault("missing", f"{where}.{name}", f"missing; a win event needs {name}")
    how = frozenset(event.how)
    if len(how) != len(event.how):
        read.fault("contradictory", f"{where}.how", "a word is listed twice; list each once")
    for word in _NEEDS_SOURCE:
        if word in how and event.from_ is None:
            read.fault("contradictory", f"{where}.how", f"{word} is a win on another seat's tile; name it in `from`")
    for word in _NEEDS_DRAW:
        if word in how and event.from_ is not None:
            read.fault("contradictory", f"{where}.how", f"{word} is a self-draw; leave out `from` or {word}")
    if "rob_kong" in how and "kong_discard" in how:
        read.fault("contradictory", f"{where}.how", "a tile is either robbed from a kong or discarded after one")
    if event.seat is not None and code is not None and event.seat < len(read.round.players):
        read.wins.append(Win(event.seat, code, event.from_, how, index, event))


def _robbed(round: Round) -> frozenset[int]:
    """The added kongs whose tile a later win robs; the last such kong before the win."""
    robbed = set()
    for index, event in enumerate(round.events):
        if event.type != "win" or "rob_kong" not in event.how or event.tile not in CODES:
            continue
        for back in range(index - 1, -1, -1):
            kong = round.events[back]
            if (
                kong.type == "kong"
                and kong.seat == event.from_
                and (kong.tile is None or CODES.get(kong.tile, -1) in _same_kind(event.tile))
            ):
                robbed.add(back)
                break
    return frozenset(robbed)


@lru_cache(maxsize=64)
def _same_kind(tile: str) -> frozenset[int]:
    kind = KIND_OF[CODES[tile]]
    return frozenset(code for code in range(len(NAMES)) if KIND_OF[code] == kind)


def _declared_faults(read: ReadRound, ruleset: RuleSet) -> None:
    """Words that the rule set does not know."""
    rule, round = ruleset.rule, read.round
    known = {
        "event": (frozenset(rule.events), "unknown_event"),
        "flag": (frozenset(rule.flags), "unknown_flag"),
        "how": (frozenset(rule.hows), "unknown_how"),
        "extra": (frozenset(rule.extra), "unknown_field"),
    }

    def look(what: str, words: Sequence[str], where: str) -> None:
        allowed, code = known[what]
        for word in words:
            if word not in allowed:
                listed = ", ".join(sorted(allowed)) or "none"
                read.fault(code, where, f"rule {rule.name!r} knows no {what} {word!r}; it knows {listed}")

    if round.extra:
        look("extra", list(round.extra), "extra")
    for seat, player in enumerate(round.players):
        if player.flags:
            look("flag", player.flags, f"players[{seat}].flags")
        if player.extra:
            look("extra", list(player.extra), f"players[{seat}].extra")
    for index, event in enumerate(round.events):
        if event.type not in known["event"][0]:
            look("event", [event.type], f"events[{index}].type")
        if event.how:
            look("how", event.how, f"events[{index}].how")
        if event.extra:
            look("extra", list(event.extra), f"events[{index}].extra")


def _tile_faults(read: ReadRound, ruleset: RuleSet) -> None:
    """Wrong tile counts, tiles that are not in play, and more copies than there are."""
    copies = ruleset.copies
    all_held = [0] * 43
    for seat, codes in enumerate(read.hands):
        held = [0] * 43
        for kind, tiles in read.melds[seat]:
            for code in parse_meld(kind, tiles):
                held[code] += 1
        for code in codes or ():
            held[KIND_OF[code]] += 1
        if not any(held):
            continue
        _copy_faults(read, held, copies, f"players[{seat}].hand" if codes else f"players[{seat}].melds")
        all_held = [total + own for total, own in zip(all_held, held, strict=True)]
    for code in range(43):
        if all_held[code] > copies[code] > 0 and not any(
            fault.code in ("fifth_copy", "not_in_play") for fault in read.faults
        ):
            message = f"all seats together hold {all_held[code]} of {NAMES[code]}; there are {copies[code]}"
            read.fault("fifth_copy", "players", message)
    for win in read.wins:
        _winner_faults(read, ruleset, win)


def _winner_faults(read: ReadRound, ruleset: RuleSet, win: Win) -> None:
    codes, melds, copies = read.hands[win.seat], read.melds[win.seat], ruleset.copies
    if codes is None:
        read.fault("hand_unknown", f"players[{win.seat}].hand", "missing; the hand of a winner must be known")
        return
    expected = ruleset.hand_size - 3 * len(melds)
    if len(codes) != expected and len(melds) == len(read.round.players[win.seat].melds):
        read.fault(
            "tile_count",
            f"players[{win.seat}].hand",
            f"found {len(codes)} tiles beside {len(melds)} melds, expected {expected} (without the winning tile)",
        )
    kind = KIND_OF[win.tile]
    held_kind = sum(KIND_OF[code] == kind for code in codes) + sum(parse_meld(*meld).count(kind) for meld in melds)
    if copies[kind] and held_kind >= copies[kind]:
        message = f"the winning tile {NAMES[win.tile]} would be copy {held_kind + 1}; there are {copies[kind]}"
        read.fault("fifth_copy", f"events[{win.index}].tile", message)
    elif not copies[kind]:
        read.fault("not_in_play", f"events[{win.index}].tile", f"{NAMES[win.tile]} is not in this tile set")


def _copy_faults(read: ReadRound, held: list[int], copies: tuple[int, ...], where: str) -> None:
    for code, count in enumerate(held):
        if count > copies[code]:
            if copies[code]:
                read.fault("fifth_copy", where, f"found {count} of {NAMES[code]}; there are {copies[code]}")
            else:
                read.fault("not_in_play", where, f"{NAMES[code]} is not in this rule set's tiles under these options")


__all__ = ["MELD_KINDS", "ReadRound", "read_round", "round_faults"]
