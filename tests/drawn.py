"""A tiny game drawn for tests of what is seen on pieces: a table and templates in, a Subject out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from conftest import TinyProject

from pnp.draw.cards import DrawContext, draw_component
from pnp.draw.layer_pdf import make_book
from pnp.draw.settexts import set_texts, shown_faces
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes.affine import IDENTITY, Rect
from pnp.values.faces import Page, PlacedFace
from pnp.values.findings import SetText, Subject
from pnp.values.game import Paper
from pnp.values.problems import Problems
from pnp.write.pdf import Document, write_pdf
from pnp.write.png import render

DPI = 72
HEAD = '[game]\nname = "Tiny"\npapers = ["a4"]\n'


@dataclass
class Bench:
    """A game of one component; ``front`` and ``back`` are what its templates have inside the drawing, in face mm."""

    root: Path
    component: str = 'kind = "card"\nsize = "tcg"'
    table: str = "name\nAnna\n"
    front: str = ""
    back: str = ""
    outer: Rect = field(default_factory=lambda: Rect(-3, -3, 69, 94))
    """The face with its bleed."""
    extra: str = ""
    """More of game.toml."""

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file below the project's folder."""
        TinyProject(Project(self.root)).write(name, content)

    def subject(self, dpi: int = DPI) -> Subject:
        """The game as the rules that look at drawn pieces see it; nothing may be wrong with it."""
        back = 'back = "back"\n' if self.back else ""
        TinyProject(Project(self.root)).put(
            game_toml=f"{HEAD}{self.extra}\n[component.cards]\n{self.component}\n{back}", cards_csv=self.table
        )
        box = f"{self.outer.x:g} {self.outer.y:g} {self.outer.width:g} {self.outer.height:g}"
        for name, content in (("cards", self.front), ("back", self.back)):
            self.write(
                f"templates/tiny/{name}.svg.j2",
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">'
                f'<rect x="{self.outer.x}" y="{self.outer.y}" width="500" height="500" fill="#ffffff"/>{content}</svg>',
            )
        problems = Problems()
        game = read_game(Project(self.root), "tiny", problems)
        assert game is not None, list(map(str, problems))
        context = DrawContext(game, problems)
        decks = [draw_component(context, component) for component in game.components]
        book = make_book(context.layers(), context.tools.fonts, context.origins, problems)
        assert not problems.errors, list(map(str, problems.errors))
        faces = shown_faces(decks)
        pages = [
            Page(
                Paper("face", face.width, face.height),
                (PlacedFace(face, piece.name, side, IDENTITY, Rect(0, 0, face.width, face.height)),),
                side,
            )
            for piece, side, face in faces.values()
        ]
        pictures = render(write_pdf(pages, book, Document("Tiny", "", "en", "none", "test", "")), dpi)
        texts = set_texts(game, decks, book.fits)
        return Subject(game, tuple(decks), texts, faces, dict(zip(faces, pictures, strict=True)), dpi)

    def texts(self) -> tuple[SetText, ...]:
        """The texts of all faces."""
        return self.subject().texts


def box(text: str, x: float, y: float, w: float, h: float, **options: object) -> str:
    """A text box in a template."""
    settings = "".join(f' data-{key}="{value}"' for key, value in options.items())
    return f'<foreignObject x="{x}" y="{y}" width="{w}" height="{h}"{settings}>{text}</foreignObject>'


def label(text: str, x: float, y: float, size: float, **options: object) -> str:
    """A line of text at a point; ``size`` in mm."""
    settings = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in options.items())
    return f'<text x="{x}" y="{y}" font-size="{size}"{settings}>{text}</text>'


def ground(fill: str, x: float = -3, y: float = -3, w: float = 69, h: float = 94) -> str:
    """A filled rectangle; by default all of a card."""
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}"/>'
