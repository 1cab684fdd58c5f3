"""The files of deploy/: valid by their own linters where those are installed, and true to the product everywhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from packaging.requirements import Requirement

from mjsettle.cli import main
from mjsettle_workers.metrics import METRICS
from mjsettle_workers.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
ROOT = DEPLOY.parent
YAML = sorted(path for kind in ("*.yaml", "*.yml") for path in DEPLOY.rglob(kind))
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
ALERTS = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())["groups"][0]["rules"]
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/mjsettle.json").read_text())
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
UNITS = sorted((DEPLOY / "systemd").iterdir())
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
SERIES = {named.name + suffix: set(named.labels) | ({"le"} if suffix == "_bucket" else set())
          for named in METRICS for suffix in SUFFIXES[named.kind]}  # fmt: skip


def run(*command: str | Path, cwd: Path = DEPLOY) -> str:
    ran = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def needs(tool: str) -> str:
    found = shutil.which(tool) or shutil.which(tool, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"{tool} is not installed")
    return found


def documents() -> list[tuple[str, dict[str, Any]]]:
    return [(path.name, found) for path in KUBERNETES for found in yaml.safe_load_all(path.read_text()) if found]


def expressions() -> list[str]:
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())]
    return [rule["expr"] for rule in ALERTS] + panels


@pytest.mark.parametrize("path", YAML, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_yaml_is_clean(path: Path) -> None:
    rules = {"line-length": {"max": 140}, "document-start": "disable", "braces": "disable", "truthy": "disable"}
    config = json.dumps({"extends": "default", "rules": rules | {"comments": {"min-spaces-from-content": 1}}})
    run(needs("yamllint"), "--strict", "-d", config, path)


# --- container image and compose ----------------------------------------------------------------------------------


def test_the_image_is_pinned_unprivileged_and_probed() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert re.search(r"^ARG PYTHON=python:3\.\d+\.\d+-slim-\w+$", text, re.MULTILINE)
    assert text.index("USER 10001") < text.index("ENTRYPOINT")
    [probe] = re.findall(r"HEALTHCHECK .* CMD (\[.*\])", text)
    assert_is_command(json.loads(probe)[1:])
    assert not re.search(r"(?i)password|secret|token", text)
    if hadolint := shutil.which("hadolint"):
        run(hadolint, DEPLOY / "Dockerfile")


def test_the_image_leaves_out_what_does_not_run() -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert ignored[0] == "**"
    missing = [line for line in ignored if line.startswith("!") and not (ROOT / line[1:]).exists()]
    assert not missing


def runtime(name: str, extras: tuple[str, ...] = (), seen: set[str] | None = None) -> set[str]:
    """Every distribution that one needs, itself included."""
    seen = set() if seen is None else seen
    seen.add(name.lower().replace("_", "-"))
    for text in distribution(name).requires or ():
        needed = Requirement(text)
        wanted = needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras))
        if wanted and needed.name.lower().replace("_", "-") not in seen:
            runtime(needed.name, tuple(needed.extras), seen)
    return seen


def test_every_package_of_the_image_is_pinned() -> None:
    lines = (DEPLOY / "constraints.txt").read_text().splitlines()
    pins = {Requirement(line).name for line in lines if not line.startswith("#")}
    needed = runtime("mjsettle-workers", ("desk", "logs", "metrics", "tracing")) | runtime("mjsettle")
    assert {name for name in needed if not name.startswith("mjsettle")} <= pins
    assert all("==" in line for line in lines if not line.startswith("#"))


def assert_is_command(arguments: list[str]) -> None:
    """The command and its options exist."""
    told = CliRunner().invoke(main, [arguments[0], "--help"])
    assert told.exit_code == 0, arguments
    unknown = [word for word in arguments[1:] if word.startswith("--") and word not in told.output]
    assert not unknown


def test_compose_runs_commands_that_exist_with_pinned_images() -> None:
    for name, service in COMPOSE["services"].items():
        tag = service["image"].rpartition(":")[2]
        assert tag not in ("", "latest"), name
        assert "restart" in service, name
        if service["image"].startswith("mjsettle"):
            assert_is_command(service["command"])
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), f"{name} listens beyond this machine"
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).exists() or source in COMPOSE["volumes"], volume


def test_secrets_come_from_the_environment_and_are_all_in_the_example() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    example = dict(re.findall(r"^#? ?([A-Z_]+)=(.*)$", (DEPLOY / "env.example").read_text(), re.MULTILINE))
    used = set(re.findall(r"\$\{([A-Z_]+)", text))
    assert used <= set(example)
    for name in {name for name in used if name.endswith("PASSWORD")}:
        assert example[name] == "", "the example holds no secret"
        assert f"${{{name}:?" in text, f"{name} must stop the start where it is missing"
    settings = {f"MJSETTLE_{name.upper()}" for name in Settings.__struct_fields__}
    named = {name for name in (*example, *re.findall(r"MJSETTLE_[A-Z_]+", text)) if name.startswith("MJSETTLE_")}
    assert named <= settings


# --- systemd ------------------------------------------------------------------------------------------------------


def test_units_are_valid(tmp_path: Path) -> None:
    verify = needs("systemd-analyze")
    for unit in UNITS:
        text = unit.read_text().replace("/opt/mjsettle/bin/mjsettle", str(Path(sys.executable).with_name("mjsettle")))
        (tmp_path / unit.name).write_text(text)
    run(verify, "verify", *(tmp_path / unit.name for unit in UNITS))


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_units_run_commands_that_exist_and_are_shut_in(unit: Path) -> None:
    text = unit.read_text()
    [command] = re.findall(r"^ExecStart=/opt/mjsettle/bin/mjsettle (.*)$", text, re.MULTILINE)
    assert_is_command(command.split())
    for line in ("NoNewPrivileges=yes", "ProtectSystem=strict", "DynamicUser=yes", "CapabilityBoundingSet="):
        assert line in text.splitlines()
    assert "EnvironmentFile=" in text
    assert "://" not in text.replace("file://", ""), "a URL holds a password; it belongs into the environment file"


# --- Kubernetes ---------------------------------------------------------------------------------------------------


def test_manifests_follow_the_schema_of_kubernetes() -> None:
    validate = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    for name, document in documents():
        if document["apiVersion"].startswith(("keda.sh", "kustomize")):
            continue
        validate.validate(document, "1.30", strict=True), name


def test_kustomize_builds_them() -> None:
    built = [found for found in yaml.safe_load_all(run(needs("kubectl"), "kustomize", "kubernetes")) if found]
    kinds = {(found["kind"], found["metadata"]["name"]) for found in built}
    assert {("Deployment", "worker"), ("ScaledObject", "worker"), ("Job", "prepare"), ("StatefulSet", "redis")} <= kinds
    assert all(found["metadata"].get("namespace", "mjsettle") == "mjsettle" for found in built)


def test_pods_are_restricted_and_run_commands_that_exist() -> None:
    pods = [found["spec"]["template"]["spec"] for _, found in documents() if "template" in found.get("spec", {})]
    assert len(pods) == 4
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["allowPrivilegeEscalation"] is False
            assert context["readOnlyRootFilesystem"] is True
            assert context["capabilities"] == {"drop": ["ALL"]}
            assert "memory" in container["resources"]["limits"]
            if container["image"] == "mjsettle":
                assert_is_command(container["args"])
            if probe := container.get("livenessProbe"):
                assert_is_command(probe["exec"]["command"][1:])


def test_scaling_asks_for_the_group_that_prepare_makes() -> None:
    from mjsettle_workers.keys import GROUP, Keys

    [scaled] = [found for _, found in documents() if found["kind"] == "ScaledObject"]
    [trigger] = scaled["spec"]["triggers"]
    assert trigger["type"] == "redis-streams"
    assert trigger["metadata"]["stream"] == Keys().rounds
    assert trigger["metadata"]["consumerGroup"] == GROUP
    assert scaled["spec"]["scaleTargetRef"]["name"] == "worker"
    secret = yaml.safe_load((DEPLOY / "kubernetes/secret.example.yaml").read_text())["stringData"]
    text = "".join(path.read_text() for path in KUBERNETES)
    assert set(re.findall(r"\bkey: (\w[\w.]*)", text)) <= set(secret)


def test_the_cluster_server_has_the_shipped_settings() -> None:
    def lines(text: str) -> set[str]:
        return {line for line in text.splitlines() if line and not line.startswith("#")}

    [config] = [found for name, found in documents() if name == "redis.yaml" and found["kind"] == "ConfigMap"]
    ours = lines((DEPLOY / "redis/redis.conf").read_text())
    needless = {"protected-mode yes", "min-replicas-to-write 0", "no-appendfsync-on-rewrite no"}
    assert ours - needless <= lines(config["data"]["redis.conf"])


# --- watching -----------------------------------------------------------------------------------------------------


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


def test_the_runbook_names_commands_and_settings_that_exist() -> None:
    text = (DEPLOY / "RUNBOOK.md").read_text()
    commands = re.findall(r"(?:^|`)mjsettle (\w[\w-]*(?: --[\w-]+)*)", text, re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        assert_is_command(command.split())
    settings = {f"MJSETTLE_{name.upper()}" for name in Settings.__struct_fields__}
    assert set(re.findall(r"MJSETTLE_[A-Z_]+", text)) <= settings
