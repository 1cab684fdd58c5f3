"""The book of one round: its events in order, its wins, and every payment as an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn

from mjsettle.errors import Fault, PaymentError
from mjsettle.fans import POINTS_MAX

if TYPE_CHECKING:
    from mjsettle.fans import Fan
    from mjsettle.judge import Judgement
    from mjsettle.options import Options
    from mjsettle.rounds import Event, Player, Round

TABLE: Final = -1
"""The table's pot (riichi sticks, the house) as payer or receiver."""


class Refused(Exception):  # noqa: N818 - an answer, not an accident
    """A round that cannot be settled; carries the faults."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(f"{fault.code} at {fault.field}: {fault.message}" for fault in faults))
        self.faults = list(faults)


def too_large(what: str, points: int) -> Refused:
    """The refusal of a round in which something comes to more points than a result may hold."""
    message = f"{what} is {points}, expected at most {POINTS_MAX}; the switches or counters of this round are too large"
    return Refused([Fault("points_too_large", "", message)])


@dataclass(slots=True)
class Win:
    """A win to be judged: a `win` event, or a hypothetical one."""

    seat: int
    """The winner."""
    tile: int
    """Code of the winning tile; -1 where none is known."""
    source: int | None
    """The seat that the tile was taken from; None on a self-draw."""
    how: frozenset[str]
    """The words of the event's `how`."""
    index: int | None
    """Number of the event; None for a hypothetical win."""
    event: Event | None = None
    """The event, where there is one."""
    judgement: Judgement | None = None
    """What judging made of it; `judged` is the same and never None."""
    points: int = 0
    """What it has brought its winner so far."""
    report: dict[str, Any] = field(default_factory=dict)
    """What payments add to its wire form; None takes a field away."""
    granted: tuple[tuple[Fan, int, int], ...] = ()
    """(fan, times, value) of a win that no hand is judged for (by flowers); a bonus makes such a Win, pays it and
    appends it to the book's wins."""
    put_away: int | None = None
    """Code of a concealed tile that a hypothetical winner discards first: a seat that has drawn holds one more."""

    @property
    def self_draw(self) -> bool:
        """Whether the winner drew the tile."""
        return self.source is None

    @property
    def total(self) -> int:
        """The fans' total; only after judging."""
        if self.granted:
            return sum(times * value for _, times, value in self.granted)
        return self.judged.total

    @property
    def judged(self) -> Judgement:
        """The judgement; only after judging."""
        if self.judgement is None:
            raise RuntimeError("this win has not been judged yet")
        return self.judgement

    def has(self, fan: str) -> int:
        """How many times a fan counts in the reading that was chosen."""
        if self.granted:
            return sum(times for found, times, _ in self.granted if found.id == fan)
        return self.judged.times(fan)


@dataclass(slots=True)
class Entry:
    """One payment."""

    payer: int
    """The seat that pays, or TABLE."""
    receiver: int
    """The seat that receives, or TABLE."""
    points: int
    """More than 0."""
    why: str
    """The reason, a word of the rule set."""
    event: int | None = None
    """Number of the event that caused it."""
    undoes: int | None = None
    """Number of the entry that it returns or passes on."""

    def as_dict(self) -> dict[str, Any]:
        """The payment as results have it."""
        found: dict[str, Any] = {"from": _seat(self.payer), "to": _seat(self.receiver), "points": self.points}
        found["why"] = self.why
        if self.event is not None:
            found["event"] = self.event
        if self.undoes is not None:
            found["undoes"] = self.undoes
        return found


def _seat(seat: int) -> int | str:
    return "table" if seat == TABLE else seat


@dataclass(slots=True)
class Book:
    """What a rule set's payment functions work on. Seats are 0..n-1."""

    round: Round
    """The round as it was sent, `hand_delta` events folded into the hands."""
    options: Options
    """The resolved switches."""
    judge: Callable[[Win], Judgement | None]
    """judge(win): judges a hypothetical win; None where the hand does not win. It refuses the round where the seat's
    hand is not known."""
    waits_of: Callable[..., tuple[int, int]]
    """waits_of(seat): masks (live, formal) of the kinds that complete a seat's hand; waits_of(seat, code): the same
    after it has put this tile away."""
    entries: list[Entry] = field(default_factory=list)
    """Every payment so far, in order; `pay` answers with the number in this list."""
    wins: list[Win] = field(default_factory=list)
    """The wins settled so far, in order."""
    faults: list[Fault] = field(default_factory=list)
    """Reasons not to settle the round; see `refuse`."""
    robbed: frozenset[int] = frozenset()
    """Numbers of the kong events whose tile a later win robs: such a kong is none."""
    memory: dict[str, Any] = field(default_factory=dict)
    """What payment functions of one rule set note for each other while a round is settled."""
    unpaid: list[Entry] = field(default_factory=list)
    """What payers could not cover; see mjsettle.balances."""
    report: dict[str, Any] = field(default_factory=dict)
    """What is added to the result's wire form."""

    @property
    def seats(self) -> range:
        """Every seat."""
        return range(len(self.round.players))

    @property
    def dealer(self) -> int:
        """The seat of the dealer."""
        return self.round.dealer

    @property
    def won(self) -> frozenset[int]:
        """The seats that have won so far."""
        return frozenset(win.seat for win in self.wins)

    def player(self, seat: int) -> Player:
        """The seat's hand, melds and flags, as sent."""
        return self.round.players[seat]

    def others(self, seat: int) -> list[int]:
        """Every seat but this one, in turn order after it."""
        n = len(self.round.players)
        return [(seat + step) % n for step in range(1, n)]

    def distance(self, source: int, seat: int) -> int:
        """How many turns `seat` comes after `source`."""
        return (seat - source) % len(self.round.players)

    def seat_wind(self, seat: int) -> int:
        """0 for the dealer, 1 for the seat after it, …"""
        return self.distance(self.round.dealer, seat)

    def events(self, type: str) -> Iterable[tuple[int, Event]]:
        """The events of a type with their numbers, in order."""
        return ((index, event) for index, event in enumerate(self.round.events) if event.type == type)

    def pay(
        self,
        payer: int,
        receiver: int,
        points: int,
        why: str,
        *,
        event: int | None = None,
        win: Win | None = None,
        undoes: int | None = None,
    ) -> int | None:
        """Book a payment and answer its entry number; nothing is booked for 0 points or between a seat and itself.

        A negative amount is a payment the other way. `win` names the win that it belongs to: its points grow by what
        its winner receives. PaymentError for points or a seat that are no whole number, and for a seat that is not
        there; more than POINTS_MAX points refuse the round.
        """
        if not (type(points) is int and type(payer) is int and type(receiver) is int):
            self._cannot_pay(payer, receiver, points, why)
        seats = len(self.round.players)
        if not (TABLE <= payer < seats and TABLE <= receiver < seats):
            self._cannot_pay(payer, receiver, points, why)
        if points < 0:
            payer, receiver, points = receiver, payer, -points
        if points == 0 or payer == receiver:
            return None
        if points > POINTS_MAX:
            raise too_large(f"the payment {why!r} from {_seat(payer)} to {_seat(receiver)}", points)
        if win is not None:
            event = win.index if event is None else event
            win.points += points if receiver == win.seat else -points if payer == win.seat else 0
        self.entries.append(Entry(payer, receiver, points, why, event, undoes))
        return len(self.entries) - 1

    def _cannot_pay(self, payer: object, receiver: object, points: object, why: str) -> NoReturn:
        """Say what is wrong with a payment, and which payment it is."""
        payment = f"rule {self.round.rule!r}: the payment {why!r} from {payer!r} to {receiver!r}"
        if type(points) is not int:
            raise PaymentError(f"{payment} is of {points!r} points, expected a whole number; divide with // and round")
        seats = f"0..{len(self.round.players) - 1} or TABLE"
        raise PaymentError(f"{payment} names a seat that is not there, expected whole numbers {seats}")

    def refund(self, number: int, why: str, *, event: int | None = None) -> None:
        """Give back what an entry paid, to its payer."""
        entry = self.entries[number]
        self.pay(entry.receiver, entry.payer, entry.points, why, event=event, undoes=number)

    def refuse(self, code: str, field: str, message: str) -> None:
        """Note a reason why this round cannot be settled; all reasons are answered together."""
        self.faults.append(Fault(code, field, message))

    def deltas(self) -> list[int]:
        """What each seat gained."""
        gained = [0] * len(self.round.players)
        for entry in self.entries:
            if entry.payer != TABLE:
                gained[entry.payer] -= entry.points
            if entry.receiver != TABLE:
                gained[entry.receiver] += entry.points
        return gained

    def table(self) -> int:
        """What the table's pot gained."""
        gained = 0
        for entry in self.entries:
            if entry.receiver == TABLE:
                gained += entry.points
            if entry.payer == TABLE:
                gained -= entry.points
        return gained
