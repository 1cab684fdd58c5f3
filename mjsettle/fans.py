"""Fans (番种) and how a rule set combines them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from mjsettle.columns import Col

POINTS_MAX: Final = 2**53 - 1
"""The most that a fan is worth, a payment moves or a seat gains: numbers up to here are exact in every language."""

Combine = Literal["sum", "product", "highest"]


@dataclass(frozen=True, slots=True)
class Fan:
    """One fan.

    id: English or romaji snake_case, unique in the rule set, stable once published.
    name: the sheet's (Chinese) name.
    value: what one occurrence is worth in the rule set's unit, or a column function that tells.
    when: column function; its value is how many times the fan counts (a comparison counts as 0 or 1).
    excludes: ids of the fans that are not counted beside this one (不计). One-way; a fan that is itself excluded
        excludes nothing.
    listed_at_zero: list the fan in results although its value is 0 (小胡).
    cite: the rulebook entry or sheet section; english, japanese: its names there.
    chinese: its Chinese name where `name` is in another language.
    only_where: a column; where it is 0 the fan does not count (ordinary fans beside limit hands that stand alone).
    """

    id: str
    name: str
    value: int | Callable[..., Col]
    when: Callable[..., Col]
    english: str = ""
    japanese: str = ""
    excludes: tuple[str, ...] = ()
    cite: str = ""
    listed_at_zero: bool = False
    chinese: str = ""
    only_where: str = ""

    @property
    def names(self) -> dict[str, str]:
        """Its names by language, as far as it has them."""
        named = (("zh", self.chinese or self.name), ("en", self.english), ("ja", self.japanese))
        return {lang: name for lang, name in named if name}

    @property
    def condition(self) -> str:
        """What the fan asks for, in words: the docstring of its function."""
        return " ".join((self.when.__doc__ or "").split())


@dataclass(frozen=True, slots=True)
class Scoring:
    """How the fans of a reading become its total, and which reading a hand is judged by.

    Every function here is a column function; beside columns it may name `fan_<id>` (how often a fan counts after
    exclusions), `sum_of_fans` (value x times of all fans, added, whatever `combine` says) and `total`.

    combine: ``"sum"`` adds value x times, ``"product"`` multiplies value ** times (1 with no fan), ``"highest"``
        takes the greatest value x times and lists only that fan; or a column function of the total.
    valid: 0 where the reading is no legal win (a pair rule, a limit on wilds, a missing suit …).
    qualifies: 0 where a legal win is below the rule set's minimum to win (起和).
    score: what the reading is worth to the winner; the reading with the greatest score is taken. Default: the total.
    prefer: decides between readings of equal score and total; the greater is taken. Default: no preference, so the
        first in the order of `readings`.
    """

    combine: Combine | Callable[..., Col] = "sum"
    valid: Callable[..., Col] | None = None
    qualifies: Callable[..., Col] | None = None
    score: Callable[..., Col] | None = None
    prefer: Callable[..., Col] | None = None
