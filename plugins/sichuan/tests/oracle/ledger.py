"""Settles a bloodbath round a second, slow way, from the rule sheet alone and without a line of mjsettle.

It walks the events and moves money at once. It knows what the generator of rounds plays with: no wilds, no reds.
"""

from __future__ import annotations

from typing import Any

from .hands import Tile, best, tiles_of, worth

DEFAULTS: dict[str, Any] = {
    "flow": "xuezhan",
    "base": 1,
    "cap": 4,
    "zimo": "jiadi",
    "jiadi_inside_cap": False,
    "dian_gang_hua": "zimo",
    "gen": "fan",
    "only_kong": False,
    "longqidui": 3,
    "jingou": 2,
    "yaojiu": True,
    "jiang": True,
    "men_zhong": False,
    "menqing_zimo_only": False,
    "zhongzhang_with_jiang": False,
    "haidi": True,
    "call_transfer": "transfer",
    "call_transfer_kongs": "last",
    "delayed_kong": False,
    "huazhu": "cap",
    "huazhu_pays": "all",
    "chajiao": "max",
    "tuishui": True,
    "fifth_copy": "concealed",
    "balance_limit": False,
    "multi_ron": "all",
}


# ---- the round ---------------------------------------------------------------------------------------------------


class Ledger:
    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.opt = {**DEFAULTS, **record["options"]}
        self.players = record["players"]
        self.n = len(self.players)
        self.gains = [0] * self.n
        self.income: list[dict[str, Any]] = []  # kong money that has been paid: kong, payer, receiver, points, gone
        self.won: list[int] = []
        self.left: set[int] = set()
        self.totals: list[int] = []
        self.first: tuple[int, ...] = ()

    def settle(self) -> tuple[list[int], int, list[int]]:
        """Every seat's delta, the next dealer, and the fans of the wins in order."""
        events = self.record["events"]
        robbed = self.robbed()
        at = 0
        while at < len(events):
            event = events[at]
            if event["type"] == "win":
                group = [at]
                while "from" in event and at + 1 < len(events) and self.same_tile(events, group, at + 1):
                    at += 1
                    group.append(at)
                self.wins(group)
            elif event["type"] == "kong" and at not in robbed:
                self.kong(at, event)
            elif event["type"] == "give_up":
                self.left.add(event["seat"])
            elif event["type"] == "exhaustive_draw":
                self.end()
            at += 1
        dealer = self.record["dealer"]
        if self.first:
            dealer = self.first[0] if len(self.first) == 1 else self.first_source
        return self.gains, dealer, self.totals

    @staticmethod
    def same_tile(events: list[dict[str, Any]], group: list[int], at: int) -> bool:
        one, other = events[group[0]], events[at]
        taken = [events[index]["seat"] for index in group]
        return (
            other["type"] == "win"
            and other.get("from") == one["from"]
            and other["tile"] == one["tile"]
            and other["seat"] not in taken
        )

    def robbed(self) -> set[int]:
        found = set()
        for at, event in enumerate(self.record["events"]):
            if "rob_kong" in event.get("how", ()):
                kongs = [
                    index
                    for index, other in enumerate(self.record["events"][:at])
                    if other["type"] == "kong" and other["seat"] == event["from"] and other["tile"] == event["tile"]
                ]
                found.add(kongs[-1])
        return found

    def distance(self, seat: int, other: int) -> int:
        return (other - seat) % self.n

    def inside(self) -> list[int]:
        out = set(self.left) | (set(self.won) if self.opt["flow"] == "xuezhan" else set())
        return [seat for seat in range(self.n) if seat not in out]

    def pay(self, moves: list[tuple[int, int, int]], caps: list[int | None] | None = None) -> list[int]:
        """Move money of one moment, (payer, receiver, points); answers what was really paid."""
        paid = [points for _, _, points in moves]
        for index, cap in enumerate(caps or []):
            if cap is not None:
                paid[index] = min(paid[index], cap)
        for payer in range(self.n):
            balance = self.players[payer].get("balance")
            own = [index for index, (who, _, _) in enumerate(moves) if who == payer]
            owed = sum(paid[index] for index in own)
            if balance is None or not own:
                continue
            purse = max(0, balance + self.gains[payer])
            if purse >= owed:
                continue
            wanted = {index: paid[index] for index in own}
            for index in own:
                paid[index] = wanted[index] * purse // owed
            missing = purse - sum(paid[index] for index in own)
            for index in sorted(own, key=lambda index: (self.distance(payer, moves[index][1]), index)):
                if missing and paid[index] < wanted[index]:
                    paid[index] += 1
                    missing -= 1
        for (payer, receiver, _), points in zip(moves, paid, strict=True):
            self.gains[payer] -= points
            self.gains[receiver] += points
        return paid

    # ---- wins ----

    def wins(self, group: list[int]) -> None:
        events = [self.record["events"][index] for index in group]
        source = events[0].get("from")
        listed = list(zip(group, events, strict=True))
        if self.opt["multi_ron"] == "nearest" and len(listed) > 1:
            listed = [min(listed, key=lambda item: self.distance(source, item[1]["seat"]))]
        if not self.first:
            self.first, self.first_source = tuple(event["seat"] for _, event in listed), source
        moves: list[tuple[int, int, int]] = []
        caps: list[int | None] = []
        for index, event in listed:
            for move in self.win_moves(index, event):
                moves.append(move)
                caps.append(self.most(event["seat"]))
        gone, extra = self.transfers(listed)
        self.pay(moves + extra, caps + [None] * len(extra))
        for entry in gone:
            entry["gone"] = True
        self.won += [event["seat"] for _, event in listed]

    def most(self, winner: int) -> int | None:
        start = self.players[winner].get("balance")
        if not self.opt["balance_limit"] or start is None:
            return None
        return int(max(start, start + self.gains[winner]))

    def hand_at(self, seat: int, index: int) -> tuple[list[Tile], list[dict[str, Any]]]:
        """The hand at an event: the hand at the end with the seat's later kongs taken back."""
        hand, melds = tiles_of(self.players[seat]["hand"]), list(self.players[seat]["melds"])
        robbed = self.robbed()
        for later in range(len(self.record["events"]) - 1, index, -1):
            event = self.record["events"][later]
            if event["type"] != "kong" or event["seat"] != seat or later in robbed:
                continue
            tile = tiles_of(event["tile"])[0]
            for place, meld in enumerate(melds):
                if meld["kind"] == event["kind"] and tiles_of(meld["tiles"])[0] == tile:
                    if event["kind"] == "added_kong":
                        melds[place] = {"kind": "pung", "tiles": f"{tile[1]}{tile[1]}{tile[1]}{tile[0]}"}
                    else:
                        del melds[place]
                        hand += [tile] * 3
                    break
        return hand, melds

    def feeder(self, index: int, seat: int) -> int | None:
        kongs = [e for e in self.record["events"][:index] if e["type"] == "kong" and e["seat"] == seat]
        return int(kongs[-1]["from"]) if kongs and kongs[-1]["kind"] == "kong" else None

    def win_moves(self, index: int, event: dict[str, Any]) -> list[tuple[int, int, int]]:
        opt, seat, source = self.opt, event["seat"], event.get("from")
        how = set(event.get("how", ()))
        if source is None:
            how.add("draw")
        if seat == self.record["dealer"]:
            how.add("dealer")
        payer = source
        if source is None and "kong_draw" in how and opt["dian_gang_hua"] == "dianpao":
            payer = self.feeder(index, seat)
            if payer is not None:
                how.add("fed")
        hand, melds = self.hand_at(seat, index)
        fan, roots = best(opt, [*hand, *tiles_of(event["tile"])], melds, self.players[seat]["void"], how)
        self.totals.append(fan)
        points = worth(opt, fan, roots)
        if payer is not None:
            return [(payer, seat, points)]
        if opt["zimo"] == "jiadi":
            points += opt["base"]
            if opt["jiadi_inside_cap"] and opt["cap"] is not None:
                points = min(points, opt["base"] * 2 ** opt["cap"])
        return [(other, seat, points) for other in self.inside() if other != seat]

    # ---- kongs ----

    def kong(self, index: int, event: dict[str, Any]) -> None:
        seat, kind = event["seat"], event["kind"]
        if kind == "added_kong" and event.get("delayed") and not self.opt["delayed_kong"]:
            return
        each = self.opt["base"] * (1 if kind == "added_kong" else 2)
        payers = [event["from"]] if kind == "kong" else [other for other in self.inside() if other != seat]
        paid = self.pay([(payer, seat, each) for payer in payers])
        for payer, points in zip(payers, paid, strict=True):
            if points:
                self.income.append({"kong": index, "payer": payer, "seat": seat, "points": points, "gone": False})

    def transfers(self, listed: list[Any]) -> tuple[list[dict[str, Any]], list[tuple[int, int, int]]]:
        takers = [(index, event) for index, event in listed if "kong_discard" in event.get("how", ())]
        if not takers or self.opt["call_transfer"] == "none":
            return [], []
        konger = takers[0][1]["from"]
        kongs = [
            index
            for index, event in enumerate(self.record["events"][: takers[0][0]])
            if event["type"] == "kong" and event["seat"] == konger
        ]
        if self.opt["call_transfer_kongs"] == "last":
            kongs = kongs[-1:]
        moved = [e for e in self.income if e["seat"] == konger and e["kong"] in kongs and not e["gone"]]
        if self.opt["call_transfer"] == "refund":
            return moved, [(konger, entry["payer"], entry["points"]) for entry in moved]
        order = sorted((event["seat"] for _, event in takers), key=lambda seat: self.distance(konger, seat))
        return moved, [(konger, seat, entry["points"]) for seat in order for entry in moved if seat != konger]

    # ---- the end ----

    def end(self) -> None:
        opt = self.opt
        unwon = [seat for seat in range(self.n) if seat not in self.won and seat not in self.left]
        if len(unwon) < 2:
            return
        pigs, ready = set(), {}
        for seat in unwon:
            hand, melds = tiles_of(self.players[seat]["hand"]), self.players[seat]["melds"]
            laid = [tile for meld in melds for tile in tiles_of(meld["tiles"])]
            void = self.players[seat]["void"]
            if any(suit == void for suit, _ in hand) or len({suit for suit, _ in hand + laid}) == 3:
                pigs.add(seat)
                continue
            values = []
            for tile in [(suit, rank) for suit in "mps" for rank in range(1, 10)]:
                copies = hand + laid if opt["fifth_copy"] == "melds" else hand
                if copies.count(tile) >= 4 or hand.count(tile) >= 4:
                    continue
                found = best(opt, [*hand, tile], melds, void, {"dealer"} if seat == self.record["dealer"] else set())
                if found is not None:
                    values.append(worth(opt, *found))
            if values:
                ready[seat] = min(values) if opt["chajiao"] == "min" else max(values)
        unready = [seat for seat in unwon if seat not in pigs and seat not in ready]
        if opt["tuishui"]:
            self.pay(
                [
                    (seat, entry["payer"], entry["points"])
                    for seat in unwon
                    if seat not in ready
                    for entry in self.income
                    if entry["seat"] == seat and not entry["gone"] and entry["payer"] not in self.left
                ]
            )
        pig = opt["huazhu"] if opt["huazhu"] != "cap" else 16 if opt["cap"] is None else 2 ** opt["cap"]
        paid = [seat for seat in unwon if seat not in pigs and (opt["huazhu_pays"] == "all" or seat in ready)]
        self.pay([(seat, other, pig * opt["base"]) for seat in sorted(pigs) for other in paid])
        if opt["chajiao"] != "off":
            self.pay([(seat, other, ready[other]) for seat in unready for other in sorted(ready)])


def settle(record: dict[str, Any]) -> tuple[list[int], int, list[int]]:
    return Ledger(record).settle()
