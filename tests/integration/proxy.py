"""A connection that is cut and slowed: a TCP port in front of a server's socket."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from pathlib import Path


class LossyProxy:
    """Forwards ``url`` to a Unix socket; ``cut`` drops every connection, ``stall`` holds them up."""

    def __init__(self, upstream: Path) -> None:
        self.upstream = upstream
        self.cuts = 0
        self._stalled_until = 0.0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Drop every connection, in the middle of whatever it carries."""
        with self._lock:
            self.cuts += len(self._open)
            for one in self._open:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def stall(self, seconds: float) -> None:
        """Deliver nothing for a while."""
        self._stalled_until = time.monotonic() + seconds

    def close(self) -> None:
        """Stop for good."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(str(self.upstream))
            except OSError:
                near.close()
                far.close()
                continue
            with self._lock:
                self._open |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                while time.monotonic() < self._stalled_until:
                    time.sleep(0.01)
                sink.sendall(data)
        except OSError:
            pass
        finally:
            with self._lock:
                self._open -= {source, sink}
            for one in (source, sink):
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            source.close()
