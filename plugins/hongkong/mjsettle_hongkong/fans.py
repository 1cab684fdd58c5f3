"""What the faan of Hong Kong mahjong ask for, in the groups of §3."""

from __future__ import annotations

from typing import Any

from mjsettle.columns import BAMBOO, CHARACTERS, DOTS, DRAGONS, HONOURS, ORPHANS, SIMPLES, TERMINALS, WINDS, popcount

# ---- a: shape ----------------------------------------------------------------------------------------------------


def all_chows(form_standard: Any, chow_count: Any) -> Any:
    """Four chows, with any pair and any wait, open or concealed."""
    return form_standard & (chow_count == 4)


def all_pungs(form_standard: Any, pung_count: Any) -> Any:
    """Four pungs or kongs."""
    return form_standard & (pung_count == 4)


def all_pungs_concealed(form_standard: Any, pung_count: Any, open_melds: Any) -> Any:
    """Four pungs, none of them open; the last one may be completed by a discard."""
    return form_standard & (pung_count == 4) & (open_melds == 0)


def all_pungs_self_drawn(form_standard: Any, pung_count: Any, open_melds: Any, self_draw: Any) -> Any:
    """Four pungs, none of them open, won by self-draw."""
    return form_standard & (pung_count == 4) & (open_melds == 0) & (self_draw == 1)


def half_flush(suits_held: Any, honours_held: Any) -> Any:
    """One suit with honours."""
    return (suits_held == 1) & (honours_held > 0)


def full_flush(suits_held: Any, honours_held: Any) -> Any:
    """One suit and no honours."""
    return (suits_held == 1) & (honours_held == 0)


def mixed_terminals(form_standard: Any, held1: Any) -> Any:
    """Terminals and honours only, in pungs; 對對糊 adds."""
    return form_standard & ((held1 & ~ORPHANS) == 0)


def is_seven_pairs(form_seven_pairs: Any) -> Any:
    """Seven pairs."""
    return form_seven_pairs


# ---- b: honours --------------------------------------------------------------------------------------------------


def dragon_pungs(all_pungs: Any) -> Any:
    """Once for each pung of dragons."""
    return popcount(all_pungs & DRAGONS)


def seat_wind_pung(all_pungs: Any, seat_wind: Any) -> Any:
    """A pung of the own seat's wind."""
    return all_pungs >> (27 + seat_wind) & 1


def round_wind_pung(all_pungs: Any, round_wind: Any) -> Any:
    """A pung of the round's wind; the own seat's wind may be the same."""
    return all_pungs >> (27 + round_wind) & 1


def little_three_dragons(all_pungs: Any, pair: Any) -> Any:
    """Two pungs of dragons and a pair of the third; each pung adds its own faan."""
    return (popcount(all_pungs & DRAGONS) == 2) & (DRAGONS >> pair & 1)


def big_three_dragons(all_pungs: Any) -> Any:
    """Three pungs of dragons; each adds its own faan."""
    return (all_pungs & DRAGONS) == DRAGONS


def little_four_winds(all_pungs: Any, pair: Any) -> Any:
    """Three pungs of winds and a pair of the fourth."""
    return (popcount(all_pungs & WINDS) == 3) & (WINDS >> pair & 1)


# ---- c: limit hands ----------------------------------------------------------------------------------------------


def is_thirteen_orphans(form_thirteen_orphans: Any) -> Any:
    """One of each terminal and honour, and a second copy of one of them."""
    return form_thirteen_orphans


def four_kongs(kong_count: Any) -> Any:
    """Four kongs."""
    return kong_count == 4


def big_four_winds(all_pungs: Any) -> Any:
    """Four pungs of winds."""
    return (all_pungs & WINDS) == WINDS


def heavenly(dealer: Any, first_turn: Any, self_draw: Any, melds: Any) -> Any:
    """The dealer wins with the fourteen tiles dealt."""
    return (dealer == 1) & (first_turn == 1) & (self_draw == 1) & (melds == 0)


def earthly_by_discard(dealer: Any, first_turn: Any, from_dealer: Any) -> Any:
    """A non-dealer wins the dealer's first discard."""
    return (dealer == 0) & (first_turn == 1) & (from_dealer == 1)


def earthly_by_draw(dealer: Any, first_turn: Any, self_draw: Any) -> Any:
    """A non-dealer wins by its own first draw."""
    return (dealer == 0) & (first_turn == 1) & (self_draw == 1)


def human(dealer: Any, first_turn: Any) -> Any:
    """A non-dealer wins in the first go-around before any call, otherwise than by 地糊."""
    return (dealer == 0) & (first_turn == 1)


def all_honours(held1: Any) -> Any:
    """Honours only."""
    return (held1 & ~HONOURS) == 0


def pure_terminals(form_standard: Any, held1: Any) -> Any:
    """Four pungs and the pair of terminals only."""
    return form_standard & ((held1 & ~TERMINALS) == 0)


def nine_gates(melds: Any, has1: Any, has3: Any) -> Any:
    """Concealed, one suit: 1112345678999 and any tile of it."""
    found = melds < 0
    for suit in (CHARACTERS, DOTS, BAMBOO):
        ends = suit & TERMINALS
        found = found | ((has1 == suit) & ((has3 & ends) == ends))
    return found & (melds == 0)


def nine_gates_nine_sided(nine_gates_shape: Any, has2: Any, has4: Any, won: Any) -> Any:
    """Nine gates completed on the tile beyond 1112345678999, so that all nine tiles were waited for."""
    beyond = has4 | (has2 & SIMPLES)
    return nine_gates_shape & (beyond >> won & 1)


# ---- d: circumstances --------------------------------------------------------------------------------------------


def by_self_draw(self_draw: Any) -> Any:
    """Won by self-draw."""
    return self_draw


def by_self_draw_open(self_draw: Any, raw_concealed_hand: Any) -> Any:
    """Won by self-draw; a concealed hand has the one faan for both already."""
    return (self_draw == 1) & (raw_concealed_hand == 0)


def robbed_kong(rob_kong: Any) -> Any:
    """Won on the tile of an added kong."""
    return rob_kong


def last_draw(last_tile: Any, self_draw: Any) -> Any:
    """Self-draw of the last tile of the wall."""
    return last_tile & self_draw


def last_discard(last_tile: Any, self_draw: Any, rob_kong: Any) -> Any:
    """Won on the last discard."""
    return (last_tile == 1) & (self_draw == 0) & (rob_kong == 0)


def kong_replacement(kong_draw: Any, flower_draw: Any) -> Any:
    """Won on the replacement tile of a kong, not of a flower drawn after it; 自摸 adds."""
    return (kong_draw == 1) & (flower_draw == 0)


def second_kong_replacement(kong_on_kong: Any, flower_draw: Any) -> Any:
    """Won on the replacement of a kong made with a kong's replacement; 自摸 adds."""
    return (kong_on_kong == 1) & (flower_draw == 0)


# ---- e: bonus tiles ----------------------------------------------------------------------------------------------


def no_flowers(flowers: Any) -> Any:
    """No bonus tile."""
    return flowers == 0


def own_flowers(flowers: Any, seat_wind: Any) -> Any:
    """Once for each of the own seat's flowers (east 1 .. north 4) whose series is not complete."""
    seasons = (flowers >> seat_wind & 1) * ((flowers & 0x0F) != 0x0F)
    plants = (flowers >> 4 >> seat_wind & 1) * ((flowers & 0xF0) != 0xF0)
    return seasons + plants


def flower_series(flowers: Any) -> Any:
    """Once for each complete series of four flowers; the own flower in it does not add."""
    return ((flowers & 0x0F) == 0x0F) * 1 + ((flowers & 0xF0) == 0xF0) * 1


def bonus_tile_faan(fan_no_flowers: Any, fan_own_flower: Any, fan_flower_series: Any, series_faan: Any) -> Any:
    """Faan that come from bonus tiles alone."""
    return fan_no_flowers + fan_own_flower + fan_flower_series * series_faan


def by_event(flowers: Any) -> Any:
    """Granted by a `flower_win` event; no hand is judged for it."""
    return flowers * 0
