"""Makes docs/pictures/separations.png: ``python docs/make/separations.py`` after ``pnp build``; needs Ghostscript and the
profile of Debian's scribus-data, or one that is named.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib import resources
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageFont

from pnp.press.convert import to_cmyk
from pnp.press.separate import condition_of
from pnp.write.printed import read_printed

ROOT = Path(__file__).resolve().parent.parent.parent
SHEETS, PIECE = ROOT / "output/pirates-on-the-prowl/a4/print.pdf", "cargo/tortuga-silk"
DPI, BLEED = 200, 3
WIDTH, GAP, LETTERS = 228, 12, 20
PLATES = {"Cyan": "#0093d3", "Magenta": "#cc006b", "Yellow": "#fff10c", "Black": "#221f20"}


def plates(pdf: bytes, page: int, folder: Path) -> dict[str, Image.Image]:
    """The plates of a page, black where there is ink, as Ghostscript separates them."""
    (folder / "page.pdf").write_bytes(pdf)
    command = ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=tiffsep", f"-r{DPI}", "-sOutputFile=page.tif"]
    subprocess.run([*command, f"-dFirstPage={page}", f"-dLastPage={page}", "page.pdf"], cwd=folder, check=True)
    return {name: Image.open(folder / f"page({name}).tif").convert("L") for name in PLATES}


def main() -> None:
    condition = condition_of(Path(sys.argv[1]) if len(sys.argv) > 1 else None, 300)
    given = SHEETS.read_bytes()
    piece = next(each for each in read_printed(given, "sheets").pieces if each.name == PIECE)
    card = piece.box.grown(*4 * [-BLEED])
    box = tuple(round(side * DPI / 25.4) for side in (card.x, card.y, card.right, card.bottom))
    with tempfile.TemporaryDirectory() as folder:
        shown = {
            name: each.crop(box) for name, each in plates(to_cmyk(given, condition).pdf, piece.page, Path(folder)).items()
        }
    panels = {
        name: Image.composite(
            Image.new("RGB", each.size, PLATES[name]), Image.new("RGB", each.size, "white"), ImageChops.invert(each)
        )
        for name, each in shown.items()
    }
    inks = Image.merge("CMYK", [ImageChops.invert(each) for each in shown.values()])
    press = ImageCms.ImageCmsProfile(BytesIO(condition.profile))
    together = ImageCms.profileToProfile(inks, press, ImageCms.createProfile("sRGB"), 1, outputMode="RGB", flags=0x2000)
    assert together is not None
    all_panels = {**panels, "Together": together}
    high = round(WIDTH * inks.height / inks.width)
    sheet = Image.new("RGB", (len(all_panels) * (WIDTH + GAP) + GAP, high + 3 * GAP + LETTERS), "#d8d8d8")
    letters = Path(str(resources.files("font_source_sans_pro"))) / "files/SourceSansPro-Regular.ttf"
    font, pen = ImageFont.truetype(str(letters), LETTERS), ImageDraw.Draw(sheet)
    for at, (name, panel) in enumerate(all_panels.items()):
        x = GAP + at * (WIDTH + GAP)
        sheet.paste(panel.resize((WIDTH, high), Image.Resampling.LANCZOS), (x, GAP))
        pen.text((x, high + 2 * GAP), name, fill="#222222", font=font)
    sheet.quantize(256).save(ROOT / "docs/pictures/separations.png", optimize=True)


if __name__ == "__main__":
    main()
