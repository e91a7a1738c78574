"""Putting a game's files into the output: with a Problem where something is in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pnp.system.files import put
from pnp.system.record import NotOurs, digest_of
from pnp.values.outcome import OutputFolder, Result
from pnp.values.problems import Place


def write(
    result: Result, out: OutputFolder, where: str, files: Mapping[str, bytes], by: str, owned: Sequence[str] | None = ()
) -> None:
    """Put files below the output and into the result; where something that is not ours is in the way, a Problem.

    So one file that somebody keeps there stops its own game and no other. Raises OSError.
    """
    try:
        result.files = put(out, where, files, by, owned)
        result.digests = {name: digest_of(data) for name, data in files.items()}
    except NotOurs as refused:
        result.problems.error("not-ours", Place(str(refused.path)), refused.message, hint=refused.hint)
        result.problems.unreadable = True
