"""From faan to points (§4): T(f), the portion that everything is paid in."""

from __future__ import annotations

from typing import Final

TABLE_END: Final = 13
"""The last column of the printed table, which a false win pays by where there is no cap."""

_LADDER: Final = (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64)


def portion(faan: int, curve: str) -> int:
    """T(f) of a curve; tables that end are continued by their own rule."""
    if curve == "full":
        return 1 << faan
    if curve == "faan_laak":
        return _LADDER[min(faan, 10)]
    if curve == "simplified":
        return 1 << sum(faan >= step for step in (4, 7, 10))
    if faan <= 4:
        return 1 << faan
    # 半辣上: from four faan on, two faan are needed to double; an odd one adds half.
    doubled = 16 << (faan - 4) // 2
    return doubled * 3 // 2 if faan % 2 else doubled
