"""Runs ``pnp fetch``: downloads the published tables of a game into its folder, over https alone, within bounds.

They are written when all of them have been read as sound tables, and none of them otherwise. What was fetched is in a
manifest in the game's folder, as what a build writes is in that of its output: a table that a person has made or changed
is theirs, and stays.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Sequence
from http.client import HTTPException, HTTPMessage
from pathlib import Path, PurePath
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pnp.read.project import Project
from pnp.read.schema import Parsed, read_game_file
from pnp.read.tables import find_file, read_table
from pnp.system.manifest import NotOurs, put
from pnp.system.paths import file_within, within
from pnp.values.outcome import Result
from pnp.values.problems import Fault, Place, Problems, closest, listed
from pnp.values.tables import Row, Table

WRITTEN = (".csv", ".tsv", ".tab")
MOST_NAMED = 8


def fetch_tables(project: Project, name: str, wanted: Sequence[str]) -> Result:
    """Fetches the tables of a game that have an address, or the wanted ones; says what is new in each.

    Raises Fault, OSError.
    """
    folder = project.folder(name)
    result, said = Result(name, Problems()), list[str]()
    problems = result.problems
    parsed = read_game_file(folder / "game.toml", project.shown(folder / "game.toml"), problems)
    if parsed is None or not parsed.sound:
        return result
    files: dict[str, bytes] = {}
    targets: dict[str, str] = {}
    for table in _chosen(parsed, wanted):
        rules = parsed.rules.table[table]
        path, _ = find_file(folder, table, rules)
        place = parsed.lines.place("table", table, "file" if rules.file else "address")
        try:
            target = _target(folder, path)
            if other := next((name for name, file in targets.items() if file.casefold() == target.casefold()), ""):
                raise Fault(f"its file is {target}, as that of the table {other}", hint="Give each table a file of its own.")
            targets[table] = target
            place = parsed.lines.place("table", table, "address")
            files[target] = data = _table_at(rules.address or "")
        except Fault as refused:
            problems.error("not-fetched", place, f"the table {table} was not fetched: {refused.message}", hint=refused.hint)
            continue
        with tempfile.TemporaryDirectory(prefix="pnp-") as aside:
            (Path(aside) / path.name).write_bytes(data)
            new = read_table(Path(aside) / path.name, project.shown(path), table, rules, problems)
        there = file_within(folder, path)
        old = read_table(path, path.name, table, rules, Problems()) if there else None
        if new is not None:
            said.append(f"{name}: {table}: {_difference(old, new)}")
    result.said = "\n".join(said)
    if problems.errors:
        return result
    try:
        result.files = put(project.content, name, files, "fetch")
    except NotOurs as refused:
        message, hint = refused.message, refused.hint
        if refused.path in [folder / file for file in files]:
            message = "pnp fetch did not write this table, or it was changed since; nothing was written"
            hint = "Move it away or give it another name, then fetch again."
        problems.error("not-ours", Place(project.shown(refused.path)), message, hint=hint)
    return result


def _chosen(parsed: Parsed, wanted: Sequence[str]) -> list[str]:
    known = [table for table, rules in parsed.rules.table.items() if rules.address]
    for table in wanted:
        if table not in known:
            hint = closest(table, known) or f"Tables with one: {listed(known) or 'none'}."
            raise Fault(f'no table "{table}" with an address is in game.toml', hint=hint)
    if not known:
        hint = 'Write address = "https://…" below [table.NAME]: that of its published CSV.'
        raise Fault("no table in game.toml has an address", hint=hint)
    return list(dict.fromkeys(wanted)) or known


def csv_address(address: str) -> str:
    """The address of a sheet's CSV: for a Google Sheets page, that of its export."""
    parts = urlsplit(address)
    sheet = re.match(r"(/spreadsheets/d/)(e/)?([\w-]+)(?:/(edit|view|htmlview|pubhtml|pub|export)?.*)?$", parts.path)
    if parts.hostname != "docs.google.com" or sheet is None:
        return address
    asked = {**parse_qs(parts.query), **parse_qs(parts.fragment)}
    gid = f"&gid={asked['gid'][0]}" if "gid" in asked else ""
    if sheet[2]:
        return f"https://docs.google.com/spreadsheets/d/e/{sheet[3]}/pub?output=csv{gid and '&single=true' + gid}"
    return f"https://docs.google.com/spreadsheets/d/{sheet[3]}/export?format=csv{gid}"


def _table_at(address: str) -> bytes:
    data = download(csv_address(address))
    start = data[:2000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<?xml")):
        hint = "Mostly the sheet is not shared: let everybody who has the link view it, or publish it to the web as CSV."
        raise Fault("a web page came, and no table", hint=hint)
    if start.startswith((b"pk\x03\x04", b"\xd0\xcf\x11\xe0", b"%pdf")):
        raise Fault("a workbook or another packed file came, and no CSV", hint="Take the address of the sheet's CSV.")
    return data


def _target(folder: Path, path: Path) -> str:
    inside = PurePath(path).relative_to(folder) if path.is_relative_to(folder) else PurePath(path)
    try:
        ours = path.suffix.lower() in WRITTEN and not {"..", inside.anchor} & {*inside.parts} and within(folder, path)
    except (OSError, RuntimeError, ValueError):
        ours = False  # a name that no file can have, a link to itself
    if not ours:
        hint = "Take the other file away, or name one: file = … with .csv at its end."
        raise Fault(f"its file would be {inside.as_posix()}, and only a CSV in the game's folder is fetched", hint=hint)
    return inside.as_posix()


def _difference(old: Table | None, new: Table) -> str:
    if old is None:
        return f"{len(new.rows)} rows, all new"
    before, now = ({row.id: row for row in table.rows} for table in (old, new))
    told = []
    for what, ids in (("added", [i for i in now if i not in before]), ("gone", [i for i in before if i not in now])):
        if ids:
            told.append(f"{len(ids)} {what} ({_some(ids)})")
    changes = {i: _changed(before[i], row) for i, row in now.items() if i in before}
    if changed := [f"{i}: {', '.join(columns)}" for i, columns in changes.items() if columns]:
        told.append(f"{len(changed)} changed ({_some(changed, '; ')})")
    return "; ".join(told) or "nothing has changed"


def _changed(before: Row, now: Row) -> list[str]:
    one, other = ({name: cell.text for name, cell in row.cells.items()} for row in (before, now))
    return [name for name in dict.fromkeys((*one, *other)) if one.get(name, "") != other.get(name, "")]


def _some(names: Sequence[str], between: str = ", ") -> str:
    return between.join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")


MOST_BYTES = 32_000_000
# For the whole of it, and for each answer of the server.
MOST_SECONDS, PATIENCE = 120, 30
_UNREACHED = "Look whether the address is right, and whether this computer is connected."
_HERE = ("localhost", "127.0.0.1", "::1")


def download(address: str, most: int = MOST_BYTES) -> bytes:
    """The content at an address, at most ``most`` bytes. Raises Fault."""
    _allow(address)
    begun, parts, size = time.monotonic(), list[bytes](), 0
    try:
        request = Request(address, headers={"User-Agent": "pnp-press", "Accept": "text/csv, */*;q=0.5"})
        with build_opener(_Redirects).open(request, timeout=PATIENCE) as answer:
            while part := answer.read1(65536):
                parts.append(part)
                size += len(part)
                if size > most:
                    raise Fault(f"what lies there is larger than {most / 1_000_000:g} MB")
                if time.monotonic() - begun > MOST_SECONDS:
                    raise Fault(f"it took longer than {MOST_SECONDS} seconds", hint="Try it again later.")
    except HTTPError as error:
        shared = error.code not in (401, 403)
        hint = "Look whether the address is right." if shared else "Share it with everybody who has the link."
        raise Fault(f"the server says {error.code} {error.reason}", hint=hint) from None
    except URLError as error:
        raise Fault(f"the server cannot be reached: {error.reason}", hint=_UNREACHED) from None
    except (OSError, HTTPException, ValueError) as error:
        raise Fault(f"the server cannot be reached: {error or type(error).__name__}", hint=_UNREACHED) from None
    return b"".join(parts)


def _allow(address: str) -> None:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        raise Fault("this is no address", hint="It begins with https://") from None
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and host in _HERE)):
        raise Fault(f'"{address[:200]}" is no address that pnp would fetch', hint="It begins with https://")


class _Redirects(HTTPRedirectHandler):
    """Follows few redirects, to allowed addresses only."""

    max_redirections = 5

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        _allow(newurl)
        if urlsplit(newurl).hostname in _HERE and urlsplit(req.full_url).hostname not in _HERE:
            raise Fault("the server leads on to an address of this machine")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
