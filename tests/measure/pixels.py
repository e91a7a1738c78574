"""Compares every printed page of two builds, pixel for pixel at 100 dpi.

    pnp build --languages all --paper a4 --paper letter --out BEFORE      (and --low-ink, and --grey)
    python tests/measure/pixels.py BEFORE AFTER

Pages of every PDF below BEFORE are held against the same page below AFTER. The exit code is 1 where a file or a page is
missing or another one, or where one pixel differs. For a change that must not be seen on paper: build before it and after.
"""

from __future__ import annotations

import hashlib
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pypdfium2

DPI = 100


def pictures(path: Path) -> list[str]:
    """A digest of the pixels of each page of a PDF."""
    document = pypdfium2.PdfDocument(path)
    digests = []
    for page in document:
        bitmap = page.render(scale=DPI / 72)
        size = f"{bitmap.width}x{bitmap.height}:".encode()
        digests.append(hashlib.sha256(size + bytes(bitmap.buffer)).hexdigest())
    document.close()
    return digests


def different(before: Path, after: Path) -> str:
    """What differs between two PDFs, in a sentence; nothing where they look alike."""
    if not after.exists():
        return "is missing"
    old, new = pictures(before), pictures(after)
    if len(old) != len(new):
        return f"has {len(new)} pages instead of {len(old)}"
    pages = [str(number) for number, (one, other) in enumerate(zip(old, new, strict=True), 1) if one != other]
    return f"differs on {', '.join(pages)} of {len(old)} pages" if pages else ""


def main(before: Path, after: Path) -> int:
    """Compares the folders and prints what differs; 1 where anything does."""
    names = sorted(path.relative_to(before) for path in before.rglob("*.pdf"))
    strange = sorted({path.relative_to(after) for path in after.rglob("*.pdf")} - {*names})
    with ProcessPoolExecutor() as pool:
        told = list(pool.map(different, [before / name for name in names], [after / name for name in names]))
    wrong = [f"{name} {words}" for name, words in zip(names, told, strict=True) if words]
    wrong += [f"{name} was not there before" for name in strange]
    print(*wrong, f"{len(names)} files, {len(wrong)} differ", sep="\n")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
