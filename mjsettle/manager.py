"""Finds plugins and asks the right ones: the only place that talks to pluggy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Final

import pluggy

from mjsettle import hookspecs
from mjsettle.answers import checked
from mjsettle.errors import PluginError
from mjsettle.rules import Rule

ENTRY_POINTS: Final = "mjsettle"


class Registry:
    """The plugins of one engine, by the rule set that they declare or extend."""

    def __init__(self, plugins: Iterable[object] | None = None) -> None:
        """plugins: plugin modules or objects; None finds the installed ones by entry point."""
        self._manager = pluggy.PluginManager("mjsettle")
        self._manager.add_hookspecs(hookspecs)
        if plugins is None:
            self._load_installed()
        else:
            for plugin in plugins:
                self._manager.register(plugin)
        self._refuse_unknown_hooks()
        self.rules: dict[str, Rule] = {}
        self._owner: dict[str, Any] = {}
        self._extenders: dict[str, list[Any]] = {}
        self._gather()
        self.sinks: tuple[Callable[[Sequence[dict[str, Any]]], None], ...] = tuple(
            sink for plugin in self._plugins() for sink in self._ask(plugin, "result_sinks") or ()
        )

    def _load_installed(self) -> None:
        for name in sorted({entry.name for entry in entry_points(group=ENTRY_POINTS)}):
            try:
                self._manager.load_setuptools_entrypoints(ENTRY_POINTS, name)
            except Exception as error:  # whatever a plugin does on import, say which one it was
                reason = f"{type(error).__name__}: {error}"
                raise PluginError(f"plugin {name!r} cannot be loaded ({reason}); mend or uninstall it") from error

    def _refuse_unknown_hooks(self) -> None:
        try:
            self._manager.check_pending()
        except pluggy.PluginValidationError as error:
            known = sorted(name for name in vars(hookspecs) if hasattr(getattr(hookspecs, name), "mjsettle_spec"))
            raise PluginError(f"{error}; the hooks are {', '.join(known)}: rename or remove it") from error

    def _gather(self) -> None:
        for plugin in self._plugins():
            for rule in self._ask(plugin, "rule_sets") or ():
                if rule.name in self.rules:
                    raise PluginError(
                        f"rule set {rule.name!r} is declared by {self.name_of(self._owner[rule.name])} and by "
                        f"{self.name_of(plugin)}; uninstall one or extend the other's"
                    )
                self.rules[rule.name] = rule
                self._owner[rule.name] = plugin
        for plugin in self._plugins():
            for name in self._ask(plugin, "extends") or ():
                # An extension of a rule set that is not installed has nothing to add to.
                self._extenders.setdefault(name, []).append(plugin)

    def _plugins(self) -> list[Any]:
        return sorted(self._manager.get_plugins(), key=self.name_of)

    def name_of(self, plugin: object) -> str:
        return str(self._manager.get_name(plugin))

    def _ask(self, plugin: object, hook: str, **arguments: Any) -> Any:
        """One plugin's answer to one hook, None where it has none. PluginError says what is wrong with it."""
        # Not by pluggy's call, which cannot tell a hook that answers None from one that is not there.
        for found in getattr(self._manager.hook, hook).get_hookimpls():
            if found.plugin is plugin:
                name = self.name_of(plugin)
                try:
                    answer = found.function(*[arguments[argument] for argument in found.argnames])
                    return checked(name, hook, answer)
                except PluginError:
                    raise
                except Exception as error:  # whatever a plugin does, say which one it was
                    reason = f"{type(error).__name__}: {error}"
                    raise PluginError(
                        f"plugin {name!r}, hook {hook!r} raised {reason}; mend or uninstall it"
                    ) from error
        return None

    def concerned(self, rule: str) -> list[Any]:
        """The plugins asked for a rule set: its owner, then those that extend it, by name."""
        return [self._owner[rule], *self._extenders.get(rule, [])]

    def answers(self, hook: str, rule: str, **arguments: Any) -> list[tuple[str, Any]]:
        """What the lists of the concerned plugins hold, each with its plugin's name, the owner's first."""
        return [
            (self.name_of(plugin), item)
            for plugin in self.concerned(rule)
            for item in self._ask(plugin, hook, rule=rule, **arguments) or ()
        ]

    def first(self, hook: str, rule: str, **arguments: Any) -> tuple[str, Any]:
        """The one answer to a hook of which only one can stand, with its plugin's name; None where nobody has one.

        PluginError when two extensions answer.
        """
        owner, *extenders = self.concerned(rule)
        found = [(self.name_of(plugin), self._ask(plugin, hook, rule=rule, **arguments)) for plugin in extenders]
        found = [(name, answer) for name, answer in found if answer is not None]
        if len(found) > 1:
            names = " and ".join(name for name, _ in found)
            raise PluginError(f"rule set {rule!r}: {names} both answer {hook!r}; switch one of them off")
        return found[0] if found else (self.name_of(owner), self._ask(owner, hook, rule=rule, **arguments))

    def culprit(self, rule: str, scopes: Sequence[Mapping[str, Any]]) -> str:
        """The plugin, of those concerned, in whose modules an error was raised last: its owner where none is found.

        scopes: the global names of the frames of the error, the outermost first.
        """
        if rule not in self._owner:
            return rule
        concerned = self.concerned(rule)
        for scope in reversed(scopes):
            package = str(scope.get("__name__")).partition(".")[0]
            for plugin in concerned:
                name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
                if name.partition(".")[0] == package:
                    return self.name_of(plugin)
        return self.name_of(concerned[0])

    def sources(self, rule: str) -> Mapping[str, str]:
        """The distributions (name: version) that a rule set is made of."""
        found = {}
        distributions = dict(self._manager.list_plugin_distinfo())
        for plugin in self.concerned(rule):
            dist = distributions.get(plugin)
            found[dist.project_name if dist else self.name_of(plugin)] = dist.version if dist else ""
        return found
