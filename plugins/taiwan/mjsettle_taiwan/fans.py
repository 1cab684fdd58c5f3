"""What the tai of Taiwanese mahjong ask for (§3)."""

from __future__ import annotations

from typing import Any

from mjsettle.columns import DRAGONS, HONOURS, ORPHANS, WINDS, Place, popcount

# ---- how the hand was won ------------------------------------------------------------------------------------------


def concealed(open_melds: Any, self_draw: Any) -> Any:
    """No open meld (concealed kongs allowed), won by a discard."""
    return (open_melds == 0) & (self_draw == 0)


def by_self_draw(self_draw: Any) -> Any:
    """Won by self-draw."""
    return self_draw


def concealed_self_draw(open_melds: Any, self_draw: Any, pair_form: Any) -> Any:
    """No open meld and won by self-draw; in place of 門清 and 自摸."""
    return (open_melds == 0) & (self_draw == 1) & (pair_form == 0)


def single_wait(lone_wait: Any, five_open: Any) -> Any:
    """Exactly one kind of tile completes the hand, in whatever shape; kinds held four times are no wait."""
    return lone_wait & (five_open == 0)


def robbed_kong(rob_kong: Any) -> Any:
    """Won on the tile of an added kong."""
    return rob_kong


def kong_replacement(kong_draw: Any, flower_draw: Any) -> Any:
    """Won on the replacement tile of a kong; a flower's replacement does not count, after a kong either."""
    return (kong_draw == 1) & (flower_draw == 0)


def last_draw(last_tile: Any, self_draw: Any) -> Any:
    """Self-draw of the last tile that may be drawn."""
    return last_tile & self_draw


def last_discard(last_tile: Any, self_draw: Any, rob_kong: Any) -> Any:
    """Won on the last discard."""
    return (last_tile == 1) & (self_draw == 0) & (rob_kong == 0)


def half_begging(five_open: Any, self_draw: Any) -> Any:
    """Five open melds, the pair completed by self-draw."""
    return five_open & (self_draw == 1)


def full_begging(five_open: Any, self_draw: Any) -> Any:
    """Five open melds, the pair completed by another seat's tile."""
    return five_open & (self_draw == 0)


def heavenly(dealer: Any, first_turn: Any, self_draw: Any) -> Any:
    """The dealer wins with the first seventeen tiles."""
    return (dealer == 1) & (first_turn == 1) & (self_draw == 1)


def earthly(dealer: Any, first_turn: Any, self_draw: Any) -> Any:
    """A non-dealer wins by its first draw, with no claim before."""
    return (dealer == 0) & (first_turn == 1) & (self_draw == 1)


def human(dealer: Any, first_turn: Any, self_draw: Any) -> Any:
    """A non-dealer wins a discard before its own first draw, with no claim before."""
    return (dealer == 0) & (first_turn == 1) & (self_draw == 0)


def heavenly_ready(flag_heavenly_ready: Any) -> Any:
    """Ready with the dealt hand: the dealer after its first discard, others before their first draw (flag)."""
    return flag_heavenly_ready


def earthly_ready(flag_earthly_ready: Any) -> Any:
    """Declared ready within the first turns, with no claim before (flag)."""
    return flag_earthly_ready


def declared_ready(flag_ready: Any) -> Any:
    """Declared ready (flag)."""
    return flag_ready


# ---- flowers -------------------------------------------------------------------------------------------------------


def own_flowers(flowers: Any, seat_wind: Any) -> Any:
    """Once for each of the own seat's flowers: east 1, south 2, west 3, north 4 of each series."""
    return (flowers >> seat_wind & 1) + (flowers >> 4 >> seat_wind & 1)


def flower_series(flowers: Any) -> Any:
    """Once for each complete series of four flowers; the own flower in it still adds."""
    return ((flowers & 0x0F) == 0x0F) * 1 + ((flowers & 0xF0) == 0xF0) * 1


def all_flowers(flowers: Any) -> Any:
    """All eight flowers."""
    return flowers == 0xFF


def by_event(flowers: Any) -> Any:
    """Granted by a `flower_win` event; no hand is judged for it."""
    return flowers * 0


def no_flowers(flowers: Any) -> Any:
    """No flower."""
    return flowers == 0


# ---- honours -------------------------------------------------------------------------------------------------------


def round_wind_pung(all_pungs: Any, round_wind: Any, pair_form: Any) -> Any:
    """A pung of the round's wind; the own seat's wind may be the same."""
    return (all_pungs >> (27 + round_wind) & 1) & (pair_form == 0)


def seat_wind_pung(all_pungs: Any, seat_wind: Any, pair_form: Any) -> Any:
    """A pung of the own seat's wind, counted from the dealer."""
    return (all_pungs >> (27 + seat_wind) & 1) & (pair_form == 0)


def dragon_pungs(all_pungs: Any, pair_form: Any) -> Any:
    """Once for each pung of dragons."""
    return popcount(all_pungs & DRAGONS) * (pair_form == 0)


def little_three_dragons(all_pungs: Any, pair: Any) -> Any:
    """Two pungs of dragons and a pair of the third."""
    return (popcount(all_pungs & DRAGONS) == 2) & (DRAGONS >> pair & 1)


def big_three_dragons(all_pungs: Any) -> Any:
    """Three pungs of dragons."""
    return (all_pungs & DRAGONS) == DRAGONS


def little_four_winds(all_pungs: Any, pair: Any) -> Any:
    """Three pungs of winds and a pair of the fourth."""
    return (popcount(all_pungs & WINDS) == 3) & (WINDS >> pair & 1)


def big_four_winds(all_pungs: Any) -> Any:
    """Four pungs of winds."""
    return (all_pungs & WINDS) == WINDS


def no_honours(honours_held: Any) -> Any:
    """No honour tile."""
    return honours_held == 0


def no_honours_no_flowers(honours_held: Any, flowers: Any) -> Any:
    """Neither an honour tile nor a flower."""
    return (honours_held == 0) & (flowers == 0)


def every_flower_and_honour(flower_count: Any, all_pungs: Any, pair_form: Any) -> Any:
    """Once for each flower and each pung of honours, whosever they are."""
    return flower_count + popcount(all_pungs & HONOURS) * (pair_form == 0)


# ---- sets and suits ------------------------------------------------------------------------------------------------


def all_chows(five_chows: Any, pair: Any, flowers: Any, won_two_sided: Any, lone_wait: Any, honours_held: Any) -> Any:
    """Five chows and a suited pair, no honour, no flower, won on a discard that a two-sided wait waited for."""
    return five_chows & won_two_sided & (pair < 27) & (flowers == 0) & (honours_held == 0) & (lone_wait == 0)


def all_chows_loose(five_chows: Any, won_two_sided: Any) -> Any:
    """Five chows, won on a discard that completes a two-sided wait; any pair, flowers allowed."""
    return five_chows & won_two_sided


def three_concealed_pungs(form_standard: Any, concealed_pung_count: Any) -> Any:
    """Three concealed pungs or kongs; one completed by another seat's tile is not concealed."""
    return form_standard & (concealed_pung_count == 3)


def four_concealed_pungs(form_standard: Any, concealed_pung_count: Any) -> Any:
    """Four concealed pungs or kongs."""
    return form_standard & (concealed_pung_count == 4)


def five_concealed_pungs(form_standard: Any, concealed_pung_count: Any) -> Any:
    """Five concealed pungs or kongs."""
    return form_standard & (concealed_pung_count == 5)


def all_pungs(form_standard: Any, pung_count: Any) -> Any:
    """Five pungs or kongs."""
    return form_standard & (pung_count == 5)


def half_flush(suits_held: Any, honours_held: Any) -> Any:
    """One suit with honours."""
    return (suits_held == 1) & (honours_held > 0)


def full_flush(suits_held: Any, honours_held: Any) -> Any:
    """One suit and no honours."""
    return (suits_held == 1) & (honours_held == 0)


def all_honours(suits_held: Any) -> Any:
    """Honours only."""
    return suits_held == 0


def seven_pairs_and_pung(pair_form: Any) -> Any:
    """Seven pairs and a triplet, all concealed; four of a kind are two pairs."""
    return pair_form == 1


def each_kong(kong_count: Any) -> Any:
    """Once for each kong."""
    return kong_count


def four_kongs(kong_count: Any) -> Any:
    """Four kongs or more."""
    return kong_count >= 4


def all_simples(held1: Any) -> Any:
    """Neither terminals nor honours."""
    return (held1 & ORPHANS) == 0


# ---- columns -------------------------------------------------------------------------------------------------------


def pair_form(form_standard: Any) -> Any:
    """1 in the shape of seven pairs and a triplet (嚦咕嚦咕)."""
    return 1 - form_standard


def five_open(open_melds: Any) -> Any:
    """Five open melds."""
    return open_melds == 5


def five_chows(form_standard: Any, chow_count: Any) -> Any:
    """Five chows."""
    return form_standard & (chow_count == 5)


def lone_wait(waits: Any, natural4: Any, wild_held4: Any, win_tile: Any) -> Any:
    """One kind alone completes the hand; a kind of which the seat owns all four, melds included, is no wait."""
    owned = (natural4 | wild_held4) & ~(1 << win_tile)
    return popcount(waits & ~owned) == 1


def won_two_sided(self_draw: Any, place: Any, won: Any) -> Any:
    """Another seat's tile completed a chow at an end where the other end would have done as well."""
    low = (place == int(Place.LOW)) & (won % 9 <= 5)
    high = (place == int(Place.HIGH)) & (won % 9 >= 3)
    return (self_draw == 0) & (low | high)


COLUMNS = (pair_form, five_open, five_chows, lone_wait, won_two_sided)
