"""``mjsettle hint``: how to read a complete hand."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.markup import escape

import mjsettle
from mjsettle.alternatives import Alternative, alternatives
from mjsettle.alternatives import hint as hint_on
from mjsettle.cli.arguments import HAND, MELD, SWITCH, TILE, json_option, wild_option
from mjsettle.cli.judge import SEAT, build_round
from mjsettle.cli.show import output, tiles
from mjsettle.ledger import Refused

LOST_BY = {
    "": "taken",
    "illegal": "no legal win under this rule set",
    "below_minimum": "below the minimum to win",
    "score": "worth less",
    "total": "worth as much, by a smaller total",
    "preference": "worth as much; the rule set prefers another",
    "order": "worth as much in every respect",
}
_UNSAID: dict[str, Any] = dict.fromkeys(
    ("flowers", "norths", "birds", "dora", "ura_dora", "round_wind", "streak", "honba", "deposits", "lang")
)


@click.command()
@click.argument("hand", type=HAND)
@click.argument("melds", type=MELD, nargs=-1, metavar="[MELD]...")
@click.option("--rule", "-r", required=True, help="The rule set; `mjsettle rules` lists them.")
@click.option("--win", "tile", type=TILE, required=True, help="The winning tile, which HAND does not contain.")
@wild_option
@click.option("--preset", "-p", help="A preset of the rule set's switches.")
@click.option("--option", "-o", "options", type=SWITCH, multiple=True, help="A switch; `mjsettle rules show` has them.")
@click.option("--seat", type=SEAT, default=0, show_default=True, help="The winner's seat.")
@click.option("--dealer", type=SEAT, default=0, show_default=True, help="The dealer's seat.")
@click.option("--seats", type=click.IntRange(2, 4), default=4, show_default=True, help="How many play.")
@click.option("--from", "fed_by", type=SEAT, help="Won on this seat's tile; without it, self-drawn.")
@click.option("--ron", is_flag=True, help="Won on the tile of the seat before the winner's.")
@click.option("--how", multiple=True, help="kong_draw, rob_kong, last_tile ...; may be given again.")
@click.option("--flag", "flags", multiple=True, help="A flag of the winner, such as riichi; may be given again.")
@click.option("--all", "every", is_flag=True, help="Tell every reading, and why it was not taken.")
@json_option
def hint(every: bool, as_json: bool, **given: Any) -> None:
    """Read a complete hand: the reading that spends fewest wild tiles, and the one that pays most.

    Example: mjsettle hint --rule guangdong --wild 5z 12345m567p1s5z 222s --win 6m
    """
    try:
        ruleset, wins = mjsettle.load().hands_of(build_round({**_UNSAID, **given}))
    except Refused as refusal:
        raise click.ClickException(str(refusal)) from None
    hand = wins[0][1]
    told = hint_on(ruleset, hand)
    if told is None:
        click.echo("not a win in any legal reading", err=True)
        sys.exit(1)
    found = alternatives(ruleset, hand) if every else ()
    named = {"fewest_wilds": told.fewest_wilds, "pays_most": told.pays_most}
    if as_json:
        answer: dict[str, Any] = {name: one.as_dict() for name, one in named.items()}
        click.echo(msgspec.json.encode(answer | ({"readings": [one.as_dict() for one in found]} if every else {})))
        return
    console = output()
    for name, one in named.items():
        _print(console, name.replace("_", " "), one)
    for one in found:
        _print(console, LOST_BY[one.lost_by], one)


def _print(console: Console, title: str, found: Alternative) -> None:
    read = found.as_dict()
    sets = "  ".join(map(tiles, [*read["sets"], *([read["pair"]] if read["pair"] else [])]))
    console.print(f"[dim]{escape(title)}[/]  {sets}  ({escape(read['form'].replace('_', ' '))})")
    if read["wild_as"]:
        console.print(f"  wilds are {'  '.join(map(tiles, read['wild_as']))}, {found.wilds_needed} spent")
    fans = "  ".join(
        f"{fan['name']} {fan['value']}" + (f" x {fan['times']}" if fan["times"] != 1 else "") for fan in read["fans"]
    )
    console.print(f"  total {read['total']}  {escape(fans)}")
