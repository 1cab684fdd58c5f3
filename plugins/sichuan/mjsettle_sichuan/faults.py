"""What cannot have happened in a round of Sichuan mahjong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mjsettle.errors import Fault
from mjsettle.options import Options
from mjsettle.rounds import Event, Round
from mjsettle.rules import Check
from mjsettle.tiles import CODES, KIND_OF, SUITS, parse_tiles


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
    """One walk over the events, keeping who is out."""

    def __init__(self, round: Round, options: Options) -> None:
        self.round = round
        self.options = options
        self.won: set[int] = set()
        self.gave_up: set[int] = set()
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
                continue
            tile_won = (None, None, set())
            if event.type == "give_up" and event.seat is not None:
                self.gave_up.add(event.seat)
            elif event.type in ("exhaustive_draw", "abortive_draw"):
                self.ended = f"the {event.type}"
            elif event.type == "kong":
                yield from self._kong(event, where)

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
        asked = self.options.call_transfer_ready_only and "kong_discard" in event.how
        if asked and not isinstance(event.extra.get("konger_ready"), bool):
            message = "missing; with call_transfer_ready_only say whether the konger was ready"
            yield Fault("missing", f"{where}.extra.konger_ready", message)
        if tile_won[:2] == (event.from_, event.tile) and event.from_ is not None and event.seat not in tile_won[2]:
            yield from self._with_others(event, where)

    def _with_others(self, event: Event, where: str) -> Iterator[Fault]:
        before = self.round.events[int(where[7:-1]) - 1]
        for word in ("kong_discard", "rob_kong", "last_tile"):
            if (word in before.how) != (word in event.how):
                message = f"winners of one tile do not agree on {word}; put a discard event between separate tiles"
                yield Fault("contradictory", f"{where}.how", message)

    def _kong(self, event: Event, where: str) -> Iterator[Fault]:
        if event.kind not in ("kong", "added_kong", "concealed_kong"):
            message = f"found {event.kind!r}, expected kong, added_kong or concealed_kong"
            yield Fault("unknown_kind", f"{where}.kind", message)
        if event.kind == "added_kong" and event.from_ is not None:
            message = "an added kong has no feeder of its own; leave out `from`"
            yield Fault("contradictory", f"{where}.from", message)
        void = self.round.players[event.seat].void if event.seat is not None else None
        if void is not None and event.tile in CODES and KIND_OF[CODES[event.tile]] // 9 == SUITS.index(void):
            yield Fault("not_allowed", f"{where}.tile", f"{event.tile} is of the seat's missing suit {void}")


CHECKS: Final = (Check("seats", seat_faults), Check("order", order_faults))
