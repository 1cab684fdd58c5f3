"""mjsettle settles mahjong rounds: who won what, by which fans, and who pays whom.

Some functions here have the name of the module that they are from (`advise`, `readings`, `shanten`, `waits`). What else
such a module has is imported by name, ``from mjsettle.readings import Row, View``; ``import mjsettle.readings as r``
yields the function.
"""

from mjsettle.acceptance import acceptance_batch
from mjsettle.advise import Advice, advise
from mjsettle.errors import Fault, HandError, MjsettleError, NotationError, PluginError, RuleError
from mjsettle.forms import is_win, is_win_batch
from mjsettle.hand_batch import HandBatch, ScoreBatch
from mjsettle.read_hand import Reading, readings
from mjsettle.settle import Engine, load
from mjsettle.shanten import shanten, shanten_batch
from mjsettle.waits import waits, waits_batch

__all__ = [
    "Advice",
    "Engine",
    "Fault",
    "HandBatch",
    "HandError",
    "MjsettleError",
    "NotationError",
    "PluginError",
    "Reading",
    "RuleError",
    "ScoreBatch",
    "acceptance_batch",
    "advise",
    "is_win",
    "is_win_batch",
    "load",
    "readings",
    "shanten",
    "shanten_batch",
    "waits",
    "waits_batch",
]
