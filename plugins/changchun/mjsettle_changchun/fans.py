"""Fans of Changchun mahjong (sheet section 4). They add up to a power of two; payments add those of each payer."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.columns import Place, popcount
from mjsettle.fans import Fan


def concealed_hand(open_melds: Any, form_seven_pairs: Any) -> Any:
    """No open meld; seven pairs do not count it."""
    return (open_melds == 0) & (form_seven_pairs == 0)


def narrow_wait(place: Any, won: Any, wait_kinds: Any, form_seven_pairs: Any) -> Any:
    """Won in the middle of a chow, at the closed end of 123 or 789, on the pair, or on the only tile that could win."""
    edge = ((place == int(Place.HIGH)) & (won % 9 == 2)) | ((place == int(Place.LOW)) & (won % 9 == 6))
    narrow = edge | (place == int(Place.MIDDLE)) | (place == int(Place.PAIR)) | (popcount(wait_kinds) == 1)
    return narrow & (form_seven_pairs == 0)


def all_pungs(form_standard: Any, chow_count: Any) -> Any:
    """Four pungs or kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def seven_pairs(form_seven_pairs: Any, quads_held: Any) -> Any:
    """Seven different pairs."""
    return (form_seven_pairs == 1) & (quads_held == 0)


def luxury_pairs(form_seven_pairs: Any, quads_held: Any) -> Any:
    """Seven pairs with four of a kind."""
    return (form_seven_pairs == 1) & (quads_held > 0)


def treasure_waited_for(treasure_win: Any) -> Any:
    """The treasure is a tile that the winner waited for."""
    return treasure_win == 2


def treasure_drawn(treasure_win: Any) -> Any:
    """The winner draws the treasure, which stands for a tile that it waited for."""
    return treasure_win == 1


FANS: Final = (
    Fan("concealed_hand", "门清", 1, concealed_hand, "concealed hand", cite="§4"),
    Fan("narrow_wait", "夹", 1, narrow_wait, "edge, closed or single wait", cite="§4"),
    Fan("all_pungs", "飘和", 2, all_pungs, "all pungs", cite="§4"),
    Fan("seven_pairs", "七对", 3, seven_pairs, "seven pairs", cite="§4"),
    Fan("luxury_pairs", "豪华七对", 4, luxury_pairs, "luxury seven pairs", cite="§4"),
    Fan("treasure_waited_for", "冲宝", 2, treasure_waited_for, "waiting for the treasure", cite="§3"),
    Fan("treasure_drawn", "摸宝", 1, treasure_drawn, "drawing the treasure", cite="§3"),
)
