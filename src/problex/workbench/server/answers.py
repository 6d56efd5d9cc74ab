"""Requests and answers: JSON in, JSON, columns or files out; errors are sentences."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from problex._util.records import Record, to_json
from problex.errors import ProblexError
from problex.workbench.jobs import BusyError, Job, sentence_of
from problex.workbench.server.guard import BodyTooLargeError
from problex.workbench.steps import ConflictError
from problex.workbench.views.forms import read_body
from problex.workbench.workbench import NothingLoadedError, Workbench

STATUSES: dict[type[ProblexError], int] = {NothingLoadedError: 404, ConflictError: 409, BusyError: 409}
"""The status of errors; others are 400."""
Handler = Callable[[Workbench, Request], Awaitable[Response]]


def as_json(value: Record, status: int = 200) -> Response:
    """An answer of plain values."""
    return Response(to_json(value)[0].encode("utf-8", "replace"), status, media_type="application/json")


def columns(data: bytes) -> Response:
    """An answer of columns."""
    return Response(data, media_type="application/octet-stream")


def started(job: Job) -> Response:
    """A job that has begun."""
    return as_json({"job": job.record()}, 202)


async def body_of(request: Request) -> Record:
    """The JSON object of a request; raise if it has not the form that its address expects."""
    return read_body(request.scope["path"], await request.body())


async def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a thread, so that other requests go on."""
    return await run_in_threadpool(function, *arguments)


def route(path: str, handler: Handler, bench: Workbench, method: str = "GET") -> Route:
    """An address, with errors as sentences."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(bench, request)
        except HTTPException:
            raise
        except ClientDisconnect:  # a tab that was closed: nobody reads the answer
            return as_json({"error": "the request was broken off, expected the whole of it: send it again"}, 400)
        except BodyTooLargeError as error:
            return as_json({"error": str(error)}, 413)
        except ProblexError as error:
            return error_answer(bench, error)
        except (OSError, MemoryError) as error:
            return as_json({"error": sentence_of(error)}, 500)
        except Exception as error:
            traceback.print_exc()
            return as_json({"error": f"a fault of the workbench: {type(error).__name__}: {error}"}, 500)

    return Route(path, answer, methods=[method])


async def not_found(request: Request, error: Exception) -> Response:
    """The answer for an address that there is not."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    return as_json({"error": f"there is nothing at {request.method} {request.url.path[:80]}"}, status)


def error_answer(bench: Workbench, error: ProblexError) -> Response:
    """An error of the library as an answer."""
    status = next((number for kind, number in STATUSES.items() if isinstance(error, kind)), 400)
    record: Record = {"error": sentence_of(error)}
    if status == 404:
        record["empty"] = True
    if status == 409 and bench.opened is not None:
        record["revision"] = bench.opened.log.revision
    return as_json(record, status)
