"""A desk to draw at: a game in a temporary folder, its tools, and eyes for what they draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageStat

from pnp.draw.art import Art
from pnp.draw.cards import Origin
from pnp.draw.fonts import Fonts
from pnp.draw.layer_pdf import make_book
from pnp.draw.layers import Cutter, Frame, Tools
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.affine import Affine
from pnp.svg import safe as svg
from pnp.values.faces import Book, Face, Page, PlacedFace, PlacedLayer
from pnp.values.game import Game, Paper
from pnp.values.problems import Place, Problems
from pnp.write.pdf import Document, write_pdf

DOTS = 5
"""Dots a millimetre of pictures here, so that places in mm are whole dots."""


@dataclass
class Desk:
    """One small face, 40 × 30 mm unless ``frame`` says else, and what was found wrong with it."""

    root: Path
    palette: dict[str, str] = field(default_factory=dict)
    fonts: dict[str, str] = field(default_factory=dict)
    language: str = "en"
    frame: Frame = field(default_factory=lambda: Frame(40, 30, 0))
    faults: list[tuple[svg.BadDrawing, str]] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)

    @property
    def folder(self) -> Path:
        """The game's folder."""
        return self.root / "content" / "tiny"

    @cached_property
    def game(self) -> Game:
        """The game as it is read from its folder; it has no components."""
        sections = {"palette": self.palette, "fonts": self.fonts}
        lines = ["[game]", 'name = "Tiny"', f'language = "{self.language}"']
        for section, values in sections.items():
            lines += [f"[{section}]", *(f'{key} = "{value}"' for key, value in values.items())]
        self.write("game.toml", "\n".join(lines))
        (self.folder / "templates").mkdir(exist_ok=True)
        game = read_game(Project(self.root), "tiny", Problems())
        assert game is not None
        return game

    @cached_property
    def tools(self) -> Tools:
        return Tools(Art(self.game), Fonts(self.game), self.palette, self.language)

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file below the game's folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def art(self, name: str, content: str, box: str = "0 0 10 10", **attributes: str) -> Path:
        """Write a drawing below ``art/``."""
        return self.write(f"art/{name}.svg", drawing(content, box, **attributes))

    def cut(self, content: str, box: str = "", **attributes: str) -> tuple[PlacedLayer, ...]:
        """The layers of a face whose drawing has this content; faults of its parts go to ``faults``."""
        outer = self.frame.outer
        box = box or f"{outer.x:g} {outer.y:g} {outer.width:g} {outer.height:g}"
        cutter = Cutter(self.frame, self.tools, lambda fault, snippet: self.faults.append((fault, snippet)))
        return cutter.cut(drawing(content, box, **attributes))

    def book(self, layers: tuple[PlacedLayer, ...], origins: Mapping[str, Origin] | None = None) -> Book:
        """The layers as a book; what does not fit goes to ``problems``."""
        unique = {placed.layer.key: placed.layer for placed in layers}
        known = origins or {key: Origin("cards/anna", Place("cards.csv", 2)) for key in unique}
        return make_book(list(unique.values()), self.tools.fonts, known, self.problems)

    def pdf(self, layers: tuple[PlacedLayer, ...], book: Book | None = None) -> bytes:
        """A page with the face on it, bleed and all, 1 mm a mm."""
        outer = self.frame.outer
        face = Face("face", self.frame.width, self.frame.height, self.frame.bleed, layers)
        placed = PlacedFace(face, "cards/anna", "front", Affine(e=-outer.x, f=-outer.y), outer)
        page = Page(Paper("face", outer.width, outer.height), (placed,))
        about = Document(title="Tiny", author="", language="en", backs="none", creator="test", subject="")
        return write_pdf([page], book or self.book(layers), about)

    def show(self, content: str, box: str = "", **attributes: str) -> Image.Image:
        """The face as it would be inked, at five dots a mm; all of it must have been drawn."""
        layers = self.cut(content, box, **attributes)
        assert not self.faults, self.faults
        pdf = self.pdf(layers)
        assert not [problem for problem in self.problems if problem.rule == "bad-drawing"], list(self.problems)
        return picture(pdf)


def drawing(content: str, box: str, **attributes: str) -> str:
    """An SVG document."""
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<svg xmlns="{svg.SVG}" viewBox="{box}"{more}>{content}</svg>'


def picture(pdf: bytes, page: int = 0) -> Image.Image:
    """A page of a PDF as pixels."""
    document = pdfium.PdfDocument(pdf)
    try:
        return document[page].render(scale=DOTS * 25.4 / 72).to_pil().convert("RGB")
    finally:
        document.close()


Box = tuple[float, float, float, float]
"""Left, top, right and bottom in mm from the picture's top left."""


def ink(image: Image.Image, colour: str = "") -> Box | None:
    """Where anything is printed, or where something nearly of this colour is."""
    from PIL import ImageColor

    if colour:
        wanted = Image.new("RGB", image.size, ImageColor.getrgb(colour))
        found = ImageChops.difference(image, wanted).convert("L").point(lambda value: 255 if value < 24 else 0)
    else:
        found = ImageChops.difference(image, Image.new("RGB", image.size, "white")).convert("L")
        found = found.point(lambda value: 255 if value > 24 else 0)
    box = found.getbbox()
    return None if box is None else tuple(edge / DOTS for edge in box)  # type: ignore[return-value]


def colour_at(image: Image.Image, x: float, y: float) -> str:
    """The colour of the dot at a place in mm."""
    return "#{:02x}{:02x}{:02x}".format(*image.getpixel((int(x * DOTS), int(y * DOTS))))  # type: ignore[misc]


def difference(one: Image.Image, two: Image.Image) -> float:
    """How much two pictures differ in the mean, 0 to 255; of the colour that differs most."""
    assert one.size == two.size
    return max(ImageStat.Stat(ImageChops.difference(one, two)).mean)
