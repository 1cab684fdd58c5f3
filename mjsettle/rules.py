"""What a plugin declares: rule sets, the tiles they are played with, facts, bonuses and payments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from mjsettle.columns import SITUATIONS
from mjsettle.options import Option, Options

if TYPE_CHECKING:
    from mjsettle.errors import Fault
    from mjsettle.ledger import Book, Win
    from mjsettle.rounds import Event, Round
    from mjsettle.substitutes import Substitutes


MELD_KINDS: Final = ("chow", "pung", "kong", "added_kong", "concealed_kong", "mixed_kong")
"""What melds may be. A mixed kong is a set of unlike tiles laid down as a kong (旋风杠, 喜杠); few rules have it."""


@lru_cache(maxsize=256)
def tile_set(
    suits: str = "mps", *, honours: str = "1234567", flowers: int = 0, jokers: int = 0, reds: int = 0, without: str = ""
) -> tuple[int, ...]:
    """Copies per tile kind: 34 kinds, 8 flowers and the joker.

    suits: the suits in play; honours: the ranks of `z` in play; flowers: how many of 1f-8f, from the first;
    jokers: copies of 1x. `without` names single kinds that are left out ("2345678m").
    """
    from mjsettle.tiles import CODES, parse_tiles

    copies = [0] * 43
    for suit in suits:
        for rank in range(1, 10):
            copies[CODES[f"{rank}{suit}"]] = 4
    for honour in honours:
        copies[CODES[f"{honour}z"]] = 4
    for flower in range(flowers):
        copies[34 + flower] = 1
    copies[42] = jokers
    for code in parse_tiles(without):
        copies[code] = 0
    return tuple(copies)


@dataclass(frozen=True)
class Rule:
    """A rule set.

    name: its wire name; title, english: for people. editions: those that this plugin supports, the newest last.
    presets: switches by preset id; default_preset: the one taken when a round names none.
    seats: how many players it is played by. hand_size(options): concealed tiles of a ready hand without melds.
    tiles(options, seats): copies per kind, see `tile_set`.
    events, flags, hows: the event types, player flags and `how` words it knows; extra: the keys it reads from `extra`.
    sources: where its rules are from. meld_kinds: the kinds of meld it has.
    wild(options): names of the kinds that are wild in every round, whether it names them in `wild` or not.
    substitutes(round, win, options): what the tiles of the winner's seat count as; None where every tile counts as
        itself. What it says of melds must not hang on the winning tile.
    set_aside(options): tiles that are set aside like flowers beside 1f-8f, four of each ("1234567z" where honours are
        flowers); `tiles` gives them no copies, for no hand holds them.
    claims: `how` words of wins that several seats may claim at one moment although nobody fed the tile; such wins on
        equal tiles in a row are wins on one tile, see Payments.winners.
    """

    name: str
    title: str
    english: str
    editions: tuple[str, ...]
    sources: tuple[str, ...]
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    default_preset: str | None = None
    seats: tuple[int, ...] = (4,)
    hand_size: Callable[[Options], int] = lambda options: 13
    tiles: Callable[[Options, int], tuple[int, ...]] = lambda options, seats: tile_set()
    events: tuple[str, ...] = ("win", "kong", "exhaustive_draw", "abortive_draw")
    flags: tuple[str, ...] = ()
    hows: tuple[str, ...] = SITUATIONS
    extra: tuple[str, ...] = ()
    meld_kinds: tuple[str, ...] = ("chow", "pung", "kong", "added_kong", "concealed_kong")
    wild: Callable[[Options], tuple[str, ...]] = lambda options: ()
    substitutes: Callable[[Round, Win, Options], Substitutes] | None = None
    set_aside: Callable[[Options], str] = lambda options: ""
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A hand column that a plugin reads from the round: `fn(round, win)` answers with an int."""

    name: str
    fn: Callable[[Round, Win], int]

    @property
    def doc(self) -> str:
        return " ".join((self.fn.__doc__ or "").split())


@dataclass(frozen=True, slots=True)
class Bonus:
    """Money that an event brings apart from the wins (杠, 鸟, 跟庄 …).

    on: the event type it listens to; apply(book, event, index) books its entries when the event is reached.
    """

    id: str
    title: str
    on: str
    apply: Callable[[Book, Event, int], None]


@dataclass(frozen=True, slots=True)
class Payments:
    """Who pays a win.

    pay(book, win): books the entries of one win. next_round(book): the rule set's word on the next round, a dict with
    dealer, streak, honba, deposits as far as the rule set has them.
    winners(book, wins): of several wins on one tile, those that count, in order; default: all, as listed.
    joins(earlier, event): whether a win event is one matter with the win event before it although it is on another
        tile, or the same seat's again (several tiles turned after a kong); `winners` then says what of them counts.
    pay_together(book, wins): books the wins on one tile at once, one or several, instead of `pay` for each; for rule
    sets in which one winner's payment depends on the others'.
    """

    pay: Callable[[Book, Win], None]
    next_round: Callable[[Book], dict[str, int] | None] | None = None
    winners: Callable[[Book, Sequence[Win]], Sequence[Win]] | None = None
    pay_together: Callable[[Book, Sequence[Win]], None] | None = None
    joins: Callable[[Event, Event], bool] | None = None


@dataclass(frozen=True, slots=True)
class EndOfRound:
    """A reckoning after the last event (流局查叫, 杠钱, 码 …): `settle(book)` books its entries."""

    id: str
    title: str
    settle: Callable[[Book], None]


@dataclass(frozen=True, slots=True)
class Check:
    """A demand on a round beyond the core's: `find(round, options)` answers with the faults it finds."""

    id: str
    find: Callable[[Round, Options], Sequence[Fault]]


__all__ = ["Bonus", "Check", "EndOfRound", "Fact", "Option", "Options", "Payments", "Rule", "tile_set"]
