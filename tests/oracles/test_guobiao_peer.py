"""Guobiao's totals and lists of fans against PyMahjongGB, another engine, on random winning hands of every form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from random import Random

import pytest

import mjsettle_guobiao
from mjsettle.settle import load
from tests.oracles.guobiao_hands import WinningHand, as_batch, winning_hand
from tests.oracles.guobiao_peer import peer_fans, recorded

# Fans worth one or two that readings of equal total trade for each other. All other fans must agree.
TRADED = {"一般高", "喜相逢", "连六", "老少副", "幺九刻", "边张", "坎张", "单钓将", "双同刻", "双暗刻"}
ENGINE = load([mjsettle_guobiao])
live = pytest.mark.skipif(find_spec("MahjongGB") is None, reason="PyMahjongGB is not installed (extra `peers`)")


def check(hands: Sequence[WinningHand], theirs: Sequence[Counter[str]]) -> None:
    scores = ENGINE.score("guobiao", as_batch(hands), {"min_fan": 0})
    values = {fan.name: int(str(fan.value)) for fan in scores.ruleset.fans}
    seen: Counter[str] = Counter()
    wrong, traded = [], 0
    for at, (hand, names, peer) in enumerate(zip(hands, scores.fan_names(), theirs, strict=True)):
        ours = Counter(names)
        seen.update(ours)
        total = sum(values[name] * times for name, times in peer.items())
        if not scores.won[at] or scores.total[at] != total:
            wrong.append(f"{hand}: {scores.total[at]} {dict(ours)}, PyMahjongGB {total} {dict(peer)}")
        elif ours != peer:
            traded += 1
            if set(ours - peer) | set(peer - ours) > TRADED:
                wrong.append(f"{hand}: {dict(ours)}, PyMahjongGB {dict(peer)}")
    assert wrong == []
    assert traded <= len(hands) // 1000 + 1
    assert not {fan.name for fan in scores.ruleset.fans} - set(seen)


def test_the_recorded_hands_agree() -> None:
    hands, theirs = zip(*recorded(), strict=True)
    assert len(hands) >= 3000
    check(hands, theirs)


def random_hands(count: int, seed: int) -> list[WinningHand]:
    random = Random(seed)
    return [winning_hand(random) for _ in range(count)]


@live
def test_a_few_thousand_hands_agree() -> None:
    hands = random_hands(6_000, 5)
    check(hands, [peer_fans(hand) for hand in hands])


@live
@pytest.mark.soak
@pytest.mark.parametrize("seed", [2026, 2027])
def test_a_hundred_thousand_hands_agree(seed: int) -> None:
    hands = random_hands(100_000, seed)
    check(hands, [peer_fans(hand) for hand in hands])
