"""Finds a game's drawings and pictures by name in art/ and the templates' icons, checks them, makes them safe."""

from __future__ import annotations

import base64
import binascii
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import unquote, unquote_to_bytes

from pnp import __version__
from pnp.dataclass import dataclass
from pnp.draw.bitmaps import ALL, FINE, LEAST_PHOTOGRAPH, Part, as_photograph, read_bitmap, smaller
from pnp.draw.fonts import Fonts
from pnp.draw.lettering import Typefaces, outline_texts
from pnp.svg import parts
from pnp.svg import safe as svg
from pnp.svg.normal import normal
from pnp.svg.rewrite import recolour
from pnp.svg.safe import BadDrawing, href, text_of_file
from pnp.svg.styles import inline_stylesheets
from pnp.svg.tree import XLINK, Element, choose, tag
from pnp.system.cache import Cache, apart, digest, remembered, together
from pnp.system.paths import BITMAPS, EMPTY, ENDINGS, FOREIGN, ArtFolder, content_of, entry, folded, within
from pnp.system.watchdog import unhurried
from pnp.values.game import Game
from pnp.values.problems import closest, listed

_DATA = re.compile(r"data:(image/[\w.+-]+)((?:;[\w=.-]+)*),", re.IGNORECASE)
_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|/|\\")
MOST_DOTS = 100_000_000
"""Of all pictures in a drawing: few bytes may hold very many that are alike, and each is held as it is drawn."""
HINT = (
    "Embed it (in Inkscape select it, then Extensions > Images > Embed Images), or put its file beside the drawing in art/."
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing ready to be set: file name by content, bytes, width and height."""

    file: str
    content: bytes | Callable[[], bytes]
    """Its bytes, or what reads them: those of a large picture are read once somebody wants them all."""
    width: float
    height: float
    dots: int = 0
    """Pixels, its own or those of the pictures in it."""

    @property
    def data(self) -> bytes:
        """Its bytes. Raises BadDrawing for a large picture that cannot be read any more."""
        return self.content if isinstance(self.content, bytes) else self.content()

    @property
    def is_svg(self) -> bool:
        return self.file.endswith(".svg")


def set_in(root: Element, read: Callable[[bytes, bool], Drawing], linked: Callable[[str], Drawing]) -> int:
    """Embeds every picture that a drawing links to, each checked as any other drawing is.

    ``read`` makes a drawing of bytes, which are SVG or not; ``linked`` of a path beside the file. Returns how many dots
    they have together. Raises BadDrawing.
    """
    dots = 0
    for image in list(root.iter(tag("image"))):
        written = href(image)
        try:
            if not written:
                drawing: Drawing | None = None
            elif found := _DATA.match(written):
                drawing = read(_bytes(written[found.end() :], found[2]), found[1].lower() == "image/svg+xml")
            elif _ABSOLUTE.match(written):
                raise BadDrawing(f'its picture "{written[:60]}" lies outside the game', written, hint=HINT)
            else:
                drawing = linked(unquote(written))
            dots += drawing.dots if drawing is not None else 0
            if dots > MOST_DOTS:
                raise BadDrawing(f"its pictures have more than {MOST_DOTS // 1_000_000} million pixels together")
        except BadDrawing as fault:
            # A fault in a picture has its lines there.
            fault.line = image.sourceline
            raise
        for key in ("href", XLINK):
            image.attrib.pop(key, None)
        if drawing is not None:
            image.set("href", _as_data(drawing))
    return dots


def _bytes(written: str, how: str) -> bytes:
    if not how.lower().endswith(";base64"):
        return unquote_to_bytes(written)
    try:
        return base64.b64decode("".join(unquote(written).split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadDrawing("its embedded picture is not the base64 that it says it is") from None


def _as_data(drawing: Drawing) -> str:
    kind = {"svg": "svg+xml", "jpg": "jpeg", "png": "png"}[drawing.file.rpartition(".")[2]]
    return f"data:image/{kind};base64,{base64.b64encode(drawing.data).decode()}"


MOST_BYTES = 64_000_000
# Of all drawings of a game: they are held until its files are written.
MOST_TOGETHER = 500_000_000
# Pixels from which a picture is held only once it is known how large it will be shown.
LARGE = 2_000_000

# Drawings in drawings in drawings.
MOST_NESTING = 3

Question = tuple[Literal["has", "usual", "drawing", "icon"], str]
"""What was looked for, and its name."""
Asked = dict[Question, Path | None]
"""Questions, and where it was found."""


class NoArt(svg.BadDrawing):
    """A drawing that is named but not there."""

    rule = "missing-art"


def _no_art(what: str, name: str, home: ArtFolder, known: list[str]) -> NoArt:
    below = _below_art(name).partition("#")[0]
    plain, file = _stem(below), PurePosixPath(below).name
    at = "art/icons" if what == "icon" else "art"
    if (foreign := home.foreign(below)) is not None:
        kind = FOREIGN[foreign.suffix.lower()]
        hint = f"{foreign.name} is {kind}, which cannot be printed: export it as PNG, JPEG or SVG."
    elif there := home.find(plain):
        hint = f"Write {there.name}: so it is called."
    elif elsewhere := _outside(home, file):
        hint = f"{elsewhere} lies outside {at}/: move it there."
    else:
        called = file if PurePosixPath(file).suffix else f"{file}.png or .svg"
        hint = closest(plain, known) or f"Save it in {at}/, as {called}."
    return NoArt(f'there is no {what} "{name}"', name, listed(known), hint)


def _outside(home: ArtFolder, file: str) -> str:
    """A file of this name in the game's folder, or one folder below it, but not in art/."""
    game = home.home.parent if home.home.name == "art" else home.home.parent.parent
    within_game = [path for path in sorted(game.iterdir()) if not path.is_symlink()]
    for folder in (game, *(path for path in within_game if path.is_dir())):
        for path in sorted(folder.iterdir()):
            if path.suffix.lower() in ENDINGS and file.lower() in (path.name.lower(), path.stem.lower()):
                return path.relative_to(game).as_posix()
    return ""


@dataclass(frozen=True, slots=True)
class Look:
    """How a drawing shall look: which part of it, what ``currentColor`` means in it, and its one colour."""

    part: str = ""
    colour: str = ""
    fill: str = ""


# How much larger a picture may be than what is shown of it.
MOST_CUT = 2.0


def _makers() -> str:
    """The versions of all that decides the bytes of a picture that is stored otherwise than it came."""
    import PIL

    return f"{__version__} {PIL.__version__}"


def _has_holes(data: bytes) -> bool:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return image.has_transparency_data and any(image.convert("RGBA").getchannel("A").histogram()[:255])


class Art:
    """Looks up drawings by name: a path below ``art/``, with or without its suffix, and ``#part`` for a part of one."""

    def __init__(self, game: Game, cache: Cache | None = None) -> None:
        self._game = game
        self._cache = cache
        self._palette = game.palette
        self._roots = (game.folder, *game.template_roots)
        self._home = ArtFolder.of(game.folder)
        self._icon_homes = [
            ArtFolder(entry(self._home.home, "icons")),
            *(ArtFolder(root / "icons") for root in game.template_roots),
            *(ArtFolder(root / "shared" / "icons") for root in game.template_roots),
        ]
        self._loaded: dict[tuple[Path, Look], Drawing] = {}
        self._links: dict[tuple[Path, Look], Asked] = {}
        """What drawings link to: whoever needs them needs that as well."""
        self._nested: list[Path] = []
        self._bytes = 0
        """Bytes of the drawings that are held."""
        self._large: dict[str, Path] = {}
        """The files of large pictures, by the names that their content gives them."""
        self._held: dict[str, bytes] = {}
        """What is held of them: all, or one that is as large as it is shown; empty where that would be no smaller."""
        self._places: Asked = {}
        """Where it is, for every question that anybody has put."""
        self._asked: Asked = {}

    def has(self, name: str) -> bool:
        return self._look(("has", name)) is not None

    def is_there(self, name: str) -> bool:
        """Whether there is a drawing of this name. Unlike :meth:`has` it does not count as shown."""
        return self._place(("has", name)) is not None

    def fills(self, name: str, ratio: float) -> bool:
        """Whether a picture of dots without holes can be cut to a shape, its width by its height, and much of it is left."""
        try:
            drawing = self.drawing(name)
        except svg.BadDrawing:
            return False  # told where it is drawn
        shape = drawing.width / drawing.height
        return not drawing.is_svg and max(shape / ratio, ratio / shape) <= MOST_CUT and not self._has_holes(drawing)

    def _has_holes(self, drawing: Drawing) -> bool:
        if drawing.file.endswith(".jpg"):
            return False
        return bool(remembered(self._cache, digest("holes", drawing.file), lambda: b"1" * _has_holes(drawing.data)))

    def usual(self, name: str) -> str:
        """Names the drawing that is shown where a row has none of its own."""
        self._look(("usual", name))
        return name

    def drawing(self, name: str, colour: str = "", fill: str = "") -> Drawing:
        """The drawing of a name; ``colour`` is what ``currentColor`` means in it, ``fill`` makes it one of this colour.

        Raises BadDrawing.
        """
        if (path := self._look(("drawing", name))) is None:
            raise _no_art("drawing", name, self._home, self.names())
        return self._named(path, name, Look(_part(path, name), colour, fill))

    def icon(self, name: str, colour: str) -> Drawing:
        """The icon of a name, for use in a line of text. Raises BadDrawing."""
        if (path := self._look(("icon", name))) is None:
            raise _no_art("icon", name, self._icon_homes[0], self.icon_names())
        return self._named(path, name, Look(_part(path, name), colour))

    def _named(self, path: Path, name: str, look: Look) -> Drawing:
        try:
            return self._load(path, look)
        except parts.NoPart as fault:
            fault.file, fault.line, fault.value = None, None, name
            raise

    @contextmanager
    def asking(self) -> Iterator[Asked]:
        """Records which names are looked up meanwhile."""
        before, self._asked = self._asked, {}
        try:
            yield self._asked
        finally:
            before.update(self._asked)
            self._asked = before

    @property
    def asked(self) -> Mapping[Question, Path | None]:
        """All names looked up so far."""
        return self._asked

    def _look(self, question: Question) -> Path | None:
        self._asked[question] = self._place(question)
        return self._asked[question]

    def _place(self, question: Question) -> Path | None:
        if question not in self._places:
            what, name = question
            homes = self._icon_homes if what == "icon" else [self._home]
            # A folder art/ in art/ comes of unpacking: what lies there is called by its whole path.
            names = [name] if what == "icon" else [_below_art(name), name]
            # What follows a # is a part of the file, unless the file itself is called so.
            names = list(dict.fromkeys(each for name in names for each in (name, name.partition("#")[0])))
            found = (self._find(home, each) for each in names for home in homes)
            self._places[question] = next(filter(None, found), None)
        return self._places[question]

    def names(self) -> list[str]:
        return [self._home.name_of(path) for path in self._home.files()]

    def icon_names(self) -> list[str]:
        return sorted({path.stem for home in self._icon_homes for path in home.files() if path.parent == home.home})

    def _find(self, home: ArtFolder, name: str) -> Path | None:
        path = home.find(name)
        return path.resolve() if path and any(within(root, home.home) for root in self._roots) else None

    def _load(self, path: Path, look: Look) -> Drawing:
        vector = path.suffix.lower() not in BITMAPS
        key = (path, look if vector else Look(look.part, "", look.fill))
        if key not in self._loaded:
            if path.stat().st_size > MOST_BYTES:
                raise svg.BadDrawing(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB")
            try:
                data = path.read_bytes()
                with self._within(path), self.asking() as asked:
                    drawing = self._vector(_svg(data), look) if vector else self._picture(path, data)
                if not vector and (look.part or look.fill):
                    raise svg.BadDrawing("it is a picture of pixels, which has no parts and no colour to change")
                if isinstance(drawing.content, bytes):
                    self._count(drawing.content)
                self._loaded[key], self._links[key] = drawing, asked
            except svg.BadDrawing as error:
                error.file = path
                raise
            except OSError as error:
                raise svg.BadDrawing(f"{path.name}: it cannot be read ({error.strerror})") from None
        self._asked.update(self._links[key])
        return self._loaded[key]

    def _picture(self, path: Path, data: bytes) -> Drawing:
        """A picture in a file: a large one is not held yet."""
        name = digest(data)
        about, made = self._read(name, data)
        suffix, width, height = json.loads(about)
        file = f"{name}.{suffix}"
        if width * height < LARGE:
            return Drawing(file, made or data, width, height, width * height)
        self._large[file] = path
        return Drawing(file, lambda: self._hold(file, file, lambda: self._whole(file)), width, height, width * height)

    def _read(self, name: str, data: bytes) -> tuple[bytes, bytes]:
        """What is known of a picture, as JSON, and its bytes if they are others than those of its file."""

        def read() -> bytes:
            with unhurried():
                made, suffix, width, height = read_bitmap(data)
                if suffix == "png" and width * height >= LEAST_PHOTOGRAPH and (photograph := as_photograph(made)):
                    made, suffix = photograph, "jpg"
                return together(json.dumps([suffix, width, height]).encode(), b"" if made == data else made)

        about, made = apart(remembered(self._cache, digest("picture", _makers(), name), read))
        return about, made

    def _whole(self, file: str) -> bytes:
        data = self._again(file)
        return self._read(file.partition(".")[0], data)[1] or data

    def _again(self, file: str) -> bytes:
        """The file of a large picture, as long as it is the same."""
        path = self._large[file]
        try:
            data = path.read_bytes()
        except OSError as error:
            raise svg.BadDrawing(f"{path.name}: it cannot be read ({error.strerror})") from None
        if digest(data) != file.partition(".")[0]:
            raise svg.BadDrawing(f"{path.name} was changed while it was read", hint="Build again.")
        return data

    def _hold(self, name: str, file: str, make: Callable[[], bytes]) -> bytes:
        if name not in self._held:
            try:
                data = make()
                self._count(data)
            except svg.BadDrawing as fault:
                fault.file = self._large[file]
                raise
            self._held[name] = data
        return self._held[name]

    def _count(self, data: bytes) -> None:
        self._bytes += len(data)
        if self._bytes > MOST_TOGETHER:
            raise svg.BadDrawing(f"with it the game's drawings are larger than {MOST_TOGETHER // 1_000_000} MB")

    def sized(self, drawing: Drawing, width: float, height: float, part: Part = ALL) -> Drawing:
        """A drawing that will be ``width`` × ``height`` mm: a large picture has no more dots than print needs.

        Of a picture that is cut it is the ``part`` that is seen. Raises BadDrawing.
        """
        if drawing.file not in self._large or min(width, height) <= 0:
            return drawing
        suffix = drawing.file.rpartition(".")[2]
        fine, enough = FINE[suffix]
        if min(drawing.width / width, drawing.height / height) * 25.4 <= fine:
            return drawing
        left, top, right, bottom = part
        across = math.ceil(width * (right - left) * enough / 25.4)
        down = math.ceil(height * (bottom - top) * enough / 25.4)
        name = digest(drawing.file, str(across), str(down), str(part))

        def make() -> bytes:
            with unhurried():
                return smaller(self._again(drawing.file), suffix == "jpg", across, down, part)

        kept = digest("smaller", _makers(), name)
        data = self._hold(name, drawing.file, lambda: remembered(self._cache, kept, make))
        return Drawing(f"{name}.{suffix}", data, across, down, across * down) if data else drawing

    @contextmanager
    def _within(self, path: Path) -> Iterator[None]:
        if len(self._nested) >= MOST_NESTING or path in self._nested:
            raise svg.BadDrawing(f"its picture {path.name} is a drawing in a drawing without end")
        self._nested.append(path)
        try:
            yield
        finally:
            self._nested.pop()

    @cached_property
    def faces(self) -> Typefaces:
        """The faces of the game's fonts, in which texts of drawings are outlined."""
        return Typefaces(Fonts(self._game))

    def _vector(self, data: bytes, look: Look) -> Drawing:
        root = svg.parse(text_of_file(data))
        choose(root)
        inline_stylesheets(root)
        if look.part:
            root = parts.part(root, look.part)
        svg.colour_in(root, self._palette)
        for node in root.iter(tag("foreignObject")):
            message = "it has a <foreignObject>. Turn its text into outlines, or put it into the template"
            raise svg.BadDrawing(message, line=node.sourceline)
        outline_texts(root, self.faces)
        dots = set_in(root, self.read, self._linked)
        if look.part:
            parts.boxed(root)
        if look.fill:
            recolour(root, look.fill)
        width, height = normal(root)
        safe = svg.text_of(root)
        if look.colour:
            safe = safe.replace("currentColor", look.colour)
        if len(safe) > svg.MOST_BYTES:
            raise svg.BadDrawing(f"with its pictures it is larger than {svg.MOST_BYTES // 1_000_000} MB")
        return Drawing(f"{digest(safe)}.svg", safe.encode(), width, height, dots)

    def read(self, data: bytes, vector: bool) -> Drawing:
        """A drawing or picture of bytes that are no file in art/. Raises BadDrawing."""
        if not vector:
            return self._bitmap(data)
        with self._within(Path(f"{len(self._nested)}.svg")):
            return self._vector(data, Look())

    def _linked(self, name: str) -> Drawing:
        here = next((path for path in reversed(self._nested) if path.is_absolute()), Path()).parent
        inside = here.is_relative_to(self._home.home.resolve())
        beside = normpath(here.relative_to(self._home.home.resolve()) / name.replace("\\", "/")) if inside else ".."
        path = None if beside.startswith("..") else self._look(("drawing", Path(beside).as_posix()))
        if path is None:
            message = f'its picture "{name[:60]}" is in a file of its own, which is not there'
            raise svg.BadDrawing(message, name, hint=HINT, rule="missing-art")
        return self._load(path, Look())

    @staticmethod
    def _bitmap(data: bytes) -> Drawing:
        with unhurried():
            made, suffix, width, height = read_bitmap(data)
            return Drawing(f"{digest(data)}.{suffix}", made, width, height, width * height)


def _svg(data: bytes) -> bytes:
    packed = data[:2] == b"\x1f\x8b"
    if (what := content_of(data)) and b"<svg" not in data and not packed:
        if what == EMPTY:
            raise svg.BadDrawing("it is empty")
        hint = "Export it as SVG, or give it the ending of what it is."
        raise svg.BadDrawing(f"it is {what}, whatever its ending says", what, hint=hint)
    return data


def _part(path: Path, name: str) -> str:
    return "" if Path(name).name in (path.name, path.stem) else name.partition("#")[2]


def _below_art(name: str) -> str:
    plain = name.replace("\\", "/")
    return plain[4:] if folded(plain[:4]) == "art/" else plain


def _stem(name: str) -> str:
    plain = name.replace("\\", "/")
    folder, slash, file = plain.rpartition("/")
    return f"{folder}{slash}{file.rpartition('.')[0] or file}"
