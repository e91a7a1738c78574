"""Parses the common Markdown of pieces and books: ``[words]{red underline}``; finds markup that means nothing here.

Whoever types ``<b>`` or leaves ``**`` open meant something by it, and sees it printed as it stands: it must be told.
"""

from __future__ import annotations

import html
import html.entities
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pnp.dataclass import dataclass

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

UNDERLINE = "underline"
ESCAPED = "\x03"
"""Stands for a character that was escaped, when literal marks are looked for."""
_LOOK = re.compile(r"\[([^\[\]]+)\]\{([A-Za-z0-9#_ -]+)\}")
# Tags that people know from other tools; "a < b" is none of them.
_TAG = re.compile(
    r"</?(?:b|i|u|s|em|strong|br|p|span|div|font|center|su[bp]|small|big|h[1-6r]|[uo]l|li|a|img|table|t[rdh]|del|ins|color)"
    r"(?:[\s/=][^<>]*)?>",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# With its semicolon, or one of those that people type most without it.
_ENTITY = re.compile(
    r"&(?:(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|(?:amp|copy|gt|lt|nbsp|quot|shy|times)(?![\w;]))"
)
# Two stars that touch a word, or embrace something with spaces; a row of stars is a rating.
_OPEN = re.compile(
    r"(?<!\*)\*{2,3}(?=[^\W_])[^*\n]{0,40}|[^*\n]{0,40}(?<=\w)\*\*(?![*\w])|(?<!\*)\*\* [^*\n]+ \*\*(?!\*)"
    r"|(?<![\w_])__(?=[^\W_])[^_\n]{0,40}|(?<!~)~~(?!~)[^~\n]{0,40}"
)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(?!of\b)(?=[^\W\d_])[^\n]{0,40}", re.MULTILINE)
_LINK = re.compile(
    r"!?\[[^\[\]\n]*\]\([^()\s]+\)|^[ \t]*\[[^\[\]\n]+\]:[ \t]+(?:[a-z]+://|www\.)\S+"
    r"|<(?:[a-z]{1,20}://[^\s<>]+|[^\s<>@]{1,64}@[^\s<>@]{1,99}\.[^\s<>@]{1,20})>",
    re.MULTILINE,
)
# Marks of a list or a heading that touch their words; one "-5" or "#1" alone is meant.
_TOUCHING = re.compile(
    r"^[ \t]*([-+*•])(?=[^\W\d_])[^\n]*\n[ \t]*\1(?=[^\W\d_])|^[ \t]*1([.)])(?=[^\W\d_])[^\n]*\n[ \t]*2\2(?=[^\W\d_])",
    re.MULTILINE,
)
_HASHES = re.compile(r"^[ \t]*(#{2,6})([^\W\d_][^\n]{0,40})", re.MULTILINE)
_HASH = re.compile(r"^[ \t]*(#{1,6})([^\W\d_][^\n]{0,40})", re.MULTILINE)
_DOTTED = re.compile(r"^[ \t]*•[ \t]+([^\n]{1,40})[^\n]*\n[ \t]*•[ \t]", re.MULTILINE)
_COMMAND = re.compile(r"\\[A-Za-z]{3,20}\b")
# What a template says between quotation marks and would not between braces.
QUOTED = re.compile(r"(?:row|game|palette|face|component)\.[a-z_][a-z0-9_]*")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
_ROW = re.compile(r"^[ \t]*\|(?:(?:[^|\n]+\|){2,}[ \t]*|[ \t]+[^|\s][^\n]*)$", re.MULTILINE)
_NO_LOOK = re.compile(r"\[[^\[\]\n]+\]\{\s*\}")
_APART = re.compile(r"(\[[^\[\]\n]+\])[ \t]+(\{([A-Za-z0-9#_ -]+)\})")
# {{T}} and {2} are symbols of other games.
_TEMPLATE = re.compile(r"\{\{-?[ \t]*[A-Za-z_]\w[^{}\n]{0,60}\}\}|\{%[^%\n]{1,60}%\}|\{#[^#\n]{1,60}#\}")
_CODE = re.compile(r"`[^`\n]+`")

# The last character of each is what has to be escaped, in texts on pieces and in books.
_MEANT = re.compile(
    r"[\\`\[|]|(?<![ \t])\*|\*(?![ \t])"
    r"|(?<![^\W_])_|_(?![^\W_])"
    r"|~(?=~)|(?<=~)~"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?\w+;)"
    r"|:(?=[a-z][a-z0-9_-]*(?:#[\w-]+)?:)"
    # At the beginning of a line: lists, rules, the line below a table's head, headings, quotations.
    r"|^[ \t]*(?:[-+*](?=[ \t]|$)|[-:](?=[-:]*[ \t]*$)|=(?==*[ \t]*$)|\d+[.)](?=[ \t]|$)|\#(?=\#{0,5}(?:[ \t]|$))|>)",
    re.MULTILINE,
)

Look = tuple[str, bool]
"""A colour as #rrggbb, or "" for that of the text around; and whether it is underlined."""


@dataclass(frozen=True, slots=True)
class Slip:
    """Text that looks like markup and is printed as it stands."""

    value: str
    what: str
    """A sentence without its subject, which is the value."""
    allowed: str
    hint: str


def look_of(words: str, colour: Callable[[str], str | None]) -> Look | None:
    """The look of ``[words]{red underline}``; None where one of its words is unknown."""
    fill, underline = "", False
    for word in words.split():
        if word == UNDERLINE:
            underline = True
        elif (found := colour(word)) is not None:
            fill = found
        else:
            return None
    return fill, underline


def looks(parser: MarkdownIt) -> None:
    """Makes a parser turn ``[words]{look}`` into tokens ``look_open`` and ``look_close``, whose ``info`` is the look."""
    parser.inline.ruler.before("emphasis", "look", _look)


def _look(state: StateInline, silent: bool) -> bool:
    match = _LOOK.match(state.src, state.pos, state.posMax)
    if match is None or not match[2].strip():
        return False
    if not silent:
        end, state.posMax = state.posMax, match.end(1)
        state.pos = match.start(1)
        state.push("look_open", "", 1).info = match[2]
        state.md.inline.tokenize(state)
        state.push("look_close", "", -1).info = match[2]
        state.posMax = end
    state.pos = match.end()
    return True


def literally(text: str) -> str:
    """Escapes a text for Markdown, line by line; leaves what means nothing where it stands."""
    return _MEANT.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text)


def slips(literal: str, books: bool = False) -> Iterator[Slip]:
    """The likely markup in letters that will be printed. Books know headings, links, code and entities."""
    if match := _OPEN.search(literal):
        yield Slip(
            match[0].strip(),
            "is printed with its marks, for they have no partner" + ("" if books else " at a word's edge"),
            "**bold**, *italic*, ~~struck~~, each closed where its paragraph ends",
            "Close it, without a space between marks and words; or type \\* for a star that is meant.",
        )
    if match := _COMMENT.search(literal):
        hint = "Take it out. What is only for you may stand in a column that nothing shows."
        yield Slip(match[0][:60], "is printed as it stands: texts know no remarks", "", hint)
    if match := _TAG.search(literal):
        yield Slip(
            match[0],
            "is printed as it stands: texts know no HTML",
            "**bold**, *italic*, ~~struck~~, [words]{underline}, [words]{red}",
            "A line that ends in the cell ends on paper.",
        )
    if match := _TOUCHING.search(literal):
        mark = match[1] or f"1{match[2]}"
        first = match[0].strip().split("\n")[0][:40]
        yield Slip(
            first, "is printed as it stands: a list has a space after each mark", f"{mark} words", f"Write {mark} words."
        )
    if match := _ROW.search(literal):
        yield Slip(
            match[0].strip()[:60],
            "is printed with its |: a table has a line |---|---| below its head",
            "| a | b |, then |---|---|, then its rows",
            "Add that line below the first one.",
        )
    if match := _FOOTNOTE.search(literal):
        yield Slip(match[0], "is printed as it stands: there are no footnotes", "a star or a number, ¹ ² ³", "")
    if books:
        if match := _DOTTED.search(literal):
            told = "is printed in one line with the next: a list begins with - or *"
            yield Slip(f"• {match[1]}", told, "- words", f"Write - {match[1]}")
        if match := _HASH.search(literal):
            hint = f"Write {match[1]} {match[2].strip()}"
            yield Slip(match[0].strip(), "is printed with its #: a heading has a space after it", f"{match[1]} words", hint)
        if match := _COMMAND.search(literal):
            yield Slip(match[0], "is printed as it stands: books know no commands with \\", "Markdown", "Take it out.")
        return
    if QUOTED.fullmatch(literal.strip()):
        quoted = literal.strip()
        hint = f"Take the quotation marks away in the template: s.text({quoted}, …)."
        yield Slip(quoted, "is printed as these letters, and not as what it means", "", hint)
    if match := _TEMPLATE.search(literal):
        yield Slip(
            match[0],
            "is printed as it stands: cells are no templates",
            "Markdown, such as **bold** and :icon:",
            "Write it in the template; a column of its own holds what differs from row to row.",
        )
    if (match := _ENTITY.search(literal)) and (match[0][1] == "#" or match[0][1:] in html.entities.html5):
        meant = html.unescape(match[0])
        shown = f" {meant}" if meant.isprintable() and not meant.isspace() else ""
        yield Slip(match[0], "is printed as it stands: texts know no HTML", f"the character itself{shown}", "Type it.")
    if match := _HEADING.search(literal) or _HASHES.search(literal):
        yield Slip(match[0].strip(), "is printed with its #: texts have no headings", "**bold**", "Write **Heading**.")
    if match := _LINK.search(literal):
        allowed = ":name: for art/icons/name.svg" if match[0].startswith("!") else "words"
        yield Slip(match[0], "is printed as it stands: nobody can click on paper", allowed, "")
    if match := _NO_LOOK.search(literal):
        yield Slip(match[0], "is printed as it stands: its braces are empty", "[words]{red}, [words]{underline}", "")
    if match := _CODE.search(literal):
        yield Slip(match[0], "is printed with its `", "**bold**, *italic*", "")


def parted_looks(literal: str, colour: Callable[[str], str | None]) -> Iterator[Slip]:
    """``[words] {red}``, which is a look but for the space."""
    for match in _APART.finditer(literal):
        if match[3].strip() and look_of(match[3], colour) is not None:
            yield Slip(match[0], "is printed as it stands: a space parts it", match[1] + match[2], "Take out the space.")
            return


def unknown_look(words: str, look: str, palette: str) -> Slip:
    """The slip of ``[words]{look}`` whose look is nothing."""
    return Slip(
        f"[{words}]{{{look}}}",
        f'is printed as it stands: "{look}" is no look of words',
        f"underline, #rrggbb, a colour of CSS such as red, or one of the palette: {palette or 'it is empty'}",
        "Write [words]{red}, [words]{#b00020} or [words]{red underline}.",
    )


def misnumbered(typed: int, printed: int, mark: str) -> Slip:
    """The slip of a list whose numbers do not follow each other."""
    return Slip(
        f"{typed}{mark}",
        f"is printed {printed}{mark}: the numbers of a list follow each other",
        f"1{mark}, 2{mark}, 3{mark} …, from any number on",
        f"Write {typed}\\{mark} for a number that is meant, on a line of its own paragraph.",
    )
