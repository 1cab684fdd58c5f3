"""What wild tiles (癞子/鬼牌/财神) may do: the switches of a wildcard policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FifthCopy = Literal["allowed", "concealed", "melds"]


@dataclass(frozen=True, slots=True)
class WildPolicy:
    """How wild tiles may stand for others in the concealed part of a hand.

    pair_of_wilds: the pair may consist of two wilds.
    set_of_wilds: a set may consist of wilds only.
    wilds_per_set_max: the most wilds that one set (not the pair) may hold; None for no limit.
    fifth_copy: whether a wild may stand for a fifth tile of a kind. ``"allowed"``; ``"concealed"``: no kind may be
        completed beyond four among the concealed tiles (the winning tile included), copies in own melds do not
        count; ``"melds"``: copies in own melds count too. Natural tiles beyond four are never the policy's concern.
    """

    pair_of_wilds: bool = True
    set_of_wilds: bool = True
    wilds_per_set_max: int | None = None
    fifth_copy: FifthCopy = "allowed"


FREE = WildPolicy()
