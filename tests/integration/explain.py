"""What everybody says of the rounds whose books are wrong: a storm that fails explains itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mjsettle_workers.client import Client
from mjsettle_workers.entries import Entry, read_round
from mjsettle_workers.keys import GROUP
from mjsettle_workers.testing import raw
from tests.integration.rooms import Case, Ledger, Party, Room

IDS_MAX = 12
"""Rounds that are explained; the others are like them, mostly."""
LOG_LINES = 60
IDENT = re.compile(r"room\d+/\d+")

Row = tuple[bytes, dict[bytes, bytes]]


def named(wrong: Iterable[str], cases: Mapping[str, Case]) -> list[str]:
    """The ids that the complaints name, in their order."""
    return list(dict.fromkeys(ident for told in wrong for ident in IDENT.findall(told) if ident in cases))


def by_id(rows: Iterable[Row]) -> dict[str, list[str]]:
    """Rows of a stream under the ids of their rounds: the entry, and what it holds beside the answer itself."""
    found: dict[str, list[str]] = {}
    for entry, fields in rows:
        if b"result" in fields:
            answer = json.loads(fields[b"result"])
            codes = [error["code"] for error in answer.get("errors", [])]
            told = f"{entry.decode()} {answer['status']} {codes}{' again' if b'again' in fields else ''}"
            found.setdefault(fields[b"id"].decode(), []).append(told)
        else:
            held = {name.decode(): value.decode("utf-8", "replace") for name, value in fields.items()}
            ident = next(iter(IDENT.findall(held.get("id", "") or held.get("round", ""))), "")
            found.setdefault(ident, []).append(f"{entry.decode()} {held}")
    return found


def explain(
    client: Client, rooms: Iterable[Room], ledger: Ledger, wrong: list[str], blows: list[str], logs: list[Path]
) -> str:
    """What the room, the store, the streams, the dead letters, the queue and the ledger say of each wrong round."""
    keys, connection = client.keys, raw(client)
    rooms = list(rooms)
    cases = {ident: (room, case) for room in rooms for ident, case in room.cases.items()}
    idents = named(wrong, {ident: case for ident, (_, case) in cases.items()})
    common, dead = by_id(connection.xrange(keys.results)), by_id(connection.xrange(keys.dead))
    queued = by_id(connection.xrange(keys.rounds))
    replies = {room.name: by_id(connection.xrange(keys.reply(room.name))) for room in rooms}
    kept, suspects = client.results(idents), connection.hgetall(keys.suspects)
    lines = [f"{len(wrong)} wrong, {len(idents)} rounds named; the first {IDS_MAX}:"]
    for ident in idents[:IDS_MAX]:
        room, case = cases[ident]
        digest = Entry("0-0", [read_round(case.line, 2**40, bytes_max=2**20, ahead_s=0)]).digest.encode()
        lines += [
            f"{ident}: {case.kind}, honba {case.honba}, sent {case.sends} times: {case.line.decode()}",
            f"  room: {case.answers}{', sent again after a crash' if ident in room.lost else ''}",
            f"  store: {kept.get(ident)!r}",
            f"  results stream: {common.get(ident)}",
            f"  room's stream: {replies[room.name].get(ident)}",
            f"  ledger: booked {ledger.booked.get(ident)}, read {ledger.entries.get(ident)}",
            f"  dead letters: {dead.get(ident)}",
            f"  queue: {queued.get(ident)}, solo attempts noted: {suspects.get(digest)}",
        ]
    parties: list[Party] = [*rooms, ledger]
    lines += [f"{who.name} ended before its time:\n{who.died}" for who in parties if who.died]
    lines += [f"pending: {connection.xpending_range(keys.rounds, GROUP, '-', '+', IDS_MAX)}"]
    lines += [f"counters: {counted(connection.hgetall(keys.counters))}", "blows:", *blows]
    for log in logs:
        lines += [f"the end of {log}:", *log.read_text("utf-8", "replace").splitlines()[-LOG_LINES:]]
    return "\n".join(lines)


def counted(counters: Mapping[bytes, Any]) -> dict[str, int]:
    """Counters as they are read best."""
    return {name.decode(): int(value) for name, value in sorted(counters.items())}
