"""How yaku become han, what a reading is worth, and which reading is taken (§4, §5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Final

from mjsettle.columns import Col, Column, lookup, smaller, where
from mjsettle.fans import Fan, Scoring
from mjsettle.options import Options
from mjsettle_riichi import yakuman as pages
from mjsettle_riichi.points import FU_ROWS, HAN_MOST, tables
from mjsettle_riichi.yaku import bonus_han, one_suit, reading_yaku, renhou, whole_hand_yaku

MANGAN_HAN: Final = 5


def _adds_up(name: str, doc: str, fans: Sequence[Fan], times: str) -> Column:
    """The column that adds up the values of fans; times: "raw" or "fan" (see `mjsettle.compiler`)."""
    names = [f"{times}_{fan.id}" for fan in fans] + [f"value_{fan.id}" for fan in fans if callable(fan.value)]

    def added(*columns: Col) -> Col:
        values = iter(columns[len(fans) :])
        found: Col = 0
        for fan, count in zip(fans, columns[: len(fans)], strict=True):
            found = found + count * (next(values) if callable(fan.value) else fan.value)
        return found

    added.__doc__ = doc
    added.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(parameter, Parameter.POSITIONAL_OR_KEYWORD) for parameter in names]
    )
    return Column(name, added)


def _total(han: Col, ordinary: Col, yakuman_count: Col) -> Col:
    """Han of the ordinary yaku and dora, or 13 for each yakuman."""
    return han * ordinary + yakuman_count * HAN_MOST


def _total_with_renhou(han: Col, ordinary: Col, yakuman_count: Col, renhou_mangan: Col) -> Col:
    """The same, or the 5 han of a renhou that stands alone."""
    return han * ordinary + yakuman_count * HAN_MOST + renhou_mangan * MANGAN_HAN


def ordinary(yakuman_count: Col) -> Col:
    """No yakuman: ordinary yaku and dora count."""
    return yakuman_count == 0


def _ordinary_without_renhou(yakuman_count: Col, renhou_mangan: Col) -> Col:
    """No yakuman and no renhou that stands alone: ordinary yaku and dora count."""
    return (yakuman_count == 0) & (renhou_mangan == 0)


def renhou_mangan(first_turn: Col, self_draw: Col, dealer: Col, han: Col, yakuman_count: Col) -> Col:
    """Ron before the own first draw, worth a mangan unless the hand is worth more by itself."""
    return renhou(first_turn, self_draw, dealer) & (han < MANGAN_HAN) & (yakuman_count == 0)


def renhou_alone(renhou_mangan: Col) -> Col:
    """Ron before the own first draw, worth a mangan unless the hand is worth more by itself."""
    return renhou_mangan


def fans(options: Options) -> list[Fan]:
    """All yaku, dora and yakuman under these switches."""
    found = [*whole_hand_yaku(options), *reading_yaku()]
    if options.renhou == "mangan":
        name = "人和"
        found.append(Fan("renhou", name, MANGAN_HAN, renhou_alone, "blessing of man", name, cite="§2", chinese=name))
    return [*found, *bonus_han(), *pages.yakuman(options)]


def _yaku_han(whole_hand_han: Col, reading_han: Col) -> Col:
    """Han of the yaku, dora not counted."""
    return whole_hand_han + reading_han


def _han(yaku_han: Col, bonus: Col) -> Col:
    """Han of yaku and dora."""
    return yaku_han + bonus


def _last_kind(options: Options) -> Callable[..., Col]:
    def natural(win_tile: Col) -> Col:
        """Kind of the winning tile."""
        return win_tile

    def stood_for(won: Col) -> Col:
        """Kind that the winning tile stands for."""
        return won

    return stood_for if options.wild else natural


def columns(options: Options) -> list[Column]:
    """The columns that fans are added up in."""
    limits = pages.yakuman(options)
    count = [Fan(fan.id, fan.name, 1, fan.when) for fan in limits]
    alone = options.renhou == "mangan"
    found = [
        _adds_up(
            "whole_hand_han", "Han of the yaku that do not ask how the hand is read.", whole_hand_yaku(options), "raw"
        ),
        _adds_up("reading_han", "Han of the yaku of the sets, the pair and the wait.", reading_yaku(), "raw"),
        _adds_up("bonus", "Han of the dora.", bonus_han(), "raw"),
        _adds_up("yakuman_count", "How many yakuman.", count, "fan"),
        Column("yaku_han", _yaku_han),
        Column("han", _han),
        Column("ordinary", _ordinary_without_renhou if alone else ordinary),
        Column("one_suit", one_suit),
        Column("wind_pungs", pages.wind_pungs),
        Column("nine_gates", pages.nine_gates),
        Column("nine_waits", pages.nine_waits),
        Column("last_kind", _last_kind(options)),
    ]
    return found + ([Column("renhou_mangan", renhou_mangan)] if alone else [])


def scoring(options: Options) -> Scoring:
    """The reading of the highest payment, then more han, then more fu; a hand needs a yaku besides dora (§1, §4)."""
    points, yakuman_points = tables(options)
    width = (HAN_MOST + 1) * FU_ROWS

    def qualifies(yaku_han: Col, ordinary: Col) -> Col:
        return (yaku_han > 0) | (ordinary == 0)

    def score(total: Col, yakuman_count: Col, fu: Col, table_row: Col) -> Col:
        counted = lookup(points, table_row * width + smaller(total, HAN_MOST) * FU_ROWS + fu)
        return where(yakuman_count > 0, lookup(yakuman_points, table_row) * yakuman_count, counted)

    def prefer(fu: Col) -> Col:
        return fu

    combine = _total_with_renhou if options.renhou == "mangan" else _total
    return Scoring(combine, qualifies=qualifies, score=score, prefer=prefer)
