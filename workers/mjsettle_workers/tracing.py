"""OpenTelemetry spans of drains and batches: the extra ``tracing`` and ``MJSETTLE_TRACING=true`` switch them on.

Where spans go is said by OpenTelemetry's own variables (``OTEL_EXPORTER_OTLP_ENDPOINT`` …). A work horse sets tracing
up after it was forked, since exporter threads do not outlive a fork, and sends what it has before it ends.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from mjsettle_workers.settings import Settings, SettingsError

IDS_MAX = 256
"""Round ids noted on one span."""
FLUSH_MS = 2_000
"""How long the end of a drain waits for the collector."""

_tracer: Any = None


def _modules() -> tuple[Any, Any, Any, Any]:
    """OpenTelemetry's SDK, resources, processors and exporter. SettingsError where the extra is missing."""
    try:
        trace = importlib.import_module("opentelemetry.sdk.trace")
        resources = importlib.import_module("opentelemetry.sdk.resources")
        export = importlib.import_module("opentelemetry.sdk.trace.export")
        otlp = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError as error:
        told = f"MJSETTLE_TRACING: found true, expected the extra to be installed: {error}"
        raise SettingsError(f"{told}; pip install 'mjsettle-workers[tracing]'") from error
    return trace, resources, export, otlp


def require(settings: Settings) -> None:
    """Raise SettingsError at once if the settings ask for spans that cannot be made."""
    if settings.tracing:
        _modules()


@contextmanager
def session(settings: Settings) -> Iterator[None]:
    """Spans on for the time of the block, if the settings ask for them."""
    global _tracer
    if not settings.tracing:
        yield
        return
    trace, resources, export, otlp = _modules()
    name = os.environ.get("OTEL_SERVICE_NAME", "mjsettle-worker")
    provider = trace.TracerProvider(resource=resources.Resource.create({"service.name": name}))
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    _tracer = provider.get_tracer("mjsettle_workers")
    try:
        yield
    finally:
        _tracer = None
        provider.force_flush(FLUSH_MS)
        provider.shutdown()


def span(name: str, **attributes: Any) -> AbstractContextManager[Any]:
    """A span around the block; nothing outside of a session."""
    if _tracer is None:
        return nullcontext()
    named = {f"mjsettle.{key}": value for key, value in attributes.items()}
    return _tracer.start_as_current_span(name, attributes=named)  # type: ignore[no-any-return]


def tracing() -> bool:
    """Whether spans are noted; spares the work of gathering their attributes."""
    return _tracer is not None
