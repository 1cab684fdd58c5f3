"""The files of deploy/: valid by their own linters where those are installed, and true to the product everywhere."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from mjsettle_workers.settings import Settings
from tests.deploy.tools import DEPLOY, assert_is_command, needs, run

ROOT = DEPLOY.parent
YAML = sorted(path for kind in ("*.yaml", "*.yml") for path in DEPLOY.rglob(kind))
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
UNITS = sorted((DEPLOY / "systemd").iterdir())


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


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    run(needs("hadolint"), DEPLOY / "Dockerfile")


def test_shellcheck_finds_nothing_in_the_scripts() -> None:
    scripts = sorted(DEPLOY.rglob("*.sh"))
    assert scripts
    run(needs("shellcheck"), *scripts)


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


# --- the runbook --------------------------------------------------------------------------------------------------


def test_the_runbook_names_commands_and_settings_that_exist() -> None:
    text = (DEPLOY / "RUNBOOK.md").read_text()
    commands = re.findall(r"(?:^|`)mjsettle (\w[\w-]*(?: --[\w-]+)*)", text, re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        assert_is_command(command.split())
    settings = {f"MJSETTLE_{name.upper()}" for name in Settings.__struct_fields__}
    assert set(re.findall(r"MJSETTLE_[A-Z_]+", text)) <= settings
