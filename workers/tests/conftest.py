from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from mjsettle_workers.fixtures import client, desk, server, settings, worker_log

__all__ = ["client", "desk", "server", "settings", "worker_log"]

# Other processes share the machine: slowness is no fault of the code under test.
hypothesis_settings.register_profile("workers", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("workers")
