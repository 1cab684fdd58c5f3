"""What the page of one settlement shows: the table, the wins with their other readings, and every payment as a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mjsettle.alternatives import Alternative, alternatives
from mjsettle.errors import MjsettleError, NotationError
from mjsettle.hand_deltas import folded_wire
from mjsettle.ledger import Refused
from mjsettle.ruleset import RuleSet, declared_options
from mjsettle.settle import Engine
from mjsettle.tiles import CODES, JOKER, KIND_OF, NAMES, parse_tiles
from mjsettle.worth import Table
from mjsettle_workers.desk.words import Words

Wire = Mapping[str, Any]
READINGS_SHOWN: Final = 12


def tiles_of(text: object, wild: frozenset[int] = frozenset()) -> list[dict[str, Any]]:
    """Tiles to draw: name, and whether each is wild; nothing for what cannot be read."""
    try:
        codes = parse_tiles(str(text or ""))
    except NotationError:
        return []
    codes.sort(key=lambda code: (KIND_OF[code], code))
    return [{"name": NAMES[code], "wild": KIND_OF[code] in wild or code == JOKER} for code in codes]


def wild_kinds(record: Wire, ruleset: RuleSet | None) -> frozenset[int]:
    """The kinds that are wild in a round."""
    named = {KIND_OF[CODES[name]] for name in record.get("wild") or () if name in CODES}
    return frozenset(named | (ruleset.wild if ruleset is not None else frozenset()))


class SettlementView:
    """One round and its result, prepared for the page."""

    def __init__(self, engine: Engine, record: Wire, result: Wire, words: Words) -> None:
        self.engine = engine
        self.record: dict[str, Any] = {**folded_wire(dict(record))}
        self.result = result
        self.words = words
        self.ruleset = self._ruleset()
        self.wild = wild_kinds(self.record, self.ruleset)
        self.same_rules = self.ruleset is not None and result.get("fingerprint") in (None, self.ruleset.fingerprint)
        self.wins = [self._win(win) for win in result.get("wins") or ()]
        self.switches = self._switches()
        self.wild_tiles: list[dict[str, Any]] = [
            tile for kind in sorted(self.wild) for tile in tiles_of(NAMES[kind], self.wild)
        ]
        self.bird_tiles = [tile for name in self.record.get("birds") or () for tile in tiles_of(name)]

    def _ruleset(self) -> RuleSet | None:
        try:
            return self.engine.rule_set(
                str(self.record.get("rule")),
                self.record.get("options") or {},
                self.record.get("edition"),
                len(self.record.get("players") or ()),
            )
        except MjsettleError:
            return None

    @property
    def rule_title(self) -> str:
        if self.ruleset is None:
            return str(self.record.get("rule"))
        rule = self.ruleset.rule
        return rule.english if self.words.lang == "en" else rule.title

    def _switches(self) -> list[dict[str, Any]]:
        if self.ruleset is None:
            return []
        named = self.record.get("options") or {}
        return [
            {
                "key": option.key,
                "title": option.title if self.words.lang == "zh" else option.key.replace("_", " "),
                "value": self.ruleset.options[option.key],
                "named": option.key in named,
            }
            for option in declared_options(self.engine.registry, self.ruleset.rule.name)
        ]

    def seats(self) -> list[dict[str, Any]]:
        """Each seat with its tiles and what it gained."""
        deltas = self.result.get("deltas") or []
        winners = {win["seat"] for win in self.wins}
        return [
            {
                "seat": seat,
                "dealer": seat == self.record.get("dealer", 0),
                "winner": seat in winners,
                "hand": None if player.get("hand") is None else tiles_of(player["hand"], self.wild),
                "melds": [
                    {
                        "kind": meld.get("kind"),
                        "tiles": tiles_of(meld.get("tiles")),
                        "hidden": meld.get("kind") == "concealed_kong",
                        "from": meld.get("from"),
                    }
                    for meld in player.get("melds") or ()
                ],
                "flowers": tiles_of(player.get("flowers")),
                "flags": player.get("flags") or (),
                "delta": deltas[seat] if seat < len(deltas) else None,
            }
            for seat, player in enumerate(self.record.get("players") or ())
        ]

    def _win(self, win: Wire) -> dict[str, Any]:
        event = self._event_of(win)
        cites = {fan.id: fan for fan in self.ruleset.fans} if self.ruleset is not None else {}
        fans = [
            {
                "id": fan.get("id"),
                "name": self.words.name({**fan, "names": cites[fan["id"]].names} if fan.get("id") in cites else fan),
                "value": fan.get("value"),
                "times": fan.get("times"),
                "cite": cites[fan["id"]].cite if fan.get("id") in cites else "",
                "condition": cites[fan["id"]].condition if fan.get("id") in cites else "",
            }
            for fan in win.get("fans") or ()
        ]
        found: dict[str, Any] = {**win, "fans": fans, "event": event, "won": tiles_of(win.get("tile"), self.wild)}
        found["groups"] = [tiles_of(text) for text in win.get("sets") or ()]
        if win.get("pair"):
            found["groups"].append(tiles_of(win["pair"]))
        found["stands"] = [tiles_of(name)[0] for name in win.get("wild_as") or () if name in CODES]
        readings = self._readings(win)
        found["readings"], found["more"] = readings[:READINGS_SHOWN], len(readings) > READINGS_SHOWN
        found["waits"] = self._waits(win, event)
        return found

    def _event_of(self, win: Wire) -> Wire:
        for event in self.record.get("events") or ():
            if event.get("type") == "win" and (event.get("seat"), event.get("tile")) == (win["seat"], win.get("tile")):
                return dict(event)
        return {}

    def _readings(self, win: Wire) -> list[dict[str, Any]]:
        """The other readings of a win's hand, those worth most first; one more than are shown where there are more."""
        try:
            ruleset, wins = self.engine.hands_of(self.record)
        except (Refused, MjsettleError):
            return []
        for known, hand in wins:
            if (known.seat, NAMES[known.tile]) == (win["seat"], win.get("tile")):
                found = alternatives(ruleset, hand, READINGS_SHOWN + 2)
                return [self.reading(one) for one in found if one.lost_by]
        return []

    def reading(self, found: Alternative) -> dict[str, Any]:
        """One reading to show: its groups of tiles, fans, total and why it was not taken."""
        told = found.as_dict()
        names = {fan.id: fan.names for fan, _, _ in found.judgement.counted}
        return {
            "groups": [tiles_of(text) for text in (*told["sets"], *([told["pair"]] if told["pair"] else []))],
            "stands": [tiles_of(name)[0] for name in told["wild_as"]],
            "fans": [{**fan, "name": self.words.name({**fan, "names": names[fan["id"]]})} for fan in told["fans"]],
            "total": told["total"],
            "wilds_needed": told["wilds_needed"],
            "lost": self.words.lost(found.lost_by),
        }

    def _waits(self, win: Wire, event: Wire) -> list[dict[str, Any]]:
        """What each tile that would have won would have paid, the same way; most first."""
        player = (self.record.get("players") or [])[win["seat"]]
        if not event or player.get("hand") is None:
            return []
        try:
            table = Table(self.engine, self.record, win["seat"])
            brought = table.waits(parse_tiles(player["hand"]), event.get("from"))
        except (MjsettleError, IndexError):
            return []
        told = [
            {"tile": tiles_of(name, self.wild)[0], "points": one.points, "won": name == win.get("tile")}
            for name, one in brought.items()
        ]
        return sorted(told, key=lambda one: -one["points"])

    def steps(self) -> list[dict[str, Any]]:
        """The events in order with the payments that each brought, and where everybody stood after it."""
        transfers: Sequence[Wire] = self.result.get("transfers") or ()
        standing = [0] * len(self.record.get("players") or ())
        events: Sequence[Wire] = self.record.get("events") or ()
        steps = [
            self._step(number + 1, event, [one for one in transfers if one.get("event") == number], standing)
            for number, event in enumerate(events)
        ]
        late = [one for one in transfers if one.get("event") is None or one["event"] >= len(events)]
        if late:
            steps.append(self._step(None, {}, late, standing))
        return steps

    def _step(self, number: int | None, event: Wire, transfers: Sequence[Wire], standing: list[int]) -> dict[str, Any]:
        for one in transfers:
            for side, sign in (("from", -1), ("to", 1)):
                seat = one.get(side)
                if isinstance(seat, int) and seat < len(standing):
                    standing[seat] += sign * one["points"]
        return {
            "number": number,
            "title": self._title(event) if number is not None else self.words.end,
            "tiles": tiles_of(event.get("tile") or event.get("tiles"), self.wild),
            "transfers": [
                {
                    "from": self.words.seat_of(one.get("from")),
                    "to": self.words.seat_of(one.get("to")),
                    "points": one["points"],
                    "why": self.words.why(one.get("why")),
                    "undoes": "undoes" in one,
                }
                for one in transfers
            ],
            "standing": list(standing),
        }

    def _title(self, event: Wire) -> str:
        words = self.words
        kind = event.get("type")
        parts = [words.fill("seat", event["seat"])] if "seat" in event else []
        if kind == "win":
            source = words.fill("from_seat", event["from"]) if "from" in event else words.self_drawn
            parts += [
                words.winner if words.lang == "zh" else "wins",
                source,
                *map(words.how_word, event.get("how") or ()),
            ]
        elif kind == "kong":
            parts.append(words.kong(event.get("kind")))
            if "from" in event:
                parts.append(words.fill("from_seat", event["from"]))
        else:
            parts.append(words.event(kind))
        return " · ".join(parts)


__all__ = ["SettlementView", "tiles_of", "wild_kinds"]
