"""Plans the pages of a book: where columns end, how large pictures are, how far blocks stand apart.

A typesetter that fills one column after the other leaves a hole wherever a picture does not fit any more. Here the
whole text is set once in one endless column, as in a galley proof, and measured; then all ways to cut it into columns
are compared, as TeX compares all ways to break a paragraph into lines (Knuth and Plass, *Breaking paragraphs into
lines*, 1981). Lengths are in mm.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from operator import sub
from typing import Any

from pnp.dataclass import dataclass

SCALES = (1.0, 0.95, 0.9, 0.86, 0.82, 0.76, 1.06, 1.12, 1.2)
"""How large the pictures of a column may be, as a share of what their author asked for."""
CLEARANCE = 5.0
"""Between a picture over both columns and the text below it."""
MOST_STRETCH = 2.0
"""So much farther apart than usual may two blocks stand, so that columns end level."""
MOST_SQUEEZE = 0.6
"""So much nearer than usual may they stand."""
WITHIN = 0.5
"""Items of a list, rows of a table and blocks of a box move apart by this share of what blocks do; never together."""
SPARE = 0.4
"""A column is planned to be so much shorter than its page, for what is rounded."""
LEAST_FULL = 0.5
"""No column but the last is emptier, if there is another way."""
LEAST_LINES = 2
"""Of a paragraph at least so many lines stand together at a column's head and foot."""
TWO_LINES = 9.0
"""What is lower has one or two lines: with a heading it does not end a column, if there is another way."""
LEAST_HOLE = 27.0
"""A hole that is higher has a vignette."""
HIGH_TABLE, LEAST_ROWS = 0.4, 3
"""A table that takes more of a column may be parted, with at least so many rows at each end."""

# What is bad about a cut, in the same unit: a hundred is a column that is one third empty.
PAGE = 60.0
SPLIT, SPLIT_PAGE = 4.0, 14.0
LIST, LIST_PAGE = 3.0, 10.0
BEGUN, FEW_BELOW = 5.0, 8.0
APART, APART_PAGE, APART_SPREAD = 12.0, 38.0, 70.0
LED = 60.0
# At each of the scales; and where gaps give all they can.
RESIZED, SQUEEZED = (0.0, 2.5, 5.0, 9.0, 14.0, 24.0, 2.0, 3.0, 4.0), 6.0
# For each block between such a picture and where it is said.
SEEN_FAR = 6.0
# At a column's end; on the last page, and where that has but a few lines.
HOLE, REST, FEW_LINES = 300.0, 30.0, 30.0
# On the last page, for a chapter whose last lines stand above the next one's title; up to so high are they stray.
STRAY, STRAY_HIGH = 40.0, 22.0
# What is more of a hole than this share of a column costs so many times as much.
SEEN_HOLE, MORE = 0.05, 3.0
NEW_SECTION = -4.0


@dataclass(frozen=True, slots=True)
class Element:
    """A block as measured: heights at each scale, the room to the next one, and the places where it may be cut."""

    kind: str
    heights: tuple[float, ...]
    gap: float = 0.0
    level: int = 0
    wide: bool = False
    leads: bool = False
    """Whether its text ends in a colon."""
    cuts: tuple[tuple[float, float], ...] = ()
    """For each place: where what comes before ends, and where what comes after begins, below the element's top."""
    elastic: float = 0.0
    """How much higher it is when its items, rows or blocks stand 1 mm farther apart; of less, no more than that share."""

    def height(self, scale: int) -> float:
        return self.heights[scale] if scale < len(self.heights) else self.heights[0]

    @property
    def pictured(self) -> bool:
        return self.kind in {"figure", "beside", "columns"}


@dataclass(frozen=True, slots=True)
class Step:
    """How a block is set: after a column's end, below pictures that go over the whole page, at what distance and size."""

    column: int
    """The column that it begins in, counted through the book."""
    breaks: bool = False
    wides: tuple[int, ...] = ()
    gap: float = 0.0
    """Distance to the block above; 0 is the usual one."""
    scale: float = 1.0
    spread: float = 0.0
    """How much farther apart than usual its items, rows or blocks stand."""
    hole: float = 0.0
    """What is empty at the foot of the column before."""

    def data(self) -> dict[str, Any]:
        made = {"column": self.column, "break": self.breaks, "wides": self.wides}
        made |= {"gap": round(self.gap, 3), "scale": self.scale}
        return {**made, "spread": round(self.spread, 3), "hole": round(self.hole, 2), "vignette": None}


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of all blocks, the first block that begins on the last page, and how much of its height is left.

    ``short``: how much higher its second column ends than its first.
    """

    steps: Sequence[Step]
    final: int
    left: float
    short: float = 0.0

    @property
    def column(self) -> int:
        """The last column in which a block begins."""
        return max(step.column for step in self.steps)

    def data(self, vignettes: int) -> dict[str, Any]:
        """What the setter reads. Of so many vignettes all but the first, which ends the book, take turns in holes."""
        steps = [step.data() for step in self.steps]
        if vignettes > 1:
            holes = [step for step in steps if step["break"] and step["hole"] > LEAST_HOLE]
            for number, step in enumerate(holes):
                step["vignette"] = 1 + number % (vignettes - 1)
        return {"plan": steps, "final": self.final, "left": round(self.left, 2), "short": round(self.short, 2)}


@dataclass(frozen=True, slots=True)
class Sheet:
    """The room of a page: the height of its columns, and how many there are."""

    height: float
    columns: int


def elements(blocks: Sequence[Mapping[str, Any]], galley: Mapping[str, Any], high: float) -> list[Element]:
    """Measures each block of a book's data in its galley, for columns of a height."""
    tops = {tuple(names): y for names, y in galley["marks"]}
    line = galley["line"]
    pitch = galley["lines"] - line
    gaps: dict[tuple[object, ...], float] = {}
    made = []
    end: Mapping[str, Any] = {"kind": "end"}
    for number, block in enumerate(blocks):
        # In the galley those over both columns are left out.
        following = next((each for each in blocks[number + 1 :] if not each.get("wide")), end)
        top, wide = tops[number,], block.get("wide", False)
        heights = tuple(galley["heights"][number])
        advance = tops[number + 1,] - top
        pair = block["kind"], block.get("level"), following["kind"], following.get("level")
        if heights and not wide:
            gaps.setdefault(pair, advance - heights[0])
        gap = 0.0 if wide else gaps[pair]
        heights = heights or (advance - gap,)
        if grown := galley["grown"][number]:
            heights = tuple(heights[0] + more for more in grown)
        inner = block.get("items", ()) or (block["rows"] if block["kind"] == "table" and not wide else ())
        items = [tops[number, index] - top for index in range(len(inner))]
        made.append(
            Element(
                block["kind"],
                heights,
                gap,
                block.get("level", 0),
                wide,
                _leads(block),
                tuple(_cuts(block, heights[0], items, line, pitch, 0.6 * galley["em"], high)),
                galley["elastic"][number],
            )
        )
    return made


def _leads(block: Mapping[str, Any]) -> bool:
    texts = [part for span in block.get("spans", ()) for part in ([span] if isinstance(span, str) else span.get("text", ()))]
    return block["kind"] == "paragraph" and bool(texts) and texts[-1].rstrip().endswith(":")


def _cuts(
    block: Mapping[str, Any], height: float, items: Sequence[float], line: float, pitch: float, spacing: float, high: float
) -> Iterable[tuple[float, float]]:
    if block["kind"] == "paragraph":
        yield from _lines(0.0, height, line, pitch)
    elif block["kind"] == "table":
        # The head stands again above what follows.
        if block["long"] or height > high * HIGH_TABLE:
            for top in items[LEAST_ROWS : 1 - LEAST_ROWS]:
                yield top, top - items[0]
    elif items:
        for number, top in enumerate(items):
            end = items[number + 1] - spacing if number + 1 < len(items) else height
            if number:
                yield top - spacing, top
            if len(block["items"][number]) == 1:
                yield from _lines(top, end, line, pitch)


def _lines(top: float, end: float, line: float, pitch: float) -> Iterable[tuple[float, float]]:
    count = round((end - top - line) / pitch) + 1
    for number in range(LEAST_LINES, count - LEAST_LINES + 1):
        yield top + number * pitch - (pitch - line), top + number * pitch


@dataclass(slots=True)
class _Cut:
    """A place where a column may end: before an element, or within it."""

    element: int
    part: int
    ends: tuple[float, ...]
    """Where what comes before ends, at each scale."""
    starts: tuple[float, ...]
    above: float
    """The gaps above what ends here, each by how well it bears to be wider."""
    stretch: float
    """The gaps above what begins here."""
    above_within: float
    """The gaps within blocks above what ends here."""
    within: float
    """The gaps within blocks above what begins here."""
    cost: float
    page: float
    spread: float
    allowed: bool = True


@dataclass(slots=True)
class _Way:
    """The best way to a cut: what it cost, the way before it, and the column between them."""

    cost: float
    before: _State | None = None
    scale: int = 0
    extra: float = 0.0
    """How much wider each gap of the column is."""
    last: int = 0
    """Where the page's first column ends, if this is the last page."""
    left: float = 0.0
    """What is empty at the column's end; on the last page at that of the longer one."""
    short: float = 0.0
    """On the last page, how much shorter than the first its second column is."""


_State = tuple[int, int, int, int, int]
"""A cut, the column of the page, the wide pictures placed so far, how many of them are on this page, and 0 on left pages."""


def _usual_end(cut: _Cut) -> float:
    return cut.ends[0]


def plan(parts: Sequence[Element], sheet: Sheet) -> Plan | None:
    """How each block is set; None where no way was found, as with a block that is higher than a column."""
    return _Planner(parts, sheet).plan()


@dataclass(slots=True)
class _Planner:
    parts: Sequence[Element]
    sheet: Sheet
    cuts: list[_Cut] = field(default_factory=list)
    wides: list[int] = field(default_factory=list)
    shown: list[bool] = field(default_factory=list)

    def plan(self) -> Plan | None:
        if not self.parts:
            return None
        self.wides = [number for number, part in enumerate(self.parts) if part.wide]
        self._find_cuts()
        best: dict[_State, _Way] = {(0, 0, 0, 0, 0): _Way(0.0)}
        goal: _State | None = None
        at: dict[int, list[_State]] = {0: [(0, 0, 0, 0, 0)]}
        last = len(self.cuts) - 1
        for number in range(last):
            for state in at.get(number, ()):
                for following, way in self._ways(state, best[state].cost):
                    known = best.get(following)
                    if known is None or way.cost < known.cost:
                        if known is None:
                            at.setdefault(following[0], []).append(following)
                        best[following] = way
        for state in at.get(last, ()):
            if state[2] == len(self.wides) and (goal is None or best[state].cost < best[goal].cost):
                goal = state
        return None if goal is None else self._steps(goal, best)

    def _find_cuts(self) -> None:
        """All places where a column may end, with their heights at each scale."""
        count = len(SCALES)
        y = [0.0] * count
        bottom = [0.0] * count
        stretch = within = 0.0
        before: Element | None = None
        begun = False
        for number, part in enumerate(self.parts):
            if part.wide:
                continue
            above, stretch = stretch, stretch + self._bears(before, part)
            cost, page, spread, allowed = self._between(before, part)
            if begun and allowed and part.kind != "heading":
                cost, page, spread = cost + FEW_BELOW, page + FEW_BELOW, spread + FEW_BELOW
            self.cuts.append(
                _Cut(number, 0, tuple(bottom), tuple(y), above, stretch, within, within, cost, page, spread, allowed)
            )
            listed = part.kind in {"bullets", "numbers"}
            first = before is not None and before.kind == "heading"
            opens = BEGUN * (first and not listed)
            # A block that is parted stays as it is: its parts are in columns of different needs.
            beyond = within + WITHIN * part.elastic
            for index, (end, start) in enumerate(part.cuts, 1):
                ends, starts = tuple(each + end for each in y), tuple(each + start for each in y)
                few = FEW_BELOW * (first and listed and end < TWO_LINES)
                costs = (LIST + few, LIST_PAGE + few) if listed else (SPLIT + opens, SPLIT_PAGE + opens)
                self.cuts.append(_Cut(number, index, ends, starts, stretch, stretch, within, beyond, *costs, costs[1]))
            within = beyond
            bottom = [each + part.height(scale) for scale, each in enumerate(y)]
            y = [each + part.gap for each in bottom]
            begun = first and part.kind == "paragraph" and part.heights[0] < TWO_LINES
            before = part
        self.cuts.append(_Cut(len(self.parts), 0, tuple(bottom), tuple(y), stretch, stretch, within, within, 0.0, 0.0, 0.0))

    @staticmethod
    def _bears(before: Element | None, part: Element) -> float:
        """How well the gap above a block bears to be wider."""
        if before is None or before.kind == "heading":
            return 0.0
        return 2.0 if part.kind == "heading" else 1.0

    def _between(self, before: Element | None, part: Element) -> tuple[float, float, float, bool]:
        """The cost of a break between two blocks: by column, page, or a page that is turned; and whether one is allowed."""
        if before is None:
            return 0.0, 0.0, 0.0, True
        if before.kind == "heading":
            return 0.0, 0.0, 0.0, False
        if before.kind == "contents":
            return (0.0, 0.0, 0.0, True) if self.sheet.columns > 1 else (-1000.0, -1000.0, -1000.0, True)
        if part.kind == "heading":
            better = NEW_SECTION * (2 if self._opens(part) else 1)
            return better, better, better, True
        if before.leads:
            return LED, LED, LED, True
        if part.pictured:
            # It belongs to the text above, less to another picture or to a box, which are wholes of their own.
            share = 1.0 if before.kind in {"paragraph", "bullets", "numbers"} else 0.5
            return share * APART, share * APART_PAGE, share * APART_SPREAD, True
        return 1.0, 5.0, 8.0, True

    def _ways(self, state: _State, cost: float) -> Iterable[tuple[_State, _Way]]:
        _, column, placed, here, _ = state
        counts = range(len(self.wides) - placed + 1) if column == 0 else (0,)
        for more in counts[:3]:
            on_page = self.wides[placed - here : placed + more]
            room = self.sheet.height - SPARE - sum(self.parts[each].heights[0] + CLEARANCE for each in on_page)
            if room < self.sheet.height / 4:
                break
            late = sum(self._is_late(each, state[0]) for each in self.wides[placed : placed + more])
            yield from self._columns(state, cost + LED * late, placed + more, here + more, room)

    def _is_late(self, wide: int, number: int) -> bool:
        """Whether a picture opens a section that began on the page before the one that begins with this cut."""
        return 0 < wide < self.cuts[number].element and self.parts[wide - 1].kind == "heading"

    def _columns(self, state: _State, cost: float, placed: int, here: int, room: float) -> Iterable[tuple[_State, _Way]]:
        number, column, _, _, leaf = state
        start, last = self.cuts[number], len(self.cuts) - 1
        final = column == self.sheet.columns - 1
        yield from self._last(state, cost, placed, here, room)
        least = self._full(start, room * LEAST_FULL)
        fitting = []
        for end in range(number + 1, last):
            cut = self.cuts[end]
            if min(map(sub, cut.ends, start.starts)) > room + MOST_SQUEEZE * self._units(start, cut):
                break
            if cut.allowed:
                fitting.append(end)
        for end in [end for end in fitting if end >= least] or fitting[-1:]:
            cut = self.cuts[end]
            wide = self._wide_cost(start.element, cut.element, placed, here) if final else 0.0
            if wide == math.inf:
                continue
            following: _State = (end, 0, placed, 0, 1 - leaf) if final else (end, column + 1, placed, here, leaf)
            # Pages 2 and 3 lie side by side: after an odd page the leaf is turned.
            parted = PAGE + wide + (cut.spread if leaf else cut.page) if final else cut.cost
            best: _Way | None = None
            for scale, height in enumerate(map(sub, cut.ends, start.starts)):
                if height > room + MOST_SQUEEZE * self._units(start, cut):
                    continue
                hole, extra, rest = self._hole(start, cut, room - height)
                # Within a block nothing ends a column but its end: what comes next must not fit.
                if cut.part and rest + 2 * SPARE > self.cuts[end + 1].ends[scale] - cut.ends[scale]:
                    continue
                whole = cost + hole + parted + RESIZED[scale]
                if best is None or whole < best.cost:
                    best = _Way(whole, state, scale, extra, left=rest)
            if best is not None:
                yield following, best

    def _full(self, start: _Cut, height: float) -> int:
        """The first cut at which a column that begins here is so high."""
        return bisect_left(self.cuts, start.starts[0] + height, key=_usual_end)

    @staticmethod
    def _units(start: _Cut, end: _Cut) -> float:
        """The gaps of a column, each by how well it bears to be another."""
        return max(0.0, end.above - start.stretch)

    def _hole(self, start: _Cut, end: _Cut, left: float) -> tuple[float, float, float]:
        """The empty end of a column once its gaps gave or took what they can: its cost, what each gap took, its height."""
        units = self._units(start, end)
        if left < 0:
            return SQUEEZED * (left / units / MOST_SQUEEZE) ** 2, left / units, 0.0
        units += max(0.0, end.above_within - start.within)
        extra = min(MOST_STRETCH, left / units) if units else 0.0
        rest = left - extra * units
        share = rest / self.sheet.height
        return 4.0 * (extra / MOST_STRETCH) ** 2 + HOLE * (share + (MORE - 1) * max(0.0, share - SEEN_HOLE)), extra, rest

    def _wide_cost(self, start: int, end: int, placed: int, here: int) -> float:
        """The cost of pictures over both columns that are not where the text mentions them."""
        cost = 0.0
        for index, wide in enumerate(self.wides):
            if index < placed - here:
                continue
            if index < placed:
                if wide > end + 3:
                    return math.inf
                cost += SEEN_FAR * (max(0, wide - end) + max(0, start - wide))
            elif wide < start - 12:
                return math.inf
        return cost

    def _last(self, state: _State, cost: float, placed: int, here: int, room: float) -> Iterable[tuple[_State, _Way]]:
        """The end of the book: on its last page columns end level."""
        number, column, _, _, leaf = state
        start, last = self.cuts[number], len(self.cuts) - 1
        end = self.cuts[last]
        goal: _State = (last, column, placed, 0, leaf)
        if placed < len(self.wides) or column:
            return
        for scale, height in enumerate(map(sub, end.ends, start.starts)):
            spent = cost + PAGE + RESIZED[scale]
            if self.sheet.columns == 1 or height < room / 4:
                if height <= room:
                    few = FEW_LINES * (height < room / 4)
                    yield goal, _Way(spent + few + self._rest(room - height), state, scale, left=room - height)
                continue
            if height <= room:
                # All in one column, where nothing may be parted.
                yield goal, _Way(spent + HOLE * height / self.sheet.height, state, scale, left=room - height)
            for middle in range(number + 1, last):
                cut = self.cuts[middle]
                one, two = cut.ends[scale] - start.starts[scale], end.ends[scale] - cut.starts[scale]
                if one <= room and two <= room and cut.allowed:
                    left = room - max(one, two)
                    uneven = HOLE * abs(one - two) / self.sheet.height
                    whole = spent + uneven + cut.cost + STRAY * self._strays(middle) + self._rest(left)
                    yield goal, _Way(whole, state, scale, last=middle, left=left, short=max(0.0, one - two))

    def _strays(self, number: int) -> bool:
        """Whether a few lines of a chapter would stand at a column's head, above the title of the next one."""
        top = self.cuts[number].starts[0]
        for cut in self.cuts[number:]:
            if cut.starts[0] > top + STRAY_HIGH:
                break
            if cut.element < len(self.parts) and not cut.part and self._opens(self.parts[cut.element]):
                return cut.starts[0] > top
        return False

    @staticmethod
    def _opens(part: Element) -> bool:
        return part.kind == "heading" and part.level <= 2

    def _rest(self, left: float) -> float:
        """The cost of the empty end of the last page."""
        return REST * left / self.sheet.height

    def _steps(self, goal: _State, best: Mapping[_State, _Way]) -> Plan | None:
        """The steps of the way that was chosen."""
        columns: list[tuple[int, int, int, float, tuple[int, ...], float]] = []
        state: _State | None = goal
        while state is not None and (way := best[state]).before is not None:
            before = way.before
            assert before is not None
            fresh = tuple(self.wides[before[2] : state[2]])
            if way.last:
                columns += [(way.last, state[0], way.scale, 0.0, (), 0.0), (before[0], way.last, way.scale, 0.0, fresh, 0.0)]
            else:
                columns.append((before[0], state[0], way.scale, way.extra, fresh, way.left))
            state = before
        columns.reverse()
        steps: dict[int, Step] = {}
        waiting: tuple[int, ...] = ()
        hole = 0.0
        for index, (start, end, scale, extra, fresh, left) in enumerate(columns):
            first = self.cuts[start]
            if waiting and not index % self.sheet.columns:
                return None  # on a page where no block begins there is nothing to place them with
            waiting += fresh
            for number in range(first.element + bool(first.part), self.cuts[end].element + bool(self.cuts[end].part)):
                if number >= len(self.parts) or self.parts[number].wide:
                    continue
                head = number == first.element
                above = self._above(number)
                bears = self._bears(above, self.parts[number])
                gap = (above.gap if above else 0.0) + extra * bears if extra and bears and not head else 0.0
                whole = number < self.cuts[end].element
                spread = max(0.0, WITHIN * extra) if whole and self.parts[number].elastic else 0.0
                steps[number] = Step(index, head and index > 0, waiting, gap, SCALES[scale], spread, hole if head else 0.0)
                waiting = ()
            hole = left
        if waiting:
            return None
        last_page = (len(columns) - 1) // self.sheet.columns * self.sheet.columns
        final = min((number for number, step in steps.items() if step.column >= last_page), default=-1)
        way_to = best[goal]
        return Plan([steps.get(number, Step(-1)) for number in range(len(self.parts))], final, way_to.left, way_to.short)

    def _above(self, number: int) -> Element | None:
        return next((part for part in reversed(self.parts[:number]) if not part.wide), None)
