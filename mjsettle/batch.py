"""Judging many hands at once: hands become rows, rows get columns, fans are columns, the best row of each hand wins.

The same compiled program that judges one hand runs here on arrays; a conformance test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mjsettle.columns import NO_PAIR
from mjsettle.hand_columns import columns_of
from mjsettle.hands import Hand
from mjsettle.judge import Judgement, count_fans
from mjsettle.places import expand, kinds_filled
from mjsettle.reading_batch import standard_batch
from mjsettle.readings import ROW_COLUMNS, Ints, Row, View, fifth_with_melds
from mjsettle.ruleset import RuleSet
from mjsettle.winforms import FormHands

_ROWS_MOST: Final = 40_960
"""Rows per round through the columns, about: fewer leave more of the time to the calls, more cost memory and cache."""
# About how many rows a hand with so many wilds has; from there on each wild makes five times as many.
_ROWS_OF_WILDS: Final = np.array([2 * 1, 2 * 3, 2 * 9, 2 * 35, 2 * 150, *(300 * 5**more for more in range(1, 15))])

# glibc gives freed memory back to the system as soon as more than 128 KiB of it lie free, and the next chunk's columns
# then cost a page fault for every 4 KiB, which is about as much as all the arithmetic. It learns from the largest block
# ever freed (mallopt, M_MMAP_THRESHOLD): after this one, which is never touched, up to 60 MB stay with the process.
np.empty(30 << 20, np.uint8)

_TILE_PLANES: Final = ("concealed1", "concealed2", "concealed3", "concealed4")
_MELD_PLANES: Final = ("meld1", "meld2", "meld3", "meld4")
_HAS: Final = ("has1", "has2", "has3", "has4")
# A row's order within its hand: its number, the kind that the winning tile stands for, and the tile's place.
_KIND_BITS: Final = 6
_PLACE_BITS: Final = 3
_PLACE_MASK: Final = (1 << _PLACE_BITS) - 1


@dataclass(slots=True)
class Scores:
    """The best reading of every hand of a batch.

    won: (N,) whether a legal reading exists; the other arrays have one entry per winning hand, in hand order.
    hands: their numbers; total, score, qualifies: as in Judgement; times: (fans, M); dynamic: values of the fans
    whose value is a column, by fan number; rows: the reading columns of the best rows, where they were asked for;
    prefer: as in Judgement.
    """

    won: np.ndarray[Any, Any]
    hands: Ints
    total: Ints
    score: Ints
    qualifies: Ints
    times: np.ndarray[Any, Any]
    dynamic: dict[int, Ints]
    rows: dict[str, Ints]
    prefer: Ints


def score_columns(
    ruleset: RuleSet,
    columns: Mapping[str, Ints],
    keys: Ints,
    remainders: Ints,
    view_of: Callable[[int], View],
    every_column: bool = False,
) -> Scores:
    """Judge N hands given as columns.

    columns: the program's hand inputs (and, for win forms and places, wilds, win_tile, win_wild, concealed planes),
    each (N,) int64; keys: (N, 4); remainders: (N,), see `standard_batch`; view_of(hand number): its View, asked only
    for hands that a form without a batch reader may have. every_column: keep all reading columns of the best rows.
    """
    program = ruleset.program
    n = len(keys)
    spread = [_whole(value, n) for value in program.hand_stage(*[columns[name] for name in program.hand_inputs])]
    placed = "place" in program.reading_inputs or "won" in program.reading_inputs
    wanted = set(ROW_COLUMNS) if every_column else set(program.reading_inputs) & set(ROW_COLUMNS)
    wanted |= {"form"} | ({"chows", "pungs", "pair"} if placed else set())
    if placed and columns["win_wild"].any():
        wanted |= set(ROW_COLUMNS)
    # Tiles stand for themselves where nothing is wild.
    as_held = wanted & set(_HAS) if not columns["wilds"].any() else set()
    rows_of, rows = _read(ruleset, columns, keys, remainders, view_of, spread, wanted - as_held)
    for has, held in zip(_HAS, _TILE_PLANES, strict=True):
        if has in as_held:
            rows[has] = columns[held].take(rows_of)
    order = np.arange(len(rows_of))
    if placed:
        rows_of, rows, order = _place(columns, rows_of, rows)
    winners, rows_of, rows, order = _firsts_first(n, rows_of, rows, order)
    k, m = len(winners), len(rows_of)
    of_first = spread if k == n else [value.take(winners) for value in spread]
    again = rows_of[k:]
    late = [np.concatenate([own, value.take(again)]) for own, value in zip(of_first, spread, strict=True)]
    out = program.reading_columns(m, *late, *[rows[name] for name in program.reading_inputs])
    times, values = out[0], out[1:-5]
    total, valid, qualifies, score, prefer = (_whole(value, m) for value in out[-5:])
    best = _best(n, rows_of, order, valid != 0, (qualifies != 0, score, total, prefer))
    if len(best) == k:
        # Most hands are best read as they are read first, so only the others' fans are moved.
        moved = np.flatnonzero(best != np.arange(k))
        better = times.take(best[moved], axis=1)
        times = times[:, :k]
        times[:, moved] = better
    else:
        times = times.take(best, axis=1)
    dynamic = {number: _whole(value, m)[best] for number, value in zip(program.dynamic, values, strict=True)}
    hands = rows_of[best]
    won = np.zeros(n, np.bool_)
    won[hands] = True
    kept = {name: column.take(best) for name, column in rows.items()} if every_column else {}
    return Scores(won, hands, total[best], score[best], qualifies[best], times, dynamic, kept, prefer[best])


def _firsts_first(
    n: int, rows_of: Ints, rows: dict[str, Ints], order: Ints
) -> tuple[Ints, Ints, dict[str, Ints], Ints]:
    """The rows so that the first row of every hand stands first, in hand order, and the others after them.

    What is computed per hand is then spread over the rows by copying whole columns. Answers with the hands that have
    rows, then with the arguments in this order.
    """
    m = len(rows_of)
    first = np.full(n, -1, np.int64)
    first[rows_of[::-1]] = np.arange(m - 1, -1, -1)
    winners = np.arange(n)
    if (first < 0).any():
        winners = np.flatnonzero(first >= 0)
        first = first[winners]
    if (first == np.arange(len(first))).all():
        return winners, rows_of, rows, order
    other = np.ones(m, np.bool_)
    other[first] = False
    moved = np.concatenate([first, np.flatnonzero(other)])
    return winners, rows_of[moved], {name: column.take(moved) for name, column in rows.items()}, order[moved]


def _whole(value: Any, n: int) -> Any:
    """A program's value as a column: functions may answer with one number for all."""
    return value if isinstance(value, np.ndarray) else np.full(n, value, np.int64)


def _read(
    ruleset: RuleSet,
    columns: Mapping[str, Ints],
    keys: Ints,
    remainders: Ints,
    view_of: Callable[[int], View],
    spread: Sequence[Any],
    wanted: set[str],
) -> tuple[Ints, dict[str, Ints]]:
    """All rows of all hands, those of a hand in the order of the rule set's forms and of the forms' readings."""
    parts: list[tuple[Ints, dict[str, Ints]]] = []
    for number, form in enumerate(ruleset.forms):
        if form.standard:
            got = wanted | (set(_HAS) if ruleset.policy.fifth_copy == "melds" else set())
            rows_of, rows = standard_batch(keys, remainders, columns["wilds"], ruleset.book, frozenset(got))
            rows["form"] = np.full(len(rows_of), number, np.int64)
            if "shape" in wanted:
                rows["shape"] = np.zeros(len(rows_of), np.int64)
            if ruleset.policy.fifth_copy == "melds" and len(rows_of) and columns["wilds"].any():
                rows_of, rows = _without_fifths(columns, rows_of, rows)
            parts.append((rows_of, rows))
            continue
        if form.may is None:
            hits = np.arange(len(keys))
        else:
            fits = form.may(*[spread[at] for at in ruleset.may_arguments(form)])
            hits = np.flatnonzero(_whole(fits, len(keys)))
        if form.batch is not None and len(hits):
            picked = {name: columns[name][hits] for name in (*_TILE_PLANES, *_MELD_PLANES, "wilds")}
            of, got_rows, left = form.batch(FormHands(picked, keys[hits], remainders[hits], ruleset.book))
            nothing = np.zeros(len(of), np.int64)
            read = {name: got_rows.get(name, nothing) for name in wanted}
            read["form"] = np.full(len(of), number, np.int64)
            parts.append((hits[of], read))
            hits = hits[left]
        found = [(int(hand), row) for hand in hits.tolist() for row in form.read(view_of(hand), number)]
        if found:
            table = np.array([row for _, row in found], np.int64).T
            read = {name: table[at] for at, name in enumerate(ROW_COLUMNS) if name in wanted}
            parts.append((np.array([hand for hand, _ in found], np.int64), read))
    if len(parts) == 1:
        return parts[0]
    rows_of = np.concatenate([part[0] for part in parts])
    return rows_of, {name: np.concatenate([part[1][name] for part in parts]) for name in wanted}


def _without_fifths(columns: Mapping[str, Ints], rows_of: Ints, rows: dict[str, Ints]) -> tuple[Ints, dict[str, Ints]]:
    bad = fifth_with_melds(
        [rows[name] for name in _HAS],
        [columns[name][rows_of] for name in _MELD_PLANES],
        [columns[name][rows_of] for name in _TILE_PLANES],
    )
    keep = np.flatnonzero(bad == 0)
    return rows_of[keep], {name: column[keep] for name, column in rows.items()}


def _place(columns: Mapping[str, Ints], rows_of: Ints, rows: dict[str, Ints]) -> tuple[Ints, dict[str, Ints], Ints]:
    """One row for each place that the winning tile may have in it: hands, columns, and their order within a hand."""
    won = columns["win_tile"].take(rows_of)
    order = np.arange(len(rows_of))
    wild = columns["win_wild"].take(rows_of) != 0
    if wild.any():
        natural, wilds = np.flatnonzero(~wild), np.flatnonzero(wild)
        has = [rows[name][wilds] for name in _HAS]
        own, kind = kinds_filled(has, [columns[name][rows_of[wilds]] for name in _TILE_PLANES], won[wilds])
        at = np.concatenate([natural, wilds[own]])
        won = np.concatenate([won[natural], kind])
        order = at << _KIND_BITS | won
        rows_of, rows = rows_of[at], {name: column[at] for name, column in rows.items()}
    first, again, places = expand(rows["chows"], rows["pungs"], rows["pair"], won)
    order = order << _PLACE_BITS | first
    if len(again):
        rows = {name: np.concatenate([column, column.take(again)]) for name, column in rows.items()}
        order = np.concatenate([order, order.take(again) & ~_PLACE_MASK | places])
        rows_of, won = np.concatenate([rows_of, rows_of.take(again)]), np.concatenate([won, won.take(again)])
        first = np.concatenate([first, places])
    rows["place"], rows["won"] = first, won
    return rows_of, rows, order


def _best(hands: int, rows_of: Ints, order: Ints, valid: Any, ranks: Sequence[Any]) -> Ints:
    """The row numbers of each hand's best valid row, in hand order: the greatest by the ranks in turn, then the first.

    order: what comes first within a hand.
    """
    alive = np.arange(len(rows_of)) if valid.all() else np.flatnonzero(valid)
    of = rows_of if len(alive) == len(rows_of) else rows_of[alive]
    best: Ints = np.full(hands, -1, np.int64)
    best[of] = alive
    several = np.flatnonzero(np.bincount(of, minlength=hands).take(of) > 1)
    if len(several):
        rows = alive[several]
        rows = rows[np.lexsort((order[rows], rows_of[rows]))]
        rows = _best_of_several(rows_of, rows, ranks)
        best[rows_of[rows]] = rows
    found: Ints = best[best >= 0]
    return found


def _best_of_several(rows_of: Ints, alive: Ints, ranks: Sequence[Any]) -> Ints:
    for rank in ranks:
        hands = rows_of[alive]
        starts = np.flatnonzero(np.concatenate([[True], hands[1:] != hands[:-1]]))
        if len(starts) == len(hands):
            return alive
        values = rank[alive]
        greatest = np.maximum.reduceat(values, starts)
        alive = alive[values == np.repeat(greatest, np.diff(np.append(starts, len(hands))))]
    hands = rows_of[alive]
    first: Ints = alive[np.concatenate([[True], hands[1:] != hands[:-1]])]
    return first


def chunks(wilds: Ints) -> Iterator[slice]:
    """Cut hands with so many wilds into pieces that have about as many rows as go through the columns at once."""
    rows = np.cumsum(_ROWS_OF_WILDS.take(wilds, mode="clip"))
    start = 0
    while start < len(wilds):
        done = rows[start - 1] if start else 0
        # Pieces of like size: a small last one would cost as many calls as the others.
        left = int(rows[-1] - done)
        fair = left // -(-left // _ROWS_MOST) + 1
        stop = max(start + 1, int(np.searchsorted(rows, done + fair, "right")))
        yield slice(start, stop)
        start = stop


def judge_batch(ruleset: RuleSet, hands: Sequence[Hand]) -> list[Judgement | None]:
    """As `judge`, for many hands."""
    found: list[Judgement | None] = []
    for chunk in chunks(np.array([hand.tiles.wilds for hand in hands], np.int64)):
        found.extend(_judge_chunk(ruleset, hands[chunk]))
    return found


def _judge_chunk(ruleset: RuleSet, hands: Sequence[Hand]) -> list[Judgement | None]:
    columns, keys, remainders = columns_of(hands, ruleset)
    scores = score_columns(ruleset, columns, keys, remainders, lambda at: hands[at].view, every_column=True)
    judged: list[Judgement | None] = [None] * len(hands)
    rows = zip(*[scores.rows[name].tolist() for name in ROW_COLUMNS], strict=True)
    nothing = [0] * len(scores.hands)
    places = scores.rows["place"].tolist() if "place" in scores.rows else nothing
    won = scores.rows["won"].tolist() if "won" in scores.rows else [NO_PAIR] * len(nothing)
    totals, points, qualifies = scores.total.tolist(), scores.score.tolist(), scores.qualifies.tolist()
    preferred = scores.prefer.tolist()
    # The fans that count, hand after hand: most of a rule set's fans do not.
    by_hand = scores.times.T
    of, fans = np.nonzero(by_hand)
    ends = np.cumsum(np.bincount(of, minlength=len(by_hand))).tolist()
    times = list(zip(fans.tolist(), by_hand[of, fans].tolist(), strict=True))
    dynamic = {number: values.tolist() for number, values in scores.dynamic.items()}
    start = 0
    for at, (number, row) in enumerate(zip(scores.hands.tolist(), rows, strict=True)):
        values = {fan: listed[at] for fan, listed in dynamic.items()} if dynamic else dynamic
        counted = count_fans(ruleset, times[start : ends[at]], values, totals[at])
        start = ends[at]
        judged[number] = Judgement(
            ruleset,
            hands[number],
            Row(*row),
            places[at],
            won[at],
            counted,
            totals[at],
            points[at],
            bool(qualifies[at]),
            int(preferred[at]),
        )
    return judged
