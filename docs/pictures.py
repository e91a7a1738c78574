"""Makes the README's pictures from a build: ``python docs/pictures.py`` after ``pnp build``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageOps

from pnp.build import Options, build_game
from pnp.read.project import Project
from pnp.starting import start_game

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "output"
PACK = OUTPUT / "pirates-on-the-prowl"
WIDTH = 1200


def picture(file: Path, number: int, dpi: float) -> Image.Image:
    """A page of a file (1-based) as a picture."""
    return pdfium.PdfDocument(file)[number - 1].render(scale=dpi / 72).to_pil().convert("RGB")


def page(paper: str, number: int, dpi: float) -> Image.Image:
    """A page of the cards' print file (1-based) as a picture."""
    return picture(PACK / paper / "print.pdf", number, dpi)


def save(picture: Image.Image, name: str) -> None:
    """Few colours are enough for flat drawings, and keep the repository small."""
    picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
    picture.quantize(160, dither=Image.Dither.NONE).save(Path(__file__).parent / name, optimize=True)


def beside(pictures: list[Image.Image], gap: int = 24) -> Image.Image:
    """Pictures in a row on a desk's grey."""
    width = sum(picture.width for picture in pictures) + gap * (len(pictures) + 1)
    height = max(picture.height for picture in pictures) + 2 * gap
    desk = Image.new("RGB", (width, height), "#cfd4d8")
    x = gap
    for picture in pictures:
        desk.paste(picture, (x, gap))
        x += picture.width + gap
    return desk


def first_deck() -> Image.Image:
    """The cards that ``pnp new`` makes, and their back."""
    with tempfile.TemporaryDirectory() as desk:
        start_game(Path(desk), "snowball", "starter")
        options = Options(Path(desk), faces="png", dpi=90, face_bleed=False)
        faces = build_game(Project(Path(desk)), "snowball", options, print).files
        pictures = {file.stem: Image.open(file).convert("RGB") for file in faces if file.suffix == ".png"}
    return beside([*(picture for name, picture in pictures.items() if name != "back"), pictures["back"]])


def main() -> None:
    save(first_deck(), "first-deck.png")
    cards = page("letter", 5, 110)
    save(cards.crop((0, round(cards.height * 0.02), cards.width, round(cards.height * 0.66))), "cards.png")
    captains = page("letter", 33, 110)
    save(captains.crop((0, 0, captains.width, round(captains.height * 0.5))), "captains.png")
    front, back = page("a4", 23, 60), page("a4", 24, 60)
    light = Image.blend(front, ImageOps.mirror(back), 0.5)
    save(beside([page("a4", 1, 60), front, back, light]), "sheets.png")
    chart = picture(PACK / "one-piece" / "board-large.pdf", 1, 45)
    tiles = picture(OUTPUT / "penguin-pirates" / "letter" / "tiles.pdf", 5, 70)
    dominoes = picture(OUTPUT / "penguins-night-out" / "letter" / "double-six.pdf", 1, 70)
    save(beside([chart, tiles, dominoes]), "boards.png")
    folds = [
        (PACK / "a4" / "ships.pdf", 9),
        (OUTPUT / "penguin" / "a4" / "figures.pdf", 5),
        (OUTPUT / "penguins-night-out" / "a4" / "dice-ten.pdf", 2),
        (OUTPUT / "penguin-pirates" / "a4" / "pirate-ship.pdf", 2),
    ]
    steps = [picture(file, number, 120) for file, number in folds]
    rows = [page.crop((60, 150, page.width - 60, 480)) for page in steps]
    desk = Image.new("RGB", (rows[0].width * 2, rows[0].height * 2), "white")
    for index, row in enumerate(rows):
        desk.paste(row, (index % 2 * row.width, index // 2 * row.height))
    save(desk, "folded.png")
    posters = [picture(PACK / "letter" / "board-large.pdf", number, 45) for number in range(1, 6)]
    save(beside(posters), "poster.png")


if __name__ == "__main__":
    main()
