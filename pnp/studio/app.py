"""The studio's web server: access, pages, pictures, start and end."""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import socket
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from pnp.read.project import Project
from pnp.studio.project import Studio
from pnp.values.problems import Fault

if TYPE_CHECKING:
    from fastapi import FastAPI, Response
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
# What a page may send at once, in bytes: the largest picture that is drawn, and what is around it.
MOST_SENT = 66_000_000


class Guard:
    """ASGI middleware that refuses requests from other programs and sites, for pages and sockets."""

    def __init__(self, app: ASGIApp, port: int, tell: Callable[[str], None]) -> None:
        """``tell`` is called with each access token, the first at once; a token can be used once."""
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
        elif self._known(headers) and not _is_small(scope, headers):
            await _refuse(scope, send, f"More than {MOST_SENT // 1_000_000} MB cannot be sent to the studio.", 413)
        elif self._known(headers):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "http" and (target := self._opened(scope)):
            await self._let_in(target, send)
        else:
            await _refuse(scope, send, "Open the last address that pnp studio has printed: each is good for one browser.")

    def _own(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        """Whether a request comes from a studio page; reading requests may have no origin."""
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
        """The address to redirect to, with a cookie, for a valid token; "" otherwise."""
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
        head = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0;url={_escaped(target)}">'
        page = f"<!doctype html>{head}<title>pnp studio</title><p>Opening the studio …".encode()
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


def _is_small(scope: Scope, headers: dict[bytes, str]) -> bool:
    """Whether a request states its size and is small enough, since its whole body is buffered."""
    if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
        return True
    size = headers.get(b"content-length", "")
    return b"transfer-encoding" not in headers and size.isdecimal() and len(size) < 12 and int(size) <= MOST_SENT


async def _refuse(scope: Scope, send: Send, why: str, status: int = 403) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, *HEADERS]})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})


HOST = "127.0.0.1"
# How long a page may be away before the studio forgets it. By this it is told, too, how long it shall wait for an answer:
# a machine that is busy with other things is not gone.
AWAY = 60
# Until an address has been asked for by a browser that is gone, in seconds.
CLOSING = 1


def bound(port: int) -> socket.socket:
    """A socket on localhost; port 0 takes any free one. Raises Fault."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        raise Fault(f"port {port} cannot be had: {error.strerror or error}") from None
    return made


def serve(project: Project, game: str | None, port: int, opened: Callable[[str], None]) -> None:
    """Runs the server until the process is asked to end; ``opened`` is called with each address to open.

    Raises Fault.
    """
    sock = bound(port)
    studio = Studio.of(project)
    try:
        if game is not None:
            # It is drawn while the server loads.
            studio.desk(game)
        _run(studio, sock, f"/game/{game}" if game else "/", opened)
    finally:
        studio.close()
        sock.close()


def _run(studio: Studio, sock: socket.socket, path: str, opened: Callable[[str], None]) -> None:
    import uvicorn

    port = sock.getsockname()[1]
    waiting: list[str] = []
    ready = False

    def tell(token: str) -> None:
        address = f"http://{HOST}:{port}{path}?{TOKEN}={token}"
        if ready:
            opened(address)
        else:
            waiting.append(address)

    guarded = Guard(made(studio), port, tell)
    config = uvicorn.Config(
        guarded, log_level=logging.ERROR, access_log=False, timeout_graceful_shutdown=CLOSING, lifespan="on", ws="auto"
    )
    server = uvicorn.Server(config)

    async def run() -> None:
        nonlocal ready
        serving = asyncio.ensure_future(server.serve([sock]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        ready = True
        for address in waiting:
            opened(address)
        await serving

    asyncio.run(run())


def made(studio: Studio) -> FastAPI:
    """The application without its guard."""
    from fastapi import FastAPI
    from nicegui import app as settings
    from nicegui import ui

    from pnp.studio import bench
    from pnp.studio.dropped import small_picture

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/face/{game}/{key}.png")
    async def face(game: str, key: str, dots: int = 300, bleed: bool = False, eyes: str = "") -> Response:
        from fastapi import Response

        desk = studio.desks.get(game)
        picture = await desk.picture(key, max(1, min(dots, 10_000)), bleed, eyes) if desk else None
        if desk is None:
            return Response(status_code=404)
        if picture is None:
            # A page may still ask for a face that was drawn anew meanwhile; it is told the new one at once.
            return Response(status_code=204)
        # A key stands for what is seen, whatever the file says next.
        return Response(picture, media_type="image/png", headers={"cache-control": "private, max-age=31536000, immutable"})

    @app.get("/art/{game}/{name:path}")
    async def art(game: str, name: str) -> Response:
        from fastapi import Response

        found = await asyncio.to_thread(small_picture, studio.project, game, name)
        if found is None:
            return Response(status_code=404)
        # In a page of its own a drawing could run what is in it: a browser that is led there stores it instead.
        kept = {"cache-control": "private, max-age=31536000, immutable", "content-disposition": "attachment"}
        return Response(found[0], media_type=found[1], headers=kept)

    face.__annotations__["return"] = art.__annotations__["return"] = None

    @app.get("/here", status_code=204)
    async def here() -> None:
        """Tells pages that have lost their connection that the studio runs."""

    bench.register(studio)
    # A bar that runs along the top of the page, and says nothing to who cannot see it.
    settings.config.quasar_config["loadingBar"]["skipHijack"] = True
    ui.run_with(
        app,
        title="pnp studio",
        dark=None,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
        storage_secret=None,
        reconnect_timeout=AWAY,
    )
    return app
