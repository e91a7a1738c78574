"""The studio's server: which pages and pictures there are, and how it begins and ends."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from pnp.read.project import Project
from pnp.studio.opened import Studio

if TYPE_CHECKING:
    from fastapi import FastAPI, Response

HOST = "127.0.0.1"
# Until an address has been asked for by a browser that is gone, in seconds.
CLOSING = 1


class PortTaken(Exception):
    """A port that another program has. The text is for the person."""


def bound(port: int) -> socket.socket:
    """A socket on this machine alone; port 0: any that is free. Raises PortTaken."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        raise PortTaken(f"port {port} cannot be had: {error.strerror or error}") from None
    return made


def serve(project: Project, game: str | None, port: int, opened: Callable[[str], None]) -> None:
    """Serve until the process is asked to end; ``opened`` hears each address that can be opened, at once.

    Raises PortTaken, NoSuchGame.
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

    from pnp.studio.guard import TOKEN, Guard

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
    from nicegui import ui

    from pnp.studio import pages

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/face/{game}/{key}.png")
    async def face(game: str, key: str, dots: int = 300, bleed: bool = False, eyes: str = "") -> Response:
        from fastapi import Response

        desk = studio.desks.get(game)
        picture = await desk.picture(key, max(1, min(dots, 10_000)), bleed, eyes) if desk else None
        if picture is None:
            return Response(status_code=404)
        # A key stands for what is seen, whatever the file says next.
        return Response(picture, media_type="image/png", headers={"cache-control": "private, max-age=31536000, immutable"})

    face.__annotations__["return"] = None
    pages.register(studio)
    ui.run_with(app, title="pnp studio", dark=None, tailwind=False, show_welcome_message=False, storage_secret=None)
    return app
