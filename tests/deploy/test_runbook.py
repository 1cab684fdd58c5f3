"""deploy/RUNBOOK.md, done: what it tells to do has the effect that it tells."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator

import pytest

from mjsettle_workers.testing import wait_until
from tests.deploy.practice import DEPLOY, PAGE, PLUGIN, USERS, Practice, example
from tests.docs.walk import walk

DAY_S = 86_400
ROUND, FLOOR = "room-42/17", "20758"
"""What stands on the page for a round and for the day of the moment."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Practice]:
    practice = Practice(tmp_path_factory.mktemp("runbook"))
    try:
        practice.serve()
        yield practice
    finally:
        practice.stop()


@pytest.fixture
def practice(running: Practice) -> Practice:
    """With a worker, whatever the test before has stopped."""
    running.work()
    return running


# --- the examples -------------------------------------------------------------------------------------------------


def test_the_examples_of_the_page(practice: Practice) -> None:
    def set_floor(command: str) -> str:
        """To the day of today, and what that refuses."""
        day = int(time.time()) // DAY_S
        assert FLOOR in command
        done = practice.ask(command.replace(FLOOR, str(day)))
        old, new = practice.settle(example("floor/old", ago_s=2 * DAY_S), example("floor/new"))
        assert [error["code"] for error in old["errors"]] == ["too_old"]
        assert new["status"] == "settled"
        return "OK" if done else "nothing"

    def look(command: str) -> str:
        """At the dead letters, of which there is one from the first look on."""
        if not practice.letter:
            bad, good = practice.settle(example(ROUND, house_kongs=True), example("room-42/18"))
            assert [error["code"] for error in bad["errors"]] == ["judge_failed"]
            assert good["status"] == "settled"
            practice.letter = json.loads(practice.run("mjsettle dead"))["letter"]
        return practice.run(command)

    def replay(command: str) -> str:
        """With the plugin repaired and rolled out."""
        practice.plugin.write_text(PLUGIN.replace('"added_kong": 1', '"added_kong": 1, "concealed_kong": 2'))
        practice.worker.stop()
        practice.worker.start()
        return practice.run(command)

    stand_ins: dict[str, Callable[[str], str]] = {
        "redis-cli SET mjsettle:floor": set_floor,
        "mjsettle dead --replay": replay,
        "mjsettle dead": look,
        "mjsettle": practice.run,
    }
    done = []
    for ran in walk(PAGE, practice.folder, stand_ins):
        assert [steady(line) for line in ran.found] == [steady(line) for line in ran.expected], ran.command
        done.append(ran.command.split(" | ")[0])
    assert len(done) == len(re.findall(r"^\$ ", PAGE, re.MULTILINE))
    letter = json.loads((practice.folder / "letter.json").read_text())
    assert json.loads(letter["round"])["id"] == ROUND
    assert "in pay" in letter["reason"]
    assert practice.run("mjsettle dead") == ""
    answer = json.loads(practice.run(f"mjsettle result {ROUND}"))
    assert [entry["points"] for entry in answer["transfers"] if entry["why"] == "kong"].count(2) == 3


def steady(line: str) -> str:
    """Without what differs from run to run: entries and times."""
    return re.sub(r"\d{13}-\d+|(?<=\":)\d{10,13}", "N", line)


# --- the commands in the text -------------------------------------------------------------------------------------


def health(practice: Practice, command: str) -> None:
    found = json.loads(practice.run(command, "metrics"))
    assert (found["healthy"], found["faults"]) == (True, [])
    practice.worker.stop()
    [fault] = json.loads(practice.run(command, "metrics", status=1))["faults"]
    assert "worker" in fault


def queue(practice: Practice, command: str) -> None:
    practice.settle(example("queue/1"))
    state = json.loads(practice.run(command, "metrics"))
    assert state["workers"] == 1
    assert state["counters"]["settled"] >= 1


def judge_only(practice: Practice, command: str) -> None:
    (practice.folder / "old-rounds.jsonl").write_text(json.dumps(example("old/1", ago_s=30 * DAY_S)))
    practice.run(command)
    assert json.loads((practice.folder / "new-results.jsonl").read_text())["status"] == "settled"
    practice.run("mjsettle result old/1", status=1)
    [refused] = practice.settle(example("old/1", ago_s=30 * DAY_S))
    assert refused["errors"][0]["code"] == "too_old"


def settle(practice: Practice, command: str) -> None:
    (practice.folder / "rounds.jsonl").write_text(json.dumps(example("settle/1")))
    assert json.loads(practice.run(f"{command} rounds.jsonl"))["status"] == "settled"


def replay(practice: Practice, command: str) -> None:
    practice.run("mjsettle demo --rounds > october.jsonl")
    assert "9 rounds judged" in practice.run(f"{command} october.jsonl --option horses=0 --workers queue")


def users(practice: Practice, command: str) -> None:
    listed = b" ".join(practice.ask(command)).decode()
    assert [user for user in USERS if f"user {user} on" not in listed] == []


def load_users(practice: Practice, command: str) -> None:
    path = practice.folder / "redis/users.acl"
    shipped = path.read_text()
    path.write_text(shipped + "user another on nopass -@all +ping\n")
    assert practice.ask(command)
    assert b"another" in b" ".join(practice.ask("ACL LIST"))
    path.write_text(shipped)
    practice.ask(command)


def rewrite(practice: Practice, command: str) -> None:
    before = set((practice.data / "appendonlydir").iterdir())
    assert practice.ask(command)
    wait_until(lambda: before.isdisjoint((practice.data / "appendonlydir").glob("*.aof")), told="new files")


def look_at_rounds(practice: Practice, command: str) -> None:
    practice.worker.stop()
    (practice.folder / "sent.jsonl").write_text("\n".join(json.dumps(example(f"many/{i}")) for i in range(30)))
    practice.run("mjsettle enqueue sent.jsonl")
    assert len(practice.ask(command)) == 20


def more_memory(practice: Practice, command: str) -> None:
    assert practice.ask(command)
    assert practice.ask("CONFIG GET maxmemory") == [b"maxmemory", b"%d" % (8 << 30)]


def persistence(practice: Practice, command: str) -> None:
    told = practice.ask(command)
    assert (told["aof_enabled"], told["aof_last_write_status"]) == (1, "ok")


def forget_group(practice: Practice, command: str) -> None:
    practice.settle(example("group/1"))
    practice.ask("XGROUP CREATE mjsettle:results bank 0")
    assert 'group="bank"' in practice.run("mjsettle metrics --once", "metrics")
    assert practice.ask(command.replace("NAME", "bank")) == 1
    assert 'group="bank"' not in practice.run("mjsettle metrics --once", "metrics")


def start(practice: Practice, command: str) -> None:
    """The fixture has run it."""
    assert practice.ask("PING")
    assert (practice.data / "appendonlydir").is_dir()
    made = {path.name for path in (practice.folder / "redis").iterdir()}
    assert made == {"users.acl"} | {path.name for path in (DEPLOY / "redis").iterdir()}


DONE: dict[str, Callable[[Practice, str], None]] = {
    "sh make-acl.sh > users.acl": start,
    'redis-server redis.conf --aclfile "$PWD/users.acl" --dir /var/lib/mjsettle': start,
    "mjsettle health": health,
    "mjsettle health --here": health,
    "mjsettle queue": queue,
    "mjsettle batch --judge-only old-rounds.jsonl -o new-results.jsonl": judge_only,
    "mjsettle settle": settle,
    "mjsettle replay": replay,
    "ACL LIST": users,
    "redis-cli ACL LOAD": load_users,
    "redis-cli BGREWRITEAOF": rewrite,
    "XRANGE mjsettle:rounds - + COUNT 20": look_at_rounds,
    "CONFIG SET maxmemory 8gb": more_memory,
    "redis-cli INFO persistence": persistence,
    "XGROUP DESTROY mjsettle:results NAME": forget_group,
}
ELSEWHERE = {
    "cp deploy/env.example": "wants a container engine; the files are held to the product in test_files.py",
    "docker compose": "wants a container engine; the files are held to the product in test_files.py",
    "python3 -m venv": "tests/packaging installs the distributions",
    "/opt/mjsettle/bin/pip install": "tests/packaging installs the distributions",
    "systemctl": "wants systemd as the first process; test_files.py has the units verified",
    "kubectl apply": "wants a cluster; test_files.py has the manifests validated",
    "rq info": "a tool of others, against servers that this suite does not have",
    "pip install rq-dashboard": "a tool of others, in an environment of its own",
    "rq-dashboard": "a tool of others, in an environment of its own",
    "rq-exporter": "a tool of others, in an environment of its own; test_server_users.py asks what it asks",
    "redis-cli --latency": "runs until it is stopped",
    "XREADGROUP …": "shows which argument is meant; test_server_users.py reads as a ledger",
    "user default off": "a line of a file of users; test_restart.py does with it what the page warns of",
    "aof-load-truncated yes": "a line of the server's own settings",
    "Truncating the AOF": "a line of the server's log, which embedded.py looks for",
    "Revert incomplete MULTI/EXEC": "a line of the server's log, which embedded.py looks for",
    "mjsettle worker --embedded": "tests/integration/test_first_path.py starts one",
}
"""Commands that are not run here, and why."""
NAMED = [
    " ".join(found.split())
    for found in re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL))
]
"""What stands as code in the text."""


@pytest.mark.parametrize("command", DONE)
def test_a_command_does_what_the_page_says(practice: Practice, command: str) -> None:
    assert command in NAMED
    DONE[command](practice, command)


def test_no_command_escapes_its_test() -> None:
    commands = [named for named in NAMED if " " in named or named.startswith("mjsettle ")]
    assert PAGE.count("```") == 2 * PAGE.count("```console"), "a block that is not run"
    loose = [one for one in commands if one not in DONE and not one.startswith(tuple(ELSEWHERE))]
    assert loose == []
    assert [beginning for beginning in ELSEWHERE if not any(one.startswith(beginning) for one in commands)] == []
