"""The desk on a port of loopback for the time of a block, and a browser without scripts for it."""

from __future__ import annotations

import http.cookiejar
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from typing import Any

import uvicorn

from mjsettle.settle import Engine
from mjsettle_workers.desk import Source, create_app


@dataclass
class Answer:
    status_code: int
    text: str
    headers: Message


class Pages:
    """Fetches pages and keeps cookies."""

    def __init__(self, url: str) -> None:
        self.url = url
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)

    def get(
        self, path: str, params: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        query = f"?{urllib.parse.urlencode(params)}" if params else ""
        request = urllib.request.Request(self.url + path + query, headers=dict(headers or {}))
        try:
            with self._opener.open(request, timeout=60) as found:
                return Answer(found.status, found.read().decode(), found.headers)
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.read().decode(), error.headers)


@contextmanager
def serving(engine: Engine, sources: Any = ()) -> Iterator[Pages]:
    """The desk over these sources."""
    listed: list[Source] = list(sources)
    server = uvicorn.Server(
        uvicorn.Config(create_app(engine, listed), host="127.0.0.1", port=0, log_level="error", ws="none")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the desk did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Pages(f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        thread.join()
