from __future__ import annotations

from collections.abc import Sequence

import pytest

from mjsettle_workers import upkeep
from mjsettle_workers.client import Client
from mjsettle_workers.drain import Drain
from mjsettle_workers.entries import Sent
from mjsettle_workers.keys import GROUP
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import drain_once, open_test_desk, quick_settings, raw, stub_round


def consumers(desk: Desk) -> set[bytes]:
    return {row["name"] for row in raw(desk).xinfo_consumers(desk.keys.rounds, GROUP)}


def test_a_dead_consumer_is_removed_only_when_nothing_is_pending_on_it(
    client: Client, desk: Desk, settings: Settings
) -> None:
    with open_test_desk(settings, "dead") as dead:
        client.submit([stub_round("a")])
        Drain(dead, lambda: False).read(1, 1, 0)
    assert upkeep.tidy_consumers(desk, idle_ms=-1) == 0
    raw(desk).xclaim(desk.keys.rounds, GROUP, desk.consumer, 0, _ids(desk), justid=True)
    assert upkeep.tidy_consumers(desk, idle_ms=-1) == 1
    assert consumers(desk) == {desk.consumer.encode()}


def _ids(desk: Desk) -> list[bytes]:
    return [row["message_id"] for row in raw(desk).xpending_range(desk.keys.rounds, GROUP, "-", "+", 10)]


def test_results_stay_until_every_reader_has_acknowledged_them(client: Client, desk: Desk) -> None:
    key, connection = desk.keys.results, raw(desk)
    client.submit([stub_round(f"r{i}", pad="x" * 500) for i in range(2_000)])
    drain_once(desk, 1.5)
    assert connection.xlen(key) == 2_000
    for group in ("ledger", "audit"):
        connection.xgroup_create(key, group, id="0")
        connection.xreadgroup(group, "one", {key: ">"}, count=2_000 if group == "ledger" else 1_500)
    assert upkeep.trim_results(desk) == 0
    read = [row["message_id"] for row in connection.xpending_range(key, "ledger", "-", "+", 2_000)]
    connection.xack(key, "ledger", *read)
    assert upkeep.trim_results(desk) == 0
    connection.xack(key, "audit", *read[:1_200])
    upkeep.trim_results(desk)
    kept = [row[0] for row in connection.xrange(key)]
    assert kept == read[len(read) - len(kept) :]
    assert 800 <= len(kept) < 1_000  # nothing unread is gone, and most of what was read is


def test_results_nobody_reads_go_after_their_time(client: Client, settings: Settings) -> None:
    with open_test_desk(quick_settings(settings.redis_url, prefix=settings.prefix, results_keep_s=-2)) as desk:
        client.submit([stub_round(f"r{i}", pad="x" * 500) for i in range(1_000)])
        drain_once(desk, 1.0)
        upkeep.trim_results(desk)
        assert desk.connection.xlen(desk.keys.results) < 500
        assert len(client.results(f"r{i}" for i in range(1_000))) == 1_000


def test_a_new_worker_judges_for_itself_what_it_warms_up_with(client: Client, desk: Desk, settings: Settings) -> None:
    client.submit([stub_round(f"r{i}", honba=i) for i in range(20)])
    drain_once(desk)
    upkeep.share_inputs(desk)
    with open_test_desk(settings, "new") as new:
        assert upkeep.warm_up(new) == 20
        assert new.judge.judged == 20
        client.submit([stub_round(f"again/{i}", honba=i) for i in range(20)])
        drain_once(new)
        assert (new.judge.judged, new.judge.cache.hits) == (20, 20)


def test_a_forged_or_damaged_warm_up_changes_nothing(client: Client, desk: Desk) -> None:
    for blob in (b"\xc1", b"\x91\xc4\x02{]", b"\x91\xc4\x0b" + b'{"honba":7}'[:11], b"\x92\xc4\x02{}\xc4\x00"):
        desk.connection.set(desk.keys.warm, blob)
        upkeep.warm_up(desk)
    client.submit([stub_round("a", honba=7)])
    drain_once(desk)
    assert b'"deltas":[21,-7,-7,-7]' in client.results(["a"])["a"]


def test_an_input_that_ends_the_process_is_met_only_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.connection.set(desk.keys.warm, b"\x90")
    taken: list[object] = []
    judge = desk.judge

    class Watched:
        settings = desk.settings
        supports = judge.supports

        def answer(self, rounds: Sequence[Sent]) -> list[tuple[bytes, str]]:
            taken.append(desk.connection.get(desk.keys.warm))
            return judge.answer(rounds)

    monkeypatch.setattr(desk, "judge", Watched())
    upkeep.warm_up(desk)
    assert taken == [None]
    assert desk.connection.get(desk.keys.warm) == b"\x90"
