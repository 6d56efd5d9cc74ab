"""The addresses of the server. Each reads a request, calls one function, and answers with what that returns."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from problex._util.packages import import_optional
from problex.matching import LANGUAGES, NEGATIONS
from problex.workbench.server import files, screens
from problex.workbench.server.answers import Handler, as_json, body_of, call, route, started
from problex.workbench.views import start as start_views
from problex.workbench.workbench import Workbench

PAGE = Path(__file__).parent.parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}


# -- the page


def page_file(name: str) -> Response:
    """A file of the page; nothing outside its folder."""
    try:
        path = (PAGE / name).resolve()
        is_known = path.is_relative_to(PAGE.resolve()) and path.is_file() and path.suffix in TYPES
    except (OSError, ValueError):  # a name that no file can have
        is_known = False
    if not is_known:
        return as_json({"error": f"there is no page {name[:80]!r}"}, 404)
    return Response(path.read_bytes(), media_type=TYPES[path.suffix])


async def index(bench: Workbench, request: Request) -> Response:
    """The page."""
    return page_file("index.html")


async def static(bench: Workbench, request: Request) -> Response:
    """The scripts and styles of the page."""
    return page_file(request.path_params["name"])


@lru_cache(maxsize=1)
def vega_bundle() -> bytes:
    """Vega, Vega-Lite and Vega-Embed as one script."""
    return bytes(import_optional("vl_convert", "a chart").javascript_bundle().encode())


async def vega(bench: Workbench, request: Request) -> Response:
    """The script that draws charts."""
    return Response(await call(vega_bundle), media_type=TYPES[".js"])


# -- state and events


async def state(bench: Workbench, request: Request) -> Response:
    """What the frame shows."""
    return as_json(await call(bench.state))


async def events(bench: Workbench, request: Request) -> Response:
    """The stream of events."""
    hello = {"revision": None if bench.opened is None else bench.opened.log.revision}
    return StreamingResponse(bench.events.stream(hello), media_type="text/event-stream")


async def job(bench: Workbench, request: Request) -> Response:
    """One job."""
    return as_json(bench.jobs.find(request.path_params["name"]).record())


async def cancel_job(bench: Workbench, request: Request) -> Response:
    """Stop a job."""
    return as_json(bench.jobs.cancel(request.path_params["name"]).record())


# -- start


async def upload(bench: Workbench, request: Request) -> Response:
    """A file."""
    name, kind = request.query_params.get("name", ""), request.query_params.get("kind", "texts")
    return as_json((await bench.uploads.receive(name, kind, request.stream())).record())


async def peek_texts(bench: Workbench, request: Request) -> Response:
    """The first rows of a file, and its columns."""
    return as_json(await call(start_views.peek_texts, bench, request.path_params["name"], dict(request.query_params)))


async def peek_lexicon(bench: Workbench, request: Request) -> Response:
    """The lists of a lexicon, and its problems."""
    return as_json(await call(start_views.peek_lexicon, bench, await body_of(request)))


async def learn(bench: Workbench, request: Request) -> Response:
    """Begin a session."""
    return started(await call(start_views.learn, bench, await body_of(request)))


async def demo(bench: Workbench, request: Request) -> Response:
    """Open the demo."""
    return started(bench.demo())


async def sessions(bench: Workbench, request: Request) -> Response:
    """The sessions of the data folder."""
    return as_json(await call(start_views.sessions, bench))


async def open_session(bench: Workbench, request: Request) -> Response:
    """Open a session."""
    return started(await call(start_views.open_session, bench, await body_of(request)))


async def relink(bench: Workbench, request: Request) -> Response:
    """Texts for a session whose own were lost."""
    return started(await call(start_views.relink, bench, await body_of(request)))


async def languages(bench: Workbench, request: Request) -> Response:
    """The languages that texts can have."""
    known = [{"code": code, "name": language.name} for code, language in LANGUAGES.items()]
    return as_json({"languages": known, "negations": list(NEGATIONS)})


GET: dict[str, Handler] = {
    "/": index,
    "/static/vega.js": vega,
    "/static/{name:path}": static,
    "/api/state": state,
    "/api/events": events,
    "/api/jobs/{name}": job,
    "/api/uploads/{name}/peek": peek_texts,
    "/api/sessions": sessions,
    "/api/languages": languages,
}
POST: dict[str, Handler] = {
    "/api/jobs/{name}/cancel": cancel_job,
    "/api/uploads": upload,
    "/api/lexicon/peek": peek_lexicon,
    "/api/learn": learn,
    "/api/demo": demo,
    "/api/sessions/open": open_session,
    "/api/sessions/relink": relink,
}


def routes(bench: Workbench) -> list[BaseRoute]:
    """All addresses."""
    tables = {"GET": GET | screens.GET | files.GET, "POST": POST | screens.POST | files.POST}
    return [route(path, handler, bench, method) for method, table in tables.items() for path, handler in table.items()]
