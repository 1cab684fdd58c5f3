"""Pictures are well-formed SVG that shows every tile of the round, and nothing of a stranger's markup."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import mjsettle
from mjsettle import examples
from mjsettle.cli import main
from mjsettle.pictures import round_svg, sprite, tile_svg
from mjsettle.tiles import NAMES, parse_tiles

SVG = "{http://www.w3.org/2000/svg}"
ROUNDS = [json.loads(line) for line in examples.rounds().splitlines()]


def test_every_tile_has_a_picture_of_its_own() -> None:
    pictures = [tile_svg(code) for code in range(len(NAMES))]
    assert len(set(pictures)) == len(NAMES)
    for code, picture in enumerate(pictures):
        title = ElementTree.fromstring(picture).find(f"{SVG}title")
        assert title is not None
        assert (title.text or "").split()[0] == NAMES[code]


def test_dots_and_sticks_are_as_many_as_the_number_says() -> None:
    for rank in range(2, 10):
        dots = ElementTree.fromstring(tile_svg(8 + rank)).findall(f"{SVG}circle")
        sticks = ElementTree.fromstring(tile_svg(17 + rank)).findall(f"{SVG}g")
        assert (len(dots), len(sticks)) == (2 * rank, rank)


def test_the_sprite_holds_every_tile() -> None:
    symbols = ElementTree.fromstring(sprite()).findall(f"{SVG}symbol")
    assert [symbol.get("id") for symbol in symbols] == [f"t{name}" for name in NAMES] + ["tback"]


@pytest.mark.parametrize("record", ROUNDS, ids=lambda record: record["id"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_round_shows_its_hands_melds_and_readings(record: dict[str, object], lang: str) -> None:
    result = mjsettle.load().settle([{**record, "names": True}])[0]
    tree = ElementTree.fromstring(round_svg(record, result, lang))
    shown = Counter((title.text or "").split()[0] for title in tree.iter(f"{SVG}title"))
    expected: Counter[str] = Counter()
    for player in record["players"]:  # type: ignore[attr-defined]
        for text in (player.get("hand", ""), *(meld["tiles"] for meld in player.get("melds", ()))):
            expected.update(NAMES[code] for code in parse_tiles(text))
    for win in result["wins"]:
        for text in (*win["sets"], *([win["pair"]] if win["pair"] else [])):
            expected.update(NAMES[code] for code in parse_tiles(text))
    assert shown == expected
    texts = {text.text for text in tree.iter(f"{SVG}text")}
    assert {f"{delta:+d}" for delta in result["deltas"]} <= texts


def test_a_refused_round_of_a_stranger_is_drawn_with_its_faults() -> None:
    record = {**ROUNDS[0], "id": "<script>", "wild": ["<b>"], "players": [{"hand": "<i>"}, {}, {}, {}]}
    result = {"id": "<script>", "status": "refused", "errors": [{"code": "x", "field": "<u>", "message": "&"}]}
    picture = round_svg(record, result)
    ElementTree.fromstring(picture)
    assert "<script>" not in picture
    assert "<u>" not in picture


def test_explain_writes_pictures(tmp_path: Path) -> None:
    rounds, svg = tmp_path / "rounds.jsonl", tmp_path / "round.svg"
    rounds.write_bytes(b"\n".join(examples.rounds().splitlines()[:2]))
    run = CliRunner().invoke(main, ["explain", str(rounds), "--svg", str(svg), "--lang", "zh"])
    assert run.exit_code == 0, run.output
    for path in (svg, tmp_path / "round-2.svg"):
        assert ElementTree.parse(path).getroot().tag == f"{SVG}svg"
