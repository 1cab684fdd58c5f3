"""The course of a round: its events in order, who has won with which tile, and the reckonings at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mjsettle.errors import Fault
from mjsettle.ledger import Book, Win
from mjsettle.round_parts import ReadRound
from mjsettle.rounds import Event
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import format_tiles


def win_faults(read: ReadRound, ruleset: RuleSet, win: Win) -> list[Fault]:
    """Why a win of the round is none, or does not count: nothing that wins, or below the minimum."""
    where = f"events[{win.index}]"
    if win.judgement is None:
        written = read.hands[win.seat]
        hand = format_tiles(written.codes if written else ())
        forms = ", ".join(form.title for form in ruleset.forms)
        message = f"{hand} with {format_tiles([win.tile])} does not win in any form of this rule set ({forms})"
        return [Fault("not_a_win", where, message)]
    if not win.judgement.qualifies:
        fans = ", ".join(f"{fan.name} {value * times}" for fan, times, value in win.judgement.counted) or "no fan"
        message = f"the hand wins with {win.judgement.total} ({fans}), which is below the minimum to win"
        return [Fault("below_minimum", where, message)]
    return []


def run(book: Book, ruleset: RuleSet, wins: Sequence[Win]) -> dict[str, int] | None:
    """Take a round's events in order, then the reckonings at its end; answers the word on the next round."""
    by_index = {win.index: win for win in wins}
    payments = ruleset.payments
    for numbered in one_tile_won(book.round.events, ruleset.rule.claims, payments.joins):
        index, event = numbered[0]
        if event.type == "win":
            claims: Sequence[Win] = [by_index[number] for number, _ in numbered]
            if payments.winners is not None and len(claims) > 1:
                claims = payments.winners(book, claims)
            if payments.pay_together is not None:
                payments.pay_together(book, claims)
                book.wins.extend(claims)
                continue
            for win in claims:
                payments.pay(book, win)
                book.wins.append(win)
            continue
        for bonus in ruleset.bonuses.get(event.type, ()):
            bonus.apply(book, event, index)
    for reckoning in ruleset.end_of_round:
        reckoning.settle(book)
    return payments.next_round(book) if payments.next_round is not None else None


def one_tile_won(
    events: Sequence[Event], claims: Sequence[str] = (), joins: Callable[[Event, Event], bool] | None = None
) -> Iterator[list[tuple[int, Event]]]:
    """The events with their numbers, in order; wins of several seats on one tile together, any other event alone.

    Consecutive wins on equal tiles from one seat are wins on one tile, until a seat would win it twice; so are wins
    that share a `how` word of `claims`, whose tile is nobody's. `joins` adds what a rule set settles together beside
    (see Payments).
    """
    if len(events) == 1:
        yield [(0, events[0])]
        return
    group: list[tuple[int, Event]] = []
    for index, event in enumerate(events):
        if group and event.type == group[0][1].type == "win":
            first = group[0][1]
            one_moment = event.from_ is not None or any(word in event.how and word in first.how for word in claims)
            same = one_moment and event.from_ == first.from_ and event.tile == first.tile
            together = joins is not None and joins(group[-1][1], event)
            if together or (same and all(event.seat != other.seat for _, other in group)):
                group.append((index, event))
                continue
        if group:
            yield group
        group = [(index, event)]
    if group:
        yield group
