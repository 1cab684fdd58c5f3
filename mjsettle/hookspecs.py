"""The hooks of mjsettle.

Hooks are asked when a rule set is compiled, never while rounds are settled: they return declarations. For a rule set
the core asks the plugin that declares it and the plugins that extend it (`extends`), no others, so regions cannot
leak into each other. Lists are joined, the owner's first. Where one answer is needed (`wildcards`, `scoring`,
`payments`), an extending plugin's answer stands before the owner's; None leaves it to the next.

`options` holds the resolved switches (`options.horses`), the preset and the edition asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pluggy

from mjsettle.columns import Column
from mjsettle.fans import Fan, Scoring
from mjsettle.options import Option, Options
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import WinForm

hookspec = pluggy.HookspecMarker("mjsettle")
hookimpl = pluggy.HookimplMarker("mjsettle")


@hookspec
def rule_sets() -> Sequence[Rule]:  # type: ignore[empty-body]
    """The rule sets that this plugin declares."""


@hookspec
def extends() -> Sequence[str]:  # type: ignore[empty-body]
    """The names of other plugins' rule sets that this plugin adds to."""


@hookspec
def options(rule: str) -> Sequence[Option]:  # type: ignore[empty-body]
    """The switches of the rule set; an extending plugin adds its own, off by default."""


@hookspec
def win_forms(rule: str, options: Options) -> Sequence[WinForm]:  # type: ignore[empty-body]
    """The win forms (牌型) that the rule set plays with, under these switches."""


@hookspec
def wildcards(rule: str, options: Options) -> WildPolicy | None:
    """What wild tiles (癞子/鬼牌/财神) may do; the default policy allows everything."""


@hookspec
def columns(rule: str, options: Options) -> Sequence[Column]:  # type: ignore[empty-body]
    """Columns of the plugin's own, for its fans and scoring."""


@hookspec
def facts(rule: str, options: Options) -> Sequence[Fact]:  # type: ignore[empty-body]
    """Hand columns that the plugin reads from the round: flags, discards, chains of kongs …"""


@hookspec
def fans(rule: str, options: Options) -> Sequence[Fan]:  # type: ignore[empty-body]
    """The fans (番种) under these switches."""


@hookspec
def scoring(rule: str, options: Options) -> Scoring | None:
    """How fans combine, which readings are legal, what a hand is worth; the default adds the fans."""


@hookspec
def bonuses(rule: str, options: Options) -> Sequence[Bonus]:  # type: ignore[empty-body]
    """Money that events bring at once: kongs (杠), followed discards (跟庄), opening hands (起手胡) …"""


@hookspec
def payments(rule: str, options: Options) -> Payments | None:
    """Who pays a win, and who deals next."""


@hookspec
def end_of_round(rule: str, options: Options) -> Sequence[EndOfRound]:  # type: ignore[empty-body]
    """Reckonings after the last event: ready checks (查叫), kong money kept until a win …"""


@hookspec
def checks(rule: str, options: Options) -> Sequence[Check]:  # type: ignore[empty-body]
    """Demands on a round beyond the core's; each lists every fault that it finds."""


@hookspec
def result_sinks() -> Sequence[Callable[[Sequence[dict[str, Any]]], None]]:  # type: ignore[empty-body]
    """Receivers of settled results, called with a batch of wire results after it is settled. A sink must not change
    them, and its failure is the caller's to handle: it never undoes a settlement."""
