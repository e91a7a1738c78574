"""Numbers before the name of what tables count, and in phrases: the looking for ``typed-number`` in words.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pnp.check.wording import NUMBER, Said, either, number_in
from pnp.sandbox.values import BadExpression, shown
from pnp.values.cells import unwrapped
from pnp.values.game import Game
from pnp.values.numerals import IN_WORDS, NUMERALS, SPELT
from pnp.values.problems import Place, Problem
from pnp.values.rules import Counting, Words

Evaluate = Callable[[str], object]
"""What an expression comes to. Raises BadExpression."""

# A number after one of these is a part of the pieces, not all of them.
_PARTS = re.compile(
    r"\b(?:(?:draw|take|roll|deal|discard|pay|gain|lose|choose|get|keep|place|put|add|remove|reveal|swap|trade|give|steal|"
    r"earn|return|collect|receive|use|move|pick|buy|sell|flip|turn|load|unload|carry|carri|spend|"
    r"drew|took|lost|chose|got|kept|gave|stole)(?:s|es|n|ing|ed)?|most|least|to|than|only|another|or)\s+$",
    re.IGNORECASE,
)
# After these it is one where it is at most half: "the box holds 59 cards" speaks of all.
_HOLDS = re.compile(r"\b(?:has|hav(?:e|ing)|(?:hold|need|own)(?:s|ing|ed)?)\s+$", re.IGNORECASE)
_SHARES = re.compile(r"\s+(?:each|apiece|per|every|more|less|fewer|from|in hand|on board|aboard)\b", re.IGNORECASE)
# In a sentence a number far from all of them is a part: "with two cargo cards a ship is full". What stands alone in a
# cell, a paragraph or an item of a list is a number of pieces, and so is what "all" stands before.
_ALL = re.compile(r"\ball\s+(?:of\s+)?(?:the\s+)?\Z", re.IGNORECASE)
_BEGINS = re.compile(r"(?:\A|\n\s*\n|\||\n[ \t]*[-+][ \t])[ \t]*\Z")
_ENDS = re.compile(r"[ \t]*(?:\Z|\n|[.,;:|(])")
# As a phrase has it: with or without marks between its thousands, with decimals, in words. So many groups and no more: else
# a row of numbers could be taken apart in more ways than can be tried.
_WRITTEN = r"\d{1,3}(?:[,.'\u2019 \u00a0\u202f\u2009]\d{3}){1,3}(?!\d)|\d{1,15}(?:\.\d{1,15})?"
_BLANKS = r"\s*"
# Letters before a number that say what it is about.
BEFORE = 40
_GROUPED = re.compile(r"\d{1,3}(?:\D\d{3})+")


@dataclass(frozen=True, slots=True)
class Counted:
    """Names with the numbers that may stand before them, and phrases with the numbers in them."""

    numbers: Mapping[str, tuple[int, ...]]
    """By the folded name; the first number is that of the tables."""
    found: re.Pattern[str]
    phrases: tuple[_Phrase, ...]
    faults: tuple[Problem, ...]

    @classmethod
    def of(cls, game: Game, words: Words, evaluate: Evaluate) -> Counted:
        numerals = (SPELT,) if game.language.partition("-")[0] == "en" else ()
        numbers: dict[str, tuple[int, ...]] = {}
        alike: dict[str, list[tuple[int, ...]]] = {}
        takes = game.rules.setup.takes if game.rules.setup else ()
        for component in game.components:
            if len(component.title.split()) > 1 and component.table.whole:
                # What the set-up takes of it is a number people read, too.
                taken = [int(take.number) for take in takes if take.component == component.name and take.number.isdecimal()]
                alike.setdefault(_folded(component.title), []).append((component.copies, *taken))
        # Where several have one title, the number of each may be said, and that of all.
        for title, each in alike.items():
            numbers[title] = (sum(first for first, *_ in each), *(number for several in each for number in several))
        faults, phrases = [], []
        for counting in words.counts:
            try:
                values = [_number(evaluate(expression), expression) for expression in counting.numbers]
            except BadExpression as bad:
                message = f'the number of "{counting.says}": {bad}'
                faults.append(Problem("typed-number", counting.place, message, bad.value, bad.allowed, bad.hint))
                continue
            if "#" in counting.says:
                phrases.append(_Phrase.of(counting, values, numerals))
            elif isinstance(values[0], int) or values[0].is_integer():
                numbers[_folded(counting.says)] = (int(values[0]),)
            else:
                message = f'the number of "{counting.says}" is {shown(values[0])}, and pieces are counted in whole ones'
                faults.append(Problem("typed-number", counting.place, message, shown(values[0]), "a whole number"))
        number = "|".join([NUMBER.pattern, *numerals])
        found = rf"(?<![\w#])(?P<number>{number})[\s-]+(?P<name>{either(numbers)})"
        return cls(numbers, re.compile(found, re.IGNORECASE), tuple(phrases), tuple(faults))

    def wrong(self, said: Said) -> Iterator[Problem]:
        for match in self.found.finditer(said.text):
            number = _value(match["number"])
            right = self.numbers[_folded(match["name"])]
            before = max(0, match.start() - BEFORE)
            held = 2 * number <= right[0] and _HOLDS.search(said.text, before, match.start())
            part = _PARTS.search(said.text, before, match.start()) or _SHARES.match(said.text, match.end())
            # One less than all is a slip, even of two.
            some = 2 * number <= right[0] > number + 1 and not self._is_alone(said, match)
            if number in right or part or held or some:
                continue
            shown, name = (" ".join(match[group].split()) for group in (0, "name"))
            yield Problem(
                "typed-number",
                said.at(match.start()),
                f'"{shown}", but the tables have {right[0]}',
                match["number"],
                str(right[0]),
                f'Write "{right[0]} {name}", or change the tables.',
            )
        folded = said.text.casefold()
        for phrase in self.phrases:
            if phrase.word in folded:
                yield from phrase.wrong(said)

    @staticmethod
    def _is_alone(said: Said, match: re.Match[str]) -> bool:
        """Whether nothing else is said with a number, and it is not said of a picture."""
        if any(start <= match.start() < end for start, end in said.pictures):
            return False
        before = said.text, max(0, match.start() - BEFORE), match.start()
        return bool(_ALL.search(*before) or (_BEGINS.search(*before) and _ENDS.match(said.text, match.end())))

    def unsaid(self, texts: Iterable[Said]) -> Iterator[Problem]:
        """Phrases that no text says: they hold nothing."""
        folded = [(text, text.text.casefold()) for text in texts]
        for phrase in self.phrases:
            if not any(phrase.word in words and phrase.found.search(text.text) for text, words in folded):
                message = f'no text of the game says "{phrase.says}" with a number for each #, so that this looks at nothing'
                hint = "Write the words as they stand in the text, or take the phrase away."
                yield Problem("typed-number", phrase.place, message, phrase.says, hint=hint, severity="warning")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words with numbers in them."""

    says: str
    numbers: tuple[int | float, ...]
    found: re.Pattern[str]
    word: str
    """The longest of its words, folded: a text without it does not say the phrase."""
    place: Place

    @classmethod
    def of(cls, counting: Counting, numbers: Sequence[int | float], numerals: Iterable[str]) -> _Phrase:
        number = rf"(?<![\w.])({'|'.join([_WRITTEN, *numerals])})(?!\w)"
        between = [_worded(part) for part in counting.says.split("#")]
        # No blanks before the first word: a book has long runs of them, and each would be tried from each of its places.
        found = rf"(?<!\w){number.join(between).removeprefix(_BLANKS)}(?!\w)"
        word = max(re.split(r"[\s#'\u2019-]+", counting.says), key=len).casefold()
        return cls(counting.says, tuple(numbers), re.compile(found, re.IGNORECASE), word, counting.place)

    def wrong(self, said: Said) -> Iterator[Problem]:
        for match in self.found.finditer(said.text):
            for group, right in enumerate(self.numbers, 1):
                if _value(match[group]) != right:
                    text, written = " ".join(match[0].split()), shown(right)
                    write = IN_WORDS.get(right, written) if match[group].lower() in NUMERALS else written
                    yield Problem(
                        "typed-number",
                        said.at(match.start(group)),
                        f'"{text}", but the number there is {written}: so says "{self.says}" ({self.place})',
                        match[group],
                        written,
                        f'Write "{write}", or change rules.toml.',
                    )


def _number(value: object, expression: str) -> int | float:
    number = unwrapped(value)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise BadExpression(
            f"it is {shown(number)}, and no number", expression, "a number, or an expression such as count(…)"
        )
    return number


def _worded(part: str) -> str:
    """A pattern for a part of a phrase, whatever parts its words; beside a number there may be the marks of bold."""
    words = [re.escape(word).replace("'", "['\u2019]") for word in re.split(r"[\s-]+", part) if word]
    before, after = (r"[\s-]+" if end in (" ", "-") else _BLANKS for end in (part[:1], part[-1:]))
    return before + r"[\s-]+".join(words) + after if words else before


def _value(written: str) -> int | float:
    """What a number comes to, in figures or in words."""
    if (number := NUMERALS.get(written.lower())) is not None:
        return number
    return float(written) if "." in written and not _GROUPED.fullmatch(written) else number_in(written)


def _folded(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name.casefold())
