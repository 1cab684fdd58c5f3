from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Any

import pytest

from mjsettle_workers import connection
from mjsettle_workers.embedded import DURABLE, EmbeddedServer, find_server
from mjsettle_workers.settings import DEFAULT_URL, Settings, SettingsError, load_settings
from mjsettle_workers.testing import running_server


def test_settings_come_from_the_environment_and_are_typed() -> None:
    found = load_settings({"MJSETTLE_BATCH_MAX": "64", "MJSETTLE_BUDGET_S": "1.5", "MJSETTLE_UNSAFE_SERVER": "true"})
    assert (found.batch_max, found.budget_s, found.unsafe_server) == (64, 1.5, True)
    assert load_settings({}, prefix=None, queue="q") == Settings(queue="q")


def test_every_wrong_setting_is_named_at_once() -> None:
    with pytest.raises(SettingsError) as wrong:
        load_settings({"MJSETTLE_BATCH_MAX": "many", "MJSETTLE_KEEP_DAYS": "0", "MJSETTLE_JUDGE": "mjsettle"})
    for name in ("MJSETTLE_BATCH_MAX", "MJSETTLE_KEEP_DAYS", "MJSETTLE_JUDGE"):
        assert name in str(wrong.value)


def test_a_judge_may_not_take_longer_than_its_rounds_are_left_to_it() -> None:
    with pytest.raises(SettingsError, match="still being judged"):
        load_settings({"MJSETTLE_JUDGE_LIMIT_S": "10", "MJSETTLE_CLAIM_IDLE_MS": "9000"})


def test_an_unknown_setting_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        load_settings({"MJSETTLE_BATCHMAX": "3"})
    assert "MJSETTLE_BATCHMAX" in caplog.text


def test_without_a_url_the_embedded_server_of_the_state_folder_is_found(tmp_path: Path) -> None:
    assert load_settings({"MJSETTLE_HOME": str(tmp_path)}).url == DEFAULT_URL
    (tmp_path / "server.url").write_text("unix:///x.sock?db=0\n")
    assert load_settings({"MJSETTLE_HOME": str(tmp_path)}).url == "unix:///x.sock?db=0"
    assert load_settings({"MJSETTLE_HOME": str(tmp_path), "MJSETTLE_REDIS_URL": "redis://h"}).url == "redis://h"


class Server:
    """A server that says of itself what it is told to."""

    def __init__(self, snapshots: str = "", **info: Any) -> None:
        self.snapshots = snapshots
        self.facts = {"redis_version": "7.2.4", "aof_enabled": 1, "maxmemory": 1, "maxmemory_policy": "noeviction"}
        self.facts |= info

    def info(self, section: str = "") -> dict[str, Any]:
        return self.facts

    def config_get(self, name: str) -> dict[str, str]:
        return {name: self.snapshots}


@pytest.mark.parametrize(
    ("server", "refused"),
    [
        (Server(maxmemory_policy="allkeys-lru"), "maxmemory-policy: found allkeys-lru"),
        (Server(maxmemory_policy="volatile-ttl"), "maxmemory-policy: found volatile-ttl"),
        (Server(aof_enabled=0), "appendonly: found no and no snapshots"),
        (Server(redis_version="6.2.1"), "server version: found 6.2.1"),
    ],
)
def test_a_server_that_may_lose_rounds_is_refused_by_name(server: Any, refused: str) -> None:
    with pytest.raises(connection.ServerError, match=refused):
        connection.check_server(server, Settings())


@pytest.mark.parametrize(
    ("server", "warned"),
    [
        (Server(aof_enabled=0, snapshots="3600 1"), "appendonly"),
        (Server(maxmemory=0), "maxmemory: found none"),
        (Server(maxmemory=0, maxmemory_policy="allkeys-lru"), "maxmemory-policy"),
    ],
)
def test_a_server_that_is_only_unwise_is_warned_about(
    server: Any, warned: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        connection.check_server(server, Settings())
    assert warned in caplog.text


def test_an_unsafe_server_can_be_allowed(caplog: pytest.LogCaptureFixture) -> None:
    unsafe: Any = Server(aof_enabled=0)
    with caplog.at_level(logging.WARNING):
        connection.check_server(unsafe, Settings(unsafe_server=True))
    assert "appendonly" in caplog.text


def test_our_own_server_is_durable_and_keeps_its_data(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 40)  # longer than a socket's path may be
    for kill in (True, False):
        with running_server(folder, {"appendfsync": "always"}) as server:
            client = connection.connect(load_settings({}, redis_url=server.url))
            assert connection.server_faults(client)[0] == []
            assert client.config_get("maxmemory-policy")["maxmemory-policy"] == DURABLE["maxmemory-policy"]
            assert client.incr("starts") == (1 if kill else 2)
            client.close()
            assert EmbeddedServer(folder).is_running()
            if kill:
                server.kill()
    assert not EmbeddedServer(folder).is_running()


def test_sentinels_are_asked_for_the_master() -> None:
    settings = load_settings({}, redis_url="redis+sentinel://one:26380,two/bank?db=3")
    pool: Any = connection.connect(settings).connection_pool
    assert pool.service_name == "bank"
    assert pool.connection_kwargs["db"] == 3
    hosts = [
        (s.connection_pool.connection_kwargs["host"], s.connection_pool.connection_kwargs["port"])
        for s in pool.sentinel_manager.sentinels
    ]
    assert hosts == [("one", 26380), ("two", 26379)]


def test_users_and_tls_of_a_url_with_sentinels_are_the_masters(tmp_path: Path) -> None:
    authority = tmp_path / "ca.crt"
    authority.touch()
    url = (
        "rediss+sentinel://worker:p%40ss@one,two:26380/bank"
        f"?db=2&ssl_ca_certs={authority}&sentinel_username=watch&sentinel_password=other"
    )
    settings = load_settings({}, redis_url=url)
    pool: Any = connection.connect(settings).connection_pool
    kwargs = pool.connection_kwargs
    assert (kwargs["username"], kwargs["password"], kwargs["db"]) == ("worker", "p@ss", 2)
    assert pool.connection_class.__name__ == "SentinelManagedSSLConnection"
    assert (kwargs["ssl_ca_certs"], kwargs["ssl_check_hostname"]) == (str(authority), True)
    for sentinel, place in zip(pool.sentinel_manager.sentinels, [("one", 26379), ("two", 26380)], strict=True):
        own = sentinel.connection_pool.connection_kwargs
        assert (own["host"], own["port"]) == place
        assert (own["username"], own["password"], own["ssl_ca_certs"]) == ("watch", "other", str(authority))
    assert "p%40ss" not in settings.shown_url
    assert "other" not in settings.shown_url
    assert settings.shown_url.startswith("rediss+sentinel://one,two:26380/bank?db=2")


def test_a_file_of_cas_that_is_missing_is_named() -> None:
    with pytest.raises(SettingsError, match=r"MJSETTLE_REDIS_URL: found ssl_ca_certs=/nowhere/ca\.crt"):
        load_settings({}, redis_url="rediss://h/0?ssl_ca_certs=/nowhere/ca.crt")


def test_the_server_to_start_can_be_named(tmp_path: Path) -> None:
    own = tmp_path / "my-server"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o700)
    assert find_server({"MJSETTLE_SERVER_BINARY": str(own)}) == str(own)
    with pytest.raises(connection.ServerError, match=r"MJSETTLE_SERVER_BINARY: found '/nowhere'"):
        find_server({"MJSETTLE_SERVER_BINARY": "/nowhere"})


@pytest.mark.parametrize(
    "url",
    [
        "redis://h/0?ssl_ca_certs=/etc/hosts",
        "redis://h/0?timeouts=3",
        "redis+sentinel://h/m?x=1",
        "http://h",
        "redis://h:p",
    ],
)
def test_a_url_that_cannot_be_read_is_named(url: str) -> None:
    with pytest.raises(SettingsError, match=r"MJSETTLE_REDIS_URL: found \w+"):
        connection.connect(load_settings({}, redis_url=url))


@pytest.mark.parametrize(
    "url",
    [
        "redis://worker:s3cret/x@host:6379/0",
        "redis://worker:s3cret#x@host:6379/0",
        "redis://worker:s3cret?x@host:6379/0",
        "redis://worker:[s3cret@host:6379/0",
        "redis://worker:s3cret]@host:6379/0",
        "worker:s3cret@host:6379",
        "redis://host:6379/0?PASSWORD=s3cret",
    ],
)
def test_a_url_that_cannot_be_read_is_told_without_its_password(url: str) -> None:
    with pytest.raises(SettingsError, match=r"MJSETTLE_REDIS_URL: found .* cannot be read") as told:
        connection.connect(load_settings({}, redis_url=url))
    assert "s3cret" not in "".join(traceback.format_exception(told.value))


def test_characters_that_a_password_in_a_url_must_not_have_are_named() -> None:
    with pytest.raises(SettingsError, match="write / as %2F"):
        connection.connect(load_settings({}, redis_url="redis://worker:p/w@host:6379/0"))
