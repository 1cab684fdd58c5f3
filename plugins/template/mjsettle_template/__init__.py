"""A house fan for Guangdong mahjong: the plugin to copy. The fan is off until a round switches it on."""

from mjsettle.columns import SIMPLES, Col
from mjsettle.fans import Fan
from mjsettle.hookspecs import hookimpl
from mjsettle.options import Option, Options


def all_simples(held1: Col) -> Col:
    """No terminals and no honours in the whole hand, wilds as what they stand for."""
    return (held1 & ~SIMPLES) == 0


@hookimpl
def extends() -> list[str]:
    return ["guangdong"]


@hookimpl
def options(rule: str) -> list[Option]:
    return [Option("all_simples", False, "断幺加倍", "a hand without terminals and honours doubles")]


@hookimpl
def fans(rule: str, options: Options) -> list[Fan]:
    return [Fan("all_simples", "断幺", 2, all_simples, "all simples")] if options.all_simples else []
