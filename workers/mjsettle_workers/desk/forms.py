"""The form for a hand: what was typed, as a round, and every fault beside the field that it is in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

import click
import msgspec

from mjsettle.cli.arguments import read_meld, wire_meld
from mjsettle.describe import describe
from mjsettle.errors import MjsettleError, NotationError, RuleError
from mjsettle.settle import Engine
from mjsettle.tiles import NAMES, format_tiles, parse_tiles
from mjsettle_workers.desk.words import Words

VIEWS: Final = ("try", "waits", "discards")
DEFAULT_RULE: Final = "guobiao"
SWITCH: Final = "o."
"""Prefix of the names of switches among the fields."""
SEATS: Final = 4
TEXT_MAX: Final = 200
_PLAYER: Final = re.compile(r"players\[\d+\]\.(hand|melds|flowers|flags)")


class Query(Protocol):
    """Query parameters, as Starlette has them."""

    def get(self, key: str, default: str = "") -> str: ...
    def getlist(self, key: Any) -> list[str]: ...
    def keys(self) -> Iterable[str]: ...


class HandForm:
    """A hand as it was typed, under a rule set with its switches.

    faults: what is wrong, by the name of the field; elsewhere: what is wrong with none of the fields.
    """

    def __init__(self, engine: Engine, query: Query, words: Words) -> None:
        self.engine = engine
        self.words = words
        self.faults: dict[str, list[str]] = {}
        self.elsewhere: list[str] = []
        view = query.get("view", "try")
        self.view = view if view in VIEWS else "try"
        rules = engine.rules()
        self.rule = query.get("rule") or (DEFAULT_RULE if DEFAULT_RULE in rules else next(iter(rules), ""))
        self.text = {name: query.get(name, "").strip()[:TEXT_MAX] for name in _TEXTS}
        self.how, self.flags = query.getlist("how"), query.getlist("flag")
        self.seat = self._number(query, "seat")
        self.dealer = self._number(query, "dealer")
        self.preset = query.get("preset", "")
        self.switches = {
            key.removeprefix(SWITCH): query.get(key, "")[:TEXT_MAX]
            for key in query.keys()  # noqa: SIM118 - a multidict's keys, not the protocol's
            if key.startswith(SWITCH) and query.get(key, "") != ""
        }
        self.card = self._card()

    def _number(self, query: Query, name: str) -> int:
        text = query.get(name, "0") or "0"
        if text in "0123" and len(text) == 1:
            return int(text)
        self.fault(name, f"found {text!r}, expected 0..{SEATS - 1}")
        return 0

    def fault(self, field: str, message: str) -> None:
        """Note what is wrong with a field."""
        known = self.faults.setdefault(field, [])
        if message not in known:
            known.append(message)

    def _card(self) -> dict[str, Any]:
        """The rule set as it is described, under the preset; empty where there is no such rule set."""
        for options in ({"preset": self.preset} if self.preset else {}, {}):
            try:
                return describe(self.engine, self.rule, options)
            except RuleError as error:
                if self.rule not in self.engine.rules():
                    self.fault("rule", str(error))
                    return {}
                self.fault("preset", str(error))
        return {}

    @property
    def filled(self) -> bool:
        """Whether there is a hand to look at."""
        return bool(self.text["hand"])

    def options(self) -> dict[str, Any]:
        """The switches as the wire has them."""
        found: dict[str, Any] = {"preset": self.preset} if self.preset else {}
        for key, text in self.switches.items():
            try:
                found[key] = msgspec.json.decode(text)
            except msgspec.DecodeError:
                found[key] = text
        return found

    def _tiles(self, name: str) -> list[str]:
        """The tiles of a field, one by one; a fault where they cannot be read."""
        try:
            return [NAMES[code] for code in parse_tiles(self.text[name])]
        except NotationError as error:
            self.fault(name, str(error))
            return []

    def _melds(self) -> list[dict[str, Any]]:
        melds = []
        for text in self.text["melds"].split():
            try:
                melds.append(wire_meld(read_meld(text), self.seat, SEATS))
            except click.BadParameter as error:
                self.fault("melds", str(error))
        return melds

    @property
    def source(self) -> int | None:
        """The seat that fed the winning tile; None on a self-draw."""
        text = self.text["by"]
        return int(text) if text in ("0", "1", "2", "3") else None

    def record(self) -> dict[str, Any]:
        """The round that the form describes, with its win in the judging view; faults of notation are noted."""
        player: dict[str, Any] = {"melds": self._melds()}
        hand = self._tiles("hand")
        if "hand" not in self.faults:
            player["hand"] = format_tiles(parse_tiles("".join(hand)))
        if self.text["flowers"]:
            player["flowers"] = "".join(self._tiles("flowers"))
        if self.flags:
            player["flags"] = self.flags
        players: list[dict[str, Any]] = [{} for _ in range(SEATS)]
        players[self.seat] = player
        record: dict[str, Any] = {
            "id": "desk",
            "rule": self.rule,
            "options": self.options(),
            "dealer": self.dealer,
            "players": players,
            "wild": self._tiles("wild"),
            "birds": self._tiles("birds"),
            "names": True,
        }
        if self.text["round_wind"]:
            record["round_wind"] = self.text["round_wind"]
        if self.view == "try":
            record["events"] = [self._win()]
        return record

    def _win(self) -> dict[str, Any]:
        win: dict[str, Any] = {"type": "win", "seat": self.seat, "how": self.how}
        tiles = self._tiles("tile")
        if len(tiles) == 1:
            win["tile"] = tiles[0]
        elif "tile" not in self.faults:
            found = self.text["tile"] or "nothing"
            self.fault("tile", f"found {found}, expected one tile such as 6m; the hand does not contain it")
        if self.source is not None:
            win["from"] = self.source
        return win

    def place(self, errors: Sequence[Mapping[str, str]]) -> None:
        """Put each error of a refused result beside its field, unless the field's text was at fault already."""
        noted = set(self.faults)
        for error in errors:
            field = self._field_of(error["field"], error["code"])
            if field is None:
                self.elsewhere.append(f"{error['field']}: {error['message']}")
            elif field not in noted:
                self.fault(field, error["message"])

    def _field_of(self, path: str, code: str) -> str | None:
        if code in ("not_a_win", "below_minimum"):
            return "hand"
        if found := _PLAYER.match(path):
            return found[1]
        if path.startswith("options."):
            key = path.removeprefix("options.")
            known = {option["key"] for option in self.card.get("options", ())}
            return "preset" if key == "preset" else SWITCH + key if key in known else None
        if path.startswith("events[0]"):
            rest = path.removeprefix("events[0]").lstrip(".")
            return {"": "tile", "tile": "tile", "how": "how", "from": "by", "seat": "seat"}.get(rest)
        head = re.split(r"[.\[]", path)[0]
        return head if head in ("rule", "wild", "birds", "dealer", "round_wind") else None

    def problem(self, error: MjsettleError) -> None:
        """Note an error that names no field: most are about the hand."""
        self.fault("hand", str(error))

    @property
    def broken(self) -> bool:
        """Whether anything is wrong with what was typed."""
        return bool(self.faults or self.elsewhere)


_TEXTS: Final = ("hand", "melds", "wild", "tile", "by", "flowers", "birds", "round_wind", "seen")
