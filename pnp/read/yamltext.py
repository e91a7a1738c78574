"""YAML → a tree of texts as they were typed: a country ``no`` is no truth, and ``010`` is not eight.

Of YAML's empty values ``~``, ``null`` and nothing at all are empty texts. Aliases and ``<<`` are followed, and what they
bring is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pnp.read.trees import MOST_DEPTH, MOST_PARTS, BrokenText, Lined, Parsed, Tree
from pnp.read.unpacked import TooLarge

if TYPE_CHECKING:
    from yaml import Event

_TAGS = tuple(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq"))
_EMPTY = ("", "~", "null")


def parse_yaml(text: str) -> Parsed:
    """The tree; several documents are a list. Raises BrokenText, TooLarge."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BrokenText(str(error.problem or error.context), mark.line + 1 if mark else 1) from None
    except yaml.YAMLError as error:
        raise BrokenText(" ".join(str(error).split())[:200], 1) from None
    except RecursionError:
        raise BrokenText("its lists and records are nested too deep", 1) from None
    trees = builder.documents
    return Parsed(trees[0] if len(trees) == 1 else list(trees), tuple(builder.doubled))


class _Builder:
    """Puts a tree together from what the parser meets."""

    def __init__(self) -> None:
        self.documents: list[Tree] = []
        self.doubled: list[tuple[int, str]] = []
        self._open: list[tuple[list[Tree] | Lined, str | None]] = []
        self._keys: list[tuple[str, bool] | None] = []
        """For each open record the key whose value comes next, and whether it stands there without quotes."""
        self._brought: list[set[str]] = []
        self._known: dict[str, Tree] = {}
        self._parts = 0

    def take(self, event: Event) -> None:
        kind, line = type(event).__name__, event.start_mark.line + 1
        self._count(1)
        if kind == "DocumentStartEvent":
            self._known = {}
        elif kind in ("SequenceStartEvent", "MappingStartEvent"):
            self._check_tag(event.tag, line)
            if len(self._open) >= MOST_DEPTH:
                raise BrokenText(f"its lists and records are nested deeper than {MOST_DEPTH}", line)
            made: list[Tree] | Lined = [] if kind == "SequenceStartEvent" else Lined()
            if isinstance(made, Lined):
                made.line = line
            self._open.append((made, event.anchor))
            self._keys.append(None)
            self._brought.append(set())
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            done, anchor = self._open.pop()
            self._keys.pop()
            self._brought.pop()
            self._put(done, anchor, line)
        elif kind == "ScalarEvent":
            self._check_tag(event.tag, line)
            plain = not event.style and event.tag is None
            self._put("" if plain and event.value in _EMPTY else event.value, event.anchor, line, plain)
        elif kind == "AliasEvent":
            if event.anchor not in self._known:
                raise BrokenText(f"*{event.anchor} refers to nothing that ends before it", line)
            self._put(self._known[event.anchor], None, line)

    def _check_tag(self, tag: str | None, line: int) -> None:
        if tag is not None and tag not in (*_TAGS, "!"):
            raise BrokenText(f"the tag {tag} asks for more than a text, a list or a record", line)

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MOST_PARTS:
            raise TooLarge(f"the file has more than {MOST_PARTS // 1_000_000} million parts")

    def _put(self, value: Tree, anchor: str | None, line: int, plain: bool = False) -> None:
        if anchor is not None:
            self._known[anchor] = value
        if not self._open:
            self.documents.append(value)
            return
        home, _ = self._open[-1]
        if isinstance(home, list):
            home.append(value)
            return
        key = self._keys[-1]
        if key is None:
            if not isinstance(value, str):
                raise BrokenText("a list or a record stands where the name of a column belongs", line)
            self._keys[-1] = (value, plain)
            return
        self._keys[-1] = None
        name, merges = key[0], key == ("<<", True)
        if merges:
            self._merge(home, value, line)
        elif name in home and name not in self._brought[-1]:
            self.doubled.append((line, name))
        else:
            home[name] = value
            self._brought[-1].discard(name)

    def _merge(self, home: Lined, value: Tree, line: int) -> None:
        """What ``<<`` brings: of several maps the first counts, and what the map says itself counts more."""
        for other in value if isinstance(value, list) else [value]:
            if not isinstance(other, Lined):
                raise BrokenText("<< brings in no record", line)
            self._count(len(other))
            for key, brought in other.items():
                if key not in home:
                    home[key] = brought
                    self._brought[-1].add(key)
