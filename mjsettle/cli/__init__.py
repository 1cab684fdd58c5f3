"""The ``mjsettle`` command.

Every command, the core's own included, is an entry point of the group ``mjsettle.cli`` and is imported when it is
called: a distribution adds commands by declaring them, and one that cannot be loaded is reported without taking the
others with it.
"""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, entry_points

import click

from mjsettle.errors import MjsettleError

GROUP = "mjsettle.cli"


def _source(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


class BrokenCommand(click.Command):
    """Stands in for a command that could not be loaded: listed as such, and says why when called."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, short_help=f"(broken: {reason})", add_help_option=False)
        self.reason = reason
        self.ignore_unknown_options = True
        self.allow_extra_args = True

    def invoke(self, ctx: click.Context) -> None:
        raise click.ClickException(f"command {self.name!r} cannot be used: {self.reason}")


class Commands(click.Group):
    """A group whose commands are entry points, loaded one by one when they are needed."""

    def _entries(self) -> dict[str, list[EntryPoint]]:
        found: dict[str, list[EntryPoint]] = {}
        for entry in entry_points(group=GROUP):
            found.setdefault(entry.name, []).append(entry)
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self._entries(), *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        entries = self._entries().get(cmd_name)
        if entries is None:
            return None
        self.commands[cmd_name] = command = _load(cmd_name, entries)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a caller's mistake is one line on stderr and exit 2, not a traceback."""
        try:
            return super().invoke(ctx)
        except MjsettleError as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(2)


def _load(name: str, entries: list[EntryPoint]) -> click.Command:
    if len(entries) > 1:
        claimed = " and ".join(sorted(_source(entry) for entry in entries))
        return BrokenCommand(name, f"{claimed} both declare it; uninstall one of them")
    entry = entries[0]
    try:
        command = entry.load()
    except Exception as error:  # whatever a foreign module does on import must not stop the other commands
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        if entry.dist and entry.extras and isinstance(error, ModuleNotFoundError):
            advice = f"pip install '{entry.dist.name}[{','.join(entry.extras)}]'"
        else:
            advice = "reinstall or uninstall it"
        return BrokenCommand(name, f"{entry.value} of {_source(entry)} does not load ({reason}); {advice}")
    if not isinstance(command, click.Command):
        return BrokenCommand(
            name, f"{entry.value} of {_source(entry)} is a {type(command).__name__}, expected a click command"
        )
    return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="mjsettle")
def main() -> None:
    """Settle mahjong rounds: who won what, and who pays whom."""
