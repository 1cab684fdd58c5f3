"""``mjsettle judge``: one win, said on the command line."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec

import mjsettle
from mjsettle.cli.arguments import (
    HAND,
    MELD,
    SWITCH,
    TILE,
    end_of_failures,
    json_option,
    switches,
    wild_option,
    wire_meld,
)
from mjsettle.cli.show import LANGUAGES, in_language, output, show
from mjsettle.describe import round_words
from mjsettle.isolation import Isolated

SEAT = click.IntRange(0, 3)


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
@click.option("--flowers", type=HAND, help="Flowers set aside, such as 15f.")
@click.option("--bird", "birds", type=TILE, multiple=True, help="A tile turned for birds or horses; in order.")
@click.option("--dora", type=TILE, multiple=True, help="A dora indicator; may be given again.")
@click.option("--ura-dora", type=TILE, multiple=True, help="An ura dora indicator; may be given again.")
@click.option("--round-wind", type=TILE, help="1z to 4z.")
@click.option("--streak", type=int, help="How often the deal was repeated.")
@click.option("--honba", type=int, help="Honba counters.")
@click.option("--deposits", type=int, help="Riichi sticks on the table.")
@click.option("--norths", type=click.IntRange(0, 4), help="Norths that the winner of three players has set aside.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Name the fans in this language, where they have a name.")
@click.option("--round", "as_round", is_flag=True, help="Print the round as a room would send it; settle nothing.")
@json_option
def judge(**given: Any) -> None:
    """Judge HAND, won with --win, and say what it is worth and who pays.

    MELD: 123p (chow), 222s (pung), 2222s (kong), added:2222s, concealed:2222s; @SEAT says who fed it (else the seat
    before the winner's). Example: mjsettle judge --rule guangdong --wild 5z 12345m567p1s5z 222s@3 --win 6m
    """
    record = build_round(given)
    if given["as_round"]:
        click.echo(msgspec.json.encode(record))
        return
    engine = Isolated(mjsettle.load())
    result = engine.settle([record])[0]
    if given["as_json"]:
        click.echo(msgspec.json.encode(result))
    else:
        show(output(), record, in_language(result, given["lang"]), round_words(engine.engine, record))
    end_of_failures(engine.failures)
    if result["status"] != "settled":
        sys.exit(1)


def build_round(given: dict[str, Any]) -> dict[str, Any]:
    """The wire round that the options of `mjsettle judge` describe."""
    seats, seat = given["seats"], given["seat"]
    for name in ("seat", "dealer", "fed_by"):
        if given[name] is not None and given[name] >= seats:
            raise click.UsageError(f"found seat {given[name]} of {seats} seats; seats count from 0")
    fed_by = given["fed_by"]
    if given["ron"] and fed_by is None:
        fed_by = (seat - 1) % seats
    if fed_by == seat:
        raise click.UsageError(f"seat {seat} cannot win on its own discard; give --from another seat")
    player: dict[str, Any] = {"hand": given["hand"], "melds": [wire_meld(meld, seat, seats) for meld in given["melds"]]}
    if given["flowers"]:
        player["flowers"] = given["flowers"]
    if given["norths"]:
        player["norths"] = given["norths"]
    if given["flags"]:
        player["flags"] = list(given["flags"])
    win: dict[str, Any] = {"type": "win", "seat": seat, "tile": given["tile"]}
    if fed_by is not None:
        win["from"] = fed_by
    if given["how"]:
        win["how"] = list(given["how"])
    record: dict[str, Any] = {
        "id": "judge",
        "rule": given["rule"],
        "options": switches(given["preset"], given["options"]),
        "dealer": given["dealer"],
        "players": [player if at == seat else {} for at in range(seats)],
        "events": [win],
    }
    if given["lang"]:
        record["names"] = True
    record |= {key: list(given[key]) for key in ("wild", "birds", "dora", "ura_dora") if given[key]}
    numbers = ("round_wind", "streak", "honba", "deposits")
    return record | {key: given[key] for key in numbers if given[key] is not None}
