"""``mjsettle advise``: what to discard."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from rich.markup import escape
from rich.table import Table as Columns

import mjsettle
from mjsettle.advise import DRAWS, Advice, as_dict
from mjsettle.advise import advise as advice_on
from mjsettle.cli.arguments import (
    HAND,
    MELD,
    SWITCH,
    TILE,
    Meld,
    json_option,
    switches,
    wild_option,
    wire_meld,
)
from mjsettle.cli.show import output
from mjsettle.worth import Table, seat_record

SEAT = click.IntRange(0, 3)


@click.command()
@click.argument("hand", type=HAND)
@click.argument("melds", type=MELD, nargs=-1, metavar="[MELD]...")
@click.option("--rule", "-r", help="Tell points under this rule set, and count its tiles and forms.")
@wild_option
@click.option("--seen", type=HAND, default="", help="Tiles that lie open, such as 1233m5z.")
@click.option(
    "--draws",
    type=click.IntRange(1, 60),
    default=DRAWS,
    show_default=True,
    help="Own draws for the chance to be ready.",
)
@click.option("--preset", "-p", help="A preset of the rule set's switches.")
@click.option("--option", "-o", "options", type=SWITCH, multiple=True, help="A switch; `mjsettle rules show` has them.")
@click.option("--seat", type=SEAT, default=0, show_default=True, help="The seat that asks.")
@click.option("--dealer", type=SEAT, default=0, show_default=True, help="The dealer's seat.")
@click.option("--seats", type=click.IntRange(2, 4), default=4, show_default=True, help="How many play.")
@click.option("--flag", "flags", multiple=True, help="A flag of the seat, such as riichi; may be given again.")
@click.option("--dora", type=TILE, multiple=True, help="A dora indicator; may be given again.")
@click.option("--round-wind", type=TILE, help="1z to 4z.")
@json_option
def advise(hand: str, melds: tuple[Meld, ...], rule: str | None, as_json: bool, **given: Any) -> None:
    """Say what each discard from HAND (with the tile just drawn) leads to, the best first.

    For each one: how far the hand is from ready, the tiles that bring it nearer with their live copies, the chance to
    be ready within the next own draws, and with --rule the points to expect.

    Example: mjsettle advise 123456m2345p55s17z
    """
    if rule is None:
        found = advice_on(hand, [meld.tiles for meld in melds], given["wild"], seen=given["seen"], draws=given["draws"])
    else:
        table = Table(mjsettle.load(), _record(rule, melds, given), given["seat"])
        found = advice_on(hand, seen=given["seen"], draws=given["draws"], table=table)
    if as_json:
        click.echo(msgspec.json.encode([as_dict(one) for one in found]))
    else:
        output().print(_columns(found, given["draws"]))


def _record(rule: str, melds: tuple[Meld, ...], given: dict[str, Any]) -> dict[str, Any]:
    seat, seats = given["seat"], given["seats"]
    for name in ("seat", "dealer"):
        if given[name] >= seats:
            raise click.UsageError(f"found seat {given[name]} of {seats} seats; seats count from 0")
    record = seat_record(
        rule,
        seat,
        seats,
        [wire_meld(meld, seat, seats) for meld in melds],
        options=switches(given["preset"], given["options"]),
        dealer=given["dealer"],
        wild=list(given["wild"]),
        dora=list(given["dora"]),
    )
    record["players"][seat]["flags"] = list(given["flags"])
    return record | ({"round_wind": given["round_wind"]} if given["round_wind"] else {})


def _columns(found: tuple[Advice, ...], draws: int) -> Columns:
    table = Columns(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("discard", "shanten", "accepts (live copies)", "live", f"ready in {draws}", "points"):
        table.add_column(heading, justify="right" if heading in ("live", "points") else "left")
    points = any(one.expected_points is not None for one in found)
    if not points:
        table.columns.pop()
    for one in found:
        accepts = "  ".join(f"{tile} {live}" for tile, live in one.accepts.items())
        row = [f"[bold]{one.discard}[/]", _distance(one.shanten), escape(accepts), str(one.live), _chance(one)]
        if points:
            row.append("" if one.expected_points is None else f"{one.expected_points:.0f}")
        table.add_row(*row)
    return table


def _distance(shanten: int) -> str:
    return {-1: "complete", 0: "ready"}.get(shanten, f"{shanten} from ready")


def _chance(one: Advice) -> str:
    return "" if one.ready_chance is None else f"{one.ready_chance:.1%}"
