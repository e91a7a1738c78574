"""Files in inks among those that are verified: what a print shop would mind, and the same made once more in inks."""

from __future__ import annotations

from collections.abc import Iterator

from pnp.values.problems import Place, Problem


def press_problems(data: bytes, place: Place) -> Iterator[Problem]:
    """What a shop's programs would find wrong with a file. Raises NotPrinted."""
    from pnp.write.preflight import preflight

    for each in preflight(data):
        yield Problem(each.rule, place, each.message, each.value, each.allowed, each.hint, each.severity)


def is_for_press(data: bytes) -> bool:
    """Whether a file says that it is made for a press. Raises NotPrinted."""
    from pnp.write import preflight

    return preflight.is_for_press(data)


def in_the_same_inks(made: bytes, given: bytes) -> bytes:
    """A file in colours of screens, in the inks of another file.

    What is flattened looks as before it was: that is not done once more.
    """
    from pnp.write.cmyk import to_cmyk
    from pnp.write.preflight import condition_in
    from pnp.write.separate import NoTransform

    condition = condition_in(given)
    if condition is None:
        return made
    try:
        return to_cmyk(made, condition).pdf
    except NoTransform:
        return made
