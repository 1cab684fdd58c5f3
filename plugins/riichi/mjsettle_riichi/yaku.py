"""The ordinary yaku (§2), each a function of columns; dora are the last of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, DRAGONS, SIMPLES, SUITED, Col, popcount
from mjsettle.fans import Fan
from mjsettle.options import Options

_FIRST_SUIT: Final = (1 << 21) - 1
# Chow fields that start at 1, and the distance to those that start at 4 and 7 of the same suit.
_AT_ONE: Final = 1 | 1 << 21 | 1 << 42


# ---- won how ------------------------------------------------------------------------------------------------------


def riichi(riichi_level: Col) -> Col:
    """Declared ready with a concealed hand."""
    return riichi_level == 1


def double_riichi(riichi_level: Col) -> Col:
    """Declared on the first discard, with no call before."""
    return riichi_level == 2


def ippatsu(in_one_turn: Col) -> Col:
    """Won within a turn of the declaration, with no call between."""
    return in_one_turn


def menzen_tsumo(concealed: Col, self_draw: Col) -> Col:
    """Self-draw with a concealed hand."""
    return concealed & (self_draw == 1)


def rinshan(kong_draw: Col) -> Col:
    """Won on a replacement tile."""
    return kong_draw


def chankan(rob_kong: Col) -> Col:
    """Won on the tile of an added kong."""
    return rob_kong


def haitei(last_tile: Col, self_draw: Col, kong_draw: Col) -> Col:
    """Self-draw of the last wall tile; a replacement tile is none."""
    return (last_tile == 1) & (self_draw == 1) & (kong_draw == 0)


def houtei(last_tile: Col, self_draw: Col, rob_kong: Col) -> Col:
    """Ron on the last discard."""
    return (last_tile == 1) & (self_draw == 0) & (rob_kong == 0)


def renhou(first_turn: Col, self_draw: Col, dealer: Col) -> Col:
    """Ron before the own first draw, with no call before."""
    return (first_turn == 1) & (self_draw == 0) & (dealer == 0)


# ---- the whole hand -----------------------------------------------------------------------------------------------


def tanyao(kinds1: Col) -> Col:
    """Simples only."""
    return (kinds1 & ~SIMPLES) == 0


def closed_tanyao(kinds1: Col, concealed: Col) -> Col:
    """Simples only, concealed."""
    return ((kinds1 & ~SIMPLES) == 0) & concealed


def one_suit(kinds1: Col) -> Col:
    """Tiles of one suit at most, honours aside."""
    m, p, s = (kinds1 & CHARACTERS) == 0, (kinds1 & DOTS) == 0, (kinds1 & BAMBOO) == 0
    return (m & p) | (m & s) | (p & s)


def honitsu(kinds1: Col, one_suit: Col, with_honours: Col) -> Col:
    """One suit and honours."""
    return one_suit & with_honours & ((kinds1 & SUITED) != 0)


def chinitsu(one_suit: Col, with_honours: Col) -> Col:
    """One suit."""
    return one_suit & (with_honours == 0)


def honroutou(kinds1: Col) -> Col:
    """Terminals and honours only."""
    return (kinds1 & SIMPLES) == 0


def sankantsu(kong_count: Col) -> Col:
    """Three kongs."""
    return kong_count == 3


# ---- the sets -----------------------------------------------------------------------------------------------------


def pinfu(pinfu_shape: Col) -> Col:
    """Concealed, four chows, a pair without value, a two-sided wait."""
    return pinfu_shape


def iipeikou(twin_chows: Col, four_chows: Col, concealed: Col) -> Col:
    """Two equal chows, concealed."""
    return (twin_chows != 0) & ((twin_chows & (twin_chows - 1)) == 0) & (four_chows == 0) & concealed


def ryanpeikou(twin_chows: Col, four_chows: Col) -> Col:
    """Two times two equal chows (which leaves no room for an open set)."""
    return ((twin_chows & (twin_chows - 1)) != 0) | (four_chows != 0)


def haku(all_pungs: Col) -> Col:
    """Pung of white dragons."""
    return all_pungs >> 31 & 1


def hatsu(all_pungs: Col) -> Col:
    """Pung of green dragons."""
    return all_pungs >> 32 & 1


def chun(all_pungs: Col) -> Col:
    """Pung of red dragons."""
    return all_pungs >> 33 & 1


def own_wind(all_pungs: Col, seat_wind: Col) -> Col:
    """Pung of the seat wind."""
    return all_pungs >> (27 + seat_wind) & 1


def field_wind(all_pungs: Col, round_wind: Col) -> Col:
    """Pung of the round wind."""
    return all_pungs >> (27 + round_wind) & 1


def sanshoku_doujun(chow_kinds: Col) -> Col:
    """The same chow in three suits."""
    return (chow_kinds & chow_kinds >> 21 & chow_kinds >> 42 & _FIRST_SUIT) != 0


def ittsu(chow_kinds: Col) -> Col:
    """123, 456 and 789 of a suit."""
    return (chow_kinds & chow_kinds >> 9 & chow_kinds >> 18 & _AT_ONE) != 0


def chanta(outside: Col, with_honours: Col) -> Col:
    """A terminal or honour in every set and the pair, with a chow and honours."""
    return outside & with_honours


def junchan(outside: Col, with_honours: Col) -> Col:
    """A terminal in every set and the pair, with a chow and no honours."""
    return outside & (with_honours == 0)


def chiitoitsu(form_seven_pairs: Col) -> Col:
    """Seven different pairs."""
    return form_seven_pairs


def toitoi(pung_count: Col) -> Col:
    """Four pungs or kongs."""
    return pung_count == 4


def sanankou(own_pungs: Col) -> Col:
    """Three concealed pungs or kongs."""
    return own_pungs == 3


def sanshoku_doukou(all_pungs: Col) -> Col:
    """The same pung in three suits."""
    return (all_pungs & all_pungs >> 9 & all_pungs >> 18 & CHARACTERS) != 0


def shousangen(all_pungs: Col, pair: Col) -> Col:
    """Two pungs of dragons and a pair of the third."""
    return (popcount(all_pungs & DRAGONS) == 2) & ((DRAGONS >> pair & 1) == 1)


# ---- bonus han ----------------------------------------------------------------------------------------------------


def dora_han(dora: Col) -> Col:
    """Once for each tile that follows an indicator, as often as it is indicated."""
    return dora


def ura_dora_han(ura_dora: Col) -> Col:
    """The same for the indicators below, after riichi."""
    return ura_dora


def aka_dora_han(red_fives: Col) -> Col:
    """Once for each red five."""
    return red_fives


def nukidora_han(norths: Col) -> Col:
    """Once for each north set aside (three players)."""
    return norths


# ---- han ----------------------------------------------------------------------------------------------------------


def two_or_one(concealed: Col) -> Col:
    """2 han concealed, 1 open (食い下がり)."""
    return 1 + concealed


def three_or_two(concealed: Col) -> Col:
    """3 han concealed, 2 open (食い下がり)."""
    return 2 + concealed


def six_or_five(concealed: Col) -> Col:
    """6 han concealed, 5 open (食い下がり)."""
    return 5 + concealed


ORDINARY: Final = "ordinary"
"""Column: 1 where no yakuman stands alone and the ordinary yaku and dora count."""


def _yaku(
    id: str, name: str, chinese: str, value: int | Callable[..., Col], when: Callable[..., Col], english: str
) -> Fan:
    return Fan(id, name, value, when, english, name, cite="§2", chinese=chinese, only_where=ORDINARY)


def whole_hand_yaku(options: Options) -> list[Fan]:
    """Yaku that do not ask how the hand is read."""
    found = [
        _yaku("riichi", "立直", "立直", 1, riichi, "riichi"),
        _yaku("double_riichi", "ダブル立直", "两立直", 2, double_riichi, "double riichi"),
        _yaku("ippatsu", "一発", "一发", 1, ippatsu, "ippatsu"),
        _yaku("menzen_tsumo", "門前清自摸和", "门前清自摸和", 1, menzen_tsumo, "fully concealed hand"),
        _yaku("rinshan", "嶺上開花", "岭上开花", 1, rinshan, "after a kan"),
        _yaku("chankan", "槍槓", "抢杠", 1, chankan, "robbing a kan"),
        _yaku("haitei", "海底摸月", "海底摸月", 1, haitei, "under the sea"),
        _yaku("houtei", "河底撈魚", "河底捞鱼", 1, houtei, "under the river"),
        _yaku("tanyao", "断幺九", "断幺九", 1, tanyao if options.open_tanyao else closed_tanyao, "all simples"),
        _yaku("honroutou", "混老頭", "混老头", 2, honroutou, "all terminals and honours"),
        _yaku("sankantsu", "三槓子", "三杠子", 2, sankantsu, "three quads"),
        _yaku("honitsu", "混一色", "混一色", three_or_two, honitsu, "half flush"),
        _yaku("chinitsu", "清一色", "清一色", six_or_five, chinitsu, "full flush"),
    ]
    if options.renhou in (4, 5):
        found.append(_yaku("renhou", "人和", "人和", options.renhou, renhou, "blessing of man"))
    return found


def reading_yaku() -> list[Fan]:
    """Yaku of the sets, the pair and the wait."""
    return [
        _yaku("pinfu", "平和", "平和", 1, pinfu, "pinfu"),
        _yaku("iipeikou", "一盃口", "一杯口", 1, iipeikou, "pure double sequence"),
        _yaku("yakuhai_haku", "役牌 白", "役牌 白", 1, haku, "white dragon"),
        _yaku("yakuhai_hatsu", "役牌 發", "役牌 发", 1, hatsu, "green dragon"),
        _yaku("yakuhai_chun", "役牌 中", "役牌 中", 1, chun, "red dragon"),
        _yaku("seat_wind", "自風", "自风", 1, own_wind, "seat wind"),
        _yaku("round_wind", "場風", "场风", 1, field_wind, "round wind"),
        _yaku("sanshoku_doujun", "三色同順", "三色同顺", two_or_one, sanshoku_doujun, "mixed triple sequence"),
        _yaku("ittsu", "一気通貫", "一气通贯", two_or_one, ittsu, "pure straight"),
        _yaku("chanta", "混全帯幺九", "混全带幺九", two_or_one, chanta, "half outside hand"),
        _yaku("chiitoitsu", "七対子", "七对子", 2, chiitoitsu, "seven pairs"),
        _yaku("toitoi", "対々和", "对对和", 2, toitoi, "all triplets"),
        _yaku("sanankou", "三暗刻", "三暗刻", 2, sanankou, "three concealed triplets"),
        _yaku("sanshoku_doukou", "三色同刻", "三色同刻", 2, sanshoku_doukou, "triple triplets"),
        _yaku("shousangen", "小三元", "小三元", 2, shousangen, "little three dragons"),
        _yaku("junchan", "純全帯幺九", "纯全带幺九", three_or_two, junchan, "fully outside hand"),
        _yaku("ryanpeikou", "二盃口", "二杯口", 3, ryanpeikou, "twice pure double sequence"),
    ]


def bonus_han() -> list[Fan]:
    """Han that are no yaku."""
    return [
        _yaku("dora", "ドラ", "宝牌", 1, dora_han, "dora"),
        _yaku("ura_dora", "裏ドラ", "里宝牌", 1, ura_dora_han, "ura dora"),
        _yaku("aka_dora", "赤ドラ", "赤宝牌", 1, aka_dora_han, "red five"),
        _yaku("nukidora", "抜きドラ", "拔北宝牌", 1, nukidora_han, "north set aside"),
    ]
