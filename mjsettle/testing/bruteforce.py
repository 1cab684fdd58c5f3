"""A slow, obvious second way to judge hands, to compare fast code with. It shares nothing with the tables.

Every function tries every way: the lowest natural tile left must be in the pair, a pung or a chow, beside natural tiles
or wilds; when only wilds are left, they make sets and the pair of their own. Use it on hands, not on millions of hands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from mjsettle.keys import read_hand, wild_codes
from mjsettle.tiles import FIRST_HONOUR, KIND_OF, KINDS, NAMES, format_tiles, parse_tiles
from mjsettle.wildcards import FREE, WildPolicy

_FORMS = ("standard", "seven_pairs", "thirteen_orphans")
_ORPHANS = tuple(kind for kind in range(KINDS) if kind >= FIRST_HONOUR or kind % 9 in (0, 8))


class Reading(NamedTuple):
    """One way to read a hand in the standard form: its concealed sets, sorted, and its pair, in wire notation."""

    sets: tuple[str, ...]
    pair: str


class _Left(NamedTuple):
    """What is still to be placed, and where wilds have been put so far."""

    counts: tuple[int, ...]
    wilds: int
    pair_made: bool
    placed: tuple[int, ...]


def is_win(
    hand: str,
    melds: Sequence[str] = (),
    wild: Sequence[str] = (),
    forms: Collection[str] = _FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> bool:
    """As mjsettle.is_win, except that a wrong number of tiles is no win rather than an error."""
    natural = read_hand(hand, wild)
    return wins(natural.counts, natural.wilds, _melded(melds), forms, policy, four_as_two_pairs)


def waits(
    hand: str,
    melds: Sequence[str] = (),
    wild: Sequence[str] = (),
    held_fours: bool = False,
    forms: Collection[str] = _FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> tuple[str, ...]:
    """As mjsettle.waits: adds each of the 34 kinds in turn."""
    counts, wilds, held = read_hand(hand, wild)
    lifted = wild_codes(tuple(wild))
    found = []
    for kind in range(KINDS):
        if held[kind] >= 4 and not held_fours:
            continue
        grown = [*counts]
        grown[kind] += kind not in lifted
        if wins(grown, wilds + (kind in lifted), _melded(melds), forms, policy, four_as_two_pairs):
            found.append(NAMES[kind])
    return tuple(found)


def readings(hand: str, melds: Sequence[str] = (), wild: Sequence[str] = (), policy: WildPolicy = FREE) -> set[Reading]:
    """Every way to read the concealed tiles as sets and a pair; with more than three wilds this takes very long."""
    natural = read_hand(hand, wild)
    melded = _melded(melds) or [0] * KINDS
    start = _Left(tuple(natural.counts), natural.wilds, False, (0,) * KINDS)
    found: set[Reading] = set()
    for blocks in _all_ways(start, policy, natural.counts, melded, set()):
        sets = sorted(block for block in blocks if len(block) == 3)
        (pair,) = (block for block in blocks if len(block) == 2)
        found.add(Reading(tuple(format_tiles(block) for block in sets), format_tiles(pair)))
    return found


def wins(
    counts: Sequence[int],
    wilds: int,
    melded: Sequence[int] | None = None,
    forms: Collection[str] = _FORMS,
    policy: WildPolicy = FREE,
    four_as_two_pairs: bool = True,
) -> bool:
    """Whether natural tiles by kind (34 counts) and so many wilds are complete; `melded` is None without melds."""
    tiles = sum(counts) + wilds
    if tiles % 3 != 2:
        return False
    if "standard" in forms:
        start = _Left(tuple(counts), wilds, False, (0,) * KINDS)
        if _completes(start, policy, counts, melded or [0] * KINDS, set()):
            return True
    if melded is not None or tiles != 14:
        return False
    if "seven_pairs" in forms and _seven_pairs(tuple(counts), wilds, policy, four_as_two_pairs, ()):
        return True
    return "thirteen_orphans" in forms and _thirteen_orphans(counts, wilds, policy)


def _melded(melds: Sequence[str]) -> list[int] | None:
    if not melds:
        return None
    codes = [KIND_OF[code] for meld in melds for code in parse_tiles(meld)]
    return [codes.count(kind) for kind in range(KINDS)]


Block = tuple[int, ...]


@cache
def _blocks_with(kind: int | None) -> tuple[Block, ...]:
    """Every pair, pung and chow that a kind can be in; every block there is for None."""
    if kind is None:
        return tuple({block for each in range(KINDS) for block in _blocks_with(each)})
    firsts = [first for first in range(max(0, kind - 2), kind + 1) if first + 2 < FIRST_HONOUR]
    chows = tuple((first, first + 1, first + 2) for first in firsts if first // 9 == (first + 2) // 9)
    return ((kind, kind), (kind, kind, kind), *chows)


@cache
def _uses(block: Block) -> tuple[tuple[tuple[bool, ...], tuple[int, ...]], ...]:
    """Every way to have a block's tiles wild or not, each with the kinds of those that are not."""
    return tuple(
        (use_wild, tuple(kind for kind, wild in zip(block, use_wild, strict=True) if not wild))
        for use_wild in product((False, True), repeat=len(block))
    )


def _steps(left: _Left, policy: WildPolicy, own: Sequence[int], melded: Sequence[int]) -> Iterator[tuple[Block, _Left]]:
    """Every next block of a hand, with what is left after it."""
    lowest = next((kind for kind in range(KINDS) if left.counts[kind]), None)
    for block in _blocks_with(lowest):
        if len(block) == 2 and left.pair_made:
            continue
        for use_wild, natural in _uses(block):
            # The block must use the lowest natural tile, and can have only wilds that there are.
            if (lowest is not None and lowest not in natural) or len(block) - len(natural) > left.wilds:
                continue
            if not all(left.counts[kind] for kind in natural):
                continue
            after = _take(left, block, use_wild)
            if after is not None and _allowed(block, use_wild, after, policy, own, melded):
                yield block, after


def _take(left: _Left, block: Block, use_wild: tuple[bool, ...]) -> _Left | None:
    """Take a block's tiles, each natural or wild, out of what is left; None where they are not there."""
    counts, placed, wilds = [*left.counts], [*left.placed], left.wilds
    for kind, wild in zip(block, use_wild, strict=True):
        if wild:
            wilds -= 1
            placed[kind] += 1
        else:
            counts[kind] -= 1
    if wilds < 0 or min(counts) < 0:
        return None
    return _Left(tuple(counts), wilds, left.pair_made or len(block) == 2, tuple(placed))


def _allowed(
    block: Block,
    use_wild: tuple[bool, ...],
    after: _Left,
    policy: WildPolicy,
    own: Sequence[int],
    melded: Sequence[int],
) -> bool:
    """Whether the policy lets a block hold these wilds."""
    if len(block) == 2 and all(use_wild) and not policy.pair_of_wilds:
        return False
    if len(block) == 3:
        if all(use_wild) and not policy.set_of_wilds:
            return False
        if policy.wilds_per_set_max is not None and sum(use_wild) > policy.wilds_per_set_max:
            return False
    if policy.fifth_copy == "allowed":
        return True
    shown = melded if policy.fifth_copy == "melds" else [0] * KINDS
    return all(
        own[kind] + after.placed[kind] + shown[kind] <= 4 for kind, wild in zip(block, use_wild, strict=True) if wild
    )


def _completes(left: _Left, policy: WildPolicy, own: Sequence[int], melded: Sequence[int], failed: set[_Left]) -> bool:
    """Whether what is left can be placed; states that failed before are not tried again."""
    if left.wilds == 0 and not any(left.counts):
        return left.pair_made
    if policy.fifth_copy == "allowed":
        left = left._replace(placed=(0,) * KINDS)
    if left in failed:
        return False
    if any(_completes(after, policy, own, melded, failed) for _, after in _steps(left, policy, own, melded)):
        return True
    failed.add(left)
    return False


def _all_ways(
    left: _Left,
    policy: WildPolicy,
    own: Sequence[int],
    melded: Sequence[int],
    seen: set[tuple[tuple[Block, ...], _Left]],
    blocks: tuple[Block, ...] = (),
) -> Iterator[tuple[Block, ...]]:
    """Every multiset of blocks that places all tiles."""
    if (blocks, left) in seen:
        return
    seen.add((blocks, left))
    if left.wilds == 0 and not any(left.counts):
        if left.pair_made:
            yield blocks
        return
    for block, after in _steps(left, policy, own, melded):
        yield from _all_ways(after, policy, own, melded, seen, tuple(sorted((*blocks, block))))


def _seven_pairs(
    counts: tuple[int, ...], wilds: int, policy: WildPolicy, four_as_two_pairs: bool, pairs: tuple[tuple[int, int], ...]
) -> bool:
    """Whether the tiles left are pairs. `pairs` are those made so far: each one's kind and how many of it are wild."""
    lowest = next((kind for kind in range(KINDS) if counts[kind]), None)
    if lowest is None:
        return wilds % 2 == 0 and _pairs_allowed(pairs, wilds // 2, policy, four_as_two_pairs)
    for partner_wild in (False, True):
        if (partner_wild and wilds == 0) or (not partner_wild and counts[lowest] < 2):
            continue
        rest = [*counts]
        rest[lowest] -= 1 if partner_wild else 2
        made = (*pairs, (lowest, int(partner_wild)))
        if _seven_pairs(tuple(rest), wilds - partner_wild, policy, four_as_two_pairs, made):
            return True
    return False


def _pairs_allowed(
    pairs: tuple[tuple[int, int], ...], pairs_of_wilds: int, policy: WildPolicy, four_as_two_pairs: bool
) -> bool:
    """Whether the pairs may stand together. Pairs of wilds may always be of kinds that no other pair has."""
    if pairs_of_wilds and not policy.pair_of_wilds:
        return False
    for kind in {kind for kind, _ in pairs}:
        wild_of_kind = [wild for other, wild in pairs if other == kind]
        if len(wild_of_kind) > 1 and not four_as_two_pairs:
            return False
        if policy.fifth_copy != "allowed" and any(wild_of_kind) and 2 * len(wild_of_kind) > 4:
            return False
    return True


def _thirteen_orphans(counts: Sequence[int], wilds: int, policy: WildPolicy) -> bool:
    """Tries each of the thirteen as the pair."""
    for pair in _ORPHANS:
        wanted = [_ORPHANS.count(kind) + (kind == pair) for kind in range(KINDS)]
        missing = [want - held for want, held in zip(wanted, counts, strict=True)]
        pair_is_wild = counts[pair] == 0
        if min(missing) >= 0 and sum(missing) == wilds and (policy.pair_of_wilds or not pair_is_wild):
            return True
    return False


def every_policy() -> list[WildPolicy]:
    """Every combination of the policy's switches: 48 policies."""
    return [
        WildPolicy(pair, whole_set, per_set, fifth)
        for pair, whole_set in product((True, False), repeat=2)
        for per_set in (None, 2, 1, 0)
        for fifth in ("allowed", "concealed", "melds")
    ]
