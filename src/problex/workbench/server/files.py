"""The addresses of files to take away: most are made at once, long ones by a job."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.workbench import export, script
from problex.workbench.jobs import Job
from problex.workbench.server.answers import Handler, as_json, body_of, call, started
from problex.workbench.workbench import Workbench

MAX_NOTES, MAX_NOTE = 10, 300
"""How many notes go with a file, and how many characters of each: browsers take headers of some kilobytes."""


def notes_header(notes: Sequence[str]) -> str:
    """Notes as a header can hold them: a JSON list of the first sentences, percent-encoded.

    >>> notes_header(["a b"])
    '%5B%22a%20b%22%5D'
    """
    shown = [note[:MAX_NOTE] for note in notes[:MAX_NOTES]]
    if len(notes) > MAX_NOTES:
        shown.append(f"{pluralize(len(notes) - MAX_NOTES, 'more note')}")
    return quote(json.dumps(shown, ensure_ascii=False), safe="")


def sent(download: export.Download, *, remove: bool = True) -> Response:
    """A file as an attachment; it is deleted after it was sent."""
    task = BackgroundTask(download.remove) if remove else None
    headers = {"x-problex-notes": notes_header(download.notes)}
    return FileResponse(
        download.path, media_type="application/octet-stream", filename=download.name, headers=headers, background=task
    )


def file(function: Callable[..., export.Download], *, takes_query: bool = False) -> Handler:
    """The handler of a file that is made at once."""

    async def send(bench: Workbench, request: Request) -> Response:
        query: dict[str, Any] = dict(request.query_params)
        query["keep"] = request.query_params.getlist("keep")
        arguments = (query,) if takes_query else ()
        return sent(await call(function, bench.session, *arguments))

    return send


def job(kind: str, function: Callable[..., export.Download], *, takes_body: bool = False) -> Handler:
    """The handler of a file that a job makes."""

    async def start(bench: Workbench, request: Request) -> Response:
        body, opened = await body_of(request), bench.session

        def work(running: Job) -> Record:
            arguments = (body,) if takes_body else ()
            return bench.downloads.add(running.id, function(opened, *arguments, running.progress))

        return started(bench.jobs.start(kind, work))

    return start


async def options(bench: Workbench, request: Request) -> Response:
    """What can be exported."""
    return as_json(await call(export.options, bench.session))


async def shown_script(bench: Workbench, request: Request) -> Response:
    """The work as commands and as Python."""
    return as_json(await call(script.shown, bench.session))


async def download(bench: Workbench, request: Request) -> Response:
    """A file that a job has made."""
    return sent(bench.downloads.find(request.path_params["name"]), remove=False)


GET: dict[str, Handler] = {
    "/api/export": options,
    "/api/export/lexicon": file(export.lexicon, takes_query=True),
    "/api/export/model": file(export.model),
    "/api/export/scores": file(export.scores, takes_query=True),
    "/api/export/labels": file(export.labels),
    "/api/export/session": file(export.session, takes_query=True),
    "/api/export/script": file(script.export, takes_query=True),
    "/api/script": shown_script,
    "/api/downloads/{name}": download,
}
POST: dict[str, Handler] = {
    "/api/export/report": job("report", export.report),
    "/api/export/scores": job("scores", export.scores, takes_body=True),
}
