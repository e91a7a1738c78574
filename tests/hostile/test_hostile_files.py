"""Folders from strangers: what is no file, leads elsewhere or is nested without end neither hangs nor is read."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from struct import pack

import font_source_sans_pro
import pytest
from commands import Left, run
from conftest import TinyProject
from limits import bounded

SECRET = "the-secret-word"
WITH_ART = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.icon("boat", 5, 5, 40) }}
{{ s.text(row.name, 5, 50, 53, 10, size="14 9") }}{{ s.text(row.text, 5, 60, 53, 20, size="10 7") }}
{% endblock %}
"""
LAUGHS = '<!ENTITY a "ha">' + "".join(f'<!ENTITY {chr(98 + at)} "{f"&{chr(97 + at)};" * 20}">' for at in range(10))
pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
linux = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc here")


def chunk(name: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))


def png(width: int, height: int, rows: int | None = None, more: bytes = b"") -> bytes:
    """A black picture, written by hand; with fewer ``rows`` than it says when asked for."""
    rows, packer = height if rows is None else rows, zlib.compressobj(9)
    line = b"\0" * (1 + 3 * width) if rows else b""
    data = b"".join(packer.compress(line) for _ in range(rows)) + packer.flush()
    header = chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def check(tiny: TinyProject, *more: str) -> Left:
    """``pnp check``, soon done, and without a word of what lies elsewhere."""
    with bounded():
        left = run("check", "tiny", "--json", *more, at=tiny.project.root)
    assert SECRET not in left.out + left.err
    assert "root:" not in left.out + left.err
    return left


def instead(path: Path, make: Callable[[Path], object]) -> None:
    """Something else in place of a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)


def vast(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


MADE: dict[str, Callable[[Path], object]] = {
    "folder": Path.mkdir,
    "vast": vast,
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "passwords": lambda path: path.symlink_to("/etc/passwd"),
    "itself": lambda path: path.symlink_to(path.name),
}
STRANGE = [pytest.param(make, id=name) for name, make in MADE.items()]
STRANGE.append(pytest.param(lambda path: os.mkfifo(path), id="pipe", marks=pipes))
STRANGE.append(pytest.param(lambda path: path.symlink_to("/proc/kmsg"), id="kernel", marks=linux))


@pytest.mark.parametrize("make", STRANGE)
@pytest.mark.parametrize("file", ["game.toml", "cards.csv", "rulebook.md", "templates/cards.svg.j2"])
def test_what_is_no_file_of_the_game_is_not_read(tiny: TinyProject, file: str, make: Callable[[Path], object]) -> None:
    """A folder, a pipe, a device, a link out, a file without end in place of a file: a sentence, and no waiting."""
    instead(tiny.game / file, make)
    if file == "templates/cards.svg.j2":
        (tiny.project.root / "templates/tiny/cards.svg.j2").unlink()
    left = check(tiny)

    needed = file in ("game.toml", "cards.csv", "templates/cards.svg.j2")
    assert left.code in ((1, 2, 3) if needed else (0, 1, 3))
    if left.code in (1, 3):
        assert all(problem["file"] and problem["message"] for problem in left.problems)


@pytest.mark.parametrize("make", STRANGE)
@pytest.mark.parametrize("file", ["art/boat.png", "art/boat.svg"])
def test_a_drawing_that_is_none_is_not_read(tiny: TinyProject, file: str, make: Callable[[Path], object]) -> None:
    """Nor is what stands in a drawing's place."""
    tiny.write("templates/tiny/cards.svg.j2", WITH_ART)
    instead(tiny.game / file, make)
    left = check(tiny)

    assert left.code == 1
    assert {problem["rule"] for problem in left.problems} <= {"missing-art", "bad-drawing"}


@pytest.mark.parametrize("make", STRANGE)
@pytest.mark.parametrize("file", ["art/other.png", "fonts/other.ttf"])
def test_what_nobody_asks_for_harms_nobody(tiny: TinyProject, file: str, make: Callable[[Path], object]) -> None:
    """A build looks at all that a folder has, and still reads no pipe, no device and nothing elsewhere."""
    tiny.write("templates/tiny/cards.svg.j2", WITH_ART)
    tiny.write("content/tiny/art/boat.png", png(30, 30))
    instead(tiny.game / file, make)
    assert check(tiny).code == (1 if file.startswith("fonts") else 0)

    with bounded():
        left = run("build", "tiny", "--paper", "a4", at=tiny.project.root)
    assert left.code == (1 if file.startswith("fonts") else 0), left.err


@pipes
def test_completion_waits_for_no_pipe(tiny: TinyProject) -> None:
    """A shell that completes names looks at game.toml as well."""
    from pnp.read.project import component_names

    instead(tiny.game / "game.toml", os.mkfifo)

    assert component_names(tiny.game) == []


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: png(50_000, 50_000, rows=1), "pixels"),
        (lambda: png(9_000, 9_000, rows=9_000), "pixels"),
        (lambda: png(30, 30, more=chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000)))), "PNG"),
        (lambda: png(30, 30, more=chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(100_000_000)))), ""),
        (lambda: b"GIF89a" + bytes(100), "cannot be"),
    ],
    ids=["wide", "large", "text-bomb", "profile-bomb", "gif"],
)
def test_a_picture_that_is_a_bomb_is_refused(tiny: TinyProject, made: Callable[[], bytes], said: str) -> None:
    """A few bytes that would be gigabytes of dots are refused by what they say of themselves."""
    tiny.write("templates/tiny/cards.svg.j2", WITH_ART)
    tiny.write("content/tiny/art/boat.png", made())
    left = check(tiny)

    if said:
        assert left.code == 1
        assert {problem["rule"] for problem in left.problems} == {"bad-drawing"}
        assert said in left.problems[0]["message"]
    assert left.code in (0, 1)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.9])
def test_a_torn_font_is_no_fault_of_ours(tiny: TinyProject, share: float) -> None:
    """Cut off anywhere, a font is used as far as it goes or named as broken."""
    whole = sorted((Path(font_source_sans_pro.__file__).parent / "files").glob("*"))[0].read_bytes()
    tiny.write("content/tiny/fonts/torn.otf", whole[: int(len(whole) * share)])
    left = check(tiny)

    assert left.code in (0, 1)
    assert {problem["rule"] for problem in left.problems} <= {"broken-font"}


@pytest.mark.parametrize(
    "content",
    [
        '<image href="file:///SECRET" width="9" height="9"/>',
        '<use href="other.svg#x"/>',
        '<style>@import "file:///SECRET";</style>',
        "<style>@font-face { src: url(file:///SECRET) }</style>",
        '<filter id="f"><feImage href="file:///SECRET"/></filter>',
        '<textPath href="file:///SECRET"/>',
        "<script>fetch('http://127.0.0.1:9/')</script>",
        '<a href="javascript:alert(1)"><rect width="9" height="9"/></a>',
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///SECRET" parse="text"/>',
    ],
)
def test_a_drawing_fetches_nothing(tiny: TinyProject, content: str) -> None:
    """Neither files nor addresses, in whichever way SVG, XML or CSS would let it."""
    outside = tiny.write("secret.txt", SECRET)
    _draws(tiny, content.replace("SECRET", outside.as_posix().lstrip("/")))
    left = check(tiny)

    assert left.code == 1 or "include" in content
    assert [problem["rule"] for problem in left.problems] in (["bad-drawing"], ["missing-art"], [])


def test_what_stands_before_a_drawing_is_not_fetched(tiny: TinyProject) -> None:
    """A style sheet named before it is left where it is; the drawing alone is drawn or refused."""
    _draws(tiny, '<rect width="9" height="9"/>', '<?xml-stylesheet href="file:///etc/passwd" type="text/css"?>')

    assert check(tiny).code in (0, 1)


@pytest.mark.parametrize(
    ("declared", "used"),
    [
        ('<!ENTITY a SYSTEM "file:///etc/passwd">', "<title>&a;</title>"),
        ('<!ENTITY a PUBLIC "x" "http://127.0.0.1:9/">', "<title>&a;</title>"),
        ('<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;', "<title>&b;</title>"),
        (LAUGHS, "<title>&k;</title>"),
        (f'<!ENTITY a "{"x" * 100_000}">', f"<title>{'&a;' * 50_000}</title>"),
        ('<!ENTITY a "&b;"><!ENTITY b "&a;">', "<title>&a;</title>"),
    ],
    ids=["file", "http", "parameter", "laughs", "quadratic", "circle"],
)
def test_entities_are_not_read(tiny: TinyProject, declared: str, used: str) -> None:
    """A bomb of entities is refused before it goes off, and so is one that names a file."""
    _draws(tiny, used, f"<!DOCTYPE svg [{declared}]>")
    left = check(tiny)

    assert left.code == 1
    told = [(problem["rule"], problem["file"]) for problem in left.problems]
    assert told == [("bad-drawing", "content/tiny/art/boat.svg")]


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "..\\\\secret",
        "/etc/passwd",
        "\\\\\\\\server\\\\share\\\\x.png",
        "link",
        "linked/secret",
        "a\\x00b",
        "boat.png/../../secret",
    ],
)
def test_no_name_of_a_drawing_leads_out(tiny: TinyProject, name: str) -> None:
    """Up, away, to another drive or machine, through a link: there is no such drawing."""
    tiny.write("content/tiny/secret.png", png(9, 9))
    tiny.write("content/secret.png", png(9, 9))
    tiny.write("content/tiny/art/boat.png", png(30, 30))
    (tiny.game / "art/link.png").symlink_to(tiny.project.root / "content/secret.png")
    (tiny.game / "art/linked").symlink_to(tiny.project.root / "content")
    tiny.write("templates/tiny/cards.svg.j2", WITH_ART.replace("boat", name))
    left = check(tiny)

    assert left.code == 1
    assert {problem["rule"] for problem in left.problems} <= {"missing-art", "bad-drawing", "bad-template", "missing-glyph"}


def _draws(tiny: TinyProject, content: str, before: str = "") -> None:
    head = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
    tiny.write("content/tiny/art/boat.svg", f"{before}{head}{content}</svg>")
    tiny.write("templates/tiny/cards.svg.j2", WITH_ART)


@pytest.mark.parametrize(
    "more",
    [
        "[texts]\na = " + "[" * 100_000 + "]" * 100_000,
        "[texts]\n" + ".".join("a" * 100_000) + " = 1",
        "[texts]\n" + ".".join(['"a"'] * 50_000) + " = 1",
        "".join(f"[texts.{'a.' * 40}b{number}]\n" for number in range(5_000)),
        '[texts]\na = """' + '"' * 400_000,
        "weight = nan",
        'bleed = "' + "9" * 5000 + 'mm"',
        "[table.cards.columns]\nname = { type = 'number', min = 1e308, max = -1e308 }",
        "[palette]\n" + "\n".join(f'c{number} = "#ffffff"' for number in range(40_000)),
        "\x00",
    ],
    ids=lambda text: text[:24].replace("\n", " "),
)
def test_a_game_file_without_bounds_is_refused(tiny: TinyProject, more: str) -> None:
    """Depth, digits, powers of ten and keys without end: a sentence at most, and soon."""
    tiny.write("content/tiny/game.toml", (tiny.game / "game.toml").read_text(encoding="utf-8") + more + "\n")
    left = check(tiny, "--no-draw")

    assert left.code in (0, 1, 3)
    assert left.code or "palette" in more or "number" in more
    assert all(problem["file"].startswith("content/tiny/") and len(problem["message"]) < 1000 for problem in left.problems)


@pytest.mark.parametrize("size", ["nanmm x nanmm", "9" * 400 + "mm x 5mm", "1e-300mm x 5mm"])
def test_no_size_is_out_of_this_world(tiny: TinyProject, size: str) -> None:
    """A piece is larger than nothing and smaller than a house."""
    text = (tiny.game / "game.toml").read_text(encoding="utf-8")
    tiny.write("content/tiny/game.toml", text.replace('"tcg"', f'"{size}"'))
    left = check(tiny)

    assert left.code == 1
    assert [problem["rule"] for problem in left.problems] == ["bad-size" if len(size) < 400 else "bad-value"]
