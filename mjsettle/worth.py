"""What wins would bring: hypothetical wins of one seat at a table that is given, settled like real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec

from mjsettle.errors import RuleError
from mjsettle.read_hand import view_of
from mjsettle.rounds import Event, Player, Round, Unreadable, round_of
from mjsettle.ruleset import RuleSet
from mjsettle.settle import Engine
from mjsettle.tiles import JOKER, KIND_OF, KINDS, NAMES, format_tiles, parse_tiles


class Win(NamedTuple):
    """A hypothetical win: the concealed tiles without the winning tile, the winning tile, and who fed it."""

    hand: str
    tile: str
    source: int | None = None


class Bring(NamedTuple):
    """What a win would bring: points from all payers (0 where the rule set refuses the win), the whole result."""

    points: int
    result: Mapping[str, Any]

    @property
    def complete(self) -> bool:
        """Whether the hand is complete, be it below the minimum to win."""
        codes = [error["code"] for error in self.result.get("errors", ())]
        return not codes or codes == ["below_minimum"]


class Table:
    """A seat at a table: a round without its win, which a hypothetical win is put into."""

    def __init__(self, engine: Engine, record: Mapping[str, Any], seat: int = 0) -> None:
        """record: a wire round; the seat's melds, flags, flowers count, hands and events do not.

        RuleError lists everything that is wrong with it.
        """
        try:
            round = round_of({"id": "worth", **record})
        except Unreadable as error:
            raise RuleError(str(error)) from None
        if seat >= len(round.players):
            raise RuleError(f"seat: found {seat}, expected 0..{len(round.players) - 1}")
        players = [msgspec.structs.replace(player, hand=None) for player in round.players]
        self.engine = engine
        self.seat = seat
        self.round = msgspec.structs.replace(round, players=players, events=[])
        self.ruleset: RuleSet = engine.rule_set(round.rule, round.options, round.edition, len(players))

    @property
    def player(self) -> Player:
        """The seat's own melds, flags and flowers."""
        return self.round.players[self.seat]

    @property
    def wild(self) -> tuple[str, ...]:
        """The wild kinds, those that are wild in every round included."""
        always = [NAMES[code] for code in sorted(self.ruleset.wild)]
        return tuple(dict.fromkeys((*self.round.wild, *always)))

    @cached_property
    def pairs_of_four(self) -> bool:
        """Whether the rule set's seven pairs may hold four of a kind as two of them."""
        view, _ = view_of("11112233445566m", (), (), self.ruleset.policy)
        return any(form.id == "seven_pairs" and form.read(view, 0) for form in self.ruleset.forms)

    def copies(self, hand: Sequence[int]) -> list[int]:
        """Copies of the 34 kinds and of the joker; of jokers none, unless the hand or the round has them in play."""
        jokers = JOKER in hand or NAMES[JOKER] in self.wild
        return [*self.ruleset.copies[:KINDS], self.ruleset.copies[JOKER] if jokers else 0]

    def others_melded(self) -> list[int]:
        """The codes of the tiles in the other seats' melds."""
        others = (player for seat, player in enumerate(self.round.players) if seat != self.seat)
        return [code for player in others for meld in player.melds for code in parse_tiles(meld.tiles)]

    def with_win(self, win: Win) -> Round:
        """The round in which this seat has this hand and wins so."""
        players = list(self.round.players)
        players[self.seat] = msgspec.structs.replace(self.player, hand=win.hand)
        return msgspec.structs.replace(
            self.round, players=players, events=[Event("win", seat=self.seat, tile=win.tile, from_=win.source)]
        )

    def bring(self, wins: Sequence[Win]) -> list[Bring]:
        """What each win would bring, in order; all are settled at once.

        RuleError where every one of them is refused for something that is no matter of its tiles.
        """
        settled = self.engine.settle([self.with_win(win) for win in wins])
        if settled and all(_of_the_table(one) for one in settled):
            raise RuleError("; ".join(f"{fault['field']}: {fault['message']}" for fault in _of_the_table(settled[0])))
        return [Bring(sum(found["points"] for found in one.get("wins", ())[:1]), one) for one in settled]

    def waits(self, hand: Sequence[int], source: int | None = None) -> dict[str, Bring]:
        """The tiles that complete a hand one tile short (codes), each with what it would bring."""
        text = format_tiles(hand)
        own = [*hand, *(code for meld in self.player.melds for code in parse_tiles(meld.tiles))]
        held = [KIND_OF[code] for code in own]
        kinds = [
            kind
            for kind, copies in zip((*range(KINDS), JOKER), self.copies(hand), strict=True)
            if held.count(kind) < copies
        ]
        brought = self.bring([Win(text, NAMES[kind], source) for kind in kinds])
        return {NAMES[kind]: one for kind, one in zip(kinds, brought, strict=True) if one.complete}


_OF_A_HAND: Final = ("not_a_win", "below_minimum", "fifth_copy", "not_in_play")


def _of_the_table(result: Mapping[str, Any]) -> list[dict[str, str]]:
    """The faults of a result that another winning tile would not mend."""
    return [error for error in result.get("errors", ()) if error["code"] not in _OF_A_HAND]


def seat_record(
    rule: str, seat: int = 0, seats: int = 4, melds: Sequence[Mapping[str, Any]] = (), **fields: Any
) -> dict[str, Any]:
    """A wire round in which only one seat is known, by its melds; `fields` are further fields of the round."""
    players: list[dict[str, Any]] = [{} for _ in range(seats)]
    players[seat] = {"melds": list(melds)}
    return {"id": "worth", "rule": rule, "players": players, **fields}


__all__ = ["Bring", "Table", "Win", "seat_record"]
