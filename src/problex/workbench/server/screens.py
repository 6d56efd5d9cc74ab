"""The addresses of the screens: lexicon, words, documents, audit, comparison and charts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from problex._util.records import Record
from problex.errors import ProblexError
from problex.workbench.server import files
from problex.workbench.server.answers import Handler, as_json, body_of, call, columns
from problex.workbench.views import audit as audit_views
from problex.workbench.views import charts as chart_views
from problex.workbench.views import compare as compare_views
from problex.workbench.views import documents as document_views
from problex.workbench.views import lexicon as lexicon_views
from problex.workbench.views import settings as setting_views
from problex.workbench.views import words as word_views
from problex.workbench.views.forms import query_whole, tab_of
from problex.workbench.workbench import Workbench

# -- lexicon


async def lexicon(bench: Workbench, request: Request) -> Response:
    """The table."""
    return columns(await call(lexicon_views.table, bench.session))


def step(kind: str) -> Handler:
    """The handler of a kind of step."""

    async def take(bench: Workbench, request: Request) -> Response:
        body = await body_of(request)
        name, content = step_body(kind, body, bench)
        done = await call(bench.ask, name, content, body.get("base"), tab_of(body))
        return columns(await call(lexicon_views.answer, bench.session, done))

    return take


def step_body(kind: str, body: Record, bench: Workbench) -> tuple[str, Record]:
    """The kind of a step and what it does, from a request."""
    if kind == "edit":
        return ("accept" if body.get("kind") == "accept" else "edit"), {"edits": edits_of(body)}
    if kind == "import":
        return kind, lexicon_views.imported(bench.session, bench.uploads, body)
    if kind == "goto":
        return kind, {"state": body["state"]}
    if kind == "settings":
        return kind, {"settings": setting_views.checked(body.get("settings"))}
    if kind == "labels":
        return kind, setting_views.labels_used(bench.session, on=bool(body["on"]))
    return kind, {}


def edits_of(body: Record) -> list[Record]:
    """The edits of a request; raise if there are none."""
    edits: list[Record] = body.get("edits") or []
    if not edits:
        raise ProblexError("the request has no edits, expected at least one")
    return [{name: edit[name] for name in ("word", "old", "new")} for edit in edits]


async def history(bench: Workbench, request: Request) -> Response:
    """All steps."""
    return as_json(await call(lexicon_views.history, bench.session))


async def completions(bench: Workbench, request: Request) -> Response:
    """Words that begin with some letters."""
    query = request.query_params
    number = min(query_whole(query, "number", 20), 200)
    return as_json(await call(lexicon_views.complete, bench.session, query.get("prefix", "")[:200], number))


async def doctor(bench: Workbench, request: Request) -> Response:
    """The doctor's findings."""
    return as_json(await call(bench.checkup.record)) if bench.session else as_json({})


async def settings(bench: Workbench, request: Request) -> Response:
    """The settings and their choices."""
    return as_json(setting_views.settings(bench.session))


# -- documents


async def histogram(bench: Workbench, request: Request) -> Response:
    """The distribution of the scores."""
    return as_json(await call(document_views.histogram, bench.session.result))


async def documents(bench: Workbench, request: Request) -> Response:
    """A list of documents."""
    query: dict[str, Any] = dict(request.query_params)
    return as_json(await call(document_views.documents, bench.session, query))


async def document(bench: Workbench, request: Request) -> Response:
    """One document."""
    row = query_whole(request.path_params, "row")
    return as_json(await call(document_views.document, bench.session, row))


# -- words


async def word(bench: Workbench, request: Request) -> Response:
    """One word."""
    flags = bench.checkup.record()["flags"]
    return as_json(await call(word_views.word, bench.session, request.query_params.get("word", "")[:500], flags))


async def kwic(bench: Workbench, request: Request) -> Response:
    """A word in context."""
    return as_json(await call(word_views.lines, bench.session, dict(request.query_params)))


# -- audit and comparison


async def audit(bench: Workbench, request: Request) -> Response:
    """The open audit."""
    return as_json(await call(audit_views.state, bench.session))


async def audit_next(bench: Workbench, request: Request) -> Response:
    """The next document to label."""
    return as_json(await call(audit_views.next_document, bench.session))


def audit_step(function: Callable[..., Record], *more: str) -> Handler:
    """The handler of a step of an audit, which other tabs are told about."""

    async def take(bench: Workbench, request: Request) -> Response:
        body = await body_of(request)
        record = await call(function, bench.session, body, *more)
        bench.events.publish("audit", tab=tab_of(body))
        return as_json(record)

    return take


async def compare(bench: Workbench, request: Request) -> Response:
    """Two sides."""
    return as_json(await call(compare_views.compare_sides, bench.session, bench.uploads, await body_of(request)))


async def charts(bench: Workbench, request: Request) -> Response:
    """Which charts there are."""
    return as_json(await call(chart_views.charts, bench.session))


async def chart(bench: Workbench, request: Request) -> Response:
    """One chart."""
    name = request.path_params["name"]
    return as_json(await call(chart_views.chart, bench.session, name, dict(request.query_params)))


async def chart_file(bench: Workbench, request: Request) -> Response:
    """One chart as a picture."""
    name = request.path_params["name"]
    return files.sent(await call(chart_views.chart_file, bench.session, name, dict(request.query_params)))


GET: dict[str, Handler] = {
    "/api/lexicon": lexicon,
    "/api/history": history,
    "/api/completions": completions,
    "/api/doctor": doctor,
    "/api/settings": settings,
    "/api/word": word,
    "/api/kwic": kwic,
    "/api/documents": documents,
    "/api/documents/histogram": histogram,
    "/api/documents/{row}": document,
    "/api/charts": charts,
    "/api/charts/{name}": chart,
    "/api/charts/{name}/file": chart_file,
    "/api/audit": audit,
    "/api/audit/next": audit_next,
}
POST: dict[str, Handler] = {
    "/api/edits": step("edit"),
    "/api/lexicon/import": step("import"),
    "/api/undo": step("undo"),
    "/api/redo": step("redo"),
    "/api/goto": step("goto"),
    "/api/settings": step("settings"),
    "/api/audit/use": step("labels"),
    "/api/audit/draw": audit_step(audit_views.draw),
    "/api/audit/label": audit_step(audit_views.add, "label"),
    "/api/audit/skip": audit_step(audit_views.add, "skip"),
    "/api/audit/undo": audit_step(audit_views.undo),
    "/api/audit/reveal": audit_step(lambda opened, body: audit_views.reveal(opened)),
    "/api/compare": compare,
}
