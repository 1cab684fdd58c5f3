from mjsettle_workers.fixtures import client, desk, server, settings, worker_log

__all__ = ["client", "desk", "server", "settings", "worker_log"]
