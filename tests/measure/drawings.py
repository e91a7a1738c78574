"""Drawings with a picture of what is right, as they come out of a printed page.

    python tests/measure/drawings.py FOLDER [--pictures FOLDER]

FOLDER holds pairs NAME.svg and NAME.png, in folders of any depth: resvg's suite (crates/resvg/tests/tests of its
repository) has 1,721. Each drawing goes the way that a game's art goes, from the file to a page of the PDF, and the page's
picture by PDFium is held against the PNG. What is told: how many are right, which are refused and why, and which are wrong
and nobody said so. With ``--pictures``, expected, printed and the difference of each wrong one.

Right is what looks the same: a dot may have any colour that lies between those of the dots around it, so that smooth edges
do not count; a whole area may be off by little.
"""

from __future__ import annotations

import argparse
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageFilter

sys.path.insert(0, str(Path(__file__).parent.parent / "draw"))

from allowed import ALLOWED
from desk import Desk

from pnp.draw.art import Art, Drawing
from pnp.draw.fonts import Fonts
from pnp.draw.layer_pdf import compile_layers
from pnp.svg.safe import BadDrawing
from pnp.system.cache import digest
from pnp.values.faces import ImageLayer

MM_A_DOT = 25.4 / 72
TOGETHER = 16
"""Drawings in one run of the engine."""
FINE = 4
"""Dots of the page for one that is compared: a reader draws no line thinner than a dot."""
ENDLESS = 60
"""Seconds after which a run is stopped."""
LITTLE, MUCH = 14, 48
"""How far a dot may be off in an area, and how far a dot may be off at all, of 255."""
SHARE_OF_LITTLE, SHARE_OF_MUCH = 0.01, 0.0006

Pixels = np.ndarray


@dataclass(frozen=True)
class Case:
    """A drawing that was accepted, and what it should look like."""

    name: str
    drawing: Drawing
    expected: Image.Image

    def layer(self) -> ImageLayer:
        """As a template would place it: as large as the picture, in its own shape."""
        width, height = self.expected.size
        scale = min(width / self.drawing.width, height / self.drawing.height)
        mm = (scale * self.drawing.width * MM_A_DOT, scale * self.drawing.height * MM_A_DOT)
        file = self.drawing.file
        return ImageLayer(self.name, *mm, file, "stretch", {file: self.drawing.data})


def on_white(image: Image.Image) -> Image.Image:
    """A picture on paper."""
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def difference(one: Image.Image, two: Image.Image) -> Pixels:
    """By how much each dot of either lies outside what is around it in the other."""

    def outside(dots: Image.Image, around: Image.Image) -> Pixels:
        least = np.asarray(around.filter(ImageFilter.MinFilter(3)), dtype=int)
        most = np.asarray(around.filter(ImageFilter.MaxFilter(3)), dtype=int)
        values = np.asarray(dots, dtype=int)
        return np.maximum(least - values, values - most).clip(0).max(axis=2)

    return np.maximum(outside(one, two), outside(two, one))


def right(off: Pixels) -> bool:
    """Whether two pictures look the same."""
    return bool((off > MUCH).mean() <= SHARE_OF_MUCH and (off > LITTLE).mean() <= SHARE_OF_LITTLE)


def set_pages(order: Path) -> None:
    """Write what each looks like on its page; run in a process of its own, which may be stopped."""
    layers, fonts = pickle.loads(order.read_bytes())
    pdf, _ = compile_layers(layers, fonts)
    document = pdfium.PdfDocument(pdf)
    for layer, page in zip(layers, document, strict=True):
        dots = page.render(scale=FINE).to_pil().convert("RGB").reduce(FINE)
        dots.save(order.parent / f"{digest(layer.key)}.png")
    document.close()


def printed(cases: list[Case], fonts: Fonts, root: Path) -> Iterator[tuple[Case, Image.Image | str]]:
    """What each looks like on its page, or why there is none."""
    order = root / f"{digest(*(case.name for case in cases))}.order"
    order.write_bytes(pickle.dumps(([case.layer() for case in cases], fonts)))
    try:
        run = subprocess.run([sys.executable, __file__, "--order", order], timeout=ENDLESS, capture_output=True, check=False)
        reason = "" if run.returncode == 0 else f"(by the engine) {run.stderr.decode().splitlines()[-1:]}"
    except subprocess.TimeoutExpired:
        reason = "(endless)"
    if not reason:
        for case in cases:
            with Image.open(root / f"{digest(case.name)}.png") as image:
                yield case, image.copy()
    elif len(cases) == 1:
        yield cases[0], reason
    else:
        step = -(-len(cases) // 4)
        for start in range(0, len(cases), step):
            yield from printed(cases[start : start + step], fonts, root)


def measure(folder: Path, pictures: Path | None) -> int:
    """Print what came out; the number of drawings that are wrong in silence."""
    refused: dict[str, list[str]] = {}
    accepted: list[Case] = []
    wrong: list[str] = []
    kept: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        desk = Desk(Path(temporary))
        pairs = [path for path in sorted(folder.rglob("*.svg")) if path.with_suffix(".png").is_file()]
        names = [path.relative_to(folder).with_suffix("").as_posix() for path in pairs]
        for name, path in zip(names, pairs, strict=True):
            desk.write(f"art/{name}.svg", path.read_bytes())
        art = Art(desk.game)
        for name, path in zip(names, pairs, strict=True):
            try:
                drawing = art.drawing(name)
            except BadDrawing as fault:
                refused.setdefault(re.sub(r"\d+|\"[^\"]*\"", "…", fault.message), []).append(name)
                continue
            with Image.open(path.with_suffix(".png")) as image:
                accepted.append(Case(name, drawing, on_white(image)))
        parts = [accepted[start : start + TOGETHER] for start in range(0, len(accepted), TOGETHER)]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            pages = list(threads.map(lambda part: list(printed(part, desk.tools.fonts, Path(temporary))), parts))
        for case, came_out in (page for part in pages for page in part):
            if isinstance(came_out, str):
                refused.setdefault(came_out, []).append(case.name)
                continue
            if abs(came_out.width - case.expected.width) > 1 or abs(came_out.height - case.expected.height) > 1:
                off = np.full((1, 1), 255)
            else:
                off = difference(came_out.resize(case.expected.size), case.expected)
            if right(off):
                kept["right"] += 1
            elif case.name in ALLOWED:
                kept["allowed"] += 1
            else:
                wrong.append(f"{case.name}: {(off > MUCH).mean():.2%} much, {(off > LITTLE).mean():.2%} a little")
                if pictures:
                    show(pictures, case, came_out, off)
    total = sum(kept.values()) + len(wrong)
    for reason, names in sorted(refused.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):5} refused: {reason[:150]}   {' '.join(names[:3])}")
    print(f"{total} accepted, {kept['right']} right ({kept['right'] / max(1, total):.2%})")
    print(f"{kept['allowed']} differ for a reason, {len(wrong)} are wrong")
    print("\n".join(wrong))
    return len(wrong)


def show(folder: Path, case: Case, came_out: Image.Image, off: Pixels) -> None:
    """Expected, printed and the difference, side by side."""
    width, height = case.expected.size
    sheet = Image.new("RGB", (3 * width + 20, max(height, came_out.height)), "#888888")
    sheet.paste(case.expected, (0, 0))
    sheet.paste(came_out, (width + 10, 0))
    sheet.paste(Image.fromarray(off.astype("uint8")), (2 * width + 20, 0))
    folder.mkdir(parents=True, exist_ok=True)
    sheet.save(folder / f"{case.name.replace('/', '-')}.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--order", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args()
    if asked.order:
        set_pages(asked.order)
    elif measure(asked.folder, asked.pictures):
        sys.exit(1)
