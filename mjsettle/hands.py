"""From a seat's tiles to hand columns: concealed tiles, wilds lifted out, melds, the situation of a win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from mjsettle.columns import NO_PAIR, SITUATIONS
from mjsettle.errors import HandError
from mjsettle.handtext import suit_tiles
from mjsettle.keys import Keys, suit_keys
from mjsettle.melds import meld_columns, planes34
from mjsettle.readings import View
from mjsettle.tiles import FIRST_FLOWER, JOKER, KIND_OF, KINDS, NAMES, format_tiles
from mjsettle.wildcards import WildPolicy


class Tiles(NamedTuple):
    """Concealed tiles with the wild ones lifted out.

    keys: of the natural tiles; wilds: how many wild tiles; wild_held: planes of the wild kinds held; codes: all tiles.
    """

    keys: Keys
    wilds: int
    wild_held: tuple[int, int, int, int]
    codes: tuple[int, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """34 counts of the natural tiles."""
        m, p, s, z = self.keys
        return suit_tiles(0, m).counts + suit_tiles(1, p).counts + suit_tiles(2, s).counts + suit_tiles(3, z).counts


_NONE_HELD: Final = (0, 0, 0, 0)
_WEIGHT: Final = tuple(5 ** (kind % 9) for kind in range(KINDS))


def lift(codes: Sequence[int], wild: frozenset[int], keys: Keys | None = None) -> Tiles:
    """Split concealed tiles into natural ones and wilds. `wild` holds kinds and flowers; jokers are wild always.

    keys: those of all the tiles, where they are known (see Written). HandError names tiles that can stand in no hand:
    flowers that are not wild, and a fifth natural tile of a kind, which no key holds.
    """
    if keys is None:
        return _lift_each(codes, wild)
    if not wild:
        return Tiles(keys, 0, _NONE_HELD, tuple(codes))
    left = [*keys]
    wilds = one = two = three = four = 0
    for kind in wild:
        if kind < KINDS:
            held = left[kind // 9] // _WEIGHT[kind] % 5
            if held:
                left[kind // 9] -= held * _WEIGHT[kind]
                wilds += held
                bit = 1 << kind
                one |= bit
                two |= bit * (held > 1)
                three |= bit * (held > 2)
                four |= bit * (held > 3)
    return Tiles((left[0], left[1], left[2], left[3]), wilds, (one, two, three, four), tuple(codes))


def _lift_each(codes: Sequence[int], wild: frozenset[int]) -> Tiles:
    counts = [0] * KINDS
    held = [0] * KINDS
    wilds = 0
    stray = []
    for code in codes:
        kind = KIND_OF[code]
        if kind in wild or kind == JOKER:
            wilds += 1
            if kind < KINDS:
                held[kind] += 1
        elif kind < KINDS:
            counts[kind] += 1
        else:
            stray.append(code)
    if stray:
        raise HandError(f"found {format_tiles(stray)} among the concealed tiles; flowers belong in `flowers`")
    if max(counts) > 4:
        kind = counts.index(max(counts))
        raise HandError(f"found {counts[kind]} of {NAMES[kind]} among the concealed tiles; there are four of a kind")
    return Tiles(suit_keys(counts), wilds, planes34(held) if wilds else _NONE_HELD, tuple(codes))


class Situation(NamedTuple):
    """What surrounds a win. seat_wind and round_wind: 0 east .. 3 north; flowers: mask, bit 0 = 1f."""

    self_draw: bool = True
    how: frozenset[str] = frozenset()
    seat_wind: int = 0
    round_wind: int = 0
    streak: int = 0
    flowers: int = 0


class Hand:
    """One hand ready to be judged; its winning tile is the last of its codes.

    Its view and its columns are made when they are asked for: batches make the columns of many hands at once.
    """

    __slots__ = ("_columns", "_view", "faces", "facts", "meld", "melds", "policy", "situation", "tiles", "wild")

    def __init__(
        self,
        tiles: Tiles,
        melds: tuple[tuple[str, str], ...],
        wild: frozenset[int],
        situation: Situation,
        policy: WildPolicy,
        faces: int,
        facts: Mapping[str, int],
    ) -> None:
        self.tiles = tiles
        self.melds = melds
        self.meld = meld_columns(melds)
        self.wild = wild
        self.situation = situation
        self.policy = policy
        self.faces = faces
        self.facts = facts
        self._view: View | None = None
        self._columns: dict[str, int] | None = None

    @property
    def view(self) -> View:
        """The hand as win forms look at it."""
        if self._view is None:
            tiles, meld = self.tiles, self.meld
            self._view = View(tiles.counts, tiles.keys, tiles.wilds, meld.melds, self.policy, self.faces, meld.planes)
        return self._view

    @property
    def win_kind(self) -> int:
        """The kind of the winning tile, NO_PAIR where it has none."""
        kind = KIND_OF[self.tiles.codes[-1]]
        return kind if kind < FIRST_FLOWER else NO_PAIR

    @property
    def win_wild(self) -> bool:
        """Whether the winning tile is a wild tile."""
        kind = KIND_OF[self.tiles.codes[-1]]
        return kind in self.wild or kind == JOKER

    @property
    def columns(self) -> dict[str, int]:
        """Its hand columns, waits apart, which whoever wants them puts in."""
        if self._columns is None:
            self._columns = _columns_of(self)
        return self._columns

    def before(self) -> View:
        """The View of the hand without its winning tile."""
        view = self.view
        if self.win_wild:
            return view._replace(wilds=view.wilds - 1)
        kind = self.win_kind
        counts, keys = [*view.counts], [*view.keys]
        counts[kind] -= 1
        keys[kind // 9] -= _WEIGHT[kind]
        return view._replace(counts=tuple(counts), keys=(keys[0], keys[1], keys[2], keys[3]))

    def with_tile(self, code: int) -> Hand:
        """The hand as it would be, had it drawn this tile instead."""
        return make_hand(
            self.tiles.codes[:-1], code, self.melds, self.wild, self.situation, self.policy, self.faces, self.facts
        )


def natural_planes(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The planes of all natural tiles, from those of the concealed ones and of the melds."""
    c1, c2, c3, c4 = columns["concealed1"], columns["concealed2"], columns["concealed3"], columns["concealed4"]
    m1, m2, m3, m4 = columns["meld1"], columns["meld2"], columns["meld3"], columns["meld4"]
    return {
        "natural1": c1 | m1,
        "natural2": c2 | m2 | (c1 & m1),
        "natural3": c3 | m3 | (c2 & m1) | (c1 & m2),
        "natural4": c4 | m4 | (c3 & m1) | (c2 & m2) | (c1 & m3),
    }


def _columns_of(hand: Hand) -> dict[str, int]:
    tiles, meld, situation = hand.tiles, hand.meld, hand.situation
    m, p, s, z = (suit_tiles(suit, key) for suit, key in enumerate(tiles.keys))
    m1, m2, m3, m4 = meld.planes
    columns = {
        "wilds": tiles.wilds,
        "wild_held1": tiles.wild_held[0],
        "wild_held2": tiles.wild_held[1],
        "wild_held3": tiles.wild_held[2],
        "wild_held4": tiles.wild_held[3],
        "concealed1": m.one | p.one | s.one | z.one,
        "concealed2": m.two | p.two | s.two | z.two,
        "concealed3": m.three | p.three | s.three | z.three,
        "concealed4": m.four | p.four | s.four | z.four,
        "hand_tiles": len(tiles.codes),
        "meld1": m1,
        "meld2": m2,
        "meld3": m3,
        "meld4": m4,
        "meld_chows": meld.chows,
        "meld_pungs": meld.pungs,
        "open_kongs": meld.open_kongs,
        "added_kongs": meld.added_kongs,
        "concealed_kongs": meld.concealed_kongs,
        "melds": meld.melds,
        "open_melds": meld.melds - meld.concealed_kongs.bit_count(),
        "win_tile": hand.win_kind,
        "win_wild": int(hand.win_wild),
        "self_draw": int(situation.self_draw),
        "dealer": int(situation.seat_wind == 0),
        "seat_wind": situation.seat_wind,
        "round_wind": situation.round_wind,
        "streak": situation.streak,
        "flowers": situation.flowers,
    }
    columns.update(natural_planes(columns))
    columns.update(dict.fromkeys(SITUATIONS, 0))
    for name in situation.how:
        if name in SITUATIONS:
            columns[name] = 1
    columns.update(hand.facts)
    return columns


_NO_FACTS: Final[Mapping[str, int]] = {}


def make_hand(
    codes: Sequence[int],
    win: int,
    melds: tuple[tuple[str, str], ...],
    wild: frozenset[int],
    situation: Situation,
    policy: WildPolicy,
    faces: int,
    facts: Mapping[str, int] = _NO_FACTS,
    keys: Keys | None = None,
) -> Hand:
    """Concealed tiles (without the winning tile), the winning tile's code and melds as a Hand.

    facts: hand columns that the rule set's plugin has read from the round; keys: the suit keys of `codes` where they
    are known (see Written), which saves counting.
    """
    kind = KIND_OF[win]
    # A key has no place for a fifth tile of a kind, of which a rule set may have more.
    if keys is not None and kind < KINDS and keys[kind // 9] // _WEIGHT[kind] % 5 < 4:
        grown = [*keys]
        grown[kind // 9] += _WEIGHT[kind]
        keys = grown[0], grown[1], grown[2], grown[3]
    else:
        keys = None
    return Hand(lift((*codes, win), wild, keys), melds, wild, situation, policy, faces, facts)
