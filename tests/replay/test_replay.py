"""Replays: what differs is found, counted and told, whatever the file's form and wherever the rounds are judged."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard
from click.testing import CliRunner

import mjsettle
from mjsettle import examples
from mjsettle.cli import main
from mjsettle.replay import Change, Recorded, Rounds, SourceError, Tally, html_report, replay
from mjsettle.replay import run as running
from mjsettle.replay.compare import LARGEST, kind_of
from mjsettle.replay.run import Part
from mjsettle.settle import Engine
from mjsettle.testing.random_hands import random_rounds

HORSES = Change(options={"horses": 0})


@pytest.fixture(scope="module")
def engine() -> Engine:
    return mjsettle.load()


@pytest.fixture(scope="module")
def lines(engine: Engine) -> list[bytes]:
    """Rounds of several rule sets, with lines between them that are none."""
    encode = msgspec.json.Encoder().encode
    found = examples.rounds().splitlines()
    for rule in ("guangdong", "guobiao", "hongkong"):
        records = random_rounds(engine.rule_set(rule), 60, seed=11)
        found += [encode({**record, "id": f"{rule}/{at}"}) for at, record in enumerate(records)]
    return [*found[:30], b"{", *found[30:], b'{"id": "x"}']


def source(lines: Sequence[bytes]) -> Rounds:
    return Rounds([io.BytesIO(b"\n".join(lines) + b"\n")])


def parts_of(lines: Sequence[bytes], change: Change, **how: Any) -> tuple[Tally, list[dict[str, Any]]]:
    found: list[dict[str, Any]] = []

    def each(part: Part) -> None:
        found.extend(part.differences)

    return replay(source(lines), change, each=each, **how), found


def by_hand(engine: Engine, lines: Sequence[bytes], change: Change) -> dict[int, tuple[Any, Any, str]]:
    """(deltas before, deltas after, rule) by line number where they differ, one round at a time."""
    found = {}
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if "rule" not in record or (change.rules and record["rule"] not in change.rules):
            continue
        changed = {**record, "options": {**record.get("options", {}), **change.options}}
        before, after = engine.settle([record])[0], engine.settle([changed])[0]
        if before.get("deltas") != after.get("deltas"):
            found[number] = (before.get("deltas"), after.get("deltas"), record["rule"])
    return found


def test_differences_are_those_found_one_by_one(engine: Engine, lines: list[bytes]) -> None:
    change = Change(options={"horses": 0, "wugui": True}, rules=("guangdong",))
    tally, told = parts_of(lines, change, engine=engine)
    expected = by_hand(engine, lines, change)
    assert len(expected) > 5
    points = {one["line"]: one for one in told if one["kind"] in ("points", "now_settled", "now_refused")}
    assert set(points) == set(expected)
    for number, (before, after, rule) in expected.items():
        none = [0] * 4
        moved = [new - old for old, new in zip(before or none, after or none, strict=True)]
        assert (points[number]["moved"], points[number]["rule"]) == (moved, rule)
    found = tally.rules["guangdong"]
    assert found.gained == [sum(one["moved"][seat] for one in told) for seat in range(4)]
    assert found.moved == [sum(abs(one["moved"][seat]) for one in told) for seat in range(4)]
    assert found.kinds == Counter(one["kind"] for one in told)
    assert (tally.unreadable, tally.left_alone) == (
        2,
        sum(b'"guobiao"' in line or b'"hongkong"' in line for line in lines),
    )
    assert tally.lines == len(lines)
    assert sum(found.sizes.values()) == tally.changed == len(told)


def test_nothing_differs_from_itself(engine: Engine, lines: list[bytes]) -> None:
    tally, told = parts_of(lines, Change(), engine=engine)
    assert (tally.changed, told) == (0, [])
    assert tally.rounds == len(lines) - 2


@pytest.mark.parametrize("order", ["as settled", "backwards", "some missing"])
def test_recorded_results_in_any_order(engine: Engine, lines: list[bytes], order: str) -> None:
    results = engine.settle_json(b"\n".join(lines)).splitlines()
    # As if an older rule set had paid one point more in every tenth round.
    touched = 0
    for at, line in enumerate(results):
        answer = json.loads(line)
        if answer["status"] == "settled" and at % 10 == 0:
            answer["deltas"][0] += 1
            answer["deltas"][1] -= 1
            answer["edition"] = "1999.1"
            results[at] = json.dumps(answer).encode()
            touched += 1
    missing = 0
    if order == "backwards":
        results = results[::-1]
    elif order == "some missing":
        results, missing = results[40:], 39  # one of the first forty lines is no round
    with Recorded(results) as recorded:
        tally, told = parts_of(lines, Change(), recorded=recorded, engine=engine)
    assert tally.unanswered == missing
    assert {one["kind"] for one in told} == {"points"}
    assert all(one["moved"][:2] == [-1, 1] and one["before"]["edition"] == "1999.1" for one in told)
    assert len(told) == touched if not missing else 0 < len(told) < touched


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ({"status": "settled", "deltas": [1, -1], "table": 0}, {"status": "refused", "errors": []}, "now_refused"),
        ({"status": "refused", "errors": []}, {"status": "settled", "deltas": [0, 0], "table": 0}, "now_settled"),
        (
            {"status": "refused", "errors": [{"code": "a", "field": "b", "message": "x"}]},
            {"status": "refused", "errors": [{"code": "a", "field": "b", "message": "y"}]},
            "same",
        ),
        (
            {"status": "refused", "errors": [{"code": "a", "field": "b", "message": "x"}]},
            {"status": "refused", "errors": [{"code": "a", "field": "c", "message": "x"}]},
            "errors",
        ),
        (
            {"status": "settled", "deltas": [0, 0], "table": 0, "edition": "1", "next": {"dealer": 1}},
            {"status": "settled", "deltas": [0, 0], "table": 0, "edition": "2", "next": {"dealer": 0}},
            "next",
        ),
        (
            {"status": "settled", "deltas": [0, 0], "table": 0, "wins": [1], "next": {"dealer": 1}},
            {"status": "settled", "deltas": [0, 0], "table": 0, "wins": [2], "next": {"dealer": 0}},
            "reading",
        ),
        (
            {"status": "settled", "deltas": [0, 0], "table": 0, "wins": ({"seat": 1},), "fingerprint": "1"},
            {"status": "settled", "deltas": [0, 0], "table": 0, "wins": [{"seat": 1}], "fingerprint": "2"},
            "same",
        ),
    ],
)
def test_what_differs(before: dict[str, Any], after: dict[str, Any], kind: str) -> None:
    assert kind_of(before, after) == kind


def test_several_processes_tell_the_same_as_one(engine: Engine, lines: list[bytes], monkeypatch: Any) -> None:
    monkeypatch.setattr(running, "CHUNK", 17)
    alone, told = parts_of(lines, HORSES, engine=engine)
    together, told_together = parts_of(lines, HORSES, processes=2)
    assert together.summary() == alone.summary()
    assert told_together == told
    assert [one.line for one in together.largest] == [one.line for one in alone.largest]


class Elsewhere:
    """A fanout that judges in this process and keeps count of what waits."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.waiting = self.most = 0

    def start(self, lines: Sequence[bytes]) -> list[bytes]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return self.engine.settle_json(b"\n".join(lines)).splitlines()

    def answers(self, started: list[bytes]) -> list[bytes]:
        self.waiting -= 1
        return started

    def close(self) -> None:
        pass


def test_a_fanout_tells_the_same_and_is_sent_little_at_a_time(
    engine: Engine, lines: list[bytes], monkeypatch: Any
) -> None:
    monkeypatch.setattr(running, "CHUNK", 10)
    fanout = Elsewhere(engine)
    alone, told = parts_of(lines, HORSES, engine=engine)
    elsewhere, told_elsewhere = parts_of(lines, HORSES, fanout=fanout)
    assert elsewhere.summary() == alone.summary()
    assert told_elsewhere == told
    assert fanout.waiting == 0
    assert 2 <= fanout.most <= 2 * (running.AHEAD + 1)
    with Recorded(engine.settle_json(b"\n".join(lines)).splitlines()) as recorded:
        assert parts_of(lines, HORSES, fanout=fanout, recorded=recorded)[0].summary() == alone.summary()


def test_the_largest_differences_are_kept_whatever_their_number(engine: Engine, lines: list[bytes]) -> None:
    many = [line for line in lines if b"guangdong" in line] * 12
    tally, told = parts_of(many, Change(options={"base": 3}), engine=engine)
    assert tally.changed == len(told) > 4 * LARGEST
    sizes = sorted((sum(map(abs, one["moved"])) for one in told), reverse=True)
    assert [sum(map(abs, one.moved)) for one in tally.largest] == sizes[:LARGEST]


def test_plain_gzip_and_zstd(tmp_path: Path) -> None:
    text = b'{"id": 1}\n\n{"id": 2}\n{"id": 3}'
    compressed = {
        "plain": text,
        "gzip": gzip.compress(text[:12]) + gzip.compress(text[12:]),
        "zstd": zstandard.compress(text[:12]) + zstandard.compress(text[12:]),
    }
    for name, content in compressed.items():
        path = tmp_path / name
        path.write_bytes(content)
        with path.open("rb") as file:
            rounds = Rounds([file])
            assert list(rounds) == [b'{"id": 1}', b'{"id": 2}', b'{"id": 3}'], name
            assert rounds.bytes_read == rounds.bytes_total == len(content)
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(text * 100)[:-20])
    with cut.open("rb") as file, pytest.raises(SourceError, match=r"cut\.gz: cannot be read to its end"):
        list(Rounds([file]))


@pytest.mark.parametrize("answer", [b"", b"{", b"[]", b'{"id":"a"}', b'{"status":"settled"}', b'{"status":1}'])
def test_recorded_results_that_cannot_be_read_are_counted_as_missing(engine: Engine, answer: bytes) -> None:
    line = examples.rounds().splitlines()[0]
    broken = answer.replace(b"{", b'{"id":"demo/1-wild-self-draw",', 1) if len(answer) > 2 else answer
    with Recorded([broken]) as recorded:
        tally, told = parts_of([line], Change(), recorded=recorded, engine=engine)
    assert (tally.unanswered, tally.rounds, told) == (1, 0, [])


def test_the_command(tmp_path: Path, lines: list[bytes], engine: Engine) -> None:
    rounds = tmp_path / "rounds.jsonl.gz"
    rounds.write_bytes(gzip.compress(b"\n".join(lines)))
    jsonl, page = tmp_path / "changes.jsonl", tmp_path / "report.html"
    arguments = ["replay", str(rounds), "--rule", "guangdong", "-o", "horses=0", "-o", "wugui=true", "--workers", "1"]
    run = CliRunner().invoke(main, [*arguments, "--jsonl", str(jsonl), "--html", str(page)])
    assert run.exit_code == 0, run.output
    expected = by_hand(engine, lines, Change(options={"horses": 0, "wugui": True}, rules=("guangdong",)))
    written = [json.loads(line) for line in jsonl.read_text().splitlines()]
    assert set(expected) <= {one["line"] for one in written}
    assert f"{len(written):,} differ" in run.output
    html = page.read_text(encoding="utf-8")
    assert html.count("<details>") == min(LARGEST, len(written))
    assert html.count("<svg") >= 4
    assert "无鬼加倍" in html
    assert "src=" not in html
    assert "href=" not in html
    summary = CliRunner().invoke(main, [*arguments, "--json"])
    assert json.loads(summary.stdout)["changed"] == len(written)


def test_a_preset_may_be_replayed_and_switches_of_the_round_still_count(engine: Engine) -> None:
    record = json.loads(examples.rounds().splitlines()[0])
    names = list(engine.registry.rules["guangdong"].presets)
    change = Change(options={"preset": names[-1]})
    assert change.of_wire(record)["options"] == {**record["options"], "preset": names[-1]}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "nothing to compare"),
        (["-o", "horses=0", "--workers", "many"], "expected a number, queue or auto"),
    ],
)
def test_mistakes_are_explained(tmp_path: Path, arguments: list[str], says: str) -> None:
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_bytes(examples.rounds())
    run = CliRunner().invoke(main, ["replay", str(rounds), *arguments])
    assert run.exit_code != 0
    assert says in run.output


def test_a_report_of_hostile_rounds_holds_no_markup_of_theirs(engine: Engine) -> None:
    record = json.loads(examples.rounds().splitlines()[0])
    record["options"] = {"<script>alert(1)</script>": 1}
    line = json.dumps({**record, "edition": "<img src=x onerror=alert(2)>"}).encode()
    recorded = json.dumps(
        {"id": record["id"], "status": "settled", "deltas": [0, 0, 0, 0], "table": 0, "wins": [], "why": "<b>"}
    )
    with Recorded([recorded.encode()]) as before:
        tally, _ = parts_of([line], Change(), recorded=before, engine=engine)
    html = html_report(tally, Change(edition="<u>"), True)
    assert tally.changed == 1
    for text in ("<script", "<img", "<u>"):
        assert text not in html


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--option", "horse=4"], ("options.horse: rule 'guangdong' has no option 'horse' (did you mean horses",)),
        (["--rule", "guangdong", "--option", "horse=4"], ("has no option 'horse' (did you mean horses",)),
        (["--rule", "guangdong", "--option", "horses=5"], ("options.horses: found 5, expected one of 0, 1, 2",)),
        (["--rule", "guangdong", "--preset", "gd_patern"], ("options.preset: found ",)),
        (["--rule", "guangdnog", "--option", "horses=4"], ("rule: no rule set 'guangdnog'", "did you mean guangdong")),
        (["--rule", "guangdong", "--rule-edition", "1066"], ("edition: found '1066'",)),
    ],
)
def test_a_change_that_would_refuse_every_round_is_refused_itself(
    tmp_path: Path, lines: list[bytes], arguments: list[str], says: Sequence[str]
) -> None:
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_bytes(b"\n".join(lines) + b"\n")
    run = CliRunner().invoke(main, ["replay", str(rounds), *arguments, "--workers", "1"])
    assert run.exit_code == 2
    assert run.stdout == ""
    assert all(text in run.stderr for text in says), run.stderr
