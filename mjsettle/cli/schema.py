"""``mjsettle schema``: the wire contract for other languages."""

from __future__ import annotations

import click
import msgspec

from mjsettle.schema import result_schema, round_schema

DOCUMENTS = {"round": round_schema, "result": result_schema}


@click.command()
@click.argument("document", type=click.Choice(list(DOCUMENTS)), default="round")
def schema(document: str) -> None:
    """Print the JSON Schema of a round (what a room sends) or of a result (what it gets back)."""
    click.echo(msgspec.json.format(msgspec.json.encode(DOCUMENTS[document]())))
