"""The two win forms of knitted tiles (组合龙, 全不靠): the suits permuted over 147, 258 and 369 (sheet section 2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Any, Final

import numpy as np

from mjsettle.columns import HONOURS, NO_PAIR, Col, lookup, popcount
from mjsettle.keys import Concealed, suit_keys
from mjsettle.needs import need
from mjsettle.reading_batch import standard_batch
from mjsettle.readings import Ints, Row, View, fifth_with_melds, standard_rows, with_tile
from mjsettle.suits import planes
from mjsettle.wait_masks import kinds_in, waits_mask
from mjsettle.winforms import FormHands, WinForm

Table = np.ndarray[Any, Any]

THIRDS: Final = (0b001001001, 0b010010010, 0b100100100)  # ranks 147, 258, 369
BODIES: Final = tuple(a | b << 9 | c << 18 for a, b, c in permutations(THIRDS))
"""The six knitted sets of nine tiles; the `shape` of a reading is the number of its own, from 1."""
BODY_OF: Final = (0, *BODIES)
"""The knitted set by `shape`; no tiles for 0."""


def _shapes_by_ranks(suit: int) -> Table:
    bodies = [body >> 9 * suit & 0x1FF for body in BODIES]
    shapes = [sum(1 << at for at, body in enumerate(bodies) if not ranks & ~body) for ranks in range(512)]
    return np.array(shapes, np.int64)


_SHAPES: Final = tuple(_shapes_by_ranks(suit) for suit in range(3))


def knitted_shapes(concealed1: Col) -> Col:
    """The knitted sets that have all numbered concealed tiles in them, one bit each."""
    m, p, s = _SHAPES
    return lookup(m, concealed1 & 0x1FF) & lookup(p, concealed1 >> 9 & 0x1FF) & lookup(s, concealed1 >> 18 & 0x1FF)


@lru_cache(maxsize=1)
def _missing_tables() -> tuple[Table, Table, Table, Table]:
    """By the ranks of a suit, how many tiles they lack of each third, 2 bits each; and by all three suits' such
    fields, the fewest tiles that a whole knitted set lacks."""
    short = [3 - np.bitwise_count(np.arange(512) & third).astype(np.int64) for third in THIRDS]
    suit = short[0] | short[1] << 2 | short[2] << 4
    fields = np.arange(1 << 18)
    lacks = [
        np.sum([fields >> 6 * at + 2 * third & 3 for at, third in enumerate(thirds)], axis=0)
        for thirds in permutations(range(3))
    ]
    return suit, suit << 6, suit << 12, np.min(lacks, axis=0)


def knitted_missing(concealed1: Col) -> Col:
    """The fewest tiles that the concealed ones lack of a whole knitted set of nine."""
    m, p, s, fewest = _missing_tables()
    fields = lookup(m, concealed1 & 0x1FF) | lookup(p, concealed1 >> 9 & 0x1FF) | lookup(s, concealed1 >> 18 & 0x1FF)
    return lookup(fewest, fields)


def knitted_straight() -> WinForm:
    """A whole knitted set of nine concealed tiles, one set, which may be melded, and a pair (组合龙)."""

    def may(melds: Col, hand_tiles: Col, wilds: Col, knitted_missing: Col) -> Col:
        return (knitted_missing <= wilds) & (melds <= 1) & (hand_tiles + 3 * melds == 14)

    def near(melds: Col, tiles: Col, wilds: Col, tiles1: Col) -> Col:
        return (knitted_missing(tiles1) <= wilds + 1) & (melds <= 1) & (tiles + 3 * melds == 13)

    def ready(view: View, wild: int) -> int:
        if view.melds > 1 or view.tiles + 3 * view.melds != 13:
            return 0
        if view.wilds or wild:
            return _try_each(view, wild, straight_rows)
        return _straight_waits(view)

    return WinForm(
        "knitted_straight",
        "组合龙",
        "knitted straight",
        straight_rows,
        may,
        ready=ready,
        near=near,
        batch=straight_batch,
    )


def _straight_waits(view: View) -> int:
    """The kinds that complete a knitted straight of natural tiles, as a mask; fifth copies count."""
    found = 0
    held = _held(view)
    for body in BODIES:
        missing = body & ~held
        rest = _without(view, body)
        if missing.bit_count() == 1 and need(suit_keys(rest)) == 0:
            found |= missing
        elif not missing:
            found |= waits_mask(Concealed(rest, 0, rest), held_fours=True, forms=("standard",))
    return found


def _held(view: View) -> int:
    return sum(1 << kind for kind, count in enumerate(view.counts) if count)


def _without(view: View, body: int) -> list[int]:
    """The counts left when one tile of each kind of a knitted set is taken away, as far as there is one."""
    return [count - (1 if count and body >> kind & 1 else 0) for kind, count in enumerate(view.counts)]


def straight_rows(view: View, form: int) -> list[Row]:
    """All readings of a hand as a knitted straight. A natural tile goes into the knitted set before a wild one does:
    the other way round is the same reading."""
    if view.melds > 1 or view.tiles + 3 * view.melds != 14:
        return []
    held = _held(view)
    found = []
    for shape, body in enumerate(BODIES, start=1):
        missing = body & ~held
        wilds = view.wilds - missing.bit_count()
        if wilds < 0 or missing & ~view.faces:
            continue
        rest = _without(view, body)
        for row in standard_rows(view._replace(counts=tuple(rest), keys=suit_keys(rest), wilds=wilds), form):
            one, two, three, four = row[5:9]
            if view.wilds and not _drawable(view, row, body):
                continue
            with_body = (one | body, two | one & body, three | two & body, four | three & body)
            found.append(Row(form, *row[1:5], *with_body, shape))
    return found


def _drawable(view: View, row: Row, body: int) -> bool:
    """Whether no wild stands for a fifth copy, where the policy forbids it."""
    if view.policy.fifth_copy == "allowed":
        return True
    one, two, three, four = row[5:9]
    has = (one | body, two | one & body, three | two & body, four | three & body)
    melds = view.meld_planes if view.policy.fifth_copy == "melds" else (0, 0, 0, 0)
    return not four & body and not fifth_with_melds(has, melds, planes(list(view.counts)))


def straight_batch(hands: FormHands) -> tuple[Ints, dict[str, Ints], Ints]:
    """As `straight_rows`, for many hands."""
    held, wilds = hands.columns["concealed1"], hands.columns["wilds"]
    policy, faces = hands.book.policy, hands.book.faces
    lacking = _BODIES & ~held[:, None]
    at, shape = np.nonzero((popcount(lacking) <= wilds[:, None]) & (lacking & ~faces == 0))
    body, missing = _BODIES[shape], lacking[at, shape]
    keys, remainders = hands.keys[at] - _keys_of(body & held[at]), _remainders(hands.remainders[at], missing)
    of, rows = standard_batch(keys, remainders, wilds[at] - popcount(missing), hands.book, _SET_COLUMNS)
    rows_of, body = at[of], body[of]
    one, two, three, four = (rows[f"has{level}"] for level in range(1, 5))
    rows["has1"], rows["has2"] = one | body, two | one & body
    rows["has3"], rows["has4"] = three | two & body, four | three & body
    rows["shape"] = shape[of] + 1
    if policy.fifth_copy != "allowed" and wilds.any():
        fifth = four & body
        if policy.fifth_copy == "melds":
            melds = [hands.columns[f"meld{level}"][rows_of] for level in range(1, 5)]
            natural = [hands.columns[f"concealed{level}"][rows_of] for level in range(1, 5)]
            fifth = fifth | fifth_with_melds([rows[f"has{level}"] for level in range(1, 5)], melds, natural)
        kept = np.flatnonzero(fifth == 0)
        rows_of, rows = rows_of[kept], {name: column[kept] for name, column in rows.items()}
    return rows_of, rows, np.zeros(0, np.int64)


_BODIES: Final = np.array(BODIES, np.int64)
_SET_COLUMNS: Final = frozenset({"chows", "pungs", "twins", "pair", "has1", "has2", "has3", "has4"})
_KEY_OF: Final = np.array([sum(5**rank for rank in range(9) if ranks >> rank & 1) for ranks in range(512)], np.int64)


def _keys_of(masks: Ints) -> Ints:
    """The suit keys (N, 4) of one tile of each kind of a mask of numbered kinds."""
    keys = np.zeros((len(masks), 4), np.int64)
    for suit in range(3):
        keys[:, suit] = _KEY_OF[masks >> 9 * suit & 0x1FF]
    return keys


def _remainders(remainders: Ints, missing: Ints) -> Ints:
    """The remainders when three tiles of each suit but the missing ones are taken away."""
    if not missing.any():
        return remainders
    found = remainders % 3
    for suit, weight in enumerate((27, 9, 3)):
        found += (remainders // weight + popcount(missing >> 9 * suit & 0x1FF)) % 3 * weight
    return found


def honours_and_knitted() -> WinForm:
    """Fourteen different concealed tiles: honours, and numbers of one knitted set (全不靠, 七星不靠)."""

    def may(melds: Col, hand_tiles: Col, concealed2: Col, knitted_shapes: Col) -> Col:
        return (concealed2 == 0) & (knitted_shapes != 0) & (melds == 0) & (hand_tiles == 14)

    def near(melds: Col, tiles: Col, tiles1: Col, tiles2: Col) -> Col:
        return (tiles2 == 0) & (knitted_shapes(tiles1) != 0) & (melds == 0) & (tiles == 13)

    def ready(view: View, wild: int) -> int:
        if view.melds or view.tiles != 13 or max(view.counts) > 1:
            return 0
        return _try_each(view, wild, unlinked_rows)

    return WinForm(
        "honours_and_knitted",
        "全不靠",
        "honours and knitted tiles",
        unlinked_rows,
        may,
        ready=ready,
        near=near,
        batch=unlinked_batch,
    )


def unlinked_rows(view: View, form: int) -> list[Row]:
    """All readings of a hand as fourteen different honours and numbers of one knitted set."""
    if view.melds or view.tiles != 14 or max(view.counts) > 1:
        return []
    held = _held(view)
    found: dict[int, Row] = {}
    for shape, body in enumerate(BODIES, start=1):
        allowed = body | HONOURS
        if held & ~allowed:
            continue
        for filled in combinations(kinds_in(allowed & ~held & view.faces), view.wilds):
            whole = held | sum(1 << kind for kind in filled)
            found[whole] = Row(form, 0, 0, 0, NO_PAIR, whole, 0, 0, 0, shape)
    return list(found.values())


def unlinked_batch(hands: FormHands) -> tuple[Ints, dict[str, Ints], Ints]:
    """As `unlinked_rows` for many hands."""
    held, wilds = hands.columns["concealed1"][:, None], hands.columns["wilds"]
    allowed = _BODIES | HONOURS
    at, shape = np.nonzero((held & ~allowed == 0) & (hands.columns["concealed2"] == 0)[:, None])
    free = (allowed[shape] & ~held[at, 0]) & hands.book.faces
    case = wilds[at] << 8 | popcount(free)
    numbers: list[Ints] = []
    filled: list[Ints] = []
    for chosen in np.unique(case).tolist():
        few, among = chosen >> 8, chosen & 0xFF
        which = np.flatnonzero(case == chosen)
        kinds = np.nonzero(free[which, None] >> np.arange(34) & 1)[1].reshape(len(which), among)
        choices = np.array(list(combinations(range(among), few)), np.int64).reshape(comb(among, few), few)
        bits = (np.int64(1) << kinds[:, choices]).sum(axis=2) if few else np.zeros((len(which), 1), np.int64)
        numbers.append(np.repeat(which, bits.shape[1]))
        filled.append(bits.reshape(-1))
    number = np.concatenate(numbers or [_NONE])
    order = np.argsort(number, kind="stable")
    number = number[order]
    of = at[number]
    whole = held[of, 0] | np.concatenate(filled or [_NONE])[order]
    return of, {"has1": whole, "pair": np.full(len(of), NO_PAIR), "shape": shape[number] + 1}, _NONE


_NONE: Final[Ints] = np.zeros(0, np.int64)


def _try_each(view: View, wild: int, read: Callable[[View, int], list[Row]]) -> int:
    """The kinds that complete the hand, found by reading it with each of them."""
    return sum(
        1 << kind
        for kind in range(34)
        if (wild >> kind & 1 or (view.faces >> kind & 1 and view.counts[kind] < 4))
        and read(with_tile(view, kind, wild), 0)
    )
