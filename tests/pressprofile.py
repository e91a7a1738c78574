"""A tiny ICC profile of a press that is no real one: its inks follow from lightness and tint by a line of arithmetic.

So tests need none of a print shop, and know what must come out without asking the library that converts.
"""

from __future__ import annotations

import struct
from functools import cache
from itertools import product

Lab = tuple[float, float, float]
Inks = tuple[float, float, float, float]
STEPS = 17


def inks_of(lab: Lab) -> Inks:
    """What the press lays down for a colour (L from 0 to 100), each ink from 0 to 1: black for how dark it is, and the
    others as much, more or less by its tint. The darkest colour takes all four, 400 %."""
    dark, red, yellow = 1 - lab[0] / 100, lab[1] / 255, lab[2] / 255
    cyan, magenta, third, black = (min(1.0, max(0.0, ink)) for ink in (dark - red, dark + red, dark + yellow, dark))
    return cyan, magenta, third, black


def lab_of(inks: Inks) -> Lab:
    """How inks look: black alone grows darker evenly, and all four are as dark as can be."""
    cyan, magenta, yellow, black = inks
    return (
        100 * (1 - black) * (1 - (cyan + magenta + yellow) / 4),
        60 * (magenta - cyan),
        60 * yellow - 30 * (cyan + magenta),
    )


def lab_of_screen(red: int, green: int, blue: int) -> Lab:
    """A colour of a screen as Lab under the light of a print shop (sRGB, adapted to D50 by Bradford's matrix)."""
    light = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red / 255, green / 255, blue / 255)
    ]
    rows = ((0.43607, 0.38515, 0.14307), (0.22249, 0.71687, 0.06061), (0.01392, 0.09708, 0.71410))
    white = (0.96422, 1.0, 0.82521)
    shares = [
        sum(weight * part for weight, part in zip(row, light, strict=True)) / top
        for row, top in zip(rows, white, strict=True)
    ]
    x, y, z = (share ** (1 / 3) if share > 216 / 24389 else (841 / 108) * share + 4 / 29 for share in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _byte(value: float) -> int:
    return min(255, max(0, round(value)))


def _table(inputs: int, outputs: int, steps: int, values: bytes) -> bytes:
    """A table of type lut8: what goes in and out is taken as it is, and between its steps there are straight lines."""
    identity = bytes(range(256))
    matrix = struct.pack(">9i", *(65536 * (number % 4 == 0) for number in range(9)))
    head = b"mft1" + bytes(4) + bytes((inputs, outputs, steps, 0)) + matrix
    return head + identity * inputs + values + identity * outputs


def _to_lab() -> bytes:
    steps = 5
    values = bytearray()
    for corner in product(range(steps), repeat=4):
        cyan, magenta, yellow, black = (part / (steps - 1) for part in corner)
        light, red, other = lab_of((cyan, magenta, yellow, black))
        values += bytes((_byte(light * 2.55), _byte(red + 128), _byte(other + 128)))
    return _table(4, 3, steps, bytes(values))


def _to_inks() -> bytes:
    values = bytearray()
    for corner in product(range(STEPS), repeat=3):
        light, red, other = (255 * part / (STEPS - 1) for part in corner)
        values += bytes(_byte(255 * ink) for ink in inks_of((light / 2.55, red - 128, other - 128)))
    return _table(3, 4, STEPS, bytes(values))


@cache
def press_profile(name: str = "Test press", kind: bytes = b"prtr", space: bytes = b"CMYK") -> bytes:
    """The profile, as its file has it. ``kind`` and ``space`` are what it says it is."""
    text = name.encode("ascii") + b"\0"
    described = b"desc" + bytes(4) + struct.pack(">I", len(text)) + text + bytes(4 + 4 + 2 + 1 + 67)
    white = b"XYZ " + bytes(4) + struct.pack(">3i", *(round(65536 * part) for part in (0.9642, 1.0, 0.8249)))
    tags = {
        b"desc": described,
        b"cprt": b"text" + bytes(4) + b"none\0",
        b"wtpt": white,
        b"A2B0": _to_lab(),
        b"B2A0": _to_inks(),
    }
    place = 128 + 4 + 12 * len(tags)
    index, data = struct.pack(">I", len(tags)), b""
    for tag, content in tags.items():
        content += bytes(-len(content) % 4)
        index += tag + struct.pack(">II", place + len(data), len(content))
        data += content
    light = struct.pack(">3i", 63190, 65536, 54061)
    head = struct.pack(">I4sI4s4s4s", place + len(data), b"none", 0x02200000, kind, space, b"Lab ")
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + light
    return head + bytes(128 - len(head)) + index + data
