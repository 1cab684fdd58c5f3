"""Columns that riichi yaku and fu are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mjsettle.columns import CHOW_ONES, DRAGONS, HONOURS, ORPHANS, Col, Column, Place, chow_starts, lookup, popcount
from mjsettle.options import Options
from mjsettle_riichi.points import FU_ROWS, table_row

# What the place of the winning tile means, looked up by place and kind: 35 kinds (34: none) per place.
_PLACES: Final = 35
_TWO_SIDED: Final = 1
_NARROW: Final = 2


def _wait_table() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    table = np.zeros(6 * _PLACES, np.int64)
    for kind in range(34):
        rank = kind % 9 + 1
        table[Place.PAIR * _PLACES + kind] = _NARROW
        table[Place.MIDDLE * _PLACES + kind] = _NARROW
        # 7 of 789 and 3 of 123 complete an edge (辺張).
        table[Place.LOW * _PLACES + kind] = _NARROW if rank == 7 else _TWO_SIDED
        table[Place.HIGH * _PLACES + kind] = _NARROW if rank == 3 else _TWO_SIDED
    return table


def _opened_table() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Fu that a pung loses when another seat's tile completes it."""
    table = np.zeros(6 * _PLACES, np.int64)
    for kind in range(34):
        table[Place.PUNG * _PLACES + kind] = 4 if ORPHANS >> kind & 1 else 2
    return table


_WAITS: Final = _wait_table()
_OPENED: Final = _opened_table()
# Rounded up to 10; exactly 20 is an open ron of chows, which counts 30 (§3.7): a concealed hand has 10 or 2 more.
_ROUNDED: Final = np.array([max(30, -(-fu // 10) * 10) for fu in range(FU_ROWS)], np.int64)
_OUTSIDE_CHOWS: Final = chow_starts(1, 7)
_SIMPLE_KINDS: Final = (1 << 34) - 1 & ~ORPHANS


def concealed(open_melds: Col) -> Col:
    """No open meld; concealed kongs are allowed (門前)."""
    return open_melds == 0


def valued(seat_wind: Col, round_wind: Col) -> Col:
    """Mask of the kinds whose pung is a yaku and whose pair has fu: dragons, seat wind, round wind."""
    return DRAGONS | (1 << (27 + seat_wind)) | (1 << (27 + round_wind))


def double_wind(seat_wind: Col, round_wind: Col) -> Col:
    """Mask of the wind that is seat and round wind, 0 where they differ."""
    return (seat_wind == round_wind) << (27 + seat_wind)


def spot(place: Col, won: Col) -> Col:
    """Where the winning tile sits, and its kind, as one number."""
    return place * _PLACES + won


def wait(spot: Col) -> Col:
    """1 when the winning tile completes a two-sided chow, 2 an edge, a closed chow or the pair, else 0."""
    return lookup(_WAITS, spot)


def own_pungs(pungs: Col, concealed_kongs: Col, self_draw: Col, place: Col) -> Col:
    """How many concealed pungs and kongs (暗刻); the pung that another seat's tile completes is open."""
    return popcount(pungs) + popcount(concealed_kongs) - (self_draw == 0) * (place == int(Place.PUNG))


def twin_chows(chows: Col) -> Col:
    """Chow field of the concealed chows held twice or three times: their second bits."""
    return chows & (CHOW_ONES << 1)


def four_chows(chows: Col) -> Col:
    """Chow field of a concealed chow held four times: its third bit."""
    return chows & (CHOW_ONES << 2)


def chow_kinds(all_chows: Col) -> Col:
    """Chow field of the chows, each once."""
    return (all_chows | all_chows >> 1 | all_chows >> 2) & CHOW_ONES


def outside(all_chows: Col, all_pungs: Col, pair: Col) -> Col:
    """Every set and the pair hold a terminal or an honour, and there is a chow."""
    inside = (all_chows & ~_OUTSIDE_CHOWS) | (all_pungs & _SIMPLE_KINDS) | (_SIMPLE_KINDS >> pair & 1)
    return (inside == 0) & (all_chows != 0)


def with_honours(kinds1: Col) -> Col:
    """The hand holds honours."""
    return (kinds1 & HONOURS) != 0


def pinfu_shape(pungs: Col, melds: Col, wait: Col, pair: Col, valued: Col) -> Col:
    """Concealed, four chows, a pair without value, a two-sided wait (平和)."""
    return (pungs == 0) & (melds == 0) & (wait == _TWO_SIDED) & ((valued >> pair & 1) == 0)


def set_fu(meld_pungs: Col, open_kongs: Col, concealed_kongs: Col) -> Col:
    """Fu of the melded sets (§3.3): pung 2 or 4, open kong 8 or 16, concealed kong 16 or 32."""
    kongs = open_kongs | concealed_kongs
    pung_units = popcount(meld_pungs) + popcount(meld_pungs & ORPHANS)
    kong_units = popcount(kongs) + popcount(kongs & ORPHANS)
    return 2 * pung_units + 6 * kong_units + 8 * (popcount(concealed_kongs) + popcount(concealed_kongs & ORPHANS))


def hidden_fu(pungs: Col) -> Col:
    """Fu of the concealed pungs (§3.3): 4 or 8."""
    return 4 * (popcount(pungs) + popcount(pungs & ORPHANS))


def opened_fu(spot: Col, self_draw: Col) -> Col:
    """Fu that the pung completed by another seat's tile has less."""
    return (self_draw == 0) * lookup(_OPENED, spot)


def fu(
    hand_fu: Col,
    hidden_fu: Col,
    opened_fu: Col,
    pair_fu: Col,
    wait: Col,
    pinfu_shape: Col,
    self_draw: Col,
    form_seven_pairs: Col,
) -> Col:
    """Fu, rounded (§3). Seven pairs have 25, a self-drawn pinfu 20."""
    raw = hand_fu + hidden_fu - opened_fu + pair_fu + (wait & _NARROW)
    return lookup(_ROUNDED, raw) - 10 * (pinfu_shape * self_draw) - 5 * form_seven_pairs


def _own_columns(options: Options) -> Sequence[Callable[..., Col]]:
    """The columns that switches change."""
    double_wind_fu = options.double_wind_pair_fu - 2

    def hand_fu(concealed: Col, self_draw: Col, kong_draw: Col, set_fu: Col) -> Col:
        """Base, concealed ron, self-draw and melded sets (§3.1, 3.2, 3.3, 3.6)."""
        drawn = self_draw if options.rinshan_tsumo_fu else self_draw * (kong_draw == 0)
        return 20 + 10 * (concealed * (self_draw == 0)) + 2 * drawn + set_fu

    def pair_fu(pair: Col, valued: Col, double_wind: Col) -> Col:
        """Fu of the pair (§3.4)."""
        return 2 * (valued >> pair & 1) + double_wind_fu * (double_wind >> pair & 1)

    return hand_fu, pair_fu


def _kind_columns(wild: bool) -> Sequence[Column]:
    """Masks of the kinds in the whole hand; without wilds no reading is needed to tell them."""
    if wild:

        def kinds1(held1: Col) -> Col:
            """Mask of the kinds in the whole hand."""
            return held1

        def kinds2(held2: Col) -> Col:
            """The same for at least two copies."""
            return held2

        def kinds3(held3: Col) -> Col:
            """The same for at least three copies."""
            return held3

        def kinds4(held4: Col) -> Col:
            """The same for at least four copies."""
            return held4

        return [Column(fn.__name__, fn) for fn in (kinds1, kinds2, kinds3, kinds4)]
    return [Column(f"kinds{least}", fn) for least, fn in enumerate((_natural1, _natural2, _natural3, _natural4), 1)]


def _natural1(natural1: Col) -> Col:
    """Mask of the kinds in the whole hand."""
    return natural1


def _natural2(natural2: Col) -> Col:
    """The same for at least two copies."""
    return natural2


def _natural3(natural3: Col) -> Col:
    """The same for at least three copies."""
    return natural3


def _natural4(natural4: Col) -> Col:
    """The same for at least four copies."""
    return natural4


def columns(options: Options) -> list[Column]:
    """All columns of the rule set under these switches."""
    plain: tuple[Callable[..., Col], ...] = (
        concealed,
        valued,
        double_wind,
        spot,
        wait,
        own_pungs,
        twin_chows,
        four_chows,
        chow_kinds,
        outside,
        with_honours,
        pinfu_shape,
        set_fu,
        hidden_fu,
        opened_fu,
        fu,
        table_row,
    )
    return [Column(fn.__name__, fn) for fn in (*plain, *_own_columns(options))] + list(_kind_columns(options.wild))
