"""A settled round as one picture: every known hand, the winners' readings with their fans, and each seat's points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from mjsettle.errors import NotationError
from mjsettle.hand_deltas import folded_wire
from mjsettle.pictures.tiles import HEIGHT, WIDTH, back, drawn, label
from mjsettle.tiles import CODES, JOKER, KIND_OF, parse_tiles

Wire = Mapping[str, Any]
_SCALE: Final = 0.6
_STEP: Final = WIDTH * _SCALE + 2
_LINE: Final = 22
_MARGIN: Final = 20
_PAGE: Final = 980
_FONT: Final = "system-ui,'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif"
_WORDS: Final = {
    "en": ("seat {}", "dealer", "wins", "read as", "wilds are", "total {}", "refused", "table"),
    "zh": ("{}号位", "庄", "胡", "牌型", "百搭作", "合计 {}", "未结算", "桌面"),
}


def round_svg(record: Wire, result: Wire, lang: str = "en") -> str:
    """The picture of a wire round with its result; `lang` is "en" or "zh"."""
    return _Picture(folded_wire(dict(record)), result, lang).document()


class _Picture:
    def __init__(self, record: Wire, result: Wire, lang: str) -> None:
        self.record, self.result, self.lang = record, result, lang
        self.words = _WORDS[lang]
        self.wild = {KIND_OF[CODES[name]] for name in record.get("wild", ()) if name in CODES} | {JOKER}
        self.parts: list[str] = []
        self.y: float = _MARGIN

    def document(self) -> str:
        heading = f"{self.result.get('id')}  {self.record.get('rule')} {self.result.get('edition', '')}"
        self._line(heading, size=17, weight=600)
        players: Sequence[Wire] = self.record.get("players", ())
        for seat, player in enumerate(players):
            self._player(seat, player)
        for error in self.result.get("errors", ()):
            self._line(f"{self.words[6]}  {error['field']}: {error['message']}", colour="#b5322a")
        if self.result.get("table"):
            self._line(f"{self.words[7]} {self.result['table']:+d}")
        height = round(self.y + _MARGIN)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_PAGE} {height}" width="{_PAGE}" height="{height}" '
            f'font-family="{_FONT}"><rect width="100%" height="100%" fill="#f3f5f2"/>{"".join(self.parts)}</svg>\n'
        )

    def _player(self, seat: int, player: Wire) -> None:
        deltas = self.result.get("deltas") or []
        title = self.words[0].format(seat) + (f"  {self.words[1]}" if seat == self.record.get("dealer", 0) else "")
        points = f"{deltas[seat]:+d}" if seat < len(deltas) else ""
        self.y += 8
        self._line(title, right=points, weight=600)
        wins = [win for win in self.result.get("wins", ()) if win["seat"] == seat]
        if player.get("hand") is not None or player.get("melds"):
            groups = [player.get("hand") or "", *(meld["tiles"] for meld in player.get("melds", ()))]
            closed = [False, *(meld.get("kind") == "concealed_kong" for meld in player.get("melds", ()))]
            if player.get("flowers"):
                groups, closed = [*groups, player["flowers"]], [*closed, False]
            self._tiles(groups, closed)
        for win in wins:
            self._win(win)

    def _win(self, win: Wire) -> None:
        self._line(f"{self.words[2]} {win['tile'] or ''}", colour="#1f7a48", weight=600)
        groups = [*win.get("sets", ()), *([win["pair"]] if win.get("pair") else [])]
        if groups:
            self._tiles(groups, [False] * len(groups))
        if win.get("wild_as"):
            self._line(f"{self.words[4]} {' '.join(win['wild_as'])}")
        fans = [
            f"{fan.get('names', {}).get(self.lang, fan['name'])} {fan['value']}"
            + (f"×{fan['times']}" if fan["times"] > 1 else "")
            for fan in win.get("fans", ())
        ]
        total = self.words[5].format(win.get("total", win.get("yakuman", "")))
        for at in range(0, len(fans), 6):
            self._line("   ".join(fans[at : at + 6]))
        self._line(total)

    def _tiles(self, groups: Sequence[str], closed: Sequence[bool]) -> None:
        x = float(_MARGIN)
        for text, hidden in zip(groups, closed, strict=True):
            try:
                codes = parse_tiles(text)
            except NotationError:
                continue
            for at, code in enumerate(codes):
                if x + _STEP > _PAGE - _MARGIN:
                    x, self.y = float(_MARGIN), self.y + HEIGHT * _SCALE + 4
                shapes = back() if hidden and at in (0, 3) else drawn(code)
                mark = '<path d="M8 70h44" stroke="#d08a12" stroke-width="4"/>' if KIND_OF[code] in self.wild else ""
                place = f'transform="translate({x:g} {self.y:g}) scale({_SCALE})"'
                self.parts.append(f"<g {place}><title>{label(code)}</title>{shapes}{mark}</g>")
                x += _STEP
            x += 10
        self.y += HEIGHT * _SCALE + 6

    def _line(self, text: str, right: str = "", colour: str = "#23302b", size: int = 14, weight: int = 400) -> None:
        self.y += size
        style = f'y="{self.y:g}" font-size="{size}" fill="{colour}" font-weight="{weight}"'
        self.parts.append(f'<text x="{_MARGIN}" {style}>{escape(text)}</text>')
        if right:
            self.parts.append(f'<text x="{_PAGE - _MARGIN}" text-anchor="end" {style}>{escape(right)}</text>')
        self.y += _LINE - 14
