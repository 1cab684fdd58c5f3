"""``python -m mjsettle_workers`` is ``mjsettle worker``."""

from __future__ import annotations

from mjsettle_workers.cli import worker

if __name__ == "__main__":
    worker()
