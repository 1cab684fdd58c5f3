"""Settling when plugins may raise: the round at which one does is refused, and no other waits for it.

`Engine` lets through what a plugin raises, for whoever settles may have a better place to keep the round; files of
rounds are settled with `Isolated`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from traceback import extract_tb, walk_tb
from typing import Any, Final, TypeVar

import msgspec

from mjsettle import results
from mjsettle.errors import Fault
from mjsettle.rounds import Round, Unreadable, decode_round
from mjsettle.settle import Engine, numbered_lines

JUDGE_FAILED: Final = "judge_failed"
"""Code of the answer to a round at which a plugin raised."""

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


class Isolated:
    """An engine that answers a round at which a plugin raises as refused, with the plugin and what it raised.

    failures: the messages of such answers, in order.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.failures: list[str] = []

    def settle(self, rounds: Iterable[Round | Mapping[str, Any]]) -> list[dict[str, Any]]:
        """As `Engine.settle`, but nothing that a plugin raises is raised."""
        return _each(list(rounds), self.engine.settle, self._failed)

    def settle_json(self, lines: bytes, first_line: int = 1) -> bytes:
        """As `Engine.settle_json`, but nothing that a plugin raises is raised."""
        numbered = numbered_lines(lines, first_line)
        return b"\n".join([*_each(numbered, self.engine.settle_lines, self._failed_line), b""])

    def _failed_line(self, numbered: tuple[int, bytes], error: Exception) -> bytes:
        try:
            round = decode_round(numbered[1])
        except Unreadable as unreadable:  # a plugin's check of what could be read of it raised
            answer = self._refused(unreadable.id, unreadable.sound.rule if unreadable.sound else "", error)
            return msgspec.json.encode(answer | ({"line": numbered[0]} if unreadable.id is None else {}))
        return msgspec.json.encode(self._failed(round, error))

    def _failed(self, found: Round | Mapping[str, Any], error: Exception) -> dict[str, Any]:
        if isinstance(found, Round):
            return self._refused(found.id, found.rule, error)
        return self._refused(found.get("id"), str(found.get("rule")), error)

    def _refused(self, id: str | None, rule: str, error: Exception) -> dict[str, Any]:
        plugin = self.engine.registry.culprit(rule, [frame.f_globals for frame, _ in walk_tb(error.__traceback__)])
        raised = extract_tb(error.__traceback__)[-1]
        # The name of the file alone: an answer goes to a room, which has no business with our folders.
        place = f"{raised.filename.replace(chr(92), '/').rpartition('/')[2]}, line {raised.lineno}, in {raised.name}"
        message = f"plugin {plugin!r} raised {type(error).__name__}: {error} ({place}); tell its author"
        self.failures.append(f"{id}: {message}")
        return results.refused(id, [Fault(JUDGE_FAILED, "", message)])


def _each(
    items: Sequence[_Item],
    settle: Callable[[Sequence[_Item]], list[_Answer]],
    failed: Callable[[_Item, Exception], _Answer],
) -> list[_Answer]:
    """Settle all at once; where that raises, in halves, until what raises is one item alone."""
    try:
        return settle(items)
    except MemoryError:  # no fault of a round
        raise
    except Exception as error:  # a plugin may raise anything
        if len(items) == 1:
            return [failed(items[0], error)]
    middle = len(items) // 2
    return _each(items[:middle], settle, failed) + _each(items[middle:], settle, failed)


__all__ = ["JUDGE_FAILED", "Isolated"]
