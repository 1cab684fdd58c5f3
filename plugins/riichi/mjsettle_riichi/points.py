"""From han and fu to points (§5): base points, who pays which share, and the tables that columns look points up in."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from mjsettle.options import Options

MANGAN: Final = 2000
YAKUMAN: Final = 8000
HAN_MOST: Final = 13
FU_ROWS: Final = 180
"""More than the fu that any hand can have; the length of a table's row."""


def hundreds(points: int) -> int:
    """Rounded up to the next 100; every payment is, for itself."""
    return -(-points // 100) * 100


def base_points(han: int, fu: int, options: Options) -> int:
    """The base that all shares are multiples of (§5)."""
    if han >= HAN_MOST:
        return YAKUMAN if options.kazoe_yakuman else 6000
    for least, base in ((11, 6000), (8, 4000), (6, 3000), (5, MANGAN)):
        if han >= least:
            return base
    base = fu << (2 + han)
    return MANGAN if base > MANGAN or (base == 1920 and options.kiriage_mangan) else base


def ron_share(base: int, winner_deals: bool) -> int:
    """What the discarder pays."""
    return hundreds(base * (6 if winner_deals else 4))


def draw_share(base: int, dealer_in_it: bool, seats: int, tsumo_loss: bool, winner_deals: bool) -> int:
    """What one seat pays for a self-draw; dealer_in_it: payer or winner is the dealer.

    Of three players nobody pays the missing seat's share; without `tsumo_loss` the two payers halve it between them,
    and each payment is rounded up once.
    """
    share = base * (2 if dealer_in_it else 1)
    if seats == 3 and not tsumo_loss:
        share += base * (2 if winner_deals else 1) // 2
    return hundreds(share)


def shares(base: int, winner: int, source: int | None, dealer: int, seats: int, tsumo_loss: bool) -> dict[int, int]:
    """What each payer pays for a win of this base; source: the discarder, None on a self-draw."""
    deals = winner == dealer
    if source is not None:
        return {source: ron_share(base, deals)}
    payers = ((winner + step) % seats for step in range(1, seats))
    return {payer: draw_share(base, deals or payer == dealer, seats, tsumo_loss, deals) for payer in payers}


def table_row(dealer: Any, self_draw: Any, three_players: Any) -> Any:
    """Which row of the tables a win is looked up in: a column function."""
    return dealer + 2 * self_draw + 4 * three_players


@lru_cache(maxsize=64)
def _tables(kazoe: bool, kiriage: bool, tsumo_loss: bool) -> tuple[np.ndarray[Any, Any], list[int]]:
    options = Options(None, {"kazoe_yakuman": kazoe, "kiriage_mangan": kiriage})

    def worth(base: int, row: int) -> int:
        seats, source, winner = 3 if row & 4 else 4, None if row & 2 else 1, 0
        dealer = 0 if row & 1 else 2
        return sum(shares(base, winner, source, dealer, seats, tsumo_loss).values())

    points = np.zeros((8, HAN_MOST + 1, FU_ROWS), np.int64)
    for row in range(8):
        for han in range(HAN_MOST + 1):
            for fu in (20, 25, *range(30, FU_ROWS, 10)):
                points[row, han, fu] = worth(base_points(han, fu, options), row)
    if kazoe:
        # A yakuman stands before a counted one of equal worth (§4).
        points[:, HAN_MOST] -= 1
    return points.reshape(-1), [worth(YAKUMAN, row) for row in range(8)]


def tables(options: Options) -> tuple[np.ndarray[Any, Any], list[int]]:
    """What a reading is worth to its winner: by (row, han up to 13, fu), flat; and what one yakuman is, by row."""
    return _tables(options.kazoe_yakuman, options.kiriage_mangan, options.tsumo_loss)
