"""The addresses of the server, and how a request becomes the arguments of a function, and its result an answer.

A function says by the types of its parameters what it needs: the state of the server, the open session, or a record of
`requests`, which is read from the JSON of a request that has some, else from its address. Errors are sentences.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from problex._util.formatting import pluralize
from problex._util.late import import_optional
from problex._util.records import Record, to_json
from problex.errors import ProblexError
from problex.workbench import export
from problex.workbench.background import BusyError, Job, sentence_of
from problex.workbench.guard import BodyTooLargeError
from problex.workbench.open_session import OpenSession
from problex.workbench.requests import Named, Nothing, ScoresFile, read_address, read_body
from problex.workbench.screens import audit, charts, compare, documents, lexicon, start, words
from problex.workbench.server_state import NothingLoadedError, ServerState
from problex.workbench.steps import ConflictError

PAGE = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
STATUSES: dict[type[ProblexError], int] = {NothingLoadedError: 404, ConflictError: 409, BusyError: 409}
"""The status of errors; others are 400."""
MAX_NOTES, MAX_NOTE = 10, 300
"""How many notes go with a file, and how many characters of each: browsers take headers of some kilobytes."""


# -- the page, its state, and files of jobs


def page_file(name: str) -> Response:
    """A file of the page; nothing outside its folder.

    >>> [page_file(name).status_code for name in ("../routes.py", "nothing.js", "a\\0.js")]
    [404, 404, 404]
    """
    try:
        path = (PAGE / name).resolve()
        is_known = path.is_relative_to(PAGE.resolve()) and path.is_file() and path.suffix in TYPES
    except (OSError, ValueError):  # a name that no file can have
        is_known = False
    if not is_known:
        return as_json({"error": f"there is no page {name[:80]!r}"}, 404)
    return Response(path.read_bytes(), media_type=TYPES[path.suffix])


def index() -> Response:
    """The page."""
    return page_file("index.html")


def static(query: Named) -> Response:
    """The scripts and styles of the page."""
    return page_file(query.name)


@lru_cache(maxsize=1)
def vega() -> Response:
    """Vega, Vega-Lite and Vega-Embed as one script, which draws charts."""
    bundle = import_optional("vl_convert", "a chart").javascript_bundle()
    return Response(bundle.encode(), media_type=TYPES[".js"])


def shown(state: ServerState) -> Record:
    """What the frame shows."""
    return state.record()


async def events(state: ServerState) -> Response:
    """The stream of events."""
    hello = {"revision": None if state.opened is None else state.opened.log.revision}
    return StreamingResponse(state.events.stream(hello), media_type="text/event-stream")


def job(state: ServerState, query: Named) -> Record:
    """One job."""
    return state.jobs.find(query.name).record()


def cancel_job(state: ServerState, query: Named) -> Record:
    """Stop a job."""
    return state.jobs.cancel(query.name).record()


async def upload(state: ServerState, request: Request) -> Record:
    """A file."""
    name, kind = request.query_params.get("name", ""), request.query_params.get("kind", "texts")
    return (await state.uploads.receive(name, kind, request.stream())).record()


def make_report(state: ServerState, form: Nothing) -> Job:
    """Write the report."""
    session = state.session
    return state.jobs.start("report", lambda job: state.downloads.add(job.id, export.report(session, job.progress)))


def make_scores(state: ServerState, form: ScoresFile) -> Job:
    """Write the table of scores."""
    session = state.session
    return state.jobs.start(
        "scores", lambda job: state.downloads.add(job.id, export.scores(session, form, job.progress))
    )


def scores(session: OpenSession, query: ScoresFile) -> export.Download:
    """The table of scores, made at once."""
    return export.scores(session, query)


def download(state: ServerState, query: Named) -> Response:
    """A file that a job has made."""
    return as_file(state.downloads.find(query.name), remove=False)


# -- answers


def as_json(value: Record, status: int = 200) -> Response:
    """An answer of plain values.

    >>> as_json({"word": "größer", "share": float("nan")}).body.decode()
    '{"word": "größer", "share": null}'
    """
    return Response(to_json(value)[0].encode("utf-8", "replace"), status, media_type="application/json")


def as_file(download: export.Download, *, remove: bool = True) -> Response:
    """A file as an attachment; it is deleted after it was sent."""
    task = BackgroundTask(download.remove) if remove else None
    headers = {"x-problex-notes": notes_header(download.notes)}
    return FileResponse(
        download.path, media_type="application/octet-stream", filename=download.name, headers=headers, background=task
    )


def notes_header(notes: Sequence[str]) -> str:
    """Notes as a header can hold them: a JSON list of the first sentences, percent-encoded.

    >>> notes_header(["a b"])
    '%5B%22a%20b%22%5D'
    """
    shown = [note[:MAX_NOTE] for note in notes[:MAX_NOTES]]
    if len(notes) > MAX_NOTES:
        shown.append(f"{pluralize(len(notes) - MAX_NOTES, 'more note')}")
    return quote(json.dumps(shown, ensure_ascii=False), safe="")


def as_answer(value: Any) -> Response:
    """The answer of a function's result: a record, columns, a file, a job that has begun, or an answer."""
    if isinstance(value, Response):
        return value
    if isinstance(value, bytes):
        return Response(value, media_type="application/octet-stream")
    if isinstance(value, export.Download):
        return as_file(value)
    return as_json({"job": value.record()}, 202) if isinstance(value, Job) else as_json(value)


def error_answer(state: ServerState, error: Exception) -> Response:
    """An error as an answer: in a sentence.

    >>> from types import SimpleNamespace
    >>> errors = ProblexError("x"), NothingLoadedError("x"), ConflictError("x"), MemoryError("x")
    >>> [error_answer(SimpleNamespace(opened=None), error).status_code for error in errors]
    [400, 404, 409, 500]
    """
    if isinstance(error, ClientDisconnect):  # a tab that was closed: nobody reads the answer
        return as_json({"error": "the request was broken off, expected the whole of it: send it again"}, 400)
    if isinstance(error, BodyTooLargeError):
        return as_json({"error": str(error)}, 413)
    if isinstance(error, ProblexError):
        status = next((number for kind, number in STATUSES.items() if isinstance(error, kind)), 400)
        record: Record = {"error": sentence_of(error)}
        if status == 404:
            record["empty"] = True
        if status == 409 and state.opened is not None:
            record["revision"] = state.opened.log.revision
        return as_json(record, status)
    if isinstance(error, OSError | MemoryError):
        return as_json({"error": sentence_of(error)}, 500)
    traceback.print_exc()
    return as_json({"error": f"a fault of the workbench: {type(error).__name__}: {error}"}, 500)


async def not_found(request: Request, error: Exception) -> Response:
    """The answer for an address that there is not."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    return as_json({"error": f"there is nothing at {request.method} {request.url.path[:80]}"}, status)


# -- addresses

GET: dict[str, Callable[..., Any]] = {
    "/": index,
    "/static/vega.js": vega,
    "/static/{name:path}": static,
    "/api/state": shown,
    "/api/events": events,
    "/api/jobs/{name}": job,
    "/api/downloads/{name}": download,
    "/api/uploads/{name}/peek": start.peek_texts,
    "/api/sessions": start.sessions,
    "/api/languages": start.languages,
    "/api/lexicon": lexicon.table,
    "/api/history": lexicon.history,
    "/api/completions": lexicon.complete,
    "/api/doctor": lexicon.findings,
    "/api/settings": lexicon.settings,
    "/api/word": words.word,
    "/api/kwic": words.lines,
    "/api/documents": documents.documents,
    "/api/documents/histogram": documents.histogram,
    "/api/documents/{row}": documents.document,
    "/api/charts": charts.charts,
    "/api/charts/{name}": charts.chart,
    "/api/charts/{name}/file": charts.chart_file,
    "/api/audit": audit.shown,
    "/api/audit/next": audit.next_document,
    "/api/export": export.options,
    "/api/export/lexicon": export.lexicon,
    "/api/export/model": export.model,
    "/api/export/scores": scores,
    "/api/export/labels": export.labels,
    "/api/export/session": export.session_copy,
    "/api/export/script": export.script,
    "/api/script": export.shown_script,
}
POST: dict[str, Callable[..., Any]] = {
    "/api/jobs/{name}/cancel": cancel_job,
    "/api/uploads": upload,
    "/api/lexicon/peek": start.peek_lexicon,
    "/api/learn": start.learn,
    "/api/demo": start.demo,
    "/api/sessions/open": start.open_session,
    "/api/sessions/relink": start.relink,
    "/api/edits": lexicon.edit,
    "/api/lexicon/import": lexicon.bring_in,
    "/api/undo": lexicon.undo,
    "/api/redo": lexicon.redo,
    "/api/goto": lexicon.go_to,
    "/api/settings": lexicon.change_settings,
    "/api/audit/use": lexicon.use_labels,
    "/api/audit/draw": audit.draw,
    "/api/audit/label": audit.label,
    "/api/audit/skip": audit.skip,
    "/api/audit/undo": audit.undo,
    "/api/audit/reveal": audit.reveal,
    "/api/compare": compare.compare_sides,
    "/api/export/report": make_report,
    "/api/export/scores": make_scores,
}
"""The function that answers each address."""


def routes(state: ServerState) -> list[Route]:
    """All addresses."""
    tables = {"GET": GET, "POST": POST}
    return [
        Route(path, _endpoint(function, state, has_body=method == "POST" and "{" not in path), methods=[method])
        for method, table in tables.items()
        for path, function in table.items()
    ]


def _endpoint(
    function: Callable[..., Any], state: ServerState, *, has_body: bool
) -> Callable[[Request], Awaitable[Response]]:
    """The function of an address as Starlette calls it; one that is no coroutine runs in a thread."""
    needs = get_type_hints(getattr(function, "__wrapped__", function))
    needs.pop("return", None)

    async def answer(request: Request) -> Response:
        try:
            arguments: dict[str, Any] = {}
            for name, kind in sorted(needs.items(), key=lambda need: need[1] is OpenSession):  # after what is checked
                if kind is ServerState:
                    arguments[name] = state
                elif kind is OpenSession:
                    arguments[name] = state.session
                elif kind is Request:
                    arguments[name] = request
                elif has_body:
                    arguments[name] = read_body(kind, await request.body())
                else:
                    arguments[name] = read_address(kind, _values(request))
            if iscoroutinefunction(function):
                return as_answer(await function(**arguments))
            return await run_in_threadpool(lambda: as_answer(function(**arguments)))
        except HTTPException:
            raise
        except Exception as error:
            return error_answer(state, error)

    return answer


def _values(request: Request) -> dict[str, list[str]]:
    """The values in the address of a request, by name; those of its path come last."""
    query = request.query_params
    values = {name: query.getlist(name) for name in query}
    return values | {name: [str(value)] for name, value in request.path_params.items()}
