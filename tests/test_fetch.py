"""``pnp fetch`` brings published sheets; nothing else of pnp ever uses the network."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from commands import run
from conftest import TINY_GAME, TINY_TABLE, TinyProject

from pnp.flows.fetch import csv_address, download
from pnp.values.problems import Fault


class Sheets(HTTPServer):
    """A server of tables, on this machine: what lies at which path, as (code, type, bytes or another address)."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.pages: dict[str, tuple[int, str, bytes]] = {}

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Sheets)
        code, kind, data = self.server.pages.get(self.path, (404, "text/plain", b"no"))
        self.send_response(code)
        if code == 302:
            self.send_header("Location", data.decode())
            data = b""
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def sheets() -> Iterator[Sheets]:
    server = Sheets()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def game(tiny: TinyProject, sheets: Sheets) -> TinyProject:
    """A game whose cards are a sheet, and lie nowhere yet."""
    (tiny.game / "cards.csv").unlink()
    tiny.write("content/tiny/game.toml", f'{TINY_GAME}\n[table.cards]\naddress = "{sheets.address("/cards")}"\n')
    sheets.pages["/cards"] = (200, "text/csv", TINY_TABLE.encode())
    return tiny


def test_a_table_is_fetched_and_what_is_new_is_said(game: TinyProject, sheets: Sheets) -> None:
    """First all of it; later rows added, gone and changed, by their ids."""
    first = run("fetch", "tiny", at=game.project.root)
    assert (first.code, first.out) == (0, "tiny: cards: 2 rows, all new\n")
    assert (game.game / "cards.csv").read_text(encoding="utf-8") == TINY_TABLE

    assert run("fetch", "tiny", at=game.project.root).out == "tiny: cards: nothing has changed\n"

    sheets.pages["/cards"] = (200, "text/csv", b"name,text\nAnna,Draw three.\nCleo,Swap.\n")
    assert run("fetch", "tiny", "cards", at=game.project.root).out == (
        "tiny: cards: 1 added (cleo); 1 gone (bert); 1 changed (anna: text)\n"
    )
    assert "Cleo" in (game.game / "cards.csv").read_text(encoding="utf-8")


def test_a_table_that_somebody_made_or_changed_stays(game: TinyProject, sheets: Sheets) -> None:
    """What pnp did not write, or not like that, it does not replace."""
    own = "name,text\nDora,Mine.\n"
    game.write("content/tiny/cards.csv", own)
    left = run("fetch", "tiny", at=game.project.root)
    assert left.code == 1
    assert "did not write this table" in left.err and "Move it away" in left.err
    assert (game.game / "cards.csv").read_text(encoding="utf-8") == own

    (game.game / "cards.csv").unlink()
    assert run("fetch", "tiny", at=game.project.root).code == 0
    game.write("content/tiny/cards.csv", own)
    sheets.pages["/cards"] = (200, "text/csv", b"name,text\nCleo,Swap.\n")
    assert run("fetch", "tiny", at=game.project.root).code == 1
    assert (game.game / "cards.csv").read_text(encoding="utf-8") == own


@pytest.mark.parametrize(
    ("code", "data", "rule", "said"),
    [
        (200, b"<!DOCTYPE html><html>Sign in</html>", "not-fetched", "not shared"),
        (403, b"", "not-fetched", "everybody who has the link"),
        (200, b"name,text\nAnna,#REF!\n", "error-cell", "#REF!"),
    ],
)
def test_what_is_no_sound_table_is_not_written(
    game: TinyProject, sheets: Sheets, code: int, data: bytes, rule: str, said: str
) -> None:
    """A page that asks for a password is no table, nor is one with errors; what was there before stays."""
    assert run("fetch", "tiny", at=game.project.root).code == 0
    sheets.pages["/cards"] = (code, "text/html", data)

    left = run("fetch", "tiny", "--json", at=game.project.root)

    assert left.code in (1, 3)
    (problem,) = left.problems
    assert problem["rule"] == rule and said in f"{problem['message']} {problem['hint']}"
    assert (game.game / "cards.csv").read_text(encoding="utf-8") == TINY_TABLE


@pytest.mark.parametrize("file", ["../x.csv", "x\\u0000.csv", "x.xlsx"])
def test_a_file_elsewhere_is_refused_before_anything_is_fetched(game: TinyProject, sheets: Sheets, file: str) -> None:
    """Whatever game.toml names; nobody is asked for the sheet."""
    sheets.pages.clear()
    text = (game.game / "game.toml").read_text(encoding="utf-8")
    game.write("content/tiny/game.toml", f'{text}file = "{file}"\n')

    left = run("fetch", "tiny", "--json", at=game.project.root)

    assert left.code in (1, 3)
    assert left.problems and all("fault of pnp" not in problem["message"] for problem in left.problems)
    assert not any("404" in problem["message"] for problem in left.problems)


def test_two_tables_are_not_fetched_into_one_file(game: TinyProject, sheets: Sheets) -> None:
    """The second would replace the first."""
    text = (game.game / "game.toml").read_text(encoding="utf-8")
    more = f'\n[table.goods]\naddress = "{sheets.address("/cards")}"\nfile = "Cards.csv"\n'
    game.write("content/tiny/game.toml", text + more)

    left = run("fetch", "tiny", "--json", at=game.project.root)

    (problem,) = left.problems
    assert problem["rule"] == "not-fetched" and "as that of the table cards" in problem["message"]
    assert not list(game.game.glob("*.csv"))


@pytest.mark.parametrize("address", ["http://example.org", "file:///etc/passwd", ""])
def test_other_addresses_are_refused(address: str) -> None:
    """https, and nothing else; nobody is asked."""
    with pytest.raises(Fault, match="https://"):
        download(address)


def test_a_server_leads_nowhere_else(sheets: Sheets) -> None:
    """Not to a file, not round and round; to another allowed address it does."""
    sheets.pages["/cards"] = (200, "text/csv", b"a")
    sheets.pages["/on"] = (302, "", b"/cards")
    sheets.pages["/file"] = (302, "", b"file:///etc/passwd")
    sheets.pages["/round"] = (302, "", b"/round")

    assert download(sheets.address("/on")) == b"a"
    for path in ("/file", "/round"):
        with pytest.raises(Fault):
            download(sheets.address(path))


def test_a_file_without_end_is_left(sheets: Sheets) -> None:
    """More than a table may have is not waited for."""
    sheets.pages["/cards"] = (200, "text/csv", bytes(200_000))

    with pytest.raises(Fault, match="larger than"):
        download(sheets.address("/cards"), 100_000)


SHEET = "https://docs.google.com/spreadsheets/d/1aB-c_9"


@pytest.mark.parametrize(
    ("address", "export"),
    [
        (f"{SHEET}/edit#gid=7", f"{SHEET}/export?format=csv&gid=7"),
        (f"{SHEET}/export?format=csv&gid=7", f"{SHEET}/export?format=csv&gid=7"),
        (
            "https://docs.google.com/spreadsheets/d/e/2PACX-x/pubhtml?gid=7&single=true",
            "https://docs.google.com/spreadsheets/d/e/2PACX-x/pub?output=csv&single=true&gid=7",
        ),
        ("https://example.org/spreadsheets/d/x/edit", "https://example.org/spreadsheets/d/x/edit"),
    ],
)
def test_the_address_of_a_sheet_becomes_that_of_its_csv(address: str, export: str) -> None:
    """People copy the address that they see."""
    assert csv_address(address) == export


LISTENING = """
import sys
used = []
sys.addaudithook(lambda event, _: used.append(event) if event.startswith("socket.") else None)
import atexit
atexit.register(lambda: print("used:", *sorted(set(used))))
sys.argv[0] = "pnp"
from pnp.cli.main import main
main()
"""


@pytest.mark.parametrize("command", [["build", "tiny", "--paper", "a4"], ["check", "tiny"]])
def test_a_build_never_uses_the_network(tiny: TinyProject, command: list[str]) -> None:
    """Also of a game whose table has an address: no socket is made, and no name is looked up."""
    tiny.write("content/tiny/game.toml", f'{TINY_GAME}\n[table.cards]\naddress = "https://example.org/cards.csv"\n')

    done = subprocess.run(
        [sys.executable, "-c", LISTENING, *command], cwd=tiny.project.root, capture_output=True, text=True, timeout=300
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].strip() == "used:"
