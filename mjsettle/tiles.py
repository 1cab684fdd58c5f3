"""Tiles and their notation.

A tile is a small integer, its *code*. Codes below 34 are the *kinds* that hands are judged by:

====== ============== ==========================================
codes  notation       tiles
====== ============== ==========================================
0-8    ``1m``-``9m``  characters (万)
9-17   ``1p``-``9p``  dots (筒)
18-26  ``1s``-``9s``  bamboo (条)
27-33  ``1z``-``7z``  east south west north white green red
34-41  ``1f``-``8f``  seasons 春夏秋冬, then plants 梅兰竹菊
42     ``1x``         printed joker (百搭)
43-45  ``0m 0p 0s``   red fives
====== ============== ==========================================

A hand is written in groups, ``"123m456p11z22x"``; the order inside it does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from mjsettle.errors import NotationError

KINDS: Final = 34
SUITS: Final = "mpsz"
FIRST_HONOUR: Final = 27
FIRST_FLOWER: Final = 34
JOKER: Final = 42
RED_FIVES: Final = (43, 44, 45)

NAMES: Final[tuple[str, ...]] = (
    *(f"{n}{suit}" for suit in "mps" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    *(f"{n}f" for n in range(1, 9)),
    "1x",
    "0m",
    "0p",
    "0s",
)
CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(NAMES)}

# The kind that a code is judged as; flowers and jokers have none and stand for themselves.
KIND_OF: Final[tuple[int, ...]] = (*range(43), 4, 13, 22)

CHINESE: Final[tuple[str, ...]] = (
    *(f"{n}{suit}" for suit in "万筒条" for n in "一二三四五六七八九"),
    *"东南西北白发中",
    *"春夏秋冬梅兰竹菊",
    "百搭",
    "赤五万",
    "赤五筒",
    "赤五条",
)


def parse_tiles(text: str) -> list[int]:
    """Read a hand in wire notation into tile codes, in the order written.

    Raises NotationError naming the character, its position and what was expected there.
    """
    codes: list[int] = []
    length = 0
    for group in GROUPS.findall(text):
        length += len(group)
        codes += _group_codes(group)
    return codes if length == len(text) else _parse_each(text)


GROUPS: Final = re.compile(r"[0-9]+[mpszfx]")
"""The groups of a hand in wire notation."""


@lru_cache(maxsize=32_768)
def _group_codes(group: str) -> tuple[int, ...]:
    """The codes of one group such as ``123m``: what rooms write repeats, so it is remembered."""
    return tuple(_parse_each(group))


def _parse_each(text: str) -> list[int]:
    codes: list[int] = []
    digits: list[str] = []
    for at, char in enumerate(text):
        if char.isdecimal() and char.isascii():
            digits.append(char)
            continue
        if char.isspace():
            continue
        if not digits:
            raise NotationError(
                f"{text!r}: found {char!r} at position {at} where a digit was expected; "
                "write digits before their suit letter, such as '123m'"
            )
        for digit in digits:
            code = CODES.get(digit + char)
            if code is None:
                raise NotationError(f"{text!r}: no tile {digit + char!r} (group ending at position {at}); {_EXPECTED}")
            codes.append(code)
        digits.clear()
    if digits:
        raise NotationError(
            f"{text!r}: the digits {''.join(digits)!r} at its end have no suit letter; add one of m p s z f x"
        )
    return codes


_EXPECTED: Final = "tiles are 0-9 with m, p or s, 1-7z, 1-8f and 1x"


@lru_cache(maxsize=8192)
def kinds_of(text: str) -> tuple[int, ...]:
    """What the tiles of a short text, such as a meld or a tile, are judged as, in the order written: `KIND_OF` codes.

    What rooms write repeats, so it is remembered. Raises NotationError as parse_tiles does.
    """
    return tuple([KIND_OF[code] for code in parse_tiles(text)])


def parse_tile(text: str) -> int:
    """Read one tile such as ``"5m"`` into its code; NotationError when it is not exactly one."""
    code = CODES.get(text)
    if code is None:
        raise NotationError(f"{text!r} is not a tile; {_EXPECTED}")
    return code


def format_tiles(codes: Iterable[int]) -> str:
    """Write tile codes in wire notation, sorted by suit and rank: ``"123m11z2f1x"``."""
    groups: dict[str, list[str]] = {suit: [] for suit in "mpszfx"}
    for code in sorted(codes, key=_sort_key):
        name = NAMES[code]
        groups[name[1]].append(name[0])
    return "".join("".join(digits) + suit for suit, digits in groups.items() if digits)


def _sort_key(code: int) -> tuple[int, int]:
    return KIND_OF[code], code


def counts_of(codes: Sequence[int]) -> list[int]:
    """Count tile codes by kind: a list of 34 counts, red fives as fives. Flowers and jokers are not counted."""
    counts = [0] * KINDS
    for code in codes:
        kind = KIND_OF[code]
        if kind < KINDS:
            counts[kind] += 1
    return counts


def packed_counts(codes: Iterable[int]) -> int:
    """How often each kind, flower and joker occurs, as one number that can be added up: eight bits for each.

    The count of kind k is ``packed >> 8 * k & 255``; red fives count as fives.
    """
    return sum(_ONES[code] for code in codes)


def packed_room(copies: Sequence[int]) -> int:
    """What `overdrawn` compares packed counts with: the copies of each kind, flower and joker."""
    return sum((_ROOM_BIT + count) << 8 * kind for kind, count in enumerate(copies))


def overdrawn(room: int, packed: int) -> bool:
    """Whether packed counts hold more of anything than there are copies. Counts up to 127 are told right."""
    return (room - packed) & _ROOM_BITS != _ROOM_BITS


_ONES: Final = tuple(1 << 8 * kind for kind in KIND_OF)
# The highest bit of each count: taking away more than all copies borrows it.
_ROOM_BIT: Final = 0x80
_ROOM_BITS: Final = sum(_ROOM_BIT << 8 * kind for kind in range(JOKER + 1))


def chinese(text: str) -> str:
    """Tiles in Chinese, those of a suit under one suit word: ``123m11z`` is 一二三万 东东; unreadable text as it is."""
    try:
        codes = parse_tiles(text)
    except NotationError:
        return text
    words: list[str] = []
    for at, code in enumerate(codes):
        name = CHINESE[code]
        after = CHINESE[codes[at + 1]] if at + 1 < len(codes) else ""
        same_suit = len(name) == 2 and len(after) == 2 and name[1] == after[1] and name[1] in "万筒条"
        ends = not same_suit and len(name) == 2
        words.append(name[0] if same_suit else name + " " if ends else name)
    return "".join(words).strip()
