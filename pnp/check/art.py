"""``coarse-art``: A picture made of dots, PNG or JPEG, has fewer than 200 dots an inch in the size in which it is
printed.

Why: below that, single dots can be seen at reading distance. Drawings in SVG have no dots.
Example: a photograph 400 dots wide is shown 63 mm wide: 161 dots an inch.
Mend: put a larger picture into art/, or show it smaller.

``frame-near-cut``: A back has an even frame nearer to the cut than 3 mm, or 1.5 mm on small pieces.
Why: printers put the second side a millimetre or two beside the first, and a narrow frame comes out uneven.
Example: the backs have a white rim of 2 mm on all four sides.
Mend: let the pattern run on beyond the cut, or make the rim 3 mm wide or wider.

Covers: every picture made of dots on any face, at each place; the rims of all backs.
Not covered: pictures in books, lines too thin to print, frames on fronts.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pnp.check.texts import depths, safe_zone
from pnp.shapes.affine import Rect
from pnp.shapes.units import show
from pnp.system.cache import digest
from pnp.system.paths import BITMAPS, ArtFolder
from pnp.values.faces import Face, ImageLayer, Piece, PlacedLayer
from pnp.values.findings import Report, Subject, report
from pnp.values.game import Game
from pnp.values.problems import About, Place, Problem, listed

if TYPE_CHECKING:
    from pnp.svg.tree import Element

RULES = ("coarse-art", "frame-near-cut")

LEAST_DPI = 200
MOST_BYTES = 64_000_000
# Dots that differ by no more than this from the edge's colour still belong to it (of 255, the channel that differs most).
_EVEN = 28
# A rim: so much of the outermost dots has one colour, and it ends where so much of a line along it has another.
_RIM, _ENDS = 0.97, 0.6
# What the picture's dots may hide of a distance, in dots.
_BLUR = 0.75


def look(subject: Subject) -> Report:
    """The pictures on all faces, and the frames of all backs."""
    return report([*_coarse(subject), *_frames(subject)])


def _coarse(subject: Subject) -> Iterator[Problem]:
    worst: dict[str, tuple[float, Rect, About]] = {}
    shown: dict[str, list[str]] = {}
    for piece, side, face in subject.faces.values():
        for placed in face.layers:
            for drawn, data, width, height, fit in _bitmaps(placed):
                dpi = resolution(data, width, height, fit)
                if dpi >= LEAST_DPI - 0.5:
                    continue
                shown.setdefault(drawn, []).append(piece.name)
                if drawn not in worst or dpi < worst[drawn][0]:
                    worst[drawn] = dpi, Rect(0, 0, width, height), piece.about(side)
    files = _files(subject.game) if worst else {}
    for drawn, (dpi, size, about) in worst.items():
        name = files.get(drawn.partition(".")[0])
        file = f"{subject.game.file.removesuffix('game.toml')}{name}" if name else subject.game.file
        message = (
            f"{size.width:.0f} × {size.height:.0f} mm large, the picture has {dpi:.0f} dots an inch "
            f"(on {listed(dict.fromkeys(shown[drawn]), 4)})"
        )
        hint = "Put a larger picture there, or show it smaller."
        yield Problem("coarse-art", Place(file), message, f"{dpi:.0f}", f"{LEAST_DPI} dots an inch", hint, "warning", about)


def _bitmaps(placed: PlacedLayer) -> Iterator[tuple[str, bytes, float, float, str]]:
    layer, matrix = placed.layer, placed.matrix
    if not isinstance(layer, ImageLayer):
        return
    across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    if layer.file.endswith(BITMAPS):
        yield layer.file, layer.files[layer.file], layer.width * across, layer.height * down, layer.fit
        return
    if not (linked := {name: data for name, data in layer.files.items() if name.endswith(BITMAPS)}):
        return
    from lxml import etree

    from pnp.svg.safe import href, view_box
    from pnp.svg.tree import tag

    root = etree.fromstring(layer.files[layer.file])
    _, _, width, height = view_box(root)
    scale = math.sqrt(layer.width / width * layer.height / height)
    for image in root.iter(tag("image")):
        name = href(image)
        if name not in linked:
            continue
        shown = scale * math.sqrt(across * down)
        for node in (image, *image.iterancestors()):
            shown *= _scale(node)
        aspect = image.get("preserveAspectRatio", "")
        fit = "stretch" if aspect == "none" else "cover" if aspect.endswith("slice") else "contain"
        yield name, linked[name], float(image.get("width", "0")) * shown, float(image.get("height", "0")) * shown, fit


def _scale(element: Element) -> float:
    from pnp.svg.safe import BadDrawing, transform

    try:
        return math.sqrt(abs(transform(element).determinant))
    except BadDrawing:
        return 1.0


def resolution(data: bytes, width: float, height: float, fit: str) -> float:
    """Dots an inch of a picture that is fitted into a box in mm."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        across, down = image.width / max(width, 1e-6) * 25.4, image.height / max(height, 1e-6) * 25.4
    return max(across, down) if fit == "contain" else min(across, down)


def _files(game: Game) -> dict[str, str]:
    found = (path for path in ArtFolder.of(game.folder).files(BITMAPS) if path.stat().st_size <= MOST_BYTES)
    return {digest(path.read_bytes()): path.relative_to(game.folder).as_posix() for path in found}


def _frames(subject: Subject) -> Iterator[Problem]:
    known = {component.name: component for component in subject.game.components}
    near: dict[str, list[tuple[float, Piece]]] = {}
    for key, (piece, side, face) in subject.faces.items():
        if side == "back" and key in subject.pictures:
            component = known[piece.component]
            width = rim(subject.pictures[key], face, subject.dpi, safe_zone(component))
            if width is not None:
                near.setdefault(component.name, []).append((width, piece))
    for name, found in near.items():
        component = known[name]
        width, piece = min(found, key=lambda each: (each[0], each[1].name))
        about = piece.about("back")
        others = listed([other.about().called for _, other in found if other is not piece], 6)
        message = f"{about}: an even rim of {width:.1f} mm runs around it{f'; so it is on {others}' if others else ''}"
        allowed = f"{show(safe_zone(component))} mm or more for such a piece, or none"
        hint = "Let the ground run on beyond the cut, or make the rim wider."
        yield Problem("frame-near-cut", component.place, message, f"{width:.1f}", allowed, hint, "warning", about)


def rim(picture: bytes, face: Face, dpi: int, safe: float) -> float | None:
    """How wide the even rim of a face is, when it has one that is narrower than ``safe`` mm."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        dots = np.asarray(image.convert("RGB")).astype(int)
    dot = 25.4 / dpi
    rows, columns = dots.shape[:2]
    xs, ys = np.meshgrid((np.arange(columns) + 0.5) * dot, (np.arange(rows) + 0.5) * dot)
    sides = _sides(face, xs, ys)
    deep = np.min(sides, axis=0)
    # The outermost dots may lie half across the cut, those further in half across the end of a narrow rim.
    edge = dots[(deep > dot / 2) & (deep <= 1.75 * dot)]
    if not len(edge):
        return None
    colour = np.median(edge, axis=0)
    if (np.abs(edge - colour).max(axis=1) <= _EVEN).mean() < _RIM:
        return None
    other = np.abs(dots - colour).max(axis=2) > _EVEN
    ends = [_end(other, deep, side == deep, dot, safe) for side in sides]
    if any(end is None for end in ends):
        return None
    width = max(end for end in ends if end is not None)
    return width if width < safe - _BLUR * dot else None


def _sides(face: Face, xs: Any, ys: Any) -> list[Any]:
    """How deep each dot lies in the face, from each of its four sides; a piece with an outline has one side all around."""
    if face.outline is not None:
        return [depths(face.outline, xs, ys)]
    return [xs, ys, face.width - xs, face.height - ys]


def _end(other: Any, deep: Any, mine: Any, dot: float, safe: float) -> float | None:
    """Where the rim of one side ends: the first line of dots along it that has mostly other colours."""
    for step in range(2, math.ceil(safe / dot) + 1):
        line = other[mine & (deep > step * dot) & (deep <= (step + 1) * dot)]
        if len(line) and line.mean() >= _ENDS:
            return step * dot
    return None
