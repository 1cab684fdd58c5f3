"""Why a server does not do what it was asked, in one line for people: it is away, loads its file, or lets nobody in."""

from __future__ import annotations

import re

import redis

from mjsettle.errors import MjsettleError
from mjsettle_workers.connection import explained
from mjsettle_workers.settings import Settings

DENIALS = (
    redis.AuthenticationError,
    redis.exceptions.AuthenticationWrongNumberOfArgsError,
    redis.exceptions.AuthorizationError,
    redis.exceptions.NoPermissionError,
)
DENIED_IN_SCRIPT = re.compile(r"(?i)\bNOPERM\b|ACL failure in script|no permissions to run")


class AccessError(MjsettleError, RuntimeError):
    """A server that does not know the user, or does not allow the user what was asked: trying again does not help."""


def is_denial(error: Exception) -> bool:
    """Whether the server refuses the user, rather than to write or to answer at all."""
    if isinstance(error, DENIALS):
        return True
    return isinstance(error, redis.ResponseError) and bool(DENIED_IN_SCRIPT.search(str(error)))


def told(error: Exception, settings: Settings) -> str:
    """What is wrong with the server of ``settings`` and what to do, without a password."""
    where = settings.shown_url
    if isinstance(error, redis.BusyLoadingError):
        return f"the server at {where} is loading its file; wait until it has"
    if is_denial(error):
        return f"the server at {where} refuses user {settings.user}: {explained(error)}; see MJSETTLE_REDIS_URL"
    if isinstance(error, redis.ResponseError):
        return f"the server at {where} answers: {explained(error)}"
    advice = "start one by `mjsettle worker --embedded`, or set MJSETTLE_REDIS_URL"
    return f"no server at {where}: {explained(error)}; {advice}"
