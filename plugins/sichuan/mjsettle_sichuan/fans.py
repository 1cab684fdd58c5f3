"""The fans of Sichuan mahjong (sheet section 3). They add up; the named composites are sums of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mjsettle.columns import CHOW_ONES, ORPHANS, Place, chow_starts, ranks
from mjsettle.fans import Fan
from mjsettle.options import Options

OUTSIDE_CHOWS = chow_starts(1, 7)
EVERY_CHOW = CHOW_ONES * 7
TWO_FIVE_EIGHT = ranks(2, 5, 8)
TWO_BAMBOO = 19
FIVE_CHARACTERS = 4


def all_pungs(form_standard: Any, chow_count: Any) -> Any:
    """Four pungs or kongs and a pair."""
    return (form_standard == 1) & (chow_count == 0)


def golden_hook(form_standard: Any, chow_count: Any, melds: Any) -> Any:
    """Four pungs or kongs, all of them laid down, and a wait on the pair."""
    return (form_standard == 1) & (chow_count == 0) & (melds == 4)


def full_flush(suits_held: Any) -> Any:
    """One suit only."""
    return suits_held == 1


def seven_pairs(form_seven_pairs: Any) -> Any:
    """Seven pairs; four of a kind are two of them."""
    return form_seven_pairs


def dragon_pairs(form_seven_pairs: Any, natural_quads: Any) -> Any:
    """Seven pairs with four of a kind, where they are worth one more than 七对 and 根."""
    return (form_seven_pairs == 1) & (natural_quads > 0)


def quads(natural_quads: Any) -> Any:
    """Once for each four equal tiles in hand and melds, konged or not."""
    return natural_quads


def kongs_only(kong_count: Any) -> Any:
    """Once for each kong."""
    return kong_count


def outside_hand(form_standard: Any, all_chows: Any, all_pungs: Any, pair: Any) -> Any:
    """Every set and the pair hold a 1 or a 9."""
    pairs_fit = (ORPHANS >> pair & 1) == 1
    return (
        (form_standard == 1)
        & pairs_fit
        & ((all_chows & (EVERY_CHOW ^ OUTSIDE_CHOWS)) == 0)
        & ((all_pungs & ~ORPHANS) == 0)
    )


def two_five_eight(held1: Any, form_seven_pairs: Any, chow_count: Any) -> Any:
    """2, 5 and 8 only, as all pungs or seven pairs."""
    return ((held1 & ~TWO_FIVE_EIGHT) == 0) & ((form_seven_pairs == 1) | (chow_count == 0))


def concealed_hand(open_melds: Any) -> Any:
    """No open meld; concealed kongs are allowed."""
    return open_melds == 0


def concealed_draw(open_melds: Any, self_draw: Any) -> Any:
    """No open meld, won by self-draw; concealed kongs are allowed."""
    return (open_melds == 0) & (self_draw == 1)


def all_simples(held1: Any) -> Any:
    """No 1 and no 9 anywhere."""
    return (held1 & ORPHANS) == 0


def on_kong_draw(kong_draw: Any) -> Any:
    """Won on the replacement tile of an own kong."""
    return kong_draw


def on_kong_discard(kong_discard: Any) -> Any:
    """Won on the tile that another seat discards right after its kong."""
    return kong_discard


def by_robbing(rob_kong: Any) -> Any:
    """Won on the tile that another seat adds to its pung."""
    return rob_kong


def on_last_tile(last_tile: Any) -> Any:
    """Won on the last wall tile or on the discard after it."""
    return last_tile


def heavenly_win(first_turn: Any, dealer: Any) -> Any:
    """The dealer wins on the dealt hand."""
    return (first_turn == 1) & (dealer == 1)


def earthly_win(first_turn: Any, dealer: Any) -> Any:
    """Another seat wins in the first turn, on the dealer's first discard."""
    return (first_turn == 1) & (dealer == 0)


def drawn(self_draw: Any, paid_by_feeder: Any) -> Any:
    """Won by self-draw, unless the feeder of a direct kong pays for it as for a discard."""
    return (self_draw == 1) & (paid_by_feeder == 0)


def drawn_later(self_draw: Any, paid_by_feeder: Any, first_turn: Any) -> Any:
    """Won by self-draw after the first turn, unless the feeder of a direct kong pays for it."""
    return (self_draw == 1) & (paid_by_feeder == 0) & (first_turn == 0)


def middle_two(place: Any, won: Any) -> Any:
    """2条 won between 1条 and 3条."""
    return (won == TWO_BAMBOO) & (place == int(Place.MIDDLE))


def middle_five(place: Any, won: Any) -> Any:
    """5万 won between 4万 and 6万."""
    return (won == FIVE_CHARACTERS) & (place == int(Place.MIDDLE))


def fan_table(options: Options) -> list[Fan]:
    """The fans that count under these switches."""
    on = options
    jiang_excludes = ("all_simples",) if on.men_zhong and not on.zhongzhang_with_jiang else ()
    zimo = drawn if on.tianhu_zimo else drawn_later
    table = (
        (on.pengpeng, Fan("all_pungs", "对对胡", 1, all_pungs, "all pungs")),
        (on.pengpeng and on.jingou == 2, Fan("golden_hook", "金钩钓", 1, golden_hook, "golden hook")),
        (True, Fan("full_flush", "清一色", 2, full_flush, "full flush")),
        (True, Fan("seven_pairs", "七对", 2, seven_pairs, "seven pairs")),
        (on.longqidui == 4, Fan("dragon_pairs", "龙七对", 1, dragon_pairs, "dragon seven pairs")),
        (on.gen == "fan", Fan("root", "根", 1, kongs_only if on.only_kong else quads, "root")),
        (on.yaojiu, Fan("outside_hand", "带幺九", 2, outside_hand, "terminals everywhere")),
        (on.jiang, Fan("two_five_eight", "将", 2, two_five_eight, "twos, fives, eights", excludes=jiang_excludes)),
        (
            on.men_zhong,
            Fan(
                "concealed_hand",
                "门清",
                1,
                concealed_draw if on.menqing_zimo_only else concealed_hand,
                "concealed hand",
            ),
        ),
        (on.men_zhong, Fan("all_simples", "中张", 1, all_simples, "all simples")),
        (True, Fan("kong_draw", "杠上花", 1, on_kong_draw, "win on a kong's replacement")),
        (True, Fan("kong_discard", "杠上炮", 1, on_kong_discard, "win on the discard after a kong")),
        (True, Fan("robbed_kong", "抢杠胡", 1, by_robbing, "robbing a kong")),
        (on.haidi, Fan("last_tile", "海底", 1, on_last_tile, "last tile")),
        (on.tianhu > 0, Fan("heavenly_win", "天胡", on.tianhu, heavenly_win, "heavenly win")),
        (on.dihu > 0, Fan("earthly_win", "地胡", on.dihu, earthly_win, "earthly win")),
        (on.zimo == "jiafan", Fan("self_draw", "自摸", 1, zimo, "self-draw")),
        (on.ka_er_tiao, Fan("middle_two", "卡二条", 1, middle_two, "middle two of bamboo")),
        (on.jia_xin_wu, Fan("middle_five", "夹心五", 1, middle_five, "middle five of characters")),
    )
    return [replace(fan, cite="§9" if fan.id.startswith("middle_") else "§3") for counts, fan in table if counts]


# ---- which readings are legal ------------------------------------------------------------------------------------


def legal(suits_held: Any, held1: Any, void_tiles: Any) -> Any:
    """At most two suits, and no tile of the declared missing suit (缺一门, 定缺)."""
    return (suits_held <= 2) & ((held1 & void_tiles) == 0)
