"""Judging many hands at once: hands become rows, rows get columns, fans are columns, the best row of each hand wins.

The same compiled program that judges one hand runs here on arrays; a conformance test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

import numpy as np

from mjsettle.columns import NO_PAIR
from mjsettle.hands import Hand
from mjsettle.judge import Judgement, count_fans, waits_in_form, wants_waits
from mjsettle.places import expand, places_of, stands_for
from mjsettle.readings import ROW_COLUMNS, Ints, Row, View, fifth_with_melds, standard_batch
from mjsettle.ready import planes_of, ready_masks_batch
from mjsettle.ruleset import RuleSet
from mjsettle.tiles import counts_of
from mjsettle.winforms import FormHands

CHUNK: Final = 8192
"""Hands per round through the columns: their rows' columns then stay in the processor's cache."""

_TILE_PLANES: Final = ("concealed1", "concealed2", "concealed3", "concealed4")
_MELD_PLANES: Final = ("meld1", "meld2", "meld3", "meld4")
_HAS: Final = ("has1", "has2", "has3", "has4")


@dataclass(slots=True)
class Scores:
    """The best reading of every hand of a batch.

    won: (N,) whether a legal reading exists; the other arrays have one entry per winning hand, in hand order.
    hands: their numbers; total, score, qualifies: as in Judgement; times: (fans, M); dynamic: values of the fans
    whose value is a column, by fan number; rows: the reading columns of the best rows; prefer: as in Judgement.
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
    if placed:
        rows_of, rows = _place(columns, rows_of, rows)
    m = len(rows_of)
    plain = m == n and bool((rows_of == np.arange(n)).all())
    late = spread if plain else [value.take(rows_of) for value in spread]
    out = program.reading_columns(m, *late, *[rows[name] for name in program.reading_inputs])
    times, values = out[0], out[1:-5]
    total, valid, qualifies, score, prefer = (_whole(value, m) for value in out[-5:])
    best = _best(rows_of, valid != 0, (qualifies != 0, score, total, prefer))
    if len(best) < m:
        times = times.take(best, axis=1)
    dynamic = {number: _whole(value, m)[best] for number, value in zip(program.dynamic, values, strict=True)}
    won = np.zeros(n, np.bool_)
    won[rows_of[best]] = True
    return Scores(
        won,
        rows_of[best],
        total[best],
        score[best],
        qualifies[best],
        times,
        dynamic,
        {name: column.take(best) for name, column in rows.items()},
        prefer[best],
    )


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
    """All rows of all hands, in hand order and within a hand in the order of the rule set's forms."""
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
    order = np.argsort(rows_of, kind="stable")
    return rows_of[order], {name: np.concatenate([part[1][name] for part in parts])[order] for name in wanted}


def _without_fifths(columns: Mapping[str, Ints], rows_of: Ints, rows: dict[str, Ints]) -> tuple[Ints, dict[str, Ints]]:
    bad = fifth_with_melds(
        [rows[name] for name in _HAS],
        [columns[name][rows_of] for name in _MELD_PLANES],
        [columns[name][rows_of] for name in _TILE_PLANES],
    )
    keep = np.flatnonzero(bad == 0)
    return rows_of[keep], {name: column[keep] for name, column in rows.items()}


def _place(columns: Mapping[str, Ints], rows_of: Ints, rows: dict[str, Ints]) -> tuple[Ints, dict[str, Ints]]:
    """One row for each place that the winning tile may have in it."""
    at, place, won = expand(rows, columns["win_tile"][rows_of])
    wild = columns["win_wild"][rows_of] != 0
    if wild.any():
        natural = ~wild[at]
        extra = [
            (number, int(spot), kind)
            for number in np.flatnonzero(wild).tolist()
            for row, hand in [(_row_at(rows, number), int(rows_of[number]))]
            for kind in stands_for(row, int(columns["win_tile"][hand]), 1, _planes_at(columns, hand))
            for spot in places_of(row, kind)
        ]
        table = np.array(extra, np.int64).reshape(-1, 3)
        at = np.concatenate([at[natural], table[:, 0]])
        place = np.concatenate([place[natural], table[:, 1]])
        won = np.concatenate([won[natural], table[:, 2]])
        order = np.argsort(at, kind="stable")
        at, place, won = at[order], place[order], won[order]
    placed = {name: column[at] for name, column in rows.items()}
    placed["place"], placed["won"] = place, won
    return rows_of[at], placed


def _row_at(rows: Mapping[str, Ints], number: int) -> Row:
    return Row(*[int(rows[name][number]) for name in ROW_COLUMNS])


def _planes_at(columns: Mapping[str, Ints], hand: int) -> tuple[int, int, int, int]:
    one, two, three, four = (int(columns[name][hand]) for name in _TILE_PLANES)
    return one, two, three, four


def _best(rows_of: Ints, valid: Any, ranks: Sequence[Any]) -> Ints:
    """The row numbers of each hand's best valid row: the greatest by the ranks in turn, then the first."""
    alive = np.arange(len(rows_of)) if valid.all() else np.flatnonzero(valid)
    hands = rows_of if len(alive) == len(rows_of) else rows_of[alive]
    again = hands[1:] == hands[:-1]
    if not again.any():
        return alive
    several = np.concatenate([again, [False]]) | np.concatenate([[False], again])
    found = np.concatenate([alive[~several], _best_of_several(rows_of, alive[several], ranks)])
    found.sort()
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
    return alive[np.concatenate([[True], hands[1:] != hands[:-1]])]


def judge_batch(ruleset: RuleSet, hands: Sequence[Hand]) -> list[Judgement | None]:
    """As `judge`, for many hands."""
    found: list[Judgement | None] = []
    for start in range(0, len(hands), CHUNK):
        found.extend(_judge_chunk(ruleset, hands[start : start + CHUNK]))
    return found


def _judge_chunk(ruleset: RuleSet, hands: Sequence[Hand]) -> list[Judgement | None]:
    program = ruleset.program
    names = [*dict.fromkeys([*program.hand_inputs, "wilds", "win_tile", "win_wild", *_TILE_PLANES, *_MELD_PLANES])]
    if wants_waits(ruleset):
        _add_waits(ruleset, hands)
    pick = itemgetter(*names)
    table = np.array([pick(hand.columns) for hand in hands], np.int64).T.copy()
    columns = dict(zip(names, table, strict=True))
    keys = np.array([hand.view.keys for hand in hands], np.int64)
    remainders = np.array([hand.remainder for hand in hands], np.int64)
    scores = score_columns(ruleset, columns, keys, remainders, lambda at: hands[at].view, every_column=True)
    judged: list[Judgement | None] = [None] * len(hands)
    rows = zip(*[scores.rows[name].tolist() for name in ROW_COLUMNS], strict=True)
    nothing = [0] * len(scores.hands)
    places = scores.rows["place"].tolist() if "place" in scores.rows else nothing
    won = scores.rows["won"].tolist() if "won" in scores.rows else [NO_PAIR] * len(nothing)
    totals, points, qualifies = scores.total.tolist(), scores.score.tolist(), scores.qualifies.tolist()
    preferred = scores.prefer.tolist()
    times = scores.times.T.tolist()
    dynamic = {number: values.tolist() for number, values in scores.dynamic.items()}
    for at, (number, row) in enumerate(zip(scores.hands.tolist(), rows, strict=True)):
        values = {fan: listed[at] for fan, listed in dynamic.items()}
        counted = count_fans(ruleset, times[at], values, totals[at])
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


def _add_waits(ruleset: RuleSet, hands: Sequence[Hand]) -> None:
    """Put `waits` and `formal_waits` into the hands' columns."""
    before = [hand.before() for hand in hands]
    counts = np.array([view.counts for view in before], np.uint8)
    tiles = {
        "counts": counts,
        "held": np.array([counts_of(hand.tiles.codes[:-1]) for hand in hands], np.uint8),
        "melded": np.array([_plane_counts(view.meld_planes) for view in before], np.uint8),
        "wilds": np.array([view.wilds for view in before], np.int64),
        "melds": np.array([view.melds for view in before], np.int64),
        "tiles": np.array([len(hand.tiles.codes) - 1 for hand in hands], np.int64),
        **{f"tiles{least}": mask for least, mask in enumerate(planes_of(counts), start=1)},
    }
    wild = np.array([sum(1 << kind for kind in hand.wild if kind < 34) for hand in hands], np.int64)
    live, formal = ready_masks_batch(
        ruleset.forms,
        ruleset.policy,
        ruleset.faces,
        tiles,
        wild,
        lambda at: before[at],
        lambda at, form: waits_in_form(ruleset, hands[at], form),
    )
    for hand, waits, all_waits in zip(hands, live.tolist(), formal.tolist(), strict=True):
        hand.columns["waits"], hand.columns["formal_waits"] = waits, all_waits


def _plane_counts(planes: Sequence[int]) -> list[int]:
    return [sum(plane >> kind & 1 for plane in planes) for kind in range(34)]
