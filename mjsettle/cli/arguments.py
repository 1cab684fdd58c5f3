"""What several commands read from the command line: tiles, melds and switches."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import msgspec

from mjsettle.errors import NotationError
from mjsettle.tiles import KIND_OF, format_tiles, parse_tile, parse_tiles

KONG_KINDS = {"": "kong", "added": "added_kong", "concealed": "concealed_kong"}
MELD_FORM = "123p (chow), 222s (pung), 2222s (kong), added:2222s or concealed:2222s, and @SEAT for who fed it"
_MELD = re.compile(r"(?:(?P<how>added|concealed):)?(?P<tiles>[^@:]+)(?:@(?P<seat>\d))?")


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld as written on the command line: `kind` of the wire, `tiles` in notation, `fed_by` None when not said."""

    kind: str
    tiles: str
    fed_by: int | None


def read_meld(text: str) -> Meld:
    """Read ``concealed:2222s`` or ``123p@3``; BadParameter says what was found and expected."""
    match = _MELD.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"found {text!r}, expected {MELD_FORM}")
    try:
        codes = parse_tiles(match["tiles"])
    except NotationError as error:
        raise click.BadParameter(str(error)) from error
    kinds = sorted(KIND_OF[code] for code in codes)
    how = match["how"] or ""
    chow = len(kinds) == 3 and kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2]
    if len(kinds) == 4 and not how and len(set(kinds)) > 1:
        raise click.BadParameter(f"found {text!r} with four different tiles, expected {MELD_FORM}")
    if how and len(kinds) != 4:
        raise click.BadParameter(f"found {text!r} with {len(kinds)} tiles, expected four after '{how}:'")
    if not 3 <= len(kinds) <= 4:
        raise click.BadParameter(f"found {text!r} with {len(kinds)} tiles, expected {MELD_FORM}")
    if len(kinds) == 3 and len(set(kinds)) > 1 and not (chow and kinds[0] // 9 == kinds[2] // 9 and kinds[2] < 27):
        raise click.BadParameter(f"found {text!r}, which is neither a chow nor a pung, expected {MELD_FORM}")
    kind = "chow" if chow else "pung" if len(kinds) == 3 else KONG_KINDS[how]
    return Meld(kind, format_tiles(codes), int(match["seat"]) if match["seat"] else None)


class MeldParam(click.ParamType[Meld]):
    name = "meld"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Meld:
        return value if isinstance(value, Meld) else read_meld(value)


class HandParam(click.ParamType[str]):
    name = "hand"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            parse_tiles(value)
        except NotationError as error:
            self.fail(str(error), param, ctx)
        return value


class TileParam(click.ParamType[str]):
    name = "tile"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            parse_tile(value)
        except NotationError as error:
            self.fail(str(error), param, ctx)
        return value


class SwitchParam(click.ParamType[tuple[str, Any]]):
    """``key=value``; the value is JSON where it can be read as such (2, true, null), else a string."""

    name = "key=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        key, equals, text = value.partition("=")
        if not equals or not key:
            self.fail(f"found {value!r}, expected key=value such as horses=2", param, ctx)
        try:
            return key, msgspec.json.decode(text)
        except msgspec.DecodeError:
            return key, text


HAND = HandParam()
MELD = MeldParam()
SWITCH = SwitchParam()
TILE = TileParam()

wild_option = click.option("--wild", "-w", type=TILE, multiple=True, help="A wild tile kind; may be given again.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def switches(preset: str | None, options: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    """The wire's `options` of a rule set: the preset first, then single switches."""
    return {**({"preset": preset} if preset else {}), **dict(options)}


def end_of_failures(failures: Sequence[str]) -> None:
    """Where a plugin raised: say at which rounds, in a line, and end with status 1; the answers are out already."""
    if not failures:
        return
    more = f"; and at {len(failures) - 1:,} more" if len(failures) > 1 else ""
    click.echo(f"a plugin failed, its rounds are refused (judge_failed): {failures[0]}{more}", err=True)
    sys.exit(1)


def wire_meld(meld: Meld, seat: int, seats: int) -> dict[str, Any]:
    """A meld of a seat as the wire has it; where nobody is said to have fed it, the seat before did."""
    entry: dict[str, Any] = {"kind": meld.kind, "tiles": meld.tiles}
    if meld.kind != "concealed_kong":
        entry["from"] = (seat - 1) % seats if meld.fed_by is None else meld.fed_by
    return entry
