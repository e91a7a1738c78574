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
    """A file in colours of screens, in the inks of another file, and flattened where that one is."""
    from pnp.write.cmyk import to_cmyk
    from pnp.write.preflight import made_for
    from pnp.write.separate import NoTransform

    wanted = made_for(given)
    try:
        return made if wanted is None else to_cmyk(made, wanted[0], standard=wanted[1]).pdf
    except NoTransform:
        # The profile in the file is none of a press, which is told.
        return made
