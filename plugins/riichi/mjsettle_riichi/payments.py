"""Who pays whom for a win (§5, §7): shares, honba, riichi sticks, liability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import EVERY_KIND
from mjsettle.ledger import TABLE, Book, Win
from mjsettle.rules import Payments
from mjsettle.tiles import CODES, KIND_OF, NAMES, parse_tiles
from mjsettle_riichi.draws import next_round
from mjsettle_riichi.pao import liable_seats, rinshan_feeder
from mjsettle_riichi.points import YAKUMAN, base_points, shares
from mjsettle_riichi.yakuman import HAN, yakuman

HONBA: Final = 100
"""Points per honba that each payer of a self-draw pays; a discarder pays for all."""

STICK: Final = 1000


def pay_win(book: Book, win: Win) -> None:
    """One win: the shares of its parts, honba, sticks; liability redirects the parts that it is for."""
    _refuse_furiten(book, win)
    _refuse_robbery(book, win)
    _refuse_late_yaku(book, win)
    limits = yakuman_of(book, win)
    parts = list(_parts(book, win, limits))
    nearest = book.memory.get("nearest", win.seat) == win.seat
    honba = book.round.honba if nearest or book.options.honba_multi_ron == "each" else 0
    # Honba goes with the part that is paid as usual; only where all is liability does it go with that (§5 包).
    carrier = next((at for at, (_, liable) in enumerate(parts) if liable is None), 0)
    for at, (base, liable) in enumerate(parts):
        _pay_part(book, win, base, liable, honba if at == carrier else 0)
    if nearest:
        book.pay(TABLE, win.seat, STICK * book.round.deposits, "deposits", event=win.index)
    if limits:
        win.report.update(yakuman=sum(limits.values()), total=None)
    else:
        win.report["fu"] = win.judged.prefer


def yakuman_of(book: Book, win: Win) -> dict[str, int]:
    """The yakuman of a win and how many each is."""
    limits = {fan.id: times for fan, times, value in win.judged.counted if value == HAN}
    if not limits:
        return {}
    ids = {fan.id for fan in yakuman(book.options)}
    return {id: times for id, times in limits.items() if id in ids}


def _parts(book: Book, win: Win, limits: dict[str, int]) -> Sequence[tuple[int, int | None]]:
    """The win as (base, liable seat): the yakuman of each liable seat, and the rest."""
    feeder = rinshan_feeder(book, win)
    if not limits:
        if win.event is not None and win.event.liable:
            liable_seats(book, win, limits)  # refuses: liability is for yakuman
        return [(base_points(win.total, win.judged.prefer, book.options), feeder)]
    answers = liable_seats(book, win, limits)
    by_seat: dict[int | None, int] = {}
    for id, times in limits.items():
        seat = answers.get(id, feeder)
        by_seat[seat] = by_seat.get(seat, 0) + times
    return [(YAKUMAN * times, seat) for seat, times in by_seat.items()]


def _pay_part(book: Book, win: Win, base: int, liable: int | None, honba: int) -> None:
    seats = len(book.seats)
    owed = shares(base, win.seat, win.source, book.dealer, seats, book.options.tsumo_loss)
    extra = dict.fromkeys(owed, HONBA * honba * (1 if win.self_draw else seats - 1))
    if liable is not None and win.self_draw:
        owed, extra = {liable: sum(owed.values())}, {liable: sum(extra.values())}
    elif liable is not None and win.source is not None and liable != win.source:
        half = owed[win.source] // 2
        owed = {liable: half, win.source: owed[win.source] - half}
    for payer, points in owed.items():
        book.pay(payer, win.seat, points, "win" if liable is None or payer == win.source else "win_liable", win=win)
        book.pay(payer, win.seat, extra.get(payer, 0), "honba", event=win.index)


def winners(book: Book, wins: Sequence[Win]) -> Sequence[Win]:
    """Of several winners of one tile those that are paid (§7); sticks and honba go to the nearest in turn order."""
    source = wins[0].source or 0
    nearest = min(wins, key=lambda win: book.distance(source, win.seat))
    book.memory["nearest"] = nearest.seat
    if book.options.multi_ron == "head_bump":
        return [nearest]
    if book.options.multi_ron == "double" and len(wins) > 2 and book.options.triple_ron == "abort":
        book.memory["aborted"] = True
        return []
    return wins


def _refuse_furiten(book: Book, win: Win) -> None:
    """振聴: no ron when a tile that the hand waits for lies among the own discards, claimed ones included (§1)."""
    player = book.player(win.seat)
    if win.self_draw:
        return
    where = f"events[{win.index}]"
    if "furiten" in player.flags:
        book.refuse("furiten", where, f"seat {win.seat} is furiten by its flag; it may win by self-draw only")
    elif own := {KIND_OF[code] for code in _discards(player.discards or "")} | _claimed_from(book, win.seat):
        waits = book.waits_of(win.seat)[0]
        if found := sorted({kind for kind in own if EVERY_KIND >> kind & 1 and waits >> kind & 1}):
            listed = ", ".join(NAMES[kind] for kind in found)
            book.refuse("furiten", where, f"seat {win.seat} waits for {listed}, which it has discarded itself")


def _claimed_from(book: Book, seat: int) -> set[int]:
    """The kinds of a seat's discards that others' melds tell; which tile of a chow was claimed they do not."""
    melds = (meld for player in book.round.players for meld in player.melds if meld.from_ == seat)
    return {KIND_OF[parse_tiles(meld.tiles)[0]] for meld in melds if meld.kind != "chow"}


def _refuse_robbery(book: Book, win: Win) -> None:
    """Added kongs are robbed; a concealed one by kokushi where `chankan_on_concealed_kokushi` allows it (§2 槍槓)."""
    if "rob_kong" not in win.how or win.source is None:
        return
    kind, where = KIND_OF[win.tile], f"events[{win.index}].how"
    robbed = [book.round.events[at] for at in book.robbed if at < (win.index or 0)]
    told = {event.kind for event in robbed if event.seat == win.source}
    melds = [(meld.kind, KIND_OF[parse_tiles(meld.tiles)[0]]) for meld in book.player(win.source).melds]
    if "kong" in told:
        book.refuse("not_allowed", where, "a kong claimed from a discard is not robbed; only added kongs are")
    if "concealed_kong" not in told and ("concealed_kong", kind) not in melds:
        return
    if not book.options.chankan_on_concealed_kokushi or win.judged.form != "thirteen_orphans":
        message = "a concealed kong is robbed by kokushi only, and only where chankan_on_concealed_kokushi is on"
        book.refuse("not_allowed", where, message)


def _discards(discards: str | list[str]) -> list[int]:
    return parse_tiles(discards) if isinstance(discards, str) else [CODES[name] for name in discards]


def _refuse_late_yaku(book: Book, win: Win) -> None:
    """後付けなし: an open hand has a yaku on every tile that it waits for; how it is won makes none."""
    melds = book.player(win.seat).melds
    if book.options.atozuke or all(meld.kind == "concealed_kong" for meld in melds):
        return
    waits = book.waits_of(win.seat)[0]
    for kind in range(34):
        if not waits >> kind & 1:
            continue
        judged = book.judge(Win(win.seat, kind, win.source, frozenset(), None))
        if judged is None or not judged.qualifies:
            message = f"the hand has no yaku on {NAMES[kind]}, which it waits for too (atozuke is off)"
            book.refuse("below_minimum", f"events[{win.index}]", message)
            return


PAYMENTS: Final = Payments(pay_win, next_round, winners)
