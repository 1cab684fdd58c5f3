"""The round that the pages' programs settle."""

from __future__ import annotations

from mjsettle_workers.testing import BEGAN_S

ROUND = {
    "id": "room-42/17",
    "ended_at": BEGAN_S,
    "rule": "guangdong",
    "options": {"horses": 2},
    "wild": ["5z"],
    "players": [{}, {}, {"hand": "12345m567p1s5z", "melds": [{"kind": "pung", "tiles": "222s", "from": 3}]}, {}],
    "events": [{"type": "win", "seat": 2, "tile": "6m"}],
    "birds": ["3m", "7p"],
}
