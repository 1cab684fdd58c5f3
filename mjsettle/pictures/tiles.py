"""Tiles drawn from circles, bars and characters; each has its notation in a corner for those who do not read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.tiles import CHINESE, JOKER, NAMES, RED_FIVES

WIDTH: Final = 60
HEIGHT: Final = 80
INK, RED, GREEN, BLUE = "#23302b", "#b5322a", "#1f7a48", "#245a9c"
_FONT: Final = "'Noto Serif CJK SC','Songti SC',STKaiti,KaiTi,SimSun,'Noto Sans CJK SC',serif"
# Where the dots of 2 to 9 lie, in the field of the tile, and their colours.
_DOTS: Final[dict[int, tuple[tuple[float, float, str], ...]]] = {
    2: ((30, 25, GREEN), (30, 57, BLUE)),
    3: ((17, 22, BLUE), (30, 41, RED), (43, 60, GREEN)),
    4: ((19, 26, BLUE), (41, 26, GREEN), (19, 56, GREEN), (41, 56, BLUE)),
    5: ((17, 22, BLUE), (43, 22, GREEN), (30, 41, RED), (17, 60, GREEN), (43, 60, BLUE)),
    6: ((20, 20, GREEN), (40, 20, GREEN), (20, 42, RED), (40, 42, RED), (20, 61, RED), (40, 61, RED)),
    7: (
        *((14, 17, GREEN), (30, 22, GREEN), (46, 27, GREEN)),
        *((20, 44, RED), (40, 44, RED), (20, 63, RED), (40, 63, RED)),
    ),
    8: tuple((x, y, BLUE) for x in (20, 40) for y in (17, 33, 49, 65)),
    9: tuple((x, y, colour) for y, colour in ((20, GREEN), (41, RED), (62, BLUE)) for x in (14, 30, 46)),
}
# The sticks of 2 to 9: middle of each, its slant in degrees, its colour.
_STICKS: Final[dict[int, tuple[tuple[float, float, float, str], ...]]] = {
    2: ((30, 25, 0, BLUE), (30, 56, 0, GREEN)),
    3: ((30, 25, 0, BLUE), (18, 56, 0, GREEN), (42, 56, 0, GREEN)),
    4: ((18, 25, 0, BLUE), (42, 25, 0, GREEN), (18, 56, 0, GREEN), (42, 56, 0, BLUE)),
    5: ((15, 25, 0, GREEN), (45, 25, 0, BLUE), (30, 41, 0, RED), (15, 57, 0, BLUE), (45, 57, 0, GREEN)),
    6: tuple((x, y, 0, colour) for y, colour in ((25, GREEN), (57, BLUE)) for x in (14, 30, 46)),
    7: (
        (30, 18, 0, RED),
        *((x, y, 0, colour) for y, colour in ((41, GREEN), (63, BLUE)) for x in (14, 30, 46)),
    ),
    8: (
        *((12, 26, 0, GREEN), (24, 27, 28, GREEN), (36, 27, -28, GREEN), (48, 26, 0, GREEN)),
        *((12, 57, 0, BLUE), (24, 56, -28, BLUE), (36, 56, 28, BLUE), (48, 57, 0, BLUE)),
    ),
    9: tuple((x, y, 0, colour) for x, colour in ((14, GREEN), (30, RED), (46, BLUE)) for y in (19, 41, 63)),
}
_NUMERALS: Final = "一二三四五六七八九"
_HONOURS: Final = (("東", INK), ("南", INK), ("西", INK), ("北", INK), ("", BLUE), ("發", GREEN), ("中", RED))


def tile_svg(code: int, size: int = HEIGHT) -> str:
    """One tile as an SVG document; size: its height in pixels."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{size * WIDTH / HEIGHT:g}" '
        f'height="{size}" role="img" aria-label="{label(code)}"><title>{label(code)}</title>{drawn(code)}</svg>'
    )


def sprite(codes: Sequence[int] = range(len(NAMES))) -> str:
    """Tiles as symbols ``t5m`` …, and ``tback`` for one that is not known: one document for many pictures."""
    symbols = [_symbol(NAMES[code], drawn(code)) for code in codes]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}{_symbol("back", back())}</svg>'


def _symbol(name: str, content: str) -> str:
    return f'<symbol id="t{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{content}</symbol>'


def label(code: int) -> str:
    """A tile's notation and Chinese name."""
    return f"{NAMES[code]} {CHINESE[code]}"


def drawn(code: int) -> str:
    """The shapes of a tile, in a field of WIDTH x HEIGHT."""
    return _body("#fdfbf3", "#c9c3b0") + _face(code)


def back() -> str:
    """The shapes of a tile that lies face down."""
    return _body("#2f7d5c", "#1f5c43")


def _body(fill: str, edge: str) -> str:
    return (
        f'<rect x="1.5" y="3.5" width="57" height="75" rx="6" fill="{edge}"/>'
        f'<rect x="1.5" y="1.5" width="57" height="74" rx="6" fill="{fill}" stroke="{edge}"/>'
    )


def _face(code: int) -> str:
    if code == JOKER:
        return _text(30, 35, 25, RED, "百") + _text(30, 65, 25, BLUE, "搭")
    red = code in RED_FIVES
    suit, rank = (RED_FIVES.index(code), 5) if red else (code // 9, code % 9 + 1)
    if code >= 34 and not red:
        colour = RED if code < 38 else GREEN
        return _corner(NAMES[code][0], colour) + _text(31, 55, 36, colour, CHINESE[code])
    if suit == 3:
        return _honour(code - 27)
    shapes = (_characters, _dots, _sticks)[suit](rank)
    if red:
        for colour in (INK, GREEN, BLUE):
            shapes = shapes.replace(colour, RED)
        shapes += f'<circle cx="51" cy="11" r="4" fill="{RED}"/>'
    return shapes + _corner(str(rank), RED if red else "#8b8f86")


def _text(x: float, y: float, size: int, colour: str, text: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="{_FONT}" font-weight="600" '
        f'text-anchor="middle" fill="{colour}">{text}</text>'
    )


def _corner(text: str, colour: str) -> str:
    return f'<text x="5" y="13" font-size="11" font-family="system-ui,sans-serif" fill="{colour}">{text}</text>'


def _honour(number: int) -> str:
    text, colour = _HONOURS[number]
    corner = _corner("ESWN"[number] if number < 4 else "", "#8b8f86")
    if text:
        return _text(30, 54, 42, colour, text) + corner
    frames = ((11, 13, 38, 51, 3), (16, 18, 28, 41, 1.5))
    return "".join(
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="2" fill="none" stroke="{colour}" stroke-width="{line}"/>'
        for x, y, w, h, line in frames
    )


def _characters(rank: int) -> str:
    return _text(32, 34, 28, INK, _NUMERALS[rank - 1]) + _text(30, 68, 32, RED, "萬")


def _dots(rank: int) -> str:
    if rank == 1:
        rings = ((20, GREEN, "#fdfbf3"), (14, RED, "#fdfbf3"), (7, BLUE, BLUE))
        return "".join(
            f'<circle cx="30" cy="41" r="{r}" fill="{fill}" stroke="{colour}" stroke-width="4"/>'
            for r, colour, fill in rings
        )
    radius = 10.5 if rank == 2 else 8.5 if rank < 6 else 7.4 if rank < 8 else 7
    return "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.55:g}" fill="none" stroke="#fdfbf3" stroke-width="1.6"/>'
        for x, y, colour in _DOTS[rank]
    )


def _sticks(rank: int) -> str:
    if rank == 1:
        return _bird()
    height = 26 if rank < 7 else 19 if rank != 8 else 25
    return "".join(
        f'<g transform="rotate({slant:g} {x:g} {y:g})">'
        f'<rect x="{x - 3.5:g}" y="{y - height / 2:g}" width="7" height="{height}" rx="3.2" fill="{colour}"/>'
        f'<path d="M{x - 3:g} {y:g}h6" stroke="#fdfbf3" stroke-width="1.8"/></g>'
        for x, y, slant, colour in _STICKS[rank]
    )


def _bird() -> str:
    return (
        f'<path d="M17 66C8 50 14 34 28 30l9 14C36 58 28 66 17 66z" fill="{GREEN}"/>'
        f'<path d="M14 70C10 58 15 45 24 40M20 72c0-12 3-22 10-27M27 71c2-9 4-17 7-22" '
        f'stroke="{BLUE}" stroke-width="2.4" fill="none" stroke-linecap="round"/>'
        f'<circle cx="37" cy="28" r="9.5" fill="{RED}"/><path d="M45 25l9 3-9 4z" fill="#c98a1b"/>'
        '<circle cx="39" cy="26" r="2" fill="#fdfbf3"/>'
        f'<path d="M34 18l-3-7M38 17v-8M42 19l3-7" stroke="{BLUE}" stroke-width="2" stroke-linecap="round"/>'
    )
