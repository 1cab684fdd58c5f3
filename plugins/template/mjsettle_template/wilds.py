"""Another wildcard policy for Guangdong mahjong, behind a switch: a set holds at most one wild tile."""

from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option, Options
from mjsettle.wildcards import WildPolicy


@hookimpl
def extends() -> list[str]:
    return ["guangdong"]


@hookimpl
def options(rule: str) -> list[Option]:
    return [Option("one_wild_per_set", False, "每组一鬼", "a set holds at most one wild tile")]


@hookimpl
def wildcards(rule: str, options: Options) -> WildPolicy | None:
    return WildPolicy(wilds_per_set_max=1) if options.one_wild_per_set else None
