"""Numbers that stand before the name of something that the tables count: the looking for ``typed-number`` in words.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pnp.check.wording import NUMBER, Said, either, number_in
from pnp.values.game import Game
from pnp.values.problems import Problem
from pnp.values.rules import Words

Evaluate = Callable[[Game, str], object]

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMERALS = {word: number for number, word in enumerate(_UNITS)} | {
    (f"{tens}-{_UNITS[more]}" if more else tens): 10 * number + more
    for number, tens in enumerate(_TENS, 2)
    for more in range(9, -1, -1)
}
# A number after one of these is a part of the pieces, not all of them.
_PARTS = re.compile(
    r"\b(?:(?:draw|take|roll|deal|discard|pay|gain|lose|choose|get|keep|place|put|add|remove|reveal|swap|trade|give|steal|"
    r"earn|return|collect|receive|need|have|has|hold|holds|own|use|move|pick|buy|sell|flip|turn|load|unload|carry|carri|spend|"
    r"drew|took|lost|chose|got|kept|gave|stole)(?:s|es|n|ing|ed)?|most|least|to|than|only|another|or)\s+$",
    re.IGNORECASE,
)
_SHARES = re.compile(r"\s+(?:each|apiece|per|every|more|less|fewer|from|in hand|on board|aboard)\b", re.IGNORECASE)
# After one of these it is a part where it is far from all of them: "with two cargo cards a ship is full".
_SOME = re.compile(
    r"\b(?:with|without|after|before|until|between|for|by|first|last|next|top|other|these|those)\s+$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Counted:
    """Names with the numbers that may stand before them."""

    numbers: Mapping[str, tuple[int, ...]]
    """By the folded name; the first number is that of the tables."""
    found: re.Pattern[str]
    faults: tuple[Problem, ...]

    @classmethod
    def of(cls, game: Game, words: Words, evaluate: Evaluate) -> Counted:
        english = game.language.partition("-")[0] == "en"
        numbers: dict[str, tuple[int, ...]] = {}
        takes = game.rules.setup.takes if game.rules.setup else ()
        for component in game.components:
            if len(component.title.split()) > 1 and component.table.whole:
                # What the set-up takes of it is a number people read, too.
                taken = [int(take.number) for take in takes if take.component == component.name and take.number.isdecimal()]
                numbers[_folded(component.title)] = (component.copies, *taken)
        faults = []
        for name, expression in words.counts.items():
            value = evaluate(game, expression)
            if isinstance(value, int) and not isinstance(value, bool):
                numbers[_folded(name)] = (value,)
            else:
                message = f'the count of "{name}" is no whole number'
                faults.append(Problem("typed-number", words.place, message, expression, "an expression such as count(…)"))
        number = "|".join([NUMBER.pattern, *(NUMERALS if english else ())])
        found = rf"(?<![\w#])(?P<number>{number})[\s-]+(?P<name>{either(numbers)})"
        return cls(numbers, re.compile(found, re.IGNORECASE), tuple(faults))

    def wrong(self, said: Said) -> Iterator[Problem]:
        for match in self.found.finditer(said.text):
            number = NUMERALS.get(match["number"].lower())
            if number is None:
                number = number_in(match["number"])
            right = self.numbers[_folded(match["name"])]
            part = _PARTS.search(said.text, 0, match.start()) or _SHARES.match(said.text, match.end())
            some = 2 * number <= right[0] and _SOME.search(said.text, 0, match.start())
            if number in right or part or some:
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


def _folded(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name.casefold())
