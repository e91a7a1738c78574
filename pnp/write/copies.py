"""Pages of other PDFs → forms of one PDF, in which what they share is stored once, from however many files it comes."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable
from typing import Any

# A reference to another object. Strings are passed over, for they may hold the like.
_REFERENCE = re.compile(rb"\((?:\\.|[^\\()])*\)|(\d+) (\d+) R", re.DOTALL)
Number = tuple[int, int]


class Copies:
    """What has been copied into one PDF.

    Files that Typst makes of the same letters have the same fonts. Objects are the same if they are equal to the byte and
    refer to the same objects: so a font is known by all that belongs to it, program, widths and the letters' names.
    """

    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf
        self._known: dict[bytes, Any] = {}

    def forms(self, source: bytes, pages: Iterable[int]) -> list[Any]:
        """Pages of a file (0-based) as forms. The file is closed again: of many, one is open at a time."""
        import pikepdf

        # Typst's pages have all that they need: nothing is handed down, which would be looked for in every page.
        with pikepdf.open(io.BytesIO(source), inherit_page_attributes=False) as file:
            part = _Part(self._pdf, file, self._known)
            there = list(file.pages)
            return [part.form(there[page].obj) for page in pages]


class _Part:
    """One file that is copied from."""

    def __init__(self, pdf: Any, file: Any, known: dict[bytes, Any]) -> None:
        import pikepdf

        self._pdf, self._file, self._known = pdf, file, known
        self._objects: dict[Number, Any] = {}
        self._twins: dict[bytes, Any] = {}
        self._type, self._subtype = pikepdf.Name.XObject, pikepdf.Name.Form

    def form(self, page: Any) -> Any:
        """A page as a form."""
        form = self._stream(page["/Contents"])
        form["/Type"], form["/Subtype"] = self._type, self._subtype
        form["/BBox"], form["/Resources"] = self._box(page["/MediaBox"]), self._value(page["/Resources"])
        if "/Group" in page:
            form["/Group"] = self._value(page["/Group"])
        return form

    def _box(self, box: Any) -> Any:
        """Of few sizes, and shorter as a reference."""
        mark = _mark(box.unparse(resolved=True))
        if mark not in self._known:
            self._known[mark] = self._pdf.make_indirect(self._direct(box))
        return self._known[mark]

    def _stream(self, stream: Any) -> Any:
        import pikepdf

        copied = pikepdf.Stream(self._pdf, stream.read_raw_bytes())
        for key, value in stream.stream_dict.items():
            if key != "/Length":
                copied[key] = self._value(value)
        return copied

    def _value(self, value: Any) -> Any:
        """What stands in an object: another one, or something of its own."""
        import pikepdf

        if not isinstance(value, pikepdf.Object):
            return value
        return self._object(value.objgen) if value.is_indirect else self._direct(value)

    def _direct(self, value: Any) -> Any:
        import pikepdf

        text = value.unparse(resolved=True)
        if not _references(text):
            return pikepdf.Object.parse(text)
        if isinstance(value, pikepdf.Array):
            return pikepdf.Array([self._value(part) for part in value])
        return pikepdf.Dictionary({key: self._value(part) for key, part in value.items()})

    def _object(self, wanted: Number) -> Any:
        """The copy of an object, made after those of all that it refers to; drawings may be nested deeply."""
        import pikepdf

        waiting = [] if wanted in self._objects else [wanted]
        while waiting:
            found = self._file.get_object(waiting[-1])
            drawn = isinstance(found, pikepdf.Stream)
            text = (found.stream_dict if drawn else found).unparse(resolved=True)
            data = found.read_raw_bytes() if drawn else b""
            # Most pages list the same things in an object of their own: within a file that is seen at once.
            own = _mark(text, data)
            if own not in self._twins:
                if missing := [other for other in _references(text) if other not in self._objects]:
                    waiting += missing
                    continue
                mark = _mark(_REFERENCE.sub(self._renumbered, text), data)
                if mark not in self._known:
                    self._known[mark] = self._stream(found) if drawn else self._pdf.make_indirect(self._direct(found))
                self._twins[own] = self._known[mark]
            self._objects[waiting.pop()] = self._twins[own]
        return self._objects[wanted]

    def _renumbered(self, found: re.Match[bytes]) -> bytes:
        """A reference as it is in the PDF that is copied into."""
        return b"%d %d R" % self._objects[int(found[1]), int(found[2])].objgen if found[1] else found[0]


def _references(text: bytes) -> list[Number]:
    return [(int(found[1]), int(found[2])) for found in _REFERENCE.finditer(text) if found[1]]


def _mark(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
