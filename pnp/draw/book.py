"""Layers → the book: one PDF whose pages are the layers, set and converted by Typst in one go."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from pnp.draw.cards import Origin
from pnp.draw.fonts import Fonts
from pnp.faces import Book, Fit, Layer
from pnp.problems import Problems
from pnp.units import PT_PER_MM, show


def make_book(layers: Sequence[Layer], fonts: Fonts, origins: Mapping[str, Origin], problems: Problems) -> Book:
    """The book of the layers; texts that do not fit and drawings that cannot be converted are Problems."""
    usable = list(layers)
    try:
        pdf, fits = compile_layers(usable, fonts)
    except _Failed:
        usable = _without_culprits(usable, fonts, origins, problems)
        pdf, fits = compile_layers(usable, fonts)
    by_key = {layer.key: layer for layer in usable}
    for fit in fits:
        _report(fit, by_key[fit.layer], origins, problems)
    return Book((pdf,), {layer.key: (0, page) for page, layer in enumerate(usable)}, tuple(fits))


class _Failed(Exception):
    """The engine refused the layers it was given."""


def compile_layers(layers: Sequence[Layer], fonts: Fonts, form: str = "pdf") -> tuple[Any, list[Fit]]:
    """One page a layer, as PDF bytes or a list of SVG pages, with the report of its texts."""
    import typst

    with tempfile.TemporaryDirectory(prefix="pnp-book-") as name:
        folder = Path(name)
        pages = []
        for layer in layers:
            for file, data in layer.files.items():
                if not (folder / file).exists():
                    (folder / file).write_bytes(data)
            page: dict[str, object] = dict(layer.data)
            if page["kind"] == "text":
                texts: Any = page["pieces"]
                page["pieces"] = [{**piece, "id": [layer.key, index]} for index, piece in enumerate(texts)]
            pages.append(page)
        (folder / "book.json").write_text(json.dumps({"layers": pages}, ensure_ascii=False), encoding="utf-8")
        with resources.as_file(resources.files(__package__).joinpath("book.typ")) as program:
            shutil.copyfile(program, folder / "book.typ")
        try:
            compiler = typst.Compiler(
                str(folder / "book.typ"), root=str(folder), font_paths=fonts.engine, ignore_system_fonts=True
            )
            made = compiler.compile(format=form, timestamp=0, pdf_tags=False)  # type: ignore[arg-type]
            report = json.loads(compiler.query("<fit>", field="value"))
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            # A Rust panic arrives as a BaseException of the binding's own.
            raise _Failed(_first_line(error)) from None
    return made, [_fit(entry) for entry in report]


def _fit(entry: Mapping[str, Any]) -> Fit:
    """A report as the fixed program gives it, in points."""
    layer, piece = entry["box"]
    mm = {key: round(entry[key] / PT_PER_MM, 4) for key in ("width", "height", "below") if entry[key] is not None}
    return Fit(layer, piece, entry["size"], entry["lines"], entry["wide"], mm["width"], mm["height"], mm.get("below"))


def _first_line(error: BaseException) -> str:
    return (str(getattr(error, "message", "") or error) or type(error).__name__).splitlines()[0]


def _without_culprits(
    layers: Sequence[Layer], fonts: Fonts, origins: Mapping[str, Origin], problems: Problems
) -> list[Layer]:
    """The layers that can be drawn, found by halving; each of the others becomes a Problem."""
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
            )
            return []
        middle = len(layers) // 2
        return [
            *_without_culprits(layers[:middle], fonts, origins, problems),
            *_without_culprits(layers[middle:], fonts, origins, problems),
        ]
    return list(layers)


def _report(fit: Fit, layer: Layer, origins: Mapping[str, Origin], problems: Problems) -> None:
    if not (fit.lines_over or fit.word_too_wide):
        return
    pieces: Any = layer.data["pieces"]
    piece, origin = pieces[fit.piece], origins[layer.key]
    named = f'box "{piece["name"]}"' if piece["name"] else "a text box"
    if fit.lines_over:
        much = "1 line" if fit.lines_over == 1 else f"{fit.lines_over} lines"
        message = f"{origin.name}, {named}: the text is {much} too long at its smallest size, {show(fit.size_pt)} pt"
    else:
        message = f"{origin.name}, {named}: a word is wider than the box at its smallest size, {show(fit.size_pt)} pt"
    problems.error(
        "text-too-long",
        origin.blame(piece["source"]),
        message,
        value=piece["source"][:80],
        allowed=f"what fits into {piece['w']:g} × {piece['h']:g} mm",
        hint="Shorten the text, or allow a smaller size or a larger box in the template.",
    )
