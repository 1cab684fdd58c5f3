"""The columns that the core derives from its inputs, written as a plugin would write them (see `mjsettle.columns`)."""

from __future__ import annotations

from typing import Final

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, HONOURS, Col, Column, Place, chow_total, popcount


def _all_chows(chows: Col, meld_chows: Col) -> Col:
    """Chow field of concealed and melded chows."""
    return chows + meld_chows


def _all_pungs(pungs: Col, meld_pungs: Col) -> Col:
    """Mask of the pungs and kongs, concealed and melded."""
    return pungs | meld_pungs


def _kongs(open_kongs: Col, concealed_kongs: Col) -> Col:
    """Mask of all kongs."""
    return open_kongs | concealed_kongs


def _kong_count(kongs: Col) -> Col:
    """How many kongs."""
    return popcount(kongs)


def _chow_count(all_chows: Col) -> Col:
    """How many chows, concealed and melded."""
    return chow_total(all_chows)


def _meld_chow_count(meld_chows: Col) -> Col:
    """How many melded chows."""
    return chow_total(meld_chows)


def _pung_count(pungs: Col, twins: Col, meld_pungs: Col) -> Col:
    """How many pungs and kongs, concealed and melded."""
    return popcount(pungs) + popcount(twins) + popcount(meld_pungs)


def _held1(has1: Col, meld1: Col) -> Col:
    """Mask of the kinds in the whole hand, wilds as what they stand for, kongs as four tiles."""
    return has1 | meld1


def _held2(has1: Col, has2: Col, meld1: Col, meld2: Col) -> Col:
    """The same for at least two copies."""
    return has2 | meld2 | (has1 & meld1)


def _held3(has1: Col, has2: Col, has3: Col, meld1: Col, meld2: Col, meld3: Col) -> Col:
    """The same for at least three copies."""
    return has3 | meld3 | (has2 & meld1) | (has1 & meld2)


def _held4(has1: Col, has2: Col, has3: Col, has4: Col, meld1: Col, meld2: Col, meld3: Col, meld4: Col) -> Col:
    """The same for at least four copies."""
    return has4 | meld4 | (has3 & meld1) | (has2 & meld2) | (has1 & meld3)


def _suits_held(held1: Col) -> Col:
    """How many of the three suits the whole hand has tiles of."""
    return ((held1 & CHARACTERS) != 0) * 1 + ((held1 & DOTS) != 0) * 1 + ((held1 & BAMBOO) != 0) * 1


def _honours_held(held1: Col) -> Col:
    """How many kinds of honours the whole hand has."""
    return popcount(held1 & HONOURS)


def _quads_held(held4: Col) -> Col:
    """How many kinds the whole hand has four copies of, konged or not, wilds included as what they stand for."""
    return popcount(held4)


def _natural_quads(natural4: Col) -> Col:
    """How many kinds the whole hand has four natural copies of."""
    return popcount(natural4)


def _own_faces(
    wild_held1: Col, wild_held2: Col, wild_held3: Col, wild_held4: Col, has1: Col, has2: Col, has3: Col, has4: Col
) -> Col:
    """How many wild tiles can stand for their own kind in this reading."""
    return (
        popcount(wild_held1 & has1)
        + popcount(wild_held2 & has2)
        + popcount(wild_held3 & has3)
        + popcount(wild_held4 & has4)
    )


def _wilds_needed(wilds: Col, own_faces: Col) -> Col:
    """How many wild tiles must stand for a kind other than their own in this reading (0 = a hard win, 硬胡)."""
    return wilds - own_faces


def _wait_count(waits: Col) -> Col:
    """How many kinds complete the hand, tiles held four times not counted."""
    return popcount(waits)


def _formal_wait_count(formal_waits: Col) -> Col:
    """How many kinds complete the hand, tiles held four times counted."""
    return popcount(formal_waits)


def _flower_count(flowers: Col) -> Col:
    """How many flowers are set aside."""
    return popcount(flowers)


def _concealed_pungs(pungs: Col, concealed_kongs: Col, self_draw: Col, place: Col, won: Col, twins: Col) -> Col:
    """Mask of the concealed pungs and kongs; a pung completed by another seat's tile is not concealed."""
    completed = (self_draw == 0) & (place == int(Place.PUNG))
    # A second concealed pung of the same kind stays concealed when the first is completed from outside.
    lost = (completed * 1 << won) & ~twins
    return (pungs & ~lost) | concealed_kongs


def _concealed_pung_count(concealed_pungs: Col) -> Col:
    """How many concealed pungs and kongs."""
    return popcount(concealed_pungs)


DERIVED: Final[tuple[Column, ...]] = tuple(
    Column(fn.__name__.lstrip("_"), fn)
    for fn in (
        _all_chows,
        _all_pungs,
        _kongs,
        _kong_count,
        _chow_count,
        _meld_chow_count,
        _pung_count,
        _held1,
        _held2,
        _held3,
        _held4,
        _suits_held,
        _honours_held,
        _quads_held,
        _natural_quads,
        _own_faces,
        _wilds_needed,
        _wait_count,
        _formal_wait_count,
        _flower_count,
        _concealed_pungs,
        _concealed_pung_count,
    )
)
