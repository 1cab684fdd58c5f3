"""Finds plugins and asks the right ones: the only place that talks to pluggy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, Final

import pluggy

from mjsettle import hookspecs
from mjsettle.errors import PluginError
from mjsettle.rules import Rule

ENTRY_POINTS: Final = "mjsettle"
_FIRST_ANSWER: Final = ("wildcards", "scoring", "payments")


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
            sink for found in self._manager.hook.result_sinks() for sink in found
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
            for rule in self._ask(plugin, "rule_sets"):
                if rule.name in self.rules:
                    raise PluginError(
                        f"rule set {rule.name!r} is declared by {self.name_of(self._owner[rule.name])} and by "
                        f"{self.name_of(plugin)}; uninstall one or extend the other's"
                    )
                self.rules[rule.name] = rule
                self._owner[rule.name] = plugin
        for plugin in self._plugins():
            for name in self._ask(plugin, "extends"):
                # An extension of a rule set that is not installed has nothing to add to.
                self._extenders.setdefault(name, []).append(plugin)

    def _plugins(self) -> list[Any]:
        return sorted(self._manager.get_plugins(), key=self.name_of)

    def name_of(self, plugin: object) -> str:
        return str(self._manager.get_name(plugin))

    def _ask(self, plugin: object, hook: str, **arguments: Any) -> Any:
        """One plugin's answer to one hook; an empty list where it has none."""
        others = [other for other in self._manager.get_plugins() if other is not plugin]
        answers = self._manager.subset_hook_caller(hook, others)(**arguments)
        return answers[0] if answers else []

    def concerned(self, rule: str) -> list[Any]:
        """The plugins asked for a rule set: its owner, then those that extend it, by name."""
        return [self._owner[rule], *self._extenders.get(rule, [])]

    def joined(self, hook: str, rule: str, **arguments: Any) -> list[Any]:
        """The lists that the concerned plugins return, joined, the owner's first."""
        return [item for plugin in self.concerned(rule) for item in self._ask(plugin, hook, rule=rule, **arguments)]

    def first(self, hook: str, rule: str, **arguments: Any) -> Any:
        """The one answer to a hook of which only one can stand; PluginError when two extensions answer."""
        owner, *extenders = self.concerned(rule)
        answers = [(plugin, self._ask(plugin, hook, rule=rule, **arguments)) for plugin in extenders]
        answers = [(plugin, answer) for plugin, answer in answers if answer not in (None, [])]
        if len(answers) > 1:
            names = " and ".join(self.name_of(plugin) for plugin, _ in answers)
            raise PluginError(f"rule set {rule!r}: {names} both answer {hook!r}; switch one of them off")
        answer = answers[0][1] if answers else self._ask(owner, hook, rule=rule, **arguments)
        return None if answer == [] else answer

    def sources(self, rule: str) -> Mapping[str, str]:
        """The distributions (name: version) that a rule set is made of."""
        found = {}
        distributions = dict(self._manager.list_plugin_distinfo())
        for plugin in self.concerned(rule):
            dist = distributions.get(plugin)
            found[dist.project_name if dist else self.name_of(plugin)] = dist.version if dist else ""
        return found
