"""Who is let into the studio: the browser that was opened with the address, and nobody else."""

from __future__ import annotations

import socket
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from commands import run
from served import Served, deck, serve, served

__all__ = ["deck", "served"]


class Answer:
    """What the studio answers to one request; redirects are not followed."""

    def __init__(self, served: Served, path: str, method: str = "GET", **headers: str) -> None:
        where = urlsplit(served.base)
        assert where.hostname is not None
        connection = HTTPConnection(where.hostname, where.port, timeout=20)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        self.code, self.text = response.status, response.read().decode("utf-8", "replace")
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        connection.close()


@pytest.fixture(scope="module")
def cookie(served: Served) -> str:
    """What the browser keeps that was opened with the address."""
    opened = urlsplit(served.address)
    answer = Answer(served, f"{opened.path}?{opened.query}")
    assert answer.code == 200
    assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=Strict" in answer.headers["set-cookie"]
    return answer.headers["set-cookie"].partition(";")[0]


def test_the_address_lets_in_once(served: Served, cookie: str) -> None:
    """Its token is exchanged for a cookie; who finds it later, in a history or a list of processes, has nothing."""
    opened = urlsplit(served.address)
    assert Answer(served, f"{opened.path}?{opened.query}").code == 403
    assert Answer(served, "/game/deck", Cookie=cookie).code == 200
    another = urlsplit(served.next_address())
    assert Answer(served, f"{another.path}?{another.query}").code == 200


@pytest.mark.parametrize(
    "cookies", ["", "pnp-studio=1", "pnp-studio-{port}=", "pnp-studio-{port}=wrong", '=;;"pnp', "pnp-studio-{port}=é"]
)
@pytest.mark.parametrize("path", ["/", "/game/deck", "/face/deck/0.png", "/_nicegui/x", "/?token=", "/?token=a&token=b"])
def test_without_the_cookie_nothing_is_shown(served: Served, path: str, cookies: str) -> None:
    """Neither pages nor pictures nor the library's own files; and it is said what to do."""
    told = cookies.format(port=urlsplit(served.base).port)
    answer = Answer(served, path, **({"Cookie": told} if told else {}))
    assert answer.code == 403 and "pnp studio has printed" in answer.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "[::1]", ""])
def test_a_name_that_came_to_mean_this_machine_is_refused(served: Served, cookie: str, host: str) -> None:
    """DNS rebinding: the browser thinks that it speaks to another host."""
    assert Answer(served, "/game/deck", Cookie=cookie, Host=host).code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:{port}.evil"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_from_elsewhere_is_refused(served: Served, cookie: str, origin: str, method: str) -> None:
    """Even where the browser sends the cookie along."""
    said = origin.format(port=urlsplit(served.base).port)
    assert Answer(served, "/game/deck", method, Cookie=cookie, Origin=said).code == 403


def test_what_changes_something_says_where_it_comes_from(served: Served, cookie: str) -> None:
    """A write without Origin is none of the studio's pages."""
    assert Answer(served, "/game/deck", "POST", Cookie=cookie).code == 403


@pytest.mark.parametrize("size", ["66000001", "9" * 30, "-1", "x", ""])
def test_what_is_too_large_is_not_taken(served: Served, cookie: str, size: str) -> None:
    """All that a page sends is kept aside first: more than a picture, or of no known size, is refused before that."""
    answer = Answer(served, "/_nicegui/client/1/upload/1", "POST", Cookie=cookie, Origin=served.base, Content_Length=size)
    assert answer.code in (400, 413)


def test_a_socket_from_elsewhere_is_closed(served: Served, cookie: str) -> None:
    """The channel on which everything is said needs the cookie and the studio's own page, as all else does."""
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    ours = served.base
    assert Answer(served, path, Origin="http://evil.example", Cookie=cookie, **upgrade).code == 403
    assert Answer(served, path, Origin=ours, **upgrade).code == 403
    assert Answer(served, path, Cookie=cookie, **upgrade).code == 403


def test_pages_may_load_nothing_from_elsewhere(served: Served, cookie: str) -> None:
    """Whatever a game's files say, and no other page may show the studio in a frame."""
    headers = Answer(served, "/game/deck", Cookie=cookie).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers and headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/game/..%2f..%2fetc",
        "/game/nothing",
        "/face/deck/..%2f..%2fgame.toml.png",
        "/face/nothing/0.png",
        "/face/deck/%00.png",
    ],
)
def test_a_path_leads_to_no_file(served: Served, cookie: str, path: str) -> None:
    """What is no game and no face is told, or is not there."""
    answer = Answer(served, path, Cookie=cookie)
    assert answer.code in (200, 204, 404) and "[game]" not in answer.text and "Traceback" not in answer.text


def test_nobody_else_on_the_network_can_knock(served: Served) -> None:
    """It listens on this machine's own address alone."""
    port = urlsplit(served.base).port
    assert served.base.startswith("http://127.0.0.1:") and port is not None
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as knocking:
        knocking.settimeout(2)
        with pytest.raises(OSError):
            # Another of this machine's addresses, as a neighbour's would be.
            knocking.connect(("127.0.0.2", port))


def test_it_ends_with_ctrl_c_and_leaves_nothing(deck: Path) -> None:
    """The exit code is that of all commands that are stopped; no process is left, and the port is free."""
    made = serve(deck, "deck")
    port = urlsplit(made.base).port
    assert made.stop() in (0, 130)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))


def test_a_port_that_is_taken_is_told(deck: Path) -> None:
    """With its number, before anything is drawn."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("studio", "deck", "--no-browser", "--port", str(port), at=deck)
    assert done.code == 2 and f"port {port} cannot be had" in done.err


def test_a_game_that_is_not_there_is_told(deck: Path) -> None:
    """As in every command, with what was meant."""
    done = run("studio", "dekc", "--no-browser", at=deck)
    assert done.code == 2 and "deck" in done.err
