"""`mjsettle settle` streams: whole lines, bounded pieces, answers in order, right line numbers."""

from __future__ import annotations

import gzip
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import mjsettle
from mjsettle import examples
from mjsettle.cli import main
from mjsettle.cli.settle import LONG_FILE_BYTES, chunks, settle
from mjsettle.hookspecs import hookimpl
from mjsettle.settle import Engine

MJSETTLE = Path(sys.executable).with_name("mjsettle")
ROUNDS = examples.rounds()
# Long lines that are answered at once, for tests that are about the stream and not about the rounds.
PADDED = json.dumps({"id": "room/1", "rule": "guangdong", "note": "x" * 20_000}).encode() + b"\n"


@given(
    st.lists(st.sampled_from([b"a", b"bc", b" ", b"\n", b"\r\n", b"\n\n"]), max_size=60).map(b"".join),
    st.integers(1, 9),
)
def test_chunks_are_whole_lines_and_lose_nothing(raw: bytes, size: int) -> None:
    pieces = list(chunks(io.BytesIO(raw), size))
    assert all(piece.endswith(b"\n") and piece.splitlines()[-1].strip() for piece in pieces)
    lines = raw.split(b"\n")
    while lines and not lines[-1].strip():
        lines.pop()
    found = b"".join(pieces).split(b"\n")
    assert found.pop() == b""
    assert [line.rstrip() for line in found] == [line.rstrip() for line in lines]


def test_every_round_is_answered_in_order(tmp_path: Path) -> None:
    file, out = tmp_path / "rounds.jsonl", tmp_path / "results.jsonl"
    file.write_bytes(ROUNDS)
    result = CliRunner().invoke(settle, [str(file), "-o", str(out)])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [answer["id"] for answer in answers] == [json.loads(line)["id"] for line in ROUNDS.splitlines()]
    assert all(sum(answer["deltas"]) + answer["table"] == 0 for answer in answers)


def test_stdin_to_stdout_gives_the_same(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(ROUNDS)
    by_name = CliRunner().invoke(settle, [str(file)])
    by_pipe = CliRunner().invoke(settle, input=ROUNDS)
    assert by_name.exit_code == by_pipe.exit_code == 0
    assert by_name.stdout_bytes == by_pipe.stdout_bytes


def test_broken_rounds_count_as_answered_and_keep_their_line_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjsettle.cli.settle.CHUNK_BYTES", 64)
    first = ROUNDS.splitlines()[0]
    lines = [first, b"{", first[:-1], b"[1]", b'{"rule": "guangdong"}', first]
    result = CliRunner().invoke(settle, input=b"\n".join(lines))
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["status"] for answer in answers] == ["settled", *["refused"] * 4, "settled"]
    unread = [answer for answer in answers if answer["id"] is None]
    assert [answer["line"] for answer in unread] == [at for at, a in enumerate(answers, 1) if a["id"] is None]
    assert len(unread) >= 3


def test_the_file_of_rounds_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(ROUNDS)
    result = CliRunner().invoke(settle, [str(file), "-o", str(file)])
    assert result.exit_code == 2
    assert "is the file of rounds itself" in result.output
    assert file.read_bytes() == ROUNDS


def test_a_room_that_writes_a_round_and_waits_is_answered() -> None:
    first, second = ROUNDS.splitlines(keepends=True)[:2]
    with subprocess.Popen([MJSETTLE, "settle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (first, second):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == json.loads(line)["id"]
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def settle_before_a_terminal(file: Path, out: Path) -> str:
    """What a person at a terminal sees on stderr."""
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb") as screen:
        arguments = [str(MJSETTLE), "settle", str(file), "-o", str(out)]
        process = subprocess.Popen(arguments, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"})
        os.close(theirs)
        seen = bytearray()
        # Reading from a terminal that nobody has open any more is an error, and the sign that all has been read.
        with suppress(OSError):
            while piece := screen.read1():
                seen += piece
        assert process.wait(timeout=30) == 0
    return seen.decode()


def test_a_long_file_shows_its_progress_on_a_terminal(tmp_path: Path) -> None:
    file, out = tmp_path / "rounds.jsonl", tmp_path / "results.jsonl"
    file.write_bytes(PADDED * (LONG_FILE_BYTES // len(PADDED) + 1))
    text = settle_before_a_terminal(file, out)
    assert "settling" in text
    assert "100%" in text
    lines = out.read_bytes().count(b"\n")
    assert f"{lines:,} rounds answered, {lines:,} of them refused" in text


def test_a_short_file_shows_only_the_count(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(ROUNDS)
    text = settle_before_a_terminal(file, tmp_path / "results.jsonl")
    assert text == f"{len(ROUNDS.splitlines())} rounds answered, 0 of them refused\r\n"


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs wait4 to read a child's peak memory")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak_mib(mib: int) -> float:
        file = tmp_path / f"{mib}.jsonl"
        file.write_bytes(PADDED * (mib * 2**20 // len(PADDED)))
        process = subprocess.Popen([MJSETTLE, "settle", str(file), "-o", str(tmp_path / "out.jsonl")])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return usage.ru_maxrss / 1024

    assert peak_mib(64) < peak_mib(8) + 16


@pytest.mark.parametrize("fails", [False, True])
def test_sinks_get_the_settled_results_and_cannot_undo_them(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    guangdong = pytest.importorskip("mjsettle_guangdong", reason="mjsettle-guangdong is not installed")
    received: list[dict[str, Any]] = []

    class Sink:
        @hookimpl
        def result_sinks(self) -> list[Any]:
            return [self.take]

        def take(self, results: list[dict[str, Any]]) -> None:
            received.extend(results)
            if fails:
                raise RuntimeError("the display is gone")

    monkeypatch.setattr(mjsettle, "load", lambda: Engine([guangdong, Sink()]))
    ran = CliRunner().invoke(settle, input=ROUNDS + b"{}\n")
    assert ran.exit_code == 0, ran.output
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert received == [answer for answer in answers if answer["status"] == "settled"]
    assert len(answers) == len(received) + 1
    assert ("RuntimeError: the display is gone" in ran.stderr) is fails


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_compressed_files_are_read_as_they_are(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    plain = CliRunner().invoke(settle, input=ROUNDS)
    (tmp_path / "rounds").write_bytes(compress(ROUNDS))
    assert CliRunner().invoke(settle, [str(tmp_path / "rounds")]).output == plain.output
    assert CliRunner().invoke(settle, input=compress(ROUNDS)).output == plain.output
    told = CliRunner().invoke(main, ["explain", str(tmp_path / "rounds")])
    assert told.output == CliRunner().invoke(main, ["explain"], input=ROUNDS).output
    assert told.output.count("deals next") > 2


def test_a_file_that_breaks_off_is_answered_as_far_as_it_goes(tmp_path: Path) -> None:
    many = b"".join(ROUNDS.replace(b'"demo/', b'"%d/' % at) for at in range(3000))
    (tmp_path / "cut.gz").write_bytes(gzip.compress(many)[:-2000])
    result = CliRunner().invoke(main, ["settle", str(tmp_path / "cut.gz"), "-o", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "cut.gz: cannot be read to its end" in result.output
    answers = (tmp_path / "out").read_bytes().splitlines()
    assert 0 < len(answers) < len(many.splitlines())
    assert answers == mjsettle.load().settle_json(many).splitlines()[: len(answers)]
