"""The shipped tables are what their generator makes, and are mapped, not copied."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mjsettle.tables import build, least_wilds, shanten_tables


@pytest.fixture(scope="module")
def made() -> dict[str, NDArray[Any]]:
    return dict(build.tables())


def test_the_files_hold_what_the_generator_makes(made: dict[str, NDArray[Any]]) -> None:
    shipped = {path.name for path in build.FOLDER.glob("*.npy")}
    assert shipped == set(made)
    for name, table in made.items():
        assert np.array_equal(np.load(build.FOLDER / name), table), name


def test_the_checksums_are_those_of_the_tables(made: dict[str, NDArray[Any]]) -> None:
    lines = (build.FOLDER / "SHA256SUMS").read_text().splitlines()
    assert lines == [f"{build.checksum(table)}  {name}" for name, table in made.items()]


def test_a_damaged_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for path in build.FOLDER.glob("*.npy"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(build, "FOLDER", tmp_path)
    table = np.load(tmp_path / "least_wilds_free.npy")
    table[7] ^= 1
    np.save(tmp_path / "least_wilds_free.npy", table)
    (tmp_path / "shanten_class_four.npy").unlink()
    assert build.differing() == ["least_wilds_free.npy", "shanten_class_four.npy"]


@pytest.mark.parametrize("variant", ["free", "four"])
def test_tables_are_mapped_and_cannot_be_written(variant: Any) -> None:
    wilds, missing = least_wilds(variant), shanten_tables(variant)
    for table in (wilds.suits, wilds.honours, *missing):
        assert not table.flags.writeable
        base: Any = table
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base, mmap.mmap)


@pytest.mark.parametrize("variant", ["free", "four"])
def test_sums_of_four_bytes_fit_their_six_bits(variant: Any) -> None:
    """The need is read from the low six bits of a sum; no hand of 17 tiles may reach 64, nor NEVER be in reach."""
    table = least_wilds(variant)
    worst = {}
    for name, part, positions in (("suit", table.suits, 9), ("honours", table.honours, 7)):
        totals = build.tile_totals(positions)
        worst[name] = [int((part[totals == tiles] & 63).max(initial=0)) for tiles in range(build.TILES_MAX + 1)]
    suits = worst["suit"]
    for _ in range(2):
        suits = [max(suits[a] + worst["suit"][n - a] for a in range(n + 1)) for n in range(build.TILES_MAX + 1)]
    assert max(suits[n] + worst["honours"][build.TILES_MAX - n] for n in range(build.TILES_MAX + 1)) < 64
    assert build.NEVER - 4 > build.TILES_MAX
