"""mjsettle beside other engines, on the same hands in one run: ``make bench-peers``.

Everything runs in one process on one core and is timed by the process's own CPU time, in turns, the least time of each
counting. A peer that is not installed is left out and says why. Where engines answer alike, their answers are compared.
``--markdown FILE`` writes the tables as Markdown.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from tests.benchmarks.calibration import side_by_side

Call = Callable[[], Any]


@dataclass(slots=True)
class Comparison:
    """What was timed: calls by name, ours first, and how many hands each handles; aim: what our rate should be."""

    what: str
    hands: int
    calls: dict[str, Call]
    aim: str = ""
    rounds: int = 5
    notes: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def run(self) -> None:
        for call in self.calls.values():
            call()
        self.seconds = side_by_side(self.calls, self.rounds)


OURS = "mjsettle"


def guobiao(notes: list[str], hands: int) -> list[Comparison]:
    """Guobiao's fans beside PyMahjongGB's."""
    from tests.benchmarks.corpus import batch_of, engine, fresh, guobiao_hands, strings
    from tests.oracles.guobiao_peer import peer_arguments

    try:
        calculate = import_module("MahjongGB").MahjongFanCalculator
    except ImportError as error:
        notes.append(f"PyMahjongGB is left out: {error}")
        return []
    from mjsettle import HandBatch
    from mjsettle.hand_batch import score_batch

    ruleset = engine().rule_set("guobiao", {"min_fan": 0})
    found = []
    for what, concealed in (("hands of every form", False), ("hands without melds", True)):
        some = guobiao_hands(hands, concealed)
        arguments = [peer_arguments(hand) for hand in some]
        batch = batch_of(some)
        tiles, wins, melds, situation = strings(some)

        def theirs(arguments: Sequence[tuple[Any, ...]] = arguments) -> list[Any]:
            return [calculate(*each) for each in arguments]

        def arrays(batch: HandBatch = batch) -> Any:
            return score_batch(ruleset, fresh(batch))

        def objects(
            tiles: list[str] = tiles, wins: list[str] = wins, melds: Any = melds, situation: Any = situation
        ) -> Any:
            scores = score_batch(ruleset, HandBatch.read(tiles, wins, melds, **situation))
            return scores.fan_names(), scores.total.tolist()

        totals = [sum(points * times for points, times, *_ in fans) for fans in theirs()]
        wrong = int((arrays().total != np.array(totals)).sum())
        same = f"guobiao, {what}: {wrong} of {hands} totals differ from PyMahjongGB's"
        found.append(
            Comparison(f"arrays to fans and totals, {what}", hands, {OURS: arrays, "PyMahjongGB": theirs}, "10")
        )
        found.append(
            Comparison(f"strings to names and totals, {what}", hands, {OURS: objects, "PyMahjongGB": theirs}, "4")
        )
        found[-2].notes.append(same)
    return found


def riichi(notes: list[str], hands: int) -> list[Comparison]:
    """Riichi's points beside mahjong, riichienv and mahjax."""
    from mjsettle.hand_batch import score_batch
    from mjsettle.shanten import shanten_batch
    from mjsettle.waits import waits_batch
    from tests.benchmarks import riichi_peers
    from tests.benchmarks.corpus import engine, fresh
    from tests.benchmarks.riichi import plain_wins, riichi_batch

    ruleset = engine().rule_set("riichi", riichi_peers.OPTIONS)
    wins = plain_wins(hands)
    batch = riichi_batch(wins)
    scores = score_batch(ruleset, batch)
    limits = [fan.id for fan in ruleset.fans if fan.cite.endswith("役満")]
    yakuman = np.isin(scores.fan_ids, limits) @ (scores.times != 0) > 0
    ours: list[riichi_peers.Answer] = [
        None if not fits else "yakuman" if limit else (int(han), int(fu))
        for han, fu, fits, limit in zip(scores.total, scores.prefer, scores.qualifies, yakuman, strict=True)
    ]
    found = []
    aims = {"mahjong": "", "riichienv": "4", "mahjax": "1"}
    for name, build in riichi_peers.SCORERS.items():
        try:
            call, answers = build(wins)
        except ImportError as error:
            notes.append(f"{name} is left out: {error}")
            continue
        comparison = Comparison(
            f"riichi hands to han, fu and points beside {name}",
            hands,
            {OURS: lambda: score_batch(ruleset, fresh(batch)), name: call},
            aims[name],
            3,
        )
        theirs = answers()
        unlike = [at for at in range(hands) if ours[at] != theirs[at]]
        closed = [at for at in unlike if not wins[at].melds]
        comparison.notes.append(
            f"riichi: {len(unlike)} of {hands} hands differ from {name}'s han and fu, {len(closed)} of them closed"
        )
        for at in (closed or unlike)[:3]:
            comparison.notes.append(f"  e.g. {wins[at]}: {ours[at]} here, {theirs[at]} there")
        found.append(comparison)
    counts, tiles = riichi_peers.thirteen(wins)
    peers = riichi_peers.hand_peers(tiles, notes)
    if "waits" in peers:
        found.append(
            Comparison(
                "waits of 13 tiles", len(tiles), {OURS: lambda: waits_batch(counts), "riichienv": peers["waits"]}, "1"
            )
        )
        found.append(
            Comparison(
                "shanten of 13 tiles",
                len(tiles),
                {OURS: lambda: shanten_batch(counts), "riichienv": peers["shanten"]},
                "1",
            )
        )
    return found


def one_hand(notes: list[str], hands: int) -> list[Comparison]:
    """One hand at a time, from a parsed round: median and P99 beside `mahjong` scoring the same hand."""
    import time

    from mjsettle.rounds import round_of
    from tests.benchmarks import riichi_peers
    from tests.benchmarks.corpus import engine
    from tests.benchmarks.riichi import plain_wins

    wins = plain_wins(hands)
    try:
        each = riichi_peers.mahjong_calls(wins)
    except ImportError as error:
        notes.append(f"mahjong is left out: {error}")
        return []
    rounds = [round_of(riichi_peers.wire(win, at)) for at, win in enumerate(wins)]
    settle = engine().settle

    def spread(call: Callable[[int], Any]) -> np.ndarray[Any, Any]:
        times = np.zeros((5, len(wins)))
        for turn in times:
            for at in range(len(wins)):
                began = time.process_time()
                call(at)
                turn[at] = time.process_time() - began
        least: np.ndarray[Any, Any] = times.min(axis=0) * 1e6
        return least

    ours, theirs = spread(lambda at: settle([rounds[at]])), spread(lambda at: each[at]())
    for name, times in ((OURS + ", round settled whole", ours), ("mahjong, hand scored", theirs)):
        quarter = [float(np.percentile(times, share)) for share in (50, 95, 99, 99.9)]
        notes.append(
            f"one riichi hand, {name}: median {quarter[0]:.0f} µs, P95 {quarter[1]:.0f}, P99 {quarter[2]:.0f} "
            f"({quarter[2] / quarter[0]:.1f} times the median), P99.9 {quarter[3]:.0f}"
        )
    notes.append(
        f"one riichi hand: our median is {np.median(ours) / np.median(theirs):.2f} of mahjong's (aim: at most 1)"
    )
    return []


def tables(comparisons: Sequence[Comparison]) -> tuple[list[str], list[list[str]]]:
    head = ["what", "hands", "ours, µs a hand", "peer", "peer, µs a hand", "our rate / peer's", "aim"]
    rows = []
    for one in comparisons:
        ours = one.seconds[OURS]
        for name, seconds in one.seconds.items():
            if name != OURS:
                rows.append(
                    [
                        one.what,
                        f"{one.hands:,}",
                        f"{ours / one.hands * 1e6:.3f}",
                        name,
                        f"{seconds / one.hands * 1e6:.3f}",
                        f"{seconds / ours:.2f}",
                        f"{one.aim} or more" if one.aim else "",
                    ]
                )
    return head, rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options.add_argument("--hands", type=int, default=20_000)
    given = options.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    console = Console(width=150)
    notes: list[str] = []
    comparisons: list[Comparison] = []
    for part in (guobiao, riichi):
        for comparison in part(notes, given.hands):
            comparison.run()
            comparisons.append(comparison)
            notes += comparison.notes
    one_hand(notes, min(given.hands, 1_000))
    head, rows = tables(comparisons)
    table = Table(title=f"mjsettle beside its peers, one core, Python {platform.python_version()}")
    for at, name in enumerate(head):
        table.add_column(name, justify="left" if at in (0, 3, 6) else "right")
    for row in rows:
        table.add_row(*row)
    console.print(table)
    for note in notes:
        console.print(note, highlight=False)
    if given.markdown:
        lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        given.markdown.write_text("\n".join([*lines, "", *(f"* {note}" for note in notes)]) + "\n")


if __name__ == "__main__":
    main()
