"""Connections to Redis or Valkey, and the checks that a server must pass before money depends on it."""

from __future__ import annotations

import logging
import re
import time
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

import redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.connection import parse_url
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError, Sentinel

from mjsettle.errors import MjsettleError
from mjsettle_workers.settings import ESCAPE_ADVICE, Settings, SettingsError

log = logging.getLogger(__name__)

SENTINELS = ("redis+sentinel", "rediss+sentinel")
CA_ADVICE = (
    "name the file of the CA that signed the server's certificate in the URL, rediss://…?ssl_ca_certs=/path/ca.crt, "
    "and the server by a name that its certificate bears"
)
OLDEST_SERVER = (7, 0)
LOADING_LOOK_S = 0.5
"""Time between two looks at a server that loads its file."""
REFUSALS = re.compile(r"\b(OOM|MISCONF|READONLY|NOREPLICAS|EXECABORT|LOADING|MASTERDOWN|BUSY)\b")
"""Words by which a server says that it cannot write at present; in a pipeline they follow the command's number."""


class ServerError(MjsettleError, RuntimeError):
    """A server on which rounds could be lost or paid twice."""


def connect(settings: Settings) -> redis.Redis:
    """A connection pool for ``settings.url``; commands that meet a broken connection are tried thrice.

    That is safe for everything the workers send: what changes state is gated by the acknowledgement of an entry or
    absorbed by the round's id. Raises SettingsError for a URL that cannot be read.
    """
    try:
        opened = _open(settings)
        pool = opened.connection_pool
        pool.connection_class(**pool.connection_kwargs)  # connects to nothing yet, but reads every option
    except (TypeError, ValueError) as error:
        found = f"MJSETTLE_REDIS_URL: found {settings.shown_url}, which cannot be read"
        if "@" in settings.url and "@" not in urlsplit(settings.url).netloc:
            raise SettingsError(f"{found}; {ESCAPE_ADVICE}") from None  # what it says has a part of the password
        raise SettingsError(f"{found}: {error}") from error
    return opened


def _open(settings: Settings) -> redis.Redis:
    options: dict[str, Any] = {
        "protocol": 2,
        "socket_timeout": settings.socket_timeout_s,
        "socket_connect_timeout": settings.socket_timeout_s,
        "socket_keepalive": True,
        "retry": Retry(ExponentialBackoff(cap=0.5, base=0.05), 3),
    }
    url = urlsplit(settings.url)
    if url.scheme in SENTINELS:
        return _behind_sentinels(url, options)
    if url.scheme == "unix":
        del options["socket_keepalive"]
    elif url.scheme == "rediss":
        options["ssl_check_hostname"] = True  # which redis-py before 6 did not do by itself
    return redis.Redis.from_url(settings.url, **options)


def _behind_sentinels(url: SplitResult, options: dict[str, Any]) -> redis.Redis:
    """The master that the sentinels name; user, password and the TLS options of the URL are the master's.

    ``sentinel_username`` and ``sentinel_password`` in its query are the sentinels' own. With TLS both use it.
    """
    user, _, places = url.netloc.rpartition("@")
    hosts = [(host, int(port or 26_379)) for host, _, port in (part.partition(":") for part in places.split(","))]
    plain = url._replace(scheme="redis", netloc=f"{user}@sentinels" if user else "sentinels", path="")
    if url.scheme.startswith("rediss"):
        options |= {"ssl": True, "ssl_check_hostname": True}
    found: dict[str, Any] = {**options, **parse_url(plain.geturl())}  # type: ignore[no-untyped-call]
    del found["host"]
    own = {name: found.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    own |= {name: value for name, value in found.items() if name.startswith(("socket_", "ssl"))}
    own["retry"] = Retry(NoBackoff(), 0)  # one that is lost with the master's machine must not hold up the others
    sentinel: Any = Sentinel(hosts, sentinel_kwargs=own)  # type: ignore[no-untyped-call]
    return cast("redis.Redis", sentinel.master_for(url.path.strip("/") or "mymaster", **found))


def explained(error: Exception) -> str:
    """What a connection failed for, and what to do where a certificate is not trusted."""
    text = str(error).rstrip(". ")
    if isinstance(error, MasterNotFoundError):
        text = re.sub(r"<.*> - ", "", text)  # every option of the connection to a sentinel
    return f"{text}; {CA_ADVICE}" if "CERTIFICATE_VERIFY_FAILED" in text else text


def server_seconds(connection: redis.Redis) -> int:
    """The server's clock, whole UTC seconds: the only clock by which rounds are judged old or early."""
    return int(connection.time()[0])


def server_ms(connection: redis.Redis) -> int:
    """The server's clock in milliseconds."""
    seconds, microseconds = connection.time()
    return int(seconds) * 1_000 + int(microseconds) // 1_000


def run_id(connection: redis.Redis) -> str:
    """What tells one run of a server from every other."""
    return str(connection.info("server").get("run_id"))


def is_refusal(error: redis.ResponseError) -> bool:
    """Whether the server refused to write for want of memory, disk or replicas, rather than for a wrong command."""
    return isinstance(error, redis.OutOfMemoryError | redis.ReadOnlyError) or bool(REFUSALS.search(str(error)))


def server_faults(connection: redis.Redis) -> tuple[list[str], list[str]]:
    """What makes the server unfit to hold settlements: (reasons to refuse it, reasons to warn).

    Raises BusyLoadingError while it loads its file, when it says of itself what will not hold.
    """
    info = connection.info()
    if int(info.get("loading", 0)):
        raise redis.BusyLoadingError("the server is loading its file")
    refuse: list[str] = []
    warn: list[str] = []
    version = str(info.get("valkey_version") or info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SERVER:
        refuse.append(f"server version: found {version}, expected Redis 7 or newer, or Valkey")
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        limit = int(info.get("maxmemory", 0))
        told = f"maxmemory-policy: found {policy}, expected noeviction, for evicted ids would be paid twice"
        (refuse if limit else warn).append(told + ("" if limit else " (no maxmemory is set yet)"))
    if not int(info.get("aof_enabled", 0)):
        if _saves_snapshots(connection):
            warn.append("appendonly: found no, expected yes; a crash loses everything since the last snapshot")
        else:
            refuse.append("appendonly: found no and no snapshots either, expected yes; a restart would forget paid ids")
    if not int(info.get("maxmemory", 0)):
        warn.append("maxmemory: found none, expected a limit below the machine's memory, so that a backlog is refused")
    return refuse, warn


def _saves_snapshots(connection: redis.Redis) -> bool:
    try:
        return bool(cast("dict[str, str]", connection.config_get("save")).get("save"))
    except redis.ResponseError:  # CONFIG is closed on many managed servers; they make snapshots of their own
        return True


def wait_while_loading(connection: redis.Redis, settings: Settings) -> None:
    """Wait until the server has loaded its file, which takes it minutes where it holds many days."""
    said = False
    while int(connection.info("persistence").get("loading", 0)):
        if not said:
            log.warning("the server at %s is loading its file: waiting until it has", settings.shown_url)
        said = True
        time.sleep(LOADING_LOOK_S)


def check_server(connection: redis.Redis, settings: Settings) -> None:
    """Refuse a server that may lose or evict settlements (ServerError names every reason), or warn where allowed.

    One that is loading its file is waited for.
    """
    wait_while_loading(connection, settings)
    refuse, warn = server_faults(connection)
    if refuse and not settings.unsafe_server:
        raise ServerError(
            "; ".join(refuse) + ". Set the server right, or MJSETTLE_UNSAFE_SERVER=true if rounds may be lost"
        )
    for reason in refuse + warn:
        log.warning("%s", reason)
