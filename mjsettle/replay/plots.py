"""Plots of a replay as SVG: bars of counts and bars to both sides of zero."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

BAR_PX: Final = 22
LABEL_PX: Final = 190
WIDTH_PX: Final = 640
_NUMBER_PX: Final = 90


def bars(title: str, rows: Sequence[tuple[str, int]]) -> str:
    """Horizontal bars of counts; nothing for no rows."""
    most = max((count for _, count in rows), default=0)
    if not most:
        return ""
    room = WIDTH_PX - LABEL_PX - _NUMBER_PX
    drawn = [
        _row(at, label, f"{count:,}", LABEL_PX, room * count / most, "bar") for at, (label, count) in enumerate(rows)
    ]
    return _figure(title, drawn, len(rows))


def two_sided(title: str, rows: Sequence[tuple[str, int]]) -> str:
    """Horizontal bars to the left of zero for losses and to its right for gains; nothing where all are zero."""
    most = max((abs(points) for _, points in rows), default=0)
    if not most:
        return ""
    half = (WIDTH_PX - LABEL_PX - _NUMBER_PX) / 2
    zero = LABEL_PX + half
    drawn = []
    for at, (label, points) in enumerate(rows):
        length = half * abs(points) / most
        start = zero if points >= 0 else zero - length
        drawn.append(_row(at, label, f"{points:+,}", start, max(0.5, length), "gain" if points >= 0 else "loss"))
    axis = f'<line class="axis" x1="{zero:.1f}" y1="0" x2="{zero:.1f}" y2="{BAR_PX * len(rows)}"/>'
    return _figure(title, [axis, *drawn], len(rows))


def _row(at: int, label: str, number: str, start: float, length: float, kind: str) -> str:
    top = at * BAR_PX + 3
    middle = at * BAR_PX + BAR_PX / 2 + 4
    return (
        f'<text class="label" x="{LABEL_PX - 8}" y="{middle:.1f}" text-anchor="end">{escape(label)}</text>'
        f'<rect class="{kind}" x="{start:.1f}" y="{top}" width="{length:.1f}" height="{BAR_PX - 6}" rx="2"/>'
        f'<text class="number" x="{WIDTH_PX - 4}" y="{middle:.1f}" text-anchor="end">{escape(number)}</text>'
    )


def _figure(title: str, drawn: Sequence[str], rows: int) -> str:
    height = BAR_PX * rows + 4
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {WIDTH_PX} {height}" role="img" '
        f'aria-label="{escape(title)}">{"".join(drawn)}</svg></figure>'
    )
