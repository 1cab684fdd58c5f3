"""A settled round as a story that a player can follow: who won when, what each kong brought, what was given back.

Text from a wire round and its wire result, and from nothing else but the titles of its switches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mjsettle.tiles import chinese
from mjsettle.words import EVENTS, HOW, KONGS, LANGUAGES, REASONS, SENTENCES, STATUS, SWITCHES, WHY

Wire = Mapping[str, Any]


def explain(record: Wire, result: Wire, lang: str = "en", switches: Mapping[str, str] | None = None) -> Iterator[str]:
    """Tell a round line by line; a line that belongs to another is indented under it.

    record: a wire round; result: the engine's answer to it; lang: ``"en"`` or ``"zh"``, ValueError for another;
    switches: Chinese titles of the rule set's switches by key, for a story in Chinese.
    Transfers that name no event are told at the end.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"found language {lang!r}, expected one of {', '.join(LANGUAGES)}")
    return _Story(record, result, LANGUAGES.index(lang), switches or {}).lines()


class _Story:
    def __init__(self, record: Wire, result: Wire, lang: int, titles: Mapping[str, str]) -> None:
        self.titles = titles
        self.record = record
        self.result = result
        self.lang = lang
        self.events: Sequence[Wire] = record.get("events", ())
        self.transfers: Sequence[Wire] = result.get("transfers", ())
        self.wins = list(result.get("wins", ()))
        self.won: list[int] = []

    def lines(self) -> Iterator[str]:
        yield self.headline()
        if self.result.get("status") != "settled":
            yield self.say("refused")
            for error in self.result.get("errors", ()):
                yield f"    {error['field']}: {error['message']}"
            return
        for index, event in enumerate(self.events):
            yield from self.step(index, event)
        yield from self.ending()
        yield from self.accounts()

    # ---- words ---------------------------------------------------------------------------------------------------

    def say(self, key: str, *values: Any, **named: Any) -> str:
        return SENTENCES[key][self.lang].format(*values, **named)

    def word(self, table: Mapping[str, tuple[str, str]], key: Any) -> str:
        found = table.get(str(key))
        return found[self.lang] if found else str(key).replace("_", " ")

    def tile(self, text: Any) -> str:
        return chinese(str(text)) if self.lang and text else str(text or "")

    def party(self, *seats: Any) -> str:
        known = list(dict.fromkeys(seats))
        if known == ["table"]:
            return self.say("table")
        numbers = [str(seat) for seat in known]
        if len(numbers) == 1:
            return self.say("seat", numbers[0])
        return self.say("seats", self.say("list").join(numbers[:-1]) + self.say("and") + numbers[-1])

    def headline(self) -> str:
        dealer = self.party(self.record.get("dealer", 0))
        result = self.result
        rule = " ".join(filter(None, (str(self.record.get("rule")), result.get("edition"))))
        line = self.say("headline", id=result.get("id"), rule=rule, dealer=dealer)
        switches = [self.switch(key, value) for key, value in (self.record.get("options") or {}).items()]
        return self.say("comma").join([line, *switches])

    def switch(self, key: str, value: Any) -> str:
        """A switch as it is written; in Chinese by its title."""
        written = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        if not self.lang:
            return f"{key} {written}"
        if isinstance(value, bool):
            written = self.say("yes" if value else "no")
        return f"{self.titles.get(key) or self.word(SWITCHES, key)} {written}"

    # ---- events --------------------------------------------------------------------------------------------------

    def step(self, index: int, event: Wire) -> Iterator[str]:
        told = [transfer for transfer in self.transfers if transfer.get("event") == index]
        body = list(self.event(index, event, bool(told)))
        if event.get("type") == "exhaustive_draw":
            body += self.standings()
        yield f"{index + 1}. {body[0]}"
        yield from (f"    {line}" for line in body[1:])
        yield from (f"    {line}" for line in self.payments(told))
        yield from (f"    {line}" for line in self.shortfalls(index))

    def event(self, index: int, event: Wire, paid: bool) -> Iterator[str]:
        kind = event.get("type")
        if kind == "win":
            yield from self.win(event)
        elif kind == "kong":
            yield self.kong(event)
            if not paid:
                yield self.say("kong_robbed" if self.robbed(index) else "kong_nothing")
        else:
            who = self.party(event["seat"]) if "seat" in event else ""
            name = self.word(EVENTS, kind)
            # A type that the table does not know comes without the space that its words begin with.
            name = f" {name}" if who and not self.lang and not name.startswith(" ") else name
            yield self.say("other_event", who=who, type=name, tile=self.tile(event.get("tile"))).strip()
            granted = self.take(event)
            if granted is not None:
                yield self.worth(granted)

    def win(self, event: Wire) -> Iterator[str]:
        found = self.take(event)
        who, tile = self.party(event["seat"]), self.tile(event.get("tile"))
        if found is None:
            yield self.say("dropped", who=who, tile=tile)
            return
        words = [self.word(HOW, word) for word in event.get("how", ()) if word != "rob_kong"]
        how = "".join(self.say("comma") + word for word in words)
        self.won.append(event["seat"])
        times = self.won.count(event["seat"])
        again = self.say("again", times) if times > 1 else ""
        if "from" not in event:
            line = self.say("draws_win", who=who, tile=tile, how=how)
        else:
            key = "robs_win" if "rob_kong" in event.get("how", ()) else "takes_win"
            line = self.say(key, who=who, tile=tile, source=self.party(event["from"]), how=how)
        yield line + again
        yield self.worth(found)

    def take(self, event: Wire) -> Wire | None:
        """The win of the result that answers an event; each is told once."""
        for at, win in enumerate(self.wins):
            tile = event.get("tile") == win.get("tile") if event.get("type") == "win" else win.get("form") == "granted"
            if win["seat"] == event.get("seat") and tile:
                return dict(self.wins.pop(at))
        return None

    def worth(self, win: Wire) -> str:
        fans = self.say("comma").join(
            f"{self.fan_name(fan)} {fan['value']}" + (f" x {fan['times']}" if fan.get("times", 1) != 1 else "")
            for fan in win.get("fans", ())
        )
        total = win.get("total", win.get("yakuman", ""))
        return self.say("worth", fans=fans, total=total) if fans else self.say("worth_plain", total=total)

    def fan_name(self, fan: Wire) -> str:
        names = fan.get("names", {})
        return str(names.get(LANGUAGES[self.lang], fan["name"]))

    def kong(self, event: Wire) -> str:
        source = self.say("kong_source", self.party(event["from"])) if "from" in event else ""
        late = self.say("kong_late") if event.get("delayed") else ""
        kind = self.word(KONGS, event.get("kind"))
        tile = self.tile(event.get("tile") or event.get("tiles"))
        article = "an" if kind[0] in "aeiou" else "a"
        who = self.party(event["seat"])
        return self.say("kong", who=who, article=article, kind=kind, tile=tile, source=source, late=late)

    def robbed(self, index: int) -> bool:
        kong = self.events[index]
        for event in self.events[index + 1 :]:
            if event.get("type") != "win":
                return False
            if "rob_kong" in event.get("how", ()) and event.get("from") == kong.get("seat"):
                return True
        return False

    # ---- money ---------------------------------------------------------------------------------------------------

    def payments(self, told: Sequence[Wire]) -> Iterator[str]:
        """Payments in order; equal ones to one seat, or back from one seat, are told as one."""
        groups: dict[tuple[Any, ...], list[Wire]] = {}
        for transfer in told:
            key: tuple[Any, ...]
            if "undoes" in transfer:
                paid = self.transfers[transfer["undoes"]]
                back = paid["from"] == transfer["to"]
                step = paid.get("event")
                key = ("back", transfer["from"], transfer["points"], transfer["why"], step)
                if not back:
                    key = ("on", transfer["from"], transfer["to"], transfer["why"], step)
            else:
                key = ("pays", transfer["to"], transfer["points"], transfer["why"])
            groups.setdefault(key, []).append(transfer)
        for (kind, *rest), group in groups.items():
            yield self.payment(kind, rest, group)

    def payment(self, kind: str, rest: Sequence[Any], group: Sequence[Wire]) -> str:
        why = self.word({**WHY, **REASONS}, group[0]["why"])
        payers = [transfer["from"] for transfer in group]
        payees = [transfer["to"] for transfer in group]
        if kind == "on":
            points = sum(transfer["points"] for transfer in group)
            what = self.what(rest[-1])
            return self.say(
                "on", payer=self.party(*payers), payee=self.party(*payees), points=points, what=what, why=why
            )
        several = len(set(payees if kind == "back" else payers)) > 1
        points = group[0]["points"]
        if not several:
            points = sum(transfer["points"] for transfer in group)
        named = {"payer": self.party(*payers), "payee": self.party(*payees), "points": points, "why": why}
        if kind == "back":
            return self.say("back_each" if several else "back", what=self.what(rest[-1]), **named)
        return self.say("pay_each" if several else "pays", **named)

    def what(self, step: Any) -> str:
        """What an earlier payment was for."""
        if step is None:
            return "?"
        event = self.events[step]
        if event.get("type") != "kong":
            return self.say("what_step", step=step + 1)
        tile = self.tile(event.get("tile") or event.get("tiles"))
        return self.say("what", kind=self.word(KONGS, event.get("kind")), tile=tile, step=step + 1)

    def shortfalls(self, index: int | None) -> Iterator[str]:
        for unpaid in self.result.get("unpaid", ()):
            if unpaid.get("event") == index:
                yield self.say(
                    "short",
                    payer=self.party(unpaid["from"]),
                    payee=self.party(unpaid["to"]),
                    points=unpaid["points"],
                    why=self.word({**WHY, **REASONS}, unpaid["why"]),
                )

    # ---- the end -------------------------------------------------------------------------------------------------

    def ending(self) -> Iterator[str]:
        late = [transfer for transfer in self.transfers if transfer.get("event") is None]
        body = [*self.payments(late), *self.shortfalls(None)]
        if body:
            yield self.say("end")
            yield from (f"    {line}" for line in body)
        if not self.result.get("wins"):
            yield self.say("nobody")

    def standings(self) -> Iterator[str]:
        for seat in self.result.get("reckoning", ()):
            waits = self.say("comma").join(
                self.say("wait", tile=self.tile(tile), points=points) for tile, points in seat.get("waits", {}).items()
            )
            line = self.say("standing", who=self.party(seat["seat"]), status=self.word(STATUS, seat["status"]))
            yield line + (self.say("waits", waits) if waits else "")

    def accounts(self) -> Iterator[str]:
        """Every seat's sum, and what it is made of."""
        for seat, delta in enumerate(self.result.get("deltas", ())):
            parts: dict[str, int] = {}
            for transfer in self.transfers:
                if seat in (transfer["from"], transfer["to"]):
                    signed = transfer["points"] if transfer["to"] == seat else -transfer["points"]
                    parts[transfer["why"]] = parts.get(transfer["why"], 0) + signed
            made_of = self.say("comma").join(f"{self.word(WHY, why)} {points:+d}" for why, points in parts.items())
            listed = f" = {made_of}" if len(parts) > 1 else f" ({made_of})" if parts else ""
            yield self.say("account", who=self.party(seat), sum=f"{delta:+d}", parts=listed)
        after = self.result.get("next", {})
        if "dealer" in after:
            streak = self.say("next_streak", after["streak"]) if after.get("streak") else ""
            yield self.say("next", who=self.party(after["dealer"]), streak=streak)


__all__ = ["explain"]
