"""What a hostile room may send."""

from __future__ import annotations

import json
from typing import Any

from mjsettle_workers.testing import BEGAN_S

GOOD: dict[str, Any] = {
    "ended_at": BEGAN_S,
    "rule": "guangdong",
    "wild": ["5z"],
    "players": [{}, {}, {"hand": "12345m567p222s1s5z"}, {}],
    "events": [{"type": "win", "seat": 2, "tile": "6m"}],
}
WIN = GOOD["events"][0]
HUGE = (2**31, 2**53 + 1, 2**63, 2**64, 10**30, 10**400, -(10**400), 1e308, -1)
MANY_WILDS = {"hand": "1111222233334s", "wild": ["1s", "2s", "3s", "4s"]}
CONTROLS = ("\x00", "\n", "\r\n", "\x1b[2J", "\u202e", "\u2028", "\ud800", "a" * 129, "", "{}", "a b", "тест", "..;/\\")


def line(**changes: Any) -> bytes:
    """A good round with changes, as JSON (surrogates and all)."""
    return json.dumps(GOOD | changes).encode()


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    """JSON nested so deeply."""
    return opening * depth + closing * depth


def hostile() -> dict[str, bytes]:
    """Lines by what is hostile about them; the key is the round's id where it has a good one."""
    found: dict[str, bytes] = {}

    def add(name: str, **changes: Any) -> None:
        found[name] = line(**{"id": name} | changes)

    for at, number in enumerate(HUGE):
        for field in ("ended_at", "dealer", "streak", "honba", "deposits"):
            add(f"huge/{field}/{at}", **{field: number})
        add(f"huge/seat/{at}", events=[WIN | {"seat": number}])
        add(f"huge/option/{at}", options={"horses": number, "base": number})
        add(f"huge/balance/{at}", players=[{"balance": number}, *GOOD["players"][1:]])
    for at, text in enumerate(CONTROLS):
        found[f"control/id/{at}"] = line(id=text)
        add(f"control/rule/{at}", rule=text)
        add(f"control/edition/{at}", edition=text)
        add(f"control/option/{at}", options={text: text, "preset": text})
        add(f"control/tile/{at}", events=[WIN | {"tile": text, "how": [text], "kind": text}])
        add(f"control/hand/{at}", players=[{}, {}, {"hand": text, "flags": [text]}, {}])
        add(f"control/field/{at}", **{text or "empty": text})
    for depth in (100, 1_000, 30_000):
        found[f"deep/{depth}/whole"] = nested(depth).encode()
        found[f"deep/{depth}/objects"] = (nested(depth // 6 + 1, '{"a":', "}").replace(":}", ":1}")).encode()
        found[f"deep/{depth}"] = line(id=f"deep/{depth}", extra={"a": 0}).replace(
            b'"a": 0', b'"a":' + nested(depth).encode()
        )
    found["many/events"] = line(id="many/events", events=[WIN] * 1_000_000)[:60_000] + b"]}"
    add("many/events/1000", events=[WIN] * 1_000)
    add("many/events/256", events=[{"type": "kong", "seat": 2, "tile": "9p", "kind": "kong", "from": 1}] * 256)
    add("many/wins", events=[WIN] * 200)
    add("many/players", players=[{}] * 5_000)
    add("many/options", options={f"o{i}": i for i in range(2_000)})
    add("many/tiles", players=[{}, {}, {"hand": "1" * 60_000 + "m"}, {}])
    add("many/birds", birds=["1m"] * 5_000)
    add(
        "wilds/all",
        wild=MANY_WILDS["wild"],
        players=[{}, {}, {"hand": MANY_WILDS["hand"]}, {}],
        events=[WIN | {"tile": "9s"}],
    )
    add("wilds/jokers", wild=[], players=[{}, {}, {"hand": "1111111111111x"}, {}])
    add("wilds/kinds", wild=[f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)])
    add("keys/twice")
    found["keys/twice"] = found["keys/twice"][:-1] + b', "rule": "guobiao", "id": "keys/other"}'
    found["number/nan"] = b'{"id": "number/nan", "ended_at": NaN}'
    found["bytes/not-utf8"] = b'{"id": "bytes/not-utf8", "rule": "\xff\xfe"}'
    found["bytes/zip"] = bytes(range(256)) * 20
    found["bytes/empty"] = b""
    found["bytes/long"] = b'{"id": "bytes/long", "x": "' + b"x" * 65_000 + b'"}'
    return found
