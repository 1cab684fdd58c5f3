"""Everything that can be wrong with a round before it is judged, found at once.

`read_round` also keeps what it has parsed, so that nothing is parsed twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mjsettle.copies import tile_faults
from mjsettle.errors import Fault, HandError, NotationError
from mjsettle.event_checks import hands_before, leave_pungs, read_event, robbed_kongs
from mjsettle.hand_deltas import fold, has_deltas
from mjsettle.hands import Hand
from mjsettle.ledger import Win
from mjsettle.melds import parse_meld
from mjsettle.round_parts import ReadRound, tiles_of
from mjsettle.rounds import Meld, Player, Round
from mjsettle.rules import MELD_KINDS
from mjsettle.tiles import CODES, FIRST_FLOWER, JOKER, KIND_OF, NAMES, packed_counts

if TYPE_CHECKING:
    from mjsettle.ruleset import RuleSet

_WINDS: Final = ("1z", "2z", "3z", "4z")
_NOTHING_KNOWN: Final = Player()
_TILE_FIELDS: Final = ("dora", "ura_dora", "birds", "pi", "indicator", "treasure")


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
    aside = frozenset(tiles_of(ruleset.rule.set_aside(ruleset.options))) if ruleset is not None else frozenset()
    seats = len(round.players)
    read.hands, read.melds = [None] * seats, [()] * seats
    read.held, read.flowers = [0] * seats, [0] * seats
    for seat, player in enumerate(round.players):
        if player != _NOTHING_KNOWN:
            _read_player(read, seat, player, aside)
    for index, event in enumerate(round.events):
        read_event(read, index, event)
    if read.wins:
        read.robbed = robbed_kongs(round)
        leave_pungs(read)
        read.earlier = hands_before(read)
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
        codes = [read.one_tile(name, f"wild[{at}]") for at, name in enumerate(round.wild)]
        read.wild = frozenset([KIND_OF[code] for code in codes if code is not None])
    if round.dealer >= len(round.players):
        read.fault("bad_seat", "dealer", f"found seat {round.dealer}, expected 0..{len(round.players) - 1}")
    if round.round_wind not in _WINDS:
        read.fault("bad_tile", "round_wind", f"found {round.round_wind!r}, expected one of {', '.join(_WINDS)}")
    if not (round.dora or round.birds or round.pi or round.indicator or round.treasure or round.ura_dora):
        return
    for name in _TILE_FIELDS:
        listed = getattr(round, name)
        if not listed:
            continue
        for at, tile in enumerate([listed] if isinstance(listed, str) else listed):
            if tile not in CODES:
                read.one_tile(tile, f"{name}[{at}]")


def _read_player(read: ReadRound, seat: int, player: Player, aside: frozenset[int]) -> None:
    hand, melds, flowers, discards = player.hand, player.melds, player.flowers, player.discards
    written = None if hand is None else read.written(hand, f"players[{seat}].hand")
    held = 0 if written is None else written.held
    read.hands[seat] = written
    read.held[seat] = held + (_read_melds(read, seat, melds) if melds else 0)
    if flowers:
        read.flowers[seat] = _read_flowers(read, flowers, f"players[{seat}].flowers", aside)
    if player.void is not None and player.void not in ("m", "p", "s"):
        read.fault("bad_suit", f"players[{seat}].void", f"found {player.void!r}, expected m, p or s")
    if not discards:
        return
    if isinstance(discards, str):
        read.some_tiles(discards, f"players[{seat}].discards")
        return
    for at, tile in enumerate(discards):
        if tile not in CODES:
            read.one_tile(tile, f"players[{seat}].discards[{at}]")


def _read_melds(read: ReadRound, seat: int, melds: Sequence[Meld]) -> int:
    """Note a seat's sound melds; answers the packed counts of their tiles."""
    sound, held = [], 0
    for at, meld in enumerate(melds):
        kind, tiles, source = meld.kind, meld.tiles, meld.from_
        try:
            if read.substitutes is not None:
                tiles = read.substitutes[seat].text(tiles)
            parse_meld(kind, tiles)
        except (HandError, NotationError) as error:
            read.fault("bad_meld", f"players[{seat}].melds[{at}]", str(error))
            continue
        sound.append((kind, tiles))
        held += _packed(meld.tiles)
        if source is not None:
            read.source_fault(source, seat, f"players[{seat}].melds[{at}].from")
            if kind == "concealed_kong":
                where = f"players[{seat}].melds[{at}].from"
                read.fault("contradictory", where, "a concealed kong is claimed from nobody; leave out `from`")
    read.melds[seat] = tuple(sound)
    return held


@lru_cache(maxsize=8192)
def _packed(tiles: str) -> int:
    return packed_counts(tiles_of(tiles))


def _read_flowers(read: ReadRound, flowers: str, where: str, aside: frozenset[int]) -> int:
    mask = 0
    for code in read.some_tiles(flowers, where):
        bit = 1 << max(0, code - FIRST_FLOWER)
        if code in aside:
            continue  # there are four of each; _count_aside counts them
        if not FIRST_FLOWER <= code < JOKER:
            read.fault("bad_tile", where, f"found {NAMES[code]!r}, expected flowers 1f..8f")
        elif mask & bit:
            read.fault("fifth_copy", where, f"found {NAMES[code]} twice; there is one of each flower")
        else:
            mask |= bit
    return mask


def _count_aside(read: ReadRound, aside: frozenset[int]) -> None:
    """No more than four of each tile that is set aside like a flower."""
    laid = [code for player in read.round.players if player.flowers for code in read.some_tiles(player.flowers, "")]
    for code in sorted(aside):
        if laid.count(code) > 4:
            message = f"all seats together have set aside {laid.count(code)} of {NAMES[code]}; there are 4"
            read.fault("fifth_copy", "players", message)


def _declared_faults(read: ReadRound, ruleset: RuleSet) -> None:
    """Words that the rule set does not know."""
    round, words, meld_kinds = read.round, ruleset.words, ruleset.rule.meld_kinds
    if round.extra:
        _unknown(read, ruleset, "extra", round.extra, "extra")
    for seat, player in enumerate(round.players):
        if player.flags and not words["flag"].issuperset(player.flags):
            _unknown(read, ruleset, "flag", player.flags, f"players[{seat}].flags")
        if player.extra:
            _unknown(read, ruleset, "extra", player.extra, f"players[{seat}].extra")
        if player.melds:
            for at, meld in enumerate(player.melds):
                if meld.kind not in meld_kinds and meld.kind in MELD_KINDS:
                    listed = ", ".join(meld_kinds)
                    message = f"rule {ruleset.rule.name!r} has no {meld.kind}; its melds are {listed}"
                    read.fault("not_allowed", f"players[{seat}].melds[{at}]", message)
    events = words["event"]
    for index, event in enumerate(round.events):
        if event.type not in events:
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


__all__ = ["read_round", "round_faults", "too_many_wilds"]
