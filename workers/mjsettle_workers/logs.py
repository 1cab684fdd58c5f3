"""Log lines for people (text) or for collectors (one JSON object a line, with ``round_id`` where there is a round)."""

from __future__ import annotations

import importlib
import logging

import redis

from mjsettle_workers.connection import explained
from mjsettle_workers.settings import Settings, SettingsError

TEXT = "%(asctime)s %(levelname)s %(name)s %(message)s"
FIELDS = ("asctime", "levelname", "name", "message", "process")


def without_traceback(record: logging.LogRecord) -> bool:
    """Let the record through; a server that is away is a line of it, where RQ gives the traceback of each command."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        record.msg, record.args = "%s %s", (record.getMessage(), explained(error))
        record.exc_info = None
    return True


def configure(settings: Settings, *, verbose: bool = False) -> None:
    """Send log lines to stderr in the format of the settings. SettingsError where the extra ``logs`` is missing."""
    handler = logging.StreamHandler()
    if settings.log_format == "json":
        try:
            json = importlib.import_module("pythonjsonlogger.json")
        except ImportError as error:
            raise SettingsError(
                "MJSETTLE_LOG_FORMAT: found json, expected the extra to be installed: "
                "pip install 'mjsettle-workers[logs]'"
            ) from error
        renamed = {"asctime": "time", "levelname": "level", "name": "logger"}
        handler.setFormatter(
            json.JsonFormatter(
                " ".join(f"%({name})s" for name in FIELDS), rename_fields=renamed, json_ensure_ascii=False
            )
        )
    else:
        handler.setFormatter(logging.Formatter(TEXT))
    logging.getLogger("rq.worker").addFilter(without_traceback)
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    logging.basicConfig(level=min(level, logging.INFO) if verbose else level, handlers=[handler], force=True)
