"""Rounds through a queue: settled once each, whatever is killed.

``Client`` is a room's side, ``Batches`` sends large files, ``worker.SettleWorker`` settles. What is promised, and what
is not, is written down in docs/guarantees.md.
"""

from __future__ import annotations

from mjsettle_workers.client import Client
from mjsettle_workers.fanout import BatchError, Batches, Progress
from mjsettle_workers.outgoing import NoAnswerError, QueueFullError, RoundsTooLongError
from mjsettle_workers.settings import Settings, SettingsError, load_settings

__version__ = "0.1.0"

__all__ = [
    "BatchError",
    "Batches",
    "Client",
    "NoAnswerError",
    "Progress",
    "QueueFullError",
    "RoundsTooLongError",
    "Settings",
    "SettingsError",
    "__version__",
    "load_settings",
]
