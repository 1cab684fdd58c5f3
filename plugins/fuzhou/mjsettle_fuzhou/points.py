"""What each payer owes (sheet section 4): the core, doubled where it is, and the special."""

from __future__ import annotations

from mjsettle.columns import Col
from mjsettle.options import Options


def core(options: Options, flowers: Col, golds: Col, kongs: Col, streak: Col) -> Col:
    """Flowers, golds, kongs (exposed 1, concealed 2) and the dealer's streak; table C has a base of 1."""
    return (1 if options.table == "C" else 0) + flowers + golds + kongs + streak


def per_payer(options: Options, core: Col, drawn: Col, special: Col) -> Col:
    """The core, twice on a self-draw (in table C with any special too), and the special.

    drawn: 1 on a self-draw, 抢金 included in table C alone.
    """
    doubled = (drawn == 1) | (special > 0) if options.table == "C" else drawn == 1
    return core * (1 + doubled * 1) + special
