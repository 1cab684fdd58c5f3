"""Commands are entry points; one that cannot be loaded is reported and the others stay usable."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, entry_points

import click
import pytest
from click.testing import CliRunner

from mjsettle import cli
from mjsettle.errors import HandError

GROUP = cli.GROUP


@click.command()
def hello() -> None:
    """Say hello."""
    click.echo("hello")


@click.command()
def fail() -> None:
    """Meet a caller's mistake."""
    raise HandError("found 12 tiles, expected 13")


def run(monkeypatch: pytest.MonkeyPatch, entries: list[EntryPoint], *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(cli, "entry_points", lambda group: entries if group == GROUP else [])
    result = CliRunner().invoke(cli.Commands("mjsettle"), arguments)
    return result.exit_code, result.output


HELLO = EntryPoint("hello", f"{__name__}:hello", GROUP)
BROKEN = EntryPoint("broken", "no_such_module:command", GROUP)
NO_COMMAND = EntryPoint("number", "mjsettle.tiles:KINDS", GROUP)


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        EntryPoint,
        "load",
        lambda self, load=EntryPoint.load: (
            hello if self.name == "hello" else fail if self.name == "fail" else load(self)
        ),
    )


def test_a_broken_command_is_reported_and_does_not_break_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, [HELLO, BROKEN], "hello") == (0, "hello\n")
    code, text = run(monkeypatch, [HELLO, BROKEN], "broken", "--any", "argument")
    assert code == 1
    assert "no_such_module:command" in text
    assert "No module named 'no_such_module'" in text


def test_a_command_without_its_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is where `pip install mjsettle-workers` was all; without the extra's packages the desk does not load."""
    [desk] = entry_points(group=GROUP, name="desk")
    for module in [name for name in sys.modules if name.partition(".")[0] in ("jinja2", "starlette")]:
        monkeypatch.delitem(sys.modules, module)
    for module in [name for name in sys.modules if name.startswith("mjsettle_workers.desk")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, text = run(monkeypatch, [HELLO, desk], "desk")
    assert code == 1
    assert "jinja2" in text
    assert "; pip install 'mjsettle-workers[desk]'\n" in text
    assert "reinstall" not in text


def test_help_lists_broken_commands_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = run(monkeypatch, [HELLO, BROKEN], "--help")
    assert code == 0
    assert "Say hello." in text
    assert "(broken: no_such_module:command" in " ".join(text.split())


def test_an_entry_that_is_no_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = run(monkeypatch, [NO_COMMAND], "number")
    assert code == 1
    assert "is a int, expected a click command" in text


def test_two_distributions_with_one_command_name_are_both_named(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = EntryPoint("hello", "other:hello", GROUP)
    code, text = run(monkeypatch, [HELLO, twin], "hello")
    assert code == 1
    assert "both declare it" in text
    assert "other:hello" in text


def test_a_callers_mistake_is_one_line_and_exit_2(monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = run(monkeypatch, [EntryPoint("fail", "x:y", GROUP)], "fail")
    assert (code, text) == (2, "Error: found 12 tiles, expected 13\n")


def test_every_shipped_command_loads() -> None:
    context = click.Context(cli.main)
    commands = {name: cli.main.get_command(context, name) for name in cli.main.list_commands(context)}
    assert {"check", "demo", "judge", "rules", "schema", "settle", "shanten", "waits"} <= commands.keys()
    broken = [command.reason for command in commands.values() if isinstance(command, cli.BrokenCommand)]
    assert not broken
    assert all(command is not None and command.get_short_help_str() for command in commands.values())
