r"""Checks translations: whole, not outdated, and with the numbers and names of the original.

``pnp check`` warns of all files in ``languages/``; with ``--language`` these are errors, also for ``pnp build``.

``missing-translation``: texts of the game have no translation.
Why: they would be printed in the game's own language.
Example: a card was added later.
Mend: ``pnp translate GAME de`` adds a row for it; fill its ``target``. Where it is the same in both, type it again.

``stale-translation``: the source of a translation has changed since, or its row says ``fuzzy``.
Why: the two languages play by two rules.
Example: a card said that one draws two, and now says three.
Mend: ``pnp translate GAME de`` puts the new source in the row and the old one in its ``context``. Correct the
``target`` and empty ``fuzzy``.

``gone-translation``: a row translates what the game does not say any more. A warning.
Why: a text that was changed much is taken for another, and its translation would be lost.
Example: a card was taken out.
Mend: ``pnp translate GAME de`` moves such rows to the end and marks them; then they are kept in peace.

``lost-icon``: a translation has not the icons of its source, each as often.
Why: the icon says what a card costs.
Example: ``Pay :coin:`` is "Bezahle".
Mend: put it where it belongs.

``lost-number``: a translation of a book lacks a live number or condition of its source, ``{{ … }}`` or ``{% … %}``.
Why: a number that is typed does not follow the tables.
Example: ``{{ count("cards") }} cards`` is "36 Karten".
Mend: put it where it belongs.

``lost-cell``: a row of a book's table has more or fewer cells than its source.
Why: with a bar too many the table is printed as a line of text.
Example: one bar too many at the end of a row.
Mend: write as many bars, ``|``, as the source has; one that is a letter is ``\|``.

``lost-emphasis``: a translation has more or fewer runs of bold or italic words. A warning.
Why: what matters is bold in one language and lost in the other.
Example: ``Take **two**`` is "Nimm zwei".
Mend: mark the same words. A sentence that says it otherwise may be allowed.

``other-number``: a translation has a number that its source has not, and lacks one of its source. A warning.
Why: the two languages play by two rules.
Example: "Draw 2 cards." is "Ziehe 3 Karten."
Mend: write the same number, in figures or in words. Where a measure was converted, allow it.

``two-ways``: one source is translated in two ways. A warning.
Why: readers take two words for two things.
Example: Storm is called Sturm on the card and Unwetter in the rules.
Mend: choose one, or ``[[allow]]`` it where the two are two things.

``avoided-word``: a translation has a word that its glossary avoids. A warning.
Why: readers take two words for two things, and one word for two.
Example: for raid the glossary avoids "überfall*", and a card says "Überfalle Nassau."
Mend: write the glossary's word. Where the avoided one is right in some texts, say in the column ``where`` what their
sources have to say, or allow it.

``drawn-title``: the game's name is translated, and a cover shows it as a drawing (``cover_ink = "none"``). A warning.
Why: cover and box say the name in one language, the rules in another.
Example: the cover says Penguin in letters of ice, and the German rules are called Pinguin.
Mend: type the name again as it is drawn, or take it out of the drawing and let the cover print the title.

Covers: all that is translated; books written anew for words to avoid, but for those with a ``where``. Whether a
translation fits is seen where it is drawn: ``pnp check --language de``.
Not covered: whether a translation is right.

``untranslated-words``: a template says words of its own, in a game in another language. A warning.
Why: what stands in a template is in no file of translations.
Example: ``{{ n }} rounds.`` in a template.
Mend: put the words into ``[texts]`` of game.toml and show them as ``texts.rounds``: there they are translated.

Covers: every text that pnp sets on a piece, compared with all that the game says in that language.
Not covered: letters that are drawn in a picture.

``language-unsaid``: the game's words are in another language than it says. A warning.
Why: words are parted at line ends as in that language, and plan and marks are printed in it.
Example: cards say "Ziehe eine Karte und lege sie ab", and game.toml no ``language``, which is English then.
Mend: ``language = "de"`` in ``[game]``.

Covers: what pieces, ``[texts]`` and books say, in Dutch, English, French, German, Italian, Portuguese and Spanish.
Not covered: games of few words, and those in other languages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from pnp.check.wording import markdown_files, prose, without_notation
from pnp.values.findings import Subject, TableShown, reported
from pnp.values.game import Game
from pnp.values.languages import LETTERS, NUMERALS, SPELT, Entry, Term, Translated, Translation, Unit, rubies, state_of
from pnp.values.problems import Place, Problem, Severity, listed

UNFINISHED = ("missing-translation", "stale-translation")
"""Rules that tell of work to be done, which a draft is printed without."""
CATALOGUE_RULES = (
    *UNFINISHED,
    "gone-translation",
    "lost-icon",
    "lost-number",
    "lost-cell",
    "lost-emphasis",
    "other-number",
    "two-ways",
    "avoided-word",
    "drawn-title",
)
UNTRANSLATED = "untranslated-words"
UNSAID = "language-unsaid"
RULES = (*CATALOGUE_RULES, UNTRANSLATED, UNSAID)
TITLE = "Languages"

_ICON = re.compile(r":[\w][\w/.-]*:")
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
# How a number is written is the language's; which one it is, the game's.
_WRITTEN = re.compile(r"\|(?:in_words|capitalize|title|upper|lower)\b")
_DOUBTFUL = ("lost-emphasis", "other-number")
# With what parts thousands or decimals in any language.
_FIGURES = re.compile(r"\d+(?:[.,'\u2019\u00a0\u202f]\d+| \d{3}(?!\d))*")
_SPELT = re.compile(rf"\b{SPELT}\b", re.IGNORECASE)
_BAR = re.compile(r"(?<!\\)\|")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", re.DOTALL)
_ITALIC = re.compile(
    rf"(?:(?<![*\w])|(?<=[{LETTERS}]))\*(?=[^\s*])[^*]+?(?<=[^\s*])\*(?:(?![*\w])|(?=[{LETTERS}]))"
    r"|(?<![_\w])_(?=[^\s_])[^_]+?(?<=[^\s_])_(?![_\w])"
)


@reported
def look(subject: Subject) -> Iterator[Problem | TableShown]:
    """Every catalogue that the game comes with: of a build in a language that one."""
    game = subject.game
    severity: Severity = "error" if game.spoken else "warning"
    drawn_title = any(manual.cover and not manual.cover_ink for manual in game.manuals)
    for each in game.translations:
        yield from _problems(each, severity, game.name)
    for each in game.translations:
        yield from _avoided(each, game) if each.glossary else ()
    for each in game.translations if drawn_title else ():
        yield from _drawn_title(each)
    rows = tuple(
        (each.language, f"{each.percent} %", *(str(each.counted(state)) for state in ("missing", "stale", "same")))
        for each in game.translations
    )
    if rows:
        yield TableShown(TITLE, ("language", "done", "missing", "stale", "the same on purpose"), rows)


def _problems(translation: Translation, severity: Severity, game: str) -> Iterator[Problem]:
    again = f"Type: pnp translate {game} {translation.language}"
    if unknown := [unit for unit, entry in translation.pairs if entry is None]:
        count = f"{len(unknown)} texts of the game have" if len(unknown) > 1 else "a text of the game has"
        message = f"{count} no row here: {listed((unit.location for unit in unknown), 6)}"
        place = Place(translation.catalogue.file)
        yield Problem(UNFINISHED[0], place, message, unknown[0].location, "", again, severity)
    known = [(unit, entry, state_of(unit, entry)) for unit, entry in translation.pairs if entry is not None]
    if empty := [(entry.place, unit.location) for unit, entry, state in known if state == "missing"]:
        message = f"no translation yet of {len(empty)} texts out of {len(translation.pairs)}; the first is {empty[0][1]}"
        hint = "Go on there, or in Languages of pnp studio; pnp build with --draft prints it as it is."
        yield Problem(UNFINISHED[0], empty[0][0], message, empty[0][1], "", hint, severity)
    for unit, entry, state in known:
        if state == "missing":
            continue
        if state == "stale":
            said = (
                "its row says that it is not settled"
                if entry.source == unit.source and entry.was is None
                else (f"what it translates has changed: {unit.place} says it otherwise now")
            )
            hint = "Correct the target, and empty fuzzy." if entry.source == unit.source else again
            yield Problem(UNFINISHED[1], entry.place, said, unit.location, "", hint, severity)
        else:
            for rule, message in _lost(unit, entry):
                how: Severity = "warning" if rule in _DOUBTFUL else severity
                yield Problem(rule, entry.place, message, entry.target, "", "", how)
    for entry in translation.gone:
        if not entry.gone:
            message = f"the game says nothing like it any more: {entry.location}"
            yield Problem("gone-translation", entry.place, message, entry.location, "", again, "warning")
    yield from _two_ways(translation)


def _lost(unit: Unit, entry: Entry) -> Iterator[tuple[str, str]]:
    """Finds icons, numbers and the like of a source that its translation lacks: rules, with what is wrong."""
    both = unit.source, entry.target
    icons, there = (Counter(_ICON.findall(_TAG.sub("", text))) for text in both)
    if wrong := _differing(icons, there):
        yield "lost-icon", f"it has not the icons of its source: {wrong}"
    if unit.location.startswith("book/"):
        numbers, there = (Counter(map(_computed, _TAG.findall(text))) for text in both)
        if wrong := _differing(numbers, there):
            yield "lost-number", f"it does not compute what its source does: {wrong}"
        bars, found = (len(_BAR.findall(_TAG.sub("", text))) for text in both)
        if not bars:
            found = len(_BAR.findall(_TAG.sub("", "".join(words for words, _ in rubies(entry.target)))))
        if bars != found:
            yield "lost-cell", f"it has {found} bars between cells, and its source {bars}"
    figures = [{_figure(number) for number in _FIGURES.findall(_ICON.sub("", _TAG.sub("", text)))} for text in both]
    # A number in words is known in English alone; there "one" may be somebody.
    spelt = {NUMERALS[word.lower()] for word in _SPELT.findall(unit.source)}
    lost, more = (figures[0] | spelt - {1}) - figures[1], figures[1] - figures[0] - spelt
    if lost and more:
        says, said = (listed(map(str, sorted(some)), 4) for some in (more, lost))
        yield "other-number", f"it says {says}, and its source {said}"
    for what, runs in (("bold", _BOLD), ("italic", _ITALIC)):
        wanted, found = (len(runs.findall(_TAG.sub("0", text))) for text in both)
        if wanted != found:
            runs_of = "run" if found == 1 else "runs"
            yield "lost-emphasis", f"it has {found} {what} {runs_of} of words, and its source {wanted}"


def _figure(written: str) -> int:
    return int("".join(filter(str.isdigit, written))[:18])


def _computed(tag: str) -> str:
    return _WRITTEN.sub("", re.sub(r"\s+", "", _TEXT.sub('""', tag)))


def _differing(wanted: Counter[str], found: Counter[str]) -> str:
    missing, more = wanted - found, found - wanted
    parts = (("without", missing), ("with", more))
    return ", ".join(f"{word} {listed(some.elements(), 4)}" for word, some in parts if some)


def _two_ways(translation: Translation) -> Iterator[Problem]:
    ways: dict[str, list[Entry]] = defaultdict(list)
    for unit, entry in translation.pairs:
        if entry is not None and state_of(unit, entry) in ("translated", "same"):
            ways[unit.source].append(entry)
    for source, entries in ways.items():
        for entry in entries:
            if entry.target != entries[0].target:
                quoted = f'"{source[:40]}…"' if len(source) > 40 else f'"{source}"'
                message = f"{quoted} is translated otherwise in row {entries[0].place.row}"
                yield Problem("two-ways", entry.place, message, entry.target, "", "", "warning")


def _avoided(translation: Translation, game: Game) -> Iterator[Problem]:
    """Words to avoid: in the targets, in books written anew, and in the glossary's own translations."""
    said = [(prose(entry.target), unit.source, entry.place) for unit, entry in translation.pairs if entry is not None]
    for file, text in markdown_files(game):
        if PurePosixPath(file).stem.endswith(f".{translation.language}"):
            lines = prose(without_notation(text)).split("\n")
            said += [(line, "", Place(file, number)) for number, line in enumerate(lines, 1)]
    for term in translation.glossary:
        avoid, where = _any(term.avoid), _any(term.where)
        if term.avoid and avoid.search(term.translation):
            at = Place(term.place.file, term.place.row, "avoid")
            hint = "Write the words of avoid more exactly."
            message = f'it avoids its own translation, "{term.translation}"'
            yield Problem("avoided-word", at, message, "; ".join(term.avoid), "", hint, "warning")
        for text, source, place in said if term.avoid else ():
            if not term.where or where.search(source):
                said_so = (" ".join(found[0].split()) for found in avoid.finditer(text))
                yield from (_told(term, word, place) for word in dict.fromkeys(said_so))


def _any(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of these as whole words, whatever their case; ``*`` stands for letters, a blank for any blanks."""
    each = (r"\s+".join(re.escape(part).replace(r"\*", r"\w*") for part in word.split()) for word in words)
    return re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)", re.IGNORECASE)


def _told(term: Term, word: str, place: Place) -> Problem:
    message = f'"{word}" is avoided for "{term.term}" ({term.place})'
    hint = f'Write "{term.translation}"{f": {term.why}" if term.why else ""}.'.replace("..", ".")
    return Problem("avoided-word", place, message, word, f'"{term.translation}"', hint, "warning")


def _drawn_title(translation: Translation) -> Iterator[Problem]:
    for unit, entry in translation.pairs:
        if unit.location == "game/name" and entry is not None and state_of(unit, entry) == "translated":
            message = f'the cover\'s drawing says "{unit.source}" in every language'
            hint = f'Type "{unit.source}" here, too.'
            yield Problem("drawn-title", entry.place, message, entry.target, f'"{unit.source}"', hint, "warning")


# Words that no text of a language does without; one that is of two languages shows neither.
_USUAL = {
    "de": "der das und nicht eine einen wird oder auf für mit dein deine jeder kann",
    "en": "the and your you each from with this that when then of",
    "es": "el los las una y del cada puede jugador con tu cuando",
    "fr": "le les et une vous des du est chaque votre joueur pour avec",
    "it": "il gli della ogni giocatore può tua con sono quando dal",
    "nl": "het een van niet je elke speler kaarten wordt naar aan",
    "pt": "os uma você cada jogador seu sua não em do da com",
}
_TIMES = Counter(word for words in _USUAL.values() for word in words.split())
_ONE = {word: code for code, words in _USUAL.items() for word in words.split() if _TIMES[word] == 1}
_FEWEST, _RARE = 12, 5
"""So many of them show a language, and another one where they are so many times as many as its own."""


@reported
def look_language(subject: Subject) -> Iterator[Problem]:
    """Whether the game is in the language that it says."""
    game, own = subject.game, subject.game.language.partition("-")[0].lower()
    if own not in _USUAL or game.spoken:
        return
    texts = [row.cells[column].text for table in game.tables.values() for row in table for column in table.words]
    texts += [*game.texts.values(), *(text for file, text in markdown_files(game) if "." not in PurePosixPath(file).stem)]
    counted = Counter(_ONE[word] for text in texts for word in _WORD.findall(text.lower()) if word in _ONE)
    likely, times = max(counted.items(), key=lambda each: each[1], default=(own, 0))
    if likely != own and times >= max(_FEWEST, _RARE * counted[own]):
        message = f'the language of the game is "{own}", and {times} of its words are of "{likely}", {counted[own]} of that'
        hint = f'Write language = "{likely}" in [game]: words are parted, and marks printed, as in that.'
        yield Problem(UNSAID, game.place_of("game.name"), message, own, "", hint, "warning")


_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKUP = re.compile(r":[\w][\w/.-]*:|\[[^\]]*\]|[*_~`#>|\\]")


@reported
def look_pieces(subject: Subject) -> Iterator[Problem]:
    """Finds texts on drawn pieces that are no translation of anything."""
    if not subject.game.printed_in:
        return
    known = sorted(set(_said(subject.game)), key=len, reverse=True)
    whole = "\n".join(known)
    # An id that is printed stands there as it is typed: "Captain" is none of "captain".
    ids = {word for table in subject.game.every_table for row in table for word in _WORD.findall(row.id)}
    told: set[tuple[str, str]] = set()
    for text in subject.texts:
        said = _plain(text.source)
        if not _WORD.search(said) or said in whole:
            continue
        for each in known:
            if len(each) > 1 and each in said:
                said = said.replace(each, " ")
        left = [word for word in _WORD.findall(said) if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", whole)]
        typed = {word.casefold() for word in _WORD.findall(text.source) if word in ids}
        left = [word for word in left if word not in typed]
        component = text.piece.component
        if left and (component, left[0]) not in told:
            told.add((component, left[0]))
            words = " ".join(left)[:60]
            message = f'{text.about}: its template says "{words}" itself'
            hint = "Put it into [texts] of game.toml, and show it as texts.NAME."
            yield Problem(UNTRANSLATED, text.place, message, words, "", hint, "warning", text.about)


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).casefold().split())


def _said(game: Game) -> Iterator[str]:
    texts = [game.title, game.version, *game.about.values(), *game.texts.values(), *game.each.values()]
    texts += [title for title, _ in game.titles]
    shown: list[object] = [*texts]
    for table in game.every_table:
        texts += [cell.text for row in table for column, cell in row.cells.items() if column not in ("id", table.key)]
        shown += [cell.value for row in table for cell in row.cells.values()]
    other = (text.texts.get(game.other, "") for text in shown if isinstance(text, Translated)) if game.other else ()
    yield from filter(None, map(_plain, (*texts, *other)))
