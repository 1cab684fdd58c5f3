from __future__ import annotations

import time
import zlib
from collections.abc import Iterator

import msgspec
import pytest

from mjsettle_workers import tokens
from mjsettle_workers.client import Client
from mjsettle_workers.drain import PARKED, Drain
from mjsettle_workers.fanout import Batches
from mjsettle_workers.judge import Judge
from mjsettle_workers.keys import GROUP
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk, settle_entries
from mjsettle_workers.stub_judges import OneEdition
from mjsettle_workers.testing import answers_on_stream, drain_once, open_test_desk, raw, stub_round


@pytest.fixture
def other_desk(settings: Settings) -> Iterator[Desk]:
    with open_test_desk(settings, "other") as opened:
        yield opened


def give_judge(desk: Desk, monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("MJSETTLE_STUB_RULES", rules)
        desk.judge = Judge(OneEdition(), desk.settings)


class TestEditions:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        """Nobody loses patience however slow the machine is; a test of the bound says so."""
        return msgspec.structs.replace(settings, edition_wait_s=600)

    @pytest.fixture
    def impatient(self, settings: Settings) -> Iterator[Desk]:
        """A worker that refuses at once what it lacks."""
        with open_test_desk(msgspec.structs.replace(settings, edition_wait_s=0), "impatient") as opened:
            yield opened

    def test_a_round_is_left_for_the_worker_that_has_its_edition(
        self, client: Client, desk: Desk, other_desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give_judge(desk, monkeypatch, "stub,stub@2025")
        give_judge(other_desk, monkeypatch, "stub,stub@2026")
        client.submit([stub_round("new", edition="2026"), stub_round("any"), stub_round("old", edition="2025")])
        drain_once(desk)
        assert sorted(client.results(["new", "any", "old"])) == ["any", "old"]
        assert desk.connection.hvals(desk.keys.parked) == [b"stub@2026"]
        drain_once(desk)
        rows = desk.connection.xpending_range(desk.keys.rounds, GROUP, "-", "+", 10)
        assert [(row["consumer"], row["times_delivered"]) for row in rows] == [(PARKED.encode(), 1)]
        drain_once(other_desk)
        assert b'"settled"' in client.results(["new"])["new"]
        assert desk.connection.hlen(desk.keys.parked) == 0

    def test_after_its_bound_it_is_refused_by_name(
        self, client: Client, desk: Desk, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give_judge(desk, monkeypatch, "stub")
        client.submit([stub_round("a", edition="1999"), stub_round("b", rule="nowhere")])
        drain_once(desk)
        assert client.results(["a", "b"]) == {}
        with open_test_desk(msgspec.structs.replace(settings, edition_wait_s=0.2), "impatient") as impatient:
            give_judge(impatient, monkeypatch, "stub")
            time.sleep(0.2)
            drain_once(impatient)
        answers = {answer["id"]: answer for answer in answers_on_stream(client)}
        assert answers["a"]["errors"][0]["field"] == "edition"
        assert answers["b"]["errors"][0]["field"] == "rule"

    def test_what_was_refused_for_want_of_a_rule_set_is_judged_again_once_workers_have_it(
        self, client: Client, impatient: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give_judge(impatient, monkeypatch, "stub")
        client.submit([stub_round("a", rule="new")] * 2, in_order="room")
        drain_once(impatient)
        assert client.results(["a"]) == {}
        give_judge(impatient, monkeypatch, "stub,new")
        client.submit([stub_round("a", rule="new")] * 2, in_order="room")
        drain_once(impatient)
        answers = answers_on_stream(client)
        assert [(a["status"], a["again"]) for a in answers] == [
            ("refused", False),
            ("refused", False),
            ("settled", False),
            ("settled", True),
        ]

    def test_a_worker_without_the_rule_set_gives_the_stored_answer_and_names_conflicts(
        self, client: Client, impatient: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A plugin that is taken back must not hide what was paid."""
        give_judge(impatient, monkeypatch, "new")
        client.submit([stub_round("a", rule="new")])
        drain_once(impatient)
        give_judge(impatient, monkeypatch, "stub")
        client.submit([stub_round("a", rule="new"), stub_round("a", rule="new", honba=2)])
        drain_once(impatient)
        answers = answers_on_stream(client)
        assert [(a["status"], a["again"]) for a in answers] == [
            ("settled", False),
            ("settled", True),
            ("conflict", False),
        ]
        assert answers[2]["errors"][0]["field"] == "honba"

    def test_a_round_with_a_fault_of_its_own_stays_refused(
        self, client: Client, impatient: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give_judge(impatient, monkeypatch, "stub")
        undated = b'{"id": "a", "rule": "new"}'
        client.submit([undated, undated])
        drain_once(impatient)
        assert [answer["again"] for answer in answers_on_stream(client)] == [False, True]
        assert list(client.results(["a"])) == ["a"]

    def test_a_part_of_a_large_batch_is_judged_again_too(
        self, client: Client, impatient: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines = [stub_round("a", rule="new"), stub_round("a", rule="new", honba=2), stub_round("b", rule="new")]
        batches = Batches(client.connection, impatient.settings)
        found: list[list[str]] = []
        for rules in ("stub", "new"):
            give_judge(impatient, monkeypatch, rules)
            name = batches.start(lines)
            drain_once(impatient)
            found.append([msgspec.json.decode(answer)["status"] for answer in batches.answers(name)])
        assert found == [["refused"] * 3, ["settled", "conflict", "settled"]]

    def test_a_parked_round_is_not_taken_for_abandoned(
        self, client: Client, desk: Desk, other_desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give_judge(desk, monkeypatch, "stub")
        give_judge(other_desk, monkeypatch, "stub")
        client.submit([stub_round("a", edition="x")])
        drain_once(desk)
        raw(desk).xclaim(desk.keys.rounds, GROUP, other_desk.consumer, 0, _pending_ids(desk), justid=True)
        drain_once(other_desk)
        rows = desk.connection.xpending_range(desk.keys.rounds, GROUP, "-", "+", 10)
        assert [row["times_delivered"] for row in rows] == [1]


def _pending_ids(desk: Desk) -> list[bytes]:
    return [row["message_id"] for row in raw(desk).xpending_range(desk.keys.rounds, GROUP, "-", "+", 10)]


class TestOrder:
    def test_rounds_of_an_ordered_room_are_applied_in_the_order_sent(
        self, client: Client, desk: Desk, other_desk: Desk
    ) -> None:
        client.submit([stub_round(f"r{i}") for i in range(6)], in_order="room")
        first = Drain(desk, lambda: False).read(1, 3, 0)
        second = Drain(other_desk, lambda: False).read(1, 3, 0)
        late = settle_entries(other_desk, second)
        assert (late.done, len(late.waiting)) == (0, 3)
        assert settle_entries(desk, first).done == 3
        assert settle_entries(other_desk, late.waiting).done == 3
        assert [answer["id"] for answer in answers_on_stream(client)] == [f"r{i}" for i in range(6)]

    def test_other_rounds_do_not_wait_for_an_ordered_room(self, client: Client, desk: Desk, other_desk: Desk) -> None:
        client.submit([stub_round("r0")], in_order="room")
        Drain(other_desk, lambda: False).read(1, 1, 0)
        client.submit([stub_round("r1")], in_order="room")
        client.submit([stub_round("free")])
        drain = drain_once(desk)
        assert list(client.results(["r1", "free"])) == ["free"]
        assert len(drain.held) == 1
        assert [row["times_delivered"] for row in _rows(desk)] == [1, 1]

    def test_a_lost_predecessor_holds_up_its_room_only_for_a_while(self, client: Client, desk: Desk) -> None:
        client.submit([stub_round("r0"), stub_round("r1")], in_order="room")
        desk.connection.xtrim(desk.keys.rounds, maxlen=1, approximate=False)
        entries = Drain(desk, lambda: False).read(1, 10, 0)
        assert len(settle_entries(desk, entries).waiting) == 1
        entries[0].overdue = True
        assert settle_entries(desk, entries).done == 1
        client.submit([stub_round("r2")], in_order="room")
        drain_once(desk)
        assert list(client.results(["r2"])) == ["r2"]


def _rows(desk: Desk) -> list[dict[str, object]]:
    return list(raw(desk).xpending_range(desk.keys.rounds, GROUP, "-", "+", 10))


class TestTokens:
    def test_the_queue_holds_one_drain_for_each_live_worker(self, desk: Desk, other_desk: Desk) -> None:
        assert tokens.top_up(desk) == 1
        tokens.beat(desk)
        assert tokens.beat(other_desk) == 2
        assert tokens.top_up(other_desk) == 1
        assert tokens.top_up(desk) == 0
        queue = tokens.drain_queue(desk.connection, desk.settings)
        assert len(queue) == 2
        assert {job.func_name for job in queue.jobs} == {"mjsettle_workers.drain.drain"}
        assert all(job.result_ttl == 0 and job.ttl and job.failure_ttl for job in queue.jobs)

    def test_a_worker_not_seen_for_long_is_not_counted(self, desk: Desk) -> None:
        desk.connection.zadd(desk.keys.workers, {"long dead": time.time() - tokens.ALIVE_S - 2})
        assert tokens.beat(desk) == 1

    def test_jobs_are_json_never_pickle(self, desk: Desk) -> None:
        tokens.top_up(desk)
        (job,) = tokens.drain_queue(desk.connection, desk.settings).jobs
        assert zlib.decompress(raw(desk).hget(job.key, "data")).startswith(b"[")
