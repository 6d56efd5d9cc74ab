"""Which requests are answered: those of the page that this server has sent, opened by the person who started it.

Another site must not reach the server through the person's browser (`Host`, `Origin`, `Sec-Fetch-Site`), another user
of the computer must not reach it at all (a secret in a cookie), and every answer carries a strict content policy.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from problex.errors import ProblexError

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MAX_BODY = 1 << 20
TOO_LARGE = "the request has more than {limit:,} bytes, expected fewer: send less at once"
SIGN_IN = "this page is not signed in: open the address that the command problex workbench has printed"


@dataclass
class Access:
    """The secret of a server, and the address that works once.

    >>> access = Access(8000)
    >>> access.admit(access.opening), access.admit(access.opening)
    (True, False)
    """

    port: int
    origins: tuple[str, ...] = ()
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    printed: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    opening: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    is_open: bool = True

    @cached_property
    def cookie(self) -> str:
        """The name of the cookie: cookies are shared by all ports of a host."""
        return f"problex-{self.port}"

    @cached_property
    def own_origins(self) -> frozenset[str]:
        """The origins of the page: loopback with the port, and that of a tunnel."""
        return frozenset((*(f"http://{host}:{self.port}" for host in LOOPBACK), *self.origins))

    @cached_property
    def hosts(self) -> frozenset[str]:
        """What the header `Host` may be.

        >>> sorted(Access(8000, ("https://texts.example:9000",)).hosts)
        ['127.0.0.1:8000', '[::1]:8000', 'localhost:8000', 'texts.example:9000']
        """
        return frozenset(urlsplit(origin).netloc for origin in self.own_origins)

    def admit(self, token: str) -> bool:
        """Whether a token opens the page: the printed one, or, once, the one of the browser."""
        if is_equal(token, self.printed):
            return True
        if not self.is_open or not is_equal(token, self.opening):
            return False
        self.is_open = False
        return True


def is_equal(given: str, expected: str) -> bool:
    """Whether two secrets are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def check_origin(origin: str) -> str:
    """An origin such as http://localhost:9000, as browsers write it; raise if it is not one.

    >>> check_origin("http://localhost:9000/")
    'http://localhost:9000'
    """
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/") or parts.query:
        raise ProblexError(
            f"--origin {origin} was given, expected the address at which the browser opens the page, without a path: "
            "http://localhost:9000"
        )
    return f"{parts.scheme}://{parts.netloc.lower()}"


class BodyTooLargeError(Exception):
    """A body with more bytes than allowed; `limit` is how many are."""

    def __init__(self, limit: int) -> None:
        super().__init__(TOO_LARGE.format(limit=limit))
        self.limit = limit


@dataclass
class Guard:
    """An ASGI application that passes on only the requests that `Access` allows, and adds headers to all answers.

    Bodies are limited to `MAX_BODY` bytes, those of `upload_path` to `max_upload`.
    """

    app: ASGIApp
    access: Access
    max_upload: int
    upload_path: str = "/api/uploads"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        protected = _with_headers(send)
        answer = self._refusal(scope)
        if answer is not None:
            await answer(scope, receive, protected)
            return
        limit = self.max_upload if scope["path"] == self.upload_path else MAX_BODY
        await self.app(scope, _limited(receive, limit), protected)

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further: a refusal, or the page's address without the secret."""
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self.access.hosts:
            return _forbidden("the request names another host than this computer: open the address that was printed")
        is_safe = scope["method"] in ("GET", "HEAD")
        if (origins and set(origins) - self.access.own_origins) or (not is_safe and not origins):
            return _forbidden("the request comes from another site, expected one of this page")
        site = headers.get("sec-fetch-site", "none")
        if site not in ("same-origin", "none") and not self._is_opening(scope):
            return _forbidden("the request comes from another site, expected one of this page")
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if scope["path"] == "/" and is_safe and token:
            return self._opened(token[0])
        if not self._is_signed_in(headers):
            return _forbidden(SIGN_IN)
        return None

    def _is_opening(self, scope: Scope) -> bool:
        """Whether a person follows a link to the page, for example from a terminal or a mail: it has no effects."""
        headers = Headers(scope=scope)
        is_visit = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return is_visit and scope["method"] == "GET" and scope["path"] == "/"

    def _opened(self, token: str) -> Response:
        """The page's address without the secret, which is now in a cookie."""
        if not self.access.admit(token):
            return _forbidden("the address was used before, or is another one: open the address that was printed")
        answer = RedirectResponse("/", 303)
        # not "strict": to a browser, the file that it was opened with is another site
        answer.set_cookie(self.access.cookie, self.access.secret, httponly=True, samesite="lax", path="/")
        return answer

    def _is_signed_in(self, headers: Headers) -> bool:
        cookies = SimpleCookie()
        try:
            cookies.load(headers.get("cookie", ""))
        except CookieError:
            return False
        given = cookies.get(self.access.cookie)
        return given is not None and is_equal(given.value, self.access.secret)


def _forbidden(why: str) -> Response:
    return JSONResponse({"error": why}, 403)


def _with_headers(send: Send) -> Send:
    """The same `send`, which adds the headers of `HEADERS` to every answer that does not set them."""

    async def protected(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return protected


def _limited(receive: Receive, limit: int) -> Receive:
    """The same `receive`, which raises once a body has more than `limit` bytes."""
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise BodyTooLargeError(limit)
        return message

    return counted
