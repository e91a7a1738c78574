"""Compares the files of an export with the same files made once more."""

from __future__ import annotations

import csv
import io
import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pnp.system.paths import plain_bytes
from pnp.values.problems import Place, Problem, listed
from pnp.values.walk import grouped
from pnp.write.printed import NotPrinted, actions, edges

if TYPE_CHECKING:
    from lxml.etree import _Element

Found = tuple[str, str]
"""The rule and the sentence of a difference."""

COUNT, SHOWN = "printed-count", "printed-page"
ANEW = "Export it anew, as the game is now."
# Of one file so many differences are told, and so many names in each.
MOST, MOST_NAMES, MOST_LETTERS = 12, 4, 60
# Of 255: another library may round a colour otherwise.
SHADE = 16
# But not everywhere: of edges alone the shades differ by less than this on average.
TINGE = 2.0
DPI = 72
# Keys by which a piece or a thing is told apart from its neighbours.
NAMES = ("piece", "GMNotes", "query", "id", "Nickname", "Name", "name")
PICTURES = (b"\x89PNG", b"\xff\xd8")
# What a picture says besides its dots, by which some programs show it otherwise.
BESIDES = {"gamma": "a gamma", "chromaticity": "colours of its own", "icc_profile": "a colour profile", "exif": "EXIF",
           "dpi": "a size of its own"}  # fmt: skip
# In it pictures of earlier exports stay for saved tables.
KEPT = "images"
# Kinds of files that anybody may lay beside an export: words, and books.
BESIDE = frozenset({"", ".txt", ".pdf"})
LIST = "list.csv"
# What stands beside every export: how it was made, and what it wrote.
NOTES = ("export.json", ".pnp-manifest.json")


def differences(folder: Path, made: Mapping[str, bytes], place: Place) -> Iterator[Problem]:
    """Reports files of an export that are missing or differ from ``made``."""
    users = _users(made)
    for name, right in made.items():
        try:
            given = plain_bytes(folder / name, _room(right))
        except FileNotFoundError:
            yield Problem(COUNT, place, f"{name} is missing{_of(name, users)}", value=name, hint=ANEW)
            continue
        except OSError as error:
            yield Problem(SHOWN, place, f"{name} cannot be read ({error.strerror})", value=name, hint=ANEW)
            continue
        yield from _told(name, [*_compared(name, given, right, users)], place)
    yield from _strangers(folder, made, place)


def page_differences(name: str, given: bytes, made: bytes, place: Place) -> Iterator[Problem]:
    """Reports pages of a PDF that differ from those of ``made``."""
    yield from _told(name, [*_compared(name, given, made, {})], place)


def _told(name: str, found: Sequence[Found], place: Place) -> Iterator[Problem]:
    for rule, message in found[:MOST]:
        yield Problem(rule, place, message, value=name, hint=ANEW)
    if len(found) > MOST:
        yield Problem(SHOWN, place, f"{name} has {len(found) - MOST} more differences", value=name, hint=ANEW)


def _strangers(folder: Path, made: Mapping[str, bytes], place: Place) -> Iterator[Problem]:
    """Reports other files in the folders of an export: some programs take every file there for a piece.

    In the outermost folder only those of a kind that is made there: an old order would be sent as well.
    """
    kinds = {PurePosixPath(name).suffix for name in made if "/" not in name} - BESIDE
    # A list names all that is sent to a shop.
    kinds |= {".pdf"} if LIST in made else set()
    for inner in sorted({PurePosixPath(name).parent for name in made} - {PurePosixPath(KEPT)}):
        try:
            there = sorted(each.name for each in (folder / inner).iterdir())
        except OSError:
            continue
        known = {*made, *(str(parent) for name in made for parent in PurePosixPath(name).parents)}
        more = [name for each in there if (name := str(inner / each)) not in known]
        if inner == PurePosixPath():
            more = [name for name in more if PurePosixPath(name).suffix in kinds and name not in NOTES]
        if more:
            names = listed(more, MOST_NAMES)
            message = f"{inner if inner.name else 'beside the export'}: {len(more)} more than the game makes: {names}"
            yield Problem(COUNT, place, message, value=more[0], hint="Take it away, or export the game anew.")


def _room(made: bytes) -> int:
    """The largest file that is read. Other programs write the same content in more bytes, but not in many more."""
    return 4 * len(made) + 1_000_000


def _compared(name: str, given: bytes, made: bytes, users: Mapping[str, str]) -> Iterator[Found]:
    if given == made:
        return
    try:
        if made.startswith(b"PK"):
            yield from _archive(name, given, made, users)
        elif made.startswith(PICTURES):
            yield from _picture(name, given, made, users)
        elif made.startswith(b"%PDF"):
            yield from _pages(name, given, made)
            if found := actions(given, name):
                yield SHOWN, f"{name} does something by itself when it is opened ({listed(found)})"
        else:
            yield from _values(_parsed(name, given), _parsed(name, made), name, "", "")
    except (
        NotPrinted,
        zipfile.BadZipFile,
        zlib.error,
        OSError,
        EOFError,
        ValueError,
        RuntimeError,
        csv.Error,
        SyntaxError,
    ) as error:
        # Pillow's words name an object of Python.
        said = "it is no picture" if type(error).__name__ == "UnidentifiedImageError" else str(error)[:MOST_LETTERS]
        yield SHOWN, f"{name} cannot be read: {said or type(error).__name__}"


def _archive(name: str, given: bytes, made: bytes, users: Mapping[str, str]) -> Iterator[Found]:
    with zipfile.ZipFile(io.BytesIO(given)) as there, zipfile.ZipFile(io.BytesIO(made)) as right:
        entries = there.namelist()
        # Where an archive begins and ends by its own words.
        starts = min((entry.header_offset for entry in there.infolist()), default=0)
        if starts or there.comment or given.rfind(b"PK\x05\x06") + 22 != len(given):
            yield COUNT, f"{name} holds something besides its files"
        yield from _list(entries, right.namelist(), name, "", "", lambda entry: f"{entry}{_of(entry, users)}")
        for entry in right.namelist():
            if entry not in entries:
                continue
            wanted = right.read(entry)
            with there.open(entry) as member:
                # The size that an archive states may be a lie: only so much is ever unpacked.
                data = member.read(_room(wanted))
            for rule, message in _compared(entry, data, wanted, users):
                yield rule, f"{name}: {message}"


def _picture(name: str, given: bytes, made: bytes, users: Mapping[str, str]) -> Iterator[Found]:
    from PIL import Image, ImageChops, ImageStat

    try:
        there, right = (Image.open(io.BytesIO(data)) for data in (given, made))
    except Image.DecompressionBombError:
        raise ValueError("it has far too many dots") from None
    if there.size != right.size:
        sizes = [" × ".join(map(str, image.size)) for image in (there, right)]
        yield SHOWN, f"{name} is {sizes[0]} dots large instead of {sizes[1]}{_of(name, users)}"
        return
    if (frames := getattr(there, "n_frames", 1)) > 1:
        yield SHOWN, f"{name} moves: it has {frames} pictures{_of(name, users)}"
    for key, said in BESIDES.items():
        if there.info.get(key) != right.info.get(key):
            yield SHOWN, f"{name} has {said}, by which some programs show it otherwise{_of(name, users)}"
    apart = ImageChops.difference(there.convert("RGBA"), right.convert("RGBA")).split()
    one, *others = (band.point(lambda shade: 255 * (shade > SHADE)) for band in apart)
    for band in others:
        one = ImageChops.lighter(one, band)
    if box := one.getbbox():
        where = f"from {box[0]}, {box[1]} to {box[2]}, {box[3]} dots"
        yield SHOWN, f"{name} shows another picture than the game makes, {where}{_of(name, users)}"
    elif max(ImageStat.Stat(band).mean[0] for band in apart) >= TINGE:
        yield SHOWN, f"{name} has other shades than the game makes{_of(name, users)}"


def _pages(name: str, given: bytes, made: bytes) -> Iterator[Found]:
    from pnp.write.png import looks

    for number, (lies, should) in enumerate(zip(edges(given, name), edges(made, name), strict=False), 1):
        if differ := [key[1:] for key in should if lies[key] != should[key]]:
            yield SHOWN, f"{name}: page {number} has another {listed(differ)} than the game makes"
    for number, (there, right) in enumerate(zip_longest(looks(given, DPI), looks(made, DPI)), 1):
        if there is None or right is None:
            yield COUNT, f"{name}: page {number} is {'missing' if there is None else 'none of the book'}"
        elif there[1] != right[1] or there[0].tobytes() != right[0].tobytes():
            yield SHOWN, f"{name}: page {number} shows something else than the game makes"


def _parsed(name: str, data: bytes) -> Any:
    """Parses JSON, CSV, XML and INI files into dicts, lists and texts."""
    kind = PurePosixPath(name).suffix
    if kind == ".xml":
        from lxml import etree

        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
        return {str(root.tag): _element(root)}
    text = data.decode("utf-8-sig")
    if kind == ".json":
        return json.loads(text, object_pairs_hook=_once)
    if kind == ".csv":
        return list(csv.DictReader(io.StringIO(text, newline=""), restkey="a cell without a column"))
    blocks: dict[str, list[str]] = {"": []}
    for line in filter(None, text.splitlines()):
        if line.startswith(("[", "#")):
            heading = line
            blocks.setdefault(heading, [])
        else:
            blocks[[*blocks][-1]].append(line)
    return blocks


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises ValueError for a key that stands twice: of its values programs take different ones."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, many in Counter(key for key, _ in pairs).items() if many > 1)
        raise ValueError(f'it says "{twice[:20]}" twice in one place')
    return found


def _element(element: _Element) -> Any:
    """A text; or a dict of attributes, text between children, and children by name: a list, or one text."""
    inner = grouped((str(child.tag), _element(child)) for child in element if isinstance(child.tag, str))
    beside = "".join([element.text or "", *(child.tail or "" for child in element)])
    found = {f"{name} =": value for name, value in element.items()}
    if not inner and not found:
        return beside
    found |= {"text": beside} if beside.strip() else {}
    return found | {
        name: values[0] if len(values) == 1 and isinstance(values[0], str) else values for name, values in inner.items()
    }


def _values(given: Any, made: Any, file: str, label: str, key: str) -> Iterator[Found]:
    """Reports differences between two values, with the file, the nearest named thing, and the key."""
    if isinstance(given, dict) and isinstance(made, dict):
        label = _label(made) or " ".join(filter(None, (label, key)))
        yield from _list([*given], [*made], file, label, "", ordered=False)
        for each in made:
            if each in given:
                yield from _values(given[each], made[each], file, label, str(each))
    elif isinstance(given, list) and isinstance(made, list):
        yield from _list(given, made, file, label, key)
    elif given != made or isinstance(given, bool) != isinstance(made, bool):
        about = f"{label or file}: {key}" if key else label or file
        beside = f"{file}, " if label else ""
        there, right = json.dumps(given, ensure_ascii=False), json.dumps(made, ensure_ascii=False)
        folder = there[: there.rfind("/") + 1]
        if len(there) > MOST_LETTERS and folder and right.startswith(folder):
            there, right = (f'"…{address.removeprefix(folder)}' for address in (there, right))
        yield SHOWN, f"{beside}{about} says {_cut(there)} where the game says {_cut(right)}"


def _list(
    given: list[Any],
    made: list[Any],
    file: str,
    label: str,
    key: str,
    said: Callable[[Any], str] | None = None,
    ordered: bool = True,
) -> Iterator[Found]:
    """Reports items that a list has too many, lacks, or has replaced."""
    about = " ".join(filter(None, (f"{file}," if label else file, label, key)))
    more, missing = [], []
    if ordered and said is None:
        there, right = ([json.dumps(each, sort_keys=True) for each in some] for some in (given, made))
        for kind, start, end, first, last in SequenceMatcher(None, there, right, autojunk=False).get_opcodes():
            if kind == "replace" and end - start == last - first:
                for one, other in zip(given[start:end], made[first:last], strict=True):
                    yield from _values(one, other, file, label, key)
            elif kind != "equal":
                more += given[start:end]
                missing += made[first:last]
    else:
        more, missing = [*(Counter(given) - Counter(made)).elements()], [*(Counter(made) - Counter(given)).elements()]
    for some, what in ((more, "more than the game makes"), (missing, "missing")):
        if some:
            names = listed([(said or _name)(each) for each in some], MOST_NAMES)
            yield COUNT, f"{about}: {len(some)} {what}: {names}"


def _name(value: Any) -> str:
    return (_label(value) if isinstance(value, dict) else "") or _short(value)


def _label(value: Mapping[str, Any]) -> str:
    """The name of a dict: a piece as ``component/id``, or a name; empty where it has neither."""
    if {"component", "id"} <= value.keys():
        return f"{value['component']}/{value['id']}"
    for key in NAMES:
        said = value.get(key)
        if isinstance(said, str) and said:
            return said.rpartition(":")[2] if key == "GMNotes" else said
    return ""


def _short(value: Any) -> str:
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"


def _users(made: Mapping[str, bytes]) -> Mapping[str, str]:
    """Maps picture names, without folder, to the piece whose JSON entry refers to them."""
    found: dict[str, str] = {}

    def look(value: Any, label: str) -> None:
        if isinstance(value, dict):
            label = _label(value) or label
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(inner, label)
        if isinstance(value, str) and label:
            found.setdefault(_stem(value), label)

    for name, data in made.items():
        files = {name: data}
        if data.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                files = {entry: archive.read(entry) for entry in archive.namelist() if entry.endswith(".json")}
        for file, text in files.items():
            look(json.loads(text) if file.endswith(".json") else None, "")
    return found


def _stem(name: str) -> str:
    return PurePosixPath(name).stem


def _of(name: str, users: Mapping[str, str]) -> str:
    """The piece that a picture belongs to, unless the picture's own name says it."""
    label = users.get(_stem(name), "")
    return f" ({label})" if label and label not in name else ""
