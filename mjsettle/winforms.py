"""Win forms (胡牌牌型): the shapes in which a hand may be complete. A rule set names those it plays with.

A form reads a hand into rows. `may` is a cheap test over hand columns that spares the reading of hands that cannot
have the form; `read` is exact and looks at one hand. The standard form also has `batch`, which reads many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from mjsettle.columns import NO_PAIR, ORPHANS, Col, popcount
from mjsettle.reading_batch import SuitBook
from mjsettle.readings import Ints, Row, View, standard_rows, with_tile
from mjsettle.suits import planes

Reader = Callable[[View, int], Sequence[Row]]


class FormHands(NamedTuple):
    """N hands that may have a form, for its batch reader."""

    columns: Mapping[str, Ints]
    """The hand columns `concealed1` to `concealed4`, `meld1` to `meld4` and `wilds`."""
    keys: Ints
    """(N, 4): the keys of View."""
    remainders: Ints
    """(N,): the four tile counts modulo 3 as 27 * m + 9 * p + 3 * s + z, as `standard_batch` wants them."""
    book: SuitBook
    """The rule set's book of suit readings, with its wildcard `policy` and the `faces` of wild tiles."""


BatchReader = Callable[[FormHands], tuple[Ints, dict[str, Ints], Ints]]


@dataclass(frozen=True, slots=True)
class WinForm:
    """A win form: its id, its Chinese and English titles, and how a hand is read by it.

    read: given the View of a hand and the form's number, all Rows of that hand in this form.
    may: column function over hand columns; a hand for which it is 0 is not read.
    ready: given the View before the winning tile and the mask of the wild kinds, the mask of the kinds that complete
        the hand; None lets the core try every kind.
    near: what `may` is for `read`, for `ready`: a cheap test of `melds`, `tiles`, `wilds`, and the masks `tiles1` ..
        `tiles4` of the kinds held at least so often, all of the hand before its winning tile.
    standard: the sets-and-pair form, which batches read by table.
    batch: reads many hands at once: the hand number of each row, the reading columns but `form` (those left out are 0),
        and the numbers of the hands that it leaves to `read`. It tells the same rows as `read`.
    """

    id: str
    title: str
    english: str
    read: Reader
    may: Callable[..., Col] | None = None
    standard: bool = False
    ready: Callable[[View, int], int] | None = None
    near: Callable[..., Col] | None = None
    batch: BatchReader | None = None


_NONE_LEFT: Final[Ints] = np.zeros(0, np.int64)


def standard() -> WinForm:
    """Sets and one pair, for any number of tiles (平胡型)."""
    return WinForm("standard", "平胡型", "sets and a pair", standard_rows, standard=True)


def pairs(
    id: str = "seven_pairs",
    title: str = "七对",
    english: str = "seven pairs",
    *,
    count: int = 7,
    four_as_two: bool = True,
    single: bool = False,
    triplet: bool = False,
) -> WinForm:
    """A concealed hand of `count` pairs; with `single` or `triplet`, of one single tile or one pung more.

    four_as_two: four of a kind may be two of the pairs.
    """
    size = 2 * count + (1 if single else 3 if triplet else 0)
    odd_kinds = 1 if single or triplet else 0

    def may(
        melds: Col, hand_tiles: Col, wilds: Col, concealed1: Col, concealed2: Col, concealed3: Col, concealed4: Col
    ) -> Col:
        odd = (concealed1 & ~concealed2) | (concealed3 & ~concealed4)
        return (melds == 0) & (hand_tiles == size) & (popcount(odd) <= wilds + odd_kinds)

    def read(view: View, form: int) -> list[Row]:
        if view.melds or view.tiles != size:
            return []
        if not odd_kinds:
            return [_pair_row(form, counts, 0) for counts in _even(view, -1, view.wilds, four_as_two)]
        return [
            _pair_row(form, counts, 0 if single else 1 << kind)
            for kind in range(34)
            for counts in _even(view, kind, view.wilds, four_as_two)
            if single or counts[kind] >= 3
        ]

    def near(melds: Col, tiles: Col, wilds: Col, tiles1: Col, tiles2: Col, tiles3: Col, tiles4: Col) -> Col:
        odd = (tiles1 & ~tiles2) | (tiles3 & ~tiles4)
        return (melds == 0) & (tiles == size - 1) & (popcount(odd) <= wilds + odd_kinds + 1)

    def ready(view: View, wild: int) -> int:
        if view.melds or view.tiles != size - 1:
            return 0
        return sum(
            1 << kind
            for kind in range(34)
            if view.faces >> kind & 1 and view.counts[kind] < 4 and read(with_tile(view, kind, wild), 0)
        )

    def ready_by_parity(view: View, wild: int) -> int:
        if view.melds or view.tiles != size - 1:
            return 0
        odd = sum(1 << kind for kind, count in enumerate(view.counts) if count & 1)
        if odd.bit_count() + 1 <= view.wilds:
            return view.faces
        return (
            (odd | (wild if odd.bit_count() <= view.wilds + 1 else 0)) & view.faces
            if (odd.bit_count() - 1 <= view.wilds)
            else 0
        )

    def ready_with_triplet(view: View, wild: int) -> int:
        if view.policy.fifth_copy != "allowed":
            return ready(view, wild)
        if view.melds or view.tiles != size - 1:
            return 0
        counts, found = list(view.counts), 0
        for kind in range(34):
            if not view.faces >> kind & 1 or counts[kind] >= 4:
                continue
            if wild >> kind & 1:
                found |= (_short_of_triplet(counts) <= view.wilds + 1) << kind
                continue
            counts[kind] += 1
            found |= (_short_of_triplet(counts) <= view.wilds) << kind
            counts[kind] -= 1
        return found

    def batch(hands: FormHands) -> tuple[Ints, dict[str, Ints], Ints]:
        return _pairs_batch(hands, four_as_two)

    by_parity = four_as_two and not odd_kinds
    with_triplet = four_as_two and triplet
    return WinForm(
        id,
        title,
        english,
        read,
        may,
        ready=ready_by_parity if by_parity else ready_with_triplet if with_triplet else ready,
        near=near,
        batch=None if odd_kinds else batch,
    )


def _short_of_triplet(counts: Sequence[int]) -> int:
    """The fewest wilds that turn the counts into pairs and one triplet, a fifth copy allowed."""
    odd = sum(count & 1 for count in counts)
    if 3 in counts:
        return odd - 1
    # One or four copies become three or five, two become three; a triplet of none takes three wilds.
    return odd + (1 if any(counts) else 3)


def _pair_row(form: int, counts: list[int], pungs: int) -> Row:
    return Row(form, 0, pungs, 0, NO_PAIR, *planes(counts))


def _pairs_batch(hands: FormHands, four_as_two: bool) -> tuple[Ints, dict[str, Ints], Ints]:
    """The pairs of many hands: wilds fill odd kinds up, and what is left of them goes two by two to any kinds."""
    one, two, three, four = (hands.columns[f"concealed{level}"] for level in range(1, 5))
    faces, fifths = hands.book.faces, hands.book.policy.fifth_copy == "allowed"
    odd = (one & ~two) | (three & ~four)
    spare = hands.columns["wilds"] - popcount(odd)
    fits = (spare >= 0) & (spare & 1 == 0) & (odd & ~faces == 0)
    free = [kind for kind in range(34) if faces >> kind & 1]
    parts: list[tuple[Ints, Ints, Ints]] = []
    for more in np.unique(spare[fits] >> 1).tolist():
        of = np.flatnonzero(fits & (spare == 2 * more))
        added = list(combinations_with_replacement(free, more))
        extra = np.array(added, np.int64).reshape(len(added), more)
        of = np.repeat(of, len(extra))
        twos, fours = one[of], three[of]
        sixes = np.zeros(len(of), np.bool_)
        for kinds in extra.T:
            bit = np.tile(np.int64(1) << kinds, len(of) // max(len(extra), 1))
            sixes |= fours & bit != 0
            fours = fours | (twos & bit)
            twos = twos | bit
        kept = np.flatnonzero((fifths | ~sixes) & (four_as_two | (fours == 0)))
        parts.append((of[kept], twos[kept], fours[kept]))
    of, twos, fours = (np.concatenate([part[at] for part in parts] or [_NONE_LEFT]) for at in range(3))
    rows = {"pair": np.full(len(of), NO_PAIR, np.int64), "has1": twos, "has2": twos, "has3": fours, "has4": fours}
    return of, rows, _NONE_LEFT


def _even(view: View, odd: int, wilds: int, four_as_two: bool) -> Iterator[list[int]]:
    """Every way to complete the counts with all wilds so that they are even, except kind `odd`, which is odd."""
    base = list(view.counts)
    for kind in range(34):
        if base[kind] % 2 != (1 if kind == odd else 0):
            if not view.faces >> kind & 1:
                return
            base[kind] += 1
            wilds -= 1
            if wilds < 0:
                return
    if wilds % 2:
        return
    free = [kind for kind in range(34) if view.faces >> kind & 1]
    for extra in combinations_with_replacement(free, wilds // 2):
        counts = base.copy()
        for kind in extra:
            counts[kind] += 2
        if _allowed(view, counts, odd, four_as_two):
            yield counts


def _allowed(view: View, counts: list[int], odd: int, four_as_two: bool) -> bool:
    if not four_as_two and any(count > (3 if kind == odd else 2) for kind, count in enumerate(counts)):
        return False
    if view.policy.fifth_copy == "allowed":
        return True
    return all(count <= 4 or count == held for count, held in zip(counts, view.counts, strict=True))


ORPHAN_KINDS: Final = tuple(kind for kind in range(34) if ORPHANS >> kind & 1)


def thirteen_orphans() -> WinForm:
    """One of each terminal and honour and a second copy of one of them, concealed (十三幺)."""

    def may(melds: Col, hand_tiles: Col, concealed1: Col, concealed2: Col, concealed3: Col) -> Col:
        stray = concealed1 & ~ORPHANS
        return (melds == 0) & (hand_tiles == 14) & (stray == 0) & (concealed3 == 0) & (popcount(concealed2) <= 1)

    def read(view: View, form: int) -> list[Row]:
        if view.melds or view.tiles != 14:
            return []
        if any(count and not ORPHANS >> kind & 1 for kind, count in enumerate(view.counts)):
            return []
        missing = sum(1 << kind for kind in ORPHAN_KINDS if not view.counts[kind])
        doubled = [kind for kind in ORPHAN_KINDS if view.counts[kind] > 1]
        if missing & ~view.faces or len(doubled) > 1 or any(view.counts[kind] > 2 for kind in doubled):
            return []
        # Tile counts leave exactly the wilds that the missing kinds and the second copy need.
        second = doubled or [kind for kind in ORPHAN_KINDS if view.faces >> kind & 1]
        return [Row(form, 0, 0, 0, kind, ORPHANS, 1 << kind, 0, 0) for kind in second]

    def ready(view: View, wild: int) -> int:
        if view.melds or view.tiles != 13:
            return 0
        return sum(
            1 << kind
            for kind in range(34)
            if (ORPHANS | wild) >> kind & 1 and view.counts[kind] < 2 and read(with_tile(view, kind, wild), 0)
        )

    def near(melds: Col, tiles: Col, tiles1: Col) -> Col:
        return (melds == 0) & (tiles == 13) & ((tiles1 & ~ORPHANS) == 0)

    def batch(hands: FormHands) -> tuple[Ints, dict[str, Ints], Ints]:
        one, doubled = hands.columns["concealed1"], hands.columns["concealed2"]
        second = np.where(doubled != 0, doubled, ORPHANS & hands.book.faces)
        second = np.where(ORPHANS & ~one & ~hands.book.faces == 0, second, 0)
        of, kind = np.nonzero(second[:, None] >> np.arange(34) & 1)
        pair = kind.astype(np.int64)
        return of, {"has1": np.full(len(of), ORPHANS), "has2": np.int64(1) << pair, "pair": pair}, _NONE_LEFT

    return WinForm("thirteen_orphans", "十三幺", "thirteen orphans", read, may, ready=ready, near=near, batch=batch)


def shapeless(id: str, title: str, english: str, when: Callable[..., Col]) -> WinForm:
    """A win that asks for no shape (四鬼胡, 将将胡): one reading without sets whenever `when` holds.

    when: column function over hand columns. Wild tiles stand for nothing in such a reading.
    """

    def read(view: View, form: int) -> list[Row]:
        return [Row(form, 0, 0, 0, NO_PAIR, *planes(list(view.counts)))]

    return WinForm(id, title, english, read, when)
