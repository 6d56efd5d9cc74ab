"""Start the server: a port on loopback, a secret address, the browser."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from problex._util.files import TemporaryFolder
from problex._util.late import import_optional
from problex.errors import ProblexError, use_spelling
from problex.workbench.background import page_option
from problex.workbench.loading import Learning
from problex.workbench.texts import TextSource
from problex.workbench.uploads import MAX_UPLOAD

if TYPE_CHECKING:
    from problex.workbench.server_state import ServerState

HOST = "127.0.0.1"
KEEP_ALIVE = 75
"""Seconds that an idle connection stays open. With a few, a busy computer closes it while the next request comes in."""


@dataclass(frozen=True)
class Options:
    """How the server is started: the port (0: any), what is opened, and the largest file that is taken.

    `source` takes the place of the texts that the session names.
    """

    port: int = 0
    open_browser: bool = True
    max_upload: int = MAX_UPLOAD
    origins: tuple[str, ...] = ()
    session: Path | None = None
    source: TextSource | None = None
    learning: Learning | None = None
    demo: bool = False
    folder: Path | None = None


def make_app(state: ServerState, access: Any) -> Any:
    """The ASGI application: the routes behind the guard."""
    from starlette.applications import Starlette

    from problex.workbench.guard import Guard
    from problex.workbench.routes import not_found, routes

    app = Starlette(routes=routes(state), exception_handlers={404: not_found, 405: not_found})
    return Guard(app, access, state.max_upload)


def listen(port: int) -> socket.socket:
    """A socket on loopback; raise if the port is taken."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((HOST, port))
        taken.listen()  # a browser that is early waits
    except OSError as error:
        taken.close()
        raise ProblexError(
            f"--port {port} cannot be used ({error.strerror}), expected a free one: give another, or leave --port out"
        ) from None
    return taken


def serve(options: Options, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl+C; `say` prints the address."""
    for package in ("starlette", "uvicorn"):
        import_optional(package, "the workbench")
    from problex.workbench.guard import Access, check_origin
    from problex.workbench.server_state import ServerState
    from problex.workbench.session_file import data_folder

    origins = tuple(map(check_origin, options.origins))
    bound = listen(options.port)
    access = Access(bound.getsockname()[1], origins)
    state = ServerState(options.folder or data_folder(), options.max_upload)
    state.collect_warnings()
    app = make_app(state, access)
    server = make_server(app, state)
    address = f"http://{HOST}:{access.port}/"
    say(f"The workbench is at {address}?token={access.printed}")
    say("Stop it with Ctrl+C. Everything is saved.")
    with use_spelling(page_option), TemporaryFolder() as folder, contextlib.suppress(KeyboardInterrupt):
        begin(state, options)
        if options.open_browser:
            redirect = write_redirect(folder, f"{address}?token={access.opening}").as_uri()
            threading.Thread(target=lambda: webbrowser.open(redirect), daemon=True).start()
        server.run(sockets=[bound])
    state.close()


def write_redirect(folder: Path, address: str) -> Path:
    """A file that leads to the address: all users of a computer can read what a browser is started with."""
    path = folder / "problex-workbench.html"
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(f'<meta http-equiv="refresh" content="0; url={address}"><a href="{address}">Workbench</a>')
    return path


def begin(state: ServerState, options: Options) -> None:
    """Open what the command was started with, in the background: the page answers before texts are read."""
    if options.session is not None:
        state.open(options.session, options.source)
    elif options.learning is not None:
        state.learn(options.learning)
    elif options.demo:
        state.demo()


def make_server(app: Any, state: ServerState) -> Any:
    """A server without websockets and proxies, which ends the streams of events when it stops."""
    import uvicorn

    class Stopping(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            state.events.close()
            await super().shutdown(sockets)

    return Stopping(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="off",
            timeout_keep_alive=KEEP_ALIVE,
        )
    )
