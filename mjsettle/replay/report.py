"""A replay as one HTML page: counts, plots, and the largest differences with both explanations. It loads nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec

from mjsettle.explain import explain
from mjsettle.hand_deltas import folded_wire
from mjsettle.replay.compare import KINDS, Change, Difference, Tally
from mjsettle.replay.plots import bars, two_sided

TITLES: Final = {
    "points": "other points",
    "now_refused": "refused now",
    "now_settled": "settled now",
    "reading": "other wins or payments",
    "next": "another next round",
    "errors": "refused for other reasons",
}
FANS_SHOWN: Final = 20
RULES_SHOWN: Final = 30
_STYLE: Final = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")


def html_report(tally: Tally, change: Change, against: bool, lang: str = "en") -> str:
    """The page. against: whether recorded results were compared with; lang: of the explanations, "en" or "zh"."""
    return "".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>mjsettle replay</title>',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{_STYLE}</style></head><body><h1>Replay</h1>",
            f'<p class="dim">{escape(headline(change, against))}</p>',
            _cards(tally),
            '<h2>By rule set</h2><div class="wide">',
            _rules_table(tally),
            '</div><div class="plots">',
            *_plots(tally),
            "</div>",
            *_largest(tally.largest, change, lang),
            "</body></html>",
        ]
    )


def headline(change: Change, against: bool) -> str:
    """What was compared with what."""
    before = "recorded results" if against else "rounds as they are"
    switches = ", ".join(f"{key}={msgspec.json.encode(value).decode()}" for key, value in change.options.items())
    changes = [f"edition {change.edition}"] if change.edition else []
    changes += [switches] if switches else []
    after = "rounds with " + " and ".join(changes) if changes else "rounds under the installed rules"
    only = f"; only {', '.join(change.rules)}" if change.rules else ""
    return f"{before} against {after}{only}"


def _cards(tally: Tally) -> str:
    moved = sum(sum(rule.moved) for rule in tally.rules.values())
    share = f"{tally.changed / tally.rounds:.2%}" if tally.rounds else "-"
    cells = [("rounds judged", f"{tally.rounds:,}"), ("differ", f"{tally.changed:,}"), ("of all", share)]
    cells.append(("points moved", f"{moved:,}"))
    for title, count in (
        ("unreadable", tally.unreadable),
        ("of other rules", tally.left_alone),
        ("no recorded result", tally.unanswered),
    ):
        if count:
            cells.append((title, f"{count:,}"))
    cards = [f'<div class="card"><b>{number}</b>{escape(title)}</div>' for title, number in cells]
    return f'<div class="cards">{"".join(cards)}</div>'


def _rules_table(tally: Tally) -> str:
    kinds = [kind for kind in KINDS if any(kind in rule.kinds for rule in tally.rules.values())]
    heads = ["rounds", "differ", *(TITLES[kind] for kind in kinds), *(f"seat {seat}" for seat in range(4)), "moved"]
    rows = []
    for name, rule in sorted(tally.rules.items(), key=lambda item: (-item[1].changed, item[0])):
        numbers = [f"{rule.rounds:,}", f"{rule.changed:,}", *(f"{rule.kinds.get(kind, 0):,}" for kind in kinds)]
        numbers += [f"{points:+,}" if points else "0" for points in rule.gained] + [f"{sum(rule.moved):,}"]
        rows.append(f"<tr><td>{escape(name)}</td>{''.join(f'<td class=n>{number}</td>' for number in numbers)}</tr>")
    head = "".join(f"<th class=n>{escape(title)}</th>" for title in heads)
    return f"<table><tr><th>rule set</th>{head}</tr>{''.join(rows)}</table>"


def _plots(tally: Tally) -> Iterator[str]:
    rules = sorted(tally.rules.items(), key=lambda item: -item[1].changed)
    yield bars("Rounds that differ, by rule set", [(name, rule.changed) for name, rule in rules[:RULES_SHOWN]])
    kinds: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    fans: Counter[str] = Counter()
    for _, rule in rules:
        kinds.update(rule.kinds)
        sizes.update(rule.sizes)
        fans.update({name: after - before for name, (before, after) in rule.fans.items() if after != before})
    yield bars("What differs", [(TITLES[kind], kinds[kind]) for kind in KINDS if kinds[kind]])
    gained = [sum(rule.gained[seat] for _, rule in rules) for seat in range(4)]
    yield two_sided("Points gained by seat", [(f"seat {seat}", points) for seat, points in enumerate(gained)])
    yield bars("Rounds by the most points a seat gained or lost", _buckets(sizes))
    shown = sorted(fans.items(), key=lambda item: -abs(item[1]))[:FANS_SHOWN]
    yield two_sided("Fans counted more or less often", sorted(shown, key=lambda item: -item[1]))


def _buckets(sizes: Mapping[int, int]) -> list[tuple[str, int]]:
    """Sizes in buckets of 1, 2, 5, 10, 20, 50 ..."""
    bounds = [0, 1]
    while bounds[-1] <= max(sizes, default=0):
        bounds.append(bounds[-1] * 5 // 2 if str(bounds[-1])[0] == "2" else bounds[-1] * 2)
    found = []
    for low, high in pairwise(bounds):
        count = sum(times for size, times in sizes.items() if low <= size < high)
        found.append((str(low) if high == low + 1 else f"{low:,} to {high - 1:,}", count))
    return [bucket for bucket in found if bucket[1]] if len(found) > 24 else found


def _largest(differences: Sequence[Difference], change: Change, lang: str) -> Iterator[str]:
    if not differences:
        yield '<p class="dim">Nothing differs.</p>'
        return
    yield f"<h2>The largest {len(differences)} differences</h2>"
    for found in differences:
        moved = "  ".join(f"seat {seat} {points:+,}" for seat, points in enumerate(found.moved))
        yield (
            f"<details><summary>line {found.line:,}, <b>{escape(str(found.id))}</b>, {escape(found.rule)}, "
            f"{escape(TITLES[found.kind])}: {escape(moved)}</summary><div class='sides'>"
            f"{_side('before', found.round, found.before, lang)}"
            f"{_side('after', change.of_wire(found.round), found.after, lang)}"
            f"</div><pre class='dim'>{escape(msgspec.json.encode(found.round).decode())}</pre></details>"
        )


def _side(title: str, record: dict[str, Any], answer: dict[str, Any], lang: str) -> str:
    return f"<div><b>{title}</b><pre>{escape(chr(10).join(story(record, answer, lang)))}</pre></div>"


def story(record: dict[str, Any], answer: dict[str, Any], lang: str) -> list[str]:
    """The explanation of a result, with its stamp; a result that does not go with its round is told as it is."""
    try:
        told = list(explain(folded_wire(record), answer, lang))
    except (KeyError, IndexError, TypeError, ValueError):  # recorded results may be of any age
        told = [msgspec.json.encode(answer).decode()]
    return [*told, f"edition {answer.get('edition', '-')}, fingerprint {answer.get('fingerprint', '-')}"]
