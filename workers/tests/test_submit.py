from __future__ import annotations

import threading
import time

import pytest
import redis

from mjsettle_workers.client import Client, NoAnswerError, QueueFullError
from mjsettle_workers.settings import Settings
from mjsettle_workers.settling import Desk
from mjsettle_workers.testing import drain_once, open_client, open_test_desk, quick_settings, raw, stub_round


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return quick_settings(settings.redis_url, prefix=settings.prefix, queue=settings.queue, rounds_max=10)


def test_a_full_queue_refuses_and_drops_nothing(client: Client) -> None:
    with pytest.raises(QueueFullError) as full:
        client.submit([stub_round(f"r{i}") for i in range(15)], timeout_s=0)
    assert len(full.value.entries) == 10
    rows = raw(client).xrange(client.keys.rounds)
    assert [row[0].decode() for row in rows] == full.value.entries
    with pytest.raises(QueueFullError):
        client.submit([stub_round("more")], timeout_s=0)


def test_a_sender_waits_while_the_queue_is_full(client: Client, settings: Settings) -> None:
    def drain_later() -> None:
        with open_test_desk(settings) as desk:
            time.sleep(0.1)
            drain_once(desk, 1.0)

    helper = threading.Thread(target=drain_later)
    helper.start()
    assert len(client.submit([stub_round(f"r{i}") for i in range(95)], timeout_s=10)) == 95
    helper.join()
    assert len(client.results(f"r{i}" for i in range(95))) == 95


def test_a_round_beyond_the_bound_is_refused_before_it_is_queued(client: Client) -> None:
    with pytest.raises(redis.ResponseError, match="TOOLONG round 2"):
        client.submit([stub_round("a"), stub_round("b", pad="x" * 70_000)])
    assert client.connection.xlen(client.keys.rounds) == 0


def test_a_caller_that_waits_is_told_which_rounds_have_no_answer(client: Client) -> None:
    with pytest.raises(NoAnswerError, match="workers running") as silent:
        list(client.settle([stub_round("a"), b"unreadable"], timeout_s=0.2))
    assert silent.value.ids == ["a", "round 2"]


def test_what_is_not_answered_is_sent_again(client: Client, settings: Settings, desk: Desk) -> None:
    lost = threading.Event()

    def lose_then_settle() -> None:
        with open_client(settings) as other:
            while not other.connection.xlen(other.keys.rounds):
                time.sleep(0.01)
            other.connection.xtrim(other.keys.rounds, maxlen=0, approximate=False)  # as a crash may
            lost.set()
            drain_once(desk, 1.5)

    helper = threading.Thread(target=lose_then_settle)
    helper.start()
    answers = dict(client.settle([stub_round("a"), b"unreadable"], timeout_s=10, resend_s=0.3))
    helper.join()
    assert lost.is_set()
    assert sorted(answers) == [0, 1]
    assert b'"settled"' in answers[0]
    assert b'"unreadable"' in answers[1]
