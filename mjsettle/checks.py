"""Everything that can be wrong with a round before it is judged, found at once.

`read_round` also keeps what it has parsed, so that nothing is parsed twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mjsettle.copies import tile_faults
from mjsettle.errors import Fault, HandError, NotationError
from mjsettle.hand_deltas import Folded, fold, has_deltas
from mjsettle.hands import MELD_KINDS, Hand, parse_meld
from mjsettle.handtext import Written, read_written
from mjsettle.keys import Keys
from mjsettle.ledger import Win
from mjsettle.rewind import Melds, kongs_after, rewound
from mjsettle.rounds import Event, Player, Round
from mjsettle.substitutes import Substitutes
from mjsettle.tiles import CODES, FIRST_FLOWER, JOKER, KIND_OF, NAMES, parse_tiles

if TYPE_CHECKING:
    from mjsettle.ruleset import RuleSet

_WINDS: Final = ("1z", "2z", "3z", "4z")
_NEEDS_SOURCE: Final = ("rob_kong", "kong_discard")
_NEEDS_DRAW: Final = ("kong_draw", "flower_draw", "kong_on_kong")


@dataclass(slots=True)
class ReadRound:
    """A round with its tiles parsed. hands: as written per seat, None where not known; melds: (kind, tiles) pairs per
    seat, as what their tiles count as; wild: the wild kinds; wins: one per win event; robbed: numbers of the kong
    events that were robbed; earlier: hands and melds of wins before later kongs of their winner, by event number;
    substitutes: what tiles count as, per seat, None where no rule says so; folded: where hands were told by their
    changes, what `round` was made from."""

    round: Round
    hands: list[Written | None] = field(default_factory=list)
    melds: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    wild: frozenset[int] = frozenset()
    wins: list[Win] = field(default_factory=list)
    robbed: frozenset[int] = frozenset()
    faults: list[Fault] = field(default_factory=list)
    earlier: dict[int | None, tuple[tuple[int, ...], Melds]] = field(default_factory=dict)
    substitutes: list[Substitutes] | None = None
    folded: Folded | None = None

    def as_sent(self, faults: Sequence[Fault]) -> Sequence[Fault]:
        """Faults found in `round`, by the numbers of the events as they were sent."""
        return faults if self.folded is None else self.folded.as_sent(faults)

    def judged_as(self, win: Win, ruleset: RuleSet) -> tuple[tuple[int, ...], Melds, int, Keys | None]:
        """The concealed tiles (without the winning tile), melds and winning tile that a win is judged by, and the
        suit keys of the tiles where they are known."""
        hand = self.hands[win.seat]
        assert hand is not None
        codes, melds, keys = hand.codes, self.melds[win.seat], hand.keys
        if win.index in self.earlier:
            codes, melds = self.earlier[win.index]
            keys = None
        if win.put_away is not None:
            kept = list(codes)
            kept.remove(win.put_away)
            codes, keys = tuple(kept), None
        if ruleset.rule.substitutes is None:
            return codes, melds, win.tile, keys
        counted = ruleset.rule.substitutes(self.round, win, ruleset.options)
        return counted.codes(codes), melds, counted.winning(win.tile), None

    def wild_for(self, win: Win, ruleset: RuleSet) -> frozenset[int]:
        """The kinds that are wild in the winner's hand, among what its tiles count as."""
        if ruleset.rule.substitutes is None:
            return self.wild
        wild = ruleset.rule.substitutes(self.round, win, ruleset.options).wild
        return self.wild if wild is None else wild

    def fault(self, code: str, where: str, message: str) -> None:
        self.faults.append(Fault(code, where, message))


@lru_cache(maxsize=8192)
def _tiles(text: str) -> tuple[int, ...]:
    return tuple(parse_tiles(text))


def round_faults(round: Round) -> list[Fault]:
    """What is wrong with a round whatever its rule set."""
    return read_round(round, None).faults


def read_round(round: Round, ruleset: RuleSet | None) -> ReadRound:
    """Parse a round's tiles and collect its faults, those that the rule set's declarations tell included."""
    if not has_deltas(round):
        return _read(round, ruleset)
    folded = fold(round)
    read = _read(folded.round, ruleset)
    read.faults = [*folded.faults, *folded.as_sent(read.faults)]
    read.folded = folded
    return read


def _read(round: Round, ruleset: RuleSet | None) -> ReadRound:
    read = ReadRound(round)
    _table_faults(read)
    if ruleset is not None and ruleset.wild:
        read.wild |= ruleset.wild
    if ruleset is not None and ruleset.rule.substitutes is not None and not read.faults:
        read.substitutes = [
            ruleset.rule.substitutes(round, Win(seat, 0, None, frozenset(), None), ruleset.options)
            for seat in range(len(round.players))
        ]
    aside = frozenset(_tiles(ruleset.rule.set_aside(ruleset.options))) if ruleset is not None else frozenset()
    for seat, player in enumerate(round.players):
        _read_player(read, seat, player, aside)
    for index, event in enumerate(round.events):
        _read_event(read, index, event)
    read.robbed = _robbed(round)
    read.earlier = _earlier(read)
    if aside:
        _count_aside(read, aside)
    if ruleset is not None:
        _declared_faults(read, ruleset)
        tile_faults(read, ruleset)
        if not read.faults:
            for check in ruleset.checks:
                read.faults.extend(check.find(round, ruleset.options))
    return read


def too_many_wilds(read: ReadRound, winning: Sequence[Hand], most: int) -> list[Fault]:
    """The hands, winning ones with their tile, that hold more than `most` wild tiles."""
    held = [0 if hand is None else sum(_is_wild(code, read.wild) for code in hand.codes) for hand in read.hands]
    for win, hand in zip(read.wins, winning, strict=True):
        held[win.seat] = max(held[win.seat], hand.view.wilds)
    message = f"expected at most {most} wild tiles, the limit set for this engine"
    return [
        Fault("too_many_wilds", f"players[{seat}].hand", f"found {count}, {message}")
        for seat, count in enumerate(held)
        if count > most
    ]


def _is_wild(code: int, wild: frozenset[int]) -> bool:
    return code == JOKER or KIND_OF[code] in wild


def _table_faults(read: ReadRound) -> None:
    round = read.round
    if round.wild:
        codes = [_one_tile(read, name, f"wild[{at}]") for at, name in enumerate(round.wild)]
        read.wild = frozenset([KIND_OF[code] for code in codes if code is not None])
    if round.dealer >= len(round.players):
        read.fault("bad_seat", "dealer", f"found seat {round.dealer}, expected 0..{len(round.players) - 1}")
    if round.round_wind not in _WINDS:
        read.fault("bad_tile", "round_wind", f"found {round.round_wind!r}, expected one of {', '.join(_WINDS)}")
    if not (round.dora or round.birds or round.pi or round.indicator or round.treasure or round.ura_dora):
        return
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


def _written(read: ReadRound, text: str, where: str) -> Written:
    try:
        return read_written(text)
    except NotationError as error:
        read.fault("bad_tile", where, str(error))
        return Written((), None)


def _read_player(read: ReadRound, seat: int, player: Player, aside: frozenset[int]) -> None:
    if player.hand is None and not (player.melds or player.flowers or player.discards) and player.void is None:
        read.hands.append(None)
        read.melds.append(())
        read.flowers.append(0)
        return
    where = f"players[{seat}]"
    read.hands.append(None if player.hand is None else _written(read, player.hand, f"{where}.hand"))
    melds = []
    for at, meld in enumerate(player.melds):
        spot = f"{where}.melds[{at}]"
        tiles = meld.tiles
        try:
            if read.substitutes is not None:
                tiles = read.substitutes[seat].text(tiles)
            parse_meld(meld.kind, tiles)
        except (HandError, NotationError) as error:
            read.fault("bad_meld", spot, str(error))
            continue
        melds.append((meld.kind, tiles))
        if meld.from_ is not None:
            _source_fault(read, meld.from_, seat, f"{spot}.from")
            if meld.kind == "concealed_kong":
                read.fault("contradictory", f"{spot}.from", "a concealed kong is claimed from nobody; leave out `from`")
    read.melds.append(tuple(melds))
    mask = 0
    for code in _some_tiles(read, player.flowers, f"{where}.flowers") if player.flowers else ():
        bit = 1 << max(0, code - FIRST_FLOWER)
        if code in aside:
            continue  # there are four of each; _count_aside counts them
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


def _count_aside(read: ReadRound, aside: frozenset[int]) -> None:
    """No more than four of each tile that is set aside like a flower."""
    laid = [code for player in read.round.players if player.flowers for code in _some_tiles(read, player.flowers, "")]
    for code in sorted(aside):
        if laid.count(code) > 4:
            message = f"all seats together have set aside {laid.count(code)} of {NAMES[code]}; there are 4"
            read.fault("fifth_copy", "players", message)


def _source_fault(read: ReadRound, source: int, seat: int | None, where: str) -> None:
    if source >= len(read.round.players):
        read.fault("bad_seat", where, f"found seat {source}, expected 0..{len(read.round.players) - 1}")
    elif source == seat:
        read.fault("bad_seat", where, f"found seat {source}, the seat itself; expected another seat")


def _read_event(read: ReadRound, index: int, event: Event) -> None:
    where = f"events[{index}]"
    seats = len(read.round.players)
    if event.seat is not None and event.seat >= seats:
        read.fault("bad_seat", f"{where}.seat", f"found seat {event.seat}, expected 0..{seats - 1}")
    for at, seat in enumerate(event.seats):
        if seat >= seats:
            read.fault("bad_seat", f"{where}.seats[{at}]", f"found seat {seat}, expected 0..{seats - 1}")
    if event.from_ is not None:
        _source_fault(read, event.from_, event.seat, f"{where}.from")
    for at, liable in enumerate(event.liable):
        if liable.seat >= seats:
            read.fault("bad_seat", f"{where}.liable[{at}].seat", f"found seat {liable.seat}, expected 0..{seats - 1}")
    if event.add or event.remove:
        name = "add" if event.add else "remove"
        read.fault("unknown_field", f"{where}.{name}", f"only a hand_delta has {name}; leave it out of a {event.type}")
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
    if "kong_on_kong" in how and "kong_draw" not in how and event.from_ is None:
        message = "kong_on_kong says more of a kong_draw; add kong_draw or leave it out"
        read.fault("contradictory", f"{where}.how", message)
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


def _earlier(read: ReadRound) -> dict[int | None, tuple[tuple[int, ...], Melds]]:
    """The hands of the wins after which their winner went on and made kongs."""
    found: dict[int | None, tuple[tuple[int, ...], Melds]] = {}
    events = read.round.events
    for win in read.wins:
        if win.index is None or win.index + 1 == len(events) or read.hands[win.seat] is None:
            continue
        kongs = kongs_after(events, read.robbed, win.index, win.seat)
        hand = read.hands[win.seat]
        if kongs and hand is not None:
            found[win.index] = rewound(hand.codes, read.melds[win.seat], kongs)
    return found


@lru_cache(maxsize=64)
def _same_kind(tile: str) -> frozenset[int]:
    kind = KIND_OF[CODES[tile]]
    return frozenset(code for code in range(len(NAMES)) if KIND_OF[code] == kind)


def _declared_faults(read: ReadRound, ruleset: RuleSet) -> None:
    """Words that the rule set does not know."""
    round, words = read.round, ruleset.words
    if round.extra:
        _unknown(read, ruleset, "extra", round.extra, "extra")
    for seat, player in enumerate(round.players):
        if player.flags and not words["flag"].issuperset(player.flags):
            _unknown(read, ruleset, "flag", player.flags, f"players[{seat}].flags")
        if player.extra:
            _unknown(read, ruleset, "extra", player.extra, f"players[{seat}].extra")
        for at, meld in enumerate(player.melds):
            if meld.kind in MELD_KINDS and meld.kind not in ruleset.rule.meld_kinds:
                listed = ", ".join(ruleset.rule.meld_kinds)
                message = f"rule {ruleset.rule.name!r} has no {meld.kind}; its melds are {listed}"
                read.fault("not_allowed", f"players[{seat}].melds[{at}]", message)
    for index, event in enumerate(round.events):
        if event.type not in words["event"]:
            _unknown(read, ruleset, "event", [event.type], f"events[{index}].type")
        if event.how and not words["how"].issuperset(event.how):
            _unknown(read, ruleset, "how", event.how, f"events[{index}].how")
        if event.extra:
            _unknown(read, ruleset, "extra", event.extra, f"events[{index}].extra")


def _unknown(read: ReadRound, ruleset: RuleSet, what: str, words: Iterable[str], where: str) -> None:
    allowed = ruleset.words[what]
    listed = ", ".join(sorted(allowed)) or "none"
    code = "unknown_field" if what == "extra" else f"unknown_{what}"
    for word in words:
        if word not in allowed:
            read.fault(code, where, f"rule {ruleset.rule.name!r} knows no {what} {word!r}; it knows {listed}")


__all__ = ["MELD_KINDS", "ReadRound", "read_round", "round_faults"]
