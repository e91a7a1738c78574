"""Books for those who hear them: PDFs as the package pdfua judges them and pikepdf reads their tags, HTML as lxml does."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import lxml.html
import pikepdf
import pytest
from bound import BOOK, fair, plain_game, set_books
from pdfua import validate

from pnp.flows.publish import files_of

MORE = """
## Odds and ends

### Of a row

| | |
|---|---|
| **Storm** | At once home. |
| **Fire** | Every card goes back. |

| | Day | Night |
|---|--:|--:|
| Bakery | 2 | 3 |

::: scene on="table" width="60mm" alt="Two stalls beside one another"
| what | where | how |
|---|---|---|
| cards/bakery | 1,1 | |
| cards/puppets | 2,1 | |

On the table.
:::

::: columns
Left of all.

Right of all.
:::

::: beside
{{ face("cards", "bakery", width="20mm", alt="The bakery, once more") }}

What is said beside it, with a link to [how it is played](https://example.org/fair).
:::

::: side On the side
- one
- two
:::

```
A card is a card.
```

"""
WHOLE = BOOK.replace("## Imprint", MORE + "## Imprint")
# pdfua 0.1.3 cannot look at headings of more than one part; here they are read without it.
NOT_BY_PDFUA = {"UA-14-001"}
SETS = {
    "a4": ["rulebook-a5.pdf", "rulebook.pdf", "turn-a5.pdf"],
    "letter": ["rulebook-half-letter.pdf", "rulebook.pdf", "turn-half-letter.pdf"],
}
PICTURES = (
    *("coin", "The Bakery and the Puppets (1/2)", "The Bakery and the Puppets (2/2)", "Two meadows side by side"),
    *("The card Balloons", "A back with a tent", "Stall cards: Carousel", "A die as it stands", "a striped tent"),
    *("Two stalls beside one another", "The bakery, once more"),
)
NAMES = [f"{paper}/{name}" for paper, names in SETS.items() for name in names]


@dataclass(frozen=True)
class Tag:
    """An element of a file's structure, with those around it, the outermost first."""

    name: str
    around: tuple[str, ...]
    node: pikepdf.Object

    @property
    def inside(self) -> list[Tag]:
        return list(tags(self.node, (*self.around, self.name)))

    @property
    def shown(self) -> int:
        """How many parts of pages it stands for."""
        return sum(1 for _ in marked(self.node))

    def attribute(self, key: str) -> str:
        given = self.node.get("/A", pikepdf.Array())
        every = given if isinstance(given, pikepdf.Array) else [given]
        return next((str(each[key]) for each in every if isinstance(each, pikepdf.Dictionary) and key in each), "")


def kids(node: pikepdf.Object) -> list[pikepdf.Object | int]:
    given = node.get("/K", pikepdf.Array())
    return list(given) if isinstance(given, pikepdf.Array) else [given]  # type: ignore[call-overload]


def tags(node: pikepdf.Object, around: tuple[str, ...] = ()) -> Iterator[Tag]:
    """All elements below a node, in the order in which they are read."""
    for kid in kids(node):
        if isinstance(kid, pikepdf.Array):
            yield from tags(pikepdf.Dictionary(K=kid), around)
        elif isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield Tag(str(kid["/S"])[1:], around, kid)
            yield from tags(kid, (*around, str(kid["/S"])[1:]))


def marked(node: pikepdf.Object) -> Iterator[object]:
    """The parts of pages, and links on them, that belong to an element."""
    for kid in kids(node):
        if isinstance(kid, pikepdf.Array):
            yield from marked(pikepdf.Dictionary(K=kid))
        elif isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield from marked(kid)
        else:
            yield kid


def untold(pdf: pikepdf.Pdf) -> list[str]:
    """What somebody who hears the file would miss."""
    root = pdf.Root
    every = list(tags(root["/StructTreeRoot"]))
    found = []
    for tag in every:
        within = tag.inside
        names = [each.name for each in within]
        if tag.name == "Table" and not any(each.name == "TH" and each.attribute("/Scope") for each in within):
            found.append("a table without heads")
        if tag.name == "Figure" and not str(tag.node.get("/Alt", "")).strip():
            found.append("a picture without words")
        if re.fullmatch(r"H\d", tag.name) and not tag.shown:
            found.append("an empty heading")
        if tag.name == "L" and not {each.name for each in within if each.around[-1] == "L"} <= {"LI", "L"}:
            found.append("a list of other than items")
        if tag.name == "LI" and "LBody" not in names:
            found.append("an item without a body")
        if tag.name in ("Document", "Div") and not all(isinstance(kid, pikepdf.Dictionary) for kid in kids(tag.node)):
            found.append("text that is nothing")
    levels = [int(tag.name[1]) for tag in every if re.fullmatch(r"H\d", tag.name)]
    if levels[:1] != [1] or any(after - before > 1 for before, after in pairwise(levels)):
        found.append(f"levels {levels}")
    links = [note for page in pdf.pages for note in page.get("/Annots", ()) if note["/Subtype"] == "/Link"]
    found += ["a link without words" for link in links if not str(link.get("/Contents", "")).strip()]
    if len(links) > sum(tag.name == "Link" for tag in every):
        found.append("a link that is no part of the text")
    if not (root.get("/Lang") and root["/MarkInfo"]["/Marked"] and root["/ViewerPreferences"]["/DisplayDocTitle"]):
        found.append("a file that does not say what it is")
    return found


def judged(path: Path) -> list[str]:
    """What pdfua says of a file; it looked at all that it can."""
    report = validate(str(path))
    assert {outcome.rule_id for outcome in report.skipped} <= NOT_BY_PDFUA, report.skipped
    assert len(report.outcomes) > 10
    return [f"{finding.rule_id}: {finding.message}" for finding in report.findings]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """The files of the fair's books, with every kind of block in them."""
    game, editions = set_books(fair(tmp_path_factory.mktemp("fair"), rulebook=WHOLE), *SETS)
    return {name: data for name, _, data in files_of(game, editions)}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory, made: Mapping[str, bytes]) -> Mapping[str, Path]:
    """Those that one reads on a screen."""
    folder = tmp_path_factory.mktemp("read")
    paths = {name: folder / name.replace("/", "-") for name in NAMES}
    for name, path in paths.items():
        path.write_bytes(made[name])
    return paths


@pytest.mark.parametrize("name", NAMES)
def test_pdfua_finds_nothing(read: Mapping[str, Path], name: str) -> None:
    """A book with every kind of block, in full and half size, and a reference card."""
    assert judged(read[name]) == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_untold(read: Mapping[str, Path], name: str) -> None:
    """Tables have heads with a scope, pictures and links words, lists items; headings leave no level out."""
    with pikepdf.open(read[name]) as pdf:
        assert untold(pdf) == []


def test_a_table_whose_heads_are_cells_is_found(read: Mapping[str, Path], tmp_path: Path) -> None:
    """By both: they do not find nothing because they look at nothing."""
    with pikepdf.open(read["a4/rulebook.pdf"]) as pdf:
        for tag in tags(pdf.Root["/StructTreeRoot"]):
            if tag.name == "TH":
                tag.node["/S"] = pikepdf.Name("/TD")
        pdf.save(tmp_path / "broken.pdf")
    with pikepdf.open(tmp_path / "broken.pdf") as broken:
        assert set(untold(broken)) == {"a table without heads"}
    assert [finding.partition(":")[0] for finding in judged(tmp_path / "broken.pdf")] == ["UA-15-003"] * 4


@pytest.mark.parametrize("name", [name for name in NAMES if "rulebook" in name])
def test_blocks_are_tagged_as_what_they_are(read: Mapping[str, Path], name: str) -> None:
    """Only tables with heads are tables; what is laid out side by side is text, in its order."""
    with pikepdf.open(read[name]) as pdf:
        every = list(tags(pdf.Root["/StructTreeRoot"]))
        count = {kind: sum(tag.name == kind for tag in every) for kind in ("Table", "TH", "L", "LI", "BlockQuote", "TOC")}
        alts = [str(tag.node["/Alt"]) for tag in every if tag.name == "Figure"]

    # Components, set-up, coins, stalls by day; two lists in one another, notes of an anatomy, a list in a box.
    assert count == {"Table": 4, "TH": 4 + 4 + 2 + 3, "L": 4, "LI": 4 + 2 + 2, "BlockQuote": 1, "TOC": count["TOC"]}
    # So few large pages need no contents.
    assert bool(count["TOC"]) == ("-" in name)
    # The cover comes first; wide pictures may float to where there is room; thumbs in a table are not heard.
    assert alts[0] == "The Fair" and sorted(alts[1:]) == sorted(PICTURES)


def test_a_table_without_a_head_is_read_row_by_row(tmp_path: Path) -> None:
    """The imprint too: each cell is a paragraph, what a row is called before what it says."""
    book = "# A\n\n| | |\n|---|---|\n| One | first |\n| Two | second |\n"
    _, (edition,) = set_books(plain_game(tmp_path, book, game='[book.rulebook]\ncontents = ""\n'), "a4")
    path = tmp_path / "book.pdf"
    path.write_bytes(edition.small.pdf)

    assert judged(path) == []
    with pikepdf.open(path) as pdf:
        every = list(tags(pdf.Root["/StructTreeRoot"]))
        assert not {"Table", "TR", "TD"} & {tag.name for tag in every}
        assert [tag.shown for tag in every if tag.name == "P" and "Div" in tag.around] == [1, 1, 1, 1]
        assert untold(pdf) == []


def test_a_shipped_game_is_told_whole(build_prowl: Callable[..., Path]) -> None:
    """All its books that are read on a screen."""
    books = [
        path
        for book in ("rulebook", "construction", "sailing-orders")
        for path in build_prowl().glob(f"a4/{book}*.pdf")
        if not path.stem.endswith(("-booklet", "-two-up"))
    ]
    found = {}
    for path in books:
        with pikepdf.open(path) as pdf:
            found[path.name] = [*judged(path), *untold(pdf)]

    assert len(books) == 2 + 2 + 1
    assert not any(found.values()), found


def test_the_page_names_its_columns(made: Mapping[str, bytes]) -> None:
    """Heads have words and a scope; tables without heads are none to those who hear them."""
    page = lxml.html.document_fromstring(made["rulebook.html"])

    heads = list(page.iter("th"))
    assert heads and all(head.get("scope") == "col" and head.text_content().strip() for head in heads)
    for table in page.iter("table"):
        assert (table.get("role") == "presentation") == (table.find(".//th") is None)
    assert [table.get("role") for table in page.iter("table")].count("presentation") == 2
    assert page.get("lang") == "en" and all(image.get("alt") is not None for image in page.iter("img"))


def test_the_numbers_on_a_picture_are_heard_once(made: Mapping[str, bytes]) -> None:
    """In the list of what they are: in a PDF nothing else is told of the picture before it."""
    page = lxml.html.document_fromstring(made["rulebook.html"])
    (figure,) = page.find_class("anatomy")

    assert [dot.get("aria-hidden") for dot in figure.find_class("dot")] == ["true"] * 2
    with pikepdf.open(io.BytesIO(made["a4/rulebook-a5.pdf"])) as pdf:
        every = list(tags(pdf.Root["/StructTreeRoot"]))
        first = next(index for index, tag in enumerate(every) if "Carousel" in str(tag.node.get("/Alt", "")))
        assert [tag.name for tag in every[first + 1 :] if tag.name != "Div"][:3] == ["L", "LI", "Lbl"]


SKIPPING = (
    "# A\n\n### B\n\n#### C",
    "### A\n\n##### B",
    "::: side\n### A\n:::\n\n# B",
    "# A\n\n- a\n\n  #### B",
    "# A\n\n::: back\n#### B\n:::",
)


@pytest.mark.parametrize("book", SKIPPING)
def test_no_level_of_headings_is_left_out(tmp_path: Path, book: str) -> None:
    """Readers count levels one by one, and nobody who writes a book has to: in the PDF, and on the page, whose title is the
    first."""
    game, editions = set_books(plain_game(tmp_path, book, game='[book.rulebook]\ncontents = ""\n'), "a4")
    files = {name: data for name, _, data in files_of(game, editions)}
    page = lxml.html.document_fromstring(files["rulebook.html"])
    shown = [int(str(element.tag)[1]) for element in page.iter("h1", "h2", "h3", "h4")]
    with pikepdf.open(io.BytesIO(files["a4/rulebook-a5.pdf"])) as pdf:
        tagged = [int(tag.name[1]) for tag in tags(pdf.Root["/StructTreeRoot"]) if re.fullmatch(r"H\d", tag.name)]

    for levels in (shown, tagged):
        assert levels[0] == 1 and all(after - before <= 1 for before, after in pairwise(levels))
