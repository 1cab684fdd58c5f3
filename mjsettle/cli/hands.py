"""``mjsettle waits`` and ``mjsettle shanten``: questions about a hand that need no rule set."""

from __future__ import annotations

import click
import msgspec

from mjsettle.cli.arguments import HAND, MELD, Meld, json_option, wild_option
from mjsettle.shanten import shanten as shanten_of
from mjsettle.tiles import CHINESE, CODES
from mjsettle.waits import waits as waits_of


def _print_json(answer: object) -> None:
    click.echo(msgspec.json.encode(answer))


@click.command()
@click.argument("hand", type=HAND)
@click.argument("melds", type=MELD, nargs=-1, metavar="[MELD]...")
@wild_option
@click.option("--held-fours", is_flag=True, help="List also tiles whose four copies are in the hand.")
@json_option
def waits(hand: str, melds: tuple[Meld, ...], wild: tuple[str, ...], held_fours: bool, as_json: bool) -> None:
    """List the tiles that complete HAND, a hand one tile short of complete such as 23456m.

    Forms: sets and a pair, seven pairs, thirteen orphans.
    """
    tiles = waits_of(hand, tuple(meld.tiles for meld in melds), wild, held_fours=held_fours)
    if as_json:
        _print_json({"waits": list(tiles)})
    elif tiles:
        click.echo(" ".join(tiles) + "  " + " ".join(CHINESE[CODES[tile]] for tile in tiles))
    else:
        click.echo("no tile completes it")


@click.command()
@click.argument("hand", type=HAND)
@click.argument("melds", type=MELD, nargs=-1, metavar="[MELD]...")
@wild_option
@json_option
def shanten(hand: str, melds: tuple[Meld, ...], wild: tuple[str, ...], as_json: bool) -> None:
    """Count how many exchanges HAND is away from ready, form by form: 0 is ready, -1 complete."""
    found = shanten_of(hand, tuple(meld.tiles for meld in melds), wild)
    numbers = {form: getattr(found, form) for form in ("standard", "seven_pairs", "thirteen_orphans")}
    if as_json:
        _print_json(numbers)
        return
    for form, number in numbers.items():
        word = {None: "not for this hand", -1: "complete", 0: "ready"}.get(number, f"{number} from ready")
        click.echo(f"{form.replace('_', ' '):<16} {'-' if number is None else number:>2}  {word}")
