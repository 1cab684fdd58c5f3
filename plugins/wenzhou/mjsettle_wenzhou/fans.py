"""Multipliers of Wenzhou mahjong (sheet sections 3 and 5): the highest counts."""

from __future__ import annotations

from typing import Any, Final

from mjsettle.columns import HONOURS, Column, Place, chow_total, popcount, smaller
from mjsettle.fans import Fan
from mjsettle.options import Options

HAND_TILES: Final = 17


def three_gods_held(wilds: Any) -> Any:
    """Three gods in hand, the winning tile included."""
    return wilds == 3


def god_faces(
    form_standard: Any,
    form_eight_pairs: Any,
    pungs: Any,
    twins: Any,
    pair: Any,
    chows: Any,
    god_mask: Any,
    god_chows: Any,
    has1: Any,
    has2: Any,
    has3: Any,
    has4: Any,
) -> Any:
    """How often the concealed tiles of a reading show the god's own face, whoever stands for it."""
    in_sets = (
        3 * popcount(pungs & god_mask)
        + 3 * popcount(twins & god_mask)
        + 2 * (god_mask >> pair & 1)
        + chow_total(chows & god_chows)
    )
    others = popcount(has1 & ~god_mask) + popcount(has2 & ~god_mask) + popcount(has3 & ~god_mask)
    others = others + popcount(has4 & ~god_mask)
    # Pairs may hold five of a kind, which has1 to has4 do not show: what is not another kind is the god's.
    return form_standard * in_sets + form_eight_pairs * (HAND_TILES - others)


def white_faces(concealed1: Any, concealed2: Any, concealed3: Any, concealed4: Any, god_mask: Any) -> Any:
    """How many concealed tiles are the god's own face by nature: white dragons."""
    return (
        popcount(concealed1 & god_mask)
        + popcount(concealed2 & god_mask)
        + popcount(concealed3 & god_mask)
        + popcount(concealed4 & god_mask)
    )


def gods_at_home(wilds: Any, god_faces: Any, white_faces: Any) -> Any:
    """How many gods can be their own face in this reading (财神归位)."""
    return smaller(wilds, god_faces - white_faces)


def gods_away(wilds: Any, gods_at_home: Any) -> Any:
    """How many gods must stand for another tile."""
    return wilds - gods_at_home


COLUMNS: Final = tuple(Column(fn.__name__, fn) for fn in (god_faces, white_faces, gods_at_home, gods_away))


def soft(form: Any) -> Any:
    """Any win: a god stands for another tile and the tile was discarded."""
    return form >= 0


def hard(self_draw: Any, gods_away: Any, form_three_gods: Any) -> Any:
    """Self-drawn, or no god stands for another tile, or three gods without a shape."""
    return (self_draw == 1) | (gods_away == 0) | (form_three_gods == 1)


def double(form_eight_pairs: Any, form_three_gods: Any, gods_away: Any, self_draw: Any, wilds: Any) -> Any:
    """Eight pairs without a god in another's place or self-drawn, or three gods and a shape."""
    pairs = (form_eight_pairs == 1) & ((gods_away == 0) | (self_draw == 1))
    return pairs | ((wilds == 3) & (form_three_gods == 0))


def single_wait(place: Any, form_standard: Any) -> Any:
    """The winning tile makes the pair."""
    return (form_standard == 1) & (place == int(Place.PAIR))


def all_pungs(form_standard: Any, chow_count: Any) -> Any:
    """Pungs, kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def full_flush(suits_held: Any, honours_held: Any, form_three_gods: Any) -> Any:
    """One suit, no honours."""
    return (suits_held == 1) & (honours_held == 0) & (form_three_gods == 0)


def half_flush(suits_held: Any, held1: Any, form_three_gods: Any) -> Any:
    """One suit and honours."""
    return (suits_held == 1) & ((held1 & HONOURS) != 0) & (form_three_gods == 0)


def on_kong_draw(kong_draw: Any) -> Any:
    """Won on the replacement tile of an own kong."""
    return kong_draw


def two_gods_at_home(wilds: Any, gods_at_home: Any) -> Any:
    """Two gods, both their own face."""
    return (wilds == 2) & (gods_at_home == 2)


def at_once(first_turn: Any) -> Any:
    """Won in the first turn."""
    return first_turn


def fan_table(options: Options) -> list[Fan]:
    """The multipliers under these switches."""
    found = [
        Fan("double", "双番", 4, double, "double", cite="§3"),
        Fan("hard", "硬和", 2, hard, "hard win", cite="§3"),
        Fan("soft", "软和", 1, soft, "soft win", cite="§3"),
    ]
    if options.special_double:
        found += [
            Fan("single_wait", "单吊", 4, single_wait, "wait on the pair", cite="§5"),
            Fan("all_pungs", "碰碰胡", 4, all_pungs, "all pungs", cite="§5"),
            Fan("full_flush", "清一色", 4, full_flush, "full flush", cite="§5"),
            Fan("half_flush", "混一色", 4, half_flush, "half flush", cite="§5"),
            Fan("kong_draw", "杠开", 4, on_kong_draw, "win on a kong's replacement", cite="§5"),
            Fan("two_gods_at_home", "双财归位", 4, two_gods_at_home, "both gods in their own place", cite="§5"),
            Fan("first_turn", "天地胡", 4, at_once, "win in the first turn", cite="§5"),
        ]
    return found
