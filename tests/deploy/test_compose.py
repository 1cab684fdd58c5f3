"""compose.yaml: what Compose itself says of it, and its services at work, as processes of this machine."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

from mjsettle_workers.client import Client
from mjsettle_workers.embedded import find_server
from mjsettle_workers.settings import load_settings
from mjsettle_workers.testing import collector, open_client, version_of, wait_until
from tests.deploy.composition import DEPLOY, Composition, example_environment

TEXT = (DEPLOY / "compose.yaml").read_text()


@contextmanager
def composed(folder: Path, **changes: str) -> Iterator[Composition]:
    """Every service of ours and the server, up and healthy."""
    if version_of(find_server()).startswith(("7.0.", "7.1.")):
        pytest.skip("the server that tests start is older than that of compose.yaml")
    composition = Composition(folder, example_environment(**changes))
    try:
        for name in ("worker", "metrics", "desk"):
            composition.start(name)
        for name in ("worker", "metrics", "desk"):
            composition.await_health(name)
        yield composition
    finally:
        composition.stop()


def won_round(ident: str) -> dict[str, Any]:
    hand = {"hand": "12345m567p222s1s5z"}
    win = {"type": "win", "seat": 2, "tile": "6m"}
    told = {"id": ident, "ended_at": int(time.time()), "rule": "guangdong", "dealer": 0, "wild": ["5z"]}
    return told | {"players": [{}, {}, hand, {}], "events": [win]}


def page(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        return str(answer.read().decode())


def room_of(composition: Composition) -> Any:
    return open_client(load_settings({}, redis_url=composition.url("room")))


def settled(room: Client, count: int) -> list[dict[str, Any]]:
    rounds = [json.dumps(won_round(f"table-7/{i}")).encode() for i in range(count)]
    return [json.loads(answer) for _, answer in room.settle(rounds, timeout_s=60)]


def test_the_services_settle_rounds_show_them_and_stop(tmp_path: Path) -> None:
    pytest.importorskip("mjsettle_guangdong", reason="mjsettle-guangdong is not installed")
    with composed(tmp_path) as composition:
        with room_of(composition) as room:
            answers = settled(room, 40)
        assert [answer["status"] for answer in answers] == ["settled"] * 40
        with closing(redis.Redis.from_url(composition.url("ledger"), protocol=2)) as connection:
            ledger: Any = connection
            ledger.xgroup_create("mjsettle:results", "bank", id="0")
            [[_, rows]] = ledger.xreadgroup("bank", "one", {"mjsettle:results": ">"}, count=100)
            booked = {json.loads(row[b"result"])["id"] for _, row in rows}
            assert booked == {answer["id"] for answer in answers}
            assert ledger.xack("mjsettle:results", "bank", *(entry for entry, _ in rows)) == 40
        told = page(composition.http(9108, "/metrics")).splitlines()
        assert 'mjsettle_rounds_total{outcome="settled"} 40.0' in told
        assert "mjsettle_workers 2.0" in told
        shown = page(composition.http(8700, "/settlement?" + urllib.parse.urlencode({"id": "table-7/3"})))
        assert "table-7/3" in shown
        assert "guangdong" in shown
        with closing(redis.Redis.from_url(composition.url("admin"), protocol=2)) as admin:
            assert admin.acl_log() == []
            assert admin.config_get("maxmemory")["maxmemory"] == str(4 * 1024**3)
        ended = composition.stop()
        # uvicorn closes down, then meets the signal again; only the first process of a container outlives that.
        assert ended.pop("desk") in ([0], [-signal.SIGTERM])
        assert ended == {"redis": [0], "prepare": [0], "worker": [0, 0], "metrics": [0]}
        assert "-secret" not in "".join(composition.log(name) for name in ended)


def test_settings_of_the_env_file_reach_the_services(tmp_path: Path) -> None:
    pytest.importorskip("mjsettle_guangdong", reason="mjsettle-guangdong is not installed")
    pytest.importorskip("opentelemetry.sdk", reason="the extra mjsettle-workers[tracing] is not installed")
    changes = {"MJSETTLE_TRACING": "true", "WORKERS": "1", "REDIS_MAXMEMORY": "64mb", "MJSETTLE_LOG_LEVEL": "debug"}
    with collector() as (url, bodies), composed(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=url, **changes) as composition:
        with room_of(composition) as room:
            assert len(settled(room, 3)) == 3
        wait_until(lambda: b"mjsettle-worker" in b"".join(bodies), told=composition.log("worker"))
        lines = [json.loads(line) for line in composition.log("worker").splitlines() if line.startswith("{")]
        assert {line.get("round_id") for line in lines} >= {f"table-7/{i}" for i in range(3)}
        with closing(redis.Redis.from_url(composition.url("admin"), protocol=2)) as admin:
            assert admin.config_get("maxmemory")["maxmemory"] == str(64 * 1024**2)


def test_a_missing_password_stops_the_start(tmp_path: Path) -> None:
    for name in (name for name in example_environment() if name.endswith("_PASSWORD")):
        with pytest.raises(KeyError, match=name):
            Composition(tmp_path / name, example_environment(**{name: ""}))


def compose() -> list[str]:
    """The command of Compose, of either generation."""
    if shutil.which("docker") and not subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        return ["docker", "compose"]
    if found := shutil.which("docker-compose"):
        return [found]
    pytest.skip("Compose is not installed, neither `docker compose` nor docker-compose")


def test_compose_accepts_the_file(tmp_path: Path) -> None:
    command = compose()
    version = subprocess.run([*command, "version", "--short"], capture_output=True, text=True, timeout=60).stdout
    # The first generation knows everything here but the project's name.
    text = TEXT.replace("\nname: mjsettle\n", "\n") if version.startswith("1.") else TEXT
    (tmp_path / "compose.yaml").write_text(text)

    def config(environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
        (tmp_path / "env").write_text("".join(f"{name}={value}\n" for name, value in environ.items()))
        asked = [*command, "--env-file", "env", "-f", "compose.yaml", "config"]
        return subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    told = config(example_environment())
    assert told.returncode == 0, told.stderr
    services = yaml.safe_load(told.stdout)["services"]
    urls = {name: services[name]["environment"]["MJSETTLE_REDIS_URL"] for name in ("worker", "metrics", "desk")}
    assert urls == {name: f"redis://{name}:{name}-secret@redis:6379/0" for name in urls}
    refused = config(example_environment(DESK_PASSWORD=""))
    assert refused.returncode != 0
    assert "DESK_PASSWORD" in refused.stderr


def test_the_watchers_reach_what_they_watch() -> None:
    services = yaml.safe_load(TEXT)["services"]

    def share(one: str, other: str) -> bool:
        return bool({*services[one]["networks"]} & {*services[other]["networks"]})

    config = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())
    [target] = config["scrape_configs"][0]["static_configs"][0]["targets"]
    host, _, port = target.partition(":")
    assert port in services[host]["command"]
    assert share("prometheus", host)
    [source] = yaml.safe_load((DEPLOY / "grafana/provisioning/datasources/prometheus.yml").read_text())["datasources"]
    address = urllib.parse.urlsplit(source["url"])
    assert f":{address.port}" in "".join(services[str(address.hostname)]["ports"])
    assert share("grafana", str(address.hostname))
    assert not share("prometheus", "redis")
