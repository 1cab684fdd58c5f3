"""A storm that fails says of each wrong round what everybody knows of it."""

from __future__ import annotations

from pathlib import Path

from mjsettle_workers.client import Client
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import drain_once, raw, stub_round
from tests.integration.explain import IDS_MAX, explain
from tests.integration.rooms import Case, Ledger, Room


def test_everybody_is_asked_about_a_wrong_round(client: Client, desk: Desk, settings: Settings, tmp_path: Path) -> None:
    room, ledger = Room("room7", settings, 1, 0.0, poison=0), Ledger(settings)
    room.cases = {
        ident: Case(ident, stub_round(ident, rule=rule, honba=4), rule, 4)
        for ident, rule in (("room7/0", "stub"), ("room7/1", "raise"), ("room7/2", "stub"))
    }
    room.client.submit([room.cases["room7/0"].line, room.cases["room7/1"].line])
    drain_once(desk, 0.5)
    for entry, fields in raw(client).xrange(client.keys.results):
        ledger.book(fields, entry.decode())
    room.client.submit([room.cases["room7/2"].line])
    ledger.died = "Traceback: why"
    log = tmp_path / "log"
    log.write_text("one line\n" * 500 + "the last line\n")
    wrong = ["room7/0 was booked", "room7/1 is innocent", "room7/2 (stub): no answer", "room9/9 is no round of ours"]
    told = explain(client, [room], ledger, wrong, ["   1.000 s power"], [log])
    of = {part.split(":")[0]: part for part in told.split("\nroom7/")}
    assert '"deltas":[12,-4,-4,-4]' in of["0"]
    assert "booked [12, -4, -4, -4], read ['" in of["0"]
    assert "dead letters: None" in of["0"]
    assert "refused ['judge_failed']" in of["1"]
    assert "a plugin raised this" in of["1"]
    assert "store: None" in of["2"]
    assert "queue: ['" in of["2"]
    assert "ledger ended before its time:\nTraceback: why" in told
    assert "   1.000 s power" in told
    assert told.endswith("the last line")
    assert told.count("one line") < 100
    many = [f"room7/{i} was booked" for i in range(3)] * IDS_MAX
    assert explain(client, [room], ledger, many, [], []).count("  store: ") == 3
    room.client.connection.close()
    ledger.client.connection.close()
