"""The errors that a caller's mistake raises; each says what was found, what was expected and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


class MjsettleError(Exception):
    """Base of every error that a caller can provoke."""


class NotationError(MjsettleError, ValueError):
    """A hand or tile string that cannot be read."""


class HandError(MjsettleError, ValueError):
    """A readable hand that cannot exist, such as one with a wrong number of tiles."""


class PluginError(MjsettleError):
    """A plugin that declares something the core cannot use; raised at start-up, never while settling."""


class FactError(TypeError):
    """A fact of a plugin that is no whole number; raised while its round is settled.

    Not one of the errors that a caller provokes: the round is not at fault.
    """


class PaymentError(PluginError):
    """A payment that a plugin books and nobody can make (half a point, a seat that is not there); raised while its
    round is settled."""


class RuleError(MjsettleError, LookupError):
    """A rule set, edition, option or preset that nobody declares."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a round.

    code: a stable snake_case word; field: a path such as ``players[2].hand``; message: found, expected, what to do.
    """

    code: str
    field: str
    message: str

    def as_dict(self) -> dict[str, str]:
        return {"code": self.code, "field": self.field, "message": self.message}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The known words nearest to one that is not known, as the end of a message; empty where none is near."""
    near = difflib.get_close_matches(word, list(known), 3)
    return f" (did you mean {', '.join(near)}?)" if near else ""
