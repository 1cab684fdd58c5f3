"""The distributions as users get them: built into wheels, installed into clean environments together and singly.

The image's own build commands (deploy/Dockerfile) build and install them together.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from mjsettle_workers.testing import quick_environment, running_server, stub_round
from tests.docs.pages import blocks

ROOT = Path(__file__).parents[2]
PLUGINS = sorted(path.parent.name for path in ROOT.glob("plugins/*/pyproject.toml"))
MJSETTLE = "import sys; from mjsettle.cli import main; sys.argv[0] = 'mjsettle'; main()"
CASES_MAX = 25


def clean_environment(**changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MJSETTLE_", "PYTHON"))}
    return kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COMPILE": "1"} | changes


def run(*command: str | Path, environ: dict[str, str], cwd: Path) -> str:
    ran = subprocess.run([str(part) for part in command], cwd=cwd, env=environ, capture_output=True, text=True)
    if ran.returncode and "No matching distribution" in ran.stderr + ran.stdout and "mjsettle" not in ran.stderr[-300:]:
        pytest.skip(f"no package index can be reached: {ran.stderr[-300:]}")
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout


def image_build() -> str:
    """The shell command of the image's build stage."""
    stage = (ROOT / "deploy/Dockerfile").read_text().split("\nFROM ")[1]
    [command] = re.findall(r"^RUN ((?:.*\\\n)*.*)$", stage, re.MULTILINE)
    [plugins] = re.findall(r'^ARG PLUGINS="(.*)"$', stage, re.MULTILINE)
    joined = str(command).replace("\\\n", " ")
    return f"set -euo pipefail; PLUGINS='{plugins}'; {joined}"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that are in the repository, without what has been built or installed in the working tree."""
    copy = tmp_path_factory.mktemp("tree")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def together(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with everything, made by the image's commands; its wheels lie in ``wheels``."""
    folder = tmp_path_factory.mktemp("together")
    command = (
        image_build().replace("/opt/mjsettle", str(folder / "venv")).replace("/tmp/wheels", str(folder / "wheels"))
    )
    # Without isolation each wheel is built by the hatchling at hand, rather than by one downloaded for each.
    environ = clean_environment(PIP_NO_BUILD_ISOLATION="0", PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    run("bash", "-c", command, environ=environ, cwd=tree)
    return folder


@pytest.fixture(scope="module")
def core(together: Path) -> Path:
    """The interpreter of an environment with the core alone."""
    folder = together / "core"
    environ = clean_environment()
    run(sys.executable, "-m", "venv", folder, environ=environ, cwd=together)
    [wheel] = (together / "wheels").glob("mjsettle-[0-9]*.whl")
    constraints = ROOT / "deploy/constraints.txt"
    run(folder / "bin/pip", "install", "-q", "-c", constraints, wheel, environ=environ, cwd=together)
    return folder / "bin" / "python"


def test_every_distribution_is_built_and_installed_together(together: Path, tmp_path: Path) -> None:
    wheels = {path.name.split("-")[0].replace("_", "-") for path in (together / "wheels").glob("*.whl")}
    assert wheels == {"mjsettle", "mjsettle-workers", *(f"mjsettle-{name}" for name in PLUGINS)}
    assert not (together / "venv/bin/pip").exists(), "the image has no use for pip"
    pip = (sys.executable, "-m", "pip", "--python", together / "venv/bin/python")
    run(*pip, "check", environ=clean_environment(), cwd=tmp_path)
    asked = run(together / "venv/bin/mjsettle", "rules", "--json", environ=clean_environment(), cwd=tmp_path)
    assert len(json.loads(asked)) >= len(PLUGINS) - 1  # the template adds to others' rule sets
    told = run(together / "venv/bin/mjsettle", "demo", environ=clean_environment(), cwd=tmp_path)
    assert "deltas" in told
    asked = "import mjsettle, mjsettle_workers as workers; print(mjsettle.__file__, workers.__file__)"
    files = run(together / "venv/bin/python", "-c", asked, environ=clean_environment(), cwd=tmp_path)
    assert str(ROOT) not in files


def test_the_installed_workers_settle(together: Path, tmp_path: Path) -> None:
    with running_server(tmp_path / "server") as server:
        environ = quick_environment(server.url)
        environ = clean_environment(**{key: value for key, value in environ.items() if key.startswith("MJSETTLE_")})
        command = together / "venv/bin/mjsettle"
        run(command, "prepare", environ=environ, cwd=tmp_path)
        (tmp_path / "rounds.jsonl").write_bytes(stub_round("w/1") + b"\n" + stub_round("w/2") + b"\n")
        with (tmp_path / "log").open("wb") as log:
            worker = subprocess.Popen([command, "worker"], env=environ, cwd=tmp_path, stdout=log, stderr=log)
        try:
            told = run(command, "enqueue", "--wait", "rounds.jsonl", environ=environ, cwd=tmp_path)
            assert [json.loads(line)["status"] for line in told.splitlines()] == ["settled", "settled"]
            assert '"healthy":true' in run(command, "health", environ=environ, cwd=tmp_path)
            assert "mjsettle_up 1.0" in run(command, "metrics", "--once", environ=environ, cwd=tmp_path)
        finally:
            worker.terminate()
            worker.wait(20)


@pytest.mark.parametrize("plugin", PLUGINS)
def test_each_plugin_works_alone(plugin: str, core: Path, together: Path, tmp_path: Path) -> None:
    [wheel] = (together / "wheels").glob(f"mjsettle_{plugin}-*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    environ = clean_environment(PYTHONPATH=str(tmp_path / "site"))
    rules = json.loads(run(core, "-c", MJSETTLE, "rules", "--json", environ=environ, cwd=tmp_path))
    cases = []
    for path in sorted((ROOT / "plugins" / plugin / "cases").glob("*.jsonl")):
        for line in path.read_text().splitlines()[:CASES_MAX]:
            case = json.loads(line)
            if "round" in case and "expect" in case and "skip" not in case:
                cases.append(line)
    if not rules:
        assert plugin == "template", "a plugin that declares no rule set adds to others'"
        return
    (tmp_path / "cases.jsonl").write_text("\n".join(cases) + "\n")
    assert cases
    told = run(core, "-c", MJSETTLE, "check", "cases.jsonl", environ=environ, cwd=tmp_path)
    assert f"{len(cases)} " in told


def test_a_rule_set_that_is_not_installed_is_named_and_no_package_is(core: Path, tmp_path: Path) -> None:
    (tmp_path / "rounds.jsonl").write_text('{"id": "r", "rule": "guangdong", "players": [{}, {}, {}, {}]}\n')
    told = json.loads(run(core, "-c", MJSETTLE, "settle", "rounds.jsonl", environ=clean_environment(), cwd=tmp_path))
    assert told["errors"][0]["code"] == "unknown_rule"
    message = told["errors"][0]["message"]
    assert message.startswith("no rule set 'guangdong' is installed")
    assert "pip install" not in message


@pytest.mark.parametrize("number", [0, 1], ids=["in the checkout", "in an environment of one's own"])
def test_the_page_installs_what_it_says(number: int, tree: Path, tmp_path: Path) -> None:
    """The commands of docs/install.md, block by block."""
    page = [block.text for block in blocks(ROOT / "docs/install.md") if block.language == "console"]
    assert len(page) == 2
    lines = page[number].splitlines()
    script = "\n".join(line.removeprefix("$ ") for line in lines if line.startswith("$ "))
    script = script.replace("~/mjsettle", str(tmp_path / "environment"))
    script = script.replace("make ", "make -s -o .venv/installed ")  # whoever runs this test has set up already
    environ = clean_environment(PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    printed = run("bash", "-euc", script, environ=environ, cwd=(ROOT, tree)[number])
    assert printed.splitlines() == [line for line in lines if not line.startswith("$ ")]


def test_versions_and_ranges_fit_together() -> None:
    projects = {
        path: tomllib.loads(path.read_text())["project"]
        for path in [ROOT / "pyproject.toml", ROOT / "workers/pyproject.toml", *ROOT.glob("plugins/*/pyproject.toml")]
    }
    core = projects[ROOT / "pyproject.toml"]["version"]
    major, minor = core.split(".")[:2]
    for path, project in projects.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", project["version"]), path
        if project["name"] != "mjsettle":
            assert f"mjsettle>={major}.{minor},<{major}.{int(minor) + 1}" in project["dependencies"], path
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text()
