"""Checks drawings and pictures: sharp enough, clear of the cut, up to the bleed, and shown at all.

``coarse-art``: A picture made of dots, PNG or JPEG, has fewer than 200 dots an inch in the size in which it is
printed.

Why: below that, single dots can be seen at reading distance. Drawings in SVG have no dots.
Example: a photograph 400 dots wide is shown 63 mm wide: 161 dots an inch.
Mend: put a larger picture into art/, or show it smaller.

``frame-near-cut``: A back has an even frame nearer to the cut than 3 mm, or 1.5 mm on small pieces.
Why: printers put the second side a millimetre or two beside the first, and a narrow frame comes out uneven.
Example: the backs have a white rim of 2 mm on all four sides.
Mend: let the pattern run on beyond the cut, or make the rim 3 mm wide or wider.

``no-bleed``: A colour reaches the cut along most of a side, and does not run on beyond it.
Why: a cut by hand is off by a millimetre, and white paper shows at the edge.
Example: the ground is drawn from 0, 0 as large as the card.
Mend: draw it 3 mm larger on all sides, as ``{{ s.ground(face, "#83cbe9") }}`` does, or leave a white rim.

``cropped-picture``: A board that is a picture has another shape than the picture.
Why: what is cut off at two of its sides may be the start of the track.
Example: a picture of 3000 × 2000 dots, on a board of 400 × 300 mm.
Mend: write the size that the finding names, or draw the picture in the shape of the board.

``lost-picture``: A picture lies wholly beyond the cut, or was moved out of the box that shows it.
Why: nothing of it is printed.
Example: a row of ten coins, each 6 mm further, on a card of 63 mm; ``art_x`` is 60 and not 6.
Mend: put it where it is seen, or leave it out where it is not meant.

Covers: every picture on any face, at each place; of the resolution those made of dots; the rims of all backs; the bleed
of one front and one back of each component.
Not covered: pictures in books, lines too thin to print, frames on fronts, pieces with an outline, pictures behind
others.

``unused-drawing``: a drawing in ``art/`` is shown on no piece, in no book, and as no icon.

Why: a picture under a name that nothing asks for is not printed.
Example: pipp.png was drawn for the row pip.
Mend: give it the name of what is to show it, or take it out of ``art/``.

``usual-drawing``: a row shows the stand-in, ``picture("someone")``, while others have drawings of their own.
Why: nobody wants to find out at the table which cards were still waiting.
Example: the fifth row is new and shows someone.svg.
Mend: save a drawing under the row's id, or allow it.

``moving-picture``: a picture that is printed has several pictures in it.
Why: the first is printed and the others are not.
Example: a GIF has 12 pictures.
Mend: save the one that you want as PNG.

``blank-drawing``: a drawing that is printed shows nothing.
Why: an empty layer that was exported is printed as nothing at all.
Example: a drawing is transparent everywhere.
Mend: export the drawing again, with its layers visible; where nothing is meant, allow it.

Covers: every file of ``art/``, against all that pieces, books and texts of this game show.
Not covered: whether a drawing stands on the right piece.

``hidden-drawing``: another drawing of the same name in ``art/`` is taken before it: SVG before PNG, JPEG and the
others. On Windows and macOS capitals make no difference.
Why: a picture that was saved beside an older drawing is never seen.
Example: a new pip.png lies beside pip.svg, which came with the game.
Mend: take one away or give it another name. Where a template asks for each by its whole name, allow it.

Covers: the names of all files in ``art/``.
Not covered: drawings in other folders of the game.

``blank-page``: nothing is drawn on the front of a piece, or on a page of a board that is parted over several.
Why: nobody means to print an empty page.
Example: the right third of a board of 600 × 400 mm is free: page A3 is white paper with marks.
Mend: make the board as large as its drawing, or give it a ground. Blank cards that are meant are allowed with
``[[allow]]``.

Covers: the front of every row, and every page of a parted board on each paper of the game.
Not covered: backs, and a drawing that nobody sees, white on white.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from pnp.check.texts import depths, safe_zone
from pnp.shapes.affine import Rect, scaling, translation
from pnp.shapes.units import show
from pnp.svg.safe import picture_size
from pnp.system.cache import digest
from pnp.system.paths import BITMAPS, BROKEN, ENDINGS, FOREIGN, ArtFolder, file_within, folded
from pnp.values.faces import Face, ImageLayer, PlacedLayer
from pnp.values.findings import Report, Stand, Subject, TableShown, report, reported
from pnp.values.game import Component, Game
from pnp.values.problems import About, Place, Problem, closest, listed
from pnp.values.walk import grouped

LOST = "lost-picture"
ART_RULES = ("coarse-art", "frame-near-cut", "no-bleed", "cropped-picture", LOST)

LEAST_DPI = 200
MOST_BYTES = 64_000_000
# Dots that differ by no more than this from the edge's colour still belong to it (of 255, the channel that differs most).
_EVEN = 28
# A rim: so much of the outermost dots has one colour, and it ends where so much of a line along it has another.
_RIM, _ENDS = 0.97, 0.6
_OFF = 0.03
"""So much of a picture's length may be cut off without a word."""
# What the picture's dots may hide of a distance, in dots.
_BLUR = 0.75


def look(subject: Subject) -> Report:
    """The pictures on all faces, the frames of all backs, and what runs on beyond the cut."""
    return report([*_coarse(subject), *_frames(subject), *_bleeds(subject), *_cropped(subject), *_lost(subject)])


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
        path = files.get(drawn.partition(".")[0])
        place = _place(subject, path) if path else Place(subject.game.file)
        message = (
            f"{size.width:.0f} × {size.height:.0f} mm large, the picture has {dpi:.0f} dots an inch "
            f"(on {listed(dict.fromkeys(shown[drawn]), 4)})"
        )
        hint = "Put a larger picture there, or show it smaller."
        yield Problem("coarse-art", place, message, f"{dpi:.0f}", f"{LEAST_DPI} dots an inch", hint, "warning", about)


def _cropped(subject: Subject) -> Iterator[Problem]:
    """Boards without a template, whose picture has another shape."""
    drawn = {piece.component for piece, _, _ in subject.faces.values()}
    for board in (each for each in subject.game.components if each.look and each.kind == "board" and each.name in drawn):
        path = ArtFolder.of(subject.game.folder).find(board.name)
        across, down = picture_size(path) if path else (board.width, board.height)
        if abs(across / down * board.height / board.width - 1) > _OFF:
            size = f"{board.width:.0f}mm x {board.width * down / across:.0f}mm"
            message = f"a part of the picture ({across:.0f} × {down:.0f}) is cut off: the board has another shape"
            hint = f'Write size = "{size}", or draw the picture in the shape of the board.'
            shown = f"{board.width:.0f} × {board.height:.0f} mm"
            yield Problem("cropped-picture", board.place, message, shown, size, hint, "warning", About(board.name))


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

    from pnp.svg.safe import href, transform, view_box
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
            shown *= math.sqrt(abs(transform(node).determinant))
        aspect = image.get("preserveAspectRatio", "")
        fit = "stretch" if aspect == "none" else "cover" if aspect.endswith("slice") else "contain"
        yield name, linked[name], float(image.get("width", "0")) * shown, float(image.get("height", "0")) * shown, fit


def resolution(data: bytes, width: float, height: float, fit: str) -> float:
    """Dots an inch of a picture that is fitted into a box in mm."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        across, down = image.width / max(width, 1e-6) * 25.4, image.height / max(height, 1e-6) * 25.4
    return max(across, down) if fit == "contain" else min(across, down)


def _lost(subject: Subject) -> Iterator[Problem]:
    known = {component.name: component for component in subject.game.components}
    rows = {name: {row.id: row for row in component.table} for name, component in known.items()}
    found = (
        ((piece.component, side), (piece, area))
        for piece, side, face in subject.faces.values()
        for placed in face.layers
        for area, window in _shown_in(placed)
        if _apart(area, window or face.trim) or _apart(area, face.trim)
    )
    for (name, side), lost in grouped(found).items():
        piece, area = lost[0]
        row = rows[name].get(piece.id)
        moving = [column for column in ("art_x", "art_y") if row and row.cells.get(column) and row.cells[column].text]
        place = (row.cells[moving[0]].place if moving else row.place) if row else known[name].place
        about, *more = dict.fromkeys(each.about(side) for each, _ in lost)
        others = listed([each.called for each in more], 6)
        message = (
            f"{about}: a picture of {area.width:.0f} × {area.height:.0f} mm at {area.x:.0f}, {area.y:.0f} lies "
            f"where nothing of it is seen{f'; so it is on {others}' if others else ''}"
        )
        hint = "Move it onto the piece" + (f": see {' and '.join(moving)}." if moving else ", or leave it out.")
        yield Problem(LOST, place, message, f"{area.x:.0f}, {area.y:.0f}", "", hint, "warning", about)


def _apart(one: Rect, other: Rect) -> bool:
    least = 0.01
    across = min(one.right, other.right) - max(one.x, other.x)
    return across < least or min(one.bottom, other.bottom) - max(one.y, other.y) < least


def _shown_in(placed: PlacedLayer) -> Iterator[tuple[Rect, Rect | None]]:
    """Where each picture of a layer lies on the face, and the window in which it is moved, if it is in one."""
    layer = placed.layer
    if not isinstance(layer, ImageLayer):
        return
    yield placed.matrix.bounds(Rect(0, 0, layer.width, layer.height)), None
    if b"url(#window-" not in layer.files[layer.file]:
        return
    from lxml import etree

    from pnp.svg.safe import view_box
    from pnp.svg.tree import tag

    root = etree.fromstring(layer.files[layer.file])
    x, y, width, height = view_box(root)
    matrix = placed.matrix @ scaling(layer.width / width, layer.height / height) @ translation(-x, -y)
    for image in root.iter(tag("image")):
        group = image.getparent()
        if group is not None and group.get("clip-path", "").startswith("url(#window-"):
            boxes = [image, *group.iterfind(f"{tag('clipPath')}/{tag('rect')}")]
            area, window = (Rect(*(float(box.get(key, "0")) for key in ("x", "y", "width", "height"))) for box in boxes)
            yield matrix.bounds(area), matrix.bounds(window)


def _files(game: Game) -> dict[str, Path]:
    found = (path for path in ArtFolder.of(game.folder).files(BITMAPS) if path.stat().st_size <= MOST_BYTES)
    return {digest(path.read_bytes()): path for path in found}


def _place(subject: Subject, path: Path) -> Place:
    return Place(f"{subject.game.file.removesuffix('game.toml')}{path.relative_to(subject.game.folder).as_posix()}")


def _frames(subject: Subject) -> Iterator[Problem]:
    known = {component.name: component for component in subject.game.components}
    backs = (
        (piece, rim(subject.pictures[key], face, subject.dpi, safe_zone(known[piece.component])))
        for key, (piece, side, face) in subject.faces.items()
        if side == "back" and key in subject.pictures
    )
    near = grouped((piece.component, (width, piece)) for piece, width in backs if width is not None)
    for name, found in near.items():
        component = known[name]
        width, piece = min(found, key=lambda each: (each[0], each[1].name))
        about = piece.about("back")
        others = listed([other.about().called for _, other in found if other is not piece], 6)
        message = f"{about}: an even rim of {width:.1f} mm runs around it{f'; so it is on {others}' if others else ''}"
        allowed = f"{show(safe_zone(component))} mm or more for such a piece, or none"
        hint = "Let the ground run on beyond the cut, or make the rim wider."
        yield Problem("frame-near-cut", component.place, message, f"{width:.1f}", allowed, hint, "warning", about)


# Of the bleed a line is looked at halfway, of the face one so far within (mm). So light a dot (of 255) looks like paper.
_WITHIN, _PALE, _MOST_OF = 0.7, 235, 0.5


def _bleeds(subject: Subject) -> Iterator[Problem]:
    known = {component.name: component for component in subject.game.components}
    for key, picture in subject.bled.items():
        piece, side, face = subject.faces[key]
        if not (ends := ends_at_cut(picture, face, subject.dpi)):
            continue
        about, component = piece.about(side), known[piece.component]
        message = f"{about}: its colour ends at the cut ({listed(ends)}), where a cut by hand leaves a white edge"
        hint = (
            f'Let it run {show(face.bleed)} mm beyond, as s.ground(face, "#…") does; or leave a white rim, or bleed = "0mm".'
        )
        yield Problem("no-bleed", component.place, message, piece.component, hint=hint, severity="warning", about=about)


def ends_at_cut(picture: bytes, face: Face, dpi: int) -> list[str]:
    """The sides along most of which a colour reaches the cut and not beyond it, from the picture with its bleed."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        dots = np.asarray(image.convert("RGBA")).astype(int)

    def at(mm: float) -> int:
        return int(mm * dpi / 25.4)

    drawn = (dots[..., 3] > 64) & (dots[..., :3].min(axis=-1) < _PALE)
    inside, beyond, cut = at(face.bleed + _WITHIN), at(face.bleed / 2), at(face.bleed) + 1
    rows, columns = drawn.shape
    sides = {
        "left": (drawn[cut:-cut, inside], drawn[cut:-cut, beyond]),
        "right": (drawn[cut:-cut, columns - 1 - inside], drawn[cut:-cut, columns - 1 - beyond]),
        "top": (drawn[inside, cut:-cut], drawn[beyond, cut:-cut]),
        "bottom": (drawn[rows - 1 - inside, cut:-cut], drawn[rows - 1 - beyond, cut:-cut]),
    }
    return [side for side, (here, there) in sides.items() if here.size and (here & ~there).mean() > _MOST_OF]


def rim(picture: bytes, face: Face, dpi: int, safe: float) -> float | None:
    """How wide the even rim of a face is, when it has one that is narrower than ``safe`` mm."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        dots = np.asarray(image.convert("RGB")).astype(int)
    dot = 25.4 / dpi
    rows, columns = dots.shape[:2]
    xs, ys = np.meshgrid((np.arange(columns) + 0.5) * dot, (np.arange(rows) + 0.5) * dot)
    # How deep each dot lies in the face, from each of its sides; a piece with an outline has one side all around.
    sides = [depths(face.outline, xs, ys)] if face.outline else [xs, ys, face.width - xs, face.height - ys]
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


def _end(other: Any, deep: Any, mine: Any, dot: float, safe: float) -> float | None:
    """Where the rim of one side ends: the first line of dots along it that has mostly other colours."""
    for step in range(2, math.ceil(safe / dot) + 1):
        line = other[mine & (deep > step * dot) & (deep <= (step + 1) * dot)]
        if len(line) and line.mean() >= _ENDS:
            return step * dot
    return None


UNUSED, USUAL, MOVING, BLANK = "unused-drawing", "usual-drawing", "moving-picture", "blank-drawing"
SHOWN_RULES, HIDDEN, PAGE = (UNUSED, USUAL, MOVING, BLANK), "hidden-drawing", "blank-page"
RULES = (*ART_RULES, *SHOWN_RULES, HIDDEN, PAGE)

# What draws something; and how many bytes a pixel has at least in a picture that is not all alike: others need no look.
_DRAWS = re.compile(rb"<(?:\w+:)?(?:path|rect|circle|ellipse|line|poly(?:line|gon)|text|image|use|flow\w+)[\s/>]")
_PACKED = 0.05

# Kinds of pictures of which a file may hold several.
_SEVERAL = (".gif", ".webp", ".tif", ".tiff", ".png", ".avif")


def look_shown(subject: Subject) -> Report:
    """The files of art/, and what was asked of them while the game was drawn."""
    told, rest = _unused(subject)
    owners = _owners(subject.game)
    if not subject.personal:
        told += [_unasked(subject, name, owners[key]) for name in rest if (key := _key(name)) in owners]
        rest = [name for name in rest if _key(name) not in owners]
    listing = []
    if rest and subject.personal:
        note = (
            "The deck for everybody does not show these; a template asks for whom a deck is printed, so one with --each may."
        )
        listing = [TableShown("Drawings that may be for persons", ("Drawing",), tuple((name,) for name in rest), note)]
    elif rest:
        hint = "Call it as the id of the row that is to show it, or take it out of art/."
        bare = next((each.name for each in subject.game.components if each.look and not each.back), "")
        if bare and any(_key(name) == "back" for name in rest):
            hint = f'For the back of the cards write back = "back" in [component.{bare}].'
        place, message = _place(subject, ArtFolder.of(subject.game.folder).home), f"nothing shows {listed(rest, 6)}"
        told.append(Problem(UNUSED, place, message, ", ".join(rest), hint=hint, severity="warning"))
    return report([*told, *_usual(subject.stands), *_moving_or_blank(subject)], listing)


def _unused(subject: Subject) -> tuple[list[Problem], list[str]]:
    """The drawings that were meant for a row, as it seems, and the names of the others that nothing shows."""
    folder = ArtFolder.of(subject.game.folder)
    shown = {folded(path.stem) for path in subject.shown}
    looks = {row.design or row.id for each in subject.game.components if each.look for row in each.table}
    waiting = {stand.row.id for stand in subject.stands if not stand.own} | {
        each for each in looks if folded(each) not in shown
    }
    told: list[Problem] = []
    rest: list[str] = []
    for path in folder.files():
        if path.resolve() in subject.shown:
            continue
        name = folder.name_of(path)
        if meant := closest(Path(name).name, waiting):
            told.append(_told(subject, path, "nothing shows this drawing", meant))
        else:
            rest.append(path.relative_to(folder.home).as_posix())
    for path in folder.files(None):
        ending = path.suffix.lower()
        if ending not in ENDINGS and folded(path.stem) in map(folded, waiting):
            what = f"it is {FOREIGN[ending]}, which" if ending in FOREIGN else f'a file that ends in "{ending}"'
            told.append(_told(subject, path, f"{what} cannot be printed", "Export it as PNG, JPEG or SVG."))
    for path in _beside(subject.game.folder):
        if folded(path.stem) in map(folded, waiting):
            told.append(_told(subject, path, "nothing shows this drawing: it lies outside art/", "Move it into art/."))
    return told, rest


def _beside(folder: Path) -> Iterator[Path]:
    """The pictures in a game's folder, and in folders of it that have no meaning."""
    for path in sorted(folder.iterdir()):
        known = path.name.casefold() in ("art", "fonts", "languages", "templates") or path.name.startswith(".")
        inside = sorted(path.iterdir()) if path.is_dir() and not path.is_symlink() and not known else [path]
        yield from (each for each in inside if each.suffix.lower() in ENDINGS and file_within(folder, each))


def _key(file: str) -> str:
    return folded(PurePosixPath(file).with_suffix("").as_posix())


def _owners(game: Game) -> dict[str, Component]:
    """The pieces that a template draws, by the names of drawings that it could ask for."""
    sources = {each.name: _source(game, each.template) for each in game.components if not each.look}
    # One that asks for pictures has found another for the row.
    drawn = [each for each in game.components if "picture" not in sources.get(each.name, "picture")]
    rows = ((component, row.design or row.id) for component in drawn for row in component.table)
    named = {folded(name): each for each, key in rows for name in (key, f"{each.name}/{key}")}
    return named | {folded(each.name): each for each in drawn if each.kind == "token"}


def _source(game: Game, template: str) -> str:
    files = (root / f"{template}.svg.j2" for root in game.template_roots if file_within(root, root / f"{template}.svg.j2"))
    return next((file.read_text("utf-8", "replace") for file in files), "picture")


def _unasked(subject: Subject, file: str, component: Component) -> Problem:
    message = f"nothing shows {file}: it is called like a piece of {component.name}, whose template asks for no such picture"
    asked = "component.picture" if _key(file) == folded(component.name) else "picture.own()"
    hint = f'Show it in {component.template}.svg.j2: <image href="{{{{ {asked} }}}}" …/>, within {{% if {asked} %}}.'
    return Problem(
        UNUSED, _place(subject, ArtFolder.of(subject.game.folder).home / file), message, file, hint=hint, severity="warning"
    )


def _told(subject: Subject, path: Path, message: str, hint: str) -> Problem:
    return Problem(UNUSED, _place(subject, path), message, path.name, hint=hint, severity="warning")


def _usual(stands: Sequence[Stand]) -> Iterator[Problem]:
    together = grouped(((stand.component.name, stand.usual), stand) for stand in stands)
    for (name, usual), rows in together.items():
        waiting = [stand.row for stand in rows if not stand.own]
        everybody = len(rows) == len(rows[0].component.table.rows) > 1
        if waiting and (everybody or len(waiting) < len(rows)):
            ids = listed([row.id for row in waiting], 8)
            message = f'{name}: on {ids} there is only the usual drawing, "{usual}"'
            hint = f"Save a drawing as art/{waiting[0].id}.png or .svg."
            place = waiting[0].place
            yield Problem(
                USUAL, place, message, ids, hint=hint, severity="warning", about=About(name, waiting[0].id, "front")
            )


def _moving_or_blank(subject: Subject) -> Iterator[Problem]:
    for path in ArtFolder.of(subject.game.folder).files():
        if path.resolve() not in subject.shown:
            continue
        place = _place(subject, path)
        if path.suffix.lower() in _SEVERAL and (count := _pictures_in(path)) > 1:
            message = f"it has {count} pictures, and the first is printed"
            yield Problem(MOVING, place, message, str(count), "one picture", "Save the one that you want as PNG.", "warning")
        if _is_blank(path):
            hint = "Export it again, with its layers visible."
            yield Problem(BLANK, place, "nothing is drawn in it", path.name, hint=hint, severity="warning")


def _is_blank(path: Path) -> bool:
    if path.suffix.lower() == ".svg":
        # UTF-16 has a zero byte beside each letter of a tag.
        return not _DRAWS.search(path.read_bytes().replace(b"\0", b""))
    from PIL import Image

    try:
        with Image.open(path) as image:
            if path.stat().st_size > _PACKED * image.width * image.height + 1000 or not image.has_transparency_data:
                return False
            return image.convert("RGBA").getchannel("A").getextrema()[1] == 0
    except (*BROKEN, Image.DecompressionBombError):
        return False


def _pictures_in(path: Path) -> int:
    from PIL import Image

    try:
        with Image.open(path) as image:
            return int(getattr(image, "n_frames", 1))
    except (*BROKEN, Image.DecompressionBombError):
        return 1


@reported
def look_hidden(subject: Subject) -> Iterator[Problem]:
    """Every drawing that is not taken because another one of its name is."""
    art = ArtFolder.of(subject.game.folder)
    for files in grouped((folded(art.name_of(path)), path) for path in art.files()).values():
        first, *hidden = sorted(files, key=lambda file: ENDINGS.index(file.suffix.lower()))
        for path in hidden:
            seen, taken = _place(subject, path), _place(subject, first).file
            cased = folded(path.name) == folded(first.name)
            message = (
                f"{taken} differs from it in capital letters only: Windows and macOS keep one of the two"
                if cased
                else f'where "{path.stem}" is named, {taken} is shown, and never this one'
            )
            value = path.relative_to(subject.game.folder).as_posix()
            hint = "Take one of the two away, or give it another name."
            yield Problem(HIDDEN, seen, message, value, "one drawing of a name", hint, "warning")


# A dot so light or lighter is paper (of 255).
_PAPER = 250


def look_blank(subject: Subject) -> Report:
    """The fronts of all pieces, and the pages of boards."""
    return report([*_fronts(subject), *_pages(subject)])


def _fronts(subject: Subject) -> Iterator[Problem]:
    for deck in subject.decks:
        if blank := [piece for piece in deck.pieces if not piece.front.layers]:
            place = {row.id: row.place for row in deck.component.table}[blank[0].id]
            yield _blank_page(place, f"nothing is drawn on {listed([piece.name for piece in blank], 6)}", len(blank))


def _pages(subject: Subject) -> Iterator[Problem]:
    places = {deck.component.name: deck.component.place for deck in subject.decks}
    drawn = ((part, part.piece.front, subject.boards.get(part.piece.front.key)) for part in subject.parts)
    blank = (part for part, face, picture in drawn if picture and face.layers and _is_paper(picture, face, part.area))
    for name, labels in grouped((part.piece.name, f"{part.label} ({part.paper})") for part in blank).items():
        yield _blank_page(
            places[name.partition("/")[0]], f"{name}: nothing is drawn on its pages {listed(labels)}", len(labels)
        )


def _blank_page(place: Place, message: str, number: int) -> Problem:
    return Problem(PAGE, place, message, str(number), hint="Draw something there, or allow it.", severity="warning")


def _is_paper(picture: bytes, face: Face, area: Rect) -> bool:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        across, down = opened.width / face.width, opened.height / face.height
        # A dot at the edge may show what lies on the next page.
        left, right = round(area.x * across) + 1, round(area.right * across) - 1
        top, bottom = round(area.y * down) + 1, round(area.bottom * down) - 1
        dots = opened.convert("L").crop((left, top, right, bottom)).tobytes()
    return min(dots, default=0) >= _PAPER
