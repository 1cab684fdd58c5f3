"""The rule sets of an engine: every preset compiled at start-up, other switches when a round asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from mjsettle.errors import Fault, PluginError, did_you_mean
from mjsettle.manager import Registry
from mjsettle.options import Options, resolve, switch_faults
from mjsettle.probe import probe
from mjsettle.rules import Rule
from mjsettle.ruleset import RuleSet, compile_rule_set, declared_options

_RULE_SETS_MAX: Final = 1024


class RuleSets:
    """Compiles rule sets and keeps those that were asked for last. PluginError where a preset cannot be played."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._compiled_sets: dict[tuple[Any, ...], RuleSet] = {}
        # What rounds ask for, as they write it, and the rule set that it resolves to.
        self._known: dict[tuple[Any, ...], RuleSet] = {}
        for rule in registry.rules.values():
            for preset in rule.presets or (None,):
                self._compile_preset(rule, preset)

    def _compile_preset(self, rule: Rule, preset: str | None) -> None:
        """Compile a rule set; what its plugin has wrong is raised here, before any round is settled."""
        declared = declared_options(self.registry, rule.name)
        given = {"preset": preset} if preset else {}
        options, faults = resolve(declared, rule.presets, preset, given, rule.name, rule.editions[-1])
        faults += switch_faults(declared, rule.presets.get(preset, {}) if preset else {}, rule.name)
        if faults:
            raise PluginError(f"rule {rule.name!r}, preset {preset}: {'; '.join(fault.message for fault in faults)}")
        self._compiled(rule.name, options, rule.seats[0])

    def find(
        self, name: str, given: Mapping[str, Any], edition: str | None, seats: int | None
    ) -> tuple[RuleSet | None, list[Fault]]:
        """The rule set for these switches, or everything that is wrong with the request for it."""
        key = (name, edition, seats, msgspec.json.encode(given) if given else b"")
        known = self._known.get(key)
        if known is not None:
            return known, []
        found, faults = self._resolve(name, given, edition, seats)
        if found is not None:
            if len(self._known) >= _RULE_SETS_MAX:
                self._known.pop(next(iter(self._known)))
            self._known[key] = found
        return found, faults

    def _resolve(
        self, name: str, given: Mapping[str, Any], edition: str | None, seats: int | None
    ) -> tuple[RuleSet | None, list[Fault]]:
        rule = self.registry.rules.get(name)
        if rule is None:
            return None, [Fault("unknown_rule", "rule", self._no_rule(name))]
        faults = []
        if edition is not None and edition not in rule.editions:
            message = f"found {edition!r}; the installed plugin has {', '.join(rule.editions)}"
            faults.append(Fault("unknown_edition", "edition", message))
        if seats is not None and seats not in rule.seats:
            listed = " or ".join(map(str, rule.seats))
            faults.append(Fault("seat_count", "players", f"found {seats} players, expected {listed}"))
        edition = edition or rule.editions[-1]
        declared = declared_options(self.registry, name)
        options, wrong = resolve(declared, rule.presets, rule.default_preset, given, name, edition)
        if faults or wrong:
            return None, faults + wrong
        try:
            return self._compiled(name, options, seats or rule.seats[0]), []
        except PluginError as error:
            # Presets are compiled at start-up; a rare choice of switches must not take the batch with it.
            return None, [Fault("plugin_fault", "options", f"these switches cannot be played: {error}")]

    def _compiled(self, name: str, options: Options, seats: int) -> RuleSet:
        key = (name, options.edition, options.preset, seats, msgspec.json.encode(sorted(options.items())))
        ruleset = self._compiled_sets.get(key)
        if ruleset is None:
            if len(self._compiled_sets) >= _RULE_SETS_MAX:
                self._compiled_sets.pop(next(iter(self._compiled_sets)))
            ruleset = compile_rule_set(self.registry, self.registry.rules[name], options, seats)
            probe(ruleset)
            self._compiled_sets[key] = ruleset
        return ruleset

    def _no_rule(self, name: str) -> str:
        # Never a command to install it: the name is a stranger's, and whoever owns the package of that name may be too.
        rules = sorted(self.registry.rules)
        have = ", ".join(rules) or "none"
        what_to_do = did_you_mean(name, rules) or "; install the plugin that declares it"
        return f"no rule set {name!r} is installed (installed: {have}){what_to_do}"


__all__ = ["RuleSets"]
