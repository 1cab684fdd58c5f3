"""The desk as an ASGI application: server-rendered pages, one small script, nothing from elsewhere."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import jinja2
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from mjsettle.describe import summaries
from mjsettle.pictures import round_svg, sprite
from mjsettle.settle import Engine
from mjsettle.tiles import CHINESE, CODES
from mjsettle_workers.desk.forms import VIEWS, HandForm
from mjsettle_workers.desk.hands import looked_at
from mjsettle_workers.desk.settlement import SettlementView, tiles_of
from mjsettle_workers.desk.sources import Settlement, Source, SourceDown
from mjsettle_workers.desk.words import LANGUAGES, Words

log = logging.getLogger(__name__)
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_KEPT: Final = {"Cache-Control": "max-age=3600"}


class Desk:
    """The pages. One request at a time looks at rounds, since engines and indexes are not for threads."""

    def __init__(self, engine: Engine, sources: Sequence[Source]) -> None:
        self.engine = engine
        self.sources = sources
        self.lock = threading.Lock()
        self.pages = jinja2.Environment(
            loader=jinja2.PackageLoader("mjsettle_workers.desk"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.pages.globals.update(chinese=_label, tiles_of=tiles_of, views=VIEWS, signed=_signed)

    def page(self, request: Request, name: str, status: int = 200, **shown: Any) -> Response:
        words = _words(request)
        lang_links = {lang: str(request.url.include_query_params(lang=lang)) for lang in LANGUAGES}
        html = self.pages.get_template(name).render(
            words=words, lang=words.lang, lang_links=lang_links, path=request.url.path, sources=self.sources, **shown
        )
        response = HTMLResponse(html, status, _HEADERS)
        if request.query_params.get("lang") in LANGUAGES:
            response.set_cookie("lang", words.lang, max_age=31_536_000, samesite="lax", httponly=True)
        return response

    def home(self, request: Request) -> Response:
        recent: list[str] = []
        down = []
        with self.lock:
            for source in self.sources:
                try:
                    recent += source.recent()
                except SourceDown as error:
                    down.append(f"{source.name}: {error}")
        return self.page(request, "home.html", recent=recent, down=down, id="", missing=False)

    def settlement(self, request: Request) -> Response:
        ident = request.query_params.get("id", "").strip()
        if not ident:
            return self.home(request)
        with self.lock:
            found, down = self._find(ident)
            if found is None:
                status = 503 if down else 404
                return self.page(request, "home.html", status, recent=[], down=down, id=ident, missing=not down)
            result, now = self._judged(found)
            view = SettlementView(self.engine, found.record, result, _words(request))
            return self.page(request, "settlement.html", view=view, id=ident, judged_now=now)

    def picture(self, request: Request) -> Response:
        with self.lock:
            found, _ = self._find(request.query_params.get("id", ""))
            if found is None:
                raise HTTPException(404)
            svg = round_svg(found.record, self._judged(found)[0], _words(request).lang)
        # A picture styles itself by attributes; nothing in it may load or run anything.
        headers = {**_HEADERS, "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    def _find(self, ident: str) -> tuple[Settlement | None, list[str]]:
        down = []
        for source in self.sources:
            try:
                if (found := source.find(ident)) is not None:
                    return found, []
            except SourceDown as error:
                down.append(f"{source.name}: {error}")
        return None, down

    def _judged(self, found: Settlement) -> tuple[dict[str, Any], bool]:
        """The recorded result, or the one that the installed rules give; and whether it is the latter."""
        if found.result is not None:
            return found.result, False
        return self.engine.settle([found.record])[0], True

    def hand(self, request: Request) -> Response:
        with self.lock:
            form = HandForm(self.engine, request.query_params, _words(request))  # type: ignore[arg-type]
            told = looked_at(form)
            return self.page(request, "hand.html", form=form, told=told, rules=summaries(self.engine))

    def not_found(self, request: Request, error: Exception) -> Response:
        return self.page(request, "error.html", 404, title="no_page", help="")

    def failed(self, request: Request, error: Exception) -> Response:
        log.exception("the desk failed at %s", request.url.path, exc_info=error)
        return self.page(request, "error.html", 500, title="failed", help="failed_help")


def create_app(engine: Engine, sources: Sequence[Source] = ()) -> Starlette:
    """The desk over an engine and the sources to look settlements up in, asked in their order."""
    desk = Desk(engine, sources)
    return Starlette(
        routes=[
            Route("/", desk.home),
            Route("/settlement", desk.settlement),
            Route("/settlement.svg", desk.picture),
            Route("/hand", desk.hand),
            Route("/tiles.svg", _kept("image/svg+xml", sprite)),
            Route("/desk.css", _kept("text/css", lambda: _static("desk.css"))),
            Route("/desk.js", _kept("text/javascript", lambda: _static("desk.js"))),
            Route("/icon.svg", _kept("image/svg+xml", lambda: _static("icon.svg"))),
            Route("/healthz", lambda request: PlainTextResponse("ok\n")),
        ],
        exception_handlers={404: desk.not_found, 500: desk.failed},
    )


def _kept(media_type: str, content: Callable[[], str]) -> Callable[[Request], Response]:
    made = cache(content)
    return lambda request: Response(made(), media_type=media_type, headers={**_HEADERS, **_KEPT})


def _static(name: str) -> str:
    return (files("mjsettle_workers.desk") / "static" / name).read_text(encoding="utf-8")


def _words(request: Request) -> Words:
    """The language asked for, else that of the last time, else the browser's."""
    for lang in (request.query_params.get("lang"), request.cookies.get("lang")):
        if lang in LANGUAGES:
            return Words(lang)
    return Words("zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en")


def _label(name: str) -> str:
    return f"{name} {CHINESE[CODES[name]]}" if name in CODES else name


def _signed(points: int) -> str:
    return f"{points:+,}" if points else "0"
