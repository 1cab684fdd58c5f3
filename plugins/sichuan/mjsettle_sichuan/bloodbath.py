"""Legal bloodbath rounds from a seed, for tests and benchmarks: a short game played out tile by tile.

Hands are dealt near ready and the wall is short, so that wins, kongs, robbed kongs, winners of one tile and exhausted
walls are frequent. Whatever a room could not send does not occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from mjsettle import is_win, waits
from mjsettle.tiles import NAMES, format_tiles
from mjsettle_sichuan.dealing import KINDS, Seat, deal

_SWITCHES: Final[dict[str, tuple[Any, ...]]] = {
    "flow": ("xuezhan", "xueliu"),
    "base": (1, 1, 2, 10),
    "cap": (4, 4, 3, 5, None),
    "zimo": ("jiadi", "jiadi", "jiafan", "none"),
    "jiadi_inside_cap": (False, False, True),
    "dian_gang_hua": ("zimo", "dianpao"),
    "gen": ("fan", "fan", "base", "off"),
    "only_kong": (False, False, True),
    "longqidui": (3, 4),
    "jingou": (2, 1),
    "yaojiu": (True, False),
    "jiang": (True, False),
    "men_zhong": (False, True),
    "menqing_zimo_only": (False, True),
    "zhongzhang_with_jiang": (False, True),
    "haidi": (True, True, False),
    "call_transfer": ("transfer", "transfer", "refund", "none"),
    "call_transfer_kongs": ("last", "last", "all"),
    "delayed_kong": (False, False, True),
    "huazhu": ("cap", "cap", 16, 64),
    "huazhu_pays": ("all", "all", "ready"),
    "chajiao": ("max", "max", "min", "off"),
    "tuishui": (True, True, False),
    "fifth_copy": ("concealed", "concealed", "melds"),
    "balance_limit": (False, False, True),
    "multi_ron": ("all", "all", "nearest"),
}


def bloodbath(seed: int, seats: int = 4, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """The wire round of a game played with this seed; the same seed plays the same game.

    options: the switches to play by; default: any, drawn from the seed.
    """
    rng = Random(seed)
    if options is None:
        changed = [key for key in _SWITCHES if rng.random() < 0.25]
        options = {key: rng.choice(_SWITCHES[key]) for key in changed}
        options["flow"] = rng.choice(_SWITCHES["flow"])
    return _Game(rng, seats, options).play(f"bloodbath/{seats}/{seed}")


class _Game:
    def __init__(self, rng: Random, seats: int, options: dict[str, Any]) -> None:
        self.rng = rng
        self.options = options
        self.flowing = options.get("flow") == "xueliu"
        left = [4] * KINDS
        # In some games several seats wait for one tile, which another may add to its pung.
        wanted = rng.randrange(KINDS) if rng.random() < 0.4 else None
        self.seats = []
        if wanted is not None and rng.random() < 0.4:
            self.seats.append(deal(rng, left, wanted, start=[wanted] * 3))
        while len(self.seats) < seats:
            self.seats.append(deal(rng, left, wanted if rng.random() < 0.7 else None))
        rng.shuffle(self.seats)
        self.wall = [kind for kind in range(KINDS) for _ in range(left[kind])]
        rng.shuffle(self.wall)
        if wanted in self.wall:
            # Tiles are drawn from the end.
            self.wall.remove(wanted)
            self.wall.append(wanted)
        del self.wall[: max(0, len(self.wall) - rng.choice((6, 20, 36, 56)))]
        end = self.wall[-8:]
        rng.shuffle(end)
        self.wall[-8:] = end
        self.dealer = rng.randrange(seats)
        self.events: list[dict[str, Any]] = []
        for number, seat in enumerate(self.seats):
            if rng.random() < 0.4 or (wanted is not None and seat.hand.count(wanted) == 3):
                self._claimed_before(number, seat)
        self.untouched = not any(seat.melds for seat in self.seats)

    def play(self, id: str) -> dict[str, Any]:
        turn, after_kong, draws = self.dealer, False, True
        while True:
            if self._over():
                break
            if draws and not self.wall:
                self.events.append({"type": "exhaustive_draw"})
                break
            turn, after_kong, draws = self._turn(turn, after_kong, draws)
            if draws and not after_kong and self.rng.random() < 0.003 and len(self._active()) > 2:
                leaver = self.rng.choice(self._active())
                self.seats[leaver].out = True
                self.events.append({"type": "give_up", "seat": leaver})
                turn, after_kong, draws = self._next(turn - 1), False, True
        broke = self.rng.random() < 0.3
        players = []
        for seat in self.seats:
            player: dict[str, Any] = {"hand": format_tiles(seat.hand), "melds": seat.melds, "void": seat.void}
            if broke or self.options.get("balance_limit"):
                player["balance"] = self.rng.choice((0, 3, 10, 25, 60, 1000)) * int(self.options.get("base", 1))
            players.append(player)
        return {
            "id": id,
            "rule": "sichuan",
            "options": self.options,
            "dealer": self.dealer,
            "players": players,
            "events": self.events,
        }

    # ---- one turn ------------------------------------------------------------------------------------------------

    def _turn(self, turn: int, after_kong: bool, draws: bool) -> tuple[int, bool, bool]:
        """A seat draws (unless it has just claimed a pung), then wins, kongs or discards; who is next, and how."""
        seat, drawn = self.seats[turn], None
        if draws:
            drawn = self.wall.pop()
            if self._wins(seat, drawn) and self.rng.random() < 0.9:
                words = [word for word, on in (("kong_draw", after_kong), ("last_tile", not self.wall)) if on]
                if self.untouched and turn == self.dealer and not after_kong:
                    words.append("first_turn")
                self._win(turn, drawn, None, words)
                return self._next(turn), False, True
            seat.hand.append(drawn)
            kong = self._own_kong(turn, drawn)
            if kong is not None:
                self.untouched = False
                return (turn, True, True) if kong else (self._next(turn), False, True)
        discard = self._discard(seat, drawn)
        seat.hand.remove(discard)
        return self._answers(turn, discard, after_kong)

    def _answers(self, turn: int, tile: int, after_kong: bool) -> tuple[int, bool, bool]:
        """Wins on a discard, else a kong or a pung of it, else nothing."""
        words = [word for word, on in (("kong_discard", after_kong), ("last_tile", not self.wall)) if on]
        if self.untouched and turn == self.dealer:
            words.append("first_turn")
        self.untouched = False
        if self._ron(turn, tile, words):
            return self._next(turn), False, True
        for other in self._active_after(turn):
            seat = self.seats[other]
            held = seat.hand.count(tile)
            if held == 3 and self.wall and self._may_kong(seat, tile, None) and self.rng.random() < 0.7:
                self._lay(seat, tile, 3, {"kind": "kong", "tiles": format_tiles([tile] * 4), "from": turn})
                self.events.append({"type": "kong", "seat": other, "kind": "kong", "tile": NAMES[tile], "from": turn})
                return other, True, True
            free = not seat.won and NAMES[tile][1] != seat.void
            if held >= 2 and free and len(seat.hand) > 4 and self.rng.random() < 0.5:
                self._lay(seat, tile, 2, {"kind": "pung", "tiles": format_tiles([tile] * 3), "from": turn})
                return other, False, False
        return self._next(turn), False, True

    def _ron(self, source: int, tile: int, words: Sequence[str]) -> bool:
        winners = [
            other
            for other in self._active_after(source)
            if self._wins(self.seats[other], tile) and self.rng.random() < 0.9
        ]
        if self.options.get("multi_ron") == "nearest":
            del winners[1:]
        last = self.events[-1] if self.events else {}
        if winners and last.get("type") == "win" and (last.get("from"), last["tile"]) == (source, NAMES[tile]):
            # Equal tiles of one seat, one after the other: an event between them says that they are two.
            self.events.append({"type": "discard", "seat": source, "tile": NAMES[tile]})
        self.rng.shuffle(winners)
        for winner in winners:
            self._win(winner, tile, source, words)
        return bool(winners)

    def _own_kong(self, turn: int, drawn: int) -> bool | None:
        """A kong from the own hand: True made, False robbed, None not made."""
        seat = self.seats[turn]
        if not self.wall or self.rng.random() < 0.2:
            return None
        for tile in sorted(set(seat.hand)):
            if not self._may_kong(seat, tile, drawn):
                continue
            if seat.hand.count(tile) == 4:
                self._lay(seat, tile, 4, {"kind": "concealed_kong", "tiles": format_tiles([tile] * 4)})
                self.events.append({"type": "kong", "seat": turn, "kind": "concealed_kong", "tile": NAMES[tile]})
                return True
            for meld in seat.melds:
                if meld["kind"] == "pung" and meld["tiles"] == format_tiles([tile] * 3):
                    event = {"type": "kong", "seat": turn, "kind": "added_kong", "tile": NAMES[tile]}
                    self.events.append({**event, "delayed": True} if tile != drawn else event)
                    seat.hand.remove(tile)
                    words = ["rob_kong"]
                    if self._ron(turn, tile, words):
                        return False
                    meld.update(kind="added_kong", tiles=format_tiles([tile] * 4))
                    return True
        return None

    def _may_kong(self, seat: Seat, tile: int, drawn: int | None) -> bool:
        """Not of the missing suit; a winner's hand is locked, and a kong must leave its waits alone."""
        if NAMES[tile][1] == seat.void:
            return False
        if not seat.won:
            return True
        if drawn is not None and tile != drawn:
            return False
        locked = list(seat.hand)
        if drawn is not None:
            locked.remove(drawn)
        if locked.count(tile) not in (0, 3):
            return False
        rest = [other for other in locked if other != tile]
        laid = [*seat.texts(), *([format_tiles([tile] * 3)] if locked.count(tile) == 3 else [])]
        forms = ("standard", "seven_pairs")
        return waits(format_tiles(locked), seat.texts(), forms=forms) == waits(format_tiles(rest), laid, forms=forms)

    def _discard(self, seat: Seat, drawn: int | None) -> int:
        """Luckless at times: a tile that several others wait for."""
        if seat.won and drawn is not None:
            return drawn
        if self.rng.random() < 0.1:
            others = [other for other in self.seats if other is not seat and not other.out]
            others = [other for other in others if self.flowing or not other.won]
            for tile in sorted(set(seat.hand)):
                if sum(self._wins(other, tile) for other in others) > 1:
                    return tile
        void = [tile for tile in seat.hand if NAMES[tile][1] == seat.void]
        if void:
            return self.rng.choice(void)
        if drawn is not None and self.rng.random() < 0.8:
            return drawn
        return self.rng.choice(seat.hand)

    # ---- bookkeeping ---------------------------------------------------------------------------------------------

    def _win(self, seat: int, tile: int, source: int | None, words: Sequence[str]) -> None:
        self.seats[seat].won = True
        self.untouched = False
        event: dict[str, Any] = {"type": "win", "seat": seat, "tile": NAMES[tile]}
        if source is not None:
            event["from"] = source
        if words:
            event["how"] = list(words)
        self.events.append(event)

    def _wins(self, seat: Seat, tile: int) -> bool:
        tiles = [*seat.hand, tile]
        suits = {NAMES[kind][1] for kind in tiles} | {text[-1] for text in seat.texts()}
        if len(suits) > 2 or seat.void in suits or tiles.count(tile) > 4:
            return False
        return is_win(format_tiles(tiles), seat.texts(), forms=("standard", "seven_pairs"))

    def _claimed_before(self, number: int, seat: Seat) -> None:
        """A pung that the seat claimed before the game is taken up, so that its fourth tile may be robbed."""
        for tile in sorted(set(seat.hand)):
            if seat.hand.count(tile) == 3 and NAMES[tile][1] != seat.void:
                source = (number + self.rng.randrange(1, len(self.seats))) % len(self.seats)
                self._lay(seat, tile, 3, {"kind": "pung", "tiles": format_tiles([tile] * 3), "from": source})
                return

    def _lay(self, seat: Seat, tile: int, times: int, meld: dict[str, Any]) -> None:
        for _ in range(times):
            seat.hand.remove(tile)
        seat.melds.append(meld)

    def _active(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if not seat.out and (self.flowing or not seat.won)]

    def _active_after(self, turn: int) -> list[int]:
        n = len(self.seats)
        return sorted((other for other in self._active() if other != turn), key=lambda other: (other - turn) % n)

    def _next(self, turn: int) -> int:
        n = len(self.seats)
        return min(self._active(), key=lambda other: (other - turn - 1) % n) if self._active() else turn

    def _over(self) -> bool:
        return len(self._active()) < 2


__all__ = ["bloodbath"]
