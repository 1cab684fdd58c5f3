"""Does a hand win: the standard form, seven pairs and thirteen orphans, with wild tiles, under any wildcard policy.

Up to 17 tiles with at most four of a kind are judged by table; what the tables do not cover goes the general exact way.
Both give the same answers; a hand never goes unanswered or guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from mjsettle import exact
from mjsettle.errors import HandError
from mjsettle.keys import (
    COPIES,
    ConcealedBatch,
    counts_of_keys,
    parse_batch,
    read_hand,
    split_wild,
    suit_keys,
    suit_keys_and_tiles,
    wild_codes,
)
from mjsettle.needs import (
    SPECIAL_TILES,
    TILES_MAX,
    need,
    need_batch,
    need_four,
    orphans_need,
    orphans_need_batch,
    seven_pairs_need_batch,
)
from mjsettle.tables import Variant
from mjsettle.tiles import KIND_OF, KINDS, parse_tiles
from mjsettle.wildcards import FREE, WildPolicy

FormName = Literal["standard", "seven_pairs", "thirteen_orphans"]
ALL_FORMS: Final[tuple[FormName, ...]] = ("standard", "seven_pairs", "thirteen_orphans")
# Hands in wire notation, counts of shape (N, 34), or keys of shape (N, 4).
Hands = Sequence[str] | NDArray[np.integer[Any]]
# Melds of each hand in wire notation, or how many tiles of each kind they hold: shape (N, 34).
MeldsOfHands = Sequence[Sequence[str]] | NDArray[np.uint8]
_FAULTS_SHOWN: Final = 8


def is_win(
    hand: str,
    melds: Sequence[str] = (),
    wild: Sequence[str] = (),
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> bool:
    """Whether a hand, the winning tile included, is complete in one of the forms.

    `melds` are strings such as ``"123p"`` or ``"1111z"``; a kong counts as three tiles, and the special forms allow no
    meld. `wild` names the wild kinds; printed jokers ``1x`` always are. Raises NotationError for what cannot be read
    and HandError for a meld that is none or a wrong number of tiles.
    """
    check_forms(forms)
    natural = read_hand(hand, wild)
    melded = read_melds(melds, wild)
    check_tile_count(hand, sum(natural.counts) + natural.wilds, len(melds), left_over=2)
    return wins(natural.counts, natural.wilds, melded, forms, policy, four_as_two_pairs)


def wins(
    counts: Sequence[int],
    wilds: int,
    melded: Sequence[int] | None = None,
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> bool:
    """As is_win, for 34 counts of natural tiles and a number of wild ones, together 3n+2 (not checked).

    `melded` counts the tiles in melds by kind; None where the hand has no meld.
    """
    if "standard" in forms and standard_wins(counts, wilds, melded, policy):
        return True
    if melded is not None or sum(counts) + wilds != SPECIAL_TILES:
        return False
    if "seven_pairs" in forms and exact.seven_pairs_wins(tuple(counts), wilds, policy, four_as_two_pairs):
        return True
    return "thirteen_orphans" in forms and orphans_win(counts, wilds, policy)


def standard_wins(
    counts: Sequence[int], wilds: int, melded: Sequence[int] | None = None, policy: WildPolicy = FREE
) -> bool:
    """Whether natural tiles by kind and so many wild ones, together 3n+2, are sets and a pair under the policy."""
    if max(counts) > COPIES or sum(counts) + wilds > TILES_MAX:
        return exact.standard_wins(counts, wilds, policy, melded or ())
    keys = suit_keys(counts)
    # Free use of wilds is the weakest condition, and without wilds every policy is the same.
    if need(keys) > wilds:
        return False
    if wilds == 0:
        return True
    if policy.fifth_copy != "allowed" and need_four(keys) > wilds:
        return False
    return by_table(policy, melded is not None) or exact.standard_wins(counts, wilds, policy, melded or ())


def by_table(policy: WildPolicy, has_melds: bool) -> bool:
    """Whether the tables alone answer for a policy."""
    unbounded = policy.wilds_per_set_max is None or policy.wilds_per_set_max >= 3
    return (
        policy.pair_of_wilds and policy.set_of_wilds and unbounded and not (policy.fifth_copy == "melds" and has_melds)
    )


def orphans_win(counts: Sequence[int], wilds: int, policy: WildPolicy = FREE) -> bool:
    """Whether 14 tiles without melds are thirteen orphans. A lone policy switch matters: a pair of two wilds."""
    return orphans_need(counts) <= wilds and (policy.pair_of_wilds or any(counts))


def read_melds(melds: Sequence[str], wild: Iterable[str] = ()) -> list[int] | None:
    """The tiles in melds by kind as printed, jokers left out; None where there are no melds.

    Raises HandError for a meld that is no chow, pung or kong, whatever its wild tiles stand for.
    """
    if not melds:
        return None
    lifted = wild_codes(tuple(wild))
    counts = [0] * KINDS
    for meld in melds:
        codes = parse_tiles(meld)
        if not _is_set(sorted(KIND_OF[code] for code in codes if code not in lifted), len(codes)):
            raise HandError(f"the meld {meld!r} is no set; write a chow '123m', a pung '111m' or a kong '1111m'")
        for code in codes:
            if KIND_OF[code] < KINDS:
                counts[KIND_OF[code]] += 1
    return counts


def _is_set(fixed: list[int], size: int) -> bool:
    """Whether so many tiles, of which these sorted kinds are not wild, can be one set."""
    if size not in (3, 4) or any(kind >= KINDS for kind in fixed):
        return False
    if not fixed or fixed[0] == fixed[-1]:
        return True
    in_suit = fixed[-1] < 27 and fixed[0] // 9 == fixed[-1] // 9
    return size == 3 and in_suit and fixed[-1] - fixed[0] <= 2 and len(set(fixed)) == len(fixed)


def check_forms(forms: Collection[str]) -> None:
    """Raise HandError for a form that is none of ALL_FORMS."""
    unknown = sorted(set(forms) - set(ALL_FORMS))
    if unknown:
        raise HandError(f"no form {', '.join(map(repr, unknown))}; the forms are {', '.join(ALL_FORMS)}")


def check_tile_count(hand: str, tiles: int, melds: int, left_over: int) -> None:
    """Raise HandError unless the concealed tiles are a multiple of three and so many more."""
    if tiles % 3 != left_over or tiles < left_over:
        near = [count for count in range(max(left_over, tiles - 3), tiles + 4) if count % 3 == left_over]
        melded = "1 meld" if melds == 1 else f"{melds} melds"
        raise HandError(
            f"{hand!r} has {tiles} concealed tiles with {melded}; expected 3n+{left_over}, such as "
            f"{' or '.join(map(str, near))} (melds are given apart, and a kong counts as three)"
        )


def is_win_batch(
    hands: Hands,
    wilds: NDArray[np.uint8] | int = 0,
    melds: MeldsOfHands | None = None,
    wild: Sequence[str] = (),
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> NDArray[np.bool_]:
    """is_win for many hands: shape (N,).

    `hands` are strings, counts of shape (N, 34) or keys of shape (N, 4); wild tiles found in them are added to `wilds`.
    Fastest from keys for the standard form alone; keys are taken to stand for at most 17 tiles. Raises HandError
    naming the rows whose number of tiles is not 3n+2.
    """
    check_forms(forms)
    by_keys = isinstance(hands, np.ndarray) and hands.shape[1] == 4 and not wild and set(forms) == {"standard"}
    if isinstance(hands, np.ndarray) and by_keys and by_table(policy, melds is not None):
        return _keys_win(hands, wilds, "free" if policy.fifth_copy == "allowed" else "four")
    batch = read_batch(hands, wilds, wild)
    return wins_batch(batch, melded_batch(melds, wild), forms, policy, four_as_two_pairs)


def _keys_win(keys: NDArray[np.integer[Any]], wilds: NDArray[np.uint8] | int, variant: Variant) -> NDArray[np.bool_]:
    """The standard form by look-up alone."""
    needs = need_batch(keys)
    # Tiles and wilds add up to 3n+2 exactly where the wilds to spare make whole sets.
    if np.any((needs * np.uint8(2) + wilds) % np.uint8(3)):
        check_tile_counts(counts_of_keys(keys).sum(axis=1, dtype=np.intp) + wilds, left_over=2)
    return (needs if variant == "free" else need_batch(keys, variant)) <= wilds


def wins_batch(
    batch: ConcealedBatch,
    melded: NDArray[np.uint8] | None = None,
    forms: Collection[str] = ALL_FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> NDArray[np.bool_]:
    """wins for a batch; `melded` counts the tiles in melds by kind, shape (N, 34), a row of zeros for no melds."""
    counts, wilds, _ = batch
    keys, tiles, general = safe_keys(counts)
    tiles += wilds
    check_tile_counts(tiles, left_over=2)
    general |= tiles > TILES_MAX
    won = need_batch(keys) <= wilds if "standard" in forms else np.zeros(len(counts), np.bool_)
    if "standard" in forms:
        if policy.fifth_copy != "allowed":
            won &= need_batch(keys, "four") <= wilds
        if not by_table(policy, melded is not None):
            general |= won & (wilds > 0)
        for row in np.flatnonzero(general).tolist():
            shown = None if melded is None else melded[row].tolist()
            won[row] = standard_wins(counts[row].tolist(), int(wilds[row]), shown, policy)
    open_to_special = (tiles == SPECIAL_TILES) & ~won
    if melded is not None:
        open_to_special &= ~melded.any(axis=1)
    rows = np.flatnonzero(open_to_special)
    if rows.size and len(forms) > ("standard" in forms):
        won[rows] = _special_wins_batch(counts[rows], wilds[rows], forms, policy, four_as_two_pairs)
    return won


def _special_wins_batch(
    counts: NDArray[np.uint8],
    wilds: NDArray[np.uint8],
    forms: Collection[str],
    policy: WildPolicy,
    four_as_two_pairs: bool,
) -> NDArray[np.bool_]:
    """The special forms for hands of 14 tiles without melds."""
    won = np.zeros(len(counts), np.bool_)
    if "seven_pairs" in forms:
        won = seven_pairs_need_batch(counts, four_as_two_pairs) <= wilds
        if not (policy.pair_of_wilds and policy.fifth_copy == "allowed"):
            for row in np.flatnonzero(won & (wilds > 0)).tolist():
                natural = tuple(counts[row].tolist())
                won[row] = exact.seven_pairs_wins(natural, int(wilds[row]), policy, four_as_two_pairs)
    if "thirteen_orphans" in forms:
        orphans = orphans_need_batch(counts) <= wilds
        won |= orphans if policy.pair_of_wilds else orphans & counts.any(axis=1)
    return won


def read_batch(hands: Hands, wilds: NDArray[np.uint8] | int = 0, wild: Sequence[str] = ()) -> ConcealedBatch:
    """Natural tiles and wild ones of hands in any of their three shapes; `wilds` come on top of those found."""
    if not isinstance(hands, np.ndarray):
        batch, flowers = split_wild(parse_batch(hands), wild)
        if flowers.any():
            row = int(np.flatnonzero(flowers.any(axis=1))[0])
            raise HandError(
                f"hand {row}, {hands[row]!r}, holds flowers; they are set aside, so leave them out of the hand"
            )
        return batch._replace(wilds=(batch.wilds + wilds).astype(np.uint8))
    if hands.ndim != 2 or hands.shape[1] not in (4, KINDS):
        raise HandError(f"an array of hands has shape (N, 34) for counts or (N, 4) for keys, not {hands.shape}")
    counts = held = counts_of_keys(hands) if hands.shape[1] == 4 else hands.astype(np.uint8, copy=False)
    lifted = sorted(code for code in wild_codes(tuple(wild)) if code < KINDS)
    if lifted:
        wilds = wilds + counts[:, lifted].sum(axis=1, dtype=np.uint8)
        counts = counts.copy()
        counts[:, lifted] = 0
    return ConcealedBatch(counts, np.broadcast_to(np.asarray(wilds, np.uint8), (len(counts),)), held)


def melded_batch(melds: MeldsOfHands | None, wild: Sequence[str] = ()) -> NDArray[np.uint8] | None:
    """The tiles in melds by kind, shape (N, 34); None where no hand has any."""
    if melds is None or isinstance(melds, np.ndarray):
        return melds
    return np.array([read_melds(own, wild) or [0] * KINDS for own in melds], np.uint8).reshape(-1, KINDS)


def safe_keys(counts: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Keys, tile numbers, and which hands have more than four of a kind (their keys stand for no tiles)."""
    if counts.size == 0 or counts.max() <= COPIES:
        keys, tiles = suit_keys_and_tiles(counts)
        return keys, tiles, np.zeros(len(counts), np.bool_)
    general = counts.max(axis=1) > COPIES
    keys, _ = suit_keys_and_tiles(np.where(general[:, None], np.uint8(0), counts))
    return keys, counts.sum(axis=1, dtype=np.intp), general


def check_tile_counts(tiles: NDArray[np.intp], left_over: int) -> None:
    """Raise HandError naming the rows that are not a multiple of three and so many more."""
    wrong = np.flatnonzero((tiles % 3 != left_over) | (tiles < left_over))
    if wrong.size:
        shown = ", ".join(f"row {row} has {tiles[row]}" for row in wrong[:_FAULTS_SHOWN].tolist())
        more = f" and {wrong.size - _FAULTS_SHOWN} more rows" if wrong.size > _FAULTS_SHOWN else ""
        raise HandError(f"wrong number of concealed tiles: {shown}{more}; expected 3n+{left_over}, wilds included")
