"""The printed table of points, and the source's win of 0 faan, which no hand can make by self-draw."""

from __future__ import annotations

import pytest

from mjsettle_hongkong.points import portion

PRINTED = {
    "half": (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384),
    "full": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
    "faan_laak": (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64),
}


@pytest.mark.parametrize("curve", PRINTED)
def test_the_table_is_the_printed_one(curve: str) -> None:
    assert tuple(portion(faan, curve) for faan in range(14)) == PRINTED[curve]


def test_beyond_the_table_two_faan_still_double() -> None:
    assert [portion(faan, "half") for faan in (14, 15, 16)] == [512, 768, 1024]
    assert portion(20, "faan_laak") == 64


def test_simplified_steps() -> None:
    assert [portion(faan, "simplified") for faan in range(3, 12)] == [1, 2, 2, 2, 4, 4, 4, 8, 8]


def test_a_self_draw_of_no_faan_pays_half_a_portion() -> None:
    # hk-076 (yawnoc/mahjong-scorer): base_unit 2, 0 faan, each of three pays 1.
    assert 2 * portion(0, "half") * 2 // 4 == 1
