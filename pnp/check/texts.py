"""Checks that printed texts can be read: size, contrast, nothing over them.

``small-text``: A text is set in less than 6 pt, or one to read, of five words or more, in less than 8 pt.

Why: at arm's length, in the light of an evening, most people over forty cannot read 6 pt.
Example: the longest of thirty card texts was shrunk to 6.5 pt to fit its box.
Mend: shorten that text, make the box larger, or raise the smallest size in the template: then the text that does not
fit is named instead.

``text-near-cut``: A text stands nearer to the cut than 3 mm; 1.5 mm on tokens, dominoes and other pieces narrower than
40 mm, 1 mm on dice and pawns.
Why: a cut by hand is off by a millimetre.
Example: a card's number stands in a corner, 2 mm from the edge.
Mend: move the text inwards in the template.

``low-contrast``: A text stands out from its ground (of many colours the middle one) by less than 4.5 to 1, large text
(18 pt, or 14 pt bold) by less than 3 to 1 (WCAG 2.2). An error only where a text to read has less than 2 to 1.
Why: print is darker and less even than a screen, and games are played by lamplight.
Example: brown on a wooden plank has 2.8 to 1.
Mend: darken the text or lighten its ground, or set it larger and bold.

``hidden-text``: Where a text was set, or half of it, there is one colour alone, and not the text's.
Why: what a template draws later lies above what it drew before.
Example: a plate for the name, drawn below the name in the template, covers it.
Mend: move the drawing before the text in the template.

Covers: every text that pnp sets on a front or a back, on every row, as large as it came out.
Not covered: texts beneath a picture of many colours, letters in a picture, texts in books, turned texts.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from math import floor
from typing import Any

from pnp.shapes.affine import Rect
from pnp.shapes.colour import WEIGHTS, channels, contrast, linear
from pnp.shapes.outline import Ring
from pnp.shapes.units import show
from pnp.values.faces import Face
from pnp.values.findings import Report, SetText, Subject, report
from pnp.values.game import KINDS, Component
from pnp.values.problems import Problem, Severity, listed
from pnp.values.walk import grouped

RULES = ("small-text", "text-near-cut", "low-contrast", "hidden-text")

LEAST_PT, LEAST_TO_READ_PT = 6.0, 8.0
# So many words are a text to read; scripts that part no words have so many letters instead.
WORDS, LETTERS = 5, 40
CONTRAST, CONTRAST_LARGE, UNREADABLE = 4.5, 3.0, 2.0
# Where no dot is farther than this from the others (of 255), no letter is to be seen.
_PLAIN = 10
LARGE_PT, LARGE_BOLD_PT = 18.0, 14.0
# Sizes in drawings are mm, and do not come out at a whole point.
_HAIR = 0.02
# The ground is looked at in the letters' box and so far around it (mm).
_AROUND = 0.4
# A dot no farther than this from the text's colour is the text (of 255, in the channel that differs most).
_NEAR = 20
# When this share of the dots looks like the text, the ground does too.
_ALL = 0.8
# Colours at least this often as the most frequent one are the ground; rarer ones are where letters and ground mix.
_OFTEN = 1 / 3
# In greys all colours lie between the letters' and the ground's, so that the edges add up: those must be more frequent.
_OFTEN_MIXED = 0.6
_ICON = re.compile(r":[\w-]+:")

Found = tuple[float, SetText]


def look(subject: Subject) -> Report:
    """Every kind of text once, by its worst piece."""
    texts = [text for text in _uncovered(subject.texts) if _spelled(text)]
    return report([*_small(texts), *_near_cut(subject, texts), *_seen(subject, texts)])


def _spelled(text: SetText) -> str:
    return " ".join(re.findall(r"[^\W_]+(?:['’][^\W_]+)*", _ICON.sub(" ", text.source)))


def _to_read(text: SetText) -> bool:
    letters = _spelled(text)
    return len(letters.split()) >= WORDS or len(letters) >= LETTERS


def _uncovered(texts: Iterable[SetText]) -> list[SetText]:
    """Without the shadows and haloes of texts: the same words again, a little aside, beneath."""
    above: dict[tuple[str, str], list[Rect]] = {}
    kept = []
    for text in reversed(list(texts)):
        others, ink, reach = above.setdefault((text.face, text.source), []), text.ink or text.box, text.size_pt / 8
        aside = ((each.x + each.width / 2 - ink.x - ink.width / 2, each.y - ink.y) for each in others)
        if not any(abs(x) < reach and abs(y) < reach for x, y in aside):
            kept.append(text)
        others.append(ink)
    return kept[::-1]


def _kinds(found: Iterable[Found]) -> Iterator[list[Found]]:
    """The findings by the box of the template that they are in, the worst of each first."""

    def kind(text: SetText) -> tuple[object, ...]:
        middle = round(text.box.x + text.box.width / 2), round(text.box.y + text.box.height / 2)
        return text.piece.component, text.side, text.name or middle

    for members in grouped((kind(each[1]), each) for each in found).values():
        yield sorted(members, key=lambda member: member[0])


def _problem(
    rule: str, members: list[Found], says: Callable[[float, SetText], str], allowed: str, hint: str, severity: Severity
) -> Problem:
    value, text = members[0]
    what = f'box "{text.name}", {_quoted(text)}' if text.name else f"the text {_quoted(text)}"
    others = [other for _, other in members[1:] if other.face != text.face]
    beside = [other for _, other in members[1:] if other.face == text.face]
    more = f"; there also {listed(dict.fromkeys(map(_quoted, beside)), 6)}" if beside else ""
    if others:
        more += f"; so it is on {listed(dict.fromkeys(other.piece.about().called for other in others), 6)}"
    message = f"{text.about}, {what}: {says(value, text)}{more}"
    return Problem(rule, text.place, message, show(value), allowed, hint, severity, text.about)


def _quoted(text: SetText) -> str:
    words = " ".join(text.source.split())
    return f'"{words[:40]}…"' if len(words) > 40 else f'"{words}"'


def _small(texts: Iterable[SetText]) -> Iterator[Problem]:
    small = (
        (text.size_pt, text) for text in texts if text.size_pt < (LEAST_TO_READ_PT if _to_read(text) else LEAST_PT) - _HAIR
    )
    for members in _kinds(small):
        size, _ = members[0]
        yield _problem(
            "small-text",
            members,
            lambda value, _: f"it is set in {show(value)} pt",
            f"{LEAST_TO_READ_PT:g} pt for a text to read, {LEAST_PT:g} pt for a few words",
            "Shorten the text, or give it more room in the template.",
            "error" if size < LEAST_PT - _HAIR else "warning",
        )


def _near_cut(subject: Subject, texts: Iterable[SetText]) -> Iterator[Problem]:
    known = {component.name: component for component in subject.game.components}
    near = []
    for text in texts:
        if text.ink is None:
            continue
        _, _, face = subject.faces[text.face]
        apart = distance(face, text.ink)
        if apart < safe_zone(known[text.piece.component]) - _HAIR:
            near.append((round(apart, 2), text))
    for members in _kinds(near):
        yield _problem(
            "text-near-cut",
            members,
            lambda apart, _: f"its letters are {show(apart)} mm from the cut" if apart > 0 else "the cut goes through it",
            f"{show(safe_zone(known[members[0][1].piece.component]))} mm for such a piece",
            "Move the text inwards in the template.",
            "warning",
        )


def _seen(subject: Subject, texts: Iterable[SetText]) -> Iterator[Problem]:
    """Measures how much of each text can be seen in the picture of its face."""
    pale, hidden = [], []
    for face, those in grouped((text.face, text) for text in texts if text.ink and text.face in subject.pictures).items():
        import numpy as np
        from PIL import Image

        with Image.open(io.BytesIO(subject.pictures[face])) as image:
            picture = np.asarray(image.convert("RGB"))
        for text in those:
            dots = _around(picture, text, subject.dpi, _AROUND)
            if dots is None:
                continue
            ratio = contrast_on(dots.reshape(-1, 3), text.fill)
            if ratio < _needed(text):
                pale.append((ratio, text))
            elif _within(subject.faces[face][2], text) and (
                share := covered(_around(picture, text, subject.dpi), text.fill)
            ):
                hidden.append((share, text))
    for members in _kinds(pale):
        ratio, text = members[0]
        yield _problem(
            "low-contrast",
            members,
            lambda ratio, text: f"{text.fill} stands out from its ground by only {floor(ratio * 100) / 100:g} to 1",
            f"{_needed(text):g} to 1 for a text of {show(text.size_pt)} pt",
            "Darken the text or lighten what is beneath it, or the other way about.",
            "error" if ratio < UNREADABLE and _to_read(text) else "warning",
        )
    for members in _kinds(hidden):
        yield _problem(
            "hidden-text",
            members,
            lambda share, _: f"{'it' if share == 1 else 'half of it'} is not to be seen: something is drawn over it",
            "",
            "What a template draws later lies above: move the drawing before the text.",
            "error",
        )


def covered(dots: Any, fill: str) -> float:
    """How much of a text no letter is seen of, from the dots of its place: 1, 0.5 or 0."""
    if dots is None or dots.shape[1] < 2:
        return 0.0

    def plain(some: Any) -> bool:
        least, most = some.min(axis=(0, 1)).astype(int), some.max(axis=(0, 1))
        # A thick I is nothing but ink.
        return bool((most - least <= _PLAIN).all() and abs(least - channels(fill)).max() > _NEAR)

    middle = dots.shape[1] // 2
    return (plain(dots[:, :middle]) + plain(dots[:, middle:])) / 2


def _within(face: Face, text: SetText) -> bool:
    """Whether the cut takes nothing of a text; where it does, text-near-cut says so."""
    ink = text.ink
    return ink is not None and min(ink.x, ink.y, face.width - ink.right, face.height - ink.bottom) >= 0


def _needed(text: SetText) -> float:
    large = text.size_pt >= (LARGE_BOLD_PT if text.bold else LARGE_PT) - _HAIR
    return CONTRAST_LARGE if large else CONTRAST


def _around(picture: Any, text: SetText, dpi: int, around: float = 0.0) -> Any:
    """The dots of a text and so many mm around it, by row and column; None when it lies outside the picture."""
    assert text.ink is not None
    area = text.ink.grown(*4 * [around])
    left, top, right, bottom = (round(edge * dpi / 25.4) for edge in (area.x, area.y, area.right, area.bottom))
    dots = picture[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    return dots if dots.size else None


def contrast_on(dots: Any, fill: str) -> float:
    """The contrast of a text's colour with what it stands on, from the dots of the text and its ground."""
    import numpy as np

    ink = np.array(channels(fill))
    other = dots[np.abs(dots.astype(int) - ink).max(axis=1) > _NEAR]
    if len(other) < (1 - _ALL) * len(dots):
        return _ratio(ink, np.median(dots, axis=0))
    # Nearly equal colours are taken together, sixteen shades a channel.
    codes = (other >> 4).astype(int) @ np.array([256, 16, 1])
    _, where, counts = np.unique(codes, return_inverse=True, return_counts=True)
    often = counts[where] >= counts.max() * _OFTEN
    usual = np.median(other[counts[where] == counts.max()], axis=0)
    often &= (counts[where] >= counts.max() * _OFTEN_MIXED) | ~_mixed(other, ink, usual)
    ground = other[often]
    brightness = _luminance(ground)
    middle = ground[np.argsort(brightness, kind="stable")[len(ground) // 2]]
    return _ratio(ink, middle)


def _mixed(dots: Any, ink: Any, ground: Any) -> Any:
    """Marks dots whose colour lies between the text's and its ground's: most of these are the edges of letters."""
    import numpy as np

    way = ground - ink
    share = np.clip((dots - ink) @ way / max(float(way @ way), 1.0), 0, 1)
    off = np.abs(dots - (ink + share[:, None] * way)).max(axis=1)
    return (off < _NEAR) & (share < 0.9)


def _luminance(colours: Any) -> Any:
    import numpy as np

    return linear(np.asarray(colours, dtype=float) / 255) @ np.array(WEIGHTS)


def _ratio(one: Any, two: Any) -> float:
    return contrast(float(_luminance(one)), float(_luminance(two)))


# By how much a cut by hand, and a back printed through a home printer, may be off (mm).
SAFE = 3.0
SAFE_SMALL = 1.5
SAFE_TINY = 1.0
# Narrower pieces are small: they are cut with more care, and have no 3 mm to give away (mm).
SMALL = 40.0
# A text is felt along its edges in steps of (mm).
_STEP = 0.5


def safe_zone(component: Component) -> float:
    """How far from the cut anything should stay that must not look cut off, in mm."""
    care = KINDS[component.kind].care
    if care == "tiny":
        return SAFE_TINY
    if care == "small" or min(component.width, component.height) < SMALL:
        return SAFE_SMALL
    return SAFE


def distance(face: Face, rect: Rect) -> float:
    """From a rectangle's nearest point to the cut, in mm; negative when the cut goes through it or it lies outside."""
    if face.outline is None:
        return min(rect.x, rect.y, face.width - rect.right, face.height - rect.bottom)
    import numpy as np

    across = np.linspace(rect.x, rect.right, max(2, int(rect.width / _STEP) + 2))
    down = np.linspace(rect.y, rect.bottom, max(2, int(rect.height / _STEP) + 2))
    xs = np.concatenate([across, across, np.full_like(down, rect.x), np.full_like(down, rect.right)])
    ys = np.concatenate([np.full_like(across, rect.y), np.full_like(across, rect.bottom), down, down])
    return float(depths(face.outline, xs, ys).min())


def depths(ring: Ring, xs: Any, ys: Any) -> Any:
    """How deep each point lies inside a ring, in mm; negative outside. Arrays of numpy in and out."""
    import numpy as np

    nearest = np.full(xs.shape, np.inf)
    inside = np.zeros(xs.shape, dtype=bool)
    for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((xs - x0) * dx + (ys - y0) * dy) / max(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
        nearest = np.minimum(nearest, np.hypot(xs - x0 - along * dx, ys - y0 - along * dy))
        if y0 != y1:
            crossed = (ys < max(y0, y1)) & (ys >= min(y0, y1))
            inside ^= crossed & (xs < x0 + (ys - y0) / dy * dx)
    return np.where(inside, nearest, -nearest)
