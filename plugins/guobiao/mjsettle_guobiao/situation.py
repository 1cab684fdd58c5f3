"""Fans of the way of winning, of concealment and of the wait (sheet section 6)."""

from __future__ import annotations

from typing import Final

import numpy as np

from mjsettle.columns import Col, Column, lookup, popcount
from mjsettle.options import Options
from mjsettle_guobiao.knitted import BODY_OF
from mjsettle_guobiao.waits import CLOSED, EDGE, SINGLE

_BITS: Final = np.array([1 << kind for kind in range(35)], np.int64)
_BODIES: Final = np.array(BODY_OF, np.int64)


def wait_column(options: Options) -> Column:
    """The column `wait` under these switches."""

    def wait(wait_label: Col, reading_waits: Col, held4: Col, won: Col, shape: Col) -> Col:
        """The wait fan that counts: 1 单钓将, 2 坎张, 3 边张, 0 none."""
        won_bit = lookup(_BITS, won)
        waits = reading_waits
        if not options.count_held_fours_as_wait:
            # The winning tile may be the fourth copy; it was not held.
            waits = waits & ~(held4 & ~won_bit)
        sole = popcount(waits) == 1
        if not options.knitted_body_tile_wait:
            sole = sole & (lookup(_BODIES, shape) & won_bit == 0)
        return wait_label * sole

    return Column("wait", wait)


def last_tile_draw(last_tile: Col, self_draw: Col) -> Col:
    """Self-draw of the last wall tile."""
    return (last_tile == 1) & (self_draw == 1)


def last_tile_claim(last_tile: Col, self_draw: Col) -> Col:
    """Win on the discard after the last wall tile."""
    return (last_tile == 1) & (self_draw == 0)


def out_with_replacement_tile(kong_draw: Col, flower_draw: Col) -> Col:
    """Self-draw on the replacement tile of one's own kong; with a flower between only by option kong_through_flower."""
    return (kong_draw == 1) & (flower_draw == 0)


def out_through_flower(kong_draw: Col) -> Col:
    """Self-draw on the replacement tile of one's own kong, also with flowers between."""
    return kong_draw == 1


def robbing_the_kong(rob_kong: Col) -> Col:
    """Win on the tile that another seat adds to its pung."""
    return rob_kong == 1


def melded_hand(open_melds: Col, self_draw: Col) -> Col:
    """Four open melds, no concealed kong, and the pair completed by another seat's tile."""
    return (open_melds == 4) & (self_draw == 0)


def fully_concealed_hand(open_melds: Col, self_draw: Col) -> Col:
    """No open melds and a self-draw; concealed kongs are allowed."""
    return (open_melds == 0) & (self_draw == 1)


def concealed_hand(open_melds: Col, self_draw: Col) -> Col:
    """No open melds, won on another seat's tile; concealed kongs are allowed."""
    return (open_melds == 0) & (self_draw == 0)


def last_tile(last_of_kind: Col, meld3: Col, won: Col) -> Col:
    """The winning tile is the fourth, three copies lying open: by the event's word, or in one's own open melds."""
    return (last_of_kind == 1) | (meld3 >> won & 1 == 1)


def edge_wait(wait: Col) -> Col:
    """The only wait is the 3 of 123 or the 7 of 789."""
    return wait == EDGE


def closed_wait(wait: Col) -> Col:
    """The only wait is the middle of a chow."""
    return wait == CLOSED


def single_wait(wait: Col) -> Col:
    """The only wait is the tile of the pair."""
    return wait == SINGLE


def self_drawn(self_draw: Col) -> Col:
    """Won by self-draw."""
    return self_draw == 1


def flower_tile(flower_count: Col) -> Col:
    """A flower or season set aside; once for each. It does not count towards the minimum to win."""
    return flower_count
