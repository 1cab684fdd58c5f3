"""What each payer owes for a win: base x winner's product x payer's product (sheet sections 4 and 5).

The same functions are asked for columns, to find the reading that brings most from these payers, and for the integers
of one win, to pay it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mjsettle.columns import Col, Column, smaller, where
from mjsettle.ledger import Win
from mjsettle.options import Options
from mjsettle.rounds import Round
from mjsettle.rules import Fact
from mjsettle_wuhan.factors import joint_cap, laid_by, product
from mjsettle_wuhan.tiles import barred_kinds

_NO_CAP: Final = 1 << 62


def plain_amount(options: Options, big_count: Col, hard: Col, self_draw: Col, own: Col, other: Col, feeds: Col) -> Col:
    """What one payer owes before the dealer's factor and the cap.

    big_count: big wins; hard, self_draw, feeds (this payer fed the tile): 0 or 1; own, other: products of winner and
    payer. The factor 1.5 of big wins is taken in halves; a half point is dropped.
    """
    big = big_count > 0
    base = where(big, int(options.big_base) * big_count, int(options.small_base))
    doubled = base * (1 + hard)
    if options.scoring == "flat":
        return doubled
    halves = where((self_draw == 1) | (feeds == 1), where(big, 3, 4), 2)
    return doubled * own * other * halves // 2


def dealer_factor(options: Options, big_count: Col, dealt: Col) -> Col:
    """2 for a small win of the dealer or paid by it, else 1."""
    if options.scoring == "flat":
        return 1
    return where(dealt & (big_count == 0), 2, 1)


def least_amount(amounts: Sequence[Col]) -> Col:
    """The smallest of three amounts."""
    return smaller(smaller(amounts[0], amounts[1]), amounts[2])


def enough(options: Options, least: Col) -> Col:
    """起胡: whether the smallest product, the dealer's factor left out, reaches the minimum (§5)."""
    return least > int(options.qihu) if options.qihu_above else least >= int(options.qihu)


def limit_of(options: Options, least: Col) -> Col:
    """The cap of each payer: 封顶, or 金顶 where the smallest amount reaches 封顶 (§5)."""
    if options.cap is None:
        return least * 0 + _NO_CAP
    return where(least >= int(options.cap), joint_cap(options), int(options.cap))


def columns_of(options: Options) -> tuple[Column, ...]:
    """The amounts of the seats one, two and three turns after the winner, without the dealer's factor and with it."""

    def plain(at: int, big_count: Col, hard: Col, self_draw: Col, own: Col, other: Col, fed_by: Col) -> Col:
        return plain_amount(options, big_count, hard * 1, self_draw, own, other, (fed_by == at) * 1)

    def plain1(big_count: Col, raw_hard_win: Col, self_draw: Col, own_product: Col, product1: Col, fed_by: Col) -> Col:
        return plain(1, big_count, raw_hard_win, self_draw, own_product, product1, fed_by)

    def plain2(big_count: Col, raw_hard_win: Col, self_draw: Col, own_product: Col, product2: Col, fed_by: Col) -> Col:
        return plain(2, big_count, raw_hard_win, self_draw, own_product, product2, fed_by)

    def plain3(big_count: Col, raw_hard_win: Col, self_draw: Col, own_product: Col, product3: Col, fed_by: Col) -> Col:
        return plain(3, big_count, raw_hard_win, self_draw, own_product, product3, fed_by)

    def doubled(at: int, plain: Col, big_count: Col, seat_wind: Col) -> Col:
        dealt = (seat_wind == 0) | ((seat_wind + at) % 4 == 0)
        return plain * dealer_factor(options, big_count, dealt)

    def amount1(plain1: Col, big_count: Col, seat_wind: Col) -> Col:
        return doubled(1, plain1, big_count, seat_wind)

    def amount2(plain2: Col, big_count: Col, seat_wind: Col) -> Col:
        return doubled(2, plain2, big_count, seat_wind)

    def amount3(plain3: Col, big_count: Col, seat_wind: Col) -> Col:
        return doubled(3, plain3, big_count, seat_wind)

    return tuple(Column(fn.__name__, fn) for fn in (plain1, plain2, plain3, amount1, amount2, amount3))


def facts_of(options: Options) -> tuple[Fact, ...]:
    """What the round tells of the winner and of the seats one, two and three turns after it."""

    def own_product(round: Round, win: Win) -> int:
        """The winner's product of openings and kongs."""
        return product(laid_by(round, win.seat, options), options)

    def product_after(step: int) -> Fact:
        def of_seat(round: Round, win: Win) -> int:
            seat = (win.seat + step) % len(round.players)
            return product(laid_by(round, seat, options), options)

        of_seat.__doc__ = f"The product of openings and kongs of the seat {step} after the winner."
        return Fact(f"product{step}", of_seat)

    def fed_by(round: Round, win: Win) -> int:
        """How many turns after the winner the seat sits whose tile won; 0 on a self-draw."""
        return 0 if win.source is None else (win.source - win.seat) % len(round.players)

    def barred(round: Round, win: Win) -> int:
        """Mask of 皮 and 红中, which no winning hand holds."""
        return sum(1 << kind for kind in barred_kinds(round, options))

    return (
        Fact("own_product", own_product),
        *map(product_after, (1, 2, 3)),
        Fact("fed_by", fed_by),
        Fact("barred", barred),
    )
