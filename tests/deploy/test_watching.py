"""Alerts and dashboard: they ask for what the exporter tells, and every alert fires when it should."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from mjsettle_workers.metrics import METRICS
from tests.deploy.tools import DEPLOY, needs, run

ALERTS = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())["groups"][0]["rules"]
CASES = yaml.safe_load((DEPLOY / "prometheus/alerts_test.yml").read_text())["tests"]
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/mjsettle.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
SERIES = {named.name + suffix: set(named.labels) | ({"le"} if suffix == "_bucket" else set())
          for named in METRICS for suffix in SUFFIXES[named.kind]}  # fmt: skip


def expressions() -> list[str]:
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())]
    return [rule["expr"] for rule in ALERTS] + panels


def test_prometheus_accepts_alerts_their_tests_and_the_dashboard(tmp_path: Path) -> None:
    promtool = needs("promtool")
    run(promtool, "check", "rules", "alerts.yml", cwd=DEPLOY / "prometheus")
    run(promtool, "test", "rules", "alerts_test.yml", cwd=DEPLOY / "prometheus")
    run(promtool, "check", "config", "prometheus.yml", cwd=DEPLOY / "prometheus")
    plain = [expr.replace("$__rate_interval", "1m").replace("$rule", ".*") for expr in expressions()]
    recorded = [{"record": f"panel:{i}", "expr": expr} for i, expr in enumerate(plain)]
    (tmp_path / "panels.yml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": recorded}]}))
    run(promtool, "check", "rules", tmp_path / "panels.yml")


@pytest.mark.parametrize("expression", expressions())
def test_alerts_and_panels_ask_for_metrics_that_exist(expression: str) -> None:
    asked = re.findall(r"\b(mjsettle_\w+)(?:\{([^}]*)\})?", expression)
    assert asked
    for name, matchers in asked:
        assert name in SERIES
        assert set(re.findall(r"(\w+)\s*[=!]", matchers)) <= SERIES[name]
    grouped = re.findall(r"\b(?:by|without|ignoring) \(([\w, ]*)\)", expression)
    labels = {label.strip() for group in grouped for label in group.split(",")}
    assert labels <= set().union(*(SERIES[name] for name, _ in asked))


def test_every_alert_is_in_the_runbook_and_the_other_way_round() -> None:
    sections = set(re.findall(r"^### (Mjsettle\w+)$", (DEPLOY / "RUNBOOK.md").read_text(), re.MULTILINE))
    assert sections == {rule["alert"] for rule in ALERTS}
    for rule in ALERTS:
        assert rule["annotations"]["runbook"] == f"deploy/RUNBOOK.md#{rule['alert'].lower()}"
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_the_dashboard_shows_every_metric_without_overlap() -> None:
    text = " ".join(expressions())
    assert [named.name for named in METRICS if named.name not in text] == []
    cells = [
        (x, y)
        for panel in DASHBOARD["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


@pytest.mark.parametrize("alert", [rule["alert"] for rule in ALERTS])
def test_every_alert_is_tried_firing_and_silent(alert: str) -> None:
    tried = [
        bool(case.get("exp_alerts")) for test in CASES for case in test["alert_rule_test"] if case["alertname"] == alert
    ]
    assert set(tried) == {True, False}


def test_the_dashboard_is_whole() -> None:
    [source] = yaml.safe_load((DEPLOY / "grafana/provisioning/datasources/prometheus.yml").read_text())["datasources"]
    wanted = {"type": source["type"], "uid": source["uid"]}
    variables = DASHBOARD["templating"]["list"]
    assert [variable["datasource"] for variable in variables] == [wanted] * len(variables)
    known = {variable["name"] for variable in variables} | {"__rate_interval"}
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    assert len({panel["title"] for panel in PANELS}) == len(PANELS)
    for panel in PANELS:
        assert panel["datasource"] == wanted
        # A heat map has its unit on its axis.
        assert panel["fieldConfig"]["defaults"].get("unit") or panel["options"]["yAxis"]["unit"], panel["title"]
        for target in panel["targets"]:
            assert target["datasource"] == wanted
            assert set(re.findall(r"\$(\w+)", target["expr"])) <= known
            assert target.get("legendFormat") or panel["type"] == "stat", panel["title"]


def test_grafana_finds_the_dashboards_where_compose_puts_them() -> None:
    [provider] = yaml.safe_load((DEPLOY / "grafana/provisioning/dashboards/mjsettle.yml").read_text())["providers"]
    mounts = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["grafana"]["volumes"]
    mounted = dict(reversed(mount.split(":")[:2]) for mount in mounts)
    folder = DEPLOY / mounted[provider["options"]["path"]]
    assert [path.name for path in folder.iterdir()] == ["mjsettle.json"]
    assert (DEPLOY / mounted["/etc/grafana/provisioning"] / "datasources").is_dir()
