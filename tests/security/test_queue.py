"""Nothing in the queue is code: no pickle anywhere, and no job but the drain is run."""

from __future__ import annotations

import ast
import pickle
import pickletools
from pathlib import Path
from typing import Any

import pytest
from rq import Callback, Queue
from rq.serializers import JSONSerializer

from mjsettle_workers.client import Client
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import quick_environment, raw, running_worker, stub_round, wait_until
from mjsettle_workers.tokens import drain_queue

ROOT = Path(__file__).parents[2]
SOURCES = [
    path for folder in ("mjsettle", "workers/mjsettle_workers", "plugins") for path in (ROOT / folder).rglob("*.py")
]
UNSAFE = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}


def test_no_module_unpickles_or_evaluates_text() -> None:
    offenders = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            loads = (
                isinstance(node, ast.keyword) and node.arg == "allow_pickle" and getattr(node.value, "value", 0) is True
            )
            if {name.split(".")[0] for name in names} & UNSAFE or called == "eval" or loads:
                offenders.append(f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}")
    assert offenders == []


def test_exec_runs_only_the_programs_that_the_core_writes_itself() -> None:
    """Rule pages are compiled into straight-line programs; no text of a room reaches them."""
    calls = [
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("exec", "compile")
        and "/tests/" not in path.as_posix()
    ]  # fmt: skip
    assert set(calls) <= {"mjsettle/compiler.py", "mjsettle/testing/conformance.py"}


def is_pickle(value: bytes) -> bool:
    if not value.startswith(b"\x80"):
        return False
    try:
        return any(op.name == "STOP" for op, _, _ in pickletools.genops(value))
    except Exception:
        return False


def everything(connection: Any) -> dict[str, list[bytes]]:
    """Every value that the server holds, by key."""
    found: dict[str, list[bytes]] = {}
    for key in connection.scan_iter("*"):
        kind = connection.type(key)
        if kind == b"hash":
            values = [part for pair in connection.hgetall(key).items() for part in pair]
        elif kind == b"string":
            values = [connection.get(key)]
        elif kind == b"stream":
            values = [part for _, fields in connection.xrange(key) for pair in fields.items() for part in pair]
        elif kind == b"list":
            values = connection.lrange(key, 0, -1)
        elif kind == b"set":
            values = list(connection.smembers(key))
        else:
            values = [member for member, _ in connection.zrange(key, 0, -1, withscores=True)]
        found[key.decode()] = [value for value in values if value is not None]
    return found


def test_no_value_in_a_queue_at_work_is_a_pickle(settings: Settings, client: Client, worker_log: Path) -> None:
    assert is_pickle(pickle.dumps({"a": 1}))
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    held: dict[str, list[bytes]] = {}
    with running_worker(environ, worker_log):
        for wave in range(4):
            client.submit([stub_round(f"w{wave}/{i}") for i in range(200)] + [stub_round(f"w{wave}/d", rule="raise")])
            held |= everything(raw(client))
        wait_until(lambda: raw(client).xlen(client.keys.rounds) == 0)
        held |= everything(raw(client))
    assert any(key.startswith("rq:job:") for key in held), "no job was seen"
    assert [key for key, values in held.items() if any(is_pickle(value) for value in values)] == []


@pytest.mark.parametrize("forged", ["function", "callback", "argument", "pickle", "garbage"])
def test_a_forged_job_is_dropped_and_the_worker_works_on(
    settings: Settings, client: Client, worker_log: Path, tmp_path: Path, forged: str
) -> None:
    trace = tmp_path / "was-here"
    queue: Queue = drain_queue(client.connection, settings)
    if forged == "function":
        queue.enqueue_call("os.mkdir", args=(str(trace),))
    elif forged == "argument":
        queue.enqueue_call("mjsettle_workers.drain.drain", args=(str(trace),))
    elif forged == "callback":
        job = queue.enqueue_call("mjsettle_workers.drain.drain", on_success=Callback("os.mkdir"))
        raw(client).hset(job.key, "success_callback_name", "os.mkdir")
    else:
        job = queue.enqueue_call("os.mkdir", args=(str(trace),))
        payload = pickle.dumps(("os.mkdir", None, (str(trace),), {})) if forged == "pickle" else b"\x00{"
        raw(client).hset(job.key, "data", payload)
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    with running_worker(environ, worker_log):
        client.submit([stub_round("after/1")])
        wait_until(lambda: client.results(["after/1"]), 15, worker_log.read_text())
        wait_until(lambda: "was dropped" in worker_log.read_text(), 15)
    assert not trace.exists()
    assert queue.serializer is JSONSerializer
