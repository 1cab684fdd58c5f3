"""The hand columns of many hands at once, from their tiles, melds and situations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.columns import SITUATIONS
from mjsettle.hands import Hand, natural_planes
from mjsettle.judge import waits_in_form, wants_waits
from mjsettle.keys import counts_of_keys, product
from mjsettle.melds import MeldColumns, meld_columns
from mjsettle.readings import Ints
from mjsettle.ready import planes_of, ready_masks_batch
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import KINDS, counts_of

Meld = tuple[str, str]
"""A meld as (kind, tiles): ("chow", "123m"), ("concealed_kong", "1111z")."""
PLANES: Final = (1, 2, 3, 4)
_SUITS: Final = (np.arange(KINDS)[:, None] // 9 == np.arange(4)).astype(np.float32)
"""(34, 4): which suit a kind is of."""
_MELD_FIELDS: Final = ("meld_chows", "meld_pungs", "open_kongs", "added_kongs", "concealed_kongs")
_SITUATION: Final = ("self_draw", "seat_wind", "round_wind", "streak", "flowers")


class MeldSets:
    """Sets of melds, and their columns as a table.

    table: (10, sets): the fields of MeldColumns, the four planes each for itself.
    """

    def __init__(self, sets: Sequence[tuple[Meld, ...]]) -> None:
        self._sets = sets
        packed = np.frombuffer(b"".join([_packed(melds) for melds in sets]), np.int64)
        self.table: Final[Ints] = packed.reshape(len(sets), 10).T.copy()

    def __getitem__(self, at: int) -> MeldColumns:
        return meld_columns(self._sets[at])

    @classmethod
    def each_once(cls, melds: Sequence[tuple[Meld, ...]]) -> tuple[MeldSets, Ints]:
        """Each set of melds once, and which of them every hand has."""
        numbers: dict[tuple[Meld, ...], int] = {}
        which = [numbers.setdefault(own, len(numbers)) for own in melds]
        return cls(list(numbers)), np.array(which, np.int64)

    def columns(self, which: Ints) -> dict[str, Ints]:
        """The hand columns of hands that have these sets."""
        table = self.table.take(which, axis=1)
        found: dict[str, Ints] = dict(zip(_MELD_FIELDS, table, strict=False))
        found.update({f"meld{level}": table[4 + level] for level in PLANES})
        found["melds"] = table[9]
        found["open_melds"] = table[9] - np.bitwise_count(found["concealed_kongs"])
        return found


@lru_cache(maxsize=65_536)
def _packed(melds: tuple[Meld, ...]) -> bytes:
    found = meld_columns(melds)
    return np.array([*found[:5], *found.planes, found.melds], np.int64).tobytes()


def remainders_of(counts: NDArray[np.uint8]) -> Ints:
    """(N,) tile counts of the suits modulo 3, as `standard_batch` wants them, from counts (N, 34)."""
    m, p, s, z = product(counts, _SUITS).astype(np.uint8).T % 3
    found: Ints = (27 * m + 9 * p + 3 * s + z).astype(np.int64)
    return found


def tile_columns(counts: NDArray[np.uint8], melds: Mapping[str, Ints]) -> dict[str, Ints]:
    """The planes of the natural tiles, concealed and all, from counts (N, 34) and the columns of the melds."""
    found = dict(melds)
    found.update(zip(("concealed1", "concealed2", "concealed3", "concealed4"), planes_of(counts), strict=True))
    found.update(natural_planes(found))
    return found


def wild_held_columns(planes: Sequence[Ints]) -> dict[str, Ints]:
    """The columns of the wild kinds that are held."""
    return {f"wild_held{level}": planes[level - 1] for level in PLANES}


def columns_of(hands: Sequence[Hand], ruleset: RuleSet) -> tuple[dict[str, Ints], Ints, Ints]:
    """The hand columns of hands with a round, waits included where the rule set asks for them.

    Answers with the columns, (N,) each, the suit keys (N, 4) and the remainders (N,), see `standard_batch`.
    """
    core = np.array([_core(hand) for hand in hands], np.int64).T
    keys, n = core[:4].T.copy(), len(hands)
    counts = counts_of_keys(keys)
    sets, which = MeldSets.each_once([hand.melds for hand in hands])
    columns = tile_columns(counts, sets.columns(which))
    names = ("wilds", "hand_tiles", "win_tile", "win_wild", *_SITUATION)
    columns.update(zip(names, core[4:-1], strict=True))
    columns["dealer"] = (columns["seat_wind"] == 0).astype(np.int64)
    nothing = np.zeros(n, np.int64)
    held: Any = (nothing,) * 4
    if columns["wilds"].any():
        held = np.array([hand.tiles.wild_held for hand in hands], np.int64).T
    columns.update(wild_held_columns(held))
    words = core[-1]
    columns.update({word: words >> at & 1 for at, word in enumerate(SITUATIONS)})
    for name in hands[0].facts:
        columns[name] = np.array([hand.facts[name] for hand in hands], np.int64)
    if wants_waits(ruleset):
        columns["waits"], columns["formal_waits"] = _waits(ruleset, hands, counts, columns)
    return columns, keys, remainders_of(counts)


def _core(hand: Hand) -> tuple[int, ...]:
    tiles = hand.tiles
    self_draw, how, *winds, streak, flowers = hand.situation
    fixed = (tiles.wilds, len(tiles.codes), hand.win_kind, hand.win_wild, self_draw)
    return (*tiles.keys, *fixed, *winds, streak, flowers, _words(how))


@lru_cache(maxsize=4096)
def _words(how: frozenset[str]) -> int:
    return sum((word in how) << at for at, word in enumerate(SITUATIONS))


def _waits(
    ruleset: RuleSet, hands: Sequence[Hand], counts: NDArray[np.uint8], columns: Mapping[str, Ints]
) -> tuple[Ints, Ints]:
    before = before_winning(ruleset, counts, columns)
    held = before["held"] = before["counts"].copy()
    for at in np.flatnonzero(columns["wilds"]).tolist():
        held[at] = counts_of(hands[at].tiles.codes[:-1])
    wild = np.array([sum(1 << kind for kind in hand.wild if kind < KINDS) for hand in hands], np.int64)
    return ready_masks_batch(
        ruleset.forms,
        ruleset.policy,
        ruleset.faces,
        before,
        wild,
        lambda at: hands[at].before(),
        lambda at, form: waits_in_form(ruleset, hands[at], form),
    )


def before_winning(ruleset: RuleSet, counts: NDArray[np.uint8], columns: Mapping[str, Ints]) -> dict[str, Any]:
    """Hands without their winning tiles as `ready_masks_batch` wants them; `held` is left to the caller."""
    counts = counts.copy()
    natural = np.flatnonzero(columns["win_wild"] == 0)
    counts[natural, columns["win_tile"][natural]] -= 1
    melded = np.zeros_like(counts)
    if ruleset.policy.fifth_copy == "melds":
        planes = np.stack([columns[f"meld{level}"] for level in PLANES])
        melded = (planes[:, :, None] >> np.arange(KINDS) & 1).sum(axis=0, dtype=np.uint8)
    return {
        "counts": counts,
        "melded": melded,
        "wilds": columns["wilds"] - columns["win_wild"],
        "melds": columns["melds"],
        "tiles": columns["hand_tiles"] - 1,
        **{f"tiles{level}": mask for level, mask in zip(PLANES, planes_of(counts), strict=True)},
    }
