"""The README and the pages hang together: links, pictures, names of files, length of lines, and the site made of them."""

from __future__ import annotations

import ast
import io
import os
import pkgutil
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pages import DOCS, PAGES, README, ROOT, anchors, navigation, targets
from PIL import Image

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
# All Markdown of the repository but that of the games in tests/games, which are wrong on purpose.
PROSE = (
    *sorted(ROOT.glob("*.md")),
    *PAGES,
    *sorted(path for folder in ("content", "templates") for path in (ROOT / folder).rglob("*.md")),
)
# Files that a person writes in a game's folder, and those at the top.
WRITTEN = {"README.md", "readme.md", "rulebook.md", "NAME.md", "CONTRIBUTING.md", "CHANGELOG.md"}
CITED = re.compile(r"(?<![\w./-])((?:[\w.-]+/)*[\w-]+\.md)(?:#([\w-]+))?")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PROSE, ids=name)
def test_relative_links_lead_somewhere(path: Path) -> None:
    """Every link and picture is a file of the repository, and every #anchor a heading of the page it is on."""
    for target, shown in targets(path):
        # Pictures of rulebooks are drawings, which pnp looks for by their names.
        if shown and path.name != "README.md" and ROOT / "content" in path.parents:
            continue
        if re.match(r"[a-z]+:", target):
            assert target.startswith("https://"), target
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists() and found.is_relative_to(ROOT), target
        assert not anchor or anchor in anchors(found), target
        assert DOCS not in path.parents or DOCS in found.parents, f"{target} is not published"


def test_headings_of_a_page_have_names_of_their_own() -> None:
    """Two headings with the same name could not be told apart in links."""
    for path in (README, CONTRIBUTING, *PAGES):
        assert len(anchors(path)) == len(set(anchors(path))), path


@pytest.mark.parametrize("path", [README, CONTRIBUTING, ROOT / "CHANGELOG.md", *PAGES], ids=name)
def test_lines_are_short(path: Path) -> None:
    """No line of README and pages is longer than 119 characters, tables and links included."""
    lines = path.read_text(encoding="utf-8").splitlines()

    assert [(number, line) for number, line in enumerate(lines, 1) if len(line) >= 120] == []


def test_the_readme_stays_short() -> None:
    """What a stranger reads first is under 250 lines and 15 kB."""
    text = README.read_bytes()

    assert len(text.splitlines()) < 250
    assert len(text) < 15_000


def pictures() -> list[Path]:
    return sorted(
        {(path.parent / target).resolve() for path in (README, *PAGES) for target, shown in targets(path) if shown}
    )


@pytest.mark.parametrize("picture", pictures(), ids=name)
def test_pictures_are_there_and_small(picture: Path) -> None:
    """A picture that is shown is in the tree, under 300 kB; those of macros under 60 kB."""
    assert 500 < picture.stat().st_size < (60_000 if picture.parent.name == "macros" else 300_000)


def test_every_picture_is_shown() -> None:
    """No picture lies there for nobody."""
    assert sorted(path for path in (DOCS / "pictures").rglob("*") if path.is_file()) == pictures()


def test_the_script_of_the_pictures_still_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one picture that needs no build before it is made again, as large as the one that is kept."""
    monkeypatch.syspath_prepend(DOCS / "make")
    import pictures as made  # type: ignore[import-not-found]

    with Image.open(DOCS / "pictures" / "first-deck.png") as kept:
        again = made.first_deck()
        assert again.height * kept.width / again.width == pytest.approx(kept.height, abs=1)


def test_every_page_is_in_the_navigation() -> None:
    """mkdocs.yml names each page once, in one of the rooms."""
    named = navigation()

    assert sorted(named) == sorted(path.relative_to(DOCS).as_posix() for path in PAGES)
    assert {Path(each).parent.as_posix() for each in named} == {".", "tutorial", "how-to", "reference", "how-it-works"}


def test_the_first_page_leads_to_every_page() -> None:
    """Who does not know the word for a thing finds it by reading the first page, to which the README leads."""
    first = DOCS / "index.md"
    linked, known = (
        {(path.parent / target.partition("#")[0]).resolve() for target, _ in targets(path)} for path in (first, README)
    )

    assert sorted(name(page) for page in PAGES if page not in {*linked, first}) == []
    assert first in known


def remarks(path: Path) -> Iterator[str]:
    """Comments and docstrings of a Python file, comments of a template."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from re.findall(r"\{#.*?#\}", text, re.DOTALL)
        return
    if ".md" not in text:
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def test_pages_that_the_code_cites_are_there() -> None:
    """A page named in a comment or a docstring exists, and so does the section; nobody is sent to a file elsewhere."""
    sources = [path for folder in ("pnp", "tests", "docs/make") for path in sorted((ROOT / folder).rglob("*.py"))]
    templates = sorted((ROOT / "templates").rglob("*.j2"))
    cited = [
        (path, match)
        for path in [*sources, *templates]
        if ROOT / "tests" / "games" not in path.parents
        for remark in remarks(path)
        for match in CITED.finditer(remark)
    ]
    for path, match in cited:
        if match[1] not in WRITTEN and not match[1].startswith("content/"):
            assert (ROOT / match[1]).is_file(), f"{name(path)}: {match[0]}"
            assert not match[2] or match[2] in anchors(ROOT / match[1]), f"{name(path)}: {match[0]}"
    assert any(match[1] == "docs/how-it-works/print.md" for _, match in cited)


@pytest.mark.parametrize("path", [README, CONTRIBUTING, *PAGES], ids=name)
def test_files_of_the_program_that_pages_name_are_there(path: Path) -> None:
    """Modules move; where prose names one it must follow."""
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w/.-])((?:pnp|tests|docs/make|\.ci)/[\w/.*…-]+)", text)

    for each in named:
        assert any(ROOT.glob(each.rstrip(".").replace("…", "*"))), each
    groups = {"pnp.commands", "pnp.verifiers"}  # of entry points
    for each in {*re.findall(r"`(pnp\.[\w.]+)`", text)} - groups:
        assert pkgutil.resolve_name(each)


def test_each_promise_has_its_test() -> None:
    """The page is one screen; every line of it names a test that is there."""
    text = (DOCS / "how-it-works/promises.md").read_text(encoding="utf-8")
    promises = re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE)
    held = [re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", promise) for promise in promises]

    assert len(text.splitlines()) <= 60 and len(promises) >= 15
    assert [promise for promise, tests in zip(promises, held, strict=True) if len(tests) != 1] == []
    for file, test in (each for tests in held for each in tests):
        assert re.search(rf"^def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), f"{file}::{test}"


def test_modules_are_named_in_few_places() -> None:
    """Only those who work on the program read of its modules."""
    naming = {
        name(path) for path in (README, CONTRIBUTING, *PAGES) if re.search(r"(?<![\w/.])pnp/\w+", path.read_text("utf-8"))
    }

    assert naming <= {"CONTRIBUTING.md", "docs/how-it-works/stages.md", "docs/how-it-works/add-ons.md"}


def test_modules_named_to_those_who_change_them_are_there() -> None:
    """A file that was joined with another is not told of any more."""
    there = [f"/{name(path)}" for path in ROOT.glob("[!.]*/**/*") if path.suffix in (".py", ".typ")]
    pages = (CONTRIBUTING, DOCS / "how-it-works/stages.md")
    named = {each for page in pages for each in re.findall(r"`([\w/]+\.(?:py|typ))\b", page.read_text("utf-8"))}

    assert len(named) > 30
    assert [each for each in sorted(named) if not any(path.endswith(f"/{each}") for path in there)] == []


class Loaded(HTMLParser):
    """What a browser fetches by itself to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = dict(attrs)
        if tag in ("script", "img", "iframe") and at.get("src"):
            self.found.append(str(at["src"]))
        if tag == "link" and at.get("rel") != "canonical":
            self.found.append(str(at["href"]))


def test_the_site_is_made_without_a_warning_and_needs_no_other_host(tmp_path: Path) -> None:
    """``mkdocs build --strict`` ends well, every page is there, and what pages load lies beside them."""
    pytest.importorskip("mkdocs", reason="pip install -e '.[docs]' to try how the pages are built")
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)

    assert built.returncode == 0, built.stderr
    for path in PAGES:
        made = site / path.relative_to(DOCS).with_suffix(".html")
        loaded = Loaded()
        loaded.feed(made.read_text(encoding="utf-8"))
        assert loaded.found
        assert [each for each in loaded.found if re.match(r"(?:[a-z]+:)?//", each)] == []
    assert not (site / "make").exists()
