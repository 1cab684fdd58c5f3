"""What cannot have happened in a round of Sichuan mahjong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.plausible import added_kongs_robbed, known_kongs, nobody_liable, robbed_not_held
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, FIRST_FLOWER, KIND_OF, SUITS, parse_tiles


def seat_faults(round: Round, options: Options) -> Sequence[Fault]:
    """No wild tiles, no chows, no meld of the missing suit (§1)."""
    found = []
    if round.wild:
        found.append(Fault("not_allowed", "wild", f"found {', '.join(round.wild)}; this rule set has no wild tiles"))
    for seat, player in enumerate(round.players):
        if player.void is not None and not options.dingque:
            message = "a missing suit is named, but the option dingque is off; leave out one of them"
            found.append(Fault("contradictory", f"players[{seat}].void", message))
        for at, meld in enumerate(player.melds):
            where = f"players[{seat}].melds[{at}]"
            suit = KIND_OF[parse_tiles(meld.tiles)[0]] // 9
            if player.void is not None and suit == SUITS.index(player.void):
                message = f"found {meld.tiles}; tiles of the missing suit {player.void} are not claimed"
                found.append(Fault("not_allowed", where, message))
    return found


def order_faults(round: Round, options: Options) -> Sequence[Fault]:
    """Who has won or given up is out of play (血战), and nothing happens after the end."""
    return list(_Walk(round, options).faults())


class _Walk:
    """One walk over the events, keeping who is out and who has konged or won."""

    def __init__(self, round: Round, options: Options) -> None:
        self.round = round
        self.options = options
        self.won: set[int] = set()
        self.gave_up: set[int] = set()
        self.acted: set[int] = set()
        self.ended = ""

    def faults(self) -> Iterator[Fault]:
        tile_won: tuple[int | None, str | None, set[int]] = (None, None, set())
        for index, event in enumerate(self.round.events):
            where = f"events[{index}]"
            if self.ended:
                message = f"a {event.type} after {self.ended}; the round had ended"
                yield Fault("contradictory", where, message)
            yield from self._out_of_play(event, where)
            if event.type == "win" and event.seat is not None:
                yield from self._win(event, where, tile_won)
                same = event.from_ is not None and tile_won[:2] == (event.from_, event.tile)
                winners = tile_won[2] if same and event.seat not in tile_won[2] else set()
                tile_won = (event.from_, event.tile, winners | {event.seat})
                self.won.add(event.seat)
                self.acted.add(event.seat)
                continue
            tile_won = (None, None, set())
            if event.type == "give_up" and event.seat is not None:
                self.gave_up.add(event.seat)
            elif event.type in ("exhaustive_draw", "abortive_draw"):
                self.ended = f"the {event.type}"
            elif event.type == "kong":
                yield from self._kong(event, where)
                self.acted |= set() if event.seat is None else {event.seat}

    def _out_of_play(self, event: Event, where: str) -> Iterator[Fault]:
        out = self.gave_up | (self.won if self.options.flow == "xuezhan" else set())
        for name, seat in (("seat", event.seat), ("from", event.from_)):
            if seat is not None and seat in out:
                message = f"seat {seat} is out of play here: it has won or given up before"
                yield Fault("contradictory", f"{where}.{name}", message)
        still_in = len(self.round.players) - len(out)
        if event.type in ("win", "kong") and still_in < 2 and event.seat not in out and event.from_ not in out:
            yield Fault("contradictory", where, f"a {event.type} with one seat left in play; the round had ended")

    def _win(self, event: Event, where: str, tile_won: tuple[int | None, str | None, set[int]]) -> Iterator[Fault]:
        first = "first_turn" in event.how
        dealer = self.round.dealer
        if first and event.seat == dealer and event.from_ is not None:
            yield Fault("contradictory", f"{where}.how", "first_turn of the dealer is a self-draw; leave out one")
        if first and event.seat != dealer and event.from_ != dealer:
            message = "first_turn of another seat is a win on the dealer's first discard; name the dealer in `from`"
            yield Fault("contradictory", f"{where}.how", message)
        if first and self._claimed(event.seat or 0):
            message = "first_turn, yet the winner has claimed a tile; drop one of the two"
            yield Fault("contradictory", f"{where}.how", message)
        same_tile = tile_won[2] if event.from_ is not None and tile_won[:2] == (event.from_, event.tile) else set()
        if first and (acted := self.acted - {dealer} - same_tile):
            message = f"first_turn, yet seat {min(acted)} has konged or won before; drop one of the two"
            yield Fault("contradictory", f"{where}.how", message)
        if first and {"last_tile", "rob_kong"} & set(event.how):
            message = "first_turn is won on a tile dealt or on the dealer's first discard; drop what it excludes"
            yield Fault("contradictory", f"{where}.how", message)
        asked = self.options.call_transfer_ready_only and "kong_discard" in event.how
        if asked and not isinstance(event.extra.get("konger_ready"), bool):
            message = "missing; with call_transfer_ready_only say whether the konger was ready"
            yield Fault("missing", f"{where}.extra.konger_ready", message)
        if tile_won[:2] == (event.from_, event.tile) and event.from_ is not None and event.seat not in tile_won[2]:
            yield from self._with_others(event, where)

    def _claimed(self, seat: int) -> bool:
        """Whether a seat shows tiles that it claimed before its win; who wins on may still kong afterwards (血流)."""
        later = ("concealed_kong", "kong") if self.options.flow == "xueliu" else ("concealed_kong",)
        return any(meld.kind not in later for meld in self.round.players[seat].melds)

    def _with_others(self, event: Event, where: str) -> Iterator[Fault]:
        before = self.round.events[int(where[7:-1]) - 1]
        for word in ("kong_discard", "rob_kong", "last_tile"):
            if (word in before.how) != (word in event.how):
                message = f"winners of one tile do not agree on {word}; put a discard event between separate tiles"
                yield Fault("contradictory", f"{where}.how", message)

    def _kong(self, event: Event, where: str) -> Iterator[Fault]:
        suit = (
            SUITS[KIND_OF[CODES[event.tile]] // 9] if event.tile in CODES and CODES[event.tile] < FIRST_FLOWER else None
        )
        if suit is not None and suit not in self.options.suits:
            message = f"found {event.tile}; the suits in play are {self.options.suits}"
            yield Fault("not_in_play", f"{where}.tile", message)
        if event.kind == "added_kong" and event.from_ is not None:
            message = "an added kong has no feeder of its own; leave out `from`"
            yield Fault("contradictory", f"{where}.from", message)
        void = self.round.players[event.seat].void if event.seat is not None else None
        if suit is not None and suit == void:
            yield Fault("not_allowed", f"{where}.tile", f"{event.tile} is of the seat's missing suit {void}")


def shared_faults(round: Round, options: Options) -> Sequence[Fault]:
    """What no table allows: kongs of unknown kinds, kongs that are not robbed, liable seats."""
    hint = "what tells who fed a kong is the kong event or the meld"
    return [
        *known_kongs(round),
        *added_kongs_robbed(round),
        *robbed_not_held(round, shown=True),
        *nobody_liable(round, hint),
    ]


CHECKS: Final = (Check("seats", seat_faults), Check("order", order_faults), Check("shared", shared_faults))
