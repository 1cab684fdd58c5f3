"""Every switch of the workers, read from ``MJSETTLE_*`` variables; units stand last in the names."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from mjsettle.errors import MjsettleError

log = logging.getLogger(__name__)

PREFIX = "MJSETTLE_"
DEFAULT_URL = "redis://127.0.0.1:6379/0"
ESCAPE_ADVICE = "in its user and password write / as %2F, ? as %3F, # as %23, [ as %5B, ] as %5D and % as %25"
LOG_FORMATS = ("text", "json")
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(MjsettleError, ValueError):
    """Settings that cannot be used; the message lists every one of them."""


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the embedded server keeps its data: ``MJSETTLE_HOME``, else the user's state folder."""
    if home := environ.get("MJSETTLE_HOME"):
        return Path(home)
    if state := environ.get("XDG_STATE_HOME"):
        return Path(state) / "mjsettle"
    return Path.home() / ".local" / "state" / "mjsettle"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The workers' settings. A field ``name`` is read from the variable ``MJSETTLE_NAME``."""

    redis_url: str = ""
    """``redis://``, ``rediss://`` (TLS), ``unix://``, or ``redis+sentinel://host:port,host:port/service`` and
    ``rediss+sentinel://`` likewise; empty: the embedded server of the state folder if one was started there, else
    ``redis://127.0.0.1:6379/0``. TLS trusts the machine's CAs, or those in the file that ``?ssl_ca_certs=`` names."""
    home: str = ""
    """State folder of the embedded server; empty: see ``state_folder``."""
    server_binary: str = ""
    """Which server is started as the embedded one, and by the tests; empty: see ``find_server``."""
    prefix: str = "mjsettle"
    """First part of every key."""
    queue: str = "mjsettle"
    """The one RQ queue that carries the drain jobs."""
    judge: str = "mjsettle:load"
    """``module:factory`` of the judge; anything with ``settle_json(bytes) -> bytes`` will do, for tests and benches."""

    batch_max: int = 256
    """Rounds read, judged and applied in one step."""
    budget_s: float = 2.0
    """How long one drain job works before it hands over to the next."""
    block_ms: int = 250
    """How long one read waits for rounds; bounds how fast a drain notices that it is told to stop."""
    rounds_max: int = 1_000_000
    """Rounds that may wait; the submit script refuses more."""
    round_bytes_max: int = 65_536
    """Length of one round's JSON."""
    part_rounds: int = 250
    """Rounds in one part of a large batch."""

    keep_days: int = 7
    """How long an id is remembered after ``ended_at``; older rounds are refused ``too_old``."""
    ahead_s: int = 86_400
    """How far ``ended_at`` may lie ahead of the server's clock."""
    results_keep_s: int = 604_800
    """How long the results stream keeps what every reader group has read (or nobody reads)."""
    reply_keep_s: int = 86_400
    """How long a room's own results stream lives after its last result."""

    claim_idle_ms: int = 10_000
    """Rounds read by a worker that has not finished them for so long are taken over by another."""
    deliveries_max: int = 5
    """Deliveries, each cut short, after which a round goes to the dead letters; the first is that of its batch."""
    judge_limit_s: float = 5.0
    """How long the judge may take for one batch before its process is ended."""
    wilds_max: int = 8
    """Wild tiles in one hand; more are refused ``too_many_wilds``, for judging them could take minutes."""
    edition_wait_s: float = 10.0
    """How long a round may wait for a worker that has its rule set or edition, before it is refused by name."""
    order_wait_s: float = 300.0
    """How long an ordered room's round waits for a predecessor that never comes."""

    cache_rounds: int = 20_000
    """Answers that a worker keeps in memory, by the whole judged input; 0 switches the cache off."""
    shared_cache_us: int = 0
    """Share answers of batches that took longer than so many microseconds a round through Redis; 0: no shared tier."""
    socket_timeout_s: float = 5.0
    """How long a worker waits for the server's answer."""
    log_format: str = "text"
    """``text`` for people, ``json`` for collectors (one object a line; needs the extra ``logs``)."""
    log_level: str = "warning"
    """``info`` tells of every round that is refused or in conflict, ``debug`` of every round, with its id."""
    tracing: bool = False
    """Send OpenTelemetry spans of drains and batches (needs the extra ``tracing``)."""
    unsafe_server: bool = False
    """Warn about a server that may evict keys or has no persistence, instead of refusing it."""

    def faults(self) -> list[str]:
        """Everything wrong with the settings at once."""
        bounds: list[tuple[str, float, float]] = [
            ("batch_max", 1, 1_000),
            ("budget_s", 0.05, 60),
            ("block_ms", 1, 5_000),
            ("rounds_max", 1, 1e9),
            ("round_bytes_max", 64, 16_777_216),
            ("part_rounds", 1, 1_000),
            ("keep_days", 1, 400),
            ("ahead_s", 0, 31_536_000),
            ("claim_idle_ms", 50, 3_600_000),
            ("deliveries_max", 2, 100),
            ("judge_limit_s", 0.05, 3_600),
            ("wilds_max", 0, 17),
            ("edition_wait_s", 0, 86_400),
            ("order_wait_s", 0, 86_400),
            ("cache_rounds", 0, 10_000_000),
            ("socket_timeout_s", 0.1, 600),
        ]
        wrong = [
            f"{PREFIX}{name.upper()}: found {getattr(self, name)}, expected {low:g} to {high:g}"
            for name, low, high in bounds
            if not low <= getattr(self, name) <= high
        ]
        if self.judge_limit_s * 1_000 >= self.claim_idle_ms:
            wrong.append(
                f"{PREFIX}CLAIM_IDLE_MS: found {self.claim_idle_ms}, expected more than the judge's limit of "
                f"{self.judge_limit_s:g} s, else rounds still being judged are taken over"
            )
        if self.block_ms >= self.socket_timeout_s * 1_000:
            wrong.append(f"{PREFIX}BLOCK_MS: found {self.block_ms}, expected less than the socket timeout")
        for name, choices in (("log_format", LOG_FORMATS), ("log_level", LOG_LEVELS)):
            if getattr(self, name) not in choices:
                told = f"found {getattr(self, name)!r}, expected one of {', '.join(choices)}"
                wrong.append(f"{PREFIX}{name.upper()}: {told}")
        wrong += self._url_faults()
        if ":" not in self.judge:
            wrong.append(f"{PREFIX}JUDGE: found {self.judge!r}, expected module:factory, such as mjsettle:load")
        return wrong

    def _url_faults(self) -> list[str]:
        try:
            files = parse_qs(urlsplit(self.redis_url).query).get("ssl_ca_certs", [])
        except ValueError:  # whose words may have a part of the password
            return [f"{PREFIX}REDIS_URL: found {self.shown_url}, which cannot be read; {ESCAPE_ADVICE}"]
        return [
            f"{PREFIX}REDIS_URL: found ssl_ca_certs={file}, expected the path of a file with CAs"
            for file in files
            if not Path(file).is_file()
        ]

    @property
    def url(self) -> str:
        """The server to use, the embedded one of the state folder included."""
        if self.redis_url:
            return self.redis_url
        socket = self.folder / "server.url"
        return socket.read_text().strip() if socket.exists() else DEFAULT_URL

    @property
    def shown_url(self) -> str:
        """The server without users and passwords, for log lines and messages."""
        named = re.sub(r"(?s)^([\w+.-]*://)?.*@", r"\1", self.url)
        return re.sub(r"(?i)([?&]\w*(?:username|password)=)[^&]*", r"\1…", named)

    @property
    def user(self) -> str:
        """The user that the URL names, by the server's own name for it where the URL names none."""
        url = urlsplit(self.url)
        return unquote(url.username or "") or parse_qs(url.query).get("username", ["default"])[0]

    @property
    def folder(self) -> Path:
        """The state folder."""
        return Path(self.home) if self.home else state_folder()


def load_settings(environ: Mapping[str, str] = os.environ, **overrides: object) -> Settings:
    """Settings from the environment; ``overrides`` that are not None win.

    Raises SettingsError, naming every setting that cannot be used. A ``MJSETTLE_*`` variable that no setting has is
    reported and ignored, since other parts of a deployment may use the same prefix.
    """
    values: dict[str, object] = {}
    wrong: list[str] = []
    kinds = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    for variable, text in environ.items():
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX):
            continue
        if name not in kinds:
            log.warning("%s is not a setting of the workers and is ignored", variable)
            continue
        try:
            values[name] = msgspec.convert(text, kinds[name], strict=False)
        except msgspec.ValidationError:
            wrong.append(f"{variable}: found {text!r}, expected {kinds[name].__name__}")
    values.update({name: value for name, value in overrides.items() if value is not None})
    settings = msgspec.convert(values, Settings)
    wrong += settings.faults()
    if wrong:
        raise SettingsError("; ".join(wrong))
    return settings
