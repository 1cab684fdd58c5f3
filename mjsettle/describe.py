"""A rule set described from its declarations, for rule pages and `mjsettle rules show`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from mjsettle.compiler import COMMON_FORMS
from mjsettle.errors import RuleError
from mjsettle.fans import Fan
from mjsettle.options import Option
from mjsettle.ruleset import RuleSet, declared_options
from mjsettle.settle import Engine
from mjsettle.tiles import NAMES


@dataclass(frozen=True, slots=True)
class RoundWords:
    """What a round and its result leave to the rule set to say.

    wild: the kinds that are wild, those that a switch or the rule set makes wild included; forms: titles of win forms
    by id, the common ones left out; switches: Chinese titles by key.
    """

    wild: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)


def round_words(engine: Engine, record: Mapping[str, Any]) -> RoundWords:
    """The words for a wire round; of a round that asks for no rule set there is, what can be said without one."""
    named = [name for name in record.get("wild") or () if isinstance(name, str)]
    rule, options = record.get("rule"), record.get("options")
    if not isinstance(rule, str) or rule not in engine.registry.rules:
        return RoundWords(tuple(named))
    switches = {option.key: option.title for option in declared_options(engine.registry, rule)}
    try:
        players = record.get("players")
        seats = len(players) if isinstance(players, list) else None
        ruleset = engine.rule_set(rule, options if isinstance(options, dict) else {}, record.get("edition"), seats)
    except RuleError:
        return RoundWords(tuple(named), switches=switches)
    always = [NAMES[code] for code in sorted(ruleset.wild)]
    forms = {
        form.id: " ".join(filter(None, (form.title, form.english)))
        for form in ruleset.forms
        if form.id not in COMMON_FORMS
    }
    return RoundWords(tuple(dict.fromkeys([*named, *always])), forms, switches)


def summaries(engine: Engine) -> list[dict[str, Any]]:
    """Every installed rule set in a few words, by name."""
    rules = engine.registry.rules
    return [
        {
            "name": name,
            "title": rules[name].title,
            "english": rules[name].english,
            "edition": rules[name].editions[-1],
            "presets": list(rules[name].presets),
        }
        for name in engine.rules()
    ]


def describe(
    engine: Engine, rule: str, options: Mapping[str, Any] | None = None, edition: str | None = None
) -> dict[str, Any]:
    """One rule set under these switches: names, sources, switches with defaults, win forms, fans, wildcard policy.

    Values are JSON's own. A value that depends on the hand is null, with what it depends on under `value_doc`.
    RuleError lists everything that is wrong with the request.
    """
    ruleset = engine.rule_set(rule, options, edition)
    declared = ruleset.rule
    return {
        "name": declared.name,
        "title": declared.title,
        "english": declared.english,
        "edition": ruleset.edition,
        "editions": list(declared.editions),
        "made_of": dict(engine.registry.sources(rule)),
        "sources": list(declared.sources),
        "seats": list(declared.seats),
        "tiles": sum(ruleset.copies),
        "hand_size": ruleset.hand_size,
        "preset": ruleset.options.preset,
        "presets": {name: dict(switches) for name, switches in declared.presets.items()},
        "options": _options(engine, ruleset),
        "forms": [{"id": form.id, "title": form.title, "english": form.english} for form in ruleset.forms],
        "wildcards": asdict(ruleset.policy),
        "combine": ruleset.scoring.combine
        if isinstance(ruleset.scoring.combine, str)
        else _doc(ruleset.scoring.combine),
        "fans": [_fan(fan) for fan in ruleset.fans],
        "bonuses": [
            {"id": bonus.id, "title": bonus.title, "on": bonus.on, "doc": _doc(bonus.apply)}
            for bonuses in ruleset.bonuses.values()
            for bonus in bonuses
        ],
        "end_of_round": [{"id": end.id, "title": end.title, "doc": _doc(end.settle)} for end in ruleset.end_of_round],
        "events": list(declared.events),
        "flags": list(declared.flags),
        "how": list(declared.hows),
    }


def _options(engine: Engine, ruleset: RuleSet) -> list[dict[str, Any]]:
    """The switches, each with the plugin that adds it to another's rule set; empty for the rule set's own."""
    registry, rule = engine.registry, ruleset.rule.name
    owner = registry.name_of(registry.concerned(rule)[0])
    return [
        _option(option, ruleset) | {"added_by": "" if plugin == owner else plugin}
        for plugin, option in registry.answers("options", rule)
    ]


def _option(option: Option, ruleset: RuleSet) -> dict[str, Any]:
    presets = ruleset.rule.presets
    return {
        "key": option.key,
        "title": option.title,
        "value": ruleset.options[option.key],
        "default": option.default,
        "presets": {name: switches[option.key] for name, switches in presets.items() if option.key in switches},
        "choices": None if option.choices is None else list(option.choices),
        "least": option.least,
        "most": option.most,
        "doc": option.doc,
        "source": option.source,
    }


def _fan(fan: Fan) -> dict[str, Any]:
    fixed = not callable(fan.value)
    return {
        "id": fan.id,
        "name": fan.name,
        "names": fan.names,
        "value": fan.value if fixed else None,
        "value_doc": "" if fixed else _doc(fan.value),
        "condition": fan.condition,
        "excludes": list(fan.excludes),
        "cite": fan.cite,
    }


def _doc(function: Any) -> str:
    return " ".join((function.__doc__ or "").split())


__all__ = ["describe", "summaries"]
