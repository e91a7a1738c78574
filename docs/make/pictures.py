"""Makes the pictures of README and pages: ``python docs/make/pictures.py`` after ``pnp build``, or with names for some."""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

import pypdfium2 as pdfium
from PIL import Image, ImageDraw, ImageOps

from pnp.books.markdown import parse
from pnp.books.scenes import staged
from pnp.flows.build import build_game
from pnp.flows.pipeline import Pipeline
from pnp.flows.publish import shoot
from pnp.flows.start import start_from_table, start_game
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.values.books import Form, Wish
from pnp.values.game import Look
from pnp.values.outcome import NOWHERE, Options, Selection

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "pictures"
OUTPUT = ROOT / "output"
PACK = OUTPUT / "pirates-on-the-prowl"
WIDTH = 1200
# Pictures of pieces are made larger and shrunk, so that turned edges are smooth.
FINE = 2
SHOT_DPI = 200
SHADOW = (0, 0, 0, 70)
SHADOW_FALL = (5, 8)


class Thing(NamedTuple):
    """A piece on a desk: how many pixels wide, where its middle lies, how it is turned (degrees, to the left)."""

    form: Form
    name: str
    piece: str
    width: int
    x: int
    y: int
    turn: float = 0.0


class Desk(NamedTuple):
    """A game laid out to be seen at once: colour and height of the desk, the cover, the things from below to the top."""

    colour: str
    height: int
    cover: tuple[int, int, int, float]
    """Width, middle across and down, turn."""
    things: tuple[Thing, ...]


DESKS = {
    "penguin-pirates": Desk(
        "#e8cb93",
        600,
        (318, 190, 300, 3),
        (
            Thing("front", "tiles", "crab-shoal", 285, 715, 430, 0),
            Thing("front", "tiles", "bobs-floe", 285, 610, 180, 0),
            Thing("back", "events", "full-chase", 140, 440, 125, 7),
            Thing("back", "handicap", "shell-1", 140, 420, 480, 6),
            Thing("front", "handicap", "bell-1", 158, 830, 190, 6),
            Thing("front", "handicap", "bottle-1", 158, 915, 160, -2),
            Thing("front", "events", "gull-gang", 158, 1015, 175, -8),
            Thing("front", "events", "squall", 158, 1090, 265, -16),
            Thing("folded", "penguin-ship", "penguin-ship", 130, 560, 415, 0),
            Thing("folded", "pirate-ship", "pirate-ship", 150, 985, 465, 0),
            Thing("folded", "captain", "captain", 92, 1100, 490, 0),
            Thing("front", "penguins", "wheel", 56, 645, 180, 0),
            Thing("front", "penguins", "bell", 56, 865, 545, 12),
            Thing("front", "penguins", "bottle", 56, 500, 540, -8),
            Thing("front", "penguins", "shell", 56, 880, 410, 0),
            Thing("front", "fish", "fish", 52, 1165, 560, 10),
            Thing("front", "fish", "fish", 52, 1118, 572, -14),
        ),
    ),
    "penguin": Desk(
        "#5aabd8",
        600,
        (318, 190, 300, -2),
        (
            Thing("folded", "screens", "tower", 420, 640, 178, 0),
            Thing("front", "cards", "circle-left", 118, 442, 425, 4),
            Thing("front", "cards", "triangle-right", 118, 545, 450, -3),
            Thing("front", "cards", "square-up", 118, 648, 440, 5),
            Thing("front", "cards", "wave-left", 118, 740, 465, -6),
            Thing("back", "cards", "circle-left", 104, 1118, 130, -10),
            Thing("folded", "figures", "circle-left", 118, 868, 490, 0),
            Thing("folded", "figures", "square-right", 118, 976, 490, 0),
            Thing("folded", "figures", "triangle-up", 118, 1084, 490, 0),
            Thing("folded", "figures", "circle-right", 118, 922, 390, 0),
            Thing("folded", "figures", "triangle-left", 118, 1030, 390, 0),
            Thing("folded", "figures", "circle-up", 118, 976, 290, 0),
            Thing("front", "chips", "one", 66, 905, 110, -8),
            Thing("front", "chips", "three", 72, 985, 80, 6),
            Thing("front", "chips", "five", 72, 950, 165, 10),
            Thing("front", "chips", "one", 66, 1148, 300, 14),
        ),
    ),
    "pirates-on-the-prowl": Desk(
        "#6e4728",
        640,
        (310, 182, 300, 3),
        (
            Thing("front", "board-large", "board-large", 380, 610, 318, -3),
            Thing("back", "cargo", "tortuga-silk", 122, 395, 495, 10),
            Thing("back", "treasure", "ruby-ring", 122, 470, 530, -4),
            Thing("front", "cargo", "tortuga-silk", 146, 900, 150, 8),
            Thing("front", "cargo", "bikini-statue", 146, 985, 140, 0),
            Thing("front", "bad-luck", "kraken", 146, 1075, 165, -9),
            Thing("front", "treasure", "diamond-crown", 146, 930, 350, -5),
            Thing("front", "treasure", "ruby-ring", 146, 1020, 340, 4),
            Thing("front", "characters", "red-rita", 178, 1095, 380, -4),
            Thing("folded", "ships", "red-rita", 330, 710, 535, 0),
            Thing("folded", "pawns", "rita", 52, 890, 530, 0),
            Thing("folded", "pawns", "greg", 52, 950, 545, 0),
            Thing("folded", "pawns", "patty", 52, 1010, 530, 0),
            Thing("folded", "pawns", "davy", 56, 1075, 545, 0),
            Thing("folded", "dice", "dice", 62, 1140, 575, 0),
        ),
    ),
    "penguins-night-out": Desk(
        "#6550c8",
        600,
        (318, 190, 300, -3),
        (
            Thing("layout", "start", "", 430, 590, 210, 0),
            Thing("back", "summary", "romeo", 150, 875, 165, 7),
            Thing("back", "summary", "cosmo", 150, 970, 150, 0),
            Thing("back", "summary", "pearl", 150, 1070, 175, -9),
            Thing("front", "double-six", "0-3", 74, 420, 505, 12),
            Thing("front", "double-six", "4-5", 74, 515, 515, -5),
            Thing("front", "double-six", "6-6", 74, 605, 505, 7),
            Thing("front", "double-nine", "7-9", 74, 695, 515, -8),
            Thing("back", "double-six", "4-5", 74, 1150, 330, -14),
            Thing("folded", "pawns", "romeo", 100, 800, 440, 0),
            Thing("folded", "pawns", "misty", 100, 895, 465, 0),
            Thing("folded", "pawns", "spike", 100, 990, 440, 0),
            Thing("folded", "pawns", "duke", 100, 1085, 465, 0),
            Thing("front", "buddies", "romeo-1", 56, 805, 550, 0),
            Thing("front", "buddies", "misty-2", 56, 945, 560, 10),
            Thing("front", "buddies", "spike-1", 56, 1010, 545, -10),
            Thing("folded", "dice-six", "dice-six", 76, 1145, 545, 0),
        ),
    ),
    "passing-puzzle": Desk(
        "#ffe08a",
        600,
        (318, 190, 300, 2),
        (
            Thing("front", "board-4", "board-4", 470, 600, 270, -2),
            Thing("back", "reactions", "fury", 136, 1120, 330, -13),
            Thing("front", "reactions", "mind-control", 160, 900, 165, 8),
            Thing("front", "reactions", "belly-slide", 160, 1000, 150, 0),
            Thing("front", "reactions", "you-snooze", 160, 1100, 175, -9),
            Thing("front", "reactions", "fury", 160, 935, 390, 5),
            Thing("front", "ice", "ice", 84, 420, 520, 6),
            Thing("front", "ice", "ice", 84, 515, 545, -4),
            Thing("front", "ice", "ice", 84, 610, 535, 8),
            Thing("folded", "pawns", "red", 88, 720, 515, 0),
            Thing("folded", "pawns", "blue", 88, 805, 530, 0),
            Thing("folded", "pawns", "green", 88, 1045, 520, 0),
            Thing("folded", "pawns", "yellow", 88, 1130, 535, 0),
            Thing("front", "penguins", "red", 48, 420, 515, 0),
            Thing("front", "penguins", "yellow", 48, 610, 530, 0),
        ),
    ),
}


def picture(file: Path, number: int, dpi: float) -> Image.Image:
    """A page of a file (1-based) as a picture."""
    return pdfium.PdfDocument(file)[number - 1].render(scale=dpi / 72).to_pil().convert("RGB")


def page(paper: str, number: int, dpi: float) -> Image.Image:
    """A page of the print file of Pirates on the Prowl (1-based) as a picture."""
    return picture(PACK / paper / "print.pdf", number, dpi)


def save(picture: Image.Image, name: str, colours: int = 160) -> None:
    """Few colours are enough for flat drawings, and keep the repository small."""
    picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
    picture.quantize(colours, dither=Image.Dither.NONE).save(FOLDER / name, optimize=True)


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


def contact_sheet(game: str) -> Image.Image:
    """A game's cover, cards, board and folded pieces on its desk, pictured from the printed pieces themselves."""
    desk = DESKS[game]
    made = Pipeline(Project(ROOT), game, Options(NOWHERE))
    assert made.drawn is not None and made.book is not None, made.problems
    widths: dict[Wish, float] = {}
    for thing in desk.things:
        wish = Wish(thing.form, thing.name, thing.piece)
        widths[wish] = max(widths.get(wish, 0), thing.width * FINE / SHOT_DPI * 25.4)
    shots = shoot(made.drawn, made.book, widths, SHOT_DPI)
    sheet = Image.new("RGB", (WIDTH * FINE, desk.height * FINE), desk.colour)
    cover = picture(OUTPUT / game / "a4" / "rulebook-a5.pdf", 1, 150).convert("RGBA")
    width, x, y, turn = desk.cover
    lay(sheet, cover, width, x, y, turn)
    for thing in desk.things:
        shot = shots[Wish(thing.form, thing.name, thing.piece)]
        image = Image.open(io.BytesIO(shot.data)).convert("RGBA")
        if shot.card:
            image = rounded(image)
        lay(sheet, image, thing.width, thing.x, thing.y, thing.turn)
    return sheet


def lay(sheet: Image.Image, image: Image.Image, width: int, x: int, y: int, turn: float) -> None:
    """Put a picture on the desk, its middle at a point, with a shadow to the lower right."""
    size = (width * FINE, round(image.height * width * FINE / image.width))
    image = image.resize(size, Image.Resampling.LANCZOS).rotate(turn, Image.Resampling.BICUBIC, expand=True)
    left, top = x * FINE - image.width // 2, y * FINE - image.height // 2
    shade = Image.new("RGBA", image.size, SHADOW[:3])
    shade.putalpha(image.getchannel("A").point(lambda alpha: alpha * SHADOW[3] // 255))
    sheet.paste(shade, (left + SHADOW_FALL[0] * FINE, top + SHADOW_FALL[1] * FINE), shade)
    sheet.paste(image, (left, top), image)


def rounded(image: Image.Image) -> Image.Image:
    """A card's round corners."""
    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, image.width - 1, image.height - 1), min(image.size) // 18, 255)
    image.putalpha(mask)
    return image


def first_deck() -> Image.Image:
    """The cards that ``pnp new`` makes, and their back."""
    with tempfile.TemporaryDirectory() as desk:
        start_game(Path(desk), "snowball", "starter")
        options = Options(Path(desk), faces="png", dpi=90, face_bleed=False)
        faces = build_game(Project(Path(desk)), "snowball", options, print).files
        pictures = {file.stem: Image.open(file).convert("RGB") for file in faces if file.suffix == ".png"}
    return beside([*(picture for name, picture in pictures.items() if name != "back"), pictures["back"]])


def styles() -> Image.Image:
    """A card of the README's table and its back in each style."""
    table = re.search(r"```csv\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert table
    columns = []
    with tempfile.TemporaryDirectory() as name:
        desk = Path(name)
        (desk / "cards.csv").write_text(table[1], encoding="utf-8")
        for number, style in enumerate(get_args(Look)):
            start_from_table(desk, style, "cards.csv", (desk / "cards.csv").read_bytes, style)
            options = Options(desk, faces="png", dpi=110, face_bleed=False, papers=(paper("a4"),))
            faces = [file for file in build_game(Project(desk), style, options, print).files if file.suffix == ".png"]
            fronts = sorted(file for file in faces if "back" not in file.stem)
            back = next(file for file in faces if "back" in file.stem)
            columns.append([Image.open(fronts[number % len(fronts)]).convert("RGB"), Image.open(back).convert("RGB")])
    return below([beside(list(row)) for row in zip(*columns, strict=True)])


def languages() -> Image.Image:
    """A card in five languages."""
    made = []
    with tempfile.TemporaryDirectory() as desk:
        for language in ("", "de", "es", "ja", "ar"):
            card = Selection(only=("reactions:mind-control",))
            options = Options(Path(desk), faces="png", dpi=120, face_bleed=False, selection=card, language=language)
            files = build_game(Project(ROOT), "passing-puzzle", options, print).files
            front = next(file for file in files if file.name == "mind-control-front.png")
            made.append(Image.open(front).convert("RGB"))
    return beside(made)


def below(pictures: list[Image.Image]) -> Image.Image:
    made = Image.new("RGB", (pictures[0].width, sum(each.height for each in pictures)))
    for index, each in enumerate(pictures):
        made.paste(each, (0, index * each.height))
    return made


def cards() -> Image.Image:
    """A sheet of cards as it leaves the printer."""
    cards = page("letter", 5, 110)
    return cards.crop((0, round(cards.height * 0.02), cards.width, round(cards.height * 0.66)))


def captains() -> Image.Image:
    captains = picture(PACK / "letter" / "characters.pdf", 1, 110)
    return captains.crop((0, 0, captains.width, round(captains.height * 0.5)))


def sheets() -> Image.Image:
    """Print plan, fronts, backs, and both held to the light."""
    front, back = page("a4", 3, 60), page("a4", 4, 60)
    light = Image.blend(front, ImageOps.mirror(back), 0.5)
    return beside([page("a4", 1, 60), front, back, light])


def rulebook() -> Image.Image:
    """A cover, and a spread as it lies open."""
    book = OUTPUT / "penguin-pirates" / "a4" / "rulebook-a5.pdf"
    cover, left, right = (picture(book, number, 80) for number in (1, 8, 9))
    spread = Image.new("RGB", (left.width + right.width, left.height))
    spread.paste(left, (0, 0))
    spread.paste(right, (left.width, 0))
    ImageDraw.Draw(spread).line((left.width, 0, left.width, left.height), "#cfd4d8", 2)
    return beside([cover, spread])


def right_to_left() -> Image.Image:
    """The Arabic booklet of Passing Puzzle as its sheets are folded: the cover, then opened twice."""
    with tempfile.TemporaryDirectory() as desk:
        options = Options(Path(desk), papers=(paper("a4"),), language="ar")
        files = build_game(Project(ROOT), "passing-puzzle", options, print).files
        booklet = next(file for file in files if file.name == "rulebook-booklet.pdf")
        sides = [picture(booklet, number + 1, 110) for number in range(len(pdfium.PdfDocument(booklet)))]
    middle = sides[0].width // 2
    lefts = [side.crop((0, 0, middle, side.height)) for side in sides]
    rights = [side.crop((side.width - middle, 0, side.width, side.height)) for side in sides]
    # A sheet is printed on both sides, turned over its short edge: behind the left half of its front lies the right half
    # of its back. Sheets lie in one another, the first outside, and are folded so that the left half comes to lie on top.
    sheets = [*range(0, len(sides), 2)]
    leaves = [(lefts[n], rights[n + 1]) for n in sheets] + [(lefts[n + 1], rights[n]) for n in reversed(sheets)]

    def opened(leaf: int) -> Image.Image:
        """What is seen when so many leaves are turned."""
        spread = Image.new("RGB", (2 * middle, sides[0].height))
        spread.paste(leaves[leaf][0], (0, 0))
        spread.paste(leaves[leaf - 1][1], (middle, 0))
        return valley(spread, middle)

    return beside([opened(5), opened(1), valley(leaves[0][0], middle)])


def valley(pages: Image.Image, spine: int) -> Image.Image:
    """Pages as they fall off towards the spine, at so many pixels from the left."""
    depth = pages.height // 14
    shade = Image.new("L", pages.size)
    for x in range(max(0, spine - depth), min(pages.width, spine + depth)):
        ImageDraw.Draw(shade).line((x, 0, x, pages.height), round(90 * (1 - abs(x - spine) / depth) ** 2))
    return Image.composite(Image.new("RGB", pages.size, "#20303c"), pages, shade)


def inks() -> Image.Image:
    """A sheet in colour, with little ink, and in grey."""
    with tempfile.TemporaryDirectory() as desk:
        sheets = [OUTPUT / "penguin-pirates" / "letter" / "events.pdf"]
        project = Project(ROOT)
        for ink in ("low-ink", "grey"):
            build_game(
                project,
                "penguin-pirates",
                Options(Path(desk), papers=(paper("letter"),), ink=ink),
                print,
            )
            sheets.append(Path(desk) / "penguin-pirates" / ink / "letter" / "events.pdf")
        return beside([picture(file, 1, 70) for file in sheets])


def boards() -> Image.Image:
    chart = picture(PACK / "one-piece" / "board-large.pdf", 1, 45)
    tiles = picture(OUTPUT / "penguin-pirates" / "letter" / "tiles.pdf", 5, 70)
    dominoes = picture(OUTPUT / "penguins-night-out" / "letter" / "double-six.pdf", 1, 70)
    return beside([chart, tiles, dominoes])


def folded() -> Image.Image:
    """How four pieces are folded."""
    folds = [
        (PACK / "a4" / "ships.pdf", 9),
        (OUTPUT / "penguin" / "a4" / "figures.pdf", 5),
        (OUTPUT / "penguins-night-out" / "a4" / "dice-ten.pdf", 2),
        (OUTPUT / "penguin-pirates" / "a4" / "pirate-ship.pdf", 2),
    ]
    steps = [picture(file, number, 120) for file, number in folds]
    rows = [page.crop((60, 135, page.width - 60, 520)) for page in steps]
    desk = Image.new("RGB", (rows[0].width * 2, rows[0].height * 2), "white")
    for index, row in enumerate(rows):
        desk.paste(row, (index % 2 * row.width, index // 2 * row.height))
    return desk


def poster() -> Image.Image:
    """The pages of a board, and how to join them."""
    return beside([picture(PACK / "letter" / "board-large.pdf", number, 45) for number in range(1, 6)])


def dial() -> Image.Image:
    """The dial that the page of folded pieces makes: its sheet, and how it is put together."""
    told = (ROOT / "docs" / "how-to" / "folded-pieces.md").read_text(encoding="utf-8")
    toml, template = (re.findall(rf"^```{language}\n(.*?)^```", told, re.M | re.S)[-1] for language in ("toml", "jinja"))
    with tempfile.TemporaryDirectory() as desk:
        game = Path(desk) / "content" / "mygame"
        (game / "templates").mkdir(parents=True)
        (game / "game.toml").write_text(f'[game]\nname = "My game"\npapers = ["a4"]\n\n{toml}', encoding="utf-8")
        (game / "templates" / "life.svg.j2").write_text(template, encoding="utf-8")
        built = build_game(Project(Path(desk)), "mygame", Options(Path(desk) / "output"), print)
        assert built.files, built
        file = Path(desk) / "output" / "mygame" / "a4" / "life.pdf"
        sheet, steps = picture(file, 1, 130).crop((0, 95, 1075, 432)), picture(file, 2, 200).crop((110, 318, 1560, 800))
        steps = steps.resize((sheet.width, round(steps.height * sheet.width / steps.width)), Image.Resampling.LANCZOS)
        whole = Image.new("RGB", (sheet.width, sheet.height + steps.height), "white")
        whole.paste(sheet, (0, 0))
        whole.paste(steps, (0, sheet.height))
        return whole


def scene() -> Image.Image:
    """The scene that the page of rulebooks types."""
    told = (ROOT / "docs" / "how-to" / "rulebooks.md").read_text(encoding="utf-8")
    typed = next(text for text in re.findall(r"^```markdown\n(.*?)^```", told, re.M | re.S) if text.startswith("::: scene"))
    made = Pipeline(Project(ROOT), "pirates-on-the-prowl", Options(NOWHERE))
    assert made.drawn is not None and made.book is not None, made.problems
    stage = partial(staged, made.drawn.game, made.drawn.game.manuals[0].accent)
    text = parse(typed, typed, [], "en", stage=stage)
    assert not text.faults, text.faults
    (shot,) = shoot(made.drawn, made.book, {text.wishes[0]: 130.0}, 2 * SHOT_DPI).values()
    return Image.open(io.BytesIO(shot.data)).convert("RGB")


PICTURES: dict[str, Callable[[], Image.Image]] = {
    "first-deck": first_deck,
    "styles": styles,
    "languages": languages,
    "cards": cards,
    "captains": captains,
    "sheets": sheets,
    "rulebook": rulebook,
    "right-to-left": right_to_left,
    "inks": inks,
    "boards": boards,
    "folded": folded,
    "poster": poster,
    "dial": dial,
    "scene": scene,
}


def main() -> None:
    wanted = sys.argv[1:] or [*PICTURES, *DESKS]
    for name in wanted:
        if name in DESKS:
            save(contact_sheet(name), f"{name}.png", 96)
        else:
            save(PICTURES[name](), f"{name}.png")


if __name__ == "__main__":
    main()
