"""Whatever a room sends is answered, costs nobody else anything, and reaches no dead letter."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import mjsettle
from mjsettle_workers.client import Client
from mjsettle_workers.outgoing import as_line, id_of
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import quick_environment, raw, running_worker, wait_until
from tests.security.rooms import GOOD, hostile, line

LINES = hostile()
REFUSED_FROM_OUTSIDE = ("unreadable", "too_long")


@pytest.fixture(scope="module")
def engine() -> mjsettle.Engine:
    found = mjsettle.load()
    found.wilds_max = 8
    return found


@pytest.mark.parametrize("name", LINES)
def test_the_engine_answers_every_line_by_itself(name: str, engine: mjsettle.Engine) -> None:
    one = LINES[name].replace(b"\n", b" ") or b"{}"
    answers = engine.settle_json(one + b"\n" + line(id="good") + b"\n").splitlines()
    assert len(answers) == 2
    answer = json.loads(answers[0])
    assert answer["status"] in ("refused", "settled")
    if answer["status"] == "refused":
        assert answer["errors"]
        assert len(answers[0]) < 200_000, "an answer must not grow far beyond its round"
        for error in answer["errors"]:
            assert set(error) == {"code", "field", "message"}
    else:
        assert sum(answer["deltas"]) + answer["table"] == 0
        assert all(abs(delta) < 2**53 for delta in answer["deltas"])
    assert json.loads(answers[1])["status"] == "settled"


def test_hands_that_explode_are_refused_by_name(engine: mjsettle.Engine) -> None:
    for name in ("wilds/all", "wilds/jokers"):
        answer = json.loads(engine.settle_json(LINES[name]))
        assert answer["status"] == "refused"
    assert json.loads(engine.settle_json(LINES["wilds/all"]))["errors"][0]["code"] == "too_many_wilds"
    allowed = line(id="eight", wild=["1s", "2s"], players=[{}, {}, {"hand": "12345m11112222s"}, {}])
    assert json.loads(engine.settle_json(allowed))["status"] == "settled"


def test_the_library_still_judges_any_number_of_wilds() -> None:
    assert mjsettle.is_win("1x" * 0 + "11111111111111x")
    assert mjsettle.load().wilds_max is None


def test_a_worker_answers_all_of_them_and_settles_the_rounds_between(
    settings: Settings, client: Client, worker_log: Path
) -> None:
    changes = {"judge": "mjsettle:load", "judge_limit_s": 30, "claim_idle_ms": 60_000}
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, **changes)
    names = list(LINES)
    rounds: list[bytes] = []
    for name in names:
        rounds += [LINES[name], line(id=f"between/{name}")]
    sendable = [each for each in rounds if len(each) <= settings.round_bytes_max]
    with running_worker(environ, worker_log):
        sent = client.submit(sendable)
        connection = raw(client)
        wait_until(
            lambda: connection.xlen(client.keys.rounds) == 0 and connection.xlen(client.keys.results) >= len(sent), 60
        )
        assert connection.xlen(client.keys.dead) == 0, worker_log.read_text()
        answers = [json.loads(fields[b"result"]) for _, fields in connection.xrange(client.keys.results)]
        settled = {answer["id"] for answer in answers if answer["status"] == "settled"}
        assert {f"between/{name}" for name in names} <= settled
        nameless = [answer for answer in answers if answer["id"] is None]
        assert len(nameless) == sum(id_of(each) is None for each in sendable)
        assert all("entry" in answer for answer in nameless)
        assert connection.exists(client.keys.suspects) == 0, "no round has ended its worker"
        for key in connection.scan_iter(f"{settings.prefix}:*"):
            assert key.decode().isprintable(), "no key is named by a room's control characters"


def test_too_long_is_refused_at_the_door(client: Client) -> None:
    with pytest.raises(Exception, match=r"TOOLONG round 1 has \d+ bytes, expected at most 65536"):
        client.offer([b'{"id": "' + b"x" * 70_000 + b'"}'])
    assert raw(client).xlen(client.keys.rounds) == 0


def test_names_of_rooms_cannot_reach_other_keys(settings: Settings, client: Client, worker_log: Path) -> None:
    """A forged entry names another key as the room's stream."""
    evil = ["../seen:1", "x\n", "a b", "*", "x" * 200, "\x00"]
    for at, to in enumerate(evil):
        fields = {"round": line(id=f"evil/{at}", rule="stub", honba=1), "to": to, "room": to, "seq": "1"}
        raw(client).xadd(client.keys.rounds, fields)
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    with running_worker(environ, worker_log):
        wait_until(lambda: raw(client).xlen(client.keys.results) == len(evil))
    # Only the first is of an id's characters; it is the name of a stream below `results:` like any other.
    assert list(raw(client).scan_iter(f"{settings.prefix}:results:*")) == [client.keys.reply(evil[0]).encode()]
    assert list(raw(client).scan_iter(f"{settings.prefix}:order:*")) == [client.keys.order(evil[0]).encode()]


def test_metrics_and_logs_are_not_written_by_rooms(settings: Settings, client: Client, worker_log: Path) -> None:
    registry = pytest.importorskip("mjsettle_workers.metrics").registry
    exposition = pytest.importorskip("prometheus_client")
    rules = ["evil\n", 'x"} 1', "\x1b[31m", "a" * 64, *[f"made-up-{i}" for i in range(300)]]
    now = int(time.time())
    rounds = [as_line(GOOD | {"id": f"metric/{i}", "rule": rule, "ended_at": now}) for i, rule in enumerate(rules)]
    changes = {"judge": "mjsettle:load", "edition_wait_s": 0, "log_level": "info", "judge_limit_s": 1.4}
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue, **changes)
    with running_worker(environ, worker_log, None):
        client.submit(rounds)
        wait_until(lambda: raw(client).xlen(client.keys.results) == len(rules))
        wait_until(lambda: raw(client).hlen(client.keys.metrics) > 0)
    text = exposition.generate_latest(registry(client)).decode()
    assert "made-up" not in text
    assert "evil" not in text
    assert 'rule="unknown"' in text
    assert "\x1b" not in worker_log.read_text()
