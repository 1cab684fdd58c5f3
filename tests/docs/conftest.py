from mjsettle_workers.fixtures import client, server, settings

__all__ = ["client", "server", "settings"]
