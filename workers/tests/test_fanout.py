from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from mjsettle_workers.client import Client
from mjsettle_workers.drain import Drain
from mjsettle_workers.fanout import BatchError, Batches, cut
from mjsettle_workers.keys import DAY_S
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import (
    answers_on_stream,
    drain_once,
    open_test_desk,
    quick_settings,
    raw,
    stub_round,
)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return quick_settings(settings.redis_url, prefix=settings.prefix, queue=settings.queue, part_rounds=10)


@pytest.fixture
def batches(client: Client, settings: Settings) -> Batches:
    return Batches(client.connection, settings)


@pytest.fixture
def other_desk(settings: Settings) -> Iterator[Desk]:
    with open_test_desk(settings, "other") as opened:
        yield opened


def test_a_batch_is_cut_by_rule_set_and_size_and_nothing_is_left_out() -> None:
    lines = [stub_round(f"r{i}", rule="ab"[i % 2]) for i in range(45)] + [b"unreadable"]
    parts = list(cut(lines, 10))
    assert sorted(i for part in parts for i in part) == list(range(46))
    assert max(map(len, parts)) == 10
    for part in parts:
        assert len({json.loads(lines[i])["rule"] if i < 45 else "" for i in part}) == 1


def test_answers_come_in_the_order_given_from_however_many_workers(
    batches: Batches, desk: Desk, other_desk: Desk, client: Client
) -> None:
    lines = [stub_round(f"r{i}", honba=i, rule=["stub", "bad", "tub"][i % 3]) for i in range(95)] + [b"unreadable"]
    name = batches.start(lines)
    assert batches.progress(name).done == 0
    with pytest.raises(BatchError, match="finished 0 of"):
        batches.answers(name)
    for _ in range(20):
        for worker in (desk, other_desk):
            Drain(worker, lambda: False).step()
    assert [told.finished for told in batches.wait(name, 1)] == [True]
    answers = [json.loads(line) for line in batches.answers(name)]
    assert [answer["id"] for answer in answers] == [f"r{i}" for i in range(95)] + [None]
    assert [answer["status"] for answer in answers[:3]] == ["settled", "refused", "settled"]
    # A batch is no second way to be paid: the ids are those of the live rounds.
    client.submit(lines[:10])
    drain_once(desk)
    assert [answer["again"] for answer in answers_on_stream(client)].count(True) == 10


def test_a_part_with_a_round_at_fault_is_tried_again_round_by_round(
    batches: Batches, desk: Desk, client: Client
) -> None:
    lines = [stub_round(f"r{i}", rule="stub") for i in range(10)]
    lines[4] = b"unreadable"
    lines[6] = stub_round("r6", rule="stub", players="forge").replace(b'"rule":"stub"', b'"rule":"raise"')
    name = batches.start(lines)
    drain_once(desk, 0.5)
    told = batches.progress(name)
    assert (told.done, told.finished) == (told.total, True)
    answers = [json.loads(line) for line in batches.answers(name)]
    assert [answer["status"] for answer in answers].count("settled") == 8
    assert answers[6]["errors"][0]["code"] == "judge_failed"
    assert desk.connection.xlen(desk.keys.dead) == 1


def test_a_part_whose_worker_died_is_cut_into_rounds(batches: Batches, desk: Desk) -> None:
    name = batches.start([stub_round(f"r{i}") for i in range(10)])
    Drain(desk, lambda: False).read(2, 1, 0)
    drain_once(desk, 0.5)
    told = batches.progress(name)
    assert (told.total, told.finished) == (10, True)
    assert [json.loads(line)["id"] for line in batches.answers(name)] == [f"r{i}" for i in range(10)]


def test_a_replay_pays_nothing_and_may_be_of_old_rounds(batches: Batches, desk: Desk, client: Client) -> None:
    lines = [stub_round(f"r{i}", honba=i, ago_s=300 * DAY_S) for i in range(15)]
    name = batches.start(lines, unrecorded=True)
    drain_once(desk, 0.5)
    assert [json.loads(line)["deltas"][0] for line in batches.answers(name)] == [3 * i for i in range(15)]
    assert answers_on_stream(client) == []
    assert client.results(f"r{i}" for i in range(15)) == {}


def test_conflicts_and_old_rounds_in_a_part_do_not_hold_up_the_others(
    batches: Batches, desk: Desk, client: Client
) -> None:
    client.submit([stub_round("r3", honba=9)])
    drain_once(desk)
    lines = [stub_round(f"r{i}") for i in range(8)] + [stub_round("old", ago_s=30 * DAY_S), stub_round("r0", honba=5)]
    name = batches.start(lines)
    drain_once(desk, 0.5)
    answers = [json.loads(line) for line in batches.answers(name)]
    assert answers[3]["status"] == "conflict"
    assert answers[8]["errors"][0]["code"] == "too_old"
    assert answers[9]["status"] == "conflict"
    assert [answer["status"] for answer in answers].count("settled") == 7


def test_a_batch_that_does_not_move_is_reported(batches: Batches) -> None:
    name = batches.start([stub_round("a")])
    with pytest.raises(BatchError, match="workers running"):
        list(batches.wait(name, 0.1))
    with pytest.raises(BatchError, match="no batch"):
        batches.progress("unknown")


def test_parts_sent_twice_are_done_once(batches: Batches, desk: Desk, other_desk: Desk) -> None:
    """A sender that loses its connection sends again what may have arrived: whole copies, and copies of cut parts."""
    name = batches.start([stub_round(f"r{i}", honba=i) for i in range(30)])
    for _, fields in raw(desk).xrange(desk.keys.parts):
        raw(desk).xadd(desk.keys.parts, fields)
    Drain(desk, lambda: False).read(2, 2, 0)  # two parts are cut short, hence cut into rounds; their copies are not
    for _ in range(8):
        Drain(other_desk, lambda: False).step()
    drain_once(desk, 0.5)
    told = batches.progress(name)
    assert told.done == told.total
    assert [json.loads(line)["deltas"][0] for line in batches.answers(name)] == [3 * i for i in range(30)]


def test_a_cut_part_and_its_whole_copy_count_once(batches: Batches, desk: Desk, other_desk: Desk) -> None:
    name = batches.start([stub_round(f"r{i}", honba=i) for i in range(10)])
    ((_, fields),) = raw(desk).xrange(desk.keys.parts)
    Drain(desk, lambda: False).read(2, 1, 0)
    drain_once(desk, 0.3)
    raw(desk).xadd(desk.keys.parts, fields)
    drain_once(other_desk, 0.3)
    told = batches.progress(name)
    assert (told.done, told.total) == (10, 10)
    assert [json.loads(line)["deltas"][0] for line in batches.answers(name)] == [3 * i for i in range(10)]
