"""The reference for rule authors, made from docstrings: hooks, declarations, what functions are given, columns."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

import msgspec
from click.testing import CliRunner

from mjsettle import columns, hookspecs, suits, tiles
from mjsettle.cli import main
from mjsettle.fans import Fan, Scoring
from mjsettle.judge import Judgement
from mjsettle.ledger import TABLE, Book, Entry, Win
from mjsettle.options import Option, Options
from mjsettle.readings import Row, View, standard_rows, with_tile
from mjsettle.rounds import Event, Meld, Player, Round
from mjsettle.rules import Bonus, Check, EndOfRound, Fact, Payments, Rule, tile_set
from mjsettle.substitutes import Substitutes
from mjsettle.wildcards import WildPolicy
from mjsettle.winforms import FormHands, WinForm, pairs, shapeless, standard, thirteen_orphans

DECLARED = (Rule, Option, WinForm, WildPolicy, columns.Column, Fact, Fan, Scoring, Bonus, Payments, EndOfRound, Check)
"""What hooks return, in the order of the hooks."""
WORKED_ON = (Book, Win, Judgement, Entry, Options, Substitutes)
"""What the functions of declarations are given or work with."""
SENT = (Round, Player, Meld, Event)
"""The round as functions get it."""
READ = (View, Row, FormHands)
"""What a win form reads, and what it answers."""
FORMS = (standard, pairs, thirteen_orphans, shapeless)
"""Makers of win forms."""
FOR_FORMS = (standard_rows, with_tile, suits.planes)
"""Helpers of win forms."""
MADE = "<!-- made by docs/site_reference.py -->\n\n"
IMPORTED = """\
Import these by name, `from mjsettle.readings import Row, View`. `import mjsettle.readings as r` yields a function: the
package exports `readings`, `waits`, `shanten` and `advise` under the names of their modules.
"""


def hooks() -> dict[str, Any]:
    """The hooks by name, in the order of mjsettle/hookspecs.py."""
    return {name: found for name, found in vars(hookspecs).items() if hasattr(found, "mjsettle_spec")}


def table(head: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> str:
    """A Markdown table."""

    def line(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(_cell(str(cell)) for cell in cells) + " |\n"

    return line(head) + "|" + " --- |" * len(head) + "\n" + "".join(map(line, rows)) + "\n"


def _cell(text: str) -> str:
    """On one line, its bars escaped; in code they are no borders, and an escape would show."""
    return re.sub(r"(`[^`]*`)|\|", lambda found: found[1] or "\\|", " ".join(text.split()))


def doc_of(of: Any) -> str:
    """A docstring, without its indent."""
    return inspect.cleandoc(of.__doc__ or "")


def escaped(text: str) -> str:
    """Text of a docstring as Markdown."""
    return text.replace("<", "&lt;").replace("``", "`")


def attribute_docs(of: type | ModuleType) -> dict[str, str]:
    """What the text below each attribute of a class or a module says."""
    found = ast.parse(textwrap.dedent(inspect.getsource(of))).body
    if isinstance(found[0], ast.ClassDef):
        found = found[0].body
    docs: dict[str, str] = {}
    for field, text in pairwise(found):
        target = field.targets[0] if isinstance(field, ast.Assign) else getattr(field, "target", None)
        if isinstance(target, ast.Name) and isinstance(text, ast.Expr):
            docs[target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    return docs


def hooks_page() -> str:
    """Every hook, every kind of declaration that hooks return, and what their functions work with."""
    text = MADE + "# Hooks\n\n" + doc_of(hookspecs) + "\n\n"
    for name, hook in hooks().items():
        text += f"## {name}\n\n```python\ndef {name}{_signature(hook)}: ...\n```\n\n{doc_of(hook)}\n\n"
    text += "## Declarations\n\n" + _functions((tile_set,))
    for kind in DECLARED:
        text += f"### {kind.__name__}\n\n{escaped(doc_of(kind))}\n\n{_fields(kind)}"
    text += "## What functions are given\n\n"
    text += f"`mjsettle.ledger.TABLE` ({TABLE}) is the table's pot as payer or receiver.\n\n"
    for given in WORKED_ON:
        text += _headed(given) + _members(given)
    text += "## The round as functions get it\n\n`from_` is the wire's `from`.\n\n"
    for sent in SENT:
        text += f"### {sent.__name__}\n\n{escaped(doc_of(sent))}\n\n{_wire_fields(sent)}"
    text += f"## Win forms of one's own\n\n{IMPORTED}\n"
    for read in READ:
        text += _headed(read) + _members(read)
    return text + "### Makers and helpers\n\n" + _functions((*FORMS, *FOR_FORMS))


def _headed(kind: type) -> str:
    return f"### {kind.__name__}\n\n`{kind.__module__}`. {escaped(doc_of(kind))}\n\n"


def _signature(function: Callable[..., Any]) -> str:
    return str(inspect.signature(function)).replace("'", "")


def _functions(functions: Sequence[Callable[..., Any]]) -> str:
    return table(
        ("", ""),
        [(f"`{one.__module__}.{one.__name__}{_signature(one)}`", escaped(doc_of(one))) for one in functions],
    )


def _fields(kind: Any) -> str:
    rows = []
    for field in dataclasses.fields(kind):
        default = "" if field.default is dataclasses.MISSING or callable(field.default) else f"`{field.default!r}`"
        rows.append((f"`{field.name}`", f"`{field.type}`", default))
    return table(("field", "type", "default"), rows)


def _members(kind: type) -> str:
    """Attributes, properties and methods with what each says of itself; the fields of a reading are columns too."""
    docs = {known.name: known.doc for known in columns.INPUTS if known.level == "reading"} if kind is Row else {}
    docs |= attribute_docs(kind)
    # A named tuple wraps what its annotations say.
    written = {name: getattr(told, "__forward_arg__", told) for name, told in inspect.get_annotations(kind).items()}
    rows = [(f"`{name}`", f"`{told}`", escaped(docs.get(name, ""))) for name, told in written.items()]
    for name, member in vars(kind).items():
        function = member.fget if isinstance(member, property) else member
        if name.startswith("_") or not inspect.isfunction(function) or not function.__doc__:
            continue
        if isinstance(member, property):
            rows.append((f"`{name}`", f"`{inspect.signature(function).return_annotation}`", escaped(doc_of(function))))
        else:
            rows.append((f"`{name}{_signature(function)}`", "", escaped(doc_of(function))))
    return table(("", "type", ""), rows)


def _wire_fields(kind: type[msgspec.Struct]) -> str:
    """The fields of a wire structure with what the schema says of them."""
    told = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    return table(
        ("field", ""),
        [(f"`{field.name}`", told[field.encode_name]["description"]) for field in msgspec.structs.fields(kind)],
    )


def columns_page() -> str:
    """Every column of the core, and the names that column functions are written with."""
    told = CliRunner().invoke(main, ["columns"], env={"COLUMNS": "120"}).output
    head = "A fan, a scoring function or a win form names columns as parameters. Plugins add columns of their own.\n\n"
    kinds = [(f"`{tiles.NAMES[kind]}`", tiles.CHINESE[kind], kind) for kind in range(tiles.KINDS)]
    masks = [(f"`{name}`", escaped(doc)) for name, doc in attribute_docs(columns).items() if name.isupper()]
    docs = attribute_docs(columns.Place)
    places = [(f"`Place.{place.name}`", int(place), docs[place.name]) for place in columns.Place]
    return (
        f"{MADE}# Columns\n\n{head}```text\n{told}```\n\n## Writing column functions\n\n{escaped(doc_of(columns))}\n\n"
        + "## Kinds\n\nA mask has one bit for each kind, bit *k* for kind *k* (`mjsettle.tiles`).\n\n"
        + table(("tile", "", "kind"), kinds)
        + "## Constants\n\nMasks and numbers of `mjsettle.columns`.\n\n"
        + table(("name", ""), masks)
        + "## Helpers\n\n"
        + _functions(helpers())
        + f"## Place\n\n{doc_of(columns.Place)}\n\n"
        + table(("name", "value", ""), places)
    )


def helpers() -> list[Callable[..., Any]]:
    """The public functions of mjsettle.columns, and the table that `lookup` takes."""
    own = [found for name, found in vars(columns).items() if getattr(found, "__module__", "") == columns.__name__]
    functions = [found for found in own if inspect.isfunction(found) and not found.__name__.startswith("_")]
    return [*functions, columns.Table]
