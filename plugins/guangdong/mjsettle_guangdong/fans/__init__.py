"""The fan pages of Guangdong mahjong: the room's doublings, the pattern table, the 2023 rulebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mjsettle.columns import Column
from mjsettle.fans import Fan
from mjsettle.options import Options
from mjsettle_guangdong.fans.pattern import pattern_fans
from mjsettle_guangdong.fans.room import room_fans
from mjsettle_guangdong.fans.rulebook import coefficient, rulebook_fans
from mjsettle_guangdong.fans.shared import holds_four_ghosts

PAGES: Final[dict[str, Callable[[Options], list[Fan]]]] = {
    "room": room_fans,
    "pattern": pattern_fans,
    "mil": rulebook_fans,
}
COLUMNS: Final = (Column("coefficient", coefficient), Column("holds_four_ghosts", holds_four_ghosts))
