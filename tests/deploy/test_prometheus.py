"""A real Prometheus scrapes the real exporter of a real queue, and can answer every panel and alert."""

from __future__ import annotations

import json
import shutil
import socket
import sys
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from mjsettle_workers.client import Client
from mjsettle_workers.settings import Settings
from mjsettle_workers.testing import quick_environment, running_worker, stub_round, wait_until

DEPLOY = Path(__file__).parents[2] / "deploy"
MJSETTLE = str(Path(sys.executable).with_name("mjsettle"))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="Prometheus is not installed")
def test_the_dashboard_is_answered(settings: Settings, client: Client, tmp_path: Path) -> None:
    exporter, prometheus = free_port(), free_port()
    config = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    config["rule_files"] = [str(DEPLOY / "prometheus/alerts.yml")]
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{exporter}"]
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(config))
    environ = quick_environment(settings.redis_url, prefix=settings.prefix, queue=settings.queue)
    command = ["prometheus", f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data"]
    command.append(f"--web.listen-address=127.0.0.1:{prometheus}")

    def asked(what: str, **parameters: str) -> Any:
        url = f"http://127.0.0.1:{prometheus}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return json.load(answer)["data"]
        except OSError:
            return {"result": []}

    def value(query: str) -> float | None:
        found = asked("query", query=query)["result"]
        return float(found[0]["value"][1]) if found else None

    client.submit([stub_round(f"p/{i}") for i in range(50)] + [stub_round("p/bad", rule="bad")])
    with (
        running_worker(environ, tmp_path / "worker.log", [MJSETTLE, "worker"]),
        running_worker(environ, tmp_path / "exporter.log", [MJSETTLE, "metrics", "--port", str(exporter)]),
        running_worker(environ, tmp_path / "prometheus.log", command),
    ):
        settled = 'mjsettle_rounds_total{outcome="settled"}'
        wait_until(lambda: value(settled) == 50, 20, (tmp_path / "prometheus.log").read_text())
        wait_until(lambda: value("mjsettle_workers") == 1)
        assert value('mjsettle_answers_total{rule="stub",status="settled"}') == 50
        assert value("histogram_quantile(0.5, mjsettle_answer_seconds_bucket)") is not None
        dashboard = json.loads((DEPLOY / "grafana/dashboards/mjsettle.json").read_text())
        for panel in dashboard["panels"]:
            for target in panel.get("targets", ()):
                query = target["expr"].replace("$__rate_interval", "1m").replace("$rule", ".*")
                assert asked("query", query=query)["resultType"] == "vector", panel["title"]
        rules = asked("rules")["groups"][0]["rules"]
        assert {rule["name"]: rule["health"] for rule in rules if rule["health"] != "ok"} == {}
        assert [rule["name"] for rule in rules if rule["state"] == "firing"] == []
