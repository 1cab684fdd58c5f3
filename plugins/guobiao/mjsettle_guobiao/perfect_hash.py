"""A perfect hash: a dense table over sparse 63-bit keys, looked up in one go for a column or for one integer."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjsettle.columns import Col, lookup

Ints = NDArray[np.int64]

# Odd constants below 2**63 with well mixed bits; products wrap at 64 bits, of which the upper ones are taken.
_SLOT_FACTOR: Final = 0x5851_F42D_4C95_7F2D
_BUCKET_FACTOR: Final = 0x2545_F491_4F6C_DD1D


class HashedTable:
    """Values by key. A key that is not in the table gets some value of the table, not an error.

    Each key falls into a bucket; its bucket's displacement moves it to a slot of its own (hash, displace, compress).
    """

    def __init__(self, keys: Ints, values: Ints) -> None:
        """keys: (N,) different non-negative int64; values: (N,)."""
        self._slot_bits = int(len(keys) * 1.3).bit_length()
        self._bucket_bits = self._slot_bits - 1
        slots = _part(keys, _SLOT_FACTOR, self._slot_bits)
        buckets = _part(keys, _BUCKET_FACTOR, self._bucket_bits)
        self._displacements = _displace(slots, buckets, 1 << self._slot_bits, 1 << self._bucket_bits)
        self._values = np.zeros(1 << self._slot_bits, np.int64)
        self._values[slots ^ self._displacements[buckets]] = values

    def __getitem__(self, key: Col) -> Col:
        """The value of each key."""
        bucket = _part(key, _BUCKET_FACTOR, self._bucket_bits)
        slot = _part(key, _SLOT_FACTOR, self._slot_bits) ^ lookup(self._displacements, bucket)
        return lookup(self._values, slot)


def _part(key: Any, factor: int, bits: int) -> Any:
    return (key * factor >> (63 - bits)) & ((1 << bits) - 1)


def _displace(slots: Ints, buckets: Ints, slot_count: int, bucket_count: int) -> Ints:
    """A displacement for each bucket so that no two keys share a slot; the fullest buckets choose first."""
    found = np.zeros(bucket_count, np.int64)
    sizes = np.bincount(buckets, minlength=bucket_count)
    order = np.lexsort((buckets, -sizes[buckets]))
    ranked, ordered = slots[order].tolist(), buckets[order].tolist()
    taken = bytearray(slot_count)
    at = 0
    while at < len(ranked):
        bucket = ordered[at]
        size = int(sizes[bucket])
        if size == 1:
            break
        members = ranked[at : at + size]
        for move in range(slot_count):
            places = {slot ^ move for slot in members}
            if len(places) == size and not any(taken[place] for place in places):
                break
        else:
            raise ValueError("two keys share bucket and slot; choose other factors")
        for place in places:
            taken[place] = 1
        found[bucket] = move
        at += size
    # A bucket of one goes to any free slot.
    free = np.flatnonzero(np.frombuffer(taken, np.uint8) == 0)
    alone = order[at:]
    found[buckets[alone]] = slots[alone] ^ free[: len(alone)]
    return found
