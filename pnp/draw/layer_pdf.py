"""Sets layers as the pages of one PDF with Typst, or their texts as SVG outlines."""

from __future__ import annotations

import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from importlib import resources
from itertools import repeat
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.draw import data
from pnp.draw.bitmaps import png_rows
from pnp.draw.cards import Origin
from pnp.draw.data import Letters, letters_of
from pnp.draw.fonts import Fonts
from pnp.shapes.units import PT_PER_MM, show
from pnp.system.cache import Cache, apart, digest, remembered, together
from pnp.system.watchdog import at, one_by_one
from pnp.values.faces import Book, Fit, Layer, TextBox, TextLayer, TextPiece
from pnp.values.problems import Problems

if TYPE_CHECKING:
    import typst

# Layers in a part at least and at most, and how many there are between two keys that end one. A million pixels of
# pictures weigh as much as two layers: the engine unpacks them all.
LEAST, MOST, MEAN, LAYERS_A_PIXEL = 16, 64, 32, 2e-6
# Bytes of a PNG from which on it matters how its dots are packed.
LARGE = 100_000
# The engine gives nothing back of the pictures that it has unpacked: more of them are unpacked in processes that end.
MOST_PIXELS_HERE = 100_000_000
FEW_PIXELS = 10_000_000

_PARTS_OF_A_FIT = attrgetter(*(field.name for field in fields(Fit)))

Made = tuple[bytes, list[Fit]]
"""A part as PDF, with the report of its texts."""


def make_book(
    layers: Sequence[Layer],
    fonts: Fonts,
    origins: Mapping[str, Origin],
    problems: Problems,
    cache: Cache | None = None,
) -> Book:
    """Sets all layers as one book; reports texts that do not fit and drawings that cannot be converted.

    Many layers become several parts: when some have changed, the others are taken from the cache. They all begin with a
    page of all letters, which is no layer's, so that their fonts are the same.
    """
    parts = _parts(layers)
    letters = letters_of(layers) if len(parts) > 1 else ()
    pdfs, pages, fits = [], {}, []
    if one_by_one():
        for layer in layers:
            # Pictures of many pixels take as long as they are large.
            at(f"setting {origins[layer.key].name} ({origins[layer.key].place})", brief=pixels(layer) < FEW_PIXELS)
            _try([layer], (), fonts)
    at(f"setting {len(layers)} layers", brief=not one_by_one())
    for number, (part, made) in enumerate(zip(parts, _set(parts, letters, fonts, cache), strict=True)):
        at(f"setting {len(layers)} layers", brief=not one_by_one())
        usable = list(part)
        if made is None:
            usable = _without_culprits(part, fonts, origins, problems)
            made = compile_layers(usable, fonts, letters=letters)
        pdfs.append(made[0])
        pages.update({layer.key: (number, page) for page, layer in enumerate(usable, 1 if letters else 0)})
        fits += made[1]
    at(f"setting {len(layers)} layers")
    texts = {layer.key: layer.pieces for layer in layers if isinstance(layer, TextLayer)}
    for fit in fits:
        _report(fit, texts[fit.layer][fit.piece], origins[fit.layer], problems)
    return Book(tuple(pdfs), pages, tuple(fits))


def _parts(layers: Sequence[Layer]) -> list[Sequence[Layer]]:
    """Splits many layers into parts at places that their content decides, so that a new layer changes its own part alone."""
    weights = [1 + LAYERS_A_PIXEL * pixels(layer) for layer in layers]
    if sum(weights) <= MOST:
        return [layers]
    parts: list[list[Layer]] = [[]]
    heavy = 0.0
    for layer, weight in zip(layers, weights, strict=True):
        if heavy + weight > MOST and parts[-1]:
            parts.append([])
            heavy = 0
        parts[-1].append(layer)
        heavy += weight
        if heavy >= LEAST and int(layer.key[:4], 16) % (MEAN - LEAST) == 0:
            parts.append([])
            heavy = 0
    return [part for part in parts if part]


def pixels(layer: Layer) -> int:
    """The pixels of a layer's pictures."""
    pictures = [content for name, content in layer.files.items() if not name.endswith(".svg")]
    if not pictures:
        return 0
    from PIL import Image

    total = 0
    for content in pictures:
        with Image.open(io.BytesIO(content)) as picture:
            total += picture.width * picture.height
    return total


def _set(
    parts: Sequence[Sequence[Layer]], letters: Sequence[Letters], fonts: Fonts, cache: Cache | None
) -> Iterator[Made | None]:
    ways = _ways(letters, fonts) if cache else ""
    keys = [_key(part, ways) for part in parts] if cache else [""] * len(parts)
    known = [_unpacked(cache.get(key)) if cache else None for key in keys]
    missing = [part for part, made in zip(parts, known, strict=True) if made is None]
    large = sum(pixels(layer) for part in missing for layer in part) > MOST_PIXELS_HERE
    fresh = (_elsewhere if large else _side_by_side)(missing, letters, fonts)
    for key, made in zip(keys, known, strict=True):
        if made is None and (made := next(fresh)) is not None and cache:
            cache.put(key, _packed(*made))
        yield made


def _try(layers: Sequence[Layer], letters: Sequence[Letters], fonts: Fonts) -> Made | None:
    try:
        return compile_layers(layers, fonts, letters=letters)
    except _Failed:
        return None


def _side_by_side(parts: Sequence[Sequence[Layer]], letters: Sequence[Letters], fonts: Fonts) -> Iterator[Made | None]:
    """Sets parts in threads, one a core: Typst releases the interpreter lock."""
    if len(parts) < 2:
        yield from (_try(part, letters, fonts) for part in parts)
        return
    from concurrent.futures import ThreadPoolExecutor

    _ = fonts.engine  # found once, before all need it
    executor = ThreadPoolExecutor(min(len(parts), os.cpu_count() or 1))
    try:
        yield from executor.map(_try, parts, repeat(letters), repeat(fonts))
    finally:
        executor.shutdown(cancel_futures=True)


def _elsewhere(parts: Sequence[Sequence[Layer]], letters: Sequence[Letters], fonts: Fonts) -> Iterator[Made | None]:
    """Sets parts in other processes, as many as there are cores, each for one part."""
    import pickle
    import subprocess
    import sys
    from concurrent.futures import ThreadPoolExecutor

    def set_part(part: Sequence[Layer]) -> Made | None:
        # Not a fork of this process: it would have the engine's threads in name only, and wait for them for ever.
        command = [sys.executable, "-c", f"from {__name__} import main; main()"]
        done = subprocess.run(command, input=pickle.dumps((part, letters, fonts)), capture_output=True)
        if done.returncode:
            raise ChildProcessError("a process that was setting pictures was ended from outside, perhaps for want of memory")
        made: Made | None = pickle.loads(done.stdout)
        return made

    with ThreadPoolExecutor(min(len(parts), os.cpu_count() or 1)) as executor:
        yield from executor.map(set_part, parts)


def main() -> None:
    """Sets a part that comes on standard input, and writes it to standard output."""
    import pickle
    import sys

    sys.stdout.buffer.write(pickle.dumps(_try(*pickle.load(sys.stdin.buffer))))


def _ways(letters: Sequence[Letters], fonts: Fonts) -> str:
    """A digest of what decides the bytes of all parts: fonts, letters, Typst and its program."""
    from importlib import metadata

    program = resources.files(__package__).joinpath("book.typ").read_bytes()
    return digest(metadata.version("typst"), program, fonts.fingerprint, json.dumps(data.letters(letters)))


def _key(layers: Sequence[Layer], ways: str) -> str:
    return digest(ways, *(layer.key + "".join(layer.files) for layer in layers))


def _packed(pdf: bytes, fits: Sequence[Fit]) -> bytes:
    return together(json.dumps([_PARTS_OF_A_FIT(fit) for fit in fits]).encode(), pdf)


def _unpacked(content: bytes | None) -> Made | None:
    if content is None:
        return None
    report, pdf = apart(content)
    return pdf, [Fit(*entry) for entry in json.loads(report)]


class _Failed(Exception):
    """Typst refused the layers."""


def compile_layers(layers: Sequence[Layer], fonts: Fonts, letters: Sequence[Letters] = ()) -> Made:
    """A PDF with one page a layer after a page of ``letters``, and the report on how the texts fit."""
    with _compiler(layers, fonts, letters) as compiler:
        made = compiler.compile(format="pdf", timestamp=0, pdf_tags=False)
        report = json.loads(compiler.query("<fit>", field="value"))
    (pdf,) = _all(made)
    if any(name.endswith(".png") and len(data) > LARGE for layer in layers for name, data in layer.files.items()):
        pdf = _packed_closely(pdf)
    return pdf, [_fit(entry) for entry in report]


def _packed_closely(pdf: bytes) -> bytes:
    """A PDF whose pictures without loss are packed as PNG does; Typst writes their dots as they are."""
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as file:
        for image in file.objects:
            if not isinstance(image, pikepdf.Stream) or image.get("/Subtype") != "/Image":
                continue
            if image.get("/Filter") != "/FlateDecode" or "/DecodeParms" in image or image.get("/BitsPerComponent") != 8:
                continue
            dots, width = image.read_bytes(), int(image["/Width"])
            colours = len(dots) // (width * int(image["/Height"]))
            packed = png_rows(dots, width, colours)
            if len(packed) < len(image.read_raw_bytes()):
                says = pikepdf.Dictionary(Predictor=15, Colors=colours, BitsPerComponent=8, Columns=width)
                image.write(packed, filter=pikepdf.Name.FlateDecode, decode_parms=says)
        target = io.BytesIO()
        file.save(target, deterministic_id=True, compress_streams=False)
    return target.getvalue()


def measured(layers: Sequence[TextLayer], fonts: Fonts, cache: Cache | None) -> list[Fit]:
    """How the texts of layers fit, without setting them; empty for what Typst refuses."""

    def measure() -> bytes:
        try:
            with _compiler(layers, fonts, ()) as compiler:
                report = json.loads(compiler.query("<fit>", field="value"))
        except _Failed:
            report = []
        return json.dumps([_PARTS_OF_A_FIT(_fit(entry)) for entry in report]).encode()

    key = _key(layers, digest("measured", _ways((), fonts)))
    return [Fit(*entry) for entry in json.loads(remembered(cache, key, measure))]


def text_pages(layers: Sequence[TextLayer], fonts: Fonts) -> list[bytes]:
    """Each layer as an SVG."""
    with _compiler(layers, fonts, ()) as compiler:
        return _all(compiler.compile(format="svg"))


def _all(made: bytes | list[bytes] | None) -> list[bytes]:
    """Typst returns a list only for several pages."""
    return made if isinstance(made, list) else [made or b""]


@contextmanager
def _compiler(layers: Sequence[Layer], fonts: Fonts, letters: Sequence[Letters]) -> Iterator[typst.Compiler]:
    """Typst with its program and data. Raises _Failed for what it refuses meanwhile."""
    import typst

    with tempfile.TemporaryDirectory(prefix="pnp-book-") as name:
        folder = Path(name)
        for layer in layers:
            for file, content in layer.files.items():
                if not (folder / file).exists():
                    (folder / file).write_bytes(content)
        book = {"letters": data.letters(letters), "layers": [data.page(layer) for layer in layers]}
        (folder / "book.json").write_text(json.dumps(book, ensure_ascii=False), encoding="utf-8")
        with resources.as_file(resources.files(__package__).joinpath("book.typ")) as program:
            shutil.copyfile(program, folder / "book.typ")
        try:
            yield typst.Compiler(
                str(folder / "book.typ"), root=str(folder), font_paths=fonts.engine, ignore_system_fonts=True
            )
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            # A Rust panic arrives as a BaseException of the binding's own.
            raise _Failed(_first_line(error)) from None


def _fit(entry: Mapping[str, Any]) -> Fit:
    """A report of the Typst program, in points."""
    layer, piece = entry["box"]
    mm = {key: round(entry[key] / PT_PER_MM, 4) for key in ("width", "height", "below") if entry[key] is not None}
    return Fit(layer, piece, entry["size"], entry["lines"], entry["wide"], mm["width"], mm["height"], mm.get("below"))


def _first_line(error: BaseException) -> str:
    return (str(getattr(error, "message", "") or error) or type(error).__name__).splitlines()[0]


def _without_culprits(
    layers: Sequence[Layer], fonts: Fonts, origins: Mapping[str, Origin], problems: Problems
) -> list[Layer]:
    """The layers that can be drawn, found by halving; reports each of the others."""
    try:
        compile_layers(layers, fonts)
    except _Failed as failure:
        if len(layers) == 1:
            origin = origins[layers[0].key]
            problems.error(
                "bad-drawing",
                origin.place,
                f"{origin.name}: a drawing on it cannot be converted: {failure}",
                hint="Open the drawing in an editor and save it again as plain SVG, PNG or JPEG.",
                about=origin.about,
            )
            return []
        middle = len(layers) // 2
        return [
            *_without_culprits(layers[:middle], fonts, origins, problems),
            *_without_culprits(layers[middle:], fonts, origins, problems),
        ]
    return list(layers)


def _report(fit: Fit, piece: TextPiece, origin: Origin, problems: Problems) -> None:
    if not isinstance(piece, TextBox) or not (fit.lines_over or fit.word_too_wide):
        return
    named = f'box "{piece.name}"' if piece.name else "a text box"
    if fit.lines_over:
        much = "1 line" if fit.lines_over == 1 else f"{fit.lines_over} lines"
        message = f"{origin.name}, {named}: the text is {much} too long at its smallest size, {show(fit.size_pt)} pt"
    else:
        message = f"{origin.name}, {named}: a word is wider than the box at its smallest size, {show(fit.size_pt)} pt"
    problems.error(
        "text-too-long",
        origin.blame(piece.source),
        message,
        value=piece.source[:80],
        allowed=f"what fits into {piece.width:g} × {piece.height:g} mm",
        hint="Shorten the text, or allow a smaller size or a larger box in the template.",
        about=origin.boxed(piece.name),
    )


def text_outlines(layers: Sequence[Layer], fonts: Fonts) -> dict[str, str]:
    """An SVG, in the layer's mm, for every text layer by its key; glyphs are shapes, no font is needed."""
    texts = [layer for layer in layers if isinstance(layer, TextLayer)]
    if not texts:
        return {}
    return {layer.key: page.decode() for layer, page in zip(texts, text_pages(texts, fonts), strict=True)}
