"""Who may speak to the studio: this machine's browser, opened with the token, from the studio's own pages, and nobody else.

After marimo and Jupyter, which are asked by browsers on the same machine as well: a page from elsewhere may send requests
to any address (so the cookie is SameSite, and Origin must be ours), a name may come to mean this machine (so Host must be
ours), and other people of this machine may knock (so a token, which only who started the studio has seen).
"""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN = "token"
# What a page of the studio may load: itself. Scripts and styles of its library stand in the page.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "object-src 'none'",
    ]
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Guard:
    """Stands before the whole of the studio, pages and sockets alike."""

    def __init__(self, app: ASGIApp, port: int, tell: Callable[[str], None]) -> None:
        """``tell`` hears each token, the first at once: one that was used is good for nothing more."""
        self._app, self._tell = app, tell
        self._hosts = {f"{host}:{port}" for host in ("127.0.0.1", "localhost")}
        self._cookie = f"pnp-studio-{port}"
        # A token in an address is good once; the cookie that it is changed for, as long as the studio runs.
        self._session = secrets.token_urlsafe(24)
        self._renew()

    def _renew(self) -> None:
        self._token = secrets.token_urlsafe(16)
        self._tell(self._token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get(b"host", "") not in self._hosts:
            await _refuse(scope, send, "This address is not the studio's.")
        elif not self._own(scope, headers):
            await _refuse(scope, send, "Another page has asked for this.")
        elif self._known(headers):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "http" and (target := self._opened(scope)):
            await self._let_in(target, send)
        else:
            await _refuse(scope, send, "Open the studio with the address that pnp studio has printed.")

    def _own(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        """Whether a request comes from a page of the studio; one that only reads may come from nowhere."""
        origin = headers.get(b"origin")
        if origin is None:
            return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        return origin in {f"http://{host}" for host in self._hosts}

    def _known(self, headers: dict[bytes, str]) -> bool:
        try:
            cookie = SimpleCookie(headers.get(b"cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(cookie.value.encode(), self._session.encode())

    def _opened(self, scope: Scope) -> str:
        """Where to go with a cookie, for who has the token; nothing for all others."""
        asked = parse_qsl(scope["query_string"].decode("latin-1"))
        tokens = [value for name, value in asked if name == TOKEN]
        if len(tokens) != 1 or not hmac.compare_digest(tokens[0].encode(), self._token.encode()):
            return ""
        self._renew()
        rest = urlencode([(name, value) for name, value in asked if name != TOKEN])
        # Two strokes would name another host.
        path = "/" + str(scope["path"]).lstrip("/\\")
        return path + (f"?{rest}" if rest else "")

    async def _let_in(self, target: str, send: Send) -> None:
        cookie = f"{self._cookie}={self._session}; Path=/; HttpOnly; SameSite=Strict"
        # A redirect would still be the request of the page that led here, without the cookie; this is a page of ours.
        page = f'<!doctype html><meta http-equiv="refresh" content="0;url={_escaped(target)}">'.encode()
        start: Message = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", b"text/html; charset=utf-8"), (b"set-cookie", cookie.encode()), *HEADERS],
        }
        await send(start)
        await send({"type": "http.response.body", "body": page})


def _escaped(text: str) -> str:
    from html import escape

    return escape(text, quote=True)


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in HEADERS}
            kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in names]
            message = {**message, "headers": [*kept, *HEADERS]}
        await send(message)

    return sent


async def _refuse(scope: Scope, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": 403, "headers": [kind, *HEADERS]})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
