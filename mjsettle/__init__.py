"""mjsettle settles mahjong rounds: who won what, by which fans, and who pays whom."""

from mjsettle.errors import Fault, HandError, MjsettleError, NotationError, PluginError, RuleError
from mjsettle.forms import is_win, is_win_batch
from mjsettle.settle import Engine, load

__all__ = [
    "Engine",
    "Fault",
    "HandError",
    "MjsettleError",
    "NotationError",
    "PluginError",
    "RuleError",
    "is_win",
    "is_win_batch",
    "load",
]
